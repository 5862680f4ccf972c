//! Lloyd's k-means with exact bounds: assign to the nearest node, move to the mean.

use rayon::prelude::*;

use super::hard::NearestNodes;
use crate::error::Result;
use crate::math::{Matrix, squared_distance};
use crate::points::{Cloud, WorkingChunk};

/// Allowance for rounding in the bounds.
const SLACK: f64 = 1e-12;

/// Moves `nodes` to the means of their points, at most `rounds` times.
///
/// Each point keeps an upper bound on the distance to its own node and a lower bound on the
/// distance to all others (Hamerly2010). Only points whose bounds cross are measured again, so every
/// round gives exactly the assignment of the plain method. A node without points stays.
pub(crate) fn lloyd(cloud: &Cloud<'_>, mut nodes: Matrix, rounds: usize) -> Result<Matrix> {
    let mut chunks: Vec<Vec<Vec<Held>>> = Vec::new();
    let start = |chunk: &WorkingChunk<'_>| {
        chunk.order();
        let held = |i: u32| Held::new(i);
        chunk.per_block(|rows| chunk.in_order(&rows).into_iter().map(held).collect::<Vec<_>>())
    };
    cloud.per_chunk(start, |blocks| chunks.push(blocks))?;
    for _ in 0..rounds {
        let search = NearestNodes::new(&nodes);
        let reassigned = |chunk: &WorkingChunk<'_>, blocks: &mut Vec<Vec<Held>>| {
            let changes = blocks.par_iter_mut().map(|block| reassign(chunk, &search, block));
            let changed: usize = changes.sum();
            (changed, Means::of(chunk, blocks, &nodes))
        };
        let (mut changed, mut means) = (0, Means::zeros(&nodes));
        cloud.update_chunks(&mut chunks, reassigned, |(changes, part)| {
            changed += changes;
            means.merge(&part);
        })?;
        if changed == 0 {
            break;
        }
        let moved = means.nodes(&nodes);
        chunks.iter_mut().for_each(|blocks| loosen(blocks, &nodes, &moved));
        nodes = moved;
    }
    Ok(nodes)
}

/// The bounds of a point.
#[derive(Clone, Copy)]
struct Held {
    point: u32,
    node: u32,
    own_at_most: f64,
    others_at_least: f64,
}

impl Held {
    fn new(point: u32) -> Self {
        Self { point, node: u32::MAX, own_at_most: f64::INFINITY, others_at_least: 0.0 }
    }
}

/// Updates the block's assignment; the number of points that changed their node.
fn reassign(chunk: &WorkingChunk<'_>, search: &NearestNodes<'_>, block: &mut [Held]) -> usize {
    let is_unsure = |held: &Held| held.own_at_most * (1.0 + SLACK) >= held.others_at_least;
    let unsure: Vec<u32> = block.iter().filter(|h| is_unsure(h)).map(|h| h.point).collect();
    let mut changed = 0;
    let held = block.iter_mut().filter(|h| is_unsure(h));
    for (held, nearest) in held.zip(search.find(chunk, &unsure)) {
        changed += usize::from(held.node != nearest.node);
        *held = Held {
            point: held.point,
            node: nearest.node,
            own_at_most: nearest.squared.sqrt(),
            others_at_least: nearest.others.sqrt(),
        };
    }
    changed
}

/// Weighted sums of each node's points.
struct Means {
    sums: Matrix,
    mass: Vec<f64>,
}

impl Means {
    fn zeros(nodes: &Matrix) -> Self {
        Self {
            sums: Matrix::zeros(nodes.n_rows(), nodes.n_cols()),
            mass: vec![0.0; nodes.n_rows()],
        }
    }

    fn of(chunk: &WorkingChunk<'_>, blocks: &[Vec<Held>], nodes: &Matrix) -> Self {
        let Self { mut sums, mut mass } = Self::zeros(nodes);
        let mut row = vec![0.0; chunk.dims()];
        for held in blocks.iter().flatten() {
            let weight = chunk.weight(held.point as usize);
            chunk.copy_row(held.point as usize, &mut row);
            mass[held.node as usize] += weight;
            for (to, x) in sums.row_mut(held.node as usize).iter_mut().zip(&row) {
                *to += weight * x;
            }
        }
        Self { sums, mass }
    }

    fn merge(&mut self, other: &Self) {
        let sums = self.sums.as_mut_slice().iter_mut();
        sums.zip(other.sums.as_slice()).for_each(|(to, x)| *to += x);
        self.mass.iter_mut().zip(&other.mass).for_each(|(to, x)| *to += x);
    }

    /// The means; nodes without points stay where they are in `before`.
    fn nodes(self, before: &Matrix) -> Matrix {
        let Self { mut sums, mass } = self;
        for (node, &mass) in mass.iter().enumerate() {
            if mass > 0.0 {
                sums.row_mut(node).iter_mut().for_each(|x| *x /= mass);
            } else {
                sums.row_mut(node).copy_from_slice(before.row(node));
            }
        }
        sums
    }
}

/// Widens all bounds by as much as the nodes moved.
fn loosen(blocks: &mut [Vec<Held>], before: &Matrix, after: &Matrix) {
    let moved: Vec<f64> = before
        .rows()
        .zip(after.rows())
        .map(|(a, b)| squared_distance(a, b).sqrt() * (1.0 + SLACK))
        .collect();
    let most = moved.iter().copied().fold(0.0, f64::max);
    for held in blocks.iter_mut().flatten() {
        held.own_at_most += moved[held.node as usize];
        held.others_at_least = (held.others_at_least - most).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::nearest_nodes;
    use crate::points::Points;
    use crate::prepare::landmarks;
    use proptest::prelude::*;

    /// Without bounds: every point is measured in every round.
    fn plain(cloud: &Cloud<'_>, mut nodes: Matrix, rounds: usize) -> Matrix {
        for _ in 0..rounds {
            let nearest = nearest_nodes(cloud, &nodes).unwrap();
            let held = |i: u32| Held { node: nearest[i as usize].node, ..Held::new(i) };
            let mut means = Means::zeros(&nodes);
            let of_chunk = |chunk: &WorkingChunk<'_>| {
                let blocks = chunk.per_block(|rows| {
                    chunk.in_order(&rows).into_iter().map(held).collect::<Vec<_>>()
                });
                Means::of(chunk, &blocks, &nodes)
            };
            cloud.per_chunk(of_chunk, |part| means.merge(&part)).unwrap();
            nodes = means.nodes(&nodes);
        }
        nodes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn bounds_change_nothing(n in 2_usize..900, k in 1_usize..40, dims in 1_usize..6, seed in 0.0_f64..9.0) {
            let values: Vec<f64> =
                (0..n * dims).map(|i| (seed + 1.7 * i as f64 + (i * i % 31) as f64).sin()).collect();
            let points = Points::from_f64(values, dims).unwrap();
            let cloud = Cloud::new(&points).unwrap();
            let start = landmarks(&cloud, k.min(n), 1).unwrap();
            let found = lloyd(&cloud, start.clone(), 12).unwrap();
            prop_assert_eq!(found, plain(&cloud, start, 12));
        }
    }
}
