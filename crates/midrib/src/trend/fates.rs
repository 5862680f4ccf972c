//! Fates: the probability of reaching each tip.

use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, Projection};
use crate::math::{Matrix, SparseCholesky};

/// Counted on each edge beside its points, so that an edge without any can be crossed.
const SPARE: f64 = 0.5;
/// Lengths are at least this share of the mean length.
const SHORTEST: f64 = 1e-3;

/// For every point the probability of each fate.
#[derive(Clone, Debug, PartialEq)]
pub struct Fates {
    /// The fates: the tips that are not roots.
    pub tips: Vec<usize>,
    /// One row per node, one column per fate. NaN in components without a fate.
    pub of_nodes: Matrix,
    /// One row per point; rows add up to 1. NaN in components without a fate.
    pub of_points: Matrix,
    /// The entropy of each row of the points, in bits: 0 where the fate is certain.
    pub entropy: Vec<f64>,
}

/// The probability that a walk on the graph ends at each tip.
///
/// The walk takes each edge with a probability proportional to the density of points on it divided
/// by its length, as diffusion in that density would, and ends at the first tip that is not a root.
/// A point has the probabilities of the nodes of its edge, by its distance from them.
///
/// ```
/// use midrib::Points;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib::trend::fates;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [2.0, -1.0]])?;
/// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
/// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
/// let points = Points::from_f64(vec![0.5, 0.0, 1.5, 0.5, 1.5, -0.5], 2)?;
/// let found = fates(&graph, &[0], &graph.project(&points)?)?;
/// assert_eq!(found.tips, [2, 3]);
/// assert!((found.of_points.row(0)[0] - 0.5).abs() < 1e-12);
/// assert!((found.of_points.row(1)[0] - 0.75).abs() < 1e-12);
/// assert!((found.entropy[0] - 1.0).abs() < 1e-12);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn fates(graph: &PrincipalGraph, roots: &[usize], projection: &Projection) -> Result<Fates> {
    graph.check_projection(projection)?;
    if !roots.is_empty() {
        graph.root(roots)?;
    }
    let n = graph.nodes().n_rows();
    let is_tip = |node: &usize| graph.degree(*node) <= 1 && !roots.contains(node);
    let tips: Vec<usize> = (0..n).filter(is_tip).collect();
    if tips.is_empty() {
        return Err(Error::data(
            "the graph has no tips beside its roots, so there are no fates: a ring or a loop never \
             ends",
        ));
    }
    let of_nodes = of_nodes(graph, &tips, &conductances(graph, projection))?;
    let mut of_points = Matrix::zeros(projection.node.len(), tips.len());
    for i in 0..projection.node.len() {
        let row = of_points.row_mut(i);
        match projection.edge[i] {
            None => row.copy_from_slice(of_nodes.row(projection.node[i])),
            Some(edge) => {
                let (edge, at) = (graph.edges()[edge], projection.edge_pos[i]);
                let ends = of_nodes.row(edge.a).iter().zip(of_nodes.row(edge.b));
                row.iter_mut().zip(ends).for_each(|(p, (a, b))| *p = (1.0 - at) * a + at * b);
            }
        }
    }
    let entropy = of_points.rows().map(entropy).collect();
    Ok(Fates { tips, of_nodes, of_points, entropy })
}

/// The density of points on each edge divided by its length.
fn conductances(graph: &PrincipalGraph, projection: &Projection) -> Vec<f64> {
    let edges = graph.edges();
    let mut counts = vec![SPARE; edges.len()];
    projection.edge.iter().flatten().for_each(|&edge| counts[edge] += 1.0);
    let mean = graph.length() / edges.len().max(1) as f64;
    let shortest = if mean > 0.0 { SHORTEST * mean } else { 1.0 };
    let one = |(count, edge): (f64, &crate::graph::Edge)| {
        // Relative to the mean, so that no unit of length is too large or too small.
        let length = edge.length.max(shortest) / (shortest / SHORTEST);
        count / (length * length)
    };
    counts.into_iter().zip(edges).map(one).collect()
}

