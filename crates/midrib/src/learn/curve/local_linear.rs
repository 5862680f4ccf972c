//! The local linear smoother.

use rayon::prelude::*;

use super::line::{Along, positions};
use crate::error::Result;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::Matrix;

/// A neighborhood without spread in λ has no slope.
const NO_SPREAD: f64 = 1e-14;

/// Step 3: the value of a weighted linear regression over the nearest projections, at up to `count`
/// values of λ. `span` is the share of the points in a neighborhood.
pub(super) fn local_linear(
    rows: &WeightedRows,
    along: &Along,
    span: f64,
    count: usize,
) -> Result<Matrix> {
    let mut sorted: Vec<(f64, usize)> = along.lambda.iter().copied().zip(0..).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let targets = positions(&sorted, &rows.weights, rows.total, count);
    if let Some(period) = along.period {
        let shifted = |by: f64| sorted.iter().map(move |&(lambda, row)| (lambda + by, row));
        sorted = shifted(-period).chain(shifted(0.0)).chain(shifted(period)).collect();
    }
    // [wN], in units of a point.
    let wanted = (span * rows.total / rows.unit()).floor().max(2.0) * rows.unit();
    let smooth = Neighborhoods { rows, sorted, wanted };
    let fitted: Vec<Vec<f64>> = targets.par_iter().map(|&at| smooth.value(at)).collect();
    Matrix::from_rows(&fitted)
}

/// The projections in order, each with its row; on a closed line for three turns.
struct Neighborhoods<'r> {
    rows: &'r WeightedRows,
    sorted: Vec<(f64, usize)>,
    /// The weight of a neighborhood.
    wanted: f64,
}

impl Neighborhoods<'_> {
    /// The regression at λ = `at`.
    fn value(&self, at: f64) -> Vec<f64> {
        let (near, h) = self.nearest(at);
        let dims = self.rows.x.n_cols();
        let weight = |&(lambda, row): &(f64, usize)| {
            let u = (lambda - at).abs();
            // All projections of a neighborhood may be equal.
            let kernel = if h > 0.0 { 1.0 - (u / h).powi(3) } else { 1.0 };
            (
                self.rows.weights[row] * kernel.max(0.0).powi(3),
                (lambda - at) / h.max(f64::MIN_POSITIVE),
            )
        };
        let (mut sum, mut along, mut mean) = (0.0, 0.0, vec![0.0; dims]);
        for point in near {
            let (weight, u) = weight(point);
            sum += weight;
            along += weight * u;
            add(&mut mean, weight, self.rows.x.row(point.1));
        }
        along /= sum;
        mean.iter_mut().for_each(|x| *x /= sum);
        let (mut spread, mut slope) = (0.0, vec![0.0; dims]);
        for point in near {
            let (weight, u) = weight(point);
            spread += weight * (u - along) * (u - along);
            let x = self.rows.x.row(point.1).iter().zip(&mean);
            let factor = weight * (u - along);
            slope.iter_mut().zip(x).for_each(|(s, (x, mean))| *s += factor * (x - mean));
        }
        if spread > NO_SPREAD * sum {
            add(&mut mean, -along / spread, &slope);
        }
        mean
    }

    /// The nearest projections that have the wanted weight together, and the distance of the last.
    fn nearest(&self, at: f64) -> (&[(f64, usize)], f64) {
        let sorted = &self.sorted;
        let mut low = sorted.partition_point(|&(lambda, _)| lambda < at);
        let mut high = low;
        let (mut mass, mut h) = (0.0, 0.0);
        while mass < self.wanted * (1.0 - 1e-12) {
            let below = low.checked_sub(1).map(|next| at - sorted[next].0);
            let above = sorted.get(high).map(|next| next.0 - at);
            let row = match (below, above) {
                (Some(below), above) if above.is_none_or(|above| below < above) => {
                    h = below;
                    low -= 1;
                    sorted[low].1
                }
                (_, Some(above)) => {
                    h = above;
                    high += 1;
                    sorted[high - 1].1
                }
                _ => break,
            };
            mass += self.rows.weights[row];
        }
        (&sorted[low..high], h)
    }
}

/// Adds a multiple of one row to another.
pub(super) fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}
