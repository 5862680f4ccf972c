//! Mean, spread and range of each column.

use crate::points::Points;

/// Per column, over the values that are known, by weight.
pub(super) struct Moments {
    pub mean: Vec<f64>,
    pub deviation: Vec<f64>,
    pub smallest: Vec<f64>,
    pub largest: Vec<f64>,
}

impl Moments {
    pub fn of(points: &Points<'_>) -> Self {
        let dims = points.dims();
        let mut moments = Self {
            mean: vec![0.0; dims],
            deviation: vec![0.0; dims],
            smallest: vec![f64::INFINITY; dims],
            largest: vec![f64::NEG_INFINITY; dims],
        };
        let mut weights = vec![0.0; dims];
        let mut row = vec![0.0; dims];
        for i in 0..points.len() {
            points.copy_row(i, &mut row);
            let weight = points.weight(i);
            for (d, &x) in row.iter().enumerate().filter(|(_, x)| x.is_finite()) {
                if weight > 0.0 {
                    moments.smallest[d] = moments.smallest[d].min(x);
                    moments.largest[d] = moments.largest[d].max(x);
                    // Welford's update: exact for shifted data.
                    weights[d] += weight;
                    let step = x - moments.mean[d];
                    moments.mean[d] += step * weight / weights[d];
                    moments.deviation[d] += weight * step * (x - moments.mean[d]);
                }
            }
        }
        for (deviation, weight) in moments.deviation.iter_mut().zip(&weights) {
            *deviation = if *weight > 0.0 { (*deviation / weight).sqrt() } else { 0.0 };
        }
        moments
    }
}

/// The standard deviation of each column.
pub fn deviations(points: &Points<'_>) -> Vec<f64> {
    Moments::of(points).deviation
}
