//! The settings of elastic maps.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::connect::{Net, NetShape};
use crate::error::{Error, Result};
use crate::learn::checks;
use crate::learn::choices::{AutoOr, NodeCount, TrimmingRadius};
use crate::learn::descent::Limits;
use crate::learn::laid_net::WantedNet;
use crate::learn::lists::{Epochs, Sides};
use crate::learn::method::Method;

/// The largest margin beyond the border.
const MOST_MARGIN: usize = 100;

/// What the moduli of a net apply to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModulusOf {
    /// The whole net: finer nets are equally stiff.
    #[default]
    Whole,
    /// Each edge and each rib.
    Each,
}

/// A map of the points: a sheet, or another net of nodes, bent into the middle of the points.
///
/// Use it to view points on a surface (or on a curve, or in a block) that follows them better than
/// the plane of the first principal components. Points may have missing values. A sweep costs at
/// most O(N·K·D).
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
/// let surface = fitted.object.surface().unwrap();
/// let projected = surface.project(&points)?;
/// assert!(projected.mean_squared_distance(&points)? < 0.01);
/// assert_eq!(projected.coordinates.n_cols(), 2); // on the map, in steps of the grid
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticMap {
    /// The shape of the net: `chain`, `ring`, `rectangle`, `triangular` or `hexagonal` (a sheet of
    /// triangles), `cylinder`, `torus`, `sphere` or `box`.
    pub net: NetShape,
    /// Number of nodes along each axis, for example `12x8`; for a sphere, the number of rings and of
    /// nodes per ring; `auto` divides `n_nodes` in proportion to the extents of the points.
    pub sides: Sides,
    /// Approximate number of nodes if `sides` is `auto`: a number, or `auto` for 100 (a third of the
    /// points if that is fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give a smaller map and pull its border in. `auto` takes
    /// 0.001, or 0.0001 for a chain or ring.
    pub stretching: AutoOr,
    /// Bending modulus μ: larger values give a flatter map. `auto` takes 0.001 for a sheet or box,
    /// 0.00001 for a cylinder, torus or sphere, 0.000001 for a chain or ring.
    pub bending: AutoOr,
    /// What the moduli apply to: the `whole` net, so that finer nets are equally stiff, or `each`
    /// edge and rib.
    pub moduli: ModulusOf,
    /// Factors of both moduli, one per epoch, from stiff to soft.
    pub epochs: Epochs,
    /// Points farther than this from every node are ignored: a number, `auto` to estimate it from
    /// the points, or `inf` to use all points. Protects against outliers.
    pub trimming_radius: TrimmingRadius,
    /// How many steps the map continues straight beyond an open border when points are projected
    /// onto it; with 0, points beyond the border are projected onto the border.
    pub margin: usize,
    /// Largest number of sweeps per epoch.
    pub max_iter: usize,
    /// An epoch ends when a sweep lowers the energy by less than this share of the variance of the
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

fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    checks::count_or_auto(2)
}

impl ElasticMap {
    pub(super) fn check_values(&self) -> Result<()> {
        let (stretching, bending) = self.chosen_moduli();
        checks::moduli(stretching, bending)?;
        self.trimming_radius.check()?;
        self.wanted_net().check()?;
        if self.margin > MOST_MARGIN {
            let reason = format!("must be at most {MOST_MARGIN} steps");
            return Err(Error::setting("margin", self.margin, reason));
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
            return refuse("factors must not increase: a net is softened step by step");
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }

    pub(super) fn wanted_net(&self) -> WantedNet<'_> {
        let Self { net, sides, n_nodes, .. } = self;
        WantedNet { method: Self::NAME, shape: *net, sides, n_nodes: *n_nodes }
    }

    /// The stretching and bending moduli, with defaults for those left open.
    pub(super) fn chosen_moduli(&self) -> (f64, f64) {
        let (stretching, bending) = default_moduli(self.net);
        (self.stretching.or(stretching), self.bending.or(bending))
    }

    /// The stretching and bending moduli of each edge and rib, before softening.
    pub(super) fn moduli(&self, net: &Net) -> (f64, f64) {
        let (stretching, bending) = self.chosen_moduli();
        match self.moduli {
            ModulusOf::Whole => net.moduli(stretching, bending),
            ModulusOf::Each => (stretching, bending),
        }
    }
}

/// Stretching and bending with which a net follows points of its own shape. Round nets stay bent,
/// and would shrink if they were as stiff as a sheet.
fn default_moduli(net: NetShape) -> (f64, f64) {
    match net {
        NetShape::Chain | NetShape::Ring => (1e-4, 1e-6),
        NetShape::Cylinder | NetShape::Torus | NetShape::Sphere => (1e-3, 1e-5),
        NetShape::Rectangle | NetShape::Triangular | NetShape::Hexagonal | NetShape::Box => {
            (1e-3, 1e-3)
        }
    }
}
