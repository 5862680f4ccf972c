//! The mean and the extent of a source, found in passes whose sums add up.
//!
//! The sums of whole chunks are added in order, so whoever holds some chunks of the points gets the
//! same bytes as whoever holds them all.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::blocks::Blocks;
use super::chunk::{Chunk, update_chunks};
use super::chunking::{blocks, chunks};
use super::working::WorkingFrame;
use crate::error::{Error, Result};

/// The passes, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Pass {
    Weight,
    Mean,
    Extent,
    /// The mean again, now of small numbers: removes the rounding of the first.
    Rest,
    Spread,
    Done,
}

/// The search for the [`WorkingFrame`] of points that may be stored in several places: ask each for
/// its part of a pass, add the parts in the order of the rows, and continue with the sum until the
/// survey is done.
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
    frame: WorkingFrame,
}

/// The part of some points in a pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SurveyPart {
    /// Parts are combined by adding these, ...
    pub sums: Vec<f64>,
    /// ... and by taking the largest of these.
    pub largest: f64,
}

impl SurveyPart {
    /// This part and that of the points that follow; refused unless both are of the same pass.
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

    /// Adds the part of the points that follow.
    pub fn add(&mut self, next: &Self) {
        self.sums.iter_mut().zip(&next.sums).for_each(|(sum, x)| *sum += x);
        self.largest = self.largest.max(next.largest);
    }
}

impl Survey {
    /// A survey of points with so many coordinates, before its first pass.
    pub fn new(dims: usize) -> Self {
        let frame = WorkingFrame { origin: vec![0.0; dims], scale: 1.0, spread: 0.0 };
        Self { pass: Pass::Weight, weight: 0.0, frame }
    }

    /// Whether the frame is found.
    pub fn is_done(&self) -> bool {
        self.pass == Pass::Done
    }

    /// What has been found so far; all of it once the survey is done.
    pub fn frame(&self) -> &WorkingFrame {
        &self.frame
    }

    /// The frame; an error unless the survey is done.
    ///
    /// ```
    /// use midrib::Survey;
    /// assert!(Survey::new(1).finished().is_err());
    /// ```
    pub fn finished(&self) -> Result<&WorkingFrame> {
        match self.pass {
            Pass::Done => Ok(&self.frame),
            _ => Err(Error::data("the survey is not done: take all of its passes")),
        }
    }

    /// The part of these points in the current pass. Missing values are refused.
    pub fn look(&self, points: &dyn Blocks) -> Result<SurveyPart> {
        points.require_complete_for_method()?;
        if points.dims() != self.frame.origin.len() {
            let expected = format!("{} columns", self.frame.origin.len());
            return Err(Error::shape("points", expected, points.dims()));
        }
        self.look_at_observed(points)
    }

    /// The part of these points' observed values in the current pass.
    pub(super) fn look_at_observed(&self, points: &dyn Blocks) -> Result<SurveyPart> {
        let mut total = self.nothing();
        if self.pass == Pass::Weight {
            // Needs no rows.
            for chunk in chunks(points.len()) {
                let of_block = |rows: std::ops::Range<usize>| -> f64 {
                    rows.map(|i| points.weight(i)).filter(|&weight| weight > 0.0).sum()
                };
                total.sums[0] += blocks(&chunk).into_iter().map(of_block).sum::<f64>();
            }
            return Ok(total);
        }
        let mut states = vec![(); chunks(points.len()).count()];
        let add = |part: SurveyPart| total.add(&part);
        update_chunks(points, &mut states, |chunk, ()| self.look_at(chunk), add)?;
        Ok(total)
    }

    fn nothing(&self) -> SurveyPart {
        let sums = match self.pass {
            // Sums, followed by the shares of the weight whose value is missing.
            Pass::Mean | Pass::Rest => 2 * self.frame.origin.len(),
            _ => 1,
        };
        SurveyPart { sums: vec![0.0; sums], largest: 0.0 }
    }

    fn look_at(&self, chunk: &Chunk<'_>) -> SurveyPart {
        let parts: Vec<SurveyPart> = chunk
            .blocks()
            .into_par_iter()
            .map(|rows| {
                let mut part = self.nothing();
                let mut row = vec![0.0; chunk.dims()];
                for i in rows.filter(|&i| chunk.weight(i) > 0.0) {
                    chunk.copy_row(i, &mut row);
                    self.add_row(&mut part, &mut row, chunk.weight(i));
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
            Pass::Weight | Pass::Done => {}
        }
    }

    /// Continues with the sum over all points.
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
                        "the points are so large or so small that their squares overflow: \
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

/// Means of observed values, from their sums and from the missing shares of the weight.
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
