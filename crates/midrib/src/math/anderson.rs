//! Anderson acceleration of a fixed-point iteration `x ← F(x)`.

use std::collections::VecDeque;

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

/// Remembers the last steps of `x ← F(x)` and proposes a longer one.
///
/// The proposal minimises the residual `F(x) − x` over affine combinations of the
/// remembered steps (Walker and Ni 2011, type II). It carries no promise: the caller keeps
/// it only if its objective falls, and calls [`Anderson::forget`] otherwise.
#[derive(Clone, Debug)]
pub struct Anderson {
    memory: usize,
    last: Option<Visit>,
    /// Differences of consecutive visits, oldest first.
    differences: VecDeque<Visit>,
}

#[derive(Clone, Debug)]
struct Visit {
    mapped: Vec<f64>,
    residual: Vec<f64>,
}

/// Relative ridge that keeps nearly parallel differences harmless.
const RIDGE: f64 = 1e-14;

impl Anderson {
    /// Remembers up to `memory` steps.
    pub fn new(memory: usize) -> Self {
        Self {
            memory,
            last: None,
            differences: VecDeque::new(),
        }
    }

    /// Drops all that is remembered.
    pub fn forget(&mut self) {
        self.last = None;
        self.differences.clear();
    }

    /// Notes that `x` is mapped to `mapped`, and proposes the next `x`: none while nothing
    /// is remembered.
    pub fn propose(&mut self, x: &[f64], mapped: &[f64]) -> Option<Vec<f64>> {
        let visit = Visit {
            mapped: mapped.to_vec(),
            residual: subtract(mapped, x),
        };
        if let Some(last) = self.last.take() {
            self.differences.push_back(Visit {
                mapped: subtract(&visit.mapped, &last.mapped),
                residual: subtract(&visit.residual, &last.residual),
            });
            if self.differences.len() > self.memory {
                self.differences.pop_front();
            }
        }
        let weights = self.weights(&visit.residual);
        let proposal = weights.map(|weights| {
            let mut next = mapped.to_vec();
            for (difference, weight) in self.differences.iter().zip(weights) {
                for (to, from) in next.iter_mut().zip(&difference.mapped) {
                    *to -= weight * from;
                }
            }
            next
        });
        self.last = Some(visit);
        proposal.filter(|next| next.iter().all(|x| x.is_finite()))
    }

    /// Least squares: the combination of residual differences nearest to `residual`.
    fn weights(&self, residual: &[f64]) -> Option<Vec<f64>> {
        let m = self.differences.len();
        if m == 0 {
            return None;
        }
        let mut gram = Mat::<f64>::zeros(m, m);
        let mut right = Mat::<f64>::zeros(m, 1);
        for (i, a) in self.differences.iter().enumerate() {
            for (j, b) in self.differences.iter().enumerate().take(i + 1) {
                gram[(i, j)] = dot(&a.residual, &b.residual);
                gram[(j, i)] = gram[(i, j)];
            }
            right[(i, 0)] = dot(&a.residual, residual);
        }
        let trace: f64 = (0..m).map(|i| gram[(i, i)]).sum();
        for i in 0..m {
            gram[(i, i)] += RIDGE * trace;
        }
        let solved = gram.llt(Side::Lower).ok()?.solve(&right);
        Some((0..m).map(|i| solved[(i, 0)]).collect())
    }
}

fn subtract(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_map_is_solved_in_as_many_steps_as_it_has_dimensions() {
        let map = |x: &[f64]| {
            vec![
                0.9 * x[0] + 0.05 * x[1] + 1.0,
                0.1 * x[0] + 0.8 * x[1] - 2.0,
            ]
        };
        let mut anderson = Anderson::new(5);
        let mut x = vec![0.0, 0.0];
        for _ in 0..4 {
            let mapped = map(&x);
            x = anderson.propose(&x, &mapped).unwrap_or(mapped);
        }
        let residual = subtract(&map(&x), &x);
        assert!(residual.iter().all(|r| r.abs() < 1e-9), "{residual:?}");
    }
}
