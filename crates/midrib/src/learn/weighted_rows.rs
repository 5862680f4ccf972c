//! The points of positive weight, for methods that hold all of them.

use crate::error::Result;
use crate::math::Matrix;
use crate::points::{Cloud, Points};

/// The points of positive weight in working coordinates.
pub(super) struct WeightedRows {
    pub x: Matrix,
    pub weights: Vec<f64>,
    /// The sum of the weights.
    pub total: f64,
}

impl WeightedRows {
    /// Reads them; points that are all equal are refused.
    pub fn new(cloud: &Cloud<'_>) -> Result<Self> {
        cloud.require_spread()?;
        let rows: Vec<usize> = (0..cloud.len()).filter(|&i| cloud.weight(i) > 0.0).collect();
        let weights: Vec<f64> = rows.iter().map(|&i| cloud.weight(i)).collect();
        Ok(Self { x: cloud.read_rows(&rows)?, total: weights.iter().sum(), weights })
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// The same as points of their own.
    pub fn points(&self) -> Result<Points<'_>> {
        Points::from_f64(self.x.as_slice(), self.x.n_cols())?.with_weights(&self.weights[..])
    }

    /// The weight that counts as one point: 1, or the mean weight if that is smaller.
    pub fn unit(&self) -> f64 {
        (self.total / self.len() as f64).min(1.0)
    }

    /// The mean of one value per point.
    pub fn mean(&self, values: &[f64]) -> f64 {
        let sum: f64 = values.iter().zip(&self.weights).map(|(x, w)| w * x).sum();
        sum / self.total
    }
}
