//! Settings of principal component analysis.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::learn::checks::components;
use crate::learn::choices::ComponentCount;
use crate::learn::descent::Limits;

/// Principal components: the line, plane or flat nearest to the points.
///
/// The linear picture to hold every other against, and the quickest way to fewer columns. Points may
/// have missing values: the axes are then those that restore the known values best, and the missing
/// ones can be read off them (`midrib project --impute`).
///
/// ```
/// use midrib::learn::{ComponentCount, Given, Method, Pca};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 2.0, 2.0, 4.0], 2)?;
/// let fit = Pca { n_components: ComponentCount::Exactly(1), ..Pca::default() }
///     .fit(&points, Given::default(), &mut Silent)?;
/// assert!(fit.object.mean_squared_distance(&points)? < 1e-24);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Pca {
    /// Number of components: a number, the share of the variance that they hold, or `auto` for 2.
    pub n_components: ComponentCount,
    /// Largest number of rounds where values are missing; complete points need none.
    pub max_iter: usize,
    /// Where values are missing, stop when the squared error of the known values falls by less than
    /// this share of their spread in a round; 0 runs all rounds.
    pub tol: f64,
}

impl Default for Pca {
    fn default() -> Self {
        Self { n_components: ComponentCount::Auto, max_iter: 1000, tol: 1e-10 }
    }
}

impl Pca {
    pub(super) fn check_values(&self) -> Result<()> {
        components(self.n_components)?;
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
