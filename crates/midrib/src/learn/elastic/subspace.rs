//! The few directions in which a graph in many columns can be told from its noise.

use crate::error::Result;
use crate::math::{Matrix, times};
use crate::points::Points;
use crate::prepare::{Components, Pca};

/// Graphs grow along the principal axes that hold this share of the variance.
const SHARE: f64 = 0.98;
/// With fewer columns nothing is gained, with more the axes cost more than the growth.
const COLUMNS: std::ops::RangeInclusive<usize> = 6..=200;

/// Where a graph grows: all columns, or the first principal axes.
pub(super) struct Subspace {
    axes: Option<Matrix>,
    /// The share of the variance beyond.
    pub rest: f64,
}

impl Subspace {
    /// All columns.
    pub fn whole() -> Self {
        Self { axes: None, rest: 0.0 }
    }

    /// As few axes as hold nearly all of the variance.
    pub fn of(points: &Points<'_>) -> Result<Self> {
        if !COLUMNS.contains(&points.dims()) {
            return Ok(Self::whole());
        }
        let pca = Pca::fit(Components::Share(SHARE), points)?;
        if pca.axes.n_rows() == points.dims() {
            return Ok(Self::whole());
        }
        let rest = (1.0 - pca.shares.iter().sum::<f64>()).max(0.0);
        Ok(Self { axes: Some(pca.axes), rest })
    }

    /// Centred rows by their coordinates along the axes.
    pub fn enter(&self, rows: Matrix) -> Matrix {
        match &self.axes {
            Some(axes) => times(&rows, axes.as_faer().transpose()),
            None => rows,
        }
    }

    /// Rows that have these coordinates along the axes, and 0 along all others.
    pub fn leave(&self, rows: Matrix) -> Matrix {
        match &self.axes {
            Some(axes) => times(&rows, axes.as_faer()),
            None => rows,
        }
    }
}
