//! Settings of principal component analysis.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::learn::checks::components;
use crate::learn::choices::ComponentCount;

/// Principal components: the line, plane or flat nearest to the points.
///
/// ```
/// use midrib::learn::{ComponentCount, Given, Method, Pca};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 2.0, 2.0, 4.0], 2)?;
/// let fit = Pca { n_components: ComponentCount::Exactly(1) }
///     .fit(&points, Given::default(), &mut Silent)?;
/// assert!(fit.object.mean_squared_distance(&points)? < 1e-24);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Pca {
    /// Number of components: a number, the share of the variance that they hold, or `auto` for 2.
    pub n_components: ComponentCount,
}

impl Default for Pca {
    fn default() -> Self {
        Self { n_components: ComponentCount::Auto }
    }
}

impl Pca {
    pub(super) fn check_values(&self) -> Result<()> {
        components(self.n_components)
    }
}
