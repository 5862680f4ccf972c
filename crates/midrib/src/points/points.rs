//! Points in memory.

use std::borrow::Cow;
use std::ops::Range;

use super::faults::{check_row_count, check_weights, infinite_value};
use super::storage::Storage;
use crate::error::{Error, Result};

/// N points in D dimensions, one per row, with optional weights and ids: the in-memory form of
/// [`Blocks`](crate::Blocks).
///
/// Values are stored as given, in single or double precision, borrowed, owned or shared, and are
/// converted to double precision row by row. `NaN` marks a missing value; infinite values are refused.
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
    missing: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Values<'a> {
    F32(Storage<'a, f32>),
    F64(Storage<'a, f64>),
}

impl<'a> Points<'a> {
    /// Points in double precision, row after row.
    pub fn from_f64(values: impl Into<Storage<'a, f64>>, dims: usize) -> Result<Self> {
        let values = values.into();
        let missing = count_missing(values.iter().copied(), dims)?;
        Self::new(Values::F64(values), dims, missing)
    }

    /// Points in single precision, row after row. They stay in single precision.
    pub fn from_f32(values: impl Into<Storage<'a, f32>>, dims: usize) -> Result<Self> {
        let values = values.into();
        let missing = count_missing(values.iter().map(|&x| f64::from(x)), dims)?;
        Self::new(Values::F32(values), dims, missing)
    }

    fn new(values: Values<'a>, dims: usize, missing: usize) -> Result<Self> {
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
        check_row_count(n_values / dims)?;
        if n_values == 0 {
            return Err(Error::data("there are no points"));
        }
        Ok(Self { values, len: n_values / dims, dims, weights: None, ids: None, missing })
    }

    /// Gives each point a weight: a point of weight 2 counts like two equal rows.
    pub fn with_weights(mut self, weights: impl Into<Cow<'a, [f64]>>) -> Result<Self> {
        let weights = weights.into();
        check_weights(&weights, self.len)?;
        self.weights = Some(weights);
        Ok(self)
    }

    /// The same points with other weights.
    pub(crate) fn reweighted(&self, weights: Vec<f64>) -> Result<Points<'_>> {
        let values = match &self.values {
            Values::F32(values) => Values::F32(Storage::Borrowed(values)),
            Values::F64(values) => Values::F64(Storage::Borrowed(values)),
        };
        Points { values, weights: None, ids: self.ids.clone(), ..*self }.with_weights(weights)
    }

    /// Some of the points, without ids, with these weights.
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

    /// Gives each point an id.
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

    /// The number of missing values.
    pub fn missing_values(&self) -> usize {
        self.missing
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

    /// The ids of the points, where they were given.
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

    /// Rows of values, in their own precision.
    pub(super) fn values(&self, rows: Range<usize>) -> Values<'_> {
        let range = rows.start * self.dims..rows.end * self.dims;
        match &self.values {
            Values::F32(values) => Values::F32(Storage::Borrowed(&values[range])),
            Values::F64(values) => Values::F64(Storage::Borrowed(&values[range])),
        }
    }
}

fn count_missing(values: impl Iterator<Item = f64>, dims: usize) -> Result<usize> {
    let mut missing = 0;
    for (i, value) in values.enumerate() {
        if value.is_infinite() {
            return Err(infinite_value(i / dims.max(1), i % dims.max(1), ""));
        }
        missing += usize::from(value.is_nan());
    }
    Ok(missing)
}
