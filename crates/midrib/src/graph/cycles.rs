//! The minimum cycle basis.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::PrincipalGraph;
use crate::math::{BitBasis, Sets};

/// A simple cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycle {
    /// The nodes in order along the cycle, starting at the smallest.
    pub nodes: Vec<usize>,
    /// The edges in the same order; the last one leads back to the first node.
    pub edges: Vec<usize>,
    /// The total length of the edges.
    pub length: f64,
}

impl PrincipalGraph {
    /// The minimum cycle basis by length, shortest cycle first: the [`loops`](Self::loops) shortest
    /// independent cycles.
    ///
    /// A graph through noisy points has many short cycles and few long ones; a jump in the sorted
    /// lengths separates the two kinds. The basis is exact: the shortest cycles through each node
    /// (Horton 1987) in ascending order, kept if linearly independent over GF(2). Ties are broken
    /// by edge index. With `n` nodes of degree 3 or more and `c` independent cycles of few edges it
    /// takes O(n·c·(log n + c/64)) steps: about one second for 1,000 nodes and 2,000 edges.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [3.0, 0.5]])?;
    /// let pairs = [(0, 1), (1, 2), (2, 3), (0, 3), (1, 4), (2, 4)];
    /// let graph = PrincipalGraph::new(nodes, &pairs.map(|(a, b)| (a, b, 1.0)), vec![1.0; 5])?;
    /// let cycles = graph.minimum_cycle_basis();
    /// assert_eq!(cycles.len(), graph.loops());
    /// assert_eq!(cycles[0].nodes, [0, 1, 2, 3]);
    /// assert_eq!(cycles[0].length, 4.0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn minimum_cycle_basis(&self) -> Vec<Cycle> {
        let edges: Vec<_> = self.edges().iter().map(|edge| (edge.a, edge.b, edge.length)).collect();
        let basis = short_cycles(self.nodes().n_rows(), &edges, f64::INFINITY);
        basis.iter().map(|members| self.in_order(members)).collect()
    }

    /// Orders a cycle from its smallest node along the smaller of the two edges there.
    fn in_order(&self, members: &[usize]) -> Cycle {
        let member = |edge: usize| members.binary_search(&edge).is_ok();
        // Edges are sorted by their nodes, so the first one starts at the smallest node.
        let first = members[0];
        let start = self.edges()[first].a;
        let mut cycle = Cycle { nodes: vec![start], edges: vec![first], length: 0.0 };
        let mut node = self.edges()[first].b;
        while node != start {
            let last = cycle.edges[cycle.edges.len() - 1];
            let onward = self.neighbors(node).iter().find(|(e, _)| *e != last && member(*e));
            let Some(&(edge, next)) = onward else { break };
            cycle.nodes.push(node);
            cycle.edges.push(edge);
            node = next;
        }
        cycle.length = cycle.edges.iter().map(|&edge| self.edges()[edge].length).sum();
        cycle
    }
}

/// The minimum basis of all cycles of length at most `longest`, as sorted edge indices, shortest
/// cycle first. Edges are `(node, node, length)`, at most one per pair.
pub(super) fn short_cycles(
    n_nodes: usize,
    edges: &[(usize, usize, f64)],
    longest: f64,
) -> Vec<Vec<usize>> {
    let reduced = Reduced::new(n_nodes, edges);
    let length = |members: &[usize]| members.iter().map(|&edge| edges[edge].2).sum::<f64>();
    let mut found: Vec<(u128, Vec<usize>)> = Vec::new();
    let mut candidates: Vec<(u128, Vec<usize>)> = Vec::new();
    for chain in reduced.chains.iter().filter(|chain| chain.a == chain.b) {
        // No other cycle contains its edges, so it is in every basis.
        found.push((chain.weight, chain.edges.clone()));
    }
    let mut search = Search::new(&reduced, longest);
    for root in 0..n_nodes {
        search.from(root, &mut candidates);
    }
    candidates.sort_unstable();
    let coordinates = reduced.coordinates();
    let bits = coordinates.iter().flatten().count();
    let mut basis = BitBasis::new(bits);
    for (weight, chains) in candidates {
        if basis.rank() == bits {
            break;
        }
        let mut vector = vec![0; BitBasis::words(bits)];
        for bit in chains.iter().filter_map(|&chain| coordinates[chain]) {
            BitBasis::flip(&mut vector, bit);
        }
        if basis.insert(vector) {
            let members = chains.iter().flat_map(|&chain| &reduced.chains[chain].edges);
            found.push((weight, members.copied().collect()));
        }
    }
    for (_, members) in &mut found {
        members.sort_unstable();
    }
    found.retain(|(_, members)| length(members) <= longest);
    found.sort_unstable();
    found.into_iter().map(|(_, members)| members).collect()
}

