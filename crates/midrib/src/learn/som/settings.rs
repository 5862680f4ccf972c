//! The settings of self-organizing maps.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::connect::NetShape;
use crate::error::{Error, Result};
use crate::learn::checks;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::laid_net::WantedNet;
use crate::learn::lists::Sides;
use crate::learn::method::Method;

/// How the nodes of a self-organizing map move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Training {
    /// All at once, after a pass over all points.
    #[default]
    Batch,
    /// After each point.
    Online,
}

/// A self-organizing map: a net of nodes, each of which moves to the mean of the points at and around
/// it on the net, in an ever smaller neighborhood.
///
/// Use it to see groups in a table at a glance: points of one node are alike, nodes that are far
/// apart in the data are separated by ridges of the U-matrix. An elastic map is smoother, and its
/// objective says how well it fits; a self-organizing map has none. Points may have missing values.
/// An epoch is one pass over the points.
///
/// ```
/// use midrib::learn::{Given, Method, Sides, Som};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..400)
///     .flat_map(|i| [f64::from(i % 20), f64::from(i / 20), f64::from(i % 20) * 0.1])
///     .collect();
/// let points = Points::from_f64(values, 3)?;
/// let settings = Som { sides: Sides::Exactly(vec![5, 5]), ..Som::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.graph()?.nodes().n_rows(), 25);
/// assert!(fitted.objective() < 7.0); // the quantization error; the variance is 67
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Som {
    /// The shape of the net: `chain`, `ring`, `rectangle`, `hexagonal` (or `triangular`, the same
    /// sheet), `cylinder`, `torus`, `sphere` or `box`.
    pub net: NetShape,
    /// Number of nodes along each axis, for example `12x8`; for a sphere, the number of rings and of
    /// nodes per ring; `auto` to divide `n_nodes` in proportion to the extents of the points.
    pub sides: Sides,
    /// Approximate number of nodes if `sides` is `auto`: a number, or `auto` for 100 (a third of the
    /// points if that is fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// How the nodes move: `batch`, all at once after each pass over the points, or `online`, after
    /// each point.
    pub training: Training,
    /// Neighborhood radius in the first epoch, in steps of the grid: larger values give a smoother
    /// start. `auto` for a quarter of the longest side.
    pub radius: AutoOr,
    /// Neighborhood radius in the last epoch: smaller values let nodes follow the points more
    /// closely, larger ones keep the map smooth.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub final_radius: f64,
    /// Share of its distance to a point that a node moves in the first epoch of online training; it
    /// falls to a hundredth of that.
    pub learning_rate: f64,
    /// Number of epochs, each a pass over the points.
    pub max_iter: usize,
    /// Seed of the order of the points in online training.
    pub seed: u64,
}

impl Default for Som {
    fn default() -> Self {
        Self {
            net: NetShape::Rectangle,
            sides: Sides::Auto,
            n_nodes: NodeCount::Auto,
            training: Training::Batch,
            radius: AutoOr::Auto,
            final_radius: 0.5,
            learning_rate: 0.5,
            max_iter: 40,
            seed: 0,
        }
    }
}

fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    checks::count_or_auto(2)
}

impl Som {
    pub(super) fn check_values(&self) -> Result<()> {
        self.wanted_net().check()?;
        let radius = match self.radius {
            AutoOr::Auto => None,
            AutoOr::Fixed(radius) => Some(("radius", radius)),
        };
        for (name, value) in radius.into_iter().chain([("final_radius", self.final_radius)]) {
            if !(value > 0.0 && value.is_finite()) {
                return Err(Error::setting(name, value, "must be positive"));
            }
        }
        if let AutoOr::Fixed(radius) = self.radius
            && radius < self.final_radius
        {
            let reason = format!("must not be below final_radius = {}", self.final_radius);
            return Err(Error::setting("radius", radius, reason));
        }
        if !(self.learning_rate > 0.0 && self.learning_rate <= 1.0) {
            let reason = "must be above 0 and at most 1";
            return Err(Error::setting("learning_rate", self.learning_rate, reason));
        }
        Ok(())
    }

    pub(super) fn wanted_net(&self) -> WantedNet<'_> {
        let Self { net, sides, n_nodes, .. } = self;
        WantedNet { method: Self::NAME, shape: *net, sides, n_nodes: *n_nodes }
    }
}
