//! Pruning: removes terminal branches that carry hardly any points, are hardly longer than noise, or
//! are not learned again from resampled points.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::branches::mean_support;
use super::members::Members;
use super::projector::Projector;
use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};
use crate::points::{Blocks, CHUNK_ROWS};

/// Which terminal branches are too weak to keep. A branch must pass all limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TipRule<'s> {
    /// The least share of the points' weight, from 0 (any) to 1.
    pub min_share: f64,
    /// The least length, in the units of the points; 0 for any.
    pub min_length: f64,
    /// The least support, from 0 (any) to 1; see [`tune::bootstrap`](crate::tune::bootstrap).
    pub min_support: f64,
    /// The support of each edge, which a least support is about.
    pub support: Option<&'s [f64]>,
}

impl Default for TipRule<'_> {
    /// 1 % of the points, of any length.
    fn default() -> Self {
        Self { min_share: 0.01, min_length: 0.0, min_support: 0.0, support: None }
    }
}

impl TipRule<'_> {
    /// Refuses limits that make no sense.
    pub fn check(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.min_share) {
            return Err(Error::setting("min_share", self.min_share, "must be between 0 and 1"));
        }
        if self.min_length.is_nan() || self.min_length < 0.0 {
            return Err(Error::setting("min_length", self.min_length, "must be at least 0"));
        }
        if !(0.0..=1.0).contains(&self.min_support) {
            return Err(Error::setting("min_support", self.min_support, "must be between 0 and 1"));
        }
        Ok(())
    }

    /// Refuses a support that is not that of the graph's edges.
    fn check_support(&self, graph: &PrincipalGraph) -> Result<()> {
        let n_edges = graph.edges().len();
        match self.support {
            None if self.min_support > 0.0 => Err(Error::setting(
                "min_support",
                self.min_support,
                "the graph has no edge support",
            )),
            Some(support) if support.len() != n_edges => {
                Err(Error::shape("support of the edges", n_edges, support.len()))
            }
            _ => Ok(()),
        }
    }

    /// Below 1 the branch falls to the rule; the smaller, the weaker it is.
    fn strength(&self, share: f64, length: f64, support: f64) -> f64 {
        let against = |value: f64, limit: f64| {
            if limit > 0.0 { value / limit } else { f64::INFINITY }
        };
        against(share, self.min_share)
            .min(against(length, self.min_length))
            .min(against(support, self.min_support))
    }
}

/// A graph without its weak terminal branches.
#[derive(Clone, Debug)]
pub struct PrunedTips {
    /// What remains.
    pub graph: PrincipalGraph,
    /// For each remaining node its number in the graph before.
    pub kept: Vec<usize>,
    /// How many branches were removed.
    pub removed: usize,
}

impl PrincipalGraph {
    /// Removes terminal branches (from a tip to the nearest branch point, which stays) that
    /// fall to `rule`: the weakest first, one at a time. After each removal its points go to
    /// the nearest remaining edge or node, its mass to the branch point, and branches that now meet
    /// at an ordinary node are one. A path, or a ring, is never removed.
    ///
    /// Points whose nearest position is the branch point itself do not count for the branch.
    /// `projection` is that of `points` onto this graph.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::{PrincipalGraph, TipRule};
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.1]])?;
    /// let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4])?;
    /// let points = Points::from_f64(vec![0.2, 0.0, 0.7, 0.0, 1.5, 0.0, 1.0, 0.1], 2)?;
    /// let rule = TipRule { min_share: 0.0, min_length: 0.2, ..TipRule::default() };
    /// let pruned = graph.prune_tips(&rule, &points, &graph.project(&points)?)?;
    /// assert_eq!(pruned.kept, [0, 1, 2]);
    /// assert_eq!(pruned.graph.mass(), [1.0, 2.0, 1.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn prune_tips(
        &self,
        rule: &TipRule<'_>,
        points: &dyn Blocks,
        projection: &Projection,
    ) -> Result<PrunedTips> {
        rule.check()?;
        rule.check_support(self)?;
        self.check_projection(points, projection)?;
        let mut pruner = Pruner::new(self, rule, points, projection);
        let removed = pruner.run()?;
        pruner.finish(removed)
    }
}

/// A terminal branch.
#[derive(Clone, Debug)]
struct Twig {
    /// Its nodes from the tip on, without the one it hangs on.
    nodes: Vec<usize>,
    edges: Vec<usize>,
    /// Where it hangs on the rest.
    joint: usize,
    weight: f64,
    length: f64,
}

