//! Settings of multidimensional scaling.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::embed::{COMPONENTS, MAX_ITER, TOL};
use crate::error::Result;
use crate::learn::descent::Limits;
use crate::learn::embedded::check_components;

/// Multidimensional scaling: coordinates that keep the distances of all points.
///
/// Use it for a map of distances, such as those between sequences or cities. Each sweep costs N²
/// operations, memory is N².
///
/// ```
/// use midrib::learn::{Given, Mds, Method};
/// use midrib::{Distances, Silent, math::Matrix};
/// let distances = [[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]];
/// let distances = Distances::new(Matrix::from_rows(&distances)?)?;
/// let fit = Mds::default().fit_distances(&distances, Given::default(), &mut Silent)?;
/// let z = &fit.object.embedding().unwrap().coordinates;
/// let apart = midrib::math::squared_distance(z.row(0), z.row(2)).sqrt();
/// assert!((apart - 5.0).abs() < 1e-9);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mds {
    /// Number of coordinates that each point gets.
    pub n_components: usize,
    /// How the coordinates are found.
    pub algorithm: Algorithm,
    /// Largest number of sweeps.
    pub max_iter: usize,
    /// Stop when the root of the relative stress falls by less than this in a sweep; 0 runs all.
    pub tol: f64,
}

/// How the coordinates are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// The least stress, from the classical start on: keeps all distances as well as it can.
    #[default]
    Smacof,
    /// Classical scaling, in one step: keeps large distances best.
    Classical,
}

impl Default for Mds {
    fn default() -> Self {
        Self {
            n_components: COMPONENTS,
            algorithm: Algorithm::Smacof,
            max_iter: MAX_ITER,
            tol: TOL,
        }
    }
}

impl Mds {
    pub(super) fn check_values(&self) -> Result<()> {
        check_components(self.n_components)?;
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
