//! A mutable graph.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::{Matrix, Sets, squared_distance};

/// Nodes of a graph and links between them.
pub(super) struct Draft<'g> {
    nodes: &'g Matrix,
    alive: Vec<bool>,
    /// The weight of the link to each neighbor.
    links: Vec<BTreeMap<usize, f64>>,
}

/// A path between two nodes of degree other than 2, or a ring.
struct Stretch {
    nodes: Vec<usize>,
    length: f64,
}

/// The path that remains when a node of degree 2 is merged into its neighbor.
struct Detour {
    stays: usize,
    goes: usize,
    /// The node after the one that goes.
    next: usize,
    /// The total distance from the other neighbors of `stays`, and from `next`, to `stays`.
    length: f64,
}

impl Stretch {
    fn ends(&self) -> (usize, usize) {
        (self.nodes[0], self.nodes[self.nodes.len() - 1])
    }
}

impl<'g> Draft<'g> {
    /// The graph with the wanted edges.
    pub fn of(graph: &'g PrincipalGraph, wanted: impl Fn(usize) -> bool) -> Self {
        let n = graph.nodes().n_rows();
        let mut draft =
            Self { nodes: graph.nodes(), alive: vec![true; n], links: vec![BTreeMap::new(); n] };
        for (index, edge) in graph.edges().iter().enumerate() {
            if wanted(index) {
                draft.link(edge.a, edge.b, edge.weight);
            }
        }
        draft
    }

    /// Removes terminal branches, shortest first, that have no node at least `min_reach` away from
    /// all other nodes of the component. Branches that then meet at a node of degree 2 become one.
    /// Paths are never removed.
    pub fn prune(&mut self, min_reach: f64) {
        // Branches shorter than `min_reach` are cheap to recognize; the distance test is not.
        self.prune_while(|_, twig| twig.length < min_reach);
        let of_node = self.components();
        self.prune_while(|draft, twig| !draft.reaches(twig, min_reach, &of_node));
    }

    fn prune_while(&mut self, weak: impl Fn(&Self, &Stretch) -> bool) {
        let twig = |draft: &Self, tip: usize| -> Option<Stretch> {
            let first = *draft.links[tip].keys().next().filter(|_| draft.degree(tip) == 1)?;
            Some(draft.walk(tip, first)).filter(|twig| draft.degree(twig.ends().1) >= 3)
        };
        let entry = |twig: Stretch| Reverse((twig.length.to_bits(), twig.nodes[0]));
        let twigs = (0..self.links.len()).filter_map(|tip| twig(self, tip));
        let mut queue: BinaryHeap<_> = twigs.map(entry).collect();
        while let Some(Reverse((bits, tip))) = queue.pop() {
            let Some(twig) = twig(self, tip) else { continue };
            if twig.length.to_bits() != bits {
                queue.push(entry(twig));
            } else if weak(self, &twig) {
                for &node in &twig.nodes[..twig.nodes.len() - 1] {
                    self.remove(node);
                }
            }
        }
    }

    /// Whether a node of the twig is at least `min_reach` away from all nodes outside it.
    fn reaches(&self, twig: &Stretch, min_reach: f64, of_node: &[usize]) -> bool {
        let (tip, joint) = twig.ends();
        let outside = |node: &usize| {
            self.alive[*node]
                && of_node[*node] == of_node[tip]
                && (*node == joint || !twig.nodes.contains(node))
        };
        let rest: Vec<usize> = (0..self.alive.len()).filter(outside).collect();
        let is_far =
            |&node: &usize| rest.iter().all(|&other| self.distance(node, other) >= min_reach);
        twig.nodes.iter().any(is_far)
    }

    /// The smallest node of each node's component.
    fn components(&self) -> Vec<usize> {
        let mut sets = Sets::new(self.links.len());
        for (node, links) in self.links.iter().enumerate() {
            for &next in links.keys() {
                sets.join(node, next);
            }
        }
        (0..self.links.len()).map(|node| sets.find(node)).collect()
    }

    /// Collapses each inner branch shorter than `min_length` into one node, shortest first: the one
    /// of its nodes that is nearest to the neighbors of its two ends. Branches are kept if two links
    /// would coincide.
    pub fn contract(&mut self, min_length: f64) {
        loop {
            let short = |stretch: &Stretch| {
                let (a, b) = stretch.ends();
                stretch.length < min_length
                    && self.degree(a) >= 3
                    && self.degree(b) >= 3
                    && a < b
                    && self.can_contract(stretch)
            };
            let shortest =
                self.stretches().into_iter().filter(short).min_by(|s, t| {
                    s.length.total_cmp(&t.length).then_with(|| s.nodes.cmp(&t.nodes))
                });
            let Some(stretch) = shortest else { break };
            self.contract_one(&stretch);
        }
    }

