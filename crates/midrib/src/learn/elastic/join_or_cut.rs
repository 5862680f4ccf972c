//! Loops and components: which tips of a grown graph are joined, and which edges cut.
//!
//! Springs alone never close a loop: one more spring cannot lower the energy. So graphs are compared
//! by `U + price · (tips / 2 + edges without points)`.
#![allow(non_snake_case)]

use super::growth::{Grown, Growth};
use crate::assign::Rows;
use crate::connect::{Proposal, Topology};
use crate::learn::voids::{Voids, distance};
use crate::math::Matrix;

/// Nodes that a tip may be joined to: the nearest of those that are far along the graph,
const PARTNERS: usize = 3;
/// at least this many times the direct distance.
const DETOUR: f64 = 3.0;
/// The largest distance between components that may be joined, in median edges.
const CRACK: f64 = 3.0;

/// The graph with one edge more or less of the least penalized energy; none if the current one is
/// better.
pub(super) fn join_or_cut(growth: &Growth, here: &Grown, rows: &Rows, price: f64) -> Option<Grown> {
    let voids = Voids::new(&here.topology, &here.nodes, rows);
    let now = penalized_by(here, &voids, price);
    let edges: Vec<(usize, usize)> = here.topology.edges().collect();
    let inner = |node: usize| here.topology.neighbors(node).len() > 1;
    let cuts = voids.empty_edges().into_iter().filter(|&(a, b)| inner(a) && inner(b));
    let cuts = cuts.map(|cut| edges.iter().copied().filter(|edge| *edge != cut).collect());
    let joins = joins(&here.topology, &here.nodes)
        .into_iter()
        .map(|join| edges.iter().copied().chain([join]).collect());
    let n = here.topology.len();
    let same: Vec<Option<usize>> = (0..n).map(Some).collect();
    let proposals: Vec<Proposal> = cuts
        .chain(joins)
        .map(|edges: Vec<(usize, usize)>| {
            Topology::new(n, &edges).inheriting(&here.topology, &same)
        })
        .filter(|topology| topology.within(growth.ceilings))
        .map(|topology| Proposal { topology, nodes: here.nodes.clone(), from: same.clone() })
        .collect();
    let placed = growth.placed(here, proposals).into_iter().map(|next| {
        let voids = Voids::new(&next.topology, &next.nodes, rows);
        let joined = next.topology.edges().find(|edge| !edges.contains(edge));
        let energy = match joined {
            Some(join) if !voids.has_points(join) => f64::INFINITY,
            _ => penalized_by(&next, &voids, price),
        };
        (energy, next)
    });
    let (energy, best) = placed.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (energy < now).then_some(best)
}

/// Tips with the nodes that they might be joined to.
fn joins(topology: &Topology, nodes: &Matrix) -> Vec<(usize, usize)> {
    let mut lengths: Vec<f64> =
        topology.edges().map(|(a, b)| distance(nodes.row(a), nodes.row(b))).collect();
    lengths.sort_by(f64::total_cmp);
    let crack = lengths.get(lengths.len() / 2).map_or(0.0, |median| CRACK * median);
    let mut joins = Vec::new();
    for tip in (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1) {
        let along = path_lengths(topology, nodes, tip);
        let direct = |node: usize| distance(nodes.row(tip), nodes.row(node));
        let mut far: Vec<(f64, usize)> = (0..topology.len())
            .filter(|&node| along[node] > DETOUR * direct(node))
            .filter(|&node| along[node].is_finite() || direct(node) <= crack)
            .filter(|&node| node != tip)
            .map(|node| (direct(node), node))
            .collect();
        far.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        joins.extend(far.iter().take(PARTNERS).map(|&(_, node)| (tip.min(node), tip.max(node))));
    }
    joins.sort_unstable();
    joins.dedup();
    joins
}

/// The energy plus the price of tips and of edges without points.
pub(super) fn penalized(graph: &Grown, rows: &Rows, price: f64) -> f64 {
    penalized_by(graph, &Voids::new(&graph.topology, &graph.nodes, rows), price)
}

fn penalized_by(graph: &Grown, voids: &Voids<'_>, price: f64) -> f64 {
    let topology = &graph.topology;
    let tips = (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1).count();
    graph.compared + price * (0.5 * tips as f64 + voids.empty_edges().len() as f64)
}

/// The length of the path along the graph to every node.
fn path_lengths(topology: &Topology, nodes: &Matrix, from: usize) -> Vec<f64> {
    let mut lengths = vec![f64::INFINITY; topology.len()];
    lengths[from] = 0.0;
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &next in topology.neighbors(node) {
            let length = lengths[node] + distance(nodes.row(node), nodes.row(next));
            if length < lengths[next] {
                lengths[next] = length;
                open.push(next);
            }
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines of edges of length 1, one behind the other.
    #[test]
    fn components_are_joined_across_cracks_only() {
        for (gap, expected) in [(2.9, vec![(4, 5)]), (3.1, vec![])] {
            let position = |node: usize| node as f64 + if node > 4 { gap - 1.0 } else { 0.0 };
            let nodes = Matrix::new(10, 1, (0..10).map(position).collect()).unwrap();
            let edges: Vec<(usize, usize)> =
                (1..10).filter(|&node| node != 5).map(|node| (node - 1, node)).collect();
            assert_eq!(joins(&Topology::new(10, &edges), &nodes), expected);
        }
    }
}
