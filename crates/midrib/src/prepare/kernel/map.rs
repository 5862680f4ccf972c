//! A fitted kernel: from scaled points to rows of the kernel matrix.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::reference::{Reference, reference};
use super::{Kernel, KernelFunction, KernelWidth};
use crate::error::{Error, Result};
use crate::math::{Matrix, RowProducts, TILE, exp_in_place, packed};
use crate::points::Points;
use crate::prepare::deviations;

/// A fitted kernel, with the points that others are compared with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelMap {
    /// How alike two points are.
    pub function: Similarity,
    /// The reference points, one per row, in scaled columns.
    #[serde(with = "packed")]
    pub reference: Matrix,
    /// The weight that each reference point stands for; none where all are 1. Columns are
    /// multiplied by its root.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<f64>,
}

/// How alike two points are, nothing left open.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Similarity {
    /// `x·y`.
    Linear,
    /// `exp(−‖x − y‖²/beta)`.
    Gaussian {
        /// A squared length.
        beta: f64,
    },
}

impl KernelMap {
    pub(in crate::prepare) fn fit(kernel: Kernel, scaled: &Points<'_>) -> Result<Self> {
        kernel.check()?;
        scaled.require_complete("a kernel")?;
        let function = match kernel.function {
            KernelFunction::Linear => Similarity::Linear,
            KernelFunction::Gaussian(KernelWidth::Fixed(beta)) => Similarity::Gaussian { beta },
            KernelFunction::Gaussian(KernelWidth::Auto) => {
                Similarity::Gaussian { beta: total_variance(scaled)? }
            }
        };
        let Reference { points, weights } = reference(kernel.columns, scaled)?;
        Ok(Self { function, reference: points, weights })
    }

    /// The number of columns of the kernel matrix.
    pub fn n_columns(&self) -> usize {
        self.reference.n_rows()
    }

    /// The memory that the matrix of so many points takes: single precision, 4 bytes a value.
    pub fn bytes(&self, n_points: usize) -> u64 {
        super::matrix_bytes(n_points, self.n_columns())
    }

    pub(in crate::prepare) fn check(&self, dims: usize) -> Result<()> {
        let Self { function, reference, weights } = self;
        if let Similarity::Gaussian { beta } = function
            && !(*beta > 0.0 && beta.is_finite())
        {
            return Err(Error::data(format!("kernel.function: beta is {beta}, not positive")));
        }
        if reference.n_rows() == 0 || reference.n_cols() != dims {
            return Err(Error::shape(
                "kernel.reference",
                format!("rows of {dims} values"),
                format!("{} of {}", reference.n_rows(), reference.n_cols()),
            ));
        }
        if let Some(i) = reference.as_slice().iter().position(|x| !x.is_finite()) {
            let value = reference.as_slice()[i];
            return Err(Error::data(format!(
                "kernel.reference[{i}] is {value}, not a finite number"
            )));
        }
        if !weights.is_empty() && weights.len() != reference.n_rows() {
            return Err(Error::shape("kernel.weights", reference.n_rows(), weights.len()));
        }
        match weights.iter().position(|w| !(*w > 0.0 && w.is_finite())) {
            Some(i) => {
                Err(Error::data(format!("kernel.weights[{i}] is {}, not positive", weights[i])))
            }
            None => Ok(()),
        }
    }

    /// What does the work, made ready once for many rows.
    pub(in crate::prepare) fn rows(&self) -> KernelRows {
        let against = match self.function {
            Similarity::Linear => RowProducts::uncentered(&self.reference),
            Similarity::Gaussian { .. } => RowProducts::new(&self.reference),
        };
        let roots = self.weights.iter().map(|w| w.sqrt()).collect();
        KernelRows { function: self.function, against, roots }
    }
}

/// Half the mean squared distance of two points.
fn total_variance(scaled: &Points<'_>) -> Result<f64> {
    let variance: f64 = deviations(scaled)?.iter().map(|d| d * d).sum();
    match variance {
        0.0 => Ok(1.0),
        _ if variance.is_normal() => Ok(variance),
        _ => Err(Error::data(
            "the points are so large or so small that their squares overflow: rescale them",
        )),
    }
}

/// The kernel of any points with the reference points.
pub(in crate::prepare) struct KernelRows {
    function: Similarity,
    against: RowProducts,
    roots: Vec<f64>,
}

impl KernelRows {
    /// The kernel matrix, row after row, of points whose scaled rows `tile` gives.
    pub fn matrix(
        &self,
        n: usize,
        tile: impl Fn(std::ops::Range<usize>) -> Vec<f64> + Sync,
    ) -> Result<Vec<f32>> {
        let columns = self.against.n_rows();
        let mut matrix = vec![0.0; n * columns];
        matrix.par_chunks_mut(TILE * columns).enumerate().try_for_each(|(t, out)| {
            let start = t * TILE;
            self.fill(tile(start..(start + TILE).min(n)), out)
        })?;
        Ok(matrix)
    }

    /// Writes the kernel of some scaled rows, which are moved to the center on the way.
    pub fn fill(&self, mut x: Vec<f64>, out: &mut [f32]) -> Result<()> {
        let Self { function, against, roots } = self;
        let columns = against.n_rows();
        let mut products = vec![0.0; out.len()];
        let x_squared = against.multiply(&mut x, &mut products);
        if let Similarity::Gaussian { beta } = *function {
            let rows = x.chunks_exact(against.n_cols()).zip(x_squared);
            for ((x, x_squared), products) in rows.zip(products.chunks_exact_mut(columns)) {
                for (j, k) in products.iter_mut().enumerate() {
                    *k = -against.squared_distance(x, x_squared, j, *k) / beta;
                }
                exp_in_place(products);
            }
        }
        for (products, out) in products.chunks_exact_mut(columns).zip(out.chunks_exact_mut(columns))
        {
            for (k, root) in products.iter_mut().zip(roots) {
                *k *= root;
            }
            for (k, out) in products.iter().zip(out) {
                *out = *k as f32;
                if !out.is_finite() {
                    return Err(Error::data(format!(
                        "the kernel of two points is {k:.3e}, too large for single precision: \
                         rescale the points"
                    )));
                }
            }
        }
        Ok(())
    }
}
