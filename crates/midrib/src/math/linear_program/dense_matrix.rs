//! A small dense matrix with a few weighted differences as further rows, applied to signed weights.

use super::mapping::{Entries, Mapping};
use crate::math::simd::{add_multiples, dot_in_lanes};

/// Maps signed weights, those of the first half minus those of the second, to `rows · weights` and
/// then to `factor · (weight_a − weight_b)` for each difference.
#[derive(Debug, Default)]
pub(super) struct DenseMatrix {
    pub n_columns: usize,
    /// The rows, one after the other.
    pub rows: Vec<f64>,
    pub differences: Vec<(usize, usize, f64)>,
}

impl DenseMatrix {
    pub fn n_rows(&self) -> usize {
        self.rows.len() / self.n_columns
    }

    /// The number of results: one per row and one per difference.
    pub fn n_values(&self) -> usize {
        self.n_rows() + self.differences.len()
    }

    /// Adds multiples of the rows behind some results, one value per column, to `to`.
    #[inline(always)]
    pub fn add_rows<const FMA: bool>(
        &self,
        shares: impl Iterator<Item = (usize, f64)> + Clone,
        to: &mut [f64],
    ) {
        let (k, n_rows) = (self.n_columns, self.n_rows());
        let of_rows = shares.clone().filter(|(value, _)| *value < n_rows);
        let of_rows = of_rows.map(|(value, share)| (share, &self.rows[value * k..][..k]));
        add_multiples::<FMA>(of_rows, to);
        for (value, share) in shares.filter(|(value, _)| *value >= n_rows) {
            let (a, b, factor) = self.differences[value - n_rows];
            to[a] += share * factor;
            to[b] -= share * factor;
        }
    }

    /// The results for one column alone.
    pub fn copy_column(&self, column: usize, to: &mut [f64]) {
        let (of_rows, of_differences) = to.split_at_mut(self.n_rows());
        for (to, row) in of_rows.iter_mut().zip(self.rows.chunks_exact(self.n_columns)) {
            *to = row[column];
        }
        for (to, &(a, b, factor)) in of_differences.iter_mut().zip(&self.differences) {
            *to = match (a == column, b == column) {
                (true, _) => factor,
                (_, true) => -factor,
                _ => 0.0,
            };
        }
    }
}

impl Mapping for DenseMatrix {
    fn rebuild_to(&self, weights: &[f64], rebuilt: &mut Vec<f64>) {
        let (plus, minus) = weights.split_at(self.n_columns);
        let signed: Vec<f64> = plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect();
        rebuilt.resize(self.n_values(), 0.0);
        let (of_rows, of_differences) = rebuilt.split_at_mut(self.n_rows());
        for (to, row) in of_rows.iter_mut().zip(self.rows.chunks_exact(self.n_columns)) {
            *to = dot_in_lanes(row, &signed);
        }
        for (to, &(a, b, factor)) in of_differences.iter_mut().zip(&self.differences) {
            *to = factor * (signed[a] - signed[b]);
        }
    }

    fn earnings_to(&self, multipliers: &[f64], earned: &mut Vec<f64>) {
        earned.resize(2 * self.n_columns, 0.0);
        earned.fill(0.0);
        let (plus, minus) = earned.split_at_mut(self.n_columns);
        self.add_rows::<false>(multipliers.iter().copied().enumerate(), plus);
        minus.iter_mut().zip(plus).for_each(|(minus, plus)| *minus = -*plus);
    }
}

impl Entries for DenseMatrix {
    fn entries(&self, value: usize) -> Vec<(usize, f64)> {
        let k = self.n_columns;
        let mut entries = match value.checked_sub(self.n_rows()) {
            None => self.rows[value * k..(value + 1) * k].iter().copied().enumerate().collect(),
            Some(difference) => {
                let (a, b, factor) = self.differences[difference];
                vec![(a, factor), (b, -factor)]
            }
        };
        entries.retain(|(_, x)| *x != 0.0);
        let negative: Vec<_> = entries.iter().map(|&(column, x)| (column + k, -x)).collect();
        entries.extend(negative);
        entries
    }

    fn column_sums(&self, of: fn(f64) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_columns];
        for row in self.rows.chunks_exact(self.n_columns) {
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += of(*x));
        }
        for &(a, b, factor) in &self.differences {
            sums[a] += of(factor);
            sums[b] += of(factor);
        }
        sums.repeat(2)
    }
}
