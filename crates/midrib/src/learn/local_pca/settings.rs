//! Settings of local principal components.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::checks::count_or_auto;
use crate::learn::choices::NodeCount;
use crate::learn::descent::Limits;

/// Local principal components: several lines, planes or flats, each fitted to the points nearest to
/// it.
///
/// Use it where one flat is not enough and the pieces themselves are of interest: clusters that are
/// long or flat rather than round, or the local dimension of a curved cloud. The pieces are not
/// joined.
///
/// ```
/// use midrib::learn::{Given, LocalPca, Method};
/// use midrib::{Points, Silent};
/// // Two crossing lines.
/// let rows = (-9..10).flat_map(|i| [[f64::from(i), 0.0], [0.0, f64::from(i)]]).flatten();
/// let points = Points::from_f64(rows.collect::<Vec<_>>(), 2)?;
/// let fit = LocalPca::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fit.choices[0].value, 2);
/// assert!(fit.object.mean_squared_distance(&points)? < 1e-20);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LocalPca {
    /// Number of affine pieces: a number, or `auto` to split and merge pieces as long as that shortens
    /// the description of the points.
    #[schemars(schema_with = "one_or_more")]
    pub n_clusters: NodeCount,
    /// Dimension of each piece: 1 for lines, 2 for planes; less than the number of columns.
    #[schemars(range(min = 1))]
    pub n_components: usize,
    /// Number of starts; the best result counts.
    #[schemars(range(min = 1))]
    pub n_init: usize,
    /// Largest number of rounds per start.
    pub max_iter: usize,
    /// Stop when the objective falls by less than this share of the total variance; 0 runs until
    /// it does not fall.
    pub tol: f64,
    /// Seed of the starts.
    pub seed: u64,
}

fn one_or_more(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    count_or_auto(1)
}

impl Default for LocalPca {
    fn default() -> Self {
        Self {
            n_clusters: NodeCount::Auto,
            n_components: 1,
            n_init: 10,
            max_iter: 300,
            tol: 1e-6,
            seed: 0,
        }
    }
}

impl LocalPca {
    pub(super) fn check_values(&self) -> Result<()> {
        if self.n_clusters == NodeCount::All {
            let reason = "there are fewer pieces than points: give a number, or auto";
            return Err(Error::setting("n_clusters", "all", reason));
        }
        let counts = [
            ("n_clusters", usize::from(self.n_clusters != NodeCount::Exactly(0))),
            ("n_components", self.n_components),
            ("n_init", self.n_init),
        ];
        if let Some((name, value)) = counts.into_iter().find(|(_, value)| *value == 0) {
            return Err(Error::setting(name, value, "must be at least 1"));
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