    /// Whether no two links to the two ends would coincide.
    fn can_contract(&self, stretch: &Stretch) -> bool {
        let (a, b) = stretch.ends();
        let inner = |node: &&usize| !stretch.nodes.contains(node);
        let mut outer: Vec<usize> =
            self.links[a].keys().chain(self.links[b].keys()).filter(inner).copied().collect();
        let all = self.degree(a) + self.degree(b) - 2;
        outer.sort_unstable();
        outer.dedup();
        outer.len() == all
    }

    fn contract_one(&mut self, stretch: &Stretch) {
        let (a, b) = stretch.ends();
        let mut links = Vec::new();
        for end in [a, b] {
            let outer = self.links[end].iter().filter(|(node, _)| !stretch.nodes.contains(node));
            links.extend(outer.map(|(&node, &weight)| (node, weight)));
        }
        let cost = |node: usize| links.iter().map(|link| self.distance(node, link.0)).sum::<f64>();
        let by_cost = |x: &usize, y: &usize| cost(*x).total_cmp(&cost(*y)).then(x.cmp(y));
        let middle = stretch.nodes.iter().copied().min_by(by_cost).unwrap_or(a);
        for &node in &stretch.nodes {
            self.remove(node);
        }
        self.alive[middle] = true;
        for (node, weight) in links {
            self.link(middle, node, weight);
        }
    }

    /// Merges each of `pairs` into one node if the two are linked and one of them has degree 2,
    /// nearest first. A node may represent many, but only those at most `reach` away.
    pub fn merge(&mut self, pairs: impl Iterator<Item = (usize, usize)>, reach: f64) {
        let mut pairs: BTreeSet<_> = pairs.collect();
        let mut spread = vec![0.0; self.links.len()];
        let entry = |draft: &Self, (a, b)| Reverse((draft.distance(a, b).to_bits(), a, b));
        let mut queue: BinaryHeap<_> = pairs.iter().map(|&pair| entry(self, pair)).collect();
        while let Some(Reverse((bits, a, b))) = queue.pop() {
            let step = f64::from_bits(bits);
            let detours = [self.detour(a, b), self.detour(b, a)].into_iter().flatten();
            let detours = detours.filter(|detour| step + spread[detour.goes] <= reach);
            let shortest = detours.min_by(|p, q| p.length.total_cmp(&q.length));
            let Some(Detour { stays, goes, next, .. }) = shortest else { continue };
            spread[stays] = f64::max(spread[stays], step + spread[goes]);
            let weight = self.links[goes][&next];
            self.remove(goes);
            self.link(stays, next, weight);
            if pairs.contains(&(goes.min(next), goes.max(next))) {
                let pair = (stays.min(next), stays.max(next));
                pairs.insert(pair);
                queue.push(entry(self, pair));
            }
        }
    }

    /// The path past a neighbor of degree 2 to the next node, unless the two are already linked.
    fn detour(&self, stays: usize, goes: usize) -> Option<Detour> {
        let mergeable = self.degree(goes) == 2 && self.links[goes].contains_key(&stays);
        let onward = |next: &&usize| **next != stays && !self.links[stays].contains_key(next);
        let next = *self.links[goes].keys().find(onward).filter(|_| mergeable)?;
        let before = self.links[stays].keys().filter(|&&node| node != goes);
        let length = before.map(|&node| self.distance(stays, node)).sum::<f64>()
            + self.distance(stays, next);
        Some(Detour { stays, goes, next, length })
    }

    /// Replaces each stretch by one link with its minimum weight. Stretches between nodes that are
    /// already linked keep a node in the middle, closed ones keep two or three.
    pub fn merge_chains(&mut self) {
        let mut stretches = self.stretches();
        stretches.sort_by(|s, t| s.length.total_cmp(&t.length).then_with(|| s.nodes.cmp(&t.nodes)));
        for stretch in stretches.iter().filter(|stretch| stretch.nodes.len() > 2) {
            let (a, b) = stretch.ends();
            let shares: &[f64] = match (a == b, self.links[a].contains_key(&b)) {
                (true, _) => &[1.0 / 3.0, 2.0 / 3.0],
                (false, true) => &[0.5],
                (false, false) => &[],
            };
            let mut kept = vec![a];
            for &share in shares {
                let node = self.nearest_to(stretch, share);
                if !kept.contains(&node) && node != b {
                    kept.push(node);
                }
            }
            kept.push(b);
            if kept.len() < shares.len() + 2 {
                continue;
            }
            let weights = stretch.nodes.windows(2).map(|pair| self.links[pair[0]][&pair[1]]);
            let weight = weights.fold(f64::INFINITY, f64::min);
            for pair in stretch.nodes.windows(2) {
                self.links[pair[0]].remove(&pair[1]);
                self.links[pair[1]].remove(&pair[0]);
            }
            for &node in &stretch.nodes {
                self.alive[node] = kept.contains(&node);
            }
            for pair in kept.windows(2) {
                self.link(pair[0], pair[1], weight);
            }
        }
    }

