//! Principal components of points with missing values, and the values that they suggest for these.
//!
//! Alternates filling in missing values from the components with finding the components of the
//! filled points. Each half step can only lower the squared error of the observed values: the filled values
//! have none before, so that the best components of all values are at least as good for the known
//! ones. Gorban2009, "Principal component analysis", incomplete data.

use super::moments::Moments;
use super::pca::{Components, Pca};
use crate::error::Result;
use crate::math::dot;
use crate::points::{Cloud, Points};

/// The error of the observed values falls by less than this share of their spread at the end.
const TOLERANCE: f64 = 1e-9;
/// The most rounds: 20 % of missing values in ten columns take about 50.
const ROUNDS: usize = 500;

/// Points whose missing values were filled in from principal components.
#[derive(Clone, Debug)]
pub struct Filled {
    /// The points, without missing values.
    pub points: Points<'static>,
    /// The components that suggested them.
    pub pca: Pca,
    /// The weighted squared error of the observed values, as the components restore them, after each
    /// round: it never rises.
    pub errors: Vec<f64>,
}

/// Fills in the missing values of points by `count` principal components of the observed values.
///
/// Complete points are returned as they are, with their components. A point or a column without
/// any observed value is refused.
///
/// ```
/// use midrib::Points;
/// use midrib::prepare::fill_gaps;
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 2.0, 2.0, 4.0, 3.0, f64::NAN], 2)?;
/// let filled = fill_gaps(&points, 1)?;
/// let mut row = [0.0; 2];
/// filled.points.copy_row(3, &mut row);
/// assert!((row[1] - 6.0).abs() < 0.01);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn fill_gaps(points: &Points<'_>, count: usize) -> Result<Filled> {
    // Refuses what cannot be filled.
    let spread = {
        let cloud = Cloud::with_missing(points)?;
        cloud.spread() * cloud.square_unit()
    };
    let dims = points.dims();
    let mean = Moments::of(points)?.mean;
    let mut values = vec![0.0; points.len() * dims];
    let mut missing: Vec<usize> = Vec::with_capacity(points.missing_values());
    for (i, row) in values.chunks_exact_mut(dims).enumerate() {
        points.copy_row(i, row);
        for (d, x) in row.iter_mut().enumerate().filter(|(_, x)| x.is_nan()) {
            missing.push(i * dims + d);
            *x = mean[d];
        }
    }
    let weights = points.weights().map(<[f64]>::to_vec);
    let mut errors: Vec<f64> = Vec::new();
    loop {
        let filled = with_weights(Points::from_f64(values.as_slice(), dims)?, weights.as_deref())?;
        let pca = Pca::fit(Components::Count(count), &filled)?;
        let error = restore(points, &pca, &mut values, &missing);
        let fall = errors.last().map_or(f64::INFINITY, |last| last - error);
        errors.push(error);
        if missing.is_empty() || fall <= TOLERANCE * spread || errors.len() == ROUNDS {
            let filled = Points::from_f64(values, dims)?;
            let filled = match weights {
                Some(weights) => filled.with_weights(weights)?,
                None => filled,
            };
            let filled = match points.ids() {
                Some(ids) => filled.with_ids(ids.to_vec())?,
                None => filled,
            };
            return Ok(Filled { points: filled, pca, errors });
        }
    }
}

fn with_weights<'p>(points: Points<'p>, weights: Option<&'p [f64]>) -> Result<Points<'p>> {
    match weights {
        Some(weights) => points.with_weights(weights),
        None => Ok(points),
    }
}

/// Fills in missing values, given by their indices in `values`, from the components; returns
/// the weighted squared error of all other values.
fn restore(points: &Points<'_>, pca: &Pca, values: &mut [f64], missing: &[usize]) -> f64 {
    let dims = pca.mean.len();
    let mut missing = missing.iter().peekable();
    let mut total = 0.0;
    let mut centered = vec![0.0; dims];
    for (i, row) in values.chunks_exact_mut(dims).enumerate() {
        centered.iter_mut().zip(row.iter().zip(&pca.mean)).for_each(|(c, (x, mean))| *c = x - mean);
        let scores: Vec<f64> = pca.axes.rows().map(|axis| dot(axis, &centered)).collect();
        for (d, x) in row.iter_mut().enumerate() {
            let along = scores.iter().zip(pca.axes.rows()).map(|(score, axis)| score * axis[d]);
            let restored = pca.mean[d] + along.sum::<f64>();
            if missing.next_if_eq(&&(i * dims + d)).is_some() {
                *x = restored;
            } else {
                total += points.weight(i) * (*x - restored) * (*x - restored);
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points near a plane in six dimensions, a share of whose values are missing.
    fn plane(every: usize) -> (Vec<f64>, Vec<f64>) {
        let (n, dims) = (300, 6);
        let wave = |i: usize| (1.3 * i as f64 + (i * i % 37) as f64).sin();
        let whole: Vec<f64> = (0..n * dims)
            .map(|at| {
                let (i, d) = (at / dims, at % dims);
                5.0 + 3.0 * wave(i) * wave(d + 900)
                    + wave(i + 400) * wave(d + 70)
                    + 0.05 * wave(at + 31)
            })
            .collect();
        let with_missing = |(at, x): (usize, &f64)| {
            let is_missing = every > 0 && ((at * 7919) ^ (at / 6 * 131)) % 101 * every < 101;
            if is_missing { f64::NAN } else { *x }
        };
        let known = whole.iter().enumerate().map(with_missing).collect();
        (whole, known)
    }

    #[test]
    fn complete_points_have_their_usual_components() {
        let (whole, _) = plane(0);
        let points = Points::from_f64(whole, 6).unwrap();
        let filled = fill_gaps(&points, 2).unwrap();
        assert_eq!(filled.pca, Pca::fit(Components::Count(2), &points).unwrap());
        assert_eq!(filled.errors.len(), 1);
        let spread: f64 =
            super::super::deviations(&points).unwrap().iter().map(|d| 300.0 * d * d).sum();
        let left = spread * (1.0 - filled.pca.shares.iter().sum::<f64>());
        assert!((filled.errors[0] / left - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_error_of_known_values_never_rises_and_missing_values_are_found() {
        let (whole, known) = plane(5);
        let points = Points::from_f64(known.as_slice(), 6).unwrap();
        assert!(points.missing_values() > 300 && points.missing_values() < 420);
        let filled = fill_gaps(&points, 2).unwrap();
        let slack = 1e-12 * filled.errors[0];
        assert!(filled.errors.windows(2).all(|pair| pair[1] <= pair[0] + slack));
        assert!(filled.errors.len() > 5);
        let mut row = [0.0; 6];
        let mut squares = 0.0;
        for i in 0..300 {
            filled.points.copy_row(i, &mut row);
            for d in 0..6 {
                if known[6 * i + d].is_nan() {
                    squares += (row[d] - whole[6 * i + d]).powi(2);
                } else {
                    assert_eq!(row[d], known[6 * i + d]);
                }
            }
        }
        // The scatter about the plane is 0.035, that of the values 1.5.
        let error = (squares / points.missing_values() as f64).sqrt();
        assert!(error < 0.1, "{error}");
    }
}
