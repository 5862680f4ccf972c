//! Loops and components: which open ends of a grown graph are joined, which edges cut.
//!
//! Springs alone never ask for a loop: one more spring cannot lower the energy. So graphs are
//! compared by `U + price · (open ends / 2 + edges without points)`.
#![allow(non_snake_case)]

use super::grow::{Grown, Growth};
use super::voids::{Voids, distance};
use crate::assign::Rows;
use crate::connect::{Proposal, Topology};
use crate::math::Matrix;

/// Nodes that an open end may be joined to: the nearest of those to which the way along the graph
/// is long.
const PARTNERS: usize = 3;
/// How many times longer than the gap that way is.
const DETOUR: f64 = 5.0;
/// Where there is no way at all, the gap is at most this many times the median edge.
const CRACK: f64 = 3.0;

/// The next graph of less penalised energy, by one more or one fewer edge; none if there is none.
pub(super) fn better_ends(growth: &Growth, here: &Grown, rows: &Rows, price: f64) -> Option<Grown> {
    let now = penalised(here, rows, price);
    let edges: Vec<(usize, usize)> = here.topology.edges().collect();
    let sparse = Voids::new(&here.topology, &here.nodes, &edges, rows).edges();
    let cuts = edges.iter().zip(&sparse).filter(|&(&(a, b), &sparse)| {
        let inner = |node: usize| here.topology.neighbors(node).len() > 1;
        sparse && inner(a) && inner(b)
    });
    let cuts = cuts.map(|(cut, _)| edges.iter().copied().filter(|edge| edge != cut).collect());
    let joins = joins(here).into_iter().map(|join| edges.iter().copied().chain([join]).collect());
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
        let joined = next.topology.edges().find(|edge| !edges.contains(edge));
        let energy = match joined {
            Some(join) if !has_points(&next, join, rows) => f64::INFINITY,
            _ => penalised(&next, rows, price),
        };
        (energy, next)
    });
    let (energy, best) = placed.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (energy < now).then_some(best)
}

/// Open ends with the nodes that they might be joined to.
fn joins(here: &Grown) -> Vec<(usize, usize)> {
    let Grown { topology, nodes, .. } = here;
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

fn penalised(graph: &Grown, rows: &Rows, price: f64) -> f64 {
    let Grown { topology, nodes, .. } = graph;
    let edges: Vec<(usize, usize)> = topology.edges().collect();
    let sparse = Voids::new(topology, nodes, &edges, rows).edges().iter().filter(|&&x| x).count();
    let tips = (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1).count();
    graph.compared + price * (0.5 * tips as f64 + sparse as f64)
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

fn has_points(graph: &Grown, edge: (usize, usize), rows: &Rows) -> bool {
    let Grown { topology, nodes, .. } = graph;
    let edges: Vec<(usize, usize)> = topology.edges().collect();
    let at = edges.iter().position(|other| *other == edge);
    at.is_some_and(|at| Voids::new(topology, nodes, &edges, rows).has_points(at))
}
