//! Where a new segment starts. Verbeek2002, insertion of segments.

use rayon::prelude::*;

use crate::error::Result;
use crate::learn::pieces::{Piece, Share, nearest};
use crate::math::{Matrix, squared_distance};
use crate::points::Cloud;

/// Half the length of a segment in standard deviations of its points.
pub(super) const REACH: f64 = 1.5;
/// The fewest points from which a segment can start.
const FEWEST: usize = 3;

/// Some of the points, among which new segments are sought.
pub(super) struct Candidates<'a> {
    cloud: &'a Cloud<'a>,
    rows: Matrix,
}

impl<'a> Candidates<'a> {
    pub fn new(cloud: &'a Cloud<'a>) -> Result<Self> {
        let all: Vec<usize> = (0..cloud.len()).collect();
        Ok(Self { cloud, rows: cloud.read_rows(&all)? })
    }

    /// The segment of the points that are nearer to one point than to any segment, that point for
    /// which their squared distances fall most; none if every such set is too small.
    pub fn best(&self, segments: &[Piece]) -> Result<Option<Piece>> {
        let dims = self.rows.n_cols();
        let distances: Vec<f64> = (0..self.rows.n_rows())
            .into_par_iter()
            .map(|i| nearest(segments, self.rows.row(i), &mut vec![0.0; dims]).0)
            .collect();
        let nearer = |q: usize| {
            let fall = move |(i, distance): (usize, &f64)| {
                (i, distance - squared_distance(self.rows.row(i), self.rows.row(q)))
            };
            distances.iter().enumerate().map(fall).filter(|(_, fall)| *fall > 0.0)
        };
        let gain = |q: usize| {
            let (mut gain, mut count) = (0.0, 0);
            for (i, fall) in nearer(q) {
                gain += self.cloud.weight(i) * fall;
                count += 1;
            }
            if count < FEWEST { 0.0 } else { gain }
        };
        let gains: Vec<f64> = (0..self.rows.n_rows()).into_par_iter().map(gain).collect();
        let mut best = 0;
        for q in 1..gains.len() {
            if gains[q] > gains[best] {
                best = q;
            }
        }
        if gains[best] <= 0.0 {
            return Ok(None);
        }
        let start = Piece::at(self.rows.row(best), 1, Some(REACH));
        let mut share = Share::zeros(dims);
        let mut offset = vec![0.0; dims];
        for (i, _) in nearer(best) {
            let row = self.rows.row(i).iter().zip(&start.center);
            offset.iter_mut().zip(row).for_each(|(to, (x, c))| *to = x - c);
            share.add(&offset, self.cloud.weight(i));
        }
        share.principal(&start).map(Some)
    }
}
