//! Settings of k-means.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::descent::Limits;

/// Principal points: k centers, each the mean of the points nearest to it.
///
/// ```
/// use midrib::learn::{Given, KMeans, Method};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.1, 0.2, 7.0, 7.1, 7.2], 1)?;
/// let fit = KMeans { n_clusters: 2, ..KMeans::default() }
///     .fit(&points, Given::default(), &mut Silent)?;
/// let mut centers: Vec<f64> = fit.graph()?.nodes().as_slice().to_vec();
/// centers.sort_by(f64::total_cmp);
/// assert!((centers[0] - 0.1).abs() < 1e-12 && (centers[1] - 7.1).abs() < 1e-12);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KMeans {
    /// Number of centers.
    #[schemars(range(min = 1))]
    pub n_clusters: usize,
    /// Number of starts; the best result is kept.
    #[schemars(range(min = 1))]
    pub n_init: usize,
    /// Largest number of rounds per start.
    pub max_iter: usize,
    /// Stop when the objective falls by less than this share of the total variance; 0 runs until
    /// no point changes its center.
    pub tol: f64,
    /// Seed of the starts.
    pub seed: u64,
}

impl Default for KMeans {
    fn default() -> Self {
        Self { n_clusters: 8, n_init: 10, max_iter: 300, tol: 1e-6, seed: 0 }
    }
}

impl KMeans {
    pub(super) fn check_values(&self) -> Result<()> {
        for (name, value) in [("n_clusters", self.n_clusters), ("n_init", self.n_init)] {
            if value == 0 {
                return Err(Error::setting(name, value, "must be at least 1"));
            }
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
