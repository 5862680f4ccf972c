//! The settings of elastic maps.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::fit;
use super::surface::Surface;
use super::words::{Epochs, Sides};
use crate::connect::{Net, NetShape};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{AutoOr, NodeCount, TrimmingRadius};
use crate::learn::descent::Limits;
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::observe::Observer;
use crate::place::Springs;
use crate::points::Points;

/// A map is continued this far beyond its border, at most.
const MOST_MARGIN: usize = 100;

/// What the moduli of a net belong to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModulusOf {
    /// The whole net: finer nets bend and stretch alike.
    #[default]
    Whole,
    /// Each edge and each rib, however many there are.
    Each,
}

/// A map of the points: a sheet, or another net of nodes, that is bent into their midst.
///
/// Use it to look at points on a surface (or on a curve, or in a block) that follows them better
/// than the plane of the first principal components does. Points may have gaps. A sweep costs
/// O(N·K·D) at most.
///
/// ```
/// use midrib::learn::{ElasticMap, Given, Method, Sides};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..900)
///     .flat_map(|i| {
///         let (u, v) = (f64::from(i % 30) / 15.0 - 1.0, f64::from(i / 30) / 15.0 - 1.0);
///         [u, v, u * u]
///     })
///     .collect();
/// let points = Points::from_f64(values, 3)?;
/// let settings = ElasticMap { sides: Sides::Exactly(vec![8, 8]), ..ElasticMap::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// let surface = fitted.surface()?.unwrap();
/// let places = surface.project(&points)?;
/// assert!(places.mean_squared_distance(&points)? < 0.01);
/// assert_eq!(places.inner.n_cols(), 2); // where each point lies on the map, in steps of the grid
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticMap {
    /// The shape of the net: `chain`, `ring`, `rectangle`, `triangular` (a sheet of triangles),
    /// `cylinder`, `torus`, `sphere` or `box`.
    pub net: NetShape,
    /// Number of nodes along each axis, for example `12x8`, of a sphere that of its rings and of
    /// the nodes of each; or `auto` to divide `n_nodes` in the ratio of the points' extents.
    pub sides: Sides,
    /// About how many nodes the net has if `sides` is `auto`; `auto` for 100 (a third of the points
    /// if those are fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give a smaller map that draws its border in. `auto` for
    /// 0.001, of a chain or ring 0.0001.
    pub stretching: AutoOr,
    /// Bending modulus μ: larger values give a flatter map. `auto` for 0.001 of a sheet or a box,
    /// 0.00001 of a cylinder, torus or sphere, 0.000001 of a chain or ring.
    pub bending: AutoOr,
    /// What the moduli belong to: the `whole` net, so that finer ones resist alike, or `each` edge
    /// and rib.
    pub moduli: ModulusOf,
    /// Factors of both moduli, one epoch each, from stiff to soft.
    pub epochs: Epochs,
    /// Distance from every node beyond which points do not pull: outliers then do no harm. `auto` to
    /// estimate it from the points, `inf` to let all points pull.
    pub trimming_radius: TrimmingRadius,
    /// Steps by which the map goes straight on beyond an open border, where points are placed on
    /// it; 0 leaves points from beyond on the border.
    pub margin: usize,
    /// Largest number of sweeps of one epoch.
    pub max_iter: usize,
    /// An epoch ends when a sweep lowers the energy by less than this part of the variance of the
    /// points; 0 runs all sweeps.
    pub tol: f64,
}

impl Default for ElasticMap {
    fn default() -> Self {
        Self {
            net: NetShape::Rectangle,
            sides: Sides::Auto,
            n_nodes: NodeCount::Auto,
            stretching: AutoOr::Auto,
            bending: AutoOr::Auto,
            moduli: ModulusOf::Whole,
            epochs: Epochs(vec![1000.0, 100.0, 10.0, 1.0]),
            trimming_radius: TrimmingRadius::Infinite,
            margin: 1,
            max_iter: 100,
            tol: 1e-5,
        }
    }
}

/// A net has about so many nodes, not one for each point.
fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "integer", "minimum": 2}, {"const": "auto"}]})
}