/// The state of the pruning. A *seat* is where the projection of a point lies: inside an edge
/// (seat = edge) or on a node (seat = number of edges + node).
struct Pruner<'g> {
    graph: &'g PrincipalGraph,
    rule: &'g TipRule<'g>,
    points: &'g dyn Blocks,
    finder: Projector<'g>,
    total_weight: f64,
    edge_alive: Vec<bool>,
    node_alive: Vec<bool>,
    degree: Vec<usize>,
    mass: Vec<f64>,
    seated: Vec<Vec<usize>>,
    seat_weight: Vec<f64>,
    /// The tip whose twig holds the seat.
    tip_of_seat: Vec<Option<usize>>,
    /// For each tip its twig; none once it is removed or the end of a path.
    twigs: Vec<Option<Twig>>,
}

impl<'g> Pruner<'g> {
    fn new(
        graph: &'g PrincipalGraph,
        rule: &'g TipRule<'g>,
        points: &'g dyn Blocks,
        projection: &Projection,
    ) -> Self {
        let (n_nodes, n_edges) = (graph.nodes().n_rows(), graph.edges().len());
        let mut pruner = Self {
            graph,
            rule,
            points,
            finder: Projector::new(graph),
            total_weight: points.total_weight(),
            edge_alive: vec![true; n_edges],
            node_alive: vec![true; n_nodes],
            degree: (0..n_nodes).map(|node| graph.degree(node)).collect(),
            mass: graph.mass().to_vec(),
            seated: vec![Vec::new(); n_edges + n_nodes],
            seat_weight: vec![0.0; n_edges + n_nodes],
            tip_of_seat: vec![None; n_edges + n_nodes],
            twigs: vec![None; n_nodes],
        };
        for i in 0..points.len() {
            let edge = projection.edge[i];
            let ends = edge.map_or((projection.node[i], projection.node[i]), |e| {
                (graph.edges()[e].a, graph.edges()[e].b)
            });
            let seat = pruner.seat(edge, ends, projection.edge_pos[i]);
            pruner.seated[seat].push(i);
            pruner.seat_weight[seat] += points.weight(i);
        }
        for tip in graph.tips() {
            pruner.start_twig(tip);
        }
        pruner
    }

    fn seat(&self, edge: Option<usize>, ends: (usize, usize), pos: f64) -> usize {
        match edge {
            Some(edge) if pos > 0.0 && pos < 1.0 => edge,
            _ if pos == 1.0 => self.node_seat(ends.1),
            _ => self.node_seat(ends.0),
        }
    }

    fn node_seat(&self, node: usize) -> usize {
        self.edge_alive.len() + node
    }

    /// Removes weak twigs until none is left; returns their number. Twigs gain weight where points
    /// come to them, so an entry of the queue may be too early: it is put back then. Those that
    /// become longer, which may be less supported on the whole, are put in once more.
    fn run(&mut self) -> Result<usize> {
        let mut queue: BinaryHeap<Reverse<(u64, usize)>> = (0..self.twigs.len())
            .filter_map(|tip| Some(Reverse((self.strength(tip)?, tip))))
            .collect();
        let mut removed = 0;
        while let Some(Reverse((strength, tip))) = queue.pop() {
            let Some(current) = self.strength(tip) else {
                continue;
            };
            if current > strength {
                queue.push(Reverse((current, tip)));
            } else if current < 1_f64.to_bits() {
                let longer = self.remove(tip)?;
                let entry = |tip| Some(Reverse((self.strength(tip)?, tip)));
                queue.extend(longer.into_iter().filter_map(entry));
                removed += 1;
            } else {
                break;
            }
        }
        Ok(removed)
    }

