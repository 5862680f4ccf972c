//! A source in working coordinates: centered, and scaled by a power of two to the unit box.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use super::blocks::Blocks;
use super::chunk::{Chunk, gathered, update_chunks};
use super::chunking::{CHUNK_ROWS, chunks};
use super::survey::Survey;
use super::working::WorkingFrame;
use super::working_chunk::WorkingChunk;
use crate::error::{Error, Result};
use crate::math::Matrix;

/// A source in working coordinates, converted to double precision row by row.
///
/// Centering keeps squared distances from canceling, and the scale keeps them from
/// overflowing: data at 1e150 or around 1e9 are learned like data around zero. A power of two
/// changes no digit. No coordinates are copied.
///
/// ```
/// use midrib::{Cloud, Points};
/// let points = Points::from_f64(vec![1e9, 1e9 + 4.0], 1)?;
/// let cloud = Cloud::new(&points)?;
/// let mut row = [0.0];
/// cloud.copy_row(1, &mut row)?;
/// assert!(row[0] > 0.0 && row[0] <= 1.0);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone)]
pub struct Cloud<'a> {
    source: &'a dyn Blocks,
    frame: WorkingFrame,
    missing: usize,
    /// The spatial order of each chunk's rows, two bytes per row.
    orders: Vec<OnceLock<Box<[u16]>>>,
}

impl<'a> Cloud<'a> {
    /// Finds the mean and the extent of the points. Missing values are refused.
    pub fn new(source: &'a dyn Blocks) -> Result<Self> {
        source.check_shape()?;
        source.require_complete_for_method()?;
        Self::surveyed(source, 0)
    }

