//! The settings of cubic complexes.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::fit;
use crate::error::{Error, Result};
use crate::learn::choices::{InfOr, NodeCount, TrimmingRadius};
use crate::learn::descent::Limits;
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::observe::Observer;
use crate::points::Points;

/// A surface with branches: the product of two trees that grow where that lowers the energy.
///
/// Use it where points vary along two ways at once and one of them may branch, such as a lineage
/// and a cycle of days. What the two trees are is told in the notes.
///
/// ```
/// use midrib::learn::{Cubic, Given, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..400)
///     .flat_map(|i| [f64::from(i % 20) / 5.0, f64::from(i / 20) / 10.0, f64::from(i % 3) / 50.0])
///     .collect();
/// let points = Points::from_f64(values, 3)?;
/// let settings = Cubic { n_nodes: NodeCount::Exactly(12), ..Cubic::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert!(fitted.graph.nodes().n_rows() >= 12);
/// assert!(fitted.notes[0].starts_with("product of a "));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Cubic {
    /// Number of nodes that the product grows to at least, or `auto` for 36 (a third of the points
    /// if those are fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the border in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give straighter branches.
    pub bending: f64,
    /// Largest number of branch points of each tree, or `inf` for any.
    pub max_branch_points: InfOr,
    /// Largest number of neighbours of a node in its tree, or `inf` for any.
    pub max_star_order: InfOr,
    /// Distance from every node beyond which points do not pull: outliers then do no harm. `auto` to
    /// estimate it from the points, `inf` to let all points pull.
    pub trimming_radius: TrimmingRadius,
    /// Largest number of sweeps of one placement.
    pub max_iter: usize,
    /// When a placement ends: if a sweep lowers the energy by less than this part of the variance
    /// of the points. 0 goes on until it rests.
    pub tol: f64,
}

impl Default for Cubic {
    fn default() -> Self {
        Self {
            n_nodes: NodeCount::Auto,
            stretching: 0.001,
            bending: 0.01,
            max_branch_points: InfOr::Infinite,
            max_star_order: InfOr::Infinite,
            trimming_radius: TrimmingRadius::Infinite,
            max_iter: 100,
            tol: 1e-5,
        }
    }
}

/// A product of trees grows node by node.
fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "integer", "minimum": 4}, {"const": "auto"}]})
}

impl Method for Cubic {
    const NAME: &'static str = "cubic";
    const SUMMARY: &'static str =
        "product of two trees grown by elastic energy: surfaces that branch";
    const CITATION: &'static str = "Gorban2009, Principal cubic complexes";

    fn promises(&self) -> Promises {
        Promises {
            cost_falls: false,
            rigid_motions: true,
            scaling: true,
            any_row_order: true,
            weights_as_repeats: true,
            tree: false,
        }
    }

    fn check(&self) -> Result<()> {
        for (name, value, least) in
            [("stretching", self.stretching, f64::MIN_POSITIVE), ("bending", self.bending, 0.0)]
        {
            if !(value >= least && value.is_finite()) {
                let must = if least > 0.0 { "must be positive" } else { "must be 0 or positive" };
                return Err(Error::setting(name, value, must));
            }
        }
        for (name, most, least) in [
            ("max_branch_points", self.max_branch_points, 0.0),
            ("max_star_order", self.max_star_order, 2.0),
        ] {
            if let InfOr::Finite(most) = most
                && !(most >= least && most.fract() == 0.0)
            {
                let must = format!("must be a whole number of at least {least}, or inf");
                return Err(Error::setting(name, most, must));
            }
        }
        self.trimming_radius.check()?;
        if self.n_nodes == NodeCount::All {
            let why = "a product of trees grows node by node: give a number";
            return Err(Error::setting("n_nodes", "all", why));
        }
        Limits { max_iter: self.max_iter, tol: self.tol }.check()
    }

    fn fit(
        &self,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fitted> {
        self.check()?;
        fit::fit(self, points, given, watch)
    }

    fn inner_dims(&self) -> usize {
        2
    }
}
