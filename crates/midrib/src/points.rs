//! The input of every method: rows are points.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::error::{Error, Result};

/// Bounds on the rows per block, the unit in which points are streamed.
const BLOCK_ROWS: std::ops::RangeInclusive<usize> = 256..=8192;
/// Small sets are cut into about this many blocks, whatever the number of threads.
const BLOCKS: usize = 32;

/// N points in D dimensions, one per row, with optional weights and ids.
///
/// Values are kept as they came, in single or double precision, borrowed or owned, and are
/// widened block by block. `NaN` marks a
/// gap (a value that is not known); infinities are refused.
///
/// ```
/// use midrib::Points;
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 0.5, 2.0, 1.0], 2)?;
/// assert_eq!((points.len(), points.dims()), (3, 2));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Points<'a> {
    values: Values<'a>,
    len: usize,
    dims: usize,
    weights: Option<Cow<'a, [f64]>>,
    ids: Option<Vec<String>>,
    gaps: usize,
}

#[derive(Clone, Debug)]
enum Values<'a> {
    F32(Cow<'a, [f32]>),
    F64(Cow<'a, [f64]>),
}

impl<'a> Points<'a> {
    /// Points in double precision, row after row.
    pub fn from_f64(values: impl Into<Cow<'a, [f64]>>, dims: usize) -> Result<Self> {
        let values = values.into();
        let gaps = count_gaps(values.iter().copied(), dims)?;
        Self::new(Values::F64(values), dims, gaps)
    }

    /// Points in single precision, row after row. They stay in single precision.
    pub fn from_f32(values: impl Into<Cow<'a, [f32]>>, dims: usize) -> Result<Self> {
        let values = values.into();
        let gaps = count_gaps(values.iter().map(|&x| f64::from(x)), dims)?;
        Self::new(Values::F32(values), dims, gaps)
    }

    fn new(values: Values<'a>, dims: usize, gaps: usize) -> Result<Self> {
        let n_values = match &values {
            Values::F32(values) => values.len(),
            Values::F64(values) => values.len(),
        };
        if dims == 0 {
            return Err(Error::data("the points have no columns"));
        }
        if n_values % dims != 0 {
            return Err(Error::shape(
                "points",
                format!("rows of {dims} values"),
                format!("{n_values} values"),
            ));
        }
        if n_values / dims > u32::MAX as usize {
            return Err(Error::data("there are more than 4,294,967,295 points: take a sample"));
        }
        if n_values == 0 {
            return Err(Error::data("there are no points"));
        }
        Ok(Self { values, len: n_values / dims, dims, weights: None, ids: None, gaps })
    }

    /// Gives each point a weight: a point of weight 2 counts like two equal rows.
    pub fn with_weights(mut self, weights: impl Into<Cow<'a, [f64]>>) -> Result<Self> {
        let weights = weights.into();
        if weights.len() != self.len {
            return Err(Error::shape("weights", self.len, weights.len()));
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
        self.weights = Some(weights);
        Ok(self)
    }

    /// The same points with other weights.
    pub(crate) fn reweighted(&self, weights: Vec<f64>) -> Result<Points<'_>> {
        let values = match &self.values {
            Values::F32(values) => Values::F32(Cow::Borrowed(values)),
            Values::F64(values) => Values::F64(Cow::Borrowed(values)),
        };
        Points { values, weights: None, ids: self.ids.clone(), ..*self }.with_weights(weights)
    }

    /// Some of the points, without names, with these weights.
    pub(crate) fn select(&self, rows: &[usize], weights: Vec<f64>) -> Result<Points<'static>> {
        fn picked<T: Copy>(values: &[T], dims: usize, rows: &[usize]) -> Vec<T> {
            rows.iter().flat_map(|&i| &values[i * dims..(i + 1) * dims]).copied().collect()
        }
        let points = match &self.values {
            Values::F32(values) => Points::from_f32(picked(values, self.dims, rows), self.dims),
            Values::F64(values) => Points::from_f64(picked(values, self.dims, rows), self.dims),
        };
        points?.with_weights(weights)
    }

    /// Names the points.
    pub fn with_ids(mut self, ids: Vec<String>) -> Result<Self> {
        if ids.len() != self.len {
            return Err(Error::shape("ids", self.len, ids.len()));
        }
        self.ids = Some(ids);
        Ok(self)
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never true: a set of points has at least one row.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of coordinates of each point.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// How many values are gaps.
    pub fn gaps(&self) -> usize {
        self.gaps
    }

    /// Refuses gaps on behalf of `who`, for example "this method".
    pub(crate) fn require_complete(&self, who: &str) -> Result<()> {
        let (found, remedy) = match self.gaps {
            0 => return Ok(()),
            1 => ("1 value is a gap (NaN)".into(), "fill it in or leave that row out"),
            gaps => {
                (format!("{gaps} values are gaps (NaN)"), "fill them in or leave those rows out")
            }
        };
        Err(Error::data(format!("{found}, and {who} needs complete points: {remedy}")))
    }

    /// Refuses a point of which nothing is known: it could lie anywhere.
    pub(crate) fn require_known(&self) -> Result<()> {
        if self.gaps < self.dims {
            return Ok(());
        }
        let empty = |&i: &usize| (0..self.dims).all(|column| self.value(i, column).is_nan());
        match (0..self.len).find(empty) {
            Some(i) => Err(Error::data(format!(
                "row {} (id {}): every value is a gap, so it could lie anywhere; leave that row out (--empty-points ignore)",
                i + 1,
                self.id(i)
            ))),
            None => Ok(()),
        }
    }

    /// The weight of point `i`; 1 where none were given.
    pub fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }

    /// The weights, where they were given.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The sum of the weights.
    pub fn total_weight(&self) -> f64 {
        self.weights.as_ref().map_or(self.len as f64, |weights| weights.iter().sum())
    }

    /// The id of point `i`: its name, or its row number counted from 0.
    pub fn id(&self, i: usize) -> Cow<'_, str> {
        match &self.ids {
            Some(ids) => Cow::Borrowed(&ids[i]),
            None => Cow::Owned(i.to_string()),
        }
    }

    /// The names of the points, where they were given.
    pub fn ids(&self) -> Option<&[String]> {
        self.ids.as_deref()
    }

    /// The value of point `i` in a column.
    pub(crate) fn value(&self, i: usize, column: usize) -> f64 {
        match &self.values {
            Values::F32(values) => f64::from(values[i * self.dims + column]),
            Values::F64(values) => values[i * self.dims + column],
        }
    }

    /// Copies row `i` into `row`.
    pub fn copy_row(&self, i: usize, row: &mut [f64]) {
        let range = i * self.dims..(i + 1) * self.dims;
        match &self.values {
            Values::F32(values) => {
                for (to, from) in row.iter_mut().zip(&values[range]) {
                    *to = f64::from(*from);
                }
            }
            Values::F64(values) => row.copy_from_slice(&values[range]),
        }
    }

    /// As how many points these count, no further than `most`, for rules that go by the number of
    /// points: their weight in all, or the number of those that differ and have weight if that is
    /// more. So a point of weight 2 counts like two equal rows, one of weight 0 like none, and
    /// weights may have any scale.
    pub(crate) fn count_up_to(&self, most: usize) -> usize {
        let weight = self.total_weight();
        if weight >= most as f64 {
            return most;
        }
        self.count_distinct(most).max(weight as usize)
    }

    /// How many points of positive weight differ from each other; counted no further than `most`.
    pub(crate) fn count_distinct(&self, most: usize) -> usize {
        let mut seen = HashSet::new();
        let mut row = vec![0.0; self.dims];
        for i in (0..self.len).filter(|&i| self.weight(i) > 0.0) {
            self.copy_row(i, &mut row);
            // -0 and 0 are one number.
            seen.insert(row.iter().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>());
            if seen.len() >= most {
                break;
            }
        }
        seen.len()
    }

    /// The number of blocks that [`Points::block_rows`] knows.
    pub(crate) fn n_blocks(&self) -> usize {
        self.len.div_ceil(self.block_size())
    }

    /// The rows of block `b`.
    pub(crate) fn block_rows(&self, b: usize) -> std::ops::Range<usize> {
        let size = self.block_size();
        b * size..((b + 1) * size).min(self.len)
    }

    /// Depends on the number of points alone: sums over blocks come out the same for any number of
    /// threads.
    fn block_size(&self) -> usize {
        (self.len / BLOCKS).clamp(*BLOCK_ROWS.start(), *BLOCK_ROWS.end())
    }
}

fn count_gaps(values: impl Iterator<Item = f64>, dims: usize) -> Result<usize> {
    let mut gaps = 0;
    for (i, value) in values.enumerate() {
        if value.is_infinite() {
            return Err(Error::data(format!(
                "row {}, column {}: infinite values cannot be used",
                i / dims.max(1) + 1,
                i % dims.max(1) + 1
            )));
        }
        gaps += usize::from(value.is_nan());
    }
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_count_like_equal_rows() {
        let points = Points::from_f64(vec![0.0, 1.0, 1.0, -0.0, 2.0, 3.0], 1).unwrap();
        assert_eq!(points.count_up_to(100), 6);
        assert_eq!(points.count_up_to(3), 3);
        let weighted = |weights: &[f64]| points.clone().with_weights(weights.to_vec()).unwrap();
        assert_eq!(weighted(&[1.0, 2.0, 0.0, 1.0, 0.0, 4.0]).count_up_to(100), 8);
        // Of any scale: at least the points that differ.
        assert_eq!(weighted(&[1e-3, 2e-3, 0.0, 1e-3, 0.0, 1e-3]).count_up_to(100), 3);
    }
}
