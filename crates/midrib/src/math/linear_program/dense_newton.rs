//! The Newton system of a small dense program, condensed on its columns or on its rows.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatMut, MatRef, Par};

use super::condensed::{Changes, Diagonals, Factor, On, Steps, System};
use super::dense_cholesky::DenseCholesky;
use super::dense_matrix::DenseMatrix;

/// One Schur complement a step: columns × columns, or rows × rows where those are fewer.
#[derive(Default)]
pub(super) struct DenseNewton {
    on_rows: bool,
    cholesky: DenseCholesky,
    /// The rows times the roots of the diagonal between them and their transpose.
    weighted: Vec<f64>,
}

impl DenseNewton {
    /// Prepares for a matrix. Differences are condensed on the columns only.
    pub fn prepare(&mut self, matrix: &DenseMatrix, on_rows: bool) {
        self.on_rows = on_rows;
        self.cholesky.resize(if on_rows { matrix.n_rows() } else { matrix.n_columns });
        self.weighted.resize(matrix.rows.len(), 0.0);
    }

    /// Whether the rows are the fewer, and may be condensed on.
    pub fn rows_are_fewer(matrix: &DenseMatrix) -> bool {
        matrix.differences.is_empty() && matrix.n_rows() < matrix.n_columns
    }

    /// `stiffness + rowsᵀ · rows/slackness`, both signs of a weight as one.
    fn fill_on_columns(&mut self, matrix: &DenseMatrix, diagonals: &Diagonals) {
        let Diagonals { stiffness, slackness } = diagonals;
        let k = matrix.n_columns;
        let rows = self.weighted.chunks_exact_mut(k).zip(matrix.rows.chunks_exact(k));
        for ((weighted, row), slackness) in rows.zip(slackness) {
            let root = 1.0 / slackness.sqrt();
            weighted.iter_mut().zip(row).for_each(|(to, x)| *to = root * x);
        }
        let weighted = MatRef::from_row_major_slice(&self.weighted, matrix.n_rows(), k);
        square(&mut self.cholesky.values, weighted.transpose());
        let values = &mut self.cholesky.values;
        let slackness = &slackness[matrix.n_rows()..];
        for (&(a, b, factor), slackness) in matrix.differences.iter().zip(slackness) {
            let weight = factor * factor / slackness;
            values[a * k + a] += weight;
            values[b * k + b] += weight;
            values[a.min(b) * k + a.max(b)] -= weight;
        }
        for column in 0..k {
            values[column * k + column] += joint(stiffness, column);
        }
    }

    /// `slackness + rows · 1/stiffness · rowsᵀ`, both signs of a weight as one.
    fn fill_on_rows(&mut self, matrix: &DenseMatrix, diagonals: &Diagonals) {
        let Diagonals { stiffness, slackness } = diagonals;
        let (k, n) = (matrix.n_columns, matrix.n_rows());
        let roots: Vec<f64> = (0..k).map(|column| 1.0 / joint(stiffness, column).sqrt()).collect();
        let rows = self.weighted.chunks_exact_mut(k).zip(matrix.rows.chunks_exact(k));
        for (weighted, row) in rows {
            let columns = weighted.iter_mut().zip(row).zip(&roots);
            columns.for_each(|((to, x), root)| *to = root * x);
        }
        square(&mut self.cholesky.values, MatRef::from_row_major_slice(&self.weighted, n, k));
        for (row, slackness) in slackness.iter().enumerate() {
            self.cholesky.values[row * n + row] += slackness;
        }
    }
}

impl Steps<DenseMatrix> for DenseNewton {
    fn factor(&mut self, matrix: &DenseMatrix, diagonals: &Diagonals) -> bool {
        if self.on_rows {
            self.fill_on_rows(matrix, diagonals);
        } else {
            self.fill_on_columns(matrix, diagonals);
        }
        self.cholesky.factor()
    }

    fn solve(&mut self, system: System<'_, DenseMatrix>, accuracy: f64, changes: &mut Changes) {
        let cholesky = &mut self.cholesky;
        if self.on_rows {
            system.solve_on(On::Rows, cholesky, accuracy, changes);
        } else {
            let stiffness = &system.diagonals.stiffness;
            let mut both_signs = BothSigns { stiffness, cholesky };
            system.solve_on(On::Pairs, &mut both_signs, accuracy, changes);
        }
    }

    fn factor_per_solve(&self) -> f64 {
        self.cholesky.size as f64
    }
}

/// Two springs in a row: the stiffness of a weight's two signs as one.
fn joint(stiffness: &[f64], column: usize) -> f64 {
    let (plus, minus) = (stiffness[column], stiffness[stiffness.len() / 2 + column]);
    1.0 / (1.0 / plus + 1.0 / minus)
}

/// The lower triangle of `left · leftᵀ`.
fn square(lower: &mut [f64], left: MatRef<'_, f64>) {
    let n = left.nrows();
    matmul(
        MatMut::from_column_major_slice_mut(lower, n, n),
        BlockStructure::TriangularLower,
        Accum::Replace,
        left,
        BlockStructure::Rectangular,
        left.transpose(),
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

/// The system of the weights of both signs, by the factor of that of their differences.
///
/// With `F` the part that only differences of the two enter, `d` the difference of the changes
/// and `g = F d`, it reads `plus·Δ₊ + g = right₊` and `minus·Δ₋ − g = right₋`.
struct BothSigns<'t> {
    stiffness: &'t [f64],
    cholesky: &'t mut DenseCholesky,
}

impl Factor for BothSigns<'_> {
    fn solve(&mut self, right: &mut [f64]) {
        let k = right.len() / 2;
        let (plus, minus) = self.stiffness.split_at(k);
        let (of_plus, of_minus) = right.split_at_mut(k);
        let pull = |j: usize, of_plus: &[f64], of_minus: &[f64]| {
            joint(self.stiffness, j) * (of_plus[j] / plus[j] - of_minus[j] / minus[j])
        };
        let mut difference: Vec<f64> = (0..k).map(|j| pull(j, of_plus, of_minus)).collect();
        self.cholesky.solve(&mut difference);
        for (j, &d) in difference.iter().enumerate() {
            let g = pull(j, of_plus, of_minus) - joint(self.stiffness, j) * d;
            // The stiffer one by its own equation: what cancels is divided by more.
            if plus[j] > minus[j] {
                of_plus[j] = (of_plus[j] - g) / plus[j];
                of_minus[j] = of_plus[j] - d;
            } else {
                of_minus[j] = (of_minus[j] + g) / minus[j];
                of_plus[j] = of_minus[j] + d;
            }
        }
    }
}
