//! Which edges close a loop, and which close only a short or narrow cycle.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::Length;
use crate::graph::PrincipalGraph;
use crate::graph::cycles::{for_short_cycles, short_cycles};
use crate::math::{BitBasis, Sets, squared_distance};

/// An edge is redundant if the path around it is shorter than this many times its length.
const DETOUR: f64 = 3.0;
/// The thickness is this quantile of the lengths of redundant edges.
const THICK: f64 = 0.9;
/// The radius of a cell as a share of the shortest loop.
pub(super) const CELL: f64 = 1.0 / 12.0;
/// Cycles through cells are a little shorter than cycles through nodes, by about this factor.
const ROUGH: f64 = 0.9;

/// A minimum spanning forest.
pub(super) struct Forest {
    /// Whether each edge of the graph is in it.
    inside: Vec<bool>,
    /// The other given edges, shortest first.
    outside: Vec<usize>,
    /// The nodes, each after its parent.
    order: Vec<usize>,
    /// The edge to the parent of each node, and the parent; `None` for roots.
    parent: Vec<Option<(usize, usize)>>,
    depth: Vec<usize>,
    root: Vec<usize>,
}

impl Forest {
    pub fn new(graph: &PrincipalGraph, edges: &[usize]) -> Self {
        let n = graph.nodes().n_rows();
        let mut sorted = edges.to_vec();
        let length = |edge: usize| graph.edges()[edge].length;
        sorted.sort_by(|&e, &f| length(e).total_cmp(&length(f)).then(e.cmp(&f)));
        let mut sets = Sets::new(n);
        let mut inside = vec![false; graph.edges().len()];
        for &edge in &sorted {
            inside[edge] = sets.join(graph.edges()[edge].a, graph.edges()[edge].b);
        }
        sorted.retain(|&edge| !inside[edge]);
        let mut forest = Self {
            inside,
            outside: sorted,
            order: Vec::with_capacity(n),
            parent: vec![None; n],
            depth: vec![0; n],
            root: vec![usize::MAX; n],
        };
        for root in 0..n {
            forest.add_tree(graph, root);
        }
        forest
    }

    fn add_tree(&mut self, graph: &PrincipalGraph, root: usize) {
        if self.root[root] != usize::MAX {
            return;
        }
        self.root[root] = root;
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            self.order.push(node);
            for &(edge, next) in graph.neighbors(node) {
                if self.inside[edge] && self.root[next] == usize::MAX {
                    self.root[next] = root;
                    self.parent[next] = Some((edge, node));
                    self.depth[next] = self.depth[node] + 1;
                    open.push(next);
                }
            }
        }
    }

    /// The nodes of each tree in ascending order.
    pub fn trees(&self) -> impl Iterator<Item = Vec<usize>> + use<> {
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (node, &root) in self.root.iter().enumerate() {
            members.entry(root).or_default().push(node);
        }
        members.into_values()
    }

    /// Whether each edge of the graph is in the forest or one of `others`.
    fn with(&self, others: &[usize]) -> Vec<bool> {
        let mut inside = self.inside.clone();
        others.iter().for_each(|&edge| inside[edge] = true);
        inside
    }

    /// A high quantile of the lengths of redundant edges; 0 if there are none. Edges that may close
    /// a loop longer than a given length do not count.
    pub fn thickness(&self, graph: &PrincipalGraph, min_loop: Length) -> f64 {
        let length = |edge: usize| graph.edges()[edge].length;
        let limit = |edge: usize| match min_loop {
            Length::Auto => DETOUR * length(edge),
            Length::Fixed(longest) => (DETOUR * length(edge)).min(longest - length(edge)),
        };
        let redundant = |&&edge: &&usize| self.path_around(graph, edge, limit(edge)).is_some();
        let lengths: Vec<f64> =
            self.outside.iter().filter(redundant).map(|&edge| length(edge)).collect();
        let rank = (THICK * lengths.len() as f64).ceil() as usize;
        rank.checked_sub(1).map_or(0.0, |rank| lengths[rank])
    }

    /// The length of the forest's path between the nodes of an edge, if below `limit`.
    fn path_around(&self, graph: &PrincipalGraph, edge: usize, limit: f64) -> Option<f64> {
        let (mut a, mut b) = (graph.edges()[edge].a, graph.edges()[edge].b);
        let mut length = 0.0;
        while a != b && length < limit {
            if self.depth[a] < self.depth[b] {
                (a, b) = (b, a);
            }
            let (edge, up) = self.parent[a]?;
            length += graph.edges()[edge].length;
            a = up;
        }
        (length < limit).then_some(length)
    }
}

