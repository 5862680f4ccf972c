//! Lloyd's k-means with exact bounds: assign to the nearest node, place at the mean.

use std::ops::Range;

use rayon::prelude::*;

use crate::assign::NearestNodes;
use crate::cloud::Cloud;
use crate::math::{Matrix, squared_distance};

/// Moves `nodes` to the means of their points, at most `rounds` times.
///
/// Each point keeps a bound on the distance to its own node from above and to all others from
/// below (Hamerly2010). Only points whose bounds cross are measured again, so every round
/// gives exactly the assignment of the plain method. A node without points stays.
pub(crate) fn lloyd(cloud: &Cloud<'_>, mut nodes: Matrix, rounds: usize) -> Matrix {
    let start = |rows: Range<usize>| cloud.by_place()[rows].iter().map(|&i| Held::new(i)).collect();
    let mut blocks: Vec<Vec<Held>> = cloud.per_block(start);
    for _ in 0..rounds {
        let search = NearestNodes::new(&nodes);
        let changed: usize =
            blocks.par_iter_mut().map(|block| reassign(cloud, &search, block)).sum();
        if changed == 0 {
            break;
        }
        let moved = means(cloud, &blocks, &nodes);
        loosen(&mut blocks, &nodes, &moved);
        nodes = moved;
    }
    nodes
}

/// What is known of a point's nearest node.
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

/// Room for rounding in the bounds.
const SLACK: f64 = 1e-12;

/// Brings the block's assignment up to date; the number of points that changed their node.
fn reassign(cloud: &Cloud<'_>, search: &NearestNodes<'_>, block: &mut [Held]) -> usize {
    let is_unsure = |held: &Held| held.own_at_most * (1.0 + SLACK) >= held.others_at_least;
    let unsure: Vec<u32> = block.iter().filter(|h| is_unsure(h)).map(|h| h.point).collect();
    let mut changed = 0;
    let held = block.iter_mut().filter(|h| is_unsure(h));
    for (held, nearest) in held.zip(search.find(cloud, &unsure)) {
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

/// The weighted mean of each node's points.
fn means(cloud: &Cloud<'_>, blocks: &[Vec<Held>], nodes: &Matrix) -> Matrix {
    let (k, dims) = (nodes.n_rows(), nodes.n_cols());
    let mut sums = Matrix::zeros(k, dims);
    let mut mass = vec![0.0; k];
    let mut row = vec![0.0; dims];
    for held in blocks.iter().flatten() {
        let weight = cloud.points().weight(held.point as usize);
        cloud.copy_row(held.point as usize, &mut row);
        mass[held.node as usize] += weight;
        for (to, x) in sums.row_mut(held.node as usize).iter_mut().zip(&row) {
            *to += weight * x;
        }
    }
    for (node, &mass) in mass.iter().enumerate() {
        if mass > 0.0 {
            for x in sums.row_mut(node) {
                *x /= mass;
            }
        } else {
            sums.row_mut(node).copy_from_slice(nodes.row(node));
        }
    }
    sums
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
            let nearest = nearest_nodes(cloud, &nodes);
            let held: Vec<Held> = cloud
                .by_place()
                .iter()
                .map(|&i| Held { node: nearest[i as usize].node, ..Held::new(i) })
                .collect();
            nodes = means(cloud, &[held], &nodes);
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
            let start = landmarks(&cloud, k.min(n), 1);
            prop_assert_eq!(lloyd(&cloud, start.clone(), 12), plain(&cloud, start, 12));
        }
    }
}
