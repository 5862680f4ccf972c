//! Small symmetric positive definite matrices whose entries stay near the diagonal.

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

    fn place(&self, row: usize, column: usize) -> usize {
        self.base[row].wrapping_add(column)
    }

    /// Adds to the entry of two unknowns.
    pub fn add(&mut self, a: usize, b: usize, value: f64) {
        let place = self.place(a.max(b), a.min(b));
        self.values[place] += value;
    }

    /// Replaces the matrix by its Cholesky factor; false if it is not positive definite.
    pub fn factor(&mut self) -> bool {
        for row in 0..self.first.len() {
            let from = self.first[row];
            for column in from..=row {
                let start = from.max(self.first[column]);
                let length = column - start;
                let (here, there) = (self.place(row, start), self.place(column, start));
                let products = self.values[here..here + length]
                    .iter()
                    .zip(&self.values[there..there + length])
                    .fold(0.0, |sum, (a, b)| sum + a * b);
                let place = self.place(row, column);
                let rest = self.values[place] - products;
                self.values[place] = if column < row {
                    rest / self.values[self.place(column, column)]
                } else if rest > 0.0 && rest.is_finite() {
                    rest.sqrt()
                } else {
                    return false;
                };
            }
        }
        true
    }

    /// Solves with the factor for right-hand sides given as rows of `dims` values, in place.
    pub fn solve(&self, rows: &mut [f64], dims: usize) {
        let n = self.first.len();
        for row in 0..n {
            let (before, rest) = rows.split_at_mut(row * dims);
            let own = &mut rest[..dims];
            let (factors, diagonal) = self.row(row);
            let others = before[self.first[row] * dims..].chunks_exact(dims);
            for (factor, other) in factors.iter().zip(others).filter(|(factor, _)| **factor != 0.0)
            {
                subtract(own, *factor, other);
            }
            own.iter_mut().for_each(|x| *x /= diagonal);
        }
        for row in (0..n).rev() {
            let (before, rest) = rows.split_at_mut(row * dims);
            let own = &mut rest[..dims];
            let (factors, diagonal) = self.row(row);
            own.iter_mut().for_each(|x| *x /= diagonal);
            let others = before[self.first[row] * dims..].chunks_exact_mut(dims);
            for (factor, other) in factors.iter().zip(others).filter(|(factor, _)| **factor != 0.0)
            {
                subtract(other, *factor, own);
            }
        }
    }

    /// The entries of a row before the diagonal, and that on it.
    fn row(&self, row: usize) -> (&[f64], f64) {
        let from = self.place(row, self.first[row]);
        let diagonal = from + row - self.first[row];
        (&self.values[from..diagonal], self.values[diagonal])
    }
}

/// Takes a multiple away, four values at a time.
#[inline(always)]
fn subtract(from: &mut [f64], factor: f64, row: &[f64]) {
    let ((from, from_rest), (row, rest)) = (from.as_chunks_mut::<4>(), row.as_chunks::<4>());
    for (from, row) in from.iter_mut().zip(row) {
        (0..4).for_each(|lane| from[lane] -= factor * row[lane]);
    }
    from_rest.iter_mut().zip(rest).for_each(|(x, y)| *x -= factor * y);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_satisfy_the_equations(n in 1_usize..20, seed in 0_usize..1000) {
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
            let right: Vec<f64> = (0..2 * n).map(|i| (i as f64).cos()).collect();
            let mut solution = right.clone();
            prop_assert!(matrix.factor());
            matrix.solve(&mut solution, 2);
            for row in 0..n {
                for side in 0..2 {
                    let product: f64 = (0..n).map(|j| dense.row(row)[j] * solution[2 * j + side]).sum();
                    prop_assert!((product - right[2 * row + side]).abs() < 1e-12);
                }
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