/// The edges of a skeleton before pruning: a minimum spanning forest, and the edges that close
/// loops. Of `links`, which connect close nodes, only those that close no loop are used. With
/// `even`, no edge may be a quarter of its loop or more.
pub(super) fn spanned(
    graph: &PrincipalGraph,
    edges: &[usize],
    links: &[usize],
    min_loop: f64,
    even: bool,
) -> Vec<bool> {
    let forest = Forest::new(graph, edges);
    if min_loop == 0.0 || forest.outside.is_empty() {
        return forest.with(&forest.outside);
    }
    let mut trivial = Trivial::new(graph, edges, &forest, min_loop);
    let narrow = trivial.narrow(graph, &forest, links);
    let linked = Forest::new(graph, &[edges, &narrow].concat());
    let is_edge = |edge: &usize| edges.binary_search(edge).is_ok();
    let candidates: Vec<usize> = linked.outside.iter().copied().filter(is_edge).collect();
    linked.with(&trivial.loops(graph, &linked, &candidates, even))
}

/// The cycles that are not loops: the span of short and narrow cycles.
///
/// Loops are the cycles outside the span of short ones, so there are at most as many as there are
/// cycles longer than `min_loop` in the minimum cycle basis. To find narrow cycles, nodes are
/// assigned to cells around a net of centers; a loop, mapped to cells, is not in the span of short
/// cycles of cells either.
struct Trivial {
    cells: Cells,
    basis: BitBasis,
}

impl Trivial {
    fn new(graph: &PrincipalGraph, edges: &[usize], forest: &Forest, min_loop: f64) -> Self {
        let cells = Cells::new(graph, edges, forest, CELL * min_loop);
        let mut basis = cells.short_cycles(ROUGH * min_loop);
        let ends = |&edge: &usize| &graph.edges()[edge];
        let all: Vec<_> =
            edges.iter().map(ends).map(|edge| (edge.a, edge.b, edge.length)).collect();
        for_short_cycles(graph.nodes().n_rows(), &all, min_loop, |members| {
            let mut cycle = vec![0; BitBasis::words(cells.bits)];
            members.iter().for_each(|&member| cells.flip(edges[member], &mut cycle));
            basis.insert(cycle);
            basis.rank() < cells.bits
        });
        Self { cells, basis }
    }

    /// The `links` that close no loop with the forest. They connect nodes of the same cell or of
    /// cells that are already linked.
    fn narrow(&mut self, graph: &PrincipalGraph, forest: &Forest, links: &[usize]) -> Vec<usize> {
        let paths = self.cells.paths(forest);
        let mut narrow = links.to_vec();
        narrow.retain(|&link| {
            self.cells.add_edge(graph, link)
                && !self.basis.reduce(&mut self.cells.cycle(graph, &paths, link))
        });
        narrow
    }

    /// One edge per loop, the first of `candidates` that closes it with the forest.
    fn loops(
        &mut self,
        graph: &PrincipalGraph,
        forest: &Forest,
        candidates: &[usize],
        even: bool,
    ) -> Vec<usize> {
        let paths = self.cells.paths(forest);
        let mut skeleton = Skeleton::new(graph, forest);
        let mut kept = Vec::new();
        for &index in candidates {
            let edge = &graph.edges()[index];
            let mut cycle = self.cells.cycle(graph, &paths, index);
            let is_quarter = || skeleton.has_path(edge.a, edge.b, DETOUR * edge.length);
            if self.basis.reduce(&mut cycle) && !(even && is_quarter()) {
                self.basis.insert(cycle);
                skeleton.add(index);
                kept.push(index);
            }
        }
        kept
    }
}

/// Nodes by their nearest center, and the links between cells.
struct Cells {
    /// The cell of each node.
    of_node: Vec<usize>,
    /// `(cell, cell, distance between their centers)`.
    links: Vec<(usize, usize, f64)>,
    /// The index of the link between two cells, the smaller one first.
    numbers: BTreeMap<(usize, usize), usize>,
    n_cells: usize,
    /// The link of each edge between different cells.
    link_of: BTreeMap<usize, usize>,
    /// The bit of each link outside a spanning forest of the cells.
    bit_of: Vec<Option<usize>>,
    bits: usize,
}

impl Cells {
    fn new(graph: &PrincipalGraph, edges: &[usize], forest: &Forest, reach: f64) -> Self {
        let nodes = graph.nodes();
        let (of_node, centers) = net(graph, forest, reach);
        let mut cells = Self {
            of_node,
            links: Vec::new(),
            numbers: BTreeMap::new(),
            n_cells: centers.len(),
            link_of: BTreeMap::new(),
            bit_of: Vec::new(),
            bits: 0,
        };
        for &edge in edges {
            let Some((a, b)) = cells.ends(graph, edge) else { continue };
            let number = *cells.numbers.entry((a, b)).or_insert_with(|| {
                let squared = squared_distance(nodes.row(centers[a]), nodes.row(centers[b]));
                cells.links.push((a, b, squared.sqrt()));
                cells.links.len() - 1
            });
            cells.link_of.insert(edge, number);
        }
        let mut sets = Sets::new(cells.n_cells);
        for &(a, b, _) in &cells.links {
            let outside = !sets.join(a, b);
            cells.bit_of.push(outside.then_some(cells.bits));
            cells.bits += usize::from(outside);
        }
        cells
    }

