//! The best positions of the nodes for given edges: least squares on the projections of the points,
//! against bending.
//!
//! ```text
//! Σᵢ wᵢ ‖xᵢ − (1 − tᵢ) yₐ − tᵢ y_b‖² + Σ_{nodes c} 4 ρ h (b/h)⁴ ‖y_c − mean of its neighbors‖²
//! ```
//!
//! with the edge (a, b) and the share t of each point's projection, the density ρ of points along the
//! graph and the distance h of nodes. In the continuum limit this is a smoothing spline: it evens out
//! bends shorter than b, but it neither shortens tips nor shrinks rings, as a penalty on length does.

use super::sample::Sample;
use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, Projector};
use crate::math::{Matrix, SparseCholesky};

use super::skeleton::pairs;

/// Branch points bend freely; this share of the modulus keeps them in place.
const AT_BRANCHES: f64 = 0.02;
/// Resistance to stretching, as a share of the points of an edge: keeps nodes apart.
const STRETCH: f64 = 0.002;
/// The shortest of the edges at a node counts for at least this share of their mean.
const SHORTEST: f64 = 0.05;

/// Moves the nodes of a graph, its edges fixed.
pub(super) fn refit(
    graph: PrincipalGraph,
    sample: &Sample,
    bend: f64,
    rounds: usize,
) -> Result<PrincipalGraph> {
    let mut graph = graph;
    for _ in 0..rounds {
        graph = round(&graph, sample, bend)?;
    }
    Ok(graph)
}

fn round(graph: &PrincipalGraph, sample: &Sample, bend: f64) -> Result<PrincipalGraph> {
    let nodes = positions(graph, sample, &sample.x, bend)?;
    let edges: Vec<_> = pairs(graph).into_iter().map(|(a, b)| (a, b, 1.0)).collect();
    PrincipalGraph::new(nodes, &edges, vec![0.0; graph.nodes().n_rows()])
}

/// The best positions of the nodes in the coordinates of `targets`, which has a row per point of the
/// sample.
pub(super) fn positions(
    graph: &PrincipalGraph,
    sample: &Sample,
    targets: &Matrix,
    bend: f64,
) -> Result<Matrix> {
    let (k, dims) = (graph.nodes().n_rows(), targets.n_cols());
    let mut entries = resistance(graph, sample, bend);
    let mut right = vec![0.0; k * dims];
    let finder = Projector::new(graph);
    let mut scratch = finder.scratch();
    for (i, (x, &w)) in sample.x.rows().zip(&sample.weights).enumerate() {
        let Some(found) = finder.nearest(x, &mut scratch, |_| true) else { continue };
        let ((a, b), (u, v)) = (found.ends, (1.0 - found.pos, found.pos));
        entries.extend([(a, a, w * u * u), (b, b, w * v * v), (a, b, w * u * v)]);
        for (d, target) in targets.row(i).iter().enumerate() {
            right[d * k + a] += w * u * target;
            right[d * k + b] += w * v * target;
        }
    }
    let off_diagonal = entries.iter().filter(|(p, q, _)| p != q);
    let mut system =
        SparseCholesky::of_pairs(k, &off_diagonal.map(|&(p, q, _)| (p, q)).collect::<Vec<_>>())?;
    for (p, q, value) in entries {
        let index = system.index(p, q);
        system.values_mut()[index] += value;
    }
    if !system.factor_regularized() {
        let reason = "the points do not determine the nodes of the graph";
        return Err(Error::Numerical(reason.into()));
    }
    system.solve(&mut right);
    let mut nodes = Matrix::zeros(k, dims);
    for node in 0..k {
        for (d, y) in nodes.row_mut(node).iter_mut().enumerate() {
            *y = right[d * k + node];
        }
    }
    Ok(nodes)
}

/// The entries of the matrix that resists bending and stretching.
fn resistance(graph: &PrincipalGraph, sample: &Sample, bend: f64) -> Vec<(usize, usize, f64)> {
    let mut entries = Vec::new();
    for star in stars(graph, bend, sample.total() / graph.length()) {
        for (at, &(p, u)) in star.iter().enumerate() {
            entries.extend(star[at..].iter().map(|&(q, v)| (p.min(q), p.max(q), u * v)));
        }
    }
    let stretch = STRETCH * sample.total() / graph.edges().len() as f64;
    for (a, b) in pairs(graph) {
        entries.extend([(a, a, stretch), (b, b, stretch), (a, b, -stretch)]);
    }
    entries
}

/// For each inner node the weights of itself and its neighbors, times the root of its modulus.
fn stars(graph: &PrincipalGraph, bend: f64, density: f64) -> Vec<Vec<(usize, f64)>> {
    let shortest = SHORTEST * graph.length() / graph.edges().len() as f64;
    let star = |node: usize| {
        let around = graph.neighbors(node);
        if around.len() < 2 {
            return None;
        }
        let lengths = || around.iter().map(|&(edge, _)| graph.edges()[edge].length);
        let spacing = (lengths().sum::<f64>() / around.len() as f64).max(shortest);
        let share = if around.len() == 2 { 1.0 } else { AT_BRANCHES };
        let root = (4.0 * density * spacing * (bend / spacing).powi(4) * share).sqrt();
        let near: Vec<f64> = lengths().map(|length| 1.0 / length.max(SHORTEST * spacing)).collect();
        let total: f64 = near.iter().sum();
        let leaves =
            around.iter().zip(&near).map(|(&(_, other), near)| (other, -root * near / total));
        Some(std::iter::once((node, root)).chain(leaves).collect())
    };
    (0..graph.nodes().n_rows()).filter_map(star).collect()
}
