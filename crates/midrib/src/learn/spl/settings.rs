//! The settings of structured projection learning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect::NeighborRule;
use crate::error::{Error, Result};
use crate::learn::checks::{components, not_negative};
use crate::learn::choices::{AutoOr, ComponentCount, InfOr, NodeCount};
use crate::learn::descent::Limits;

/// How the similarities are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ascent {
    /// Projected quasi-Newton steps, to the maximum.
    #[default]
    #[serde(alias = "quasi_newton")]
    QuasiNewton,
    /// The paper's gradient steps, the t-th of length 1/t, about halfway.
    Subgradient,
}

/// Whether the points are scaled to the unit prior.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scaling {
    /// By one factor for all columns, which is reported and undone in the embedding.
    #[default]
    Auto,
    /// The points are used as they are.
    None,
}

/// The similarity graph and embedding of Wang2016.
///
/// ```
/// use midrib::learn::{Given, Method, Spl};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..60).flat_map(|i| [f64::from(i) / 30.0, f64::from(i % 5) / 50.0]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let fitted = Spl::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.object.embedding().unwrap().coordinates.n_rows(), 60);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Spl {
    /// Nearest points that a point may be similar to: a number, `all`, or `auto` for 10.
    pub n_neighbors: NodeCount,
    /// Which two points may be similar: `union` if either is among the nearest of the other,
    /// `mutual` if both are.
    pub neighbors: NeighborRule,
    /// Number of latent dimensions d: a number, a share of the variance such as 0.95 for as many
    /// principal components as hold it, or `auto` for 2.
    pub n_components: ComponentCount,
    /// Weight γ of the points as noisy images of the embedding. 0 learns from the distances of
    /// neighbors alone: if their graph has several components, the embedding has too.
    pub noise_weight: f64,
    /// How strictly the distances of neighbors are kept, C: a number, or `inf` to keep them
    /// exactly.
    pub tolerance_weight: InfOr,
    /// `auto` scales the points to the model's unit prior by one factor and undoes it in the
    /// embedding; `none` uses the points as they are.
    pub scaling: Scaling,
    /// How the similarities are found: `quasi-newton`, or `subgradient` for the paper's steps,
    /// which get about half as far.
    pub ascent: Ascent,
    /// Largest number of steps.
    pub max_iter: usize,
    /// Stop when the conditions of the maximum are violated by at most this share of the mean
    /// squared distance of neighbors; 0 runs all steps.
    pub tol: f64,
}

impl Default for Spl {
    fn default() -> Self {
        Self {
            n_neighbors: NodeCount::Auto,
            neighbors: NeighborRule::Union,
            n_components: ComponentCount::Auto,
            noise_weight: 1.0,
            tolerance_weight: InfOr::Finite(1000.0),
            scaling: Scaling::Auto,
            ascent: Ascent::QuasiNewton,
            max_iter: 500,
            tol: 1e-6,
        }
    }
}

impl Spl {
    pub(super) fn check_values(&self) -> Result<()> {
        components(self.n_components)?;
        not_negative("noise_weight", AutoOr::Fixed(self.noise_weight))?;
        if let InfOr::Finite(weight) = self.tolerance_weight
            && !(weight > 0.0 && weight.is_finite())
        {
            return Err(Error::setting("tolerance_weight", weight, "must be positive, or inf"));
        }
        Limits { max_iter: self.max_iter, tol: self.tol }.check()
    }

    /// Only `max_iter` counts: `tol` is about the conditions of the maximum.
    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: 0.0 }
    }
}
