//! The candidate pairs of nodes for edges.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::neighbors::neighbors;

/// Which neighbors form a candidate pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NeighborRule {
    /// Either node is among the nearest of the other.
    #[default]
    Union,
    /// Each node is among the nearest of the other.
    Mutual,
}

/// The candidate pairs of nodes for edges.
///
/// Fewer pairs make a smaller linear program; edges between distant nodes are rarely wanted.
///
/// ```
/// use midrib::connect::{Candidates, NeighborRule};
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [3.0]])?;
/// let nearest = |rule| Candidates::Nearest { k: 1, rule }.pairs(&nodes);
/// assert_eq!(nearest(NeighborRule::Union)?, [(0, 1), (1, 2)]);
/// assert_eq!(nearest(NeighborRule::Mutual)?, [(0, 1)]);
/// assert_eq!(Candidates::All.pairs(&nodes)?.len(), 3);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// Every pair.
    All,
    /// Pairs of nearest neighbors.
    Nearest {
        /// The number of nearest neighbors per node.
        k: usize,
        /// Which neighbors form a candidate pair.
        rule: NeighborRule,
    },
    /// The given pairs.
    Given(Vec<(usize, usize)>),
}

impl Candidates {
    /// The pairs `(a, b)`, `a < b`, of the rows of `nodes`, in ascending order, without repetition.
    /// Neighbors are exact; ties go to the smaller index.
    pub fn pairs(&self, nodes: &Matrix) -> Result<Vec<(usize, usize)>> {
        let n = nodes.n_rows();
        match self {
            Self::All => Ok((0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()),
            Self::Nearest { k, rule } => nearest_pairs(nodes, *k, *rule),
            Self::Given(pairs) => ordered_pairs(pairs, n, "candidate pair"),
        }
    }
}

fn nearest_pairs(nodes: &Matrix, k: usize, rule: NeighborRule) -> Result<Vec<(usize, usize)>> {
    let n = nodes.n_rows();
    if k == 0 || k >= n {
        return Err(Error::setting(
            "n_neighbors",
            k,
            format!("must be at least 1 and below the number of nodes, {n}"),
        ));
    }
    if let Some(node) = nodes.rows().position(|row| row.iter().any(|x| !x.is_finite())) {
        return Err(Error::data(format!(
            "node {node} has a coordinate that is not a finite number"
        )));
    }
    let found = neighbors(nodes, k);
    let each_pair = |visit: &mut dyn FnMut(usize, u32)| {
        for (a, near) in (0_u32..).zip(found.chunks_exact(k)) {
            for &b in near {
                visit(a.min(b) as usize, a.max(b));
            }
        }
    };
    // For each node, the larger nodes that it forms a pair with.
    let mut starts = vec![0; n + 1];
    each_pair(&mut |low, _| starts[low + 1] += 1);
    for low in 0..n {
        starts[low + 1] += starts[low];
    }
    let mut highs = vec![0; starts[n]];
    let mut next = starts.clone();
    each_pair(&mut |low, high| {
        highs[next[low]] = high;
        next[low] += 1;
    });
    let mut pairs = Vec::with_capacity(highs.len());
    for (low, ends) in starts.windows(2).enumerate() {
        let highs = &mut highs[ends[0]..ends[1]];
        highs.sort_unstable();
        // A pair occurs once for each of its nodes that has the other among its nearest.
        let least = if rule == NeighborRule::Mutual { 2 } else { 1 };
        let groups = highs.chunk_by(|a, b| a == b).filter(|same| same.len() >= least);
        pairs.extend(groups.map(|same| (low, same[0] as usize)));
    }
    Ok(pairs)
}

/// The pairs with the smaller node first, sorted, each once; `what` names them in errors.
pub(super) fn ordered_pairs(
    pairs: &[(usize, usize)],
    n: usize,
    what: &str,
) -> Result<Vec<(usize, usize)>> {
    let mut ordered = Vec::with_capacity(pairs.len());
    for &(a, b) in pairs {
        let (low, high) = (a.min(b), a.max(b));
        if high >= n {
            return Err(Error::data(format!(
                "{what} {a}-{b}: there is no node {high}, nodes are numbered 0 to {}",
                n.saturating_sub(1)
            )));
        }
        if low == high {
            return Err(Error::data(format!("{what} {a}-{b}: connects a node to itself")));
        }
        ordered.push((low, high));
    }
    ordered.sort_unstable();
    ordered.dedup();
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_neighbors_as_nodes_are_an_error() {
        let nodes = Matrix::zeros(3, 2);
        let pairs = |k| Candidates::Nearest { k, rule: NeighborRule::Union }.pairs(&nodes);
        assert_eq!(
            pairs(3).unwrap_err().to_string(),
            "n_neighbors = 3: must be at least 1 and below the number of nodes, 3"
        );
        assert!(pairs(0).is_err());
        assert_eq!(pairs(2).unwrap().len(), 3);
    }

    #[test]
    fn nodes_that_are_not_finite_are_an_error() {
        for bad in [f64::NAN, f64::INFINITY] {
            let nodes = Matrix::from_rows(&[[0.0, 1.0], [bad, 1.0], [2.0, 1.0]]).unwrap();
            let nearest = Candidates::Nearest { k: 1, rule: NeighborRule::Union };
            let message = nearest.pairs(&nodes).unwrap_err().to_string();
            assert_eq!(message, "node 1 has a coordinate that is not a finite number");
        }
    }

    #[test]
    fn given_pairs_are_checked_and_sorted() {
        let nodes = Matrix::zeros(4, 1);
        let pairs = |pairs: &[(usize, usize)]| Candidates::Given(pairs.to_vec()).pairs(&nodes);
        assert_eq!(pairs(&[(3, 1), (0, 2), (1, 3)]).unwrap(), [(0, 2), (1, 3)]);
        assert!(pairs(&[(0, 4)]).is_err());
        assert!(pairs(&[(1, 1)]).is_err());
    }
}
