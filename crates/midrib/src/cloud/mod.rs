//! Points in working coordinates: centred, and scaled by a power of two to the unit box.

mod order;

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Points;

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
    origin: Vec<f64>,
    scale: f64,
    spread: f64,
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
        let mut cloud = Self {
            points,
            origin: vec![0.0; points.dims()],
            scale: 1.0,
            spread: 0.0,
            by_place: OnceLock::new(),
        };
        cloud.origin = cloud.mean();
        cloud.scale = power_of_two_near(cloud.extent());
        if !cloud.square_unit().is_normal() {
            return Err(Error::data(
                "the points are so large or so small that their squares are no numbers: rescale them",
            ));
        }
        // The mean once more, now of small numbers: removes the rounding of the first.
        let rest = cloud.mean();
        for (origin, rest) in cloud.origin.iter_mut().zip(rest) {
            *origin += rest / cloud.scale;
        }
        let square = |x: &f64| if x.is_nan() { 0.0 } else { x * x };
        cloud.spread = cloud.total(|row, weight| weight * row.iter().map(square).sum::<f64>());
        Ok(cloud)
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
        self.spread
    }

    /// One working unit of squared distance, in the caller's units.
    pub fn square_unit(&self) -> f64 {
        (1.0 / self.scale) / self.scale
    }

    /// Copies point `i` in working coordinates into `row`.
    pub fn copy_row(&self, i: usize, row: &mut [f64]) {
        self.points.copy_row(i, row);
        self.enter(row);
    }

    /// Carries rows from the caller's coordinates into working ones.
    pub fn to_working(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            self.enter(rows.row_mut(i));
        }
        rows
    }

    /// A length in the caller's units times this is one in working units.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Carries rows from working coordinates back to the caller's origin, not to their scale.
    pub(crate) fn to_scaled(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            for (x, origin) in rows.row_mut(i).iter_mut().zip(&self.origin) {
                *x += origin * self.scale;
            }
        }
        rows
    }

    /// Carries rows from working coordinates back to the caller's.
    pub fn to_data(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            for (x, origin) in rows.row_mut(i).iter_mut().zip(&self.origin) {
                *x = *x / self.scale + origin;
            }
        }
        rows
    }

    /// The row numbers in an order in which neighbours follow each other; found once.
    pub(crate) fn by_place(&self) -> &[u32] {
        self.by_place.get_or_init(|| order::by_place(self))
    }

    fn enter(&self, row: &mut [f64]) {
        for (x, origin) in row.iter_mut().zip(&self.origin) {
            *x = (*x - origin) * self.scale;
        }
    }

    /// The weighted mean of the known values, in current working coordinates.
    fn mean(&self) -> Vec<f64> {
        let total = self.points.total_weight();
        let mut mean = vec![0.0; self.dims()];
        let mut missing = vec![0.0; self.dims()];
        for (sum, gaps) in self.per_block(|rows| {
            let mut row = vec![0.0; self.dims()];
            let mut sum = vec![0.0; self.dims()];
            let mut gaps = vec![0.0; self.dims()];
            for i in rows {
                self.copy_row(i, &mut row);
                let share = self.points.weight(i) / total;
                for ((s, gap), x) in sum.iter_mut().zip(&mut gaps).zip(&row) {
                    if x.is_nan() {
                        *gap += share;
                    } else {
                        *s += share * x;
                    }
                }
            }
            (sum, gaps)
        }) {
            mean.iter_mut().zip(sum).for_each(|(m, s)| *m += s);
            missing.iter_mut().zip(gaps).for_each(|(m, gap)| *m += gap);
        }
        for (mean, missing) in mean.iter_mut().zip(missing) {
            if missing > 0.0 {
                *mean /= 1.0 - missing;
            }
        }
        mean
    }

    /// The largest coordinate, by absolute value, of a point that counts.
    fn extent(&self) -> f64 {
        self.per_block(|rows| {
            let mut row = vec![0.0; self.dims()];
            let mut extent: f64 = 0.0;
            for i in rows.filter(|&i| self.points.weight(i) > 0.0) {
                self.copy_row(i, &mut row);
                extent = row.iter().fold(extent, |max, x| max.max(x.abs()));
            }
            extent
        })
        .into_iter()
        .fold(0.0, f64::max)
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

/// The power of two that brings `extent` into 0.5..=1; 1 for an extent of zero.
fn power_of_two_near(extent: f64) -> f64 {
    if extent > 0.0 && extent.is_finite() { (-extent.log2().ceil()).exp2() } else { 1.0 }
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
