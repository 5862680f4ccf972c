//! The grammar of elastic graphs: the steps from one graph to the next. Gorban2009, section 5.

use std::collections::{BTreeMap, BTreeSet};

use crate::math::{Matrix, squared_distance};

/// One step of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Adds a tip to a node.
    AddTo(usize),
    /// Adds a node in the middle of an edge.
    Bisect(usize, usize),
    /// Removes a tip.
    Remove(usize),
    /// Removes the second node of an edge; the first moves to the middle and takes its neighbors.
    Contract(usize, usize),
    /// Removes the first edge; the second reconnects the two components.
    Rewire((usize, usize), (usize, usize)),
}

/// Which changes are considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Add a node to a node, or bisect an edge.
    Grow,
    /// Bisect an edge.
    Lengthen,
    /// Remove a tip, or contract an edge.
    Shrink,
    /// Cut a tree at an edge and reconnect its two components by their closest other nodes.
    Rewire,
}

/// Limits on the complexity of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceilings {
    /// The maximum number of nodes with more than two neighbors.
    pub branch_points: usize,
    /// The maximum number of neighbors of a node.
    pub star_order: usize,
}

/// The nodes and edges of a graph, without positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// The neighbors of each node, in ascending order.
    neighbors: Vec<Vec<usize>>,
    own: Own,
}

/// Properties of individual edges and nodes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Own {
    /// Stretching moduli.
    stretching: BTreeMap<(usize, usize), f64>,
    /// Bending moduli.
    bending: BTreeMap<usize, f64>,
    /// Nodes that never move.
    pinned: BTreeSet<usize>,
}

impl Topology {
    /// A graph of `n` nodes.
    ///
    /// ```
    /// use midrib::connect::{Change, Ceilings, Rule, Topology};
    /// use midrib::math::Matrix;
    /// let path = Topology::new(3, &[(0, 1), (1, 2)]);
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let none = Ceilings { branch_points: 0, star_order: 2 };
    /// assert_eq!(
    ///     path.changes(Rule::Grow, none, &nodes),
    ///     [Change::AddTo(0), Change::AddTo(2), Change::Bisect(0, 1), Change::Bisect(1, 2)]
    /// );
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn new(n: usize, edges: &[(usize, usize)]) -> Self {
        let mut neighbors = vec![Vec::new(); n];
        for &(a, b) in edges {
            neighbors[a].push(b);
            neighbors[b].push(a);
        }
        neighbors.iter_mut().for_each(|near| near.sort_unstable());
        Self { neighbors, own: Own::default() }
    }

    /// Sets the stretching modulus of an edge.
    pub(crate) fn stiffen(&mut self, (a, b): (usize, usize), modulus: f64) {
        self.own.stretching.insert((a.min(b), a.max(b)), modulus);
    }

    /// Sets the bending modulus of a node.
    pub(crate) fn straighten(&mut self, node: usize, modulus: f64) {
        self.own.bending.insert(node, modulus);
    }

    /// Pins a node: it is never moved or removed.
    pub(crate) fn pin(&mut self, node: usize) {
        self.own.pinned.insert(node);
    }

    /// The stretching modulus of an edge, if it has its own.
    pub fn stretching(&self, a: usize, b: usize) -> Option<f64> {
        self.own.stretching.get(&(a.min(b), a.max(b))).copied()
    }

    /// The bending modulus of a node, if it has its own.
    pub fn bending(&self, node: usize) -> Option<f64> {
        self.own.bending.get(&node).copied()
    }

    /// Whether a node is pinned.
    pub fn is_pinned(&self, node: usize) -> bool {
        self.own.pinned.contains(&node)
    }

    /// Whether each node is pinned; empty if none is.
    pub(crate) fn pins(&self) -> Vec<bool> {
        match self.own.pinned.is_empty() {
            true => Vec::new(),
            false => (0..self.len()).map(|node| self.is_pinned(node)).collect(),
        }
    }

    /// Whether any edge or node has its own modulus.
    pub(crate) fn has_own_moduli(&self) -> bool {
        !(self.own.stretching.is_empty() && self.own.bending.is_empty())
    }

