//! Poisson regression on bins of points: sums of counts are all that it needs.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

use crate::error::{Error, Result};

/// Steps of Newton's method at most.
const MOST_STEPS: usize = 60;
/// Converged when the deviance falls by less than this share.
const PRECISION: f64 = 1e-11;
/// Halvings of a step that does not lower the deviance.
const HALVINGS: usize = 20;
/// Logarithms of rates are kept within this distance of that of the mean rate, beyond which counts
/// are 0 in any sample.
const FARTHEST: f64 = 30.0;
/// Added to the diagonal of the normal equations, as a share.
const RIDGE: f64 = 1e-12;

/// Bins of points: what their counts are relative to, and their rows of a design.
#[derive(Clone, Debug)]
pub(super) struct Bins {
    /// The sum of the sizes of the points of each.
    pub sizes: Vec<f64>,
    /// One column per coefficient.
    pub design: Mat<f64>,
}

/// A fitted log-linear rate.
#[derive(Clone, Debug)]
pub(super) struct Rates {
    pub coefficients: Vec<f64>,
    /// The expected count of each bin.
    pub expected: Vec<f64>,
    /// The deviance between bins and their expected counts.
    pub deviance: f64,
}

impl Bins {
    /// The rates of least deviance plus `penalty · coefficient²`, by Newton's method from `start`.
    pub fn fit(&self, counts: &[f64], penalty: &[f64], start: &[f64]) -> Result<Rates> {
        let center = (counts.iter().sum::<f64>() / self.sizes.iter().sum::<f64>()).ln();
        let held = |coefficients: &[f64]| -> f64 {
            coefficients.iter().zip(penalty).map(|(b, weight)| weight * b * b).sum()
        };
        let mut at = self.rates(counts, start.to_vec(), center);
        let mut cost = at.deviance + held(start);
        for _ in 0..MOST_STEPS {
            let information = self.information(&at.expected, penalty);
            let step = factor(information)?.solve(self.gradient(counts, &at, penalty));
            let mut share = 1.0;
            let mut lower = None;
            for _ in 0..HALVINGS {
                let moved = |(j, b): (usize, &f64)| b + share * step[(j, 0)];
                let next: Vec<f64> = at.coefficients.iter().enumerate().map(moved).collect();
                let penalized = held(&next);
                let rates = self.rates(counts, next, center);
                if rates.deviance + penalized <= cost {
                    lower = Some((rates.deviance + penalized, rates));
                    break;
                }
                share *= 0.5;
            }
            let Some((next_cost, next)) = lower else { break };
            let fallen = cost - next_cost;
            (cost, at) = (next_cost, next);
            if fallen <= PRECISION * (cost.abs() + 1.0) {
                break;
            }
        }
        Ok(at)
    }

    fn rates(&self, counts: &[f64], coefficients: Vec<f64>, center: f64) -> Rates {
        let mut logs = vec![0.0; self.sizes.len()];
        for (j, coefficient) in coefficients.iter().enumerate() {
            for (log, x) in logs.iter_mut().zip(self.design.col_as_slice(j)) {
                *log += coefficient * x;
            }
        }
        let rate = |log: &f64| log.clamp(center - FARTHEST, center + FARTHEST).exp();
        let expected: Vec<f64> =
            logs.iter().zip(&self.sizes).map(|(log, size)| size * rate(log)).collect();
        let deviance = deviance(counts, &expected);
        Rates { coefficients, expected, deviance }
    }

    /// `designᵀ · diag(expected) · design` plus the penalty.
    pub fn information(&self, expected: &[f64], penalty: &[f64]) -> Mat<f64> {
        let p = self.design.ncols();
        let mut weighted = self.design.clone();
        for j in 0..p {
            let column = weighted.col_as_slice_mut(j);
            column.iter_mut().zip(expected).for_each(|(x, weight)| *x *= weight);
        }
        let mut sum = self.design.transpose() * weighted;
        (0..p).for_each(|j| sum[(j, j)] += penalty.get(j).copied().unwrap_or(0.0));
        sum
    }

    fn gradient(&self, counts: &[f64], at: &Rates, penalty: &[f64]) -> Mat<f64> {
        Mat::from_fn(at.coefficients.len(), 1, |j, _| {
            let column = self.design.col_as_slice(j).iter();
            let rest = column.zip(counts.iter().zip(&at.expected)).map(|(x, (y, m))| x * (y - m));
            rest.sum::<f64>() - penalty.get(j).map_or(0.0, |weight| weight * at.coefficients[j])
        })
    }
}

/// The factor of an information matrix, which a ridge keeps definite.
pub(super) fn factor(mut information: Mat<f64>) -> Result<Llt<f64>> {
    let p = information.nrows();
    let most = (0..p).map(|j| information[(j, j)]).fold(f64::MIN_POSITIVE, f64::max);
    (0..p).for_each(|j| information[(j, j)] += RIDGE * most);
    Llt::new(information.as_ref(), Side::Lower)
        .map_err(|_| Error::Numerical("the regression of a count did not converge".into()))
}

/// Twice the log likelihood that expected counts lack.
fn deviance(counts: &[f64], expected: &[f64]) -> f64 {
    let one = |(y, m): (&f64, &f64)| {
        let log = if *y > 0.0 { y * (y / m).ln() } else { 0.0 };
        2.0 * (log - (y - m))
    };
    counts.iter().zip(expected).map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_groups_have_their_own_rates() {
        let design = Mat::from_fn(3, 2, |i, j| if j == 0 || i == 2 { 1.0 } else { 0.0 });
        let bins = Bins { sizes: vec![1.0, 3.0, 2.0], design };
        let fit = bins.fit(&[2.0, 10.0, 30.0], &[], &[0.0, 0.0]).unwrap();
        assert!((fit.coefficients[0] - 3.0_f64.ln()).abs() < 1e-9);
        assert!((fit.coefficients[1] - 5.0_f64.ln()).abs() < 1e-9);
        let expected = 2.0 * (2.0 * (2.0_f64 / 3.0).ln() + 10.0 * (10.0_f64 / 9.0).ln());
        assert!((fit.deviance - expected).abs() < 1e-9, "{}", fit.deviance);
    }

    #[test]
    fn a_group_without_counts_has_a_finite_rate() {
        let design = Mat::from_fn(2, 2, |i, j| if j == 0 || i == 1 { 1.0 } else { 0.0 });
        let bins = Bins { sizes: vec![4.0, 4.0], design };
        let fit = bins.fit(&[8.0, 0.0], &[], &[0.0, 0.0]).unwrap();
        assert!((fit.expected[0] - 8.0).abs() < 1e-4 && fit.expected[1] < 1e-4);
        assert!(fit.deviance < 1e-4 && fit.coefficients[1].is_finite());
    }
}
