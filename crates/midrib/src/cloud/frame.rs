//! Where the points lie and how far they reach: found pass by pass, from sums that add up.
//!
//! Points are looked at in chunks of [`CHUNK_ROWS`] rows, whose parts are added in order. Whoever
//! holds some whole chunks gets the same bytes as whoever holds them all.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Points;

/// Rows whose sums are found as one.
pub const CHUNK_ROWS: usize = 1 << 16;
/// A chunk is cut into about this many blocks, whatever the number of threads, ...
const BLOCKS: usize = 32;
/// ... of at least this many rows.
const FEWEST_ROWS: usize = 256;

/// The chunks of so many rows.
pub(crate) fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows.div_ceil(CHUNK_ROWS)).map(move |c| c * CHUNK_ROWS..((c + 1) * CHUNK_ROWS).min(rows))
}

/// The blocks of a chunk. Their number and size depend on the chunk alone.
pub(crate) fn blocks(chunk: &Range<usize>) -> impl ExactSizeIterator<Item = Range<usize>> + use<> {
    let Range { start, end } = *chunk;
    let size = (chunk.len() / BLOCKS).max(FEWEST_ROWS);
    (0..chunk.len().div_ceil(size))
        .map(move |b| start + b * size..(start + (b + 1) * size).min(end))
}

/// Working coordinates: those of the caller minus `origin`, times `scale`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// The weighted mean of the points.
    pub origin: Vec<f64>,
    /// A power of two that brings the points into the unit box.
    pub scale: f64,
    /// The weighted sum of squared distances from the mean, in working units.
    pub spread: f64,
}

impl Frame {
    /// One working unit of squared distance, in the caller's units.
    pub fn square_unit(&self) -> f64 {
        (1.0 / self.scale) / self.scale
    }

    /// Carries rows from the caller's coordinates into working ones.
    pub fn to_working(&self, mut rows: Matrix) -> Matrix {
        for i in 0..rows.n_rows() {
            self.enter(rows.row_mut(i));
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

    pub(super) fn enter(&self, row: &mut [f64]) {
        for (x, origin) in row.iter_mut().zip(&self.origin) {
            *x = (*x - origin) * self.scale;
        }
    }
}

/// What is looked for, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Pass {
    Weight,
    Mean,
    Extent,
    /// The mean once more, now of small numbers: removes the rounding of the first.
    Rest,
    Spread,
    Done,
}

/// The search for a [`Frame`] over points that may lie in several places: ask each for a part,
/// add the parts in the order of the rows, and go on with the sum until it is done.
///
/// ```
/// use midrib::{Points, Survey};
/// let blocks = [Points::from_f64(vec![1.0, 2.0], 1)?, Points::from_f64(vec![6.0], 1)?];
/// let mut survey = Survey::new(1);
/// while !survey.is_done() {
///     let mut sum = survey.look(&blocks[0])?;
///     sum.add(&survey.look(&blocks[1])?);
///     survey = survey.take(&sum)?;
/// }
/// assert_eq!(survey.frame().origin, [3.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    pass: Pass,
    weight: f64,
    frame: Frame,
}

/// What some points contribute to a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyPart {
    /// Adds up.
    pub sums: Vec<f64>,
    /// The largest counts.
    pub largest: f64,
}

impl SurveyPart {
    /// This part and that of points that follow; refused unless both are of the same pass.
    ///
    /// ```
    /// use midrib::SurveyPart;
    /// let part = SurveyPart { sums: vec![1.0, 2.0], largest: 0.5 };
    /// assert_eq!(part.plus(&part)?.sums, [2.0, 4.0]);
    /// assert!(part.plus(&SurveyPart { sums: vec![1.0], largest: 0.0 }).is_err());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn plus(&self, next: &Self) -> Result<Self> {
        if self.sums.len() != next.sums.len() {
            return Err(Error::shape("sums of this pass", self.sums.len(), next.sums.len()));
        }
        let mut sum = self.clone();
        sum.add(next);
        Ok(sum)
    }

    /// Joins the part of points that follow.
    pub fn add(&mut self, next: &Self) {
        self.sums.iter_mut().zip(&next.sums).for_each(|(sum, x)| *sum += x);
        self.largest = self.largest.max(next.largest);
    }
}

impl Survey {
    /// Before anything is known of points with so many coordinates.
    pub fn new(dims: usize) -> Self {
        let frame = Frame { origin: vec![0.0; dims], scale: 1.0, spread: 0.0 };
        Self { pass: Pass::Weight, weight: 0.0, frame }
    }

    /// Whether the frame is found.
    pub fn is_done(&self) -> bool {
        self.pass == Pass::Done
    }

