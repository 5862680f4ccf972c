//! Points in working coordinates: centred, and scaled by a power of two to the unit box.

mod frame;
mod order;

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Points;

pub use frame::{CHUNK_ROWS, Frame, Survey, SurveyPart};
pub(crate) use frame::{blocks, chunks};

/// The points as the engine sees them, widened to double precision row by row.
///
/// Centring keeps squared distances from cancelling, and the scale keeps them from
/// overflowing: data at 1e150 or around 1e9 are learnt like data around zero. A power of two
/// changes no digit. No coordinates are copied.
///
/// ```
/// use midrib::{Cloud, Points};
/// let points = Points::from_f64(vec![1e9, 1e9 + 4.0], 1)?;
/// let cloud = Cloud::new(&points)?;
/// let mut row = [0.0];
/// cloud.copy_row(1, &mut row);
/// assert!(row[0] > 0.0 && row[0] <= 1.0);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cloud<'a> {
    points: &'a Points<'a>,
    frame: Frame,
    by_place: OnceLock<Vec<u32>>,
}

impl<'a> Cloud<'a> {
    /// Finds the mean and the extent of the points. Gaps are refused.
    pub fn new(points: &'a Points<'a>) -> Result<Self> {
        points.require_complete("this method")?;
        Self::measured(points)
    }

    /// The same for points with gaps: mean, extent and spread are those of the known values, and
    /// rows hold NaN where a value is not known. A point or a column without any known value is
    /// refused.
    ///
    /// ```
    /// use midrib::{Cloud, Points};
    /// let points = Points::from_f64(vec![1.0, f64::NAN, 3.0, 4.0], 2)?;
    /// let cloud = Cloud::with_gaps(&points)?;
    /// assert_eq!(cloud.spread() * cloud.square_unit(), 2.0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn with_gaps(points: &'a Points<'a>) -> Result<Self> {
        points.require_known()?;
        if points.gaps() > 0 {
            let mut row = vec![0.0; points.dims()];
            let mut known = vec![false; points.dims()];
            for i in (0..points.len()).filter(|&i| points.weight(i) > 0.0) {
                points.copy_row(i, &mut row);
                known.iter_mut().zip(&row).for_each(|(known, x)| *known |= !x.is_nan());
            }
            if let Some(column) = known.iter().position(|known| !known) {
                return Err(Error::data(format!(
                    "column {}: every value is a gap; leave that column out",
                    column + 1
                )));
            }
        }
        Self::measured(points)
    }

    fn measured(points: &'a Points<'a>) -> Result<Self> {
        let mut survey = Survey::new(points.dims());
        while !survey.is_done() {
            survey = survey.take(&survey.look_at_known(points))?;
        }
        Ok(Self { points, frame: survey.frame().clone(), by_place: OnceLock::new() })
    }

    /// The points in a given frame, which may be that of many more. Gaps are refused.
    pub fn within(points: &'a Points<'a>, frame: Frame) -> Result<Self> {
        points.require_complete("this method")?;
        Ok(Self { points, frame, by_place: OnceLock::new() })
    }

    /// The points in the caller's coordinates.
    pub fn points(&self) -> &'a Points<'a> {
        self.points
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The number of coordinates.
    pub fn dims(&self) -> usize {
        self.points.dims()
    }

    /// The weighted sum of squared distances from the mean, in working units.
    pub fn spread(&self) -> f64 {
        self.frame.spread
    }

    /// One working unit of squared distance, in the caller's units.
    pub fn square_unit(&self) -> f64 {
        self.frame.square_unit()
    }

    /// Copies point `i` in working coordinates into `row`.
    pub fn copy_row(&self, i: usize, row: &mut [f64]) {
        self.points.copy_row(i, row);
        self.frame.enter(row);
    }

    /// Carries rows from the caller's coordinates into working ones.
    pub fn to_working(&self, rows: Matrix) -> Matrix {
        self.frame.to_working(rows)
    }

    /// A length in the caller's units times this is one in working units.
    pub(crate) fn scale(&self) -> f64 {
        self.frame.scale
    }

    /// Carries rows from working coordinates back to the caller's origin, not to their scale.
    pub(crate) fn to_scaled(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            for (x, origin) in rows.row_mut(i).iter_mut().zip(&self.frame.origin) {
                *x += origin * self.frame.scale;
            }
        }
        rows
    }

    /// Carries rows from working coordinates back to the caller's.
    pub fn to_data(&self, rows: Matrix) -> Matrix {
        self.frame.to_data(rows)
    }

    /// The row numbers in an order in which neighbours follow each other; found once.
    pub(crate) fn by_place(&self) -> &[u32] {
        self.by_place.get_or_init(|| order::by_place(self))
    }

    /// Sums `value(row, weight)` over the points, block by block in a fixed order.
    pub(crate) fn total(&self, value: impl Fn(&[f64], f64) -> f64 + Sync) -> f64 {
        self.per_block(|rows| {
            let mut row = vec![0.0; self.dims()];
            let mut sum = 0.0;
            for i in rows {
                self.copy_row(i, &mut row);
                sum += value(&row, self.points.weight(i));
            }
            sum
        })
        .into_iter()
        .sum()
    }

    /// The results of `work` on each block, in the order of the blocks.
    pub(crate) fn per_block<T: Send>(&self, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        per_block(self.points, work)
    }
}

/// The results of `work` on each block of points, in the order of the blocks.
pub(crate) fn per_block<T: Send>(
    points: &Points<'_>,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let blocks = (0..points.n_blocks()).into_par_iter();
    blocks.map(|b| work(points.block_rows(b))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            cloud.copy_row(1, &mut row);
            assert!(row.iter().all(|x| x.abs() <= 1.0));
        }
    }

    #[test]
    fn the_mean_with_gaps_is_that_of_what_is_known() {
        let nan = f64::NAN;
        let values = vec![1.0, nan, 3.0, 10.0, nan, 30.0, 5.0, nan];
        let points = Points::from_f64(values, 2).unwrap();
        let cloud = Cloud::with_gaps(&points).unwrap();
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
        let message = Cloud::with_gaps(&points).unwrap_err().to_string();
        assert!(message.starts_with("row 2 (id b): every value is a gap"), "{message}");
        let points = Points::from_f64(vec![1.0, nan, 2.0, nan], 2).unwrap();
        let message = Cloud::with_gaps(&points).unwrap_err().to_string();
        assert!(message.starts_with("column 2: every value is a gap"), "{message}");
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
    fn gaps_are_refused() {
        let points = Points::from_f64(vec![1.0, f64::NAN], 1).unwrap();
        let message = Cloud::new(&points).unwrap_err().to_string();
        assert_eq!(
            message,
            "1 value is a gap (NaN), and this method needs complete points: fill it in or leave \
             that row out"
        );
        let points = Points::from_f64(vec![1.0, f64::NAN, f64::NAN], 1).unwrap();
        let message = Cloud::new(&points).unwrap_err().to_string();
        assert!(message.starts_with("2 values are gaps (NaN)"), "{message}");
    }
}
