//! Well spread starting nodes: k-means++ seeding.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::error::Result;
use crate::math::simd::squared_distance_in_lanes;
use crate::math::{Matrix, squared_distance};
use crate::points::{Cloud, WorkingChunk};

/// Up to `count` of the points, in working coordinates, each drawn with a probability
/// proportional to its squared distance from those before it (Arthur2007).
/// There are fewer only if fewer points differ.
///
/// Draws go by cumulated weight along the order of the points: use it on a
/// [`sample`](super::sample), whose order does not depend on that of the rows.
///
/// ```
/// use midrib::{Cloud, Points, prepare::landmarks};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 1.0, 9.0], 1)?;
/// let nodes = landmarks(&Cloud::new(&points)?, 4, 0)?;
/// assert_eq!(nodes.n_rows(), 3);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn landmarks(cloud: &Cloud<'_>, count: usize, seed: u64) -> Result<Matrix> {
    best_landmarks(cloud, count, 1, seed)
}

/// The same, but each is the best of 2 + ln `count` draws: that which leaves the least sum of
/// squared distances (Arthur2007, section 5). Costs more, and starts k-means nearer to its end.
pub(crate) fn greedy_landmarks(cloud: &Cloud<'_>, count: usize, seed: u64) -> Result<Matrix> {
    best_landmarks(cloud, count, 2 + (count as f64).ln() as usize, seed)
}

/// Each the best of so many draws.
fn best_landmarks(cloud: &Cloud<'_>, count: usize, draws: usize, seed: u64) -> Result<Matrix> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen: Vec<Vec<f64>> = Vec::with_capacity(count);
    let mut chunks: Vec<Vec<Block>> = Vec::new();
    let start = |chunk: &WorkingChunk<'_>| chunk.per_block(|rows| Block::new(chunk, rows));
    cloud.per_chunk(start, |blocks| chunks.push(blocks))?;
    while chosen.len() < count {
        let drawn = (0..draws).map_while(|_| draw(&chunks, rng.random()));
        let mut candidates =
            drawn.map(|i| Candidate::new(cloud, i, &chosen)).collect::<Result<Vec<_>>>()?;
        if candidates.is_empty() {
            break;
        }
        let measure = |chunk: &WorkingChunk<'_>, blocks: &mut Vec<Block>| {
            blocks.par_iter_mut().for_each(|block| block.measure(chunk, &candidates));
        };
        cloud.update_chunks(&mut chunks, measure, |()| ())?;
        let blocks = || chunks.iter().flatten();
        let total = |at: usize| blocks().map(|block| block.totals[at]).sum::<f64>();
        let best = (1..candidates.len()).fold((0, total(0)), |best, at| {
            let total = total(at);
            if total < best.1 { (at, total) } else { best }
        });
        let n_candidates = candidates.len();
        let number = chosen.len() as u32;
        let take = |chunk: &WorkingChunk<'_>, blocks: &mut Vec<Block>| {
            let taken = |block: &mut Block| block.take(chunk, best.0, n_candidates, number);
            blocks.par_iter_mut().for_each(taken);
        };
        cloud.update_chunks(&mut chunks, take, |()| ())?;
        chosen.push(candidates.swap_remove(best.0).position);
    }
    let mut nodes = Matrix::zeros(chosen.len(), cloud.dims());
    for (to, landmark) in chosen.iter().enumerate() {
        nodes.row_mut(to).copy_from_slice(landmark);
    }
    Ok(nodes)
}

/// A point that may become a landmark.
struct Candidate {
    position: Vec<f64>,
    /// Its squared distances from the landmarks.
    apart: Vec<f64>,
}

impl Candidate {
    fn new(cloud: &Cloud<'_>, i: usize, chosen: &[Vec<f64>]) -> Result<Self> {
        let mut position = vec![0.0; cloud.dims()];
        cloud.copy_row(i, &mut position)?;
        let apart = chosen.iter().map(|old| squared_distance(old, &position)).collect();
        Ok(Self { position, apart })
    }

    /// Whether a point with this nearest landmark can be nearer to the candidate: not if that lies
    /// at least twice as far from the landmark as the point does.
    fn can_be_nearer(&self, (squared, landmark): (f64, u32)) -> bool {
        self.apart.get(landmark as usize).is_none_or(|&apart| apart < FAR * squared)
    }
}

/// A block of points with their nearest landmarks.
struct Block {
    first: usize,
    /// Squared distance and number of the nearest landmark.
    nearest: Vec<(f64, u32)>,
    /// Weight × squared distance, and their sum.
    chances: Vec<f64>,
    total: f64,
    /// For each point its squared distances from the candidates, infinite where the landmarks are
    /// certainly nearer.
    measured: Vec<f64>,
    /// For each candidate what it would leave of the sum of the chances.
    totals: Vec<f64>,
}

