//! Block sources: rows that any pass reads chunk by chunk.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::chunk::for_each_chunk;
use super::points::Points;
use crate::error::{Error, Result};
use crate::math::Matrix;

/// Rows per chunk, the unit in which a source is read.
pub const CHUNK_ROWS: usize = 1 << 16;
/// A chunk is split into about this many blocks, whatever the number of threads, ...
const BLOCKS: usize = 32;
/// ... of at least this many rows.
const FEWEST_ROWS: usize = 256;

/// A source of points: a table with one point per row that is read chunk by chunk, as often as
/// needed.
///
/// [`Points`] holds its rows in memory; other sources read them from a file or from another
/// machine. Chunks have [`CHUNK_ROWS`] rows (the last one may be shorter) and sums over them are
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

    /// The number of missing values. Infinite values are refused.
    pub(crate) fn count_missing(&self) -> Result<usize> {
        if let Some(missing) = self.missing_values() {
            return Ok(missing);
        }
        let mut missing = 0;
        let mut row = vec![0.0; self.dims()];
        for_each_chunk(self, |chunk| {
            for i in chunk.rows() {
                chunk.copy_row(i, &mut row);
                if let Some(column) = row.iter().position(|x| x.is_infinite()) {
                    return Err(infinite_value(i, column, &self.name()));
                }
                missing += row.iter().filter(|x| x.is_nan()).count();
            }
            Ok(())
        })?;
        Ok(missing)
    }

    /// Refuses missing values on behalf of `who`, for example "this method"; `missing` is their
    /// number.
    pub(crate) fn refuse_missing(&self, missing: usize, who: &str) -> Result<()> {
        if missing == 0 {
            return Ok(());
        }
        let first = self.first_missing()?;
        let position = first.map_or_else(String::new, |(i, column)| {
            format!("row {}, column {}", i + 1, column + 1)
        });
        Err(Error::data(match missing {
            1 => format!(
                "1 value is missing (NaN): {position}; {who} needs complete points: fill it in or \
                 leave that row out"
            ),
            n => format!(
                "{n} values are missing (NaN), the first in {position}; {who} needs complete \
                 points: fill them in or leave those rows out"
            ),
        }))
    }

    /// Refuses missing values on behalf of `who`.
    pub(crate) fn require_complete(&self, who: &str) -> Result<()> {
        self.refuse_missing(self.count_missing()?, who)
    }

    /// Row and column of the first missing value.
    fn first_missing(&self) -> Result<Option<(usize, usize)>> {
        let mut first = None;
        let mut row = vec![0.0; self.dims()];
        for_each_chunk(self, |chunk| {
            for i in chunk.rows() {
                if first.is_some() {
                    break;
                }
                chunk.copy_row(i, &mut row);
                first = row.iter().position(|x| x.is_nan()).map(|column| (i, column));
            }
            Ok(())
        })?;
        Ok(first)
    }

    /// Refuses a point whose values are all missing: it could lie anywhere.
    pub(crate) fn refuse_empty_row(&self, i: usize, row: &[f64]) -> Result<()> {
        if row.iter().any(|x| !x.is_nan()) {
            return Ok(());
        }
        Err(Error::data(format!(
            "row {} (id {}): every value is missing, so it could lie anywhere; leave that row out \
             (--empty-points ignore)",
            i + 1,
            self.id(i)
        )))
    }

    /// Refuses points and columns whose values are all missing.
    pub(super) fn require_some_values(&self) -> Result<()> {
        let mut row = vec![0.0; self.dims()];
        let mut known = vec![false; self.dims()];
        for_each_chunk(self, |chunk| {
            for i in chunk.rows() {
                chunk.copy_row(i, &mut row);
                self.refuse_empty_row(i, &row)?;
                if chunk.weight(i) > 0.0 {
                    known.iter_mut().zip(&row).for_each(|(known, x)| *known |= !x.is_nan());
                }
            }
            Ok(())
        })?;
        match known.iter().position(|known| !known) {
            Some(column) => Err(Error::data(format!(
                "column {}: every value is missing; leave that column out",
                column + 1
            ))),
            None => Ok(()),
        }
    }

    /// Some rows, in the order of their numbers in `rows`.
    pub(crate) fn read_rows(&self, rows: &[usize]) -> Result<Matrix> {
        let dims = self.dims();
        let mut values = Matrix::zeros(rows.len(), dims);
        if let Some(points) = self.in_memory() {
            rows.iter().enumerate().for_each(|(to, &i)| points.copy_row(i, values.row_mut(to)));
            return Ok(values);
        }
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&to| rows[to]);
        let mut buffer = Vec::new();
        for of_chunk in order.chunk_by(|&a, &b| rows[a] / CHUNK_ROWS == rows[b] / CHUNK_ROWS) {
            let (first, last) = (rows[of_chunk[0]], rows[of_chunk[of_chunk.len() - 1]]);
            buffer.resize((last + 1 - first) * dims, 0.0);
            self.read(first..last + 1, &mut buffer)?;
            for &to in of_chunk {
                let at = (rows[to] - first) * dims;
                values.row_mut(to).copy_from_slice(&buffer[at..at + dims]);
            }
        }
        Ok(values)
    }

    /// As how many points these count, up to `most`, for rules that depend on the number of points:
    /// their total weight, or the number of distinct points that have weight if that is more. So a
    /// point of weight 2 counts like two equal rows, one of weight 0 like none, and weights may have
    /// any scale.
    pub(crate) fn count_up_to(&self, most: usize) -> Result<usize> {
        let weight = self.total_weight();
        if weight >= most as f64 {
            return Ok(most);
        }
        Ok(self.count_distinct(most)?.max(weight as usize))
    }

    /// How many points of positive weight differ from each other; counted up to `most`.
    pub(crate) fn count_distinct(&self, most: usize) -> Result<usize> {
        let mut seen = HashSet::new();
        let mut row = vec![0.0; self.dims()];
        for_each_chunk(self, |chunk| {
            for i in chunk.rows().filter(|&i| chunk.weight(i) > 0.0) {
                if seen.len() >= most {
                    break;
                }
                chunk.copy_row(i, &mut row);
                // -0 and 0 are one number.
                seen.insert(row.iter().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>());
            }
            Ok(())
        })?;
        Ok(seen.len())
    }
}

