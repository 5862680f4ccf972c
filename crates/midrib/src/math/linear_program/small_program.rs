//! One target rebuilt from a few columns by signed weights that cost their size.

use super::certificate::{SOLVED, Scaled};
use super::dense_matrix::DenseMatrix;
use super::dense_newton::DenseNewton;
use super::interior_point::{self, AIM, Found};
use super::mapping::{Entries, Mapping};
use super::program::{FALLBACK, Status, better, trim};
use super::reference;
use super::vertex_walk::VertexWalk;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::math::simd::{all_finite, largest_size};

/// Solves many small programs one after the other in the same memory: over weights `x` it
/// minimizes
///
/// ```text
/// ‖x‖₁ + ‖B x − b‖₁ + Σ f·|x_j − x_l|
/// ```
///
/// for a dense `B` of few columns, or of few rows, and given differences `(j, l, f)`. It walks
/// from vertex to vertex, which is quick where most weights are 0. Where the walk does not end
/// with a proof, an interior point solves the program; each of its steps takes one Schur
/// complement: columns × columns, or rows × rows where those are fewer and there are no
/// differences.
///
/// ```
/// use midrib::math::{Matrix, SmallProgram};
/// let columns = Matrix::from_rows(&[[2.0, 0.0], [0.0, 0.5]])?;
/// let mut programs = SmallProgram::default();
/// let apart = programs.solve(&columns, &[4.0, 4.0], &[])?;
/// assert!((apart.weights[0] - 2.0).abs() < 1e-7 && apart.weights[1] == 0.0);
/// let fused = programs.solve(&columns, &[4.0, 4.0], &[(0, 1, 9.0)])?;
/// assert!((fused.weights[0] - fused.weights[1]).abs() < 1e-7);
/// assert!(fused.relative_gap < 1e-8);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Default)]
pub struct SmallProgram {
    /// In the unit of their largest value.
    matrix: DenseMatrix,
    walk: VertexWalk,
    newton: DenseNewton,
}

/// The best weights of a small program, and the proof that there are none much better.
#[derive(Clone, Debug)]
pub struct SmallOptimum {
    /// One signed weight for each column.
    pub weights: Vec<f64>,
    /// The objective at these weights.
    pub value: f64,
    /// No weights have a smaller objective than this.
    pub bound: f64,
    /// The difference of the two as a share of the value. Values below a millionth of that of
    /// weights of 0 are taken as that much: their last digits are rounding.
    pub relative_gap: f64,
    /// How far this can be trusted.
    pub status: Status,
    /// The number of steps of the solver.
    pub iterations: usize,
}

/// Our own solvers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Solver {
    Vertices,
    Interior,
}

impl SmallProgram {
    /// The best weights for the columns of `matrix` to rebuild `target`, which has a value for
    /// each row. Differences `(j, l, factor)` name two columns.
    pub fn solve(
        &mut self,
        matrix: &Matrix,
        target: &[f64],
        differences: &[(usize, usize, f64)],
    ) -> Result<SmallOptimum> {
        self.solve_by(&[Solver::Vertices, Solver::Interior], matrix, target, differences)
    }