/// Calls `each` on cycles, not all independent, that span all cycles of length at most `longest`.
/// Stops when `each` returns false.
pub(super) fn for_short_cycles(
    n_nodes: usize,
    edges: &[(usize, usize, f64)],
    longest: f64,
    mut each: impl FnMut(&[usize]) -> bool,
) {
    let reduced = Reduced::new(n_nodes, edges);
    let mut search = Search::new(&reduced, longest);
    let mut candidates = Vec::new();
    for (index, chain) in reduced.chains.iter().enumerate() {
        if chain.a == chain.b && chain.weight <= search.longest {
            candidates.push((chain.weight, vec![index]));
        }
    }
    let mut members = Vec::new();
    for root in 0..n_nodes {
        search.from(root, &mut candidates);
        for (_, chains) in candidates.drain(..) {
            members.clear();
            members.extend(chains.iter().flat_map(|&chain| &reduced.chains[chain].edges));
            if !each(&members) {
                return;
            }
        }
    }
}

/// A path through nodes of degree 2 between nodes of higher degree.
#[derive(Debug)]
struct Chain {
    a: usize,
    b: usize,
    edges: Vec<usize>,
    weight: u128,
}

impl Chain {
    fn other(&self, node: usize) -> usize {
        if node == self.a { self.b } else { self.a }
    }
}

/// A graph without its tree-like parts and with each chain as one edge. It has the same cycles.
struct Reduced {
    chains: Vec<Chain>,
    /// The chains at each node, except closed ones.
    at: Vec<Vec<usize>>,
    /// The integer weight of a length of 1.
    unit: f64,
}

impl Reduced {
    fn new(n_nodes: usize, edges: &[(usize, usize, f64)]) -> Self {
        // Lengths as integers, so that sums are exact in any order; the low bits hold pseudorandom
        // numbers that break ties between paths of equal length.
        let total: f64 = edges.iter().map(|edge| edge.2).sum();
        let unit = if total > 0.0 && total.is_finite() { 2_f64.powi(62) / total } else { 0.0 };
        let weight = |edge: usize| {
            u128::from((edges[edge].2 * unit) as u64) << 64 | u128::from(hash(edge) >> 20)
        };
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
        for (index, &(a, b, _)) in edges.iter().enumerate() {
            at[a].push(index);
            at[b].push(index);
        }
        let other = |edge: usize, node: usize| edges[edge].0 ^ edges[edge].1 ^ node;
        let mut alive = vec![true; edges.len()];
        let mut degree: Vec<usize> = at.iter().map(Vec::len).collect();
        let mut tips: Vec<usize> = (0..n_nodes).filter(|&node| degree[node] == 1).collect();
        while let Some(tip) = tips.pop() {
            let Some(&edge) = at[tip].iter().find(|&&edge| alive[edge]) else { continue };
            alive[edge] = false;
            for node in [tip, other(edge, tip)] {
                degree[node] -= 1;
            }
            if degree[other(edge, tip)] == 1 {
                tips.push(other(edge, tip));
            }
        }
        let mut reduced = Self { chains: Vec::new(), at: vec![Vec::new(); n_nodes], unit };
        let joints = (0..n_nodes).filter(|&node| degree[node] > 2);
        let rings = (0..n_nodes).filter(|&node| degree[node] == 2);
        for start in joints.chain(rings) {
            for &first in &at[start] {
                let mut chain = Chain { a: start, b: start, edges: Vec::new(), weight: 0 };
                let mut onward = Some(first).filter(|&edge| alive[edge]);
                while let Some(edge) = onward {
                    alive[edge] = false;
                    chain.edges.push(edge);
                    chain.weight += weight(edge);
                    chain.b = other(edge, chain.b);
                    let free = at[chain.b].iter().copied().find(|&edge| alive[edge]);
                    onward = free.filter(|_| chain.b != start && degree[chain.b] == 2);
                }
                if !chain.edges.is_empty() {
                    reduced.push(chain);
                }
            }
        }
        reduced
    }

    fn push(&mut self, chain: Chain) {
        if chain.a != chain.b {
            self.at[chain.a].push(self.chains.len());
            self.at[chain.b].push(self.chains.len());
        }
        self.chains.push(chain);
    }