impl ElasticMap {
    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }

    /// The stretching and bending moduli, those that were left open chosen.
    pub(super) fn chosen_moduli(&self) -> (f64, f64) {
        let (stretching, bending) = usual_moduli(self.net);
        (self.stretching.or(stretching), self.bending.or(bending))
    }

    /// The stretching and bending moduli of each edge and rib, before they are multiplied.
    pub(super) fn moduli(&self, net: &Net) -> (f64, f64) {
        let (stretching, bending) = self.chosen_moduli();
        match self.moduli {
            ModulusOf::Whole => net.moduli(stretching, bending),
            ModulusOf::Each => (stretching, bending),
        }
    }

    /// The net, once its sides are known.
    fn net(&self) -> Result<Net> {
        match &self.sides {
            Sides::Exactly(sides) => Net::new(self.net, sides),
            Sides::Auto => Err(Error::setting("sides", "auto", "give those of the fit")),
        }
    }
}

/// Stretching and bending with which a net follows points of its own shape. What is round has to
/// stay bent, and shrinks as a whole if it is as stiff as a sheet.
fn usual_moduli(net: NetShape) -> (f64, f64) {
    match net {
        NetShape::Chain | NetShape::Ring => (1e-4, 1e-6),
        NetShape::Cylinder | NetShape::Torus | NetShape::Sphere => (1e-3, 1e-5),
        NetShape::Rectangle | NetShape::Triangular | NetShape::Box => (1e-3, 1e-3),
    }
}

impl Method for ElasticMap {
    const NAME: &'static str = "elastic-map";
    const SUMMARY: &'static str =
        "sheet, tube, sphere or other net bent into the points: a map to look at them on";
    const CITATION: &'static str = "Gorban2009, Elastic maps approach";
    const GAPS: bool = true;

    fn promises(&self) -> Promises {
        Promises {
            cost_falls: true,
            rigid_motions: true,
            scaling: true,
            any_row_order: true,
            weights_as_repeats: true,
            tree: self.net == NetShape::Chain,
        }
    }

    fn check(&self) -> Result<()> {
        let (stretching, bending) = self.chosen_moduli();
        for (name, value, least) in
            [("stretching", stretching, f64::MIN_POSITIVE), ("bending", bending, 0.0)]
        {
            if !(value >= least && value.is_finite()) {
                let must = if least > 0.0 { "must be positive" } else { "must be 0 or positive" };
                return Err(Error::setting(name, value, must));
            }
        }
        self.trimming_radius.check()?;
        if self.n_nodes == NodeCount::All {
            return Err(Error::setting(
                "n_nodes",
                "all",
                "a net is a grid of nodes: give a number",
            ));
        }
        if self.margin > MOST_MARGIN {
            let reason = format!("must be at most {MOST_MARGIN} steps beyond the border");
            return Err(Error::setting("margin", self.margin, reason));
        }
        if let Sides::Exactly(sides) = &self.sides {
            if let NodeCount::Exactly(count) = self.n_nodes {
                let reason = format!("the sides are given as {}: leave n_nodes out", self.sides);
                return Err(Error::setting("n_nodes", count, reason));
            }
            self.net.check(sides)?;
        }
        let epochs = &self.epochs.0;
        let refuse = |reason: &str| Err(Error::setting("epochs", &self.epochs, reason));
        if epochs.is_empty() {
            return refuse("give at least one factor");
        }
        if !epochs.iter().all(|&factor| factor > 0.0 && factor.is_finite()) {
            return refuse("all factors must be positive");
        }
        if epochs.windows(2).any(|pair| pair[1] > pair[0]) {
            return refuse("a net is softened: factors must not rise");
        }
        self.limits().check()
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
        self.net.dims()
    }

    fn surface(&self, graph: &PrincipalGraph) -> Result<Option<Surface>> {
        Ok(Some(Surface::new(self.net()?, graph.nodes(), self.margin)?))
    }

    fn springs(&self, _: &PrincipalGraph) -> Result<Option<Springs>> {
        let net = self.net()?;
        let (stretching, bending) = self.moduli(&net);
        let softest = self.epochs.0.last().copied().unwrap_or(1.0);
        Ok(Some(fit::springs(&net, softest * stretching, softest * bending)))
    }
}
