//! Distances along a graph from one or several nodes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::PrincipalGraph;

/// The shortest paths from a set of nodes to all others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reach {
    /// The distance of each node; infinite if it is unreachable.
    pub distance: Vec<f64>,
    /// The last edge of the path to each node; `None` for sources and unreachable nodes.
    pub last_edge: Vec<Option<usize>>,
    /// The reachable nodes, nearest first.
    pub order: Vec<usize>,
}

/// A queue entry; the nearest, then the smallest node comes first.
struct Open {
    distance: f64,
    node: usize,
}

impl PrincipalGraph {
    /// The distance of every node from one of them along the graph; infinite in other components.
    pub(crate) fn distances_from(&self, node: usize) -> Vec<f64> {
        self.reach_from(&[node]).distance
    }

    /// Dijkstra's algorithm. Among paths of equal length the one with the smaller last edge wins.
    pub(super) fn reach_from(&self, sources: &[usize]) -> Reach {
        self.reach_until(sources, |_| false)
    }

    /// The same, but stops at the first node for which `enough` returns true.
    pub(super) fn reach_until(
        &self,
        sources: &[usize],
        mut enough: impl FnMut(usize) -> bool,
    ) -> Reach {
        let n = self.nodes().n_rows();
        let mut distance = vec![f64::INFINITY; n];
        let mut last_edge: Vec<Option<usize>> = vec![None; n];
        let mut done = vec![false; n];
        let mut order = Vec::with_capacity(n);
        let mut open = BinaryHeap::new();
        for &node in sources {
            distance[node] = 0.0;
            open.push(Open { distance: 0.0, node });
        }
        while let Some(Open { node, .. }) = open.pop() {
            if std::mem::replace(&mut done[node], true) {
                continue;
            }
            order.push(node);
            if enough(node) {
                break;
            }
            for &(edge, next) in self.neighbors(node) {
                let length = distance[node] + self.edges()[edge].length;
                let shorter = length < distance[next];
                let smaller = length == distance[next] && last_edge[next].is_some_and(|e| edge < e);
                if !done[next] && (shorter || smaller) {
                    distance[next] = length;
                    last_edge[next] = Some(edge);
                    open.push(Open { distance: length, node: next });
                }
            }
        }
        Reach { distance, last_edge, order }
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}