    /// Tries one solver after the other until the gap is closed.
    fn solve_by(
        &mut self,
        solvers: &[Solver],
        matrix: &Matrix,
        target: &[f64],
        differences: &[(usize, usize, f64)],
    ) -> Result<SmallOptimum> {
        check(matrix, target, differences)?;
        let k = matrix.n_cols();
        let factors = differences.iter().map(|(_, _, factor)| factor.abs());
        let unit =
            factors.fold(largest_size(matrix.as_slice()).max(largest_size(target)), f64::max);
        if unit == 0.0 || k == 0 {
            return Ok(nothing(k, target));
        }
        if !(1.0 / unit).is_normal() {
            return Err(Error::data(format!(
                "linear program: values up to {unit:e} have no inverse: rescale the points"
            )));
        }
        self.matrix.n_columns = k;
        self.matrix.rows.clear();
        self.matrix.rows.extend(matrix.as_slice().iter().map(|x| x / unit));
        self.matrix.differences.clear();
        self.matrix.differences.extend(differences.iter().map(|&(a, b, f)| (a, b, f / unit)));
        let mut scaled_target: Vec<f64> = target.iter().map(|x| x / unit).collect();
        scaled_target.resize(self.matrix.n_values(), 0.0);
        let scaled = Scaled {
            matrix: &self.matrix,
            target: &scaled_target,
            column_sizes: &self.matrix.column_sizes(),
            costs: vec![1.0 / unit; 2 * k],
        };
        let mut found = Found::nothing(&scaled);
        if solvers.contains(&Solver::Vertices)
            && let Some(walked) = self.walk.solve(&scaled)
        {
            if walked.relative_gap() <= AIM {
                return Ok(optimum(&walked, Status::Solved, unit));
            }
            found = better(found, walked);
        }
        if solvers.contains(&Solver::Interior) {
            let on_rows = DenseNewton::rows_are_fewer(&self.matrix);
            self.newton.prepare(&self.matrix, on_rows);
            found = better(found, interior_point::solve(&scaled, &mut self.newton));
            if found.relative_gap() > SOLVED && differences.is_empty() {
                self.newton.prepare(&self.matrix, !on_rows);
                found = better(found, interior_point::solve(&scaled, &mut self.newton));
            }
        }
        let mut status = Status::Solved;
        if found.relative_gap() > SOLVED {
            status = Status::SolvedByReference;
            found = better(found, reference::solve(&scaled, FALLBACK)?);
        }
        cancel(&scaled, &mut found);
        trim(&scaled, &mut found);
        Ok(optimum(&found, status, unit))
    }
}

/// Takes away what the two signs of a weight have in common: it costs, and rebuilds nothing.
fn cancel(scaled: &Scaled<'_, DenseMatrix>, found: &mut Found) {
    let (plus, minus) = found.weights.split_at_mut(scaled.matrix.n_columns);
    for (plus, minus) in plus.iter_mut().zip(minus) {
        let common = plus.min(*minus);
        (*plus, *minus) = (*plus - common, *minus - common);
    }
    found.value = scaled.value(&found.weights, &scaled.matrix.rebuild(&found.weights));
}

/// What was found, in the caller's unit.
fn optimum(found: &Found, status: Status, unit: f64) -> SmallOptimum {
    let (plus, minus) = found.weights.split_at(found.weights.len() / 2);
    let relative_gap = found.relative_gap();
    SmallOptimum {
        weights: plus.iter().zip(minus).map(|(plus, minus)| plus - minus).collect(),
        value: found.value * unit,
        bound: found.bound.value * unit,
        relative_gap,
        status: if relative_gap <= SOLVED { status } else { Status::Inexact },
        iterations: found.steps,
    }
}

/// Weights of 0: nothing can be rebuilt of so little.
fn nothing(k: usize, target: &[f64]) -> SmallOptimum {
    let value = target.iter().map(|x| x.abs()).sum();
    SmallOptimum {
        weights: vec![0.0; k],
        value,
        bound: value,
        relative_gap: 0.0,
        status: Status::Solved,
        iterations: 0,
    }
}

fn check(matrix: &Matrix, target: &[f64], differences: &[(usize, usize, f64)]) -> Result<()> {
    if target.len() != matrix.n_rows() {
        return Err(Error::shape("target of a linear program", matrix.n_rows(), target.len()));
    }
    let k = matrix.n_cols();
    if let Some((a, b, factor)) =
        differences.iter().find(|(a, b, factor)| a == b || a.max(b) >= &k || !factor.is_finite())
    {
        return Err(Error::data(format!(
            "difference {a}-{b} with factor {factor}: needs two different columns, numbered below \
             {k}, and a finite factor"
        )));
    }
    if !(all_finite(matrix.as_slice()) && all_finite(target)) {
        return Err(Error::data(
            "linear program: the matrix or target has a value that is not finite",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
