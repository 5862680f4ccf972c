//! The settings of cubic complexes.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::connect::Ceilings;
use crate::error::{Error, Result};
use crate::learn::checks::{self, at_most, whole_or_inf};
use crate::learn::choices::{InfOr, NodeCount, TrimmingRadius};
use crate::learn::descent::Limits;

/// A surface with branches: the product of two trees that grow where that lowers the energy.
///
/// Use it if points vary in two ways at once and one of them may branch, such as a lineage and the
/// time of day. The notes describe the two trees.
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
/// assert!(fitted.graph()?.nodes().n_rows() >= 12);
/// assert!(fitted.notes[0].starts_with("product of a "));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Cubic {
    /// Smallest number of nodes of the grown product: a number, or `auto` for 36 (a third of the
    /// points if that is fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the border in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give straighter branches.
    pub bending: f64,
    /// Largest number of branch points of each tree: a number, or `inf` for no limit.
    pub max_branch_points: InfOr,
    /// Largest number of neighbors of a node in its tree: a number, or `inf` for no limit.
    pub max_star_order: InfOr,
    /// Points farther than this from every node are ignored: a number, `auto` to estimate it from
    /// the points, or `inf` to use all points. Protects against outliers.
    pub trimming_radius: TrimmingRadius,
    /// Largest number of sweeps per placement.
    pub max_iter: usize,
    /// A placement ends when a sweep lowers the energy by less than this share of the variance of
    /// the points; 0 runs until it no longer falls.
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

fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    checks::count_or_auto(4)
}

impl Cubic {
    pub(super) fn check_values(&self) -> Result<()> {
        checks::moduli(self.stretching, self.bending)?;
        whole_or_inf("max_branch_points", self.max_branch_points, 0)?;
        whole_or_inf("max_star_order", self.max_star_order, 2)?;
        self.trimming_radius.check()?;
        if self.n_nodes == NodeCount::All {
            let reason = "a product of trees grows node by node: give a number";
            return Err(Error::setting("n_nodes", "all", reason));
        }
        Limits { max_iter: self.max_iter, tol: self.tol }.check()
    }

    pub(super) fn ceilings(&self) -> Ceilings {
        Ceilings {
            branch_points: at_most(self.max_branch_points),
            star_order: at_most(self.max_star_order),
        }
    }
}
