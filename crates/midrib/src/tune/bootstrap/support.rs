//! The support of edges, as defined in the parent module.

use super::Replicas;
use crate::error::{Error, Result};
use crate::graph::{Branch, PrincipalGraph, Projection, Projector};
use crate::points::Points;

/// The radius is this quantile of the distances of the points ...
const WITHIN: f64 = 0.75;
/// ... and is at least this share of the median length of an edge.
const FINEST: f64 = 0.1;
/// The last stretch before a tip: this share of the branch, ...
const LAST_SHARE: f64 = 0.25;
/// ... but at most this many radii.
const LAST_RADII: f64 = 4.0;
/// A replica must pass a landmark within this share of its distance from the rest.
const APART: f64 = 1.0 / 3.0;
/// The maximum number of test positions per edge; they are a radius apart if that is enough.
const MAX_PER_EDGE: f64 = 16.0;

/// Checks that a projection is of these points.
pub(super) fn check_projection(points: &Points<'_>, projection: &Projection) -> Result<()> {
    match projection.distance.len() {
        found if found != points.len() => {
            Err(Error::shape("points of the projection", points.len(), found))
        }
        _ => Ok(()),
    }
}

impl Replicas {
    /// The support of each edge of the learned graph, from 0 to 1, as defined in the
    /// [module](crate::tune::bootstrap). `projection` is the projection of the points onto the
    /// graph.
    pub fn support(
        &self,
        graph: &PrincipalGraph,
        points: &Points<'_>,
        projection: &Projection,
    ) -> Result<Vec<f64>> {
        check_projection(points, projection)?;
        if graph.edges().is_empty() {
            return Ok(Vec::new());
        }
        let tests = TestPositions::new(graph, radius(graph, points, projection));
        let mut held = vec![0_usize; graph.edges().len()];
        for replica in &self.graphs {
            for (held, holds) in held.iter_mut().zip(tests.contained_in(replica)?) {
                *held += usize::from(holds);
            }
        }
        let share = |held| held as f64 / self.graphs.len() as f64;
        Ok(held.into_iter().map(share).collect())
    }
}

/// A high quantile of the distances of the points, but at least the resolution of the graph.
fn radius(graph: &PrincipalGraph, points: &Points<'_>, projection: &Projection) -> f64 {
    let distances = (0..points.len()).map(|i| (projection.distance[i], points.weight(i)));
    let lengths = graph.edges().iter().map(|edge| (edge.length, 1.0));
    quantile(WITHIN, distances.collect()).max(FINEST * quantile(0.5, lengths.collect()))
}

/// The weighted quantile of `(value, weight)` pairs.
fn quantile(share: f64, mut values: Vec<(f64, f64)>) -> f64 {
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = share * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut passed = 0.0;
    let reached = values.iter().find(|(_, weight)| {
        passed += weight;
        passed >= wanted
    });
    reached.map_or(0.0, |(value, _)| *value)
}

/// The positions that a replica must pass.
struct TestPositions {
    dims: usize,
    positions: Vec<f64>,
    /// The maximum distance of a replica from each of them.
    radii: Vec<f64>,
    /// The test positions of each edge.
    of_edge: Vec<Vec<usize>>,
}

impl TestPositions {
    fn new(graph: &PrincipalGraph, radius: f64) -> Self {
        let mut tests = Self {
            dims: graph.nodes().n_cols(),
            positions: Vec::new(),
            radii: Vec::new(),
            of_edge: vec![Vec::new(); graph.edges().len()],
        };
        let projector = Projector::new(graph);
        let branches = graph.branches();
        let mut branch_of = vec![0; graph.edges().len()];
        for (number, branch) in branches.iter().enumerate() {
            branch.edges.iter().for_each(|&edge| branch_of[edge] = number);
        }
        for (number, branch) in branches.iter().enumerate() {
            // The distance from the graph without the branch; infinite if nothing is left.
            let from_rest = |x: &[f64]| {
                let other = |edge: usize| branch_of[edge] != number;
                let rest = projector.nearest(x, &mut projector.scratch(), other);
                rest.map_or(f64::INFINITY, |rest| projector.distance(x, &rest))
            };
            tests.add_branch(graph, branch, radius, from_rest);
        }
        tests
    }

    /// Adds the test positions of a branch: along its edges, except before its tips, and at its
    /// landmarks.
    fn add_branch(
        &mut self,
        graph: &PrincipalGraph,
        branch: &Branch,
        radius: f64,
        from_rest: impl Fn(&[f64]) -> f64,
    ) {
        let length = branch.length(graph);
        let last = (LAST_SHARE * length).min(LAST_RADII * radius);
        let is_tip = |node: Option<&usize>| node.is_some_and(|&node| graph.degree(node) == 1);
        let from = if is_tip(branch.nodes.first()) { last } else { 0.0 };
        let to = if is_tip(branch.nodes.last()) { length - last } else { length };
        let mut landmarks = Vec::new();
        let mut begin = 0.0;
        for (&edge, &node) in branch.edges.iter().zip(&branch.nodes) {
            let size = graph.edges()[edge].length;
            let end = begin + size;
            let n = (size / radius).ceil().clamp(1.0, MAX_PER_EDGE);
            for step in 0..n as usize {
                let share = (step as f64 + 0.5) / n;
                let along = begin + size * share;
                if along > from && along < to {
                    let test = self.push(&along_edge(graph, edge, node, share), radius);
                    self.of_edge[edge].push(test);
                }
            }
            for (is_landmark, along) in [(from > 0.0, from), (to < length, to)] {
                if is_landmark && along > begin && along <= end {
                    let landmark = along_edge(graph, edge, node, (along - begin) / size);
                    let radius = radius.min(APART * from_rest(&landmark));
                    landmarks.push(self.push(&landmark, radius));
                }
            }
            begin = end;
        }
        for &edge in &branch.edges {
            self.of_edge[edge].extend(&landmarks);
        }
    }

    /// Adds a test position; returns its index.
    fn push(&mut self, position: &[f64], radius: f64) -> usize {
        self.positions.extend(position);
        self.radii.push(radius);
        self.radii.len() - 1
    }

    /// Whether a replica contains each edge.
    fn contained_in(&self, replica: &PrincipalGraph) -> Result<Vec<bool>> {
        let positions = Points::from_f64(self.positions.as_slice(), self.dims)?;
        let distance = replica.project(&positions)?.distance;
        let is_near = |&test: &usize| distance[test] <= self.radii[test];
        Ok(self.of_edge.iter().map(|tests| tests.iter().all(is_near)).collect())
    }
}

/// The position on an edge at a share of its length from one of its nodes.
fn along_edge(graph: &PrincipalGraph, edge: usize, from: usize, share: f64) -> Vec<f64> {
    let nodes = graph.nodes();
    let ends = nodes.row(from).iter().zip(nodes.row(graph.edges()[edge].other(from)));
    ends.map(|(a, b)| a + share * (b - a)).collect()
}
