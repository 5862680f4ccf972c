//! The settings of structured projection learning.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{fit, transform};
use crate::connect::NeighborRule;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{ComponentCount, InfOr, NodeCount};
use crate::learn::descent::Limits;
use crate::learn::fitted::{Fitted, Latent};
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Points;

/// How the similarities are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ascent {
    /// Projected quasi-Newton steps: to the maximum.
    #[default]
    #[serde(alias = "quasi_newton")]
    QuasiNewton,
    /// The paper's steps along the gradient, the t-th 1/t long: about half way.
    Subgradient,
}

/// Whether the points are brought to the scale of the unit prior.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scaling {
    /// By one factor for all columns, which is reported and undone in the embedding.
    #[default]
    Auto,
    /// The points are taken as they are.
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
/// assert_eq!(fitted.latent.map(|latent| latent.embedding.n_rows()), Some(60));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Spl {
    /// Nearest points that a point may be similar to: a number, `all`, or `auto` for 10.
    pub n_neighbors: NodeCount,
    /// Which two points may be similar: `union` if one is among the nearest of the other, `mutual`
    /// if each is.
    pub neighbors: NeighborRule,
    /// Latent dimensions d: a number, the share of the variance that as many principal components
    /// hold, or `auto` for 2.
    pub n_components: ComponentCount,
    /// Weight γ of the points as noisy images of the embedding. 0 learns from the distances of
    /// neighbours alone: where their graph falls into pieces, so does the embedding.
    pub noise_weight: f64,
    /// How strictly the distances of neighbours are kept, C: a number, or `inf` for strictly.
    pub tolerance_weight: InfOr,
    /// `auto` brings the points to the scale of the model's unit prior by one factor, and undoes it
    /// in the embedding; `none` takes the points as they are.
    pub scaling: Scaling,
    /// How the similarities are found: `quasi-newton`, or `subgradient` for the paper's steps, which
    /// get about half way.
    pub ascent: Ascent,
    /// Largest number of steps.
    pub max_iter: usize,
    /// Stop when the conditions of the maximum are violated by no more than this share of the mean
    /// squared distance of neighbours; 0 runs all steps.
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
    /// Steps end after `max_iter`; when the conditions hold is seen elsewhere.
    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: 0.0 }
    }
}

impl Method for Spl {
    const NAME: &'static str = "spl";
    const SUMMARY: &'static str =
        "similarity graph of neighbouring points, and an embedding in few dimensions";
    const CITATION: &'static str = "Wang2016, Algorithm 1";
    const WEIGHTS: bool = false;

    fn promises(&self) -> Promises {
        Promises {
            cost_falls: self.ascent == Ascent::QuasiNewton,
            rigid_motions: true,
            scaling: self.scaling == Scaling::Auto,
            // The nodes are the points, in the order of the rows.
            any_row_order: false,
            weights_as_repeats: false,
            tree: false,
        }
    }

    fn check(&self) -> Result<()> {
        match self.n_components {
            ComponentCount::Exactly(0) => {
                return Err(Error::setting("n_components", 0, "must be at least 1"));
            }
            ComponentCount::Share(share) if !(share > 0.0 && share < 1.0) => {
                let remedy = "must be a whole number, or a share of the variance between 0 and 1";
                return Err(Error::setting("n_components", share, remedy));
            }
            _ => {}
        }
        if !(self.noise_weight >= 0.0 && self.noise_weight.is_finite()) {
            return Err(Error::setting("noise_weight", self.noise_weight, "must be 0 or positive"));
        }
        if let InfOr::Finite(weight) = self.tolerance_weight
            && !(weight > 0.0 && weight.is_finite())
        {
            return Err(Error::setting("tolerance_weight", weight, "must be positive, or inf"));
        }
        Limits { max_iter: self.max_iter, tol: self.tol }.check()
    }

    fn fit(
        &self,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fitted> {
        fit::fit(self, points, given, watch)
    }

    fn transform(
        &self,
        graph: &PrincipalGraph,
        latent: &Latent,
        points: &Points<'_>,
    ) -> Result<Matrix> {
        transform::transform(self, graph, latent, points)
    }
}
