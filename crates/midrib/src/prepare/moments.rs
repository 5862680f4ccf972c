//! Mean, spread and range of each column.

use crate::error::Result;
use crate::points::{Blocks, for_each_chunk};

/// Per column, over the observed values, by weight.
pub(super) struct Moments {
    pub mean: Vec<f64>,
    pub deviation: Vec<f64>,
    pub smallest: Vec<f64>,
    pub largest: Vec<f64>,
}

impl Moments {
    pub fn of(points: &dyn Blocks) -> Result<Self> {
        let dims = points.dims();
        let mut moments = Self {
            mean: vec![0.0; dims],
            deviation: vec![0.0; dims],
            smallest: vec![f64::INFINITY; dims],
            largest: vec![f64::NEG_INFINITY; dims],
        };
        let mut weights = vec![0.0; dims];
        let mut row = vec![0.0; dims];
        for_each_chunk(points, |chunk| {
            for i in chunk.rows().filter(|&i| chunk.weight(i) > 0.0) {
                chunk.copy_row(i, &mut row);
                moments.add(&row, chunk.weight(i), &mut weights);
            }
            Ok(())
        })?;
        for (deviation, weight) in moments.deviation.iter_mut().zip(&weights) {
            *deviation = if *weight > 0.0 { (*deviation / weight).sqrt() } else { 0.0 };
        }
        Ok(moments)
    }

    /// Welford's update, accurate for shifted data; `weights` are those of the observed values so far.
    fn add(&mut self, row: &[f64], weight: f64, weights: &mut [f64]) {
        for (d, &x) in row.iter().enumerate().filter(|(_, x)| x.is_finite()) {
            self.smallest[d] = self.smallest[d].min(x);
            self.largest[d] = self.largest[d].max(x);
            weights[d] += weight;
            let step = x - self.mean[d];
            self.mean[d] += step * weight / weights[d];
            self.deviation[d] += weight * step * (x - self.mean[d]);
        }
    }
}

/// The standard deviation of each column.
pub fn deviations(points: &dyn Blocks) -> Result<Vec<f64>> {
    Ok(Moments::of(points)?.deviation)
}