/// Solves for the probabilities of the nodes that are not tips.
fn of_nodes(graph: &PrincipalGraph, tips: &[usize], conductance: &[f64]) -> Result<Matrix> {
    let n = graph.nodes().n_rows();
    let mut of_nodes = Matrix::zeros(n, tips.len());
    let components = graph.components();
    let mut has_tip = vec![false; components.count];
    let mut is_tip = vec![false; n];
    for (column, &tip) in tips.iter().enumerate() {
        of_nodes.row_mut(tip)[column] = 1.0;
        is_tip[tip] = true;
        has_tip[components.of_node[tip]] = true;
    }
    let mut unknown = vec![None; n];
    let mut free = Vec::new();
    for node in 0..n {
        if !has_tip[components.of_node[node]] {
            of_nodes.row_mut(node).fill(f64::NAN);
        } else if !is_tip[node] {
            unknown[node] = Some(free.len());
            free.push(node);
        }
    }
    let inner: Vec<(usize, usize)> = graph
        .edges()
        .iter()
        .filter_map(|edge| Some((unknown[edge.a]?, unknown[edge.b]?)))
        .collect();
    let mut factor = SparseCholesky::of_pairs(free.len(), &inner)?;
    for (edge, &conductance) in graph.edges().iter().zip(conductance) {
        for end in [edge.a, edge.b] {
            if let Some(own) = unknown[end] {
                let at = factor.index(own, own);
                factor.values_mut()[at] += conductance;
            }
        }
        if let (Some(a), Some(b)) = (unknown[edge.a], unknown[edge.b]) {
            let at = factor.index(a, b);
            factor.values_mut()[at] -= conductance;
        }
    }
    if !free.is_empty() && !factor.factor_regularized() {
        return Err(Error::Numerical("the probabilities of fates could not be solved for".into()));
    }
    for (column, &tip) in tips.iter().enumerate() {
        let mut flow = vec![0.0; free.len()];
        for &(edge, next) in graph.neighbors(tip) {
            if let Some(next) = unknown[next] {
                flow[next] += conductance[edge];
            }
        }
        if !free.is_empty() {
            factor.solve(&mut flow);
        }
        for (&node, probability) in free.iter().zip(flow) {
            of_nodes.row_mut(node)[column] = probability.max(0.0);
        }
    }
    for &node in &free {
        let row = of_nodes.row_mut(node);
        let sum: f64 = row.iter().sum();
        row.iter_mut().for_each(|p| *p /= sum);
    }
    Ok(of_nodes)
}

/// The entropy of probabilities, in bits.
fn entropy(probabilities: &[f64]) -> f64 {
    let one = |p: &f64| if *p == 0.0 { 0.0 } else { -p * p.log2() };
    probabilities.iter().map(one).sum::<f64>() + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    /// A trunk of two edges and three legs of other lengths.
    fn star() -> PrincipalGraph {
        let rows =
            [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [4.0, 0.0], [2.0, 1.0], [2.0, -1.0], [2.0, -4.0]];
        let edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (2, 4, 1.0), (2, 5, 1.0), (5, 6, 1.0)];
        let nodes = Matrix::from_rows(&rows).unwrap();
        PrincipalGraph::new(nodes, &edges, vec![1.0; 7]).unwrap()
    }

    #[test]
    fn legs_share_by_their_conductance() {
        let graph = star();
        let points: Vec<f64> = (0..300)
            .flat_map(|i| [f64::from(i % 40) / 10.0, f64::from(i % 70) / 12.0 - 4.0])
            .collect();
        let projection = graph.project(&Points::from_f64(points, 2).unwrap()).unwrap();
        let found = fates(&graph, &[0], &projection).unwrap();
        assert_eq!(found.tips, [3, 4, 6]);
        // Legs in series add their resistances; at the fork the shares are the conductances.
        let mut counts = [SPARE; 6];
        projection.edge.iter().flatten().for_each(|&edge| counts[edge] += 1.0);
        let resistance = |edge: usize| graph.edges()[edge].length.powi(2) / counts[edge];
        let edge = |a, b| graph.edges().iter().position(|e| (e.a, e.b) == (a, b)).unwrap();
        let legs = [
            resistance(edge(2, 3)),
            resistance(edge(2, 4)),
            resistance(edge(2, 5)) + resistance(edge(5, 6)),
        ];
        let total: f64 = legs.iter().map(|r| 1.0 / r).sum();
        for (column, leg) in legs.iter().enumerate() {
            let expected = 1.0 / leg / total;
            for node in [0, 1, 2] {
                let p = found.of_nodes.row(node)[column];
                assert!((p - expected).abs() < 1e-10, "{node} {column}: {p} {expected}");
            }
        }
        for (row, entropy) in found.of_points.rows().zip(&found.entropy) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((0.0..=3.0_f64.log2() + 1e-12).contains(entropy));
        }
    }

    #[test]
    fn rings_have_no_fate() {
        let rows = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]];
        let nodes = Matrix::from_rows(&rows).unwrap();
        let ring = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)];
        let alone = PrincipalGraph::new(nodes.select_rows(0..3), &ring, vec![1.0; 3]).unwrap();
        let points = Points::from_f64(vec![0.5, 0.0, 9.0, 0.5], 2).unwrap();
        let refused = fates(&alone, &[0], &alone.project(&points).unwrap()).unwrap_err();
        assert!(refused.to_string().contains("no fates"), "{refused}");
        let beside = [ring[0], ring[1], ring[2], (3, 4, 1.0)];
        let beside = PrincipalGraph::new(nodes, &beside, vec![1.0; 5]).unwrap();
        let found = fates(&beside, &[0, 3], &beside.project(&points).unwrap()).unwrap();
        assert!(found.of_points.row(0)[0].is_nan() && found.entropy[0].is_nan());
        assert_eq!(found.of_points.row(1), [1.0]);
        assert_eq!(found.entropy[1], 0.0);
    }
}
