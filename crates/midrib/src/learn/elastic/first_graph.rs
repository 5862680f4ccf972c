//! The graph that growth starts from.

use std::f64::consts::{SQRT_2, TAU};

use super::recipe::Recipe;
use crate::connect::{Topology, spanning_tree};
use crate::error::{Error, Result};
use crate::learn::given::{Given, StartGraph};
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::start::working_start;
use crate::learn::trimming::Trimming;
use crate::math::{Matrix, squared_distance};
use crate::points::{Blocks, Cloud, Points};

/// The most points around which others are counted.
const CENTERS: usize = 1_000;

/// A given graph, in working coordinates; none if there is none.
pub(super) fn given_graph(
    recipe: &Recipe,
    given: Given<'_>,
    cloud: &Cloud<'_>,
) -> Result<Option<(Topology, Matrix)>> {
    match (given.start, given.start_graph) {
        (Some(start), graph) => checked(recipe, start, graph, cloud).map(Some),
        (None, Some(_)) => {
            let reason = "edges, pins or moduli of starting nodes are given, but not the nodes";
            Err(Error::data(reason))
        }
        (None, None) => Ok(None),
    }
}

/// Two nodes on the first principal axis, or a ring of up to `count` nodes on the first two, in
/// working coordinates of `cloud`; the `whole` points have no missing values.
pub(super) fn principal_graph(
    recipe: &Recipe,
    count: usize,
    cloud: &Cloud<'_>,
    whole: &dyn Blocks,
    trimming: &Trimming,
) -> Result<(Topology, Matrix)> {
    // Among points that are not outliers.
    let few = match trimming.in_company()? {
        None if !trimming.is_infinite() && !recipe.closed => {
            densest_ball(whole, trimming.radius() / cloud.scale())?
        }
        few => few,
    };
    let among = &Cloud::new(few.as_ref().map_or(whole, |few| few))?;
    let axes = PrincipalAxes::new(among, if recipe.closed { 2 } else { 1 })?;
    let nodes: Vec<Vec<f64>> = if recipe.closed {
        let corners = count.min(4);
        let radius = |axis: usize| SQRT_2 * axes.deviation[axis];
        (0..corners)
            .map(|corner| {
                let (sin, cos) = (TAU * corner as f64 / corners as f64).sin_cos();
                axes.at(&[radius(0) * cos, radius(1) * sin])
            })
            .collect()
    } else {
        let (low, high) = axes.span[0];
        vec![axes.at(&[low]), axes.at(&[high])]
    };
    let edges = line(nodes.len(), recipe.closed);
    let nodes = cloud.to_working(among.to_data(Matrix::from_rows(&nodes)?));
    Ok((Topology::new(nodes.n_rows(), &edges), nodes))
}

/// The points within this radius of the point that has most of them around it: the mean of all may be
/// farther from every point. None if all of these are equal.
fn densest_ball(whole: &dyn Blocks, radius: f64) -> Result<Option<Points<'static>>> {
    let dims = whole.dims();
    let order = Cloud::new(whole)?.spatial_order()?;
    let step = whole.len().div_ceil(CENTERS);
    let some: Vec<usize> = order.iter().step_by(step).map(|&i| i as usize).collect();
    let rows = &whole.read_rows(&some)?;
    let ball = |center: usize| {
        let is_near = move |row: &usize| {
            squared_distance(rows.row(center), rows.row(*row)) <= radius * radius
        };
        (0..some.len()).filter(is_near)
    };
    let weight = |center: usize| ball(center).map(|row| whole.weight(some[row])).sum::<f64>();
    let heavier =
        |best: (f64, usize), next: (f64, usize)| if next.0 > best.0 { next } else { best };
    let weights = (0..some.len()).map(|center| (weight(center), center));
    let (_, center) = weights.fold((0.0, 0), heavier);
    let near: Vec<usize> = ball(center).collect();
    if near.iter().all(|&row| rows.row(row) == rows.row(center)) {
        return Ok(None);
    }
    let values: Vec<f64> = near.iter().flat_map(|&row| rows.row(row)).copied().collect();
    let weights: Vec<f64> = near.iter().map(|&row| whole.weight(some[row])).collect();
    Points::from_f64(values, dims)?.with_weights(weights).map(Some)
}

/// Nodes in a row.
fn line(n: usize, closed: bool) -> Vec<(usize, usize)> {
    (1..n).map(|node| (node - 1, node)).chain(closed.then_some((0, n - 1))).collect()
}