    /// The bits of a number of at least 0, which are ordered as the numbers are.
    fn strength(&self, tip: usize) -> Option<u64> {
        let twig = self.twigs[tip].as_ref()?;
        let share = twig.weight / self.total_weight;
        let edges = |of: &'g [f64]| {
            twig.edges.iter().map(move |&edge| (self.graph.edges()[edge].length, of[edge]))
        };
        let support = self.rule.support.and_then(|of| mean_support(edges(of))).unwrap_or(1.0);
        Some(self.rule.strength(share, twig.length, support).abs().to_bits())
    }

    fn start_twig(&mut self, tip: usize) {
        self.twigs[tip] = Some(Twig {
            nodes: Vec::new(),
            edges: Vec::new(),
            joint: tip,
            weight: 0.0,
            length: 0.0,
        });
        self.lengthen_twig(tip);
    }

    /// Follows a twig on to the next branch point; if it ends in a tip it is no twig any more.
    fn lengthen_twig(&mut self, tip: usize) {
        let Some(mut twig) = self.twigs[tip].take() else {
            return;
        };
        while self.degree[twig.joint] < 3 {
            let node = twig.joint;
            let onward = self
                .graph
                .neighbors(node)
                .iter()
                .find(|(edge, _)| self.edge_alive[*edge] && twig.edges.last() != Some(edge));
            let Some(&(edge, next)) = onward else {
                return;
            };
            for seat in [self.node_seat(node), edge] {
                twig.weight += self.seat_weight[seat];
                self.tip_of_seat[seat] = Some(tip);
            }
            twig.length += self.graph.edges()[edge].length;
            twig.nodes.push(node);
            twig.edges.push(edge);
            twig.joint = next;
        }
        self.twigs[tip] = Some(twig);
    }

    /// Removes a twig; the tips whose twigs become longer by that.
    fn remove(&mut self, tip: usize) -> Result<Vec<usize>> {
        let Some(twig) = self.twigs[tip].take() else {
            return Ok(Vec::new());
        };
        let mut moved = Vec::new();
        for &node in &twig.nodes {
            self.node_alive[node] = false;
            self.mass[twig.joint] += self.mass[node];
            let seat = self.node_seat(node);
            moved.append(&mut self.seated[seat]);
        }
        for &edge in &twig.edges {
            self.edge_alive[edge] = false;
            moved.append(&mut self.seated[edge]);
        }
        moved.sort_unstable();
        self.degree[twig.joint] -= 1;
        let mut longer = Vec::new();
        if self.degree[twig.joint] == 2 {
            let neighbors = self.graph.neighbors(twig.joint).iter();
            longer = neighbors
                .filter(|(edge, _)| self.edge_alive[*edge])
                .filter_map(|(edge, _)| self.tip_of_seat[*edge])
                .collect();
            for &tip in &longer {
                self.lengthen_twig(tip);
            }
        }
        for some in moved.chunks(CHUNK_ROWS) {
            self.seat_again(some)?;
        }
        Ok(longer)
    }

    /// Moves points to their nearest position on what remains.
    fn seat_again(&mut self, moved: &[usize]) -> Result<()> {
        let members = Members::new(self.points, moved)?;
        let scratch = || (vec![0.0; members.dims()], self.finder.scratch());
        let seats: Vec<Option<usize>> = (0..moved.len())
            .into_par_iter()
            .with_min_len(64)
            .map_init(scratch, |(row, scratch), at| {
                members.copy_row(at, row);
                let nearest = self.finder.nearest(row, scratch, |edge| self.edge_alive[edge])?;
                Some(self.seat(nearest.edge, nearest.ends, nearest.pos))
            })
            .collect();
        for (&i, seat) in moved.iter().zip(seats) {
            let Some(seat) = seat else { continue };
            let weight = self.points.weight(i);
            self.seated[seat].push(i);
            self.seat_weight[seat] += weight;
            if let Some(twig) = self.tip_of_seat[seat].and_then(|tip| self.twigs[tip].as_mut()) {
                twig.weight += weight;
            }
        }
        Ok(())
    }

    fn finish(self, removed: usize) -> Result<PrunedTips> {
        let alive = |&node: &usize| self.node_alive[node];
        let kept: Vec<usize> = (0..self.node_alive.len()).filter(alive).collect();
        let mut new_number = vec![0; self.node_alive.len()];
        for (number, &node) in kept.iter().enumerate() {
            new_number[node] = number;
        }
        let edges: Vec<_> = self
            .graph
            .edges()
            .iter()
            .zip(&self.edge_alive)
            .filter(|(_, alive)| **alive)
            .map(|(edge, _)| (new_number[edge.a], new_number[edge.b], edge.weight))
            .collect();
        let mass = kept.iter().map(|&node| self.mass[node]).collect();
        let nodes = self.graph.nodes().select_rows(kept.iter().copied());
        Ok(PrunedTips { graph: PrincipalGraph::new(nodes, &edges, mass)?, kept, removed })
    }
}

#[cfg(test)]
mod tests;
