//! Acceleration of a descent `x ← F(x)`: Anderson mixing that does not fall for saddles.

use std::collections::VecDeque;

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

use super::matrix::dot;

/// Remembers the last steps of a descent and proposes a longer one.
///
/// The descent is `F(x) = x − A⁻¹∇J/2`, as all placements here are, A symmetric and positive
/// definite. In the span of the remembered steps the changes of the residual `F(x) − x` show
/// the curvature of J relative to A: 1 where a plain step lands on the minimum, near 0 where
/// plain steps creep, negative near a saddle. Along each principal direction the plain step is
/// divided by the size of its curvature (Anderson's mixing would divide by the curvature
/// itself and be drawn into saddles; Dauphin2014); outside the span it stays plain.
///
/// No direction is stretched more than 24 times, so that the way stays near that of the
/// plain steps, whose minimum one wants. A proposal carries no promise: the caller keeps it only
/// if its objective falls, and takes the plain step otherwise.
#[derive(Clone, Debug)]
pub struct Anderson {
    memory: usize,
    last: Option<Visit>,
    /// Differences of consecutive visits, oldest first.
    differences: VecDeque<Visit>,
}

#[derive(Clone, Debug)]
struct Visit {
    x: Vec<f64>,
    residual: Vec<f64>,
}

/// By how much a plain step is stretched at most.
const LONGEST: f64 = 24.0;
/// Directions of the remembered steps that are this much smaller than the largest are noise.
const DEPENDENT: f64 = 1e-12;

impl Anderson {
    /// Remembers up to `memory` steps.
    pub fn new(memory: usize) -> Self {
        Self { memory, last: None, differences: VecDeque::new() }
    }

    /// Notes that `x` is mapped to `mapped`, and proposes the next `x`: none while nothing is
    /// remembered. `metric` multiplies with A.
    pub fn propose(
        &mut self,
        x: &[f64],
        mapped: &[f64],
        metric: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Option<Vec<f64>> {
        let visit = Visit { x: x.to_vec(), residual: subtract(mapped, x) };
        if let Some(last) = self.last.take() {
            self.differences.push_back(Visit {
                x: subtract(&visit.x, &last.x),
                residual: subtract(&visit.residual, &last.residual),
            });
            if self.differences.len() > self.memory {
                self.differences.pop_front();
            }
        }
        let proposal = self.stretch(&visit, metric).map(|weights| {
            let mut next = mapped.to_vec();
            for (difference, weight) in self.differences.iter().zip(weights) {
                for (to, from) in next.iter_mut().zip(&difference.x) {
                    *to += weight * from;
                }
            }
            next
        });
        self.last = Some(visit);
        proposal.filter(|next: &Vec<f64>| next.iter().all(|x| x.is_finite()))
    }

    /// How much of each remembered step to add to the plain one.
    fn stretch(&self, visit: &Visit, metric: impl Fn(&[f64]) -> Vec<f64>) -> Option<Vec<f64>> {
        let m = self.differences.len();
        if m == 0 {
            return None;
        }
        let weighted: Vec<Vec<f64>> = self.differences.iter().map(|d| metric(&d.x)).collect();
        let inner = Mat::from_fn(m, m, |i, j| dot(&weighted[i], &self.differences[j].x));
        let bend = Mat::from_fn(m, m, |i, j| -dot(&weighted[i], &self.differences[j].residual));
        let pull = Mat::from_fn(m, 1, |i, _| dot(&weighted[i], &visit.residual));

        let basis = orthonormal(&inner)?;
        let bend = basis.transpose() * (&bend + bend.transpose()) * &basis;
        let curvature = SelfAdjointEigen::new(bend.as_ref(), Side::Lower).ok()?;
        let directions = &basis * curvature.U();
        let pull = directions.transpose() * &pull;
        let extra = Mat::from_fn(pull.nrows(), 1, |i, _| {
            let size = (0.5 * curvature.S()[i]).abs();
            let factor = (1.0 / size).min(LONGEST);
            (factor - 1.0) * pull[(i, 0)]
        });
        let weights = directions * extra;
        Some((0..m).map(|i| weights[(i, 0)]).collect())
    }
}

/// Combinations of the steps that are orthonormal under the inner products `inner`.
fn orthonormal(inner: &Mat<f64>) -> Option<Mat<f64>> {
    let eigen = SelfAdjointEigen::new(inner.as_ref(), Side::Lower).ok()?;
    let sizes = eigen.S();
    let m = inner.nrows();
    let largest = (0..m).map(|i| sizes[i]).fold(0.0, f64::max);
    let kept: Vec<usize> = (0..m).filter(|&i| sizes[i] > DEPENDENT * largest).collect();
    (!kept.is_empty()).then(|| {
        Mat::from_fn(m, kept.len(), |i, j| eigen.U()[(i, kept[j])] / sizes[kept[j]].sqrt())
    })
}

fn subtract(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain steps on J = Σ cᵢ xᵢ² with A = 1: x ← (1 − cᵢ) xᵢ.
    fn descend(curvatures: &[f64], start: &[f64], steps: usize) -> Vec<f64> {
        let mut anderson = Anderson::new(5);
        let mut x = start.to_vec();
        for _ in 0..steps {
            let mapped: Vec<f64> = x.iter().zip(curvatures).map(|(x, c)| (1.0 - c) * x).collect();
            x = match anderson.propose(&x, &mapped, <[f64]>::to_vec) {
                Some(next) => next,
                None => mapped,
            };
        }
        x
    }

    #[test]
    fn creeping_directions_are_covered_at_once() {
        let x = descend(&[0.9, 0.1, 0.05], &[1.0, 1.0, 1.0], 7);
        assert!(x.iter().all(|x| x.abs() < 1e-9), "{x:?}");
    }

    #[test]
    fn saddles_are_left() {
        let x = descend(&[0.5, -0.1], &[1.0, 1e-6], 20);
        assert!(x[0].abs() < 1e-6 && x[1].abs() > 1e-3, "{x:?}");
    }
}
