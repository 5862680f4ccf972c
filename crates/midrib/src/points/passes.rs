//! What passes over a source find: missing values, single rows, how many points differ.

use std::collections::HashSet;

use super::blocks::Blocks;
use super::chunk::for_each_chunk;
use super::chunking::CHUNK_ROWS;
use super::faults::infinite_value;
use super::points::Points;
use crate::error::{Error, Result};
use crate::math::Matrix;

impl dyn Blocks + '_ {
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

    /// Refuses missing values on behalf of a method whose name is not known here.
    pub(crate) fn require_complete_for_method(&self) -> Result<()> {
        self.require_complete("this method").map_err(|error| match error {
            Error::Data(reason) => Error::Incomplete(reason),
            error => error,
        })
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
             (empty_points = ignore)",
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

impl Points<'_> {
    /// Refuses missing values on behalf of `who`, for example "this method".
    pub(crate) fn require_complete(&self, who: &str) -> Result<()> {
        (self as &dyn Blocks).require_complete(who)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_count_like_equal_rows() {
        let points = Points::from_f64(vec![0.0, 1.0, 1.0, -0.0, 2.0, 3.0], 1).unwrap();
        let count = |points: &Points<'_>, most| (points as &dyn Blocks).count_up_to(most).unwrap();
        assert_eq!(count(&points, 100), 6);
        assert_eq!(count(&points, 3), 3);
        let weighted = |weights: &[f64]| points.clone().with_weights(weights.to_vec()).unwrap();
        assert_eq!(count(&weighted(&[1.0, 2.0, 0.0, 1.0, 0.0, 4.0]), 100), 8);
        // Of any scale: at least the points that differ.
        assert_eq!(count(&weighted(&[1e-3, 2e-3, 0.0, 1e-3, 0.0, 1e-3]), 100), 3);
    }
}
