//! Loops and components: which open ends of a grown graph are joined, which edges cut.
//!
//! Springs alone never ask for a loop: one more spring cannot lower the energy. So graphs are
//! compared by `U + price · (open ends / 2 + edges without points)`. An edge is without points
//! where the middle half of it has far fewer than the edges around it let expect; a way of several
//! such edges is judged as a whole.
#![allow(non_snake_case)]

use super::grow::{Grown, Growth};
use crate::assign::Rows;
use crate::connect::{Proposal, Topology};
use crate::math::{Matrix, Sets};

/// Nodes that an open end may be joined to: the nearest of those to which the way along the graph
/// is long.
const PARTNERS: usize = 3;
/// How many times longer than the gap that way is.
const DETOUR: f64 = 5.0;
/// Edges up to this many steps away tell how many points to expect.
const AROUND: usize = 3;
/// A new edge has at least this share of the points to be expected,
const SUPPORTED: f64 = 0.4;
/// an edge without points less than this one,
const SPARSE: f64 = 0.2;
/// which chance leads to with less than this probability.
const RARE: f64 = 0.005;

/// The next graph of less penalised energy, by one more or one fewer edge; none if there is none.
pub(super) fn better_ends(growth: &Growth, here: &Grown, rows: &Rows, price: f64) -> Option<Grown> {
    let now = penalised(here, rows, price);
    let edges: Vec<(usize, usize)> = here.topology.edges().collect();
    let sparse = without_points(&here.topology, &here.nodes, &edges, rows);
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
    let mut joins = Vec::new();
    for tip in (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1) {
        let way = lengths_from(topology, nodes, tip);
        let gap = |node: usize| distance(nodes.row(tip), nodes.row(node));
        let mut far: Vec<(f64, usize)> = (0..topology.len())
            .filter(|&node| way[node].is_finite() && way[node] > DETOUR * gap(node))
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
    let sparse = without_points(topology, nodes, &edges, rows).iter().filter(|&&x| x).count();
    let tips = (0..topology.len()).filter(|&node| topology.neighbors(node).len() == 1).count();
    graph.compared + price * (0.5 * tips as f64 + sparse as f64)
}

fn without_points(
    topology: &Topology,
    nodes: &Matrix,
    edges: &[(usize, usize)],
    rows: &Rows,
) -> Vec<bool> {
    let counts = counts(nodes, edges, rows);
    let expected: Vec<f64> =
        (0..edges.len()).map(|edge| expected(topology, nodes, edges, &counts, edge)).collect();
    let of_way = expected_on_empty_ways(topology, edges, &counts, &expected);
    (0..edges.len())
        .map(|edge| {
            let is_few = counts[edge] < SPARSE * expected[edge];
            is_few && chance_of_at_most(counts[edge], of_way[edge]) < RARE
        })
        .collect()
}

/// What is expected on each edge, or on all of an unbranched way of edges that have no point: one
/// of them may be empty by chance where all are not.
fn expected_on_empty_ways(
    topology: &Topology,
    edges: &[(usize, usize)],
    counts: &[f64],
    expected: &[f64],
) -> Vec<f64> {
    let mut ways = Sets::new(edges.len());
    let mut seen_from = vec![None; topology.len()];
    for (edge, &(a, b)) in edges.iter().enumerate().filter(|&(edge, _)| counts[edge] == 0.0) {
        for node in [a, b].into_iter().filter(|&node| topology.neighbors(node).len() == 2) {
            match seen_from[node] {
                Some(other) => {
                    ways.join(edge, other);
                }
                None => seen_from[node] = Some(edge),
            }
        }
    }
    let mut totals = vec![0.0; edges.len()];
    (0..edges.len()).for_each(|edge| totals[ways.find(edge)] += expected[edge]);
    (0..edges.len()).map(|edge| totals[ways.find(edge)]).collect()
}

fn has_points(graph: &Grown, edge: (usize, usize), rows: &Rows) -> bool {
    let Grown { topology, nodes, .. } = graph;
    let edges: Vec<(usize, usize)> = topology.edges().collect();
    let Some(at) = edges.iter().position(|other| *other == edge) else { return false };
    let counts = counts(nodes, &edges, rows);
    counts[at] >= SUPPORTED * expected(topology, nodes, &edges, &counts, at)
}

/// How many points of mean weight have their nearest place on the graph in the middle half of
/// each edge.
fn counts(nodes: &Matrix, edges: &[(usize, usize)], rows: &Rows) -> Vec<f64> {
    let mut counts = vec![0.0; edges.len()];
    for (x, weight) in rows.values.rows().zip(&rows.weights) {
        let mut best = (f64::INFINITY, 0, 0.0);
        for (edge, &(a, b)) in edges.iter().enumerate() {
            let (squared, share) = on_edge(x, nodes.row(a), nodes.row(b));
            if squared < best.0 {
                best = (squared, edge, share);
            }
        }
        if (0.25..=0.75).contains(&best.2) && best.0.sqrt() <= rows.radius {
            counts[best.1] += weight;
        }
    }
    let mean = rows.weights.iter().sum::<f64>() / rows.weights.len() as f64;
    counts.iter().map(|count| count / mean).collect()
}

/// The squared distance to an edge over what is known, and where on it the nearest place is.
fn on_edge(x: &[f64], a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut along, mut square) = (0.0, 0.0);
    for ((x, a), b) in x.iter().zip(a).zip(b).filter(|((x, _), _)| !x.is_nan()) {
        along += (x - a) * (b - a);
        square += (b - a) * (b - a);
    }
    let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    let places = a.iter().zip(b).map(|(a, b)| a + share * (b - a));
    let known = x.iter().zip(places).filter(|(x, _)| !x.is_nan());
    (known.map(|(x, place)| (x - place).powi(2)).sum(), share)
}