    /// What is known so far; all of it once the survey is done.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The frame, which is known once the survey is done.
    ///
    /// ```
    /// use midrib::Survey;
    /// assert!(Survey::new(1).finished().is_err());
    /// ```
    pub fn finished(&self) -> Result<&Frame> {
        match self.pass {
            Pass::Done => Ok(&self.frame),
            _ => Err(Error::data("the survey is not done: take all of its passes")),
        }
    }

    /// What these points contribute to the present pass. Gaps are refused.
    pub fn look(&self, points: &Points<'_>) -> Result<SurveyPart> {
        points.require_complete("this method")?;
        if points.dims() != self.frame.origin.len() {
            let expected = format!("{} columns", self.frame.origin.len());
            return Err(Error::shape("points", expected, points.dims()));
        }
        Ok(self.look_at_known(points))
    }

    /// What the known values of these points contribute to the present pass.
    pub(super) fn look_at_known(&self, points: &Points<'_>) -> SurveyPart {
        let mut total = self.nothing();
        for chunk in chunks(points.len()) {
            total.add(&self.look_at(points, &chunk));
        }
        total
    }

    fn nothing(&self) -> SurveyPart {
        let sums = match self.pass {
            // Sums, and behind them the shares of weight whose value is not known.
            Pass::Mean | Pass::Rest => 2 * self.frame.origin.len(),
            _ => 1,
        };
        SurveyPart { sums: vec![0.0; sums], largest: 0.0 }
    }

    fn look_at(&self, points: &Points<'_>, chunk: &Range<usize>) -> SurveyPart {
        let parts: Vec<SurveyPart> = blocks(chunk)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|rows| {
                let mut part = self.nothing();
                let mut row = vec![0.0; points.dims()];
                for i in rows.filter(|&i| points.weight(i) > 0.0) {
                    points.copy_row(i, &mut row);
                    self.add_row(&mut part, &mut row, points.weight(i));
                }
                part
            })
            .collect();
        let mut total = self.nothing();
        parts.iter().for_each(|part| total.add(part));
        total
    }

    fn add_row(&self, part: &mut SurveyPart, row: &mut [f64], weight: f64) {
        self.frame.enter(row);
        match self.pass {
            Pass::Weight => part.sums[0] += weight,
            Pass::Mean | Pass::Rest => {
                let share = weight / self.weight;
                let (sums, missing) = part.sums.split_at_mut(row.len());
                for ((sum, missing), x) in sums.iter_mut().zip(missing).zip(row) {
                    if x.is_nan() {
                        *missing += share;
                    } else {
                        *sum += share * *x;
                    }
                }
            }
            Pass::Extent => {
                part.largest = row.iter().fold(part.largest, |largest, x| largest.max(x.abs()));
            }
            Pass::Spread => {
                let square = |x: &f64| if x.is_nan() { 0.0 } else { x * x };
                part.sums[0] += weight * row.iter().map(square).sum::<f64>();
            }
            Pass::Done => {}
        }
    }

    /// Goes on with the sum over all points.
    pub fn take(&self, all: &SurveyPart) -> Result<Self> {
        let expected = self.nothing().sums.len();
        if all.sums.len() != expected {
            return Err(Error::shape("sums of this pass", expected, all.sums.len()));
        }
        let mut next = self.clone();
        let frame = &mut next.frame;
        next.pass = match self.pass {
            Pass::Weight => {
                next.weight = all.sums[0];
                Pass::Mean
            }
            Pass::Mean => {
                frame.origin = means(&all.sums);
                Pass::Extent
            }
            Pass::Extent => {
                frame.scale = power_of_two_near(all.largest);
                if !frame.square_unit().is_normal() {
                    return Err(Error::data(
                        "the points are so large or so small that their squares are no numbers: \
                         rescale them",
                    ));
                }
                Pass::Rest
            }
            Pass::Rest => {
                for (origin, rest) in frame.origin.iter_mut().zip(means(&all.sums)) {
                    *origin += rest / frame.scale;
                }
                Pass::Spread
            }
            Pass::Spread | Pass::Done => {
                frame.spread = all.sums[0];
                Pass::Done
            }
        };
        Ok(next)
    }
}

/// Means of known values, from their sums and from the missing shares of the weight.
fn means(parts: &[f64]) -> Vec<f64> {
    let (sums, missing) = parts.split_at(parts.len() / 2);
    let mean = |(sum, missing): (&f64, &f64)| match *missing > 0.0 {
        true => sum / (1.0 - missing),
        false => *sum,
    };
    sums.iter().zip(missing).map(mean).collect()
}

/// The power of two that brings `extent` into 0.5..=1; 1 for an extent of zero.
fn power_of_two_near(extent: f64) -> f64 {
    if extent > 0.0 && extent.is_finite() { (-extent.log2().ceil()).exp2() } else { 1.0 }
}
