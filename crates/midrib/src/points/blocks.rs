//! Block sources: rows that any pass reads chunk by chunk.

use std::borrow::Cow;
use std::ops::Range;

use super::faults::{check_row_count, check_weights};
use super::points::Points;
use crate::error::{Error, Result};

/// A source of points: a table with one point per row that is read chunk by chunk, as often as
/// needed.
///
/// [`Points`] holds its rows in memory; other sources read them from a file or from another
/// machine. Chunks have [`CHUNK_ROWS`](crate::CHUNK_ROWS) rows (the last one may be shorter) and sums over them are
/// added in order, so a fit gives the same bytes wherever the rows are stored.
///
/// Sources are restartable and safe to read from several threads. An error that [`Blocks::read`]
/// returns ends the fit; [`Error::read`] makes one that names the source.
///
/// ```
/// use std::ops::Range;
/// use midrib::{Blocks, Result, Silent};
/// use midrib::learn::{Given, Method, SimplePpt};
///
/// /// Points on a parabola, computed when they are read.
/// struct Parabola;
///
/// impl Blocks for Parabola {
///     fn len(&self) -> usize {
///         500
///     }
///     fn dims(&self) -> usize {
///         2
///     }
///     fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()> {
///         for (i, row) in rows.zip(into.chunks_exact_mut(2)) {
///             let x = i as f64 / 250.0 - 1.0;
///             row.copy_from_slice(&[x, x * x]);
///         }
///         Ok(())
///     }
/// }
/// # Ok::<(), midrib::Error>(())
/// ```
pub trait Blocks: Sync {
    /// The number of points.
    fn len(&self) -> usize;

    /// Whether there are no points. Methods refuse such a source.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of coordinates of each point.
    fn dims(&self) -> usize;

    /// Copies some rows of one chunk into `into`, row after row. `NaN` marks a missing value;
    /// infinite values are refused when the source is surveyed.
    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()>;

    /// What to call the source in errors, for example its file name.
    fn name(&self) -> Cow<'_, str> {
        "the points".into()
    }

    /// The weight of each point, finite and at least 0; none if all weights are 1.
    fn weights(&self) -> Option<&[f64]> {
        None
    }

    /// The id of point `i`: its name, or its row number counted from 0.
    fn id(&self, i: usize) -> Cow<'_, str> {
        i.to_string().into()
    }

    /// The number of missing values, if the source knows it; otherwise they are counted when the
    /// source is surveyed.
    fn missing_values(&self) -> Option<usize> {
        None
    }

    /// The points, if they are in memory already. They are then used where they are.
    fn in_memory(&self) -> Option<&Points<'_>> {
        None
    }

    /// How many bytes a method may use to hold all rows at once; none for what the machine has
    /// available.
    fn max_memory(&self) -> Option<u64> {
        None
    }
}

impl dyn Blocks + '_ {
    /// The weight of point `i`; 1 where none were given.
    pub fn weight(&self, i: usize) -> f64 {
        self.weights().map_or(1.0, |weights| weights[i])
    }

    /// The sum of the weights.
    pub fn total_weight(&self) -> f64 {
        self.weights().map_or(self.len() as f64, |weights| weights.iter().sum())
    }

    /// Refuses a source that has no rows or columns, or weights that cannot be used.
    pub(super) fn check_shape(&self) -> Result<()> {
        if self.in_memory().is_some() {
            return Ok(());
        }
        let name = self.name();
        if self.dims() == 0 {
            return Err(Error::data(format!("{name}: the points have no columns")));
        }
        if self.is_empty() {
            return Err(Error::data(format!("{name}: there are no points")));
        }
        check_row_count(self.len())?;
        self.weights().map_or(Ok(()), |weights| check_weights(weights, self.len()))
    }
}

impl Blocks for Points<'_> {
    fn len(&self) -> usize {
        self.len()
    }

    fn dims(&self) -> usize {
        self.dims()
    }

    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()> {
        for (i, row) in rows.zip(into.chunks_exact_mut(self.dims())) {
            self.copy_row(i, row);
        }
        Ok(())
    }

    fn weights(&self) -> Option<&[f64]> {
        self.weights()
    }

    fn id(&self, i: usize) -> Cow<'_, str> {
        self.id(i)
    }

    fn missing_values(&self) -> Option<usize> {
        Some(self.missing_values())
    }

    fn in_memory(&self) -> Option<&Points<'_>> {
        Some(self)
    }
}
