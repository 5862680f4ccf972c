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
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen: Vec<Vec<f64>> = Vec::with_capacity(count);
    let mut chunks: Vec<Vec<Block>> = Vec::new();
    let start = |chunk: &WorkingChunk<'_>| chunk.per_block(|rows| Block::new(chunk, rows));
    cloud.per_chunk(start, |blocks| chunks.push(blocks))?;
    while chosen.len() < count
        && let Some(i) = draw(&chunks, rng.random())
    {
        let mut new = vec![0.0; cloud.dims()];
        cloud.copy_row(i, &mut new)?;
        let apart: Vec<f64> = chosen.iter().map(|old| squared_distance(old, &new)).collect();
        let meet = |chunk: &WorkingChunk<'_>, blocks: &mut Vec<Block>| {
            blocks.par_iter_mut().for_each(|block| block.meet(chunk, &new, &apart));
        };
        cloud.update_chunks(&mut chunks, meet, |()| ())?;
        chosen.push(new);
    }
    let mut nodes = Matrix::zeros(chosen.len(), cloud.dims());
    for (to, landmark) in chosen.iter().enumerate() {
        nodes.row_mut(to).copy_from_slice(landmark);
    }
    Ok(nodes)
}

/// A block of points with their nearest landmarks.
struct Block {
    first: usize,
    /// Squared distance and number of the nearest landmark.
    nearest: Vec<(f64, u32)>,
    /// Weight × squared distance, and their sum.
    chances: Vec<f64>,
    total: f64,
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
        }
    }

    /// Takes a new landmark into account, which has the squared distances `apart` from those
    /// before it. A point is measured only if the new one can be nearer: it cannot be if it lies
    /// at least twice as far from the point's landmark as the point does.
    fn meet(&mut self, chunk: &WorkingChunk<'_>, new: &[f64], apart: &[f64]) {
        let mut x = vec![0.0; new.len()];
        let mut changed = false;
        for (at, (nearest, chance)) in self.nearest.iter_mut().zip(&mut self.chances).enumerate() {
            if apart.get(nearest.1 as usize).is_some_and(|&apart| apart >= FAR * nearest.0) {
                continue;
            }
            let i = self.first + at;
            chunk.copy_row(i, &mut x);
            let squared = squared_distance_in_lanes(&x, new);
            if squared < nearest.0 {
                *nearest = (squared, apart.len() as u32);
                *chance = chunk.weight(i) * squared;
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
}