    /// Copies the properties of edges and nodes from the graph before a change; `from` maps each node
    /// to its old index.
    pub(crate) fn inheriting(mut self, before: &Self, from: &[Option<usize>]) -> Self {
        if before.own == Own::default() {
            return self;
        }
        for (node, old) in from.iter().enumerate() {
            let Some(old) = *old else { continue };
            if let Some(modulus) = before.bending(old) {
                self.straighten(node, modulus);
            }
            if before.is_pinned(old) {
                self.pin(node);
            }
        }
        for (a, b) in self.edges().collect::<Vec<_>>() {
            if let (Some(old_a), Some(old_b)) = (from[a], from[b])
                && let Some(modulus) = before.stretching(old_a, old_b)
            {
                self.stiffen((a, b), modulus);
            }
        }
        self
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.neighbors.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.neighbors.is_empty()
    }

    /// The neighbors of a node, in ascending order.
    pub fn neighbors(&self, node: usize) -> &[usize] {
        &self.neighbors[node]
    }

    /// The edges, in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.neighbors
            .iter()
            .enumerate()
            .flat_map(|(a, near)| near.iter().filter(move |&&b| a < b).map(move |&b| (a, b)))
    }

    fn degree(&self, node: usize) -> usize {
        self.neighbors[node].len()
    }

    /// The nodes of each component, in ascending order.
    pub(crate) fn components(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.len()];
        let mut components = Vec::new();
        for first in 0..self.len() {
            if std::mem::replace(&mut seen[first], true) {
                continue;
            }
            let mut component = vec![first];
            let mut reached = 0;
            while let Some(&node) = component.get(reached) {
                let fresh = |next: &&usize| !std::mem::replace(&mut seen[**next], true);
                component.extend(self.neighbors(node).iter().filter(fresh));
                reached += 1;
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }

    /// Whether the graph is connected.
    pub(crate) fn is_connected(&self) -> bool {
        self.components().len() <= 1
    }

    /// The number of nodes with more than two neighbors.
    pub fn branch_points(&self) -> usize {
        self.neighbors.iter().filter(|near| near.len() > 2).count()
    }

    /// All changes that a rule allows within the ceilings. The positions of the nodes matter only to
    /// [`Rule::Rewire`].
    pub fn changes(&self, rule: Rule, ceilings: Ceilings, nodes: &Matrix) -> Vec<Change> {
        let branch_points = self.branch_points();
        let fits = |node: usize, degree: usize| {
            let more = usize::from(degree > 2 && self.degree(node) <= 2);
            degree <= ceilings.star_order.max(2) && branch_points + more <= ceilings.branch_points
        };
        let edges = self.edges();
        match rule {
            Rule::Grow => (0..self.len())
                .filter(|&node| self.degree(node) < 2 || fits(node, self.degree(node) + 1))
                .map(Change::AddTo)
                .chain(edges.map(|(a, b)| Change::Bisect(a, b)))
                .collect(),
            Rule::Lengthen => edges.map(|(a, b)| Change::Bisect(a, b)).collect(),
            Rule::Shrink => (0..self.len())
                .filter(|&node| self.degree(node) == 1 && self.len() > 2)
                .filter(|&node| !self.is_pinned(node))
                .map(Change::Remove)
                .chain(edges.filter_map(|(a, b)| {
                    let inner = self.degree(a) > 1 && self.degree(b) > 1;
                    let apart =
                        !self.neighbors[a].iter().any(|near| self.neighbors[b].contains(near));
                    let merged = self.degree(a) + self.degree(b) - 2;
                    let allowed = merged <= 2 || merged <= ceilings.star_order.max(2);
                    let fewer = usize::from(self.degree(a) > 2) + usize::from(self.degree(b) > 2);
                    let within = branch_points - fewer + usize::from(merged > 2)
                        <= ceilings.branch_points.max(branch_points);
                    let free = !(self.is_pinned(a) || self.is_pinned(b));
                    (inner && apart && allowed && within && free).then_some(Change::Contract(a, b))
                }))
                .collect(),
            Rule::Rewire => edges
                .filter_map(|cut| Some(Change::Rewire(cut, self.other_edge(cut, ceilings, nodes)?)))
                .collect(),
        }
    }

    /// The two closest nodes on opposite sides of a cut, other than the cut edge itself; `None` if the
    /// graph stays connected, or if the ceilings allow no such edge.
    fn other_edge(
        &self,
        cut: (usize, usize),
        ceilings: Ceilings,
        nodes: &Matrix,
    ) -> Option<(usize, usize)> {
        let mut side = vec![false; self.len()];
        side[cut.0] = true;
        let mut stack = vec![cut.0];
        while let Some(node) = stack.pop() {
            for &next in &self.neighbors[node] {
                if !side[next] && (node, next) != cut {
                    side[next] = true;
                    stack.push(next);
                }
            }
        }
        if side[cut.1] {
            return None;
        }
        let mut best = (f64::INFINITY, cut);
        for a in (0..self.len()).filter(|&a| side[a]) {
            for b in (0..self.len()).filter(|&b| !side[b]) {
                let apart = squared_distance(nodes.row(a), nodes.row(b));
                if (a, b) != cut && apart < best.0 && self.rewired(cut, (a, b)).within(ceilings) {
                    best = (apart, (a, b));
                }
            }
        }
        (best.0 < f64::INFINITY).then_some(best.1)
    }

    fn rewired(&self, cut: (usize, usize), join: (usize, usize)) -> Self {
        let edges: Vec<(usize, usize)> =
            self.edges().filter(|edge| *edge != cut).chain([join]).collect();
        let from: Vec<Option<usize>> = (0..self.len()).map(Some).collect();
        Self::new(self.len(), &edges).inheriting(self, &from)
    }

    pub(crate) fn within(&self, ceilings: Ceilings) -> bool {
        let highest = self.neighbors.iter().map(Vec::len).max();
        self.branch_points() <= ceilings.branch_points
            && highest.is_none_or(|highest| highest <= ceilings.star_order)
    }

    /// The graph after a change, with initial positions of its nodes; `mean(node)` is the mean of the
    /// node's points.
    pub(crate) fn changed(
        &self,
        change: Change,
        nodes: &Matrix,
        mean: impl Fn(usize) -> Option<Vec<f64>>,
    ) -> Proposal {
        match change {
            Change::AddTo(at) => {
                let tip = self.new_tip(at, nodes, mean);
                self.grown(nodes, tip, &[at], None)
            }
            Change::Bisect(a, b) => {
                let middle = middle(nodes.row(a), nodes.row(b));
                self.grown(nodes, middle, &[a, b], Some((a, b)))
            }
            Change::Remove(tip) => self.without(tip, nodes.clone(), None),
            Change::Contract(a, b) => {
                let mut moved = nodes.clone();
                moved.row_mut(a).copy_from_slice(&middle(nodes.row(a), nodes.row(b)));
                self.without(b, moved, Some(a))
            }
            Change::Rewire(cut, join) => Proposal {
                topology: self.rewired(cut, join),
                nodes: nodes.clone(),
                from: (0..self.len()).map(Some).collect(),
            },
        }
    }

    /// The position of a new tip: the mirror image of the neighbor of an old tip, or the mean of the
    /// points of an inner node.
    fn new_tip(
        &self,
        at: usize,
        nodes: &Matrix,
        mean: impl Fn(usize) -> Option<Vec<f64>>,
    ) -> Vec<f64> {
        let here = nodes.row(at);
        if let [only] = self.neighbors(at) {
            let before = nodes.row(*only);
            return here.iter().zip(before).map(|(x, y)| 2.0 * x - y).collect();
        }
        let share = 1.0 / self.degree(at).max(1) as f64;
        let around = || {
            let sum =
                |d: usize| self.neighbors(at).iter().map(|&near| nodes.row(near)[d]).sum::<f64>();
            (0..here.len()).map(|d| share * sum(d)).collect()
        };
        mean(at).unwrap_or_else(around)
    }

    fn grown(
        &self,
        nodes: &Matrix,
        position: Vec<f64>,
        ends: &[usize],
        cut: Option<(usize, usize)>,
    ) -> Proposal {
        let new = self.len();
        let kept = self.edges().filter(|edge| Some(*edge) != cut);
        let edges: Vec<(usize, usize)> = kept.chain(ends.iter().map(|&end| (end, new))).collect();
        let mut positions = Matrix::zeros(new + 1, nodes.n_cols());
        for node in 0..new {
            positions.row_mut(node).copy_from_slice(nodes.row(node));
        }
        positions.row_mut(new).copy_from_slice(&position);
        let from: Vec<Option<usize>> = (0..new).map(Some).chain([None]).collect();
        let mut topology = Self::new(new + 1, &edges).inheriting(self, &from);
        if let Some((a, b)) = cut
            && let Some(modulus) = self.stretching(a, b)
        {
            topology.stiffen((a, new), modulus);
            topology.stiffen((b, new), modulus);
        }
        Proposal { topology, nodes: positions, from }
    }

    /// The graph without a node, whose neighbors go to `heir`.
    fn without(&self, gone: usize, nodes: Matrix, heir: Option<usize>) -> Proposal {
        let rename = |node: usize| node - usize::from(node > gone);
        let edges: Vec<(usize, usize)> = self
            .edges()
            .filter_map(|(a, b)| {
                let other = if a == gone { b } else { a };
                match (a == gone || b == gone, heir) {
                    (false, _) => Some((rename(a), rename(b))),
                    (true, Some(heir)) if other != heir => Some((rename(heir), rename(other))),
                    (true, _) => None,
                }
            })
            .collect();
        let kept = (0..self.len()).filter(|&node| node != gone);
        let from: Vec<Option<usize>> = kept.clone().map(Some).collect();
        let mut topology = Self::new(self.len() - 1, &edges).inheriting(self, &from);
        if let Some(heir) = heir {
            for &other in self.neighbors(gone).iter().filter(|&&other| other != heir) {
                if let Some(modulus) = self.stretching(gone, other) {
                    topology.stiffen((rename(heir), rename(other)), modulus);
                }
            }
            if let (None, Some(modulus)) = (self.bending(heir), self.bending(gone)) {
                topology.straighten(rename(heir), modulus);
            }
        }
        Proposal { topology, nodes: nodes.select_rows(kept), from }
    }
}

