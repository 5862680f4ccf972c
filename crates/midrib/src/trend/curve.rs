//! The curve of a feature: all functions, held back by how much they bend.
//!
//! With functions `u_j` that are orthonormal over the points and bend by `γ_j`, the sums
//! `z_j = Σ_i u_j(x_i) y_i` of a feature are all that a curve needs: its coefficients are
//! `z_j / (1 + λ γ_j)`, and the restricted likelihood of λ (Wood2011, section 2) is, but for constants,
//!
//! ```text
//!   −½ [ (n − m) ln( rest + Σ_j z_j² λγ_j / (1 + λγ_j) ) + Σ_j ln(1 + 1 / (λγ_j)) ]
//! ```
//!
//! with sums over the functions that bend, m that do not, and the squares `rest` beside all
//! functions.

use faer::Mat;

use super::basis::Basis;

/// The step of the grid of `ln λ`.
const STEP: f64 = 0.5;
/// Curves as free as the functions allow have `λ γ` below this for all functions, ...
const FREE: f64 = 1e-3;
/// ... curves as stiff as possible above this.
const STIFF: f64 = 1e6;
/// Halvings of the interval around the best of the grid.
const REFINEMENTS: usize = 24;

/// Fits curves to features over the same points.
#[derive(Clone, Debug)]
pub(super) struct Smoother {
    basis: Basis,
    /// `ln λ`, and the sum of `ln(1 + 1 / (λγ))`.
    grid: Vec<(f64, f64)>,
}

/// A curve along a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its value at each knot.
    pub values: Vec<f64>,
    /// The standard error of each; 95 % of the true values are within 1.96 of it, averaged over the
    /// points.
    pub errors: Vec<f64>,
}

/// A fitted curve as coefficients of the functions.
#[derive(Clone, Debug)]
pub(super) struct Smooth {
    coefficients: Vec<f64>,
    /// `1 / (1 + λγ)` of each function.
    shares: Vec<f64>,
    variance: f64,
    /// What it leaves of the squares.
    pub rest: f64,
    /// Effective degrees of freedom.
    pub edf: f64,
}

impl Smoother {
    pub fn new(basis: Basis) -> Self {
        let bent = &basis.bending[basis.unbent..];
        let grid = match (bent.first(), bent.last()) {
            (Some(least), Some(most)) => {
                let (low, high) = ((FREE / most).ln(), (STIFF / least).ln());
                let count = ((high - low) / STEP).ceil() as usize;
                let at = (0..=count).map(|step| low + step as f64 * STEP);
                at.map(|log| (log, log_determinant(bent, log.exp()))).collect()
            }
            _ => Vec::new(),
        };
        Self { basis, grid }
    }

    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// The curve of a feature of `n` values with these sums over knots and this sum of squares.
    pub fn fit(&self, knots: &[f64], squares: f64, n: usize) -> Smooth {
        let functions = &self.basis.functions;
        let product = |j: usize| -> f64 {
            functions.col_as_slice(j).iter().zip(knots).map(|(u, s)| u * s).sum()
        };
        let z: Vec<f64> = (0..self.basis.len()).map(product).collect();
        let rest = (squares - z.iter().map(|z| z * z).sum::<f64>()).max(0.0);
        let lambda = self.penalty(&z, rest, n);
        let share = |bending: &f64| 1.0 / (1.0 + lambda.map_or(0.0, |lambda| lambda * bending));
        let shares: Vec<f64> = self.basis.bending.iter().map(share).collect();
        let held = |(z, share): (&f64, &f64)| z * z * (1.0 - share) * (1.0 - share);
        let squared = |(z, share): (&f64, &f64)| z * z * (1.0 - share);
        let free = n.saturating_sub(self.basis.unbent).max(1) as f64;
        let variance = (rest + z.iter().zip(&shares).map(squared).sum::<f64>()) / free;
        Smooth {
            rest: rest + z.iter().zip(&shares).map(held).sum::<f64>(),
            edf: shares.iter().sum(),
            coefficients: z.iter().zip(&shares).map(|(z, share)| z * share).collect(),
            shares,
            variance,
        }
    }