    /// An upper bound on the weight of a path of this length.
    fn weight_of(&self, length: f64) -> u128 {
        // One unit per rounded edge would be enough; this is far more.
        let whole = (length * self.unit * (1.0 + 1e-12)).min(2_f64.powi(63)) as u128;
        (whole + self.chains.len() as u128 + 1) << 64
    }

    /// Numbers the chains outside a spanning forest; a cycle is determined by those it contains.
    fn coordinates(&self) -> Vec<Option<usize>> {
        let mut sets = Sets::new(self.at.len());
        let mut bits = 0..;
        let outside = |chain: &Chain| chain.a != chain.b && !sets.join(chain.a, chain.b);
        let outside: Vec<bool> = self.chains.iter().map(outside).collect();
        outside.into_iter().map(|outside| if outside { bits.next() } else { None }).collect()
    }
}

/// A pseudorandom number for each index (the finalizer of splitmix64).
fn hash(index: usize) -> u64 {
    let mut x = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Shortest paths from a root, and the cycles that two of them close with a chain.
struct Search<'r> {
    reduced: &'r Reduced,
    /// Nodes farther away than this are not needed.
    reach: u128,
    longest: u128,
    seen: Vec<Option<Seen>>,
    touched: Vec<usize>,
}

/// A node reached from the root.
#[derive(Clone, Copy)]
struct Seen {
    weight: u128,
    /// The last chain of the path; `None` at the root.
    by: Option<usize>,
    /// The first node after the root on the path.
    top: usize,
    /// The smallest node on the path.
    least: usize,
    settled: bool,
}

impl<'r> Search<'r> {
    fn new(reduced: &'r Reduced, longest: f64) -> Self {
        let longest = reduced.weight_of(longest);
        let seen = vec![None; reduced.at.len()];
        Self { reduced, reach: longest / 2 + 1, longest, seen, touched: Vec::new() }
    }

    /// Collects the cycles through `root` that consist of two shortest paths from it and one chain.
    /// Every cycle of a minimum basis has this form from each of its nodes; it is collected at its
    /// smallest node.
    fn from(&mut self, root: usize, candidates: &mut Vec<(u128, Vec<usize>)>) {
        if self.reduced.at[root].is_empty() {
            return;
        }
        for node in self.touched.drain(..) {
            self.seen[node] = None;
        }
        let start = Seen { weight: 0, by: None, top: root, least: root, settled: false };
        self.seen[root] = Some(start);
        self.touched.push(root);
        let mut queue = BinaryHeap::from([Reverse((0_u128, root))]);
        while let Some(Reverse((weight, node))) = queue.pop() {
            let Some(here) = self.seen[node].filter(|here| !here.settled) else { continue };
            self.seen[node] = Some(Seen { settled: true, ..here });
            for &by in &self.reduced.at[node] {
                let next = self.reduced.chains[by].other(node);
                let weight = weight + self.reduced.chains[by].weight;
                let known = self.seen[next];
                if weight > self.reach || known.is_some_and(|known| known.weight <= weight) {
                    continue;
                }
                if known.is_none() {
                    self.touched.push(next);
                }
                let top = if node == root { next } else { here.top };
                let least = here.least.min(next);
                self.seen[next] = Some(Seen { weight, by: Some(by), top, least, settled: false });
                queue.push(Reverse((weight, next)));
            }
        }
        for &node in &self.touched {
            for &chain in &self.reduced.at[node] {
                if self.reduced.chains[chain].a == node {
                    candidates.extend(self.closed_by(chain, root));
                }
            }
        }
    }

    fn closed_by(&self, closing: usize, root: usize) -> Option<(u128, Vec<usize>)> {
        let chain = &self.reduced.chains[closing];
        let (a, b) = (self.seen[chain.a]?, self.seen[chain.b]?);
        let weight = a.weight + b.weight + chain.weight;
        let in_tree = a.by == Some(closing) || b.by == Some(closing);
        if in_tree || a.top == b.top || a.least.min(b.least) < root || weight > self.longest {
            return None;
        }
        let mut chains = vec![closing];
        for mut node in [chain.a, chain.b] {
            while let Some(by) = self.seen[node].and_then(|seen| seen.by) {
                chains.push(by);
                node = self.reduced.chains[by].other(node);
            }
        }
        Some((weight, chains))
    }
}

#[cfg(test)]
mod tests;
