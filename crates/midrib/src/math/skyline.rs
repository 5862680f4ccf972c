//! Small symmetric positive definite matrices whose entries stay near the diagonal.

use super::simd::{Work, dispatch};

/// The lower triangle, each row stored from its first entry on: what a factorisation fills in
/// stays within.
#[derive(Clone, Debug)]
pub(crate) struct Skyline {
    first: Vec<usize>,
    /// Where each row would start if it were stored from column 0 on.
    base: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// A matrix of zeros; `first` is the first column of each row, at most that of the diagonal.
    pub fn zeros(first: Vec<usize>) -> Self {
        let mut base = Vec::with_capacity(first.len());
        let mut stored = 0_usize;
        for (row, &from) in first.iter().enumerate() {
            // `base + column` is the place of an entry; it never is negative where one is stored.
            base.push(stored.wrapping_sub(from));
            stored += row + 1 - from;
        }
        Self { first, base, values: vec![0.0; stored] }
    }

    #[inline(always)]
    fn place(&self, row: usize, column: usize) -> usize {
        self.base[row].wrapping_add(column)
    }

    /// Adds to the entry of two unknowns.
    pub fn add(&mut self, a: usize, b: usize, value: f64) {
        let place = self.place(a.max(b), a.min(b));
        self.values[place] += value;
    }

    /// Replaces the matrix by its Cholesky factor, with reciprocals on the diagonal; false if it is
    /// not positive definite.
    pub fn factor(&mut self) -> bool {
        for row in 0..self.first.len() {
            let from = self.first[row];
            let (before, own) = self.values.split_at_mut(self.base[row].wrapping_add(from));
            let own = &mut own[..=row - from];
            for column in from..row {
                let start = from.max(self.first[column]);
                let other = &before[self.base[column].wrapping_add(start)..][..=column - start];
                let mut rest = own[column - from];
                for (a, b) in own[start - from..column - from].iter().zip(other) {
                    rest -= a * b;
                }
                own[column - from] = rest * other[column - start];
            }
            let rest = own[..row - from].iter().fold(own[row - from], |rest, x| rest - x * x);
            if !(rest > 0.0 && rest.is_finite()) {
                return false;
            }
            own[row - from] = 1.0 / rest.sqrt();
        }
        true
    }

    /// Solves with the factor for right-hand sides given as rows of `dims` values, in place.
    pub fn solve(&self, rows: &mut [f64], dims: usize) {
        // Columns in fours, the last ones padded: what is solved for one is the same beside others.
        let n = self.first.len();
        let mut four = vec![[0.0; 4]; n];
        for start in (0..dims).step_by(4) {
            let width = (dims - start).min(4);
            for (four, row) in four.iter_mut().zip(rows.chunks_exact(dims)) {
                four[..width].copy_from_slice(&row[start..][..width]);
            }
            dispatch(SolveFour { factor: self, rows: &mut four });
            for (four, row) in four.iter().zip(rows.chunks_exact_mut(dims)) {
                row[start..][..width].copy_from_slice(&four[..width]);
            }
        }
    }

    #[inline(always)]
    fn solve_four(&self, rows: &mut [[f64; 4]]) {
        for row in 0..rows.len() {
            let (factors, diagonal) = self.row(row);
            let mut own = rows[row];
            for (factor, other) in factors.iter().zip(&rows[self.first[row]..]) {
                subtract(&mut own, *factor, other);
            }
            for lane in 0..4 {
                rows[row][lane] = own[lane] * diagonal;
            }
        }
        for row in (0..rows.len()).rev() {
            let (factors, diagonal) = self.row(row);
            let mut own = rows[row];
            for x in &mut own {
                *x *= diagonal;
            }
            rows[row] = own;
            for (factor, other) in factors.iter().zip(&mut rows[self.first[row]..]) {
                subtract(other, *factor, &own);
            }
        }
    }

    /// The entries of a row of the factor before the diagonal, and that on it.
    #[inline(always)]
    fn row(&self, row: usize) -> (&[f64], f64) {
        let from = self.place(row, self.first[row]);
        let diagonal = from + row - self.first[row];
        (&self.values[from..diagonal], self.values[diagonal])
    }
}

/// [`Skyline::solve_four`].
struct SolveFour<'a> {
    factor: &'a Skyline,
    rows: &'a mut [[f64; 4]],
}

impl Work for SolveFour<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        self.factor.solve_four(self.rows);
    }
}

/// Takes a multiple away.
#[inline(always)]
fn subtract(from: &mut [f64; 4], factor: f64, row: &[f64; 4]) {
    for lane in 0..4 {
        from[lane] -= factor * row[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_satisfy_the_equations(
            n in 1_usize..20,
            dims in 1_usize..10,
            seed in 0_usize..1000,
        ) {
            let first: Vec<usize> = (0..n).map(|row| row - (row * 7 + seed) % (row + 1)).collect();
            let mut dense = crate::math::Matrix::zeros(n, n);
            let mut matrix = Skyline::zeros(first.clone());
            for (row, &from) in first.iter().enumerate() {
                for column in from..=row {
                    let off = ((seed + row * 13 + column * 29) as f64).sin();
                    let value = if column == row { 2.0 * n as f64 } else { off };
                    matrix.add(column, row, value);
                    dense.row_mut(row)[column] = value;
                    dense.row_mut(column)[row] = value;
                }
            }
            let right: Vec<f64> = (0..dims * n).map(|i| (i as f64).cos()).collect();
            let mut solution = right.clone();
            prop_assert!(matrix.factor());
            matrix.solve(&mut solution, dims);
            for row in 0..n {
                for side in 0..dims {
                    let product: f64 =
                        (0..n).map(|j| dense.row(row)[j] * solution[dims * j + side]).sum();
                    prop_assert!((product - right[dims * row + side]).abs() < 1e-12);
                }
            }
            // A column alone is solved to the same bits as beside others.
            for side in 0..dims {
                let mut alone: Vec<f64> = right.iter().skip(side).step_by(dims).copied().collect();
                matrix.solve(&mut alone, 1);
                let beside = solution.iter().skip(side).step_by(dims);
                prop_assert!(alone.iter().eq(beside));
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut matrix = Skyline::zeros(vec![0, 0]);
        matrix.add(0, 0, 1.0);
        matrix.add(1, 0, 2.0);
        matrix.add(1, 1, 1.0);
        assert!(!matrix.factor());
    }
}
