//! Settings of principal curves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::descent::Limits;

/// An open or closed curve, or a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Structure")]
pub enum CurveStructure {
    /// A curve with two tips.
    #[default]
    Open,
    /// A closed curve.
    Closed,
    /// A surface with two inner coordinates.
    Surface,
}

/// How coordinates are smoothed over the arc length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Smoother {
    /// Weighted linear regressions over the nearest points.
    #[default]
    LocalLinear,
    /// A cubic smoothing spline.
    Spline,
}

/// A principal curve: smooth, without branches, and locally the mean of the points.
///
/// A round costs O(N·D·(log K + K·span)) for K nodes.
///
/// ```
/// use midrib::learn::{Given, Method, PrincipalCurve};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200)
///     .flat_map(|i| [f64::from(i) / 100.0, (f64::from(i) / 100.0).powi(2)])
///     .collect();
/// let points = Points::from_f64(values, 2)?;
/// let fit = PrincipalCurve::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fit.graph()?.tips().len(), 2);
/// assert!(fit.objective() < 0.01 * fit.trace[0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PrincipalCurve {
    /// `open` or `closed` for a curve, or `surface` for a sheet with two inner coordinates.
    pub structure: CurveStructure,
    /// `local-linear`: weighted linear regressions over a share of the points, or `spline`: a cubic
    /// smoothing spline.
    pub smoother: Smoother,
    /// Share of the points over which a position is averaged. Larger values give a smoother curve.
    /// For local-linear.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub span: f64,
    /// Degrees of freedom of the spline: fewer give a smoother curve. `auto` chooses them in every
    /// round by generalized cross-validation.
    pub degrees_of_freedom: AutoOr,
    /// Number of nodes: a number, `all` for one per distinct projection, or `auto` for 1000 (all if
    /// that is fewer). Of a surface at most this many, and 100 for `auto`.
    pub n_nodes: NodeCount,
    /// Largest number of rounds.
    pub max_iter: usize,
    /// Stop when a round changes the mean squared distance by less than this share of it; 0 runs
    /// all rounds.
    pub tol: f64,
}

impl Default for PrincipalCurve {
    fn default() -> Self {
        Self {
            structure: CurveStructure::Open,
            smoother: Smoother::LocalLinear,
            span: 0.2,
            degrees_of_freedom: AutoOr::Auto,
            n_nodes: NodeCount::Auto,
            max_iter: 30,
            tol: 1e-3,
        }
    }
}

impl PrincipalCurve {
    pub(super) fn check_values(&self) -> Result<()> {
        if !(self.span > 0.0 && self.span <= 1.0) {
            return Err(Error::setting("span", self.span, "must be positive and at most 1"));
        }
        if let AutoOr::Fixed(freedom) = self.degrees_of_freedom {
            if self.smoother != Smoother::Spline {
                let reason = "only a spline has degrees of freedom: set smoother to spline";
                return Err(Error::setting("degrees_of_freedom", freedom, reason));
            }
            if !(freedom > 2.0 && freedom.is_finite()) {
                let reason = "must be more than 2, which is a straight line";
                return Err(Error::setting("degrees_of_freedom", freedom, reason));
            }
        }
        let least = match self.structure {
            CurveStructure::Open => 2,
            CurveStructure::Closed | CurveStructure::Surface => 3,
        };
        if let NodeCount::Exactly(count) = self.n_nodes
            && count < least
        {
            return Err(Error::setting("n_nodes", count, format!("must be at least {least}")));
        }
        if self.structure == CurveStructure::Surface {
            if self.smoother == Smoother::Spline {
                let reason = "a surface has only the local-linear smoother";
                return Err(Error::setting("smoother", "spline", reason));
            }
            if self.n_nodes == NodeCount::All {
                let reason = "a surface is a net of fewer nodes: give a number, or auto";
                return Err(Error::setting("n_nodes", "all", reason));
            }
        }
        if self.max_iter == 0 {
            return Err(Error::setting("max_iter", 0, "must be at least 1"));
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
