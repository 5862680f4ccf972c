//! Settings of kernel principal components.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::embed::COMPONENTS;
use crate::error::Result;
use crate::learn::checks::positive;
use crate::learn::choices::AutoOr;
use crate::learn::embedded::check_components;

/// Kernel principal components: curved directions of large variance.
///
/// Use it when groups are rings or arcs that no straight direction separates, or as a smooth
/// preparation in few dimensions. Memory N² up to 5,000 points.
///
/// ```
/// use midrib::learn::{Given, KernelPca, Method};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.1, 0.2, 5.0, 5.1, 5.2], 1)?;
/// let settings = KernelPca { n_components: 1, ..KernelPca::default() };
/// let fit = settings.fit(&points, Given::default(), &mut Silent)?;
/// let z = &fit.object.embedding().unwrap().coordinates;
/// assert!(z.row(0)[0] * z.row(5)[0] < 0.0);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct KernelPca {
    /// Number of coordinates that each point gets.
    pub n_components: usize,
    /// How alike two points are.
    pub kernel_function: KernelName,
    /// The gamma of the Gaussian kernel, one over a squared length: a number, or `auto` for one over
    /// half the mean squared distance of two points. Large values look at close points only.
    pub gamma: AutoOr,
}

/// How alike two points are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KernelName {
    /// exp(−gamma ‖x − y‖²): 1 for equal points, 0 for distant ones.
    #[default]
    Gaussian,
    /// The scalar product: principal components.
    Linear,
}

impl Default for KernelPca {
    fn default() -> Self {
        Self {
            n_components: COMPONENTS,
            kernel_function: KernelName::Gaussian,
            gamma: AutoOr::Auto,
        }
    }
}

impl KernelPca {
    pub(super) fn check_values(&self) -> Result<()> {
        check_components(self.n_components)?;
        positive("gamma", self.gamma)
    }
}
