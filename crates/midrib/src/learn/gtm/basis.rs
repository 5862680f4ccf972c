//! The functions of latent positions, and their weights.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Par, Side};

use crate::connect::Net;
use crate::error::{Error, Result};
use crate::math::{Matrix, times, transposed_times};

/// The values of the functions at the nodes: Gaussians, linear functions, and a constant (K×M).
pub(super) struct Basis {
    values: Matrix,
    /// The mean of the points in working units: the ridge pulls toward the zero of the columns.
    origin: Vec<f64>,
}

impl Basis {
    /// `functions` Gaussians along each axis, of a `width` in steps between their centers.
    pub fn new(net: &Net, functions: &[usize], width: f64, origin: Vec<f64>) -> Self {
        let dims = functions.len();
        let gaussians: usize = functions.iter().product();
        let mut values = Matrix::zeros(net.len(), gaussians + dims + 1);
        for node in 0..net.len() {
            let at: Vec<f64> = (0..dims)
                .map(|axis| 2.0 * net.inner.row(node)[axis] / (net.sides[axis] - 1) as f64 - 1.0)
                .collect();
            let row = values.row_mut(node);
            for (function, value) in row[..gaussians].iter_mut().enumerate() {
                *value = (-0.5 * squared_widths(&at, function, functions, width)).exp();
            }
            row[gaussians..gaussians + dims].copy_from_slice(&at);
            row[gaussians + dims] = 1.0;
        }
        Self { values, origin }
    }

    /// The weights W that minimize Σₖ massₖ ‖targetₖ/massₖ − yₖ‖² + ridge ‖W‖², where W is measured
    /// from the zero of the columns (M×D).
    pub fn weights(&self, mass: &[f64], targets: &Matrix, ridge: f64) -> Result<Matrix> {
        let (m, dims) = (self.values.n_cols(), targets.n_cols());
        let mut system = transposed_times(&self.values, mass, &self.values);
        (0..m).for_each(|i| system[(i, i)] += ridge);
        let ones = vec![1.0; mass.len()];
        let mut right = transposed_times(&self.values, &ones, targets);
        for (axis, origin) in self.origin.iter().enumerate() {
            right[(m - 1, axis)] -= ridge * origin;
        }
        let solution = solve(&system, &right)
            .ok_or_else(|| Error::Numerical("the functions of the map have no weights".into()))?;
        Matrix::new(m, dims, (0..m * dims).map(|at| solution[(at / dims, at % dims)]).collect())
    }

    /// The nodes y = W ᵀφ (K×D).
    pub fn nodes(&self, weights: &Matrix) -> Matrix {
        times(&self.values, weights.as_faer())
    }

    /// ‖W‖² measured from the zero of the columns, in units of `1 / scale`.
    pub fn squared_norm(&self, weights: &Matrix, scale: f64) -> f64 {
        let last = weights.n_rows() - 1;
        let mut sum = 0.0;
        for (row, values) in weights.rows().enumerate() {
            for (w, origin) in values.iter().zip(&self.origin) {
                let from_zero = if row == last { w + origin } else { *w };
                sum += (from_zero / scale).powi(2);
            }
        }
        sum
    }
}

/// The squared distance of a position from the center of a function, in widths.
fn squared_widths(at: &[f64], function: usize, functions: &[usize], width: f64) -> f64 {
    let mut rest = function;
    let mut sum = 0.0;
    for (axis, &n) in functions.iter().enumerate().rev() {
        let step = 2.0 / (n - 1) as f64;
        let center = -1.0 + step * (rest % n) as f64;
        sum += ((at[axis] - center) / (width * step)).powi(2);
        rest /= n;
    }
    sum
}

/// What is added to a diagonal of 1 where rounding leaves a system without a factor: wide functions
/// are nearly dependent, and a ridge far below the scale of the columns does not separate them.
const SHIFTS: [f64; 4] = [0.0, 1e-14, 1e-12, 1e-10];

/// Solves a definite system after scaling its diagonal to 1.
fn solve(system: &Mat<f64>, right: &Mat<f64>) -> Option<Mat<f64>> {
    // In parallel the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    let n = system.nrows();
    let scale: Vec<f64> = (0..n).map(|i| 1.0 / system[(i, i)].sqrt()).collect();
    let factor = SHIFTS.iter().find_map(|shift| {
        let scaled = Mat::from_fn(n, n, |i, j| match i == j {
            true => 1.0 + shift,
            false => system[(i, j)] * scale[i] * scale[j],
        });
        Llt::new(scaled.as_ref(), Side::Lower).ok()
    })?;
    let mut solution = Mat::from_fn(n, right.ncols(), |i, j| right[(i, j)] * scale[i]);
    factor.solve_in_place(solution.as_mut());
    (0..n).for_each(|i| (0..right.ncols()).for_each(|j| solution[(i, j)] *= scale[i]));
    Some(solution)
}
