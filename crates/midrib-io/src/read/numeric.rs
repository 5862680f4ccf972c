//! What the formats of typed numbers share: values in their own precision, checked and named.

use std::path::Path;

use midrib::{Points, Storage};

use super::Labels;
use crate::error::{CellPosition, Error, Result};

/// Rows of numbers, one after the other, in the precision of the file.
pub(super) enum Values {
    Single(Storage<'static, f32>),
    Double(Storage<'static, f64>),
}

impl Values {
    /// No values yet, with room for `len` of them.
    pub(super) fn with_capacity(path: &Path, single: bool, len: usize) -> Result<Self> {
        let mut values = match single {
            true => Self::Single(Vec::new().into()),
            false => Self::Double(Vec::new().into()),
        };
        match &mut values {
            Self::Single(values) => values.change(|values| values.try_reserve_exact(len)),
            Self::Double(values) => values.change(|values| values.try_reserve_exact(len)),
        }
        .map_err(|_| Error::File {
            path: path.into(),
            reason: format!("its {len} values do not fit into memory"),
        })?;
        Ok(values)
    }

    /// `len` zeros, to be set in any order.
    pub(super) fn zeros(path: &Path, single: bool, len: usize) -> Result<Self> {
        let mut values = Self::with_capacity(path, single, len)?;
        match &mut values {
            Self::Single(values) => values.change(|values| values.resize(len, 0.0)),
            Self::Double(values) => values.change(|values| values.resize(len, 0.0)),
        }
        Ok(values)
    }

    pub(super) fn push(&mut self, value: f64) {
        match self {
            Self::Single(values) => values.change(|values| values.push(value as f32)),
            Self::Double(values) => values.change(|values| values.push(value)),
        }
    }

    pub(super) fn set(&mut self, i: usize, value: f64) {
        match self {
            Self::Single(values) => values.change(|values| values[i] = value as f32),
            Self::Double(values) => values.change(|values| values[i] = value),
        }
    }

    /// Takes the columns of `dims` out that `kept` does not keep.
    pub(super) fn drop_columns(&mut self, kept: &[bool]) {
        match self {
            _ if kept.iter().all(|keep| *keep) => {}
            Self::Single(values) => values.change(|values| drop_columns(values, kept)),
            Self::Double(values) => values.change(|values| drop_columns(values, kept)),
        }
    }

    /// The values of one column of `dims`.
    pub(super) fn column(&self, column: usize, dims: usize) -> Vec<f64> {
        match self {
            Self::Single(values) => {
                values[column..].iter().step_by(dims).map(|&value| f64::from(value)).collect()
            }
            Self::Double(values) => values[column..].iter().step_by(dims).copied().collect(),
        }
    }

    fn first(&self, wanted: impl Fn(f64) -> bool) -> Option<usize> {
        match self {
            Self::Single(values) => values.iter().position(|&value| wanted(f64::from(value))),
            Self::Double(values) => values.iter().position(|&value| wanted(value)),
        }
    }

    /// The first of `dims` columns that holds only missing values.
    fn empty_column(&self, dims: usize) -> Option<usize> {
        self.first(f64::is_nan)?;
        (0..dims).find(|&column| self.column(column, dims).iter().all(|value| value.is_nan()))
    }

    /// The points of which these are the values, once every one of them has been checked.
    /// `names` are the features as the file calls them.
    pub(super) fn into_points(
        self,
        path: &Path,
        names: &[String],
        gaps: bool,
    ) -> Result<Points<'static>> {
        let position = |i: usize| CellPosition {
            row: i / names.len() + 1,
            line: None,
            column: names[i % names.len()].clone(),
        };
        if let Some(i) = self.first(f64::is_infinite) {
            return Err(Error::Cell {
                path: path.into(),
                position: position(i),
                reason: "the value is infinite".into(),
                remedy: "every value must be a finite number".into(),
            });
        }
        if !gaps && let Some(i) = self.first(f64::is_nan) {
            return Err(Error::Cell {
                path: path.into(),
                position: position(i),
                reason: "the value is missing".into(),
                remedy: remedy_for_missing(&position(i).column),
            });
        }
        if let Some(empty) = self.empty_column(names.len()) {
            return Err(no_value(path, &names[empty]));
        }
        Ok(match self {
            Self::Single(values) => Points::from_f32(values, names.len())?,
            Self::Double(values) => Points::from_f64(values, names.len())?,
        })
    }
}

/// What to do about a missing value.
pub(super) fn remedy_for_missing(column: &str) -> String {
    format!(
        "fill it in, remove the row, pass label = {column} to leave the column out, or gaps = true \
         and method = elastic-tree, which learns from the other values"
    )
}

/// The error of a feature without a single value.
pub(super) fn no_value(path: &Path, column: &str) -> Error {
    Error::data(
        path,
        format!("column {column} has no value in any row; remove it or pass label = {column}"),
    )
}

/// Gives the points their weights, naming file and column where these are unfit.
pub(super) fn weighted<'p>(
    points: Points<'p>,
    path: &Path,
    column: &str,
    weights: Vec<f64>,
) -> Result<Points<'p>> {
    points
        .with_weights(weights)
        .map_err(|error| Error::data(path, format!("column {column}: {error}")))
}

/// Numbers as labels.
pub(super) fn number_labels(name: &str, values: &[f64]) -> Labels {
    Labels { name: name.into(), values: values.iter().copied().map(number_text).collect() }
}

/// A number as a label or id; empty where it is missing.
pub(super) fn number_text(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

/// Keeps the columns of each row that `kept` selects, moving values forward within the vector.
pub(super) fn drop_columns<T>(values: &mut Vec<T>, kept: &[bool]) {
    if kept.iter().all(|keep| *keep) {
        return;
    }
    let mut column = 0;
    values.retain(|_| {
        let keep = kept[column];
        column = (column + 1) % kept.len();
        keep
    });
    values.shrink_to_fit();
}