/// As many as the edges around let expect: those on its sparser side. What has no point at all tells
/// nothing: beyond it the next edges do, so that a way of many edges through a void is found to be one.
fn expected(
    topology: &Topology,
    nodes: &Matrix,
    edges: &[(usize, usize)],
    counts: &[f64],
    edge: usize,
) -> f64 {
    let length = |(a, b): (usize, usize)| distance(nodes.row(a), nodes.row(b));
    let (a, b) = edges[edge];
    let side = |from: usize, not: usize| {
        let mut side = vec![from];
        let mut seen = vec![false; topology.len()];
        (seen[from], seen[not]) = (true, true);
        let mut densities = Vec::new();
        let mut steps = 0;
        while steps < AROUND && !side.is_empty() {
            let known = densities.len();
            let ring = std::mem::take(&mut side);
            for node in ring {
                for &next in topology.neighbors(node).iter().filter(|&&next| !seen[next]) {
                    let pair = (node.min(next), node.max(next));
                    if let Ok(at) = edges.binary_search(&pair)
                        && counts[at] > 0.0
                    {
                        densities.push(2.0 * counts[at] / length(pair));
                    }
                    side.push(next);
                }
            }
            side.iter().for_each(|&node| seen[node] = true);
            steps += usize::from(densities.len() > known);
        }
        let middle = densities.len() / 2;
        match densities.is_empty() {
            true => f64::INFINITY,
            false => *densities.select_nth_unstable_by(middle, f64::total_cmp).1,
        }
    };
    let density = side(a, b).min(side(b, a));
    if density.is_finite() { 0.5 * density * length((a, b)) } else { 0.0 }
}

/// The probability of at most `count` where `expected` are to be expected (Poisson).
fn chance_of_at_most(count: f64, expected: f64) -> f64 {
    let mut term = (-expected).exp();
    let mut sum = term;
    for k in 1..=count as usize {
        term *= expected / k as f64;
        sum += term;
    }
    sum
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    crate::math::squared_distance(a, b).sqrt()
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

    #[test]
    fn chances_are_those_of_poisson() {
        assert!((chance_of_at_most(0.0, 3.0) - (-3.0_f64).exp()).abs() < 1e-15);
        let two = (-3.0_f64).exp() * (1.0 + 3.0 + 4.5);
        assert!((chance_of_at_most(2.9, 3.0) - two).abs() < 1e-15);
    }

    /// A line of nodes 0 to 19 with 40 points to each unit, but none in a gap of one or of many
    /// edges; far behind it there are six to each unit, which is sparse but no gap.
    #[test]
    fn edges_across_a_gap_have_no_points() {
        for gap in [4..5, 4..13] {
            let nodes = Matrix::new(20, 1, (0..20).map(f64::from).collect()).unwrap();
            let edges: Vec<(usize, usize)> = (1..20).map(|node| (node - 1, node)).collect();
            let dense = (0..600).map(|i| f64::from(i) / 40.0);
            let sparse = (0..24).map(|i| 15.05 + f64::from(i) / 6.0);
            let within = |x: &f64| (f64::from(gap.start)..f64::from(gap.end)).contains(x);
            let values: Vec<f64> = dense.chain(sparse).filter(|x| !within(x)).collect();
            let n = values.len();
            let values = Matrix::new(n, 1, values).unwrap();
            let rows = Rows::new(values, vec![1.0; n], f64::INFINITY);
            let topology = Topology::new(20, &edges);
            let sparse = without_points(&topology, &nodes, &edges, &rows);
            let expected: Vec<bool> = (0..19).map(|edge| gap.contains(&edge)).collect();
            assert_eq!(sparse, expected);
        }
    }
}
