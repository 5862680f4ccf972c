//! Kernel input: each point becomes the row of its similarities to a set of reference points.
//!
//! That is how images are learned in Mao2017, sections 6.3 and 6.4: columns with mean 0 and
//! deviation 1, then `K(i, j) = exp(−‖xᵢ − xⱼ‖²/D)` for D columns, then the principal components
//! that hold 95 % of the energy. The default `beta` gives that D on such columns, and means the
//! same on any other scale.
//!
//! # Departures from the paper
//! - A point of weight w counts like w equal rows here as everywhere, so its column is multiplied
//!   by √w: repeated columns give the same distances.
//! - [`KernelColumns::Landmarks`] keeps the columns of few reference points, each weighted by the
//!   points that it stands for. Distances between rows then approximate those of the whole matrix.

mod map;
mod reference;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use map::{KernelMap, Similarity};

use crate::error::{Error, Result};
use crate::suggest::nearest_word;

/// Which kernel, and how many of its columns.
///
/// ```
/// use midrib::Points;
/// use midrib::prepare::{Kernel, KernelColumns, Preparation, Transform};
/// let points = Points::from_f64(vec![0.0, 1.0, 3.0], 1)?;
/// let kernel = Kernel { function: "gaussian:2".parse()?, columns: KernelColumns::All };
/// let preparation = Preparation { kernel: Some(kernel), ..Preparation::default() };
/// let transform = Transform::fit(preparation, &points)?;
/// let mut row = [0.0; 3];
/// transform.apply(&points)?.copy_row(0, &mut row);
/// let expected = [1.0, (-1.0_f64 / 2.0).exp(), (-9.0_f64 / 2.0).exp()];
/// assert!(row.iter().zip(expected).all(|(k, e)| (k - e).abs() < 1e-7));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kernel {
    /// How alike two points are.
    pub function: KernelFunction,
    /// The points that all are compared with.
    pub columns: KernelColumns,
}

/// How alike two points are. As text `linear`, `gaussian` or `gaussian:BETA`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KernelFunction {
    /// `k(x, y) = x·y`. It depends on where 0 is.
    Linear,
    /// `k(x, y) = exp(−‖x − y‖²/beta)`: 1 for equal points, 0 for distant ones.
    Gaussian(KernelWidth),
}

/// The `beta` of a Gaussian kernel, a squared length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum KernelWidth {
    /// Chosen from the points. For kernel columns it is half the mean squared distance of two
    /// points, which is the sum of the columns' variances; for
    /// [`Similarities`](crate::connect::Similarities) the median squared distance.
    #[default]
    Auto,
    /// This value.
    Fixed(f64),
}

/// The points that all are compared with: one column for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KernelColumns {
    /// Every point: the whole matrix.
    #[default]
    All,
    /// The means of this many clusters (k-means), spread over the points: Nyström columns. All
    /// points where there are no more.
    Landmarks(usize),
}

const NAMES: [&str; 2] = ["gaussian", "linear"];

impl Kernel {
    /// The memory that the matrix of so many points takes: single precision, 4 bytes a value.
    pub fn bytes(&self, n_points: usize) -> u64 {
        let columns = match self.columns {
            KernelColumns::Landmarks(count) if count < n_points => count,
            _ => n_points,
        };
        matrix_bytes(n_points, columns)
    }

    fn check(&self) -> Result<()> {
        if let KernelFunction::Gaussian(KernelWidth::Fixed(beta)) = self.function
            && !(beta > 0.0 && beta.is_finite())
        {
            return Err(Error::setting("kernel", self.function, MUST_BE_POSITIVE));
        }
        if self.columns == KernelColumns::Landmarks(0) {
            return Err(Error::setting("kernel_columns", 0, "give at least 1"));
        }
        Ok(())
    }
}

/// The memory that a kernel matrix takes.
pub(super) fn matrix_bytes(rows: usize, columns: usize) -> u64 {
    (rows as u64).saturating_mul(columns as u64).saturating_mul(size_of::<f32>() as u64)
}

const MUST_BE_POSITIVE: &str = "beta must be a positive number, as in gaussian:2.5";

impl FromStr for KernelFunction {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = |remedy: String| Err(Error::setting("kernel", text, remedy));
        let (name, beta) = text.split_once(':').map_or((text, None), |(n, b)| (n, Some(b)));
        match (name, beta) {
            ("linear", None) => Ok(Self::Linear),
            ("linear", Some(_)) => refused("linear has no beta; give linear alone".into()),
            ("gaussian", None) => Ok(Self::Gaussian(KernelWidth::Auto)),
            ("gaussian", Some(beta)) => match beta.parse() {
                Ok(beta) if beta > 0.0 && f64::is_finite(beta) => {
                    Ok(Self::Gaussian(KernelWidth::Fixed(beta)))
                }
                _ => refused(MUST_BE_POSITIVE.into()),
            },
            _ => {
                let choices = "give gaussian, gaussian:BETA or linear";
                refused(match nearest_word(name, NAMES) {
                    Some(near) => format!("unknown, did you mean \"{near}\"? Otherwise {choices}"),
                    None => format!("unknown; {choices}"),
                })
            }
        }
    }
}

impl fmt::Display for KernelFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear => f.write_str("linear"),
            Self::Gaussian(KernelWidth::Auto) => f.write_str("gaussian"),
            Self::Gaussian(KernelWidth::Fixed(beta)) => write!(f, "gaussian:{beta}"),
        }
    }
}
