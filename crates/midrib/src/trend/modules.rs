//! Modules: features with curves of the same shape.

use crate::assign::lloyd;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::{Cloud, Points};
use crate::prepare::landmarks;

use super::curve::Curve;
use super::domain::Knots;

/// Rounds of k-means at most.
const ROUNDS: usize = 200;

/// The modules of some curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Modules {
    /// The module of each curve, numbered by the pseudotime of their peaks.
    pub of_curve: Vec<usize>,
    /// The mean curve of each module, standardized: one row per module, one column per knot.
    pub means: Matrix,
    /// The curves in the order of a heat map: by module, then by their own peak.
    pub order: Vec<usize>,
}

/// Groups curves by their shape: k-means on their values at the knots with points, less their mean and
/// in units of their standard deviation.
///
/// ```
/// use midrib::trend::{Curve, Knots, modules};
/// let knots = Knots {
///     nodes: vec![0, 1, 2],
///     branches: vec![0; 3],
///     pseudotime: vec![0.0, 1.0, 2.0],
///     segments: vec![(0, 1), (1, 2)],
///     supported: vec![true; 3],
/// };
/// let curve = |values: [f64; 3]| Curve { values: values.to_vec(), errors: vec![0.0; 3] };
/// let curves = [[1.0, 2.0, 3.0], [9.0, 5.0, 1.0], [10.0, 30.0, 50.0]].map(curve);
/// let found = modules(&curves.iter().collect::<Vec<_>>(), &knots, 2, 0)?;
/// assert_eq!(found.of_curve, [1, 0, 1]);
/// assert_eq!(found.order, [1, 0, 2]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn modules(curves: &[&Curve], knots: &Knots, count: usize, seed: u64) -> Result<Modules> {
    let used: Vec<usize> = (0..knots.supported.len()).filter(|&k| knots.supported[k]).collect();
    if count == 0 || count > curves.len() {
        return Err(Error::setting(
            "n_modules",
            count,
            format!("must be from 1 to {}, the number of curves", curves.len()),
        ));
    }
    let mut rows = Matrix::zeros(curves.len(), used.len());
    for (i, curve) in curves.iter().enumerate() {
        standardize(curve, &used, rows.row_mut(i));
    }
    let points = Points::from_f64(rows.as_slice(), used.len())?;
    let cloud = Cloud::new(&points)?;
    let means = cloud.to_data(lloyd(&cloud, landmarks(&cloud, count, seed)?, ROUNDS)?);
    let nearest: Vec<usize> = rows.rows().map(|row| nearest(&means, row)).collect();
    // A module without curves is left out.
    let mut members: Vec<usize> = nearest.clone();
    members.sort_unstable();
    members.dedup();
    let time = |knot: usize| match knots.pseudotime[used[knot]] {
        time if time.is_nan() => knot as f64,
        time => time,
    };
    let peak = |row: &[f64]| {
        let highest = (0..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best });
        time(highest)
    };
    members.sort_by(|&a, &b| peak(means.row(a)).total_cmp(&peak(means.row(b))).then(a.cmp(&b)));
    let number = |node: &usize| members.iter().position(|member| member == node);
    let of_curve: Vec<usize> = nearest.iter().filter_map(number).collect();
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|&a, &b| {
        let peaks = peak(rows.row(a)).total_cmp(&peak(rows.row(b)));
        of_curve[a].cmp(&of_curve[b]).then(peaks).then(a.cmp(&b))
    });
    Ok(Modules { of_curve, means: means.select_rows(members), order })
}

/// The values at some knots less their mean, in units of their standard deviation; 0 for a flat curve.
fn standardize(curve: &Curve, used: &[usize], row: &mut [f64]) {
    let n = used.len() as f64;
    let mean = used.iter().map(|&k| curve.values[k]).sum::<f64>() / n;
    let square = used.iter().map(|&k| (curve.values[k] - mean).powi(2)).sum::<f64>() / n;
    for (x, &k) in row.iter_mut().zip(used) {
        *x = if square > 0.0 { (curve.values[k] - mean) / square.sqrt() } else { 0.0 };
    }
}

fn nearest(means: &Matrix, row: &[f64]) -> usize {
    let distance = |k: usize| crate::math::squared_distance(means.row(k), row);
    (1..means.n_rows()).fold(0, |best, k| if distance(k) < distance(best) { k } else { best })
}