/// The chunks of so many rows.
pub(super) fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows.div_ceil(CHUNK_ROWS)).map(move |c| c * CHUNK_ROWS..((c + 1) * CHUNK_ROWS).min(rows))
}

/// Rows per block of a chunk. It depends on the number of rows in the chunk alone, so sums over
/// blocks are the same for any number of threads.
pub(super) fn block_size(chunk: &Range<usize>) -> usize {
    (chunk.len() / BLOCKS).max(FEWEST_ROWS)
}

/// The blocks of a chunk.
pub(super) fn blocks(chunk: &Range<usize>) -> Vec<Range<usize>> {
    let size = block_size(chunk);
    chunk.clone().step_by(size).map(|start| start..(start + size).min(chunk.end)).collect()
}

/// The blocks of so many rows, chunk after chunk.
pub(crate) fn blocks_of(rows: usize) -> impl Iterator<Item = Range<usize>> {
    chunks(rows).flat_map(|chunk| blocks(&chunk))
}

/// Refuses more rows than row numbers can count.
pub(super) fn check_row_count(rows: usize) -> Result<()> {
    if rows > u32::MAX as usize {
        return Err(Error::data("there are more than 4,294,967,295 points: take a sample"));
    }
    Ok(())
}

/// Refuses weights that cannot be used for so many points.
pub(super) fn check_weights(weights: &[f64], len: usize) -> Result<()> {
    if weights.len() != len {
        return Err(Error::shape("weights", len, weights.len()));
    }
    if let Some(i) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(Error::data(format!(
            "weight of row {}: {} is not a finite number of at least 0",
            i + 1,
            weights[i]
        )));
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::data("all weights are 0: at least one point must count"));
    }
    Ok(())
}

/// The error about a value that is infinite.
pub(super) fn infinite_value(row: usize, column: usize, source: &str) -> Error {
    let place = format!("row {}, column {}", row + 1, column + 1);
    Error::data(match source {
        "" => format!("{place}: infinite values cannot be used"),
        _ => format!("{source}, {place}: infinite values cannot be used"),
    })
}