    /// The λ of the largest restricted likelihood; none if no function bends.
    fn penalty(&self, z: &[f64], rest: f64, n: usize) -> Option<f64> {
        let unbent = self.basis.unbent;
        let bent = &self.basis.bending[unbent..];
        let free = n.saturating_sub(unbent).max(1) as f64;
        let squares: Vec<f64> = z[unbent..].iter().map(|z| z * z).collect();
        let total = rest + squares.iter().sum::<f64>();
        let cost = |lambda: f64, log_determinant: f64| {
            let held: f64 =
                squares.iter().zip(bent).map(|(z, b)| z * lambda * b / (1.0 + lambda * b)).sum();
            // A feature without any rest is followed exactly.
            free * (rest + held).max(f64::EPSILON * total).ln() + log_determinant
        };
        let mut best: Option<(f64, f64)> = None;
        for &(log, log_determinant) in &self.grid {
            let found = cost(log.exp(), log_determinant);
            if best.is_none_or(|(least, _)| found < least) {
                best = Some((found, log));
            }
        }
        let (_, log) = best?;
        let at = |log: f64| cost(log.exp(), log_determinant(bent, log.exp()));
        Some(golden_section(at, log - STEP, log + STEP).exp())
    }
}

fn log_determinant(bent: &[f64], lambda: f64) -> f64 {
    bent.iter().map(|bending| (1.0 / (lambda * bending)).ln_1p()).sum()
}

/// Where a function that has one minimum between two positions has it.
fn golden_section(at: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const SHARE: f64 = 0.618_033_988_749_894_8;
    let (mut left, mut right) = (high - SHARE * (high - low), low + SHARE * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..REFINEMENTS {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - SHARE * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + SHARE * (high - low);
            at_right = at(right);
        }
    }
    0.5 * (low + high)
}

impl Smooth {
    /// The values at the knots, from functions by column, above a mean.
    pub fn values(&self, functions: &Mat<f64>, mean: f64) -> Vec<f64> {
        let mut values = vec![mean; functions.nrows()];
        for (j, coefficient) in self.coefficients.iter().enumerate() {
            for (value, u) in values.iter_mut().zip(functions.col_as_slice(j)) {
                *value += coefficient * u;
            }
        }
        values
    }

    /// The standard errors of combinations of functions, such as their values at the knots.
    pub fn errors(&self, functions: &Mat<f64>) -> Vec<f64> {
        let mut squares = vec![0.0; functions.nrows()];
        for (j, share) in self.shares.iter().enumerate() {
            for (square, u) in squares.iter_mut().zip(functions.col_as_slice(j)) {
                *square += self.variance * share * u * u;
            }
        }
        squares.into_iter().map(f64::sqrt).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trend::design::{Rows, Sums};
    use crate::trend::domain::Domain;
    use crate::trend::table::Column;

    /// A wave with noise from a fixed sequence.
    fn wave(n: usize, noise: f64) -> (Domain, Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..n).map(|i| (i as f64 * 0.618_033_988_749_9).fract()).collect();
        let domain = Domain::straight(1.0, 60, &times.iter().map(|&t| Some(t)).collect::<Vec<_>>());
        let truth: Vec<f64> = times.iter().map(|t| (6.0 * t).sin()).collect();
        let noisy = |(i, y): (usize, &f64)| {
            let unit =
                (i as f64 * 0.414_213_562_373_1).fract() + (i as f64 * 0.732_050_807_568_9).fract();
            y + noise * (unit - 1.0)
        };
        let values = truth.iter().enumerate().map(noisy).collect();
        (domain, truth, values)
    }

    fn smooth(domain: &Domain, values: &[f64]) -> (Smoother, Smooth, f64) {
        let smoother = Smoother::new(Basis::of(domain).unwrap());
        let rows = Rows::new(&domain.rows, domain.nodes.len(), &[]).unwrap();
        let sums = Sums::of(&rows, Column::Dense(values), &rows.products(|_| true));
        let smooth = smoother.fit(&sums.slots, sums.squares, sums.n);
        (smoother, smooth, sums.mean)
    }