/// A candidate for the next graph.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub topology: Topology,
    pub nodes: Matrix,
    /// The current index of each node; `None` for a new one.
    pub from: Vec<Option<usize>>,
}

fn middle(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: Ceilings = Ceilings { branch_points: 9, star_order: 9 };

    /// Nodes 0, 1, 2, … on a line.
    fn line(n: usize) -> Matrix {
        Matrix::new(n, 1, (0..n).map(|i| i as f64).collect()).unwrap()
    }

    fn edges_after(topology: &Topology, change: Change) -> Vec<(usize, usize)> {
        topology.changed(change, &line(topology.len()), |_| None).topology.edges().collect()
    }

    #[test]
    fn changes_give_the_expected_edges() {
        let tree = Topology::new(4, &[(0, 1), (1, 2), (1, 3)]);
        assert_eq!(edges_after(&tree, Change::AddTo(2)), [(0, 1), (1, 2), (1, 3), (2, 4)]);
        assert_eq!(edges_after(&tree, Change::Bisect(1, 3)), [(0, 1), (1, 2), (1, 4), (3, 4)]);
        assert_eq!(edges_after(&tree, Change::Remove(0)), [(0, 1), (0, 2)]);
        let path = Topology::new(4, &[(0, 1), (1, 2), (2, 3)]);
        assert_eq!(edges_after(&path, Change::Contract(1, 2)), [(0, 1), (1, 2)]);
    }

    #[test]
    fn ceilings_are_respected() {
        let tree = Topology::new(5, &[(0, 1), (1, 2), (1, 3), (3, 4)]);
        let none = Ceilings { branch_points: 1, star_order: 3 };
        let grow = tree.changes(Rule::Grow, none, &line(5));
        assert!(!grow.contains(&Change::AddTo(1)) && !grow.contains(&Change::AddTo(3)));
        assert_eq!(tree.changes(Rule::Grow, ANY, &line(5)).len(), 5 + 4);
        assert_eq!(
            tree.changes(Rule::Shrink, ANY, &line(5)),
            [Change::Remove(0), Change::Remove(2), Change::Remove(4), Change::Contract(1, 3)]
        );
    }

    #[test]
    fn the_only_edge_stays() {
        let edge = Topology::new(2, &[(0, 1)]);
        assert!(edge.changes(Rule::Shrink, ANY, &line(2)).is_empty());
    }

    #[test]
    fn properties_are_inherited() {
        // A path 0-1-2-3-4: edge 1-2 is stiff, node 2 straight, node 4 pinned.
        let mut path = Topology::new(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        path.stiffen((2, 1), 7.0);
        path.straighten(2, 5.0);
        path.pin(4);
        let after = |change| path.changed(change, &line(5), |_| None).topology;
        let halves = after(Change::Bisect(1, 2));
        assert_eq!((halves.stretching(1, 5), halves.stretching(5, 2)), (Some(7.0), Some(7.0)));
        assert_eq!((halves.bending(2), halves.bending(5)), (Some(5.0), None));
        let longer = after(Change::AddTo(0));
        assert_eq!((longer.stretching(0, 5), longer.stretching(1, 2)), (None, Some(7.0)));
        let shorter = after(Change::Remove(0));
        assert_eq!((shorter.stretching(0, 1), shorter.bending(1)), (Some(7.0), Some(5.0)));
        assert_eq!(shorter.pins(), [false, false, false, true]);
        // Node 2 is merged into 1, which takes its edge to 3 and its modulus.
        let merged = after(Change::Contract(1, 2));
        assert_eq!((merged.bending(1), merged.stretching(1, 2)), (Some(5.0), None));
        let merged = after(Change::Contract(2, 3));
        assert_eq!((merged.bending(2), merged.stretching(1, 2)), (Some(5.0), Some(7.0)));
        let shrink = path.changes(Rule::Shrink, ANY, &line(5));
        assert_eq!(
            shrink,
            [Change::Remove(0), Change::Contract(1, 2), Change::Contract(2, 3)],
            "4 stays"
        );
    }

    #[test]
    fn a_triangle_is_not_contracted() {
        let ring = Topology::new(3, &[(0, 1), (1, 2), (0, 2)]);
        assert!(ring.changes(Rule::Shrink, ANY, &line(3)).is_empty());
    }

    #[test]
    fn rewiring_connects_the_closest_other_nodes() {
        // Two strokes of three nodes each, connected at the wrong ends.
        let tree = Topology::new(6, &[(0, 1), (1, 2), (0, 3), (3, 4), (4, 5)]);
        let nodes = Matrix::from_rows(&[
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [9.0, 5.0],
            [6.0, 2.0],
            [3.0, 0.0],
        ])
        .unwrap();
        let changes = tree.changes(Rule::Rewire, ANY, &nodes);
        assert_eq!(changes.len(), 5);
        let rewire = Change::Rewire((0, 3), (2, 5));
        assert!(changes.contains(&rewire), "{changes:?}");
        assert_eq!(edges_after(&tree, rewire), [(0, 1), (1, 2), (2, 5), (3, 4), (4, 5)]);
        let ring = Topology::new(3, &[(0, 1), (1, 2), (0, 2)]);
        assert!(ring.changes(Rule::Rewire, ANY, &line(3)).is_empty());
        // A line has two ends, so only these can be connected.
        let none = Ceilings { branch_points: 0, star_order: 2 };
        for change in tree.changes(Rule::Rewire, none, &nodes) {
            let after = tree.changed(change, &nodes, |_| None).topology;
            assert!((0..6).all(|node| after.neighbors(node).len() <= 2), "{change:?}");
        }
    }
}