/// Given nodes with given edges, or with those that the method needs.
fn checked(
    recipe: &Recipe,
    start: &Matrix,
    graph: Option<&StartGraph>,
    cloud: &Cloud<'_>,
) -> Result<(Topology, Matrix)> {
    let nodes = working_start(start, cloud)?;
    let n = nodes.n_rows();
    if n < recipe.fewest_nodes() {
        return Err(Error::data(format!(
            "the given start has {n} nodes: give at least {}",
            recipe.fewest_nodes()
        )));
    }
    let topology = match graph.and_then(|graph| graph.edges.as_ref()) {
        Some(edges) => connected(recipe, n, edges)?,
        None if recipe.closed || recipe.ceilings.star_order == 2 => {
            Topology::new(n, &line(n, recipe.closed))
        }
        None => Topology::new(n, &spanning_tree(&nodes).edges),
    };
    Ok((with_pins_and_moduli(topology, graph)?, nodes))
}

/// Given edges, if they form a graph of the kind that grows.
fn connected(recipe: &Recipe, n: usize, edges: &[(usize, usize)]) -> Result<Topology> {
    let refuse = |reason: String| Err(Error::data(format!("the given start {reason}")));
    let mut seen = std::collections::BTreeSet::new();
    for &(a, b) in edges {
        if a.max(b) >= n {
            return refuse(format!("has an edge {a}-{b}: its nodes are 0 to {}", n - 1));
        }
        if a == b {
            return refuse(format!("has an edge {a}-{b} from a node to itself"));
        }
        if !seen.insert((a.min(b), a.max(b))) {
            return refuse(format!("has the edge {a}-{b} twice"));
        }
    }
    let edges: Vec<(usize, usize)> = seen.into_iter().collect();
    let topology = Topology::new(n, &edges);
    if let Some(node) = (0..n).find(|&node| topology.neighbors(node).is_empty()) {
        return refuse(format!("has no edge at node {node}: connect it, or leave it out"));
    }
    let whole = topology.is_connected();
    let degrees = |degree: usize| (0..n).all(|node| topology.neighbors(node).len() <= degree);
    let lines = recipe.ceilings.star_order == 2 && recipe.ceilings.branch_points == 0;
    let (fits, kind) = if recipe.closed {
        (whole && degrees(2) && edges.len() == n, "one ring")
    } else if lines {
        (whole && degrees(2) && edges.len() + 1 == n, "one line without branches")
    } else if recipe.end_penalty.is_none() {
        (whole && edges.len() + 1 == n, "one tree: use elastic-graph for loops and components")
    } else {
        (true, "")
    };
    if !fits {
        return refuse(format!("is not {kind}"));
    }
    if !topology.within(recipe.ceilings) {
        return refuse("has more branch points or neighbors of a node than allowed".into());
    }
    Ok(topology)
}

/// Adds the pins and moduli of single nodes and edges.
fn with_pins_and_moduli(mut topology: Topology, graph: Option<&StartGraph>) -> Result<Topology> {
    let Some(graph) = graph else { return Ok(topology) };
    let n = topology.len();
    let pinned = graph.pinned.iter().map(|&node| ("is pinned", node));
    let mut named = pinned.chain(graph.bending.iter().map(|&(node, _)| ("has a modulus", node)));
    if let Some((what, node)) = named.find(|&(_, node)| node >= n) {
        return Err(Error::data(format!(
            "node {node} of the given start {what}: its nodes are 0 to {}",
            n - 1
        )));
    }
    for &((a, b), modulus) in &graph.stretching {
        let edge = format!("edge {a}-{b} of the given start");
        if a >= n || !topology.neighbors(a).contains(&b) {
            return Err(Error::data(format!("{edge} has a modulus, but is not an edge")));
        }
        if !(modulus > 0.0 && modulus.is_finite()) {
            let reason = format!("{edge}: stretching = {modulus}: must be positive");
            return Err(Error::data(reason));
        }
        topology.stiffen((a, b), modulus);
    }
    for &(node, modulus) in &graph.bending {
        if !(modulus >= 0.0 && modulus.is_finite()) {
            return Err(Error::data(format!(
                "node {node} of the given start: bending = {modulus}: must be 0 or positive"
            )));
        }
        topology.straighten(node, modulus);
    }
    graph.pinned.iter().for_each(|&node| topology.pin(node));
    Ok(topology)
}
