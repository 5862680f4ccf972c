//! Working coordinates.

use serde::{Deserialize, Serialize};

use crate::math::Matrix;

/// Working coordinates: those of the caller minus `origin`, times `scale`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkingFrame {
    /// The weighted mean of the points.
    pub origin: Vec<f64>,
    /// A power of two that brings the points into the unit box.
    pub scale: f64,
    /// The weighted sum of squared distances from the mean, in working units.
    pub spread: f64,
}

impl WorkingFrame {
    /// One working unit of squared distance, in the caller's units.
    pub fn square_unit(&self) -> f64 {
        (1.0 / self.scale) / self.scale
    }

    /// Converts rows from the caller's coordinates to working coordinates.
    pub fn to_working(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            self.enter(rows.row_mut(i));
        }
        rows
    }

    /// Converts rows from working coordinates to the caller's.
    pub fn to_data(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            for (x, origin) in rows.row_mut(i).iter_mut().zip(&self.origin) {
                *x = *x / self.scale + origin;
            }
        }
        rows
    }

    #[inline]
    pub(super) fn enter(&self, row: &mut [f64]) {
        for (x, origin) in row.iter_mut().zip(&self.origin) {
            *x = (*x - origin) * self.scale;
        }
    }
}
