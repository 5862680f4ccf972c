//! Settings of local principal curves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::checks::positive;
use crate::learn::choices::{AutoOr, NodeCount};

/// Curves that follow the points from seeds, with branches and several components.
///
/// Starting nodes, if given, are the seeds. A step costs O(M·D²) for M points within nine
/// bandwidths.
///
/// ```
/// use midrib::learn::{Given, Lpc, Method};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..300)
///     .flat_map(|i| [f64::from(i) / 50.0, (f64::from(i) / 50.0).sin() + f64::from(i % 7) / 70.0])
///     .collect();
/// let points = Points::from_f64(values, 2)?;
/// let fit = Lpc::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fit.graph()?.components().count, 1);
/// assert_eq!(fit.graph()?.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Lpc {
    /// Bandwidth h of the Gaussian kernel, a length, and the length of a step. Larger values give
    /// smoother curves with fewer branches. `auto` takes a twentieth of the range along the
    /// first principal axis; or a tenth or a fortieth, whichever covers more, if less than 95 % of the
    /// points are within one bandwidth of the curve.
    pub bandwidth: AutoOr,
    /// Branches start where the second local variance is more than this share of the first; 1 gives
    /// none.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub branch_ratio: f64,
    /// Largest number of seeds: a number, or `auto` for 20, as long as points are left over.
    #[schemars(schema_with = "one_or_more")]
    pub n_seeds: NodeCount,
    /// Largest number of steps from a seed in each direction.
    pub max_iter: usize,
}

fn one_or_more(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    crate::learn::checks::count_or_auto(1)
}

impl Default for Lpc {
    fn default() -> Self {
        Self { bandwidth: AutoOr::Auto, branch_ratio: 0.4, n_seeds: NodeCount::Auto, max_iter: 100 }
    }
}

impl Lpc {
    pub(super) fn check_values(&self) -> Result<()> {
        positive("bandwidth", self.bandwidth)?;
        if !(self.branch_ratio > 0.0 && self.branch_ratio <= 1.0) {
            let reason = "must be positive and at most 1";
            return Err(Error::setting("branch_ratio", self.branch_ratio, reason));
        }
        match self.n_seeds {
            NodeCount::All => {
                Err(Error::setting("n_seeds", "all", "must be a number, or auto for up to 20"))
            }
            _ => Ok(()),
        }
    }
}