    /// The two cells that an edge connects, the smaller one first; `None` within a cell.
    fn ends(&self, graph: &PrincipalGraph, edge: usize) -> Option<(usize, usize)> {
        let edge = &graph.edges()[edge];
        let (a, b) = (self.of_node[edge.a], self.of_node[edge.b]);
        (a != b).then_some((a.min(b), a.max(b)))
    }

    /// Adds an edge; returns false if it connects cells that are not linked.
    fn add_edge(&mut self, graph: &PrincipalGraph, edge: usize) -> bool {
        let Some(ends) = self.ends(graph, edge) else { return true };
        let Some(&number) = self.numbers.get(&ends) else { return false };
        self.link_of.insert(edge, number);
        true
    }

    /// The cycle that an edge closes with the paths from the root to its nodes.
    fn cycle(&self, graph: &PrincipalGraph, paths: &[Vec<u64>], index: usize) -> Vec<u64> {
        let edge = &graph.edges()[index];
        let mut cycle: Vec<u64> =
            paths[edge.a].iter().zip(&paths[edge.b]).map(|(a, b)| a ^ b).collect();
        self.flip(index, &mut cycle);
        cycle
    }

    /// Flips the bit of an edge's link in a cycle.
    fn flip(&self, edge: usize, cycle: &mut [u64]) {
        if let Some(bit) = self.link_of.get(&edge).and_then(|&link| self.bit_of[link]) {
            BitBasis::flip(cycle, bit);
        }
    }

    /// The span of the cycles of cells up to a length.
    fn short_cycles(&self, longest: f64) -> BitBasis {
        let mut basis = BitBasis::new(self.bits);
        for links in short_cycles(self.n_cells, &self.links, longest) {
            let mut cycle = vec![0; BitBasis::words(self.bits)];
            for bit in links.iter().filter_map(|&link| self.bit_of[link]) {
                BitBasis::flip(&mut cycle, bit);
            }
            basis.insert(cycle);
        }
        basis
    }

    /// The links on the forest's path from its root to each node.
    fn paths(&self, forest: &Forest) -> Vec<Vec<u64>> {
        let mut paths = vec![vec![0; BitBasis::words(self.bits)]; forest.parent.len()];
        for &node in &forest.order {
            if let Some((edge, up)) = forest.parent[node] {
                paths[node] = paths[up].clone();
                self.flip(edge, &mut paths[node]);
            }
        }
        paths
    }
}

/// Centers such that each node is within `reach` of one in its own tree; the farthest node becomes
/// the next center. Returns the cell of each node and the center of each cell.
fn net(graph: &PrincipalGraph, forest: &Forest, reach: f64) -> (Vec<usize>, Vec<usize>) {
    let nodes = graph.nodes();
    let mut cell = vec![0; nodes.n_rows()];
    let mut centers = Vec::new();
    for members in forest.trees() {
        let mut middle = vec![0.0; nodes.n_cols()];
        for &node in &members {
            let share = 1.0 / members.len() as f64;
            middle.iter_mut().zip(nodes.row(node)).for_each(|(m, x)| *m += share * x);
        }
        let outermost = |squared: &[f64]| {
            (0..members.len()).rev().max_by(|&i, &j| squared[i].total_cmp(&squared[j])).unwrap_or(0)
        };
        let mut squared: Vec<f64> =
            members.iter().map(|&node| squared_distance(nodes.row(node), &middle)).collect();
        let mut next = outermost(&squared);
        squared.fill(f64::INFINITY);
        while squared[next] > reach * reach {
            let center = nodes.row(members[next]);
            for (slot, &node) in members.iter().enumerate() {
                let distance = squared_distance(center, nodes.row(node));
                if distance < squared[slot] {
                    squared[slot] = distance;
                    cell[node] = centers.len();
                }
            }
            centers.push(members[next]);
            next = outermost(&squared);
        }
    }
    (cell, centers)
}

/// The forest and the edges that close loops so far.
struct Skeleton<'g> {
    graph: &'g PrincipalGraph,
    inside: Vec<bool>,
}

impl<'g> Skeleton<'g> {
    fn new(graph: &'g PrincipalGraph, forest: &Forest) -> Self {
        Self { graph, inside: forest.inside.clone() }
    }

    fn add(&mut self, edge: usize) {
        self.inside[edge] = true;
    }

    /// Whether there is a path of length at most `limit`.
    fn has_path(&self, from: usize, to: usize, limit: f64) -> bool {
        // The bits of nonnegative floats have the same order as the floats.
        let mut best = BTreeMap::from([(from, 0.0)]);
        let mut queue = BinaryHeap::from([Reverse((0_u64, from))]);
        while let Some(Reverse((bits, node))) = queue.pop() {
            let length = f64::from_bits(bits);
            if node == to {
                return true;
            }
            for &(edge, next) in self.graph.neighbors(node) {
                let onward = length + self.graph.edges()[edge].length;
                let known = best.get(&next).is_some_and(|&known| known <= onward);
                if self.inside[edge] && onward <= limit && !known {
                    best.insert(next, onward);
                    queue.push(Reverse((onward.to_bits(), next)));
                }
            }
        }
        false
    }
}
