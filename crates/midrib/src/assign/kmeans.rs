//! Lloyd's k-means with exact bounds: assign to the nearest node, move to the mean.

use rayon::prelude::*;

use super::bounds::{Block, NodeGroups};
use super::sums::Sums;
use crate::error::Result;
use crate::math::Matrix;
use crate::points::{Cloud, WorkingChunk};

/// Moves `nodes` to the means of their points, at most `rounds` times. A node without points stays.
pub(crate) fn lloyd(cloud: &Cloud<'_>, nodes: Matrix, rounds: usize) -> Result<Matrix> {
    let mut lloyd = Lloyd::new(cloud, nodes)?;
    for _ in 0..rounds {
        let (changed, sums) = lloyd.assign()?;
        if changed == 0 {
            break;
        }
        let moved = sums.means(lloyd.nodes());
        lloyd.move_to(moved);
    }
    Ok(lloyd.into_nodes())
}

/// Nodes, and the points with bounds on their distances from them.
///
/// Each point keeps a lower bound on the distance to the nodes of each of some groups, its own node
/// aside (Ding2015). Only points that a group may be nearer to than their own node are measured
/// again, tile by tile in matrix products, so every round gives exactly the assignment of the plain
/// method.
pub(crate) struct Lloyd<'c, 'p> {
    cloud: &'c Cloud<'p>,
    groups: NodeGroups,
    chunks: Vec<Vec<Block>>,
}

impl<'c, 'p> Lloyd<'c, 'p> {
    pub fn new(cloud: &'c Cloud<'p>, nodes: Matrix) -> Result<Self> {
        let groups = NodeGroups::new(nodes);
        let count = groups.count();
        let mut chunks = Vec::new();
        let start = |chunk: &WorkingChunk<'_>| {
            chunk.order();
            chunk.per_block(|rows| Block::new(chunk.in_order(&rows), count))
        };
        cloud.per_chunk(start, |blocks| chunks.push(blocks))?;
        Ok(Self { cloud, groups, chunks })
    }

    pub fn nodes(&self) -> &Matrix {
        self.groups.nodes()
    }

    pub fn into_nodes(self) -> Matrix {
        self.groups.into_nodes()
    }

    /// Assigns every point to its nearest node, of equally near ones to the first: how many points
    /// changed their node, and the sums.
    pub fn assign(&mut self) -> Result<(usize, Sums)> {
        let groups = &self.groups;
        let zeros = || Sums::zeros(groups.nodes().n_rows(), groups.nodes().n_cols());
        let (mut changed, mut total) = (0, zeros());
        let reassigned = |chunk: &WorkingChunk<'_>, blocks: &mut Vec<Block>| {
            let assigned = |block: &mut Block| {
                let mut sums = zeros();
                let changed = block.assign(chunk, groups, &mut sums);
                (changed, sums)
            };
            let parts: Vec<(usize, Sums)> = blocks.par_iter_mut().map(assigned).collect();
            let mut sum = (0, zeros());
            for (changed, part) in &parts {
                sum.0 += changed;
                sum.1.merge(part);
            }
            sum
        };
        self.cloud.update_chunks(&mut self.chunks, reassigned, |(changes, part)| {
            changed += changes;
            total.merge(&part);
        })?;
        Ok((changed, total))
    }

    /// Moves the nodes and widens the bounds by as much.
    pub fn move_to(&mut self, nodes: Matrix) {
        let moved = self.groups.move_to(nodes);
        self.chunks.par_iter_mut().flatten().for_each(|block| block.loosen(&moved));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::hard_sums;
    use crate::points::Points;
    use crate::prepare::landmarks;
    use proptest::prelude::*;

    /// Without bounds: every point is measured in every round.
    fn plain(cloud: &Cloud<'_>, mut nodes: Matrix, rounds: usize) -> Matrix {
        for _ in 0..rounds {
            nodes = hard_sums(cloud, &nodes, f64::INFINITY).unwrap().means(&nodes);
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
