//! Weights with which neighbors reproduce a row.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

use crate::error::{Error, Result};

/// The weights, adding up to 1, with which `k` neighbors come nearest to a row. `gram(a, b)` is the
/// scalar product of two of them relative to the row. `regularization` times the trace is added to the
/// diagonal, since there may be more neighbors than dimensions.
pub(super) fn barycenter(
    k: usize,
    regularization: f64,
    gram: impl Fn(usize, usize) -> f64,
) -> Result<Vec<f64>> {
    let mut products = Mat::from_fn(k, k, |a, b| gram(a.max(b), a.min(b)));
    let trace: f64 = (0..k).map(|a| products[(a, a)]).sum();
    let added = if trace > 0.0 { regularization * trace } else { regularization };
    (0..k).for_each(|a| products[(a, a)] += added);
    let factor = Llt::new(products.as_ref(), Side::Lower).map_err(|_| {
        let reason = "reg: neighbors depend on each other; must be larger";
        Error::Numerical(reason.into())
    })?;
    let weights = factor.solve(Mat::from_fn(k, 1, |_, _| 1.0));
    let total: f64 = (0..k).map(|a| weights[(a, 0)]).sum();
    Ok((0..k).map(|a| weights[(a, 0)] / total).collect())
}

/// The difference of two rows.
pub(super) fn apart(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}