    /// The same for points with missing values: mean, extent and spread are those of the known
    /// values, and rows hold NaN where a value is missing. A point or a column without any known
    /// value is refused.
    ///
    /// ```
    /// use midrib::{Cloud, Points};
    /// let points = Points::from_f64(vec![1.0, f64::NAN, 3.0, 4.0], 2)?;
    /// let cloud = Cloud::with_missing(&points)?;
    /// assert_eq!(cloud.spread() * cloud.square_unit(), 2.0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn with_missing(source: &'a dyn Blocks) -> Result<Self> {
        source.check_shape()?;
        let missing = source.count_missing()?;
        if missing > 0 {
            source.require_some_values()?;
        }
        Self::surveyed(source, missing)
    }

    fn surveyed(source: &'a dyn Blocks, missing: usize) -> Result<Self> {
        let mut survey = Survey::new(source.dims());
        while !survey.is_done() {
            survey = survey.take(&survey.look_at_observed(source)?)?;
        }
        Ok(Self::in_frame(source, survey.frame().clone(), missing))
    }

    fn in_frame(source: &'a dyn Blocks, frame: WorkingFrame, missing: usize) -> Self {
        let orders = vec![OnceLock::new(); chunks(source.len()).count()];
        Self { source, frame, missing, orders }
    }

    /// The points in a given frame, which may be that of many more. Missing values are refused.
    pub fn within(source: &'a dyn Blocks, frame: WorkingFrame) -> Result<Self> {
        source.check_shape()?;
        source.require_complete_for_method()?;
        Ok(Self::in_frame(source, frame, 0))
    }

    /// From the caller's coordinates to working coordinates.
    pub(crate) fn frame(&self) -> &WorkingFrame {
        &self.frame
    }

    /// The points in the caller's coordinates.
    pub fn source(&self) -> &'a dyn Blocks {
        self.source
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.source.is_empty()
    }

    /// The number of coordinates.
    pub fn dims(&self) -> usize {
        self.source.dims()
    }

    /// The number of missing values.
    pub fn missing_values(&self) -> usize {
        self.missing
    }

    /// The weight of point `i`.
    pub fn weight(&self, i: usize) -> f64 {
        self.source.weight(i)
    }

    /// The sum of the weights.
    pub fn total_weight(&self) -> f64 {
        self.source.total_weight()
    }

    /// The weighted sum of squared distances from the mean, in working units.
    pub fn spread(&self) -> f64 {
        self.frame.spread
    }

    /// Refuses points that are all equal.
    pub(crate) fn require_spread(&self) -> Result<()> {
        if self.spread() > 0.0 {
            return Ok(());
        }
        Err(Error::data(match self.len() {
            1 => "there is a single point: give at least two that differ".into(),
            n => format!("all {n} points are equal: there is nothing to learn"),
        }))
    }

    /// One working unit of squared distance, in the caller's units.
    pub fn square_unit(&self) -> f64 {
        self.frame.square_unit()
    }

    /// Copies point `i` in working coordinates into `row`. Passes over many points read chunks.
    pub fn copy_row(&self, i: usize, row: &mut [f64]) -> Result<()> {
        match self.source.in_memory() {
            Some(points) => points.copy_row(i, row),
            None => self.source.read(i..i + 1, row)?,
        }
        self.frame.enter(row);
        Ok(())
    }

    /// Some points in working coordinates, in the order of their numbers in `rows`.
    pub(crate) fn read_rows(&self, rows: &[usize]) -> Result<Matrix> {
        Ok(self.to_working(self.source.read_rows(rows)?))
    }

    /// Converts rows from the caller's coordinates to working coordinates.
    pub fn to_working(&self, rows: Matrix) -> Matrix {
        self.frame.to_working(rows)
    }

    /// A length in the caller's units times this is one in working units.
    pub(crate) fn scale(&self) -> f64 {
        self.frame.scale
    }

    /// Moves rows from working coordinates back to the caller's origin, not to their scale.
    pub(crate) fn to_scaled(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            for (x, origin) in rows.row_mut(i).iter_mut().zip(&self.frame.origin) {
                *x += origin * self.frame.scale;
            }
        }
        rows
    }

    /// Converts rows from working coordinates to the caller's.
    pub fn to_data(&self, rows: Matrix) -> Matrix {
        self.frame.to_data(rows)
    }

    /// The row numbers in spatial order within each chunk: neighbors follow each other.
    pub(crate) fn spatial_order(&self) -> Result<Vec<u32>> {
        if self.orders.iter().any(|order| order.get().is_none()) {
            self.per_chunk(|chunk| _ = chunk.order(), |()| ())?;
        }
        let ordered = self.orders.iter().zip(chunks(self.len())).flat_map(|(order, rows)| {
            let order = order.get().map_or(&[][..], |order| order);
            order.iter().map(move |&at| rows.start as u32 + u32::from(at))
        });
        Ok(ordered.collect())
    }

    /// Calls `work` on each chunk, and `take` on the results in the order of the chunks.
    pub(crate) fn per_chunk<T: Send>(
        &self,
        work: impl Fn(&WorkingChunk<'_>) -> T + Sync,
        take: impl FnMut(T),
    ) -> Result<()> {
        let mut states = vec![(); self.orders.len()];
        self.update_chunks(&mut states, |chunk, ()| work(chunk), take)
    }

    /// The same with a state for each chunk.
    pub(crate) fn update_chunks<S: Send, T: Send>(
        &self,
        states: &mut [S],
        work: impl Fn(&WorkingChunk<'_>, &mut S) -> T + Sync,
        take: impl FnMut(T),
    ) -> Result<()> {
        let in_frame = |chunk: &Chunk<'_>, state: &mut S| {
            let order = &self.orders[chunk.rows().start / CHUNK_ROWS];
            work(&WorkingChunk::new(chunk, &self.frame, order), state)
        };
        update_chunks(self.source, states, in_frame, take)
    }

    /// The results of `work` on each block, in the order of the blocks.
    pub(crate) fn per_block<T: Send>(
        &self,
        work: impl Fn(&WorkingChunk<'_>, Range<usize>) -> T + Sync,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        let on_blocks = |chunk: &WorkingChunk<'_>| chunk.per_block(|rows| work(chunk, rows));
        self.per_chunk(on_blocks, |of_chunk| found.extend(of_chunk))?;
        Ok(found)
    }

    /// The result of `work` on some points, which are gathered into one chunk without weights.
    pub(crate) fn on_rows<T>(
        &self,
        rows: &[usize],
        work: impl FnOnce(&WorkingChunk<'_>) -> T,
    ) -> Result<T> {
        let values = self.source.read_rows(rows)?;
        let chunk = gathered(values.as_slice(), self.dims());
        Ok(work(&WorkingChunk::new(&chunk, &self.frame, &OnceLock::new())))
    }

    /// Sums `value(row, weight)` over the points, block by block in a fixed order.
    pub(crate) fn total(&self, value: impl Fn(&[f64], f64) -> f64 + Sync) -> Result<f64> {
        let of_blocks = self.per_block(|chunk, rows| {
            let mut row = vec![0.0; chunk.dims()];
            let mut sum = 0.0;
            for i in rows {
                chunk.copy_row(i, &mut row);
                sum += value(&row, chunk.weight(i));
            }
            sum
        })?;
        Ok(of_blocks.into_iter().sum())
    }
}

/// The points in working coordinates, as a source of their own.
impl Blocks for Cloud<'_> {
    fn len(&self) -> usize {
        self.source.len()
    }

    fn dims(&self) -> usize {
        self.source.dims()
    }

    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()> {
        self.source.read(rows, into)?;
        into.chunks_exact_mut(self.dims()).for_each(|row| self.frame.enter(row));
        Ok(())
    }

    fn name(&self) -> Cow<'_, str> {
        self.source.name()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.source.weights()
    }

    fn id(&self, i: usize) -> Cow<'_, str> {
        self.source.id(i)
    }

    fn missing_values(&self) -> Option<usize> {
        Some(self.missing)
    }

    fn max_memory(&self) -> Option<u64> {
        self.source.max_memory()
    }
}