impl Block {
    /// Before the first landmark the chances are the weights.
    fn new(chunk: &WorkingChunk<'_>, rows: Range<usize>) -> Self {
        let chances: Vec<f64> = rows.clone().map(|i| chunk.weight(i)).collect();
        Self {
            first: rows.start,
            nearest: vec![(f64::INFINITY, 0); rows.len()],
            total: chances.iter().sum(),
            chances,
            measured: Vec::new(),
            totals: Vec::new(),
        }
    }

    /// Measures the candidates that can be nearer than the landmarks.
    fn measure(&mut self, chunk: &WorkingChunk<'_>, candidates: &[Candidate]) {
        let mut x = vec![0.0; chunk.dims()];
        self.measured.clear();
        self.measured.resize(self.nearest.len() * candidates.len(), f64::INFINITY);
        self.totals.clear();
        self.totals.resize(candidates.len(), 0.0);
        let rows = self.measured.chunks_exact_mut(candidates.len());
        for (at, (&nearest, measured)) in self.nearest.iter().zip(rows).enumerate() {
            let i = self.first + at;
            if candidates.iter().any(|candidate| candidate.can_be_nearer(nearest)) {
                chunk.copy_row(i, &mut x);
                for (candidate, squared) in candidates.iter().zip(&mut *measured) {
                    if candidate.can_be_nearer(nearest) {
                        *squared = squared_distance_in_lanes(&x, &candidate.position);
                    }
                }
            }
            let weight = chunk.weight(i);
            for (total, squared) in self.totals.iter_mut().zip(measured) {
                *total += weight * squared.min(nearest.0);
            }
        }
    }

    /// Takes up one of the measured candidates as the landmark of this number.
    fn take(&mut self, chunk: &WorkingChunk<'_>, which: usize, of: usize, number: u32) {
        let mut changed = false;
        let measured = self.measured.chunks_exact(of).map(|row| row[which]);
        let points = self.nearest.iter_mut().zip(&mut self.chances);
        for (at, ((nearest, chance), squared)) in points.zip(measured).enumerate() {
            if squared < nearest.0 {
                *nearest = (squared, number);
                *chance = chunk.weight(self.first + at) * squared;
                changed = true;
            }
        }
        if changed {
            self.total = self.chances.iter().sum();
        }
    }
}

/// Four, for the squares of twice the distance, and an allowance for rounding.
const FAR: f64 = 4.0 + 1e-9;

/// The point at the share `quantile` of all chances; none if they are 0.
fn draw(chunks: &[Vec<Block>], quantile: f64) -> Option<usize> {
    let blocks = || chunks.iter().flatten();
    let target = quantile * blocks().map(|block| block.total).sum::<f64>();
    let mut passed = 0.0;
    let mut last = None;
    for block in blocks().filter(|block| block.total > 0.0) {
        if passed + block.total <= target {
            passed += block.total;
            last =
                block.chances.iter().rposition(|&chance| chance > 0.0).map(|at| block.first + at);
            continue;
        }
        for (at, chance) in block.chances.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            passed += chance;
            last = Some(block.first + at);
            if passed > target {
                return last;
            }
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    #[test]
    fn separated_clusters_each_get_a_landmark() {
        let values: Vec<f64> =
            (0..300).map(|i| f64::from(i % 3) * 100.0 + f64::from(i) * 1e-3).collect();
        let points = Points::from_f64(values, 1).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        for seed in 0..20 {
            let nodes = cloud.to_data(landmarks(&cloud, 3, seed).unwrap());
            let mut clusters: Vec<i64> =
                nodes.as_slice().iter().map(|x| (x / 100.0) as i64).collect();
            clusters.sort_unstable();
            assert_eq!(clusters, [0, 1, 2]);
        }
    }

    #[test]
    fn greedy_landmarks_leave_less_of_the_distances() {
        let value = |i: u32| f64::from((i * 7919 + i * i % 131) % 97);
        let points = Points::from_f64((0..1200).map(value).collect::<Vec<_>>(), 3).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let left = |nodes: Matrix| {
            let least = |x: &[f64]| {
                nodes.rows().map(|y| squared_distance(x, y)).fold(f64::INFINITY, f64::min)
            };
            cloud.total(|x, _| least(x)).unwrap()
        };
        let (mut plain, mut greedy) = (0.0, 0.0);
        for seed in 0..10 {
            plain += left(landmarks(&cloud, 20, seed).unwrap());
            greedy += left(greedy_landmarks(&cloud, 20, seed).unwrap());
        }
        assert!(greedy < 0.95 * plain, "{greedy} {plain}");
    }
}
