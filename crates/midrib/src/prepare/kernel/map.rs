//! A fitted kernel: from scaled points to rows of the kernel matrix.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::reference::{Reference, reference};
use super::{Kernel, KernelFunction, KernelWidth, packed};
use crate::error::{Error, Result};
use crate::math::{Matrix, exp_in_place, squared_distance};
use crate::points::Points;
use crate::prepare::deviations;

/// Rows that are worked on together. A fixed number, so that a row comes out the same among any
/// others and on any number of threads.
pub(in crate::prepare) const TILE: usize = 64;

/// Squared distances below this share of the squared norms are taken again without cancellation.
const NEAR: f64 = 1e-6;

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
            Similarity::Linear => Products::uncentred(&self.reference),
            Similarity::Gaussian { .. } => Products::new(&self.reference),
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
    against: Products,
    roots: Vec<f64>,
}

impl KernelRows {
    /// The kernel matrix, row after row, of points whose scaled rows `tile` gives.
    pub fn matrix(
        &self,
        n: usize,
        tile: impl Fn(std::ops::Range<usize>) -> Vec<f64> + Sync,
    ) -> Result<Vec<f32>> {
        let columns = self.against.rows.n_rows();
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
        let columns = against.rows.n_rows();
        let mut products = vec![0.0; out.len()];
        let x_squared = against.multiply(&mut x, &mut products);
        if let Similarity::Gaussian { beta } = *function {
            let rows = x.chunks_exact(against.rows.n_cols()).zip(x_squared);
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

/// Products of any points with fixed ones, relative to their mean.
pub(super) struct Products {
    center: Vec<f64>,
    rows: Matrix,
    squared: Vec<f64>,
}

impl Products {
    pub fn new(rows: &Matrix) -> Self {
        let mut center = vec![0.0; rows.n_cols()];
        for row in rows.rows() {
            for (c, x) in center.iter_mut().zip(row) {
                *c += x / rows.n_rows() as f64;
            }
        }
        Self::about(center, rows)
    }

    fn uncentred(rows: &Matrix) -> Self {
        Self::about(vec![0.0; rows.n_cols()], rows)
    }

    fn about(center: Vec<f64>, rows: &Matrix) -> Self {
        let mut rows = rows.clone();
        move_to(&center, rows.as_mut_slice());
        let squared = rows.rows().map(squared_norm).collect();
        Self { center, rows, squared }
    }

    /// Moves the points `x` to the center and multiplies them with all rows; their squared norms.
    pub fn multiply(&self, x: &mut [f64], products: &mut [f64]) -> Vec<f64> {
        let (m, dims) = (self.rows.n_rows(), self.rows.n_cols());
        move_to(&self.center, x);
        let n = x.len() / dims;
        matmul(
            MatMut::from_row_major_slice_mut(products, n, m),
            Accum::Replace,
            MatRef::from_row_major_slice(x, n, dims),
            self.rows.as_faer().transpose(),
            1.0,
            Par::Seq,
        );
        x.chunks_exact(dims).map(squared_norm).collect()
    }

    /// The squared distance of a centered point from row `j`, by their product.
    pub fn squared_distance(&self, x: &[f64], x_squared: f64, j: usize, product: f64) -> f64 {
        let sum = x_squared + self.squared[j];
        let squared = sum - 2.0 * product;
        if squared > NEAR * sum { squared } else { squared_distance(x, self.rows.row(j)) }
    }
}

fn move_to(center: &[f64], values: &mut [f64]) {
    for row in values.chunks_exact_mut(center.len()) {
        for (x, c) in row.iter_mut().zip(center) {
            *x -= c;
        }
    }
}

fn squared_norm(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}
