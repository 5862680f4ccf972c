//! The few directions in which a graph in many columns differs from noise.

use crate::error::Result;
use crate::math::{Matrix, times};
use crate::points::Blocks;
use crate::prepare::{Components, Pca};

/// Graphs grow along the principal axes that hold this share of the variance.
const SHARE: f64 = 0.98;
/// With fewer columns there is nothing to gain; with more, the axes cost more than the growth.
const COLUMNS: std::ops::RangeInclusive<usize> = 6..=200;

/// SIMD width: this many axes cost as much as one.
const SIMD_WIDTH: usize = 4;

/// Where a graph grows: all columns, or the first principal axes.
pub(super) struct Subspace {
    axes: Option<Matrix>,
    /// The share of the variance outside.
    pub rest: f64,
}

impl Subspace {
    /// All columns.
    pub fn whole() -> Self {
        Self { axes: None, rest: 0.0 }
    }

    /// As few axes as hold nearly all of the variance.
    pub fn of(points: &dyn Blocks) -> Result<Self> {
        if !COLUMNS.contains(&points.dims()) {
            return Ok(Self::whole());
        }
        let most = points.dims().min(points.len() - 1);
        let Pca { axes, shares, .. } = Pca::fit(Components::Count(most), points)?;
        let mut held = 0.0;
        let enough = shares.iter().position(|share| {
            held += share;
            held >= SHARE
        });
        let count = enough.map_or(most, |last| (last + 1).next_multiple_of(SIMD_WIDTH).min(most));
        if count == points.dims() {
            return Ok(Self::whole());
        }
        let rest = (1.0 - shares[..count].iter().sum::<f64>()).max(0.0);
        Ok(Self { axes: Some(axes.select_rows(0..count)), rest })
    }

    /// The coordinates of centered rows along the axes.
    pub fn enter(&self, rows: Matrix) -> Matrix {
        match &self.axes {
            Some(axes) => times(&rows, axes.as_faer().transpose()),
            None => rows,
        }
    }

    /// The rows with these coordinates along the axes, and 0 along all others.
    pub fn leave(&self, rows: Matrix) -> Matrix {
        match &self.axes {
            Some(axes) => times(&rows, axes.as_faer()),
            None => rows,
        }
    }
}