    /// The inner node of a stretch nearest to a share of its length; an end node if there is no
    /// inner node.
    fn nearest_to(&self, stretch: &Stretch, share: f64) -> usize {
        let mut length = 0.0;
        let mut best = (f64::INFINITY, stretch.nodes[0]);
        let inner = stretch.nodes.len() > 2;
        for (at, &node) in stretch.nodes.iter().enumerate() {
            if at > 0 {
                length += self.distance(stretch.nodes[at - 1], node);
            }
            let off = (length - share * stretch.length).abs();
            let is_end = at == 0 || at + 1 == stretch.nodes.len();
            if off < best.0 && !(inner && is_end) {
                best = (off, node);
            }
        }
        best.1
    }

    /// The remaining graph, and for each of its nodes the index in `before`. The mass of removed
    /// nodes goes to the nearest remaining one along the edges of `before`.
    pub fn finish(self, before: &PrincipalGraph) -> Result<(PrincipalGraph, Vec<usize>)> {
        let kept: Vec<usize> = (0..self.alive.len()).filter(|&node| self.alive[node]).collect();
        let mut number = vec![0; self.alive.len()];
        for (new, &node) in kept.iter().enumerate() {
            number[node] = new;
        }
        let mut edges = Vec::new();
        for &node in &kept {
            for (&next, &weight) in self.links[node].range(node..) {
                edges.push((number[node], number[next], weight));
            }
        }
        let mut mass = vec![0.0; kept.len()];
        for (node, heir) in heirs(before, &kept).into_iter().enumerate() {
            mass[number[heir]] += before.mass()[node];
        }
        let nodes = self.nodes.select_rows(kept.iter().copied());
        Ok((PrincipalGraph::new(nodes, &edges, mass)?, kept))
    }

    fn stretches(&self) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        let mut passed = vec![false; self.alive.len()];
        let living = || (0..self.alive.len()).filter(|&node| self.alive[node]);
        for node in living().filter(|&node| self.degree(node) != 2) {
            for &first in self.links[node].keys() {
                let stretch = self.walk(node, first);
                let inner = &stretch.nodes[1..stretch.nodes.len() - 1];
                let again = match inner.first() {
                    Some(&first) => passed[first],
                    None => first < node,
                };
                if !again {
                    inner.iter().for_each(|&node| passed[node] = true);
                    stretches.push(stretch);
                }
            }
        }
        for node in living().filter(|&node| self.degree(node) == 2) {
            if let (false, Some(&first)) = (passed[node], self.links[node].keys().next()) {
                let ring = self.walk(node, first);
                ring.nodes.iter().for_each(|&node| passed[node] = true);
                stretches.push(ring);
            }
        }
        stretches
    }

    /// Follows a link from `start` to the next node of degree other than 2, or once around a ring.
    fn walk(&self, start: usize, first: usize) -> Stretch {
        let mut stretch = Stretch { nodes: vec![start], length: 0.0 };
        let (mut before, mut node) = (start, first);
        loop {
            stretch.length += self.distance(before, node);
            stretch.nodes.push(node);
            if node == start || self.degree(node) != 2 {
                return stretch;
            }
            let Some(&next) = self.links[node].keys().find(|&&next| next != before) else {
                return stretch;
            };
            (before, node) = (node, next);
        }
    }

    fn degree(&self, node: usize) -> usize {
        self.links[node].len()
    }

    fn distance(&self, a: usize, b: usize) -> f64 {
        squared_distance(self.nodes.row(a), self.nodes.row(b)).sqrt()
    }

    fn link(&mut self, a: usize, b: usize, weight: f64) {
        self.links[a].insert(b, weight);
        self.links[b].insert(a, weight);
    }

    fn remove(&mut self, node: usize) {
        self.alive[node] = false;
        for next in std::mem::take(&mut self.links[node]).into_keys() {
            self.links[next].remove(&node);
        }
    }
}

/// For each node of a graph, the nearest node of `kept` along the edges. Each component has one.
fn heirs(graph: &PrincipalGraph, kept: &[usize]) -> Vec<usize> {
    let mut heirs: Vec<usize> = (0..graph.nodes().n_rows()).collect();
    let mut settled = vec![false; heirs.len()];
    let start = kept.iter().map(|&node| Reverse((0_u64, node, node)));
    let mut queue: BinaryHeap<_> = start.collect();
    while let Some(Reverse((bits, heir, node))) = queue.pop() {
        if std::mem::replace(&mut settled[node], true) {
            continue;
        }
        heirs[node] = heir;
        for &(edge, next) in graph.neighbors(node) {
            if !settled[next] {
                // The bits of nonnegative floats have the same order as the floats.
                let length = f64::from_bits(bits) + graph.edges()[edge].length;
                queue.push(Reverse((length.to_bits(), heir, next)));
            }
        }
    }
    heirs
}
