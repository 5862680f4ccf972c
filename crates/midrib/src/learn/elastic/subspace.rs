//! The few directions in which a graph in many columns can be told from its noise.

use crate::error::Result;
use crate::math::{Matrix, times};
use crate::points::Points;
use crate::prepare::{Components, Pca};

/// Graphs grow along the principal axes that hold this share of the variance.
const SHARE: f64 = 0.98;
/// With fewer columns nothing is gained, with more the axes cost more than the growth.
const COLUMNS: std::ops::RangeInclusive<usize> = 6..=200;

/// Numbers that a processor adds at once: so many axes cost no more than one.
const AT_ONCE: usize = 4;

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
        let most = points.dims().min(points.len() - 1);
        let Pca { axes, shares, .. } = Pca::fit(Components::Count(most), points)?;
        let mut held = 0.0;
        let enough = shares.iter().position(|share| {
            held += share;
            held >= SHARE
        });
        let count = enough.map_or(most, |last| (last + 1).next_multiple_of(AT_ONCE).min(most));
        if count == points.dims() {
            return Ok(Self::whole());
        }
        let rest = (1.0 - shares[..count].iter().sum::<f64>()).max(0.0);
        Ok(Self { axes: Some(axes.select_rows(0..count)), rest })
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