    #[test]
    fn curves_follow_what_is_smooth() {
        let (domain, _, values) = wave(2000, 1.0);
        let (smoother, fitted, mean) = smooth(&domain, &values);
        let curve = fitted.values(&smoother.basis().functions, mean);
        let errors = fitted.errors(&smoother.basis().functions);
        let truth = |knot: usize| (6.0 * domain.times[knot]).sin();
        let off = (0..curve.len()).map(|k| (curve[k] - truth(k)).abs()).fold(0.0, f64::max);
        assert!(off < 0.08, "{off}");
        assert!(fitted.edf > 4.0 && fitted.edf < 15.0, "{}", fitted.edf);
        let covered = (0..curve.len()).filter(|&k| (curve[k] - truth(k)).abs() < 1.96 * errors[k]);
        assert!(covered.count() * 10 >= curve.len() * 8);
    }

    #[test]
    fn lines_do_not_bend() {
        let (domain, _, _) = wave(300, 0.0);
        let noise = |i: usize| ((i * 7919) % 613) as f64 / 613.0 - 0.5;
        let line = |(i, row): (usize, &Option<crate::trend::domain::Position>)| {
            row.map_or(0.0, |at| 3.0 * (at.from as f64 + at.share)) + noise(i)
        };
        let values: Vec<f64> = domain.rows.iter().enumerate().map(line).collect();
        let (_, fitted, _) = smooth(&domain, &values);
        assert!(fitted.edf < 2.7, "{}", fitted.edf);
    }

    /// The restricted likelihood of the definition, with dense matrices over the points.
    #[test]
    fn the_likelihood_is_that_of_the_definition() {
        let (domain, _, values) = wave(120, 0.7);
        let (smoother, fitted, mean) = smooth(&domain, &values);
        let basis = smoother.basis();
        let n = values.len();
        let at = |i: usize, j: usize| {
            let row = domain.rows[i].unwrap();
            row.weights().iter().map(|&(k, w)| w * basis.functions[(k, j)]).sum::<f64>()
        };
        // −2 log likelihood with variance σ²(I + Σ u uᵀ / (λγ)), restricted to what the unbent leave.
        let cost = |lambda: f64| {
            let covariance = Mat::from_fn(n, n, |a, b| {
                let own = if a == b { 1.0 } else { 0.0 };
                let bent = basis.unbent..basis.len();
                own + bent.map(|j| at(a, j) * at(b, j) / (lambda * basis.bending[j])).sum::<f64>()
            });
            use faer::linalg::solvers::Solve;
            let factor = covariance.llt(faer::Side::Lower).unwrap();
            let log_det: f64 = (0..n).map(|i| 2.0 * factor.L()[(i, i)].ln()).sum();
            let x = Mat::from_fn(n, basis.unbent, &at);
            let y = Mat::from_fn(n, 1, |i, _| values[i] - mean);
            let inner = x.transpose() * factor.solve(&x);
            let of_y = x.transpose() * factor.solve(&y);
            let beta = inner.llt(faer::Side::Lower).unwrap().solve(&of_y);
            let squares =
                (y.transpose() * factor.solve(&y))[(0, 0)] - (of_y.transpose() * beta)[(0, 0)];
            let restricted: f64 = (0..basis.unbent)
                .map(|i| 2.0 * inner.llt(faer::Side::Lower).unwrap().L()[(i, i)].ln())
                .sum();
            (n - basis.unbent) as f64 * squares.ln() + log_det + restricted
        };
        let lambda = (1.0 / fitted.shares[basis.len() - 1] - 1.0) / basis.bending[basis.len() - 1];
        let here = cost(lambda);
        for factor in [0.25, 0.8, 1.25, 4.0] {
            assert!(cost(factor * lambda) > here, "{factor}: {here} {}", cost(factor * lambda));
        }
    }
}
