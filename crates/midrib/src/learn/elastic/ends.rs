//! Loops and components: which open ends of a grown graph are joined, which edges cut.
//!
//! Springs alone never ask for a loop: one more spring cannot lower the energy. So graphs are
//! compared by `U + price · (open ends / 2 + edges without points)`.
#![allow(non_snake_case)]

use super::grow::{Grown, Growth};
use crate::assign::Rows;
use crate::connect::{Proposal, Topology};
use crate::learn::voids::{Voids, distance};
use crate::math::Matrix;

/// Nodes that an open end may be joined to: the nearest of those to which the way along the graph
/// is long.
const PARTNERS: usize = 3;
/// How many times longer than the gap that way is.
const DETOUR: f64 = 3.0;
/// Where there is no way at all, the gap is at most this many times the median edge.
const CRACK: f64 = 3.0;

/// The next graph of less penalised energy, by one more or one fewer edge; none if there is none.
pub(super) fn better_ends(growth: &Growth, here: &Grown, rows: &Rows, price: f64) -> Option<Grown> {
    let voids = Voids::new(&here.topology, &here.nodes, rows);
    let now = penalised_by(here, &voids, price);
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
            _ => penalised_by(&next, &voids, price),
        };
        (energy, next)
    });
    let (energy, best) = placed.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (energy < now).then_some(best)
}

/// Open ends with the nodes that they might be joined to.
fn joins(topology: &Topology, nodes: &Matrix) -> Vec<(usize, usize)> {
    let mut lengths: Vec<f64> =
        topology.edges().map(|(a, b)| distance(nodes.row(a), nodes.row(b))).collect();
    lengths.sort_by(f64::total_cmp);
    let crack = lengths.get(lengths.len() / 2).map_or(0.0, |median| CRACK * median);
    let mut joins = Vec::new();
    for tip in (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1) {
        let way = lengths_from(topology, nodes, tip);
        let gap = |node: usize| distance(nodes.row(tip), nodes.row(node));
        let mut far: Vec<(f64, usize)> = (0..topology.len())
            .filter(|&node| way[node] > DETOUR * gap(node))
            .filter(|&node| way[node].is_finite() || gap(node) <= crack)
            .filter(|&node| node != tip)
            .map(|node| (gap(node), node))
            .collect();
        far.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        joins.extend(far.iter().take(PARTNERS).map(|&(_, node)| (tip.min(node), tip.max(node))));
    }
    joins.sort_unstable();
    joins.dedup();
    joins
}

/// The energy by which graphs are compared here.
pub(super) fn penalised(graph: &Grown, rows: &Rows, price: f64) -> f64 {
    penalised_by(graph, &Voids::new(&graph.topology, &graph.nodes, rows), price)
}

fn penalised_by(graph: &Grown, voids: &Voids<'_>, price: f64) -> f64 {
    let topology = &graph.topology;
    let tips = (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1).count();
    graph.compared + price * (0.5 * tips as f64 + voids.empty_edges().len() as f64)
}

/// The length of the way along the graph to every node.
fn lengths_from(topology: &Topology, nodes: &Matrix, from: usize) -> Vec<f64> {
    let mut way = vec![f64::INFINITY; topology.len()];
    way[from] = 0.0;
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &next in topology.neighbors(node) {
            let length = way[node] + distance(nodes.row(node), nodes.row(next));
            if length < way[next] {
                way[next] = length;
                open.push(next);
            }
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two lines of edges of length 1, one behind the other.
    #[test]
    fn components_are_joined_over_cracks_alone() {
        for (gap, expected) in [(2.9, vec![(4, 5)]), (3.1, vec![])] {
            let place = |node: usize| node as f64 + if node > 4 { gap - 1.0 } else { 0.0 };
            let nodes = Matrix::new(10, 1, (0..10).map(place).collect()).unwrap();
            let edges: Vec<(usize, usize)> =
                (1..10).filter(|&node| node != 5).map(|node| (node - 1, node)).collect();
            assert_eq!(joins(&Topology::new(10, &edges), &nodes), expected);
        }
    }
}
