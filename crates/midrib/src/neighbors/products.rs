//! Bounds on distances from products of the centered rows.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::tiles::Tiles;
use crate::math::Matrix;
use crate::math::simd::{Work, dispatch, fused};

/// The rounding error of a squared distance by matrix products of few columns, as a share of the
/// squared lengths.
const ROUNDING: f64 = 1e-13;

/// Distances by products of the centered rows.
pub(super) struct Products<'a> {
    rows: &'a Matrix,
    centered: Vec<f64>,
    /// Squared lengths.
    lengths: Vec<f64>,
    longest: f64,
    /// [`ROUNDING`], or the accumulated error of one sum per column if that is larger.
    rounding: f64,
}

impl<'a> Products<'a> {
    pub fn new(rows: &'a Matrix) -> Self {
        let (n, dims) = (rows.n_rows(), rows.n_cols());
        let mut mean = vec![0.0; dims];
        for row in rows.rows() {
            mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / n as f64);
        }
        let mut centered = rows.as_slice().to_vec();
        for row in centered.chunks_exact_mut(dims) {
            row.iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean);
        }
        let length = |row: &[f64]| row.iter().map(|x| x * x).sum();
        let lengths: Vec<f64> = centered.chunks_exact(dims).map(length).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let rounding = ROUNDING.max(2.0 * f64::EPSILON * (dims as f64 + 8.0));
        Self { rows, centered, lengths, longest, rounding }
    }

    /// The amount by which a bound of this row may be too small.
    fn slack(&self, query: usize) -> f64 {
        3.0 * self.rounding * (self.lengths[query] + self.longest) + f64::MIN_POSITIVE
    }
}

impl Tiles for Products<'_> {
    type Bound = f64;
    const QUERIES: usize = 16;

    fn bound(&self, queries: Range<usize>, others: Range<usize>, bounds: &mut [f64]) {
        let all =
            MatRef::from_column_major_slice(&self.centered, self.rows.n_cols(), self.lengths.len());
        matmul(
            MatMut::from_column_major_slice_mut(bounds, others.len(), queries.len()),
            Accum::Replace,
            all.subcols(others.start, others.len()).transpose(),
            all.subcols(queries.start, queries.len()),
            1.0,
            Par::Seq,
        );
        let lengths = &self.lengths[others];
        for (query, products) in queries.zip(bounds.chunks_exact_mut(lengths.len())) {
            if self.slack(query).is_finite() {
                dispatch(Bounds {
                    products,
                    own: self.lengths[query],
                    lengths,
                    rounding: self.rounding,
                });
            } else {
                products.fill(f64::NEG_INFINITY);
            }
        }
    }

    fn within(&self, query: usize, bound: f64) -> f64 {
        let slack = self.slack(query);
        if slack.is_finite() { bound + slack } else { f64::INFINITY }
    }

    fn reach(&self, squared: f64) -> f64 {
        squared + f64::MIN_POSITIVE
    }
}

/// Turns products of a row with others into lower bounds on their squared distances.
struct Bounds<'a> {
    products: &'a mut [f64],
    own: f64,
    lengths: &'a [f64],
    rounding: f64,
}

impl Work for Bounds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (product, length) in self.products.iter_mut().zip(self.lengths) {
            let scale = (self.own + length) * (1.0 - self.rounding);
            *product = fused::<FMA>(*product, -2.0, scale);
        }
    }
}