impl fmt::Debug for Cloud<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Cloud");
        debug.field("source", &self.source.name()).field("frame", &self.frame);
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    #[test]
    fn huge_and_shifted_data_come_into_the_unit_box() {
        for factor in [1e-150, 1.0, 1e150] {
            let values: Vec<f64> = [3.0, 1.0, 7.0, 2.0].iter().map(|x| x * factor).collect();
            let points = Points::from_f64(values, 2).unwrap();
            let cloud = Cloud::new(&points).unwrap();
            assert!(
                (cloud.spread() * cloud.square_unit() / (8.5 * factor * factor) - 1.0).abs()
                    < 1e-12
            );
            let mut row = [0.0; 2];
            cloud.copy_row(1, &mut row).unwrap();
            assert!(row.iter().all(|x| x.abs() <= 1.0));
        }
    }

    #[test]
    fn the_mean_is_that_of_the_known_values() {
        let nan = f64::NAN;
        let values = vec![1.0, nan, 3.0, 10.0, nan, 30.0, 5.0, nan];
        let points = Points::from_f64(values, 2).unwrap();
        let cloud = Cloud::with_missing(&points).unwrap();
        let origin = cloud.to_data(Matrix::zeros(1, 2));
        assert!((origin.row(0)[0] - 3.0).abs() < 1e-14 && (origin.row(0)[1] - 20.0).abs() < 1e-13);
        assert!((cloud.spread() * cloud.square_unit() - 208.0).abs() < 1e-11);
    }

    #[test]
    fn points_and_columns_without_values_are_named() {
        let nan = f64::NAN;
        let points = Points::from_f64(vec![1.0, 2.0, nan, nan], 2)
            .unwrap()
            .with_ids(vec!["a".into(), "b".into()])
            .unwrap();
        let message = Cloud::with_missing(&points).unwrap_err().to_string();
        assert!(message.starts_with("row 2 (id b): every value is missing"), "{message}");
        let points = Points::from_f64(vec![1.0, nan, 2.0, nan], 2).unwrap();
        let message = Cloud::with_missing(&points).unwrap_err().to_string();
        assert!(message.starts_with("column 2: every value is missing"), "{message}");
    }

    #[test]
    fn whole_chunks_give_the_frame_of_all_points() {
        let n = 2 * CHUNK_ROWS + 1000;
        let values: Vec<f64> = (0..2 * n).map(|i| (1.7 * i as f64).sin() + 1e3).collect();
        let weights: Vec<f64> = (0..n).map(|i| (i % 4) as f64).collect();
        let points = |rows: Range<usize>| {
            let values = &values[2 * rows.start..2 * rows.end];
            Points::from_f64(values, 2).unwrap().with_weights(&weights[rows]).unwrap()
        };
        let mut survey = Survey::new(2);
        while !survey.is_done() {
            let mut parts = chunks(n).map(|rows| survey.look(&points(rows)).unwrap());
            let mut sum = parts.next().unwrap();
            parts.for_each(|part| sum.add(&part));
            survey = survey.take(&sum).unwrap();
        }
        assert_eq!(*survey.frame(), Cloud::new(&points(0..n)).unwrap().frame);
    }

    #[test]
    fn missing_values_are_refused() {
        let points = Points::from_f64(vec![1.0, f64::NAN], 1).unwrap();
        let message = Cloud::new(&points).unwrap_err().to_string();
        assert_eq!(
            message,
            "1 value is missing (NaN): row 2, column 1; this method needs complete points: fill it \
             in or leave that row out"
        );
        let points = Points::from_f64(vec![1.0, f64::NAN, f64::NAN], 1).unwrap();
        let message = Cloud::new(&points).unwrap_err().to_string();
        assert!(message.starts_with("2 values are missing (NaN)"), "{message}");
    }
}
