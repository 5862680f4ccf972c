//! How well an elastic graph explains the points, and how complex it is.
//!
//! The figures and their names are those that ElPiGraph prints (Albergante2020).

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::graph::{PrincipalGraph, Projection};
use crate::math::{Matrix, observed_squared_distance};
use crate::place::Springs;
use crate::points::Blocks;
use crate::{Cloud, Error};

/// Energies, explained variance and complexity of an elastic graph. If tips were pruned or extended
/// after the growth, the energy is no longer the objective of the fit.
///
/// `barcode` and the counts measure structural complexity, the bending energies geometric
/// complexity. Construction complexity is the number of growth steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Complexity {
    /// The number of stars of each order, from the highest down to three, and the number of nodes:
    /// `1|2||50` has one star of order 4 and two of order 3.
    pub barcode: String,
    /// MSE + UE + UR.
    pub energy: f64,
    /// The number of nodes.
    pub nnodes: usize,
    /// The number of edges.
    pub nedges: usize,
    /// The number of nodes that resist bending between two others; in nets, counted once per
    /// direction.
    pub nribs: usize,
    /// The number of nodes that resist bending between three or more others.
    pub nstars: usize,
    /// The mean squared distance from the points to their nearest nodes.
    pub mse: f64,
    /// The mean squared distance from the points to their projections onto the graph.
    pub msep: f64,
    /// The fraction of the variance that the nodes explain.
    pub fve: f64,
    /// The fraction of the variance that the edges explain.
    pub fvep: f64,
    /// The stretching energy.
    pub ue: f64,
    /// The bending energy.
    pub ur: f64,
    /// UR times the number of nodes.
    pub urn: f64,
    /// UR times the square of the number of nodes.
    pub urn2: f64,
    /// The standard deviation of the bending energies of ribs and stars.
    pub ursd: f64,
}

/// Measures a graph with these springs against points, which may have missing values, by their
/// projections onto its edges.
///
/// ```
/// use midrib::Points;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib::measure::complexity;
/// use midrib::place::{Springs, Star};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
/// let springs = Springs {
///     edges: vec![(0, 1, 0.1), (1, 2, 0.1)],
///     stars: vec![Star { center: 1, leaves: vec![0, 2], modulus: 0.5 }],
/// };
/// let points = Points::from_f64(vec![0.0, 1.0, 2.0, 1.0], 2)?;
/// let found = complexity(&graph, &springs, &points, &graph.project(&points)?)?;
/// assert_eq!((found.barcode.as_str(), found.nribs), ("0||3", 1));
/// let figures = [found.mse, found.msep, found.ue, found.ur, found.fve, found.fvep];
/// let expected = [1.0, 0.5, 0.4, 0.5, 0.0, 0.5];
/// assert!(figures.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn complexity(
    graph: &PrincipalGraph,
    springs: &Springs,
    points: &dyn Blocks,
    projection: &Projection,
) -> Result<Complexity> {
    let n = graph.nodes().n_rows();
    let ends = springs.edges.iter().flat_map(|&(a, b, _)| [a, b]);
    let centers = springs.stars.iter().flat_map(|s| s.leaves.iter().copied().chain([s.center]));
    if let Some(node) = ends.chain(centers).find(|&node| node >= n) {
        return Err(Error::shape("nodes of the springs", format!("numbers below {n}"), node));
    }
    graph.check_projection(projection)?;
    let cloud = Cloud::with_missing(points)?;
    // In working units, so that squares neither overflow nor underflow.
    let nodes = cloud.to_working(graph.nodes().clone());
    let unit = cloud.square_unit();
    let blocks = cloud.per_block(|chunk, rows| {
        let mut row = vec![0.0; chunk.dims()];
        let mut sum = 0.0;
        for i in rows {
            chunk.copy_row(i, &mut row);
            let node = nodes.row(projection.node[i]);
            sum += chunk.weight(i) * observed_squared_distance(&row, node);
        }
        sum
    })?;
    let variance = cloud.spread() / points.total_weight();
    let mse = blocks.into_iter().sum::<f64>() / points.total_weight();
    let msep = projection.mean_squared_distance(points)? / unit;
    let (ue, ur) = springs.energies(&nodes);
    let explained = |error: f64| if variance > 0.0 { 1.0 - error / variance } else { 1.0 };
    let ribs = springs.stars.iter().filter(|star| star.leaves.len() == 2).count();
    Ok(Complexity {
        barcode: barcode(springs, n),
        energy: unit * (mse + ue + ur),
        nnodes: n,
        nedges: graph.edges().len(),
        nribs: ribs,
        nstars: springs.stars.len() - ribs,
        mse: unit * mse,
        msep: unit * msep,
        fve: explained(mse),
        fvep: explained(msep),
        ue: unit * ue,
        ur: unit * ur,
        urn: unit * ur * n as f64,
        urn2: unit * ur * (n * n) as f64,
        ursd: unit * deviation_of_stars(springs, &nodes),
    })
}

fn barcode(springs: &Springs, n: usize) -> String {
    let orders = springs.stars.iter().map(|star| star.leaves.len());
    let highest = orders.clone().max().unwrap_or(0).max(3);
    let count = |order: usize| orders.clone().filter(|&found| found == order).count();
    let counts: Vec<String> = (3..=highest).rev().map(|order| count(order).to_string()).collect();
    format!("{}||{n}", counts.join("|"))
}

fn deviation_of_stars(springs: &Springs, nodes: &Matrix) -> f64 {
    let energy = |star: &crate::place::Star| {
        let one = Springs { edges: Vec::new(), stars: vec![star.clone()] };
        one.energies(nodes).1
    };
    let energies: Vec<f64> = springs.stars.iter().map(energy).collect();
    let count = energies.len().max(1) as f64;
    let mean = energies.iter().sum::<f64>() / count;
    (energies.iter().map(|energy| (energy - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use crate::learn::{ElasticTree, Given, Method, NodeCount, Tips};
    use crate::place::Star;
    use crate::synth::{Shape, Synth};
    use crate::{Silent, learn};

    #[test]
    fn stars_are_counted_by_their_order() {
        let of = |n: usize, orders: &[usize]| {
            let star = |&order: &usize| Star { center: 0, leaves: vec![1; order], modulus: 1.0 };
            barcode(&Springs { edges: Vec::new(), stars: orders.iter().map(star).collect() }, n)
        };
        assert_eq!(of(3, &[2]), "0||3");
        assert_eq!(of(4, &[3, 2, 2]), "1||4");
        assert_eq!(of(50, &[3, 4, 2, 3]), "1|2||50");
    }

    fn measured(graph: &PrincipalGraph, springs: &Springs, points: &Points<'_>) -> Complexity {
        complexity(graph, springs, points, &graph.project(points).unwrap()).unwrap()
    }

    #[test]
    fn the_energy_equals_the_objective_of_the_fit() {
        let shape = Shape::Tree { branch_points: 1 };
        let points =
            Synth { shape, n: 300, dims: 3, noise: 0.05, seed: 2 }.generate().unwrap().points;
        let settings = ElasticTree {
            n_nodes: NodeCount::Exactly(15),
            tips: Tips::Keep,
            ..ElasticTree::default()
        };
        let fitted = settings.fit(&points, Given::default(), &mut Silent).unwrap();
        let springs = fitted.object.springs().unwrap().clone();
        let found = measured(fitted.graph().unwrap(), &springs, &points);
        assert!((found.energy / fitted.objective() - 1.0).abs() < 1e-9);
        assert!((found.mse + found.ue + found.ur - found.energy).abs() < 1e-12);
        assert!(found.fve < found.fvep && found.fvep < 1.0);
        assert_eq!(found.nribs + found.nstars + fitted.graph().unwrap().tips().len(), 15);
        let sides = serde_json::json!({"sides": "4x5"});
        let map = learn::method("elastic-map").unwrap().parse(&sides).unwrap();
        let fitted = map.fit(&points, Given::default(), &mut Silent).unwrap();
        let springs = fitted.object.springs().unwrap().clone();
        let found = measured(fitted.graph().unwrap(), &springs, &points);
        assert!((found.energy / fitted.objective() - 1.0).abs() < 1e-9);
        assert_eq!((found.nedges, found.nribs), (4 * 4 + 3 * 5, 4 * 3 + 2 * 5));
    }

    #[test]
    fn springs_of_another_graph_are_an_error() {
        let nodes = Matrix::from_rows(&[[0.0], [1.0]]).unwrap();
        let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2]).unwrap();
        let star = Star { center: 1, leaves: vec![0, 2], modulus: 1.0 };
        let springs = Springs { edges: Vec::new(), stars: vec![star] };
        let points = Points::from_f64(vec![0.0, 1.0], 1).unwrap();
        let on = graph.project(&points).unwrap();
        let message = complexity(&graph, &springs, &points, &on).unwrap_err().to_string();
        assert_eq!(message, "nodes of the springs: expected numbers below 2, found 2");
    }
}
