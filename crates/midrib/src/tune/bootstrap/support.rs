//! The support of edges; the module above defines it.

use super::Replicas;
use crate::error::{Error, Result};
use crate::graph::{Branch, PlaceFinder, PrincipalGraph, Projection};
use crate::points::Points;

/// The radius holds this share of the points ...
const WITHIN: f64 = 0.75;
/// ... and is at least this share of the median length of an edge.
const FINEST: f64 = 0.1;
/// The last stretch before a tip: this share of the branch, ...
const LAST_SHARE: f64 = 0.25;
/// ... but no more than so many radii.
const LAST_RADII: f64 = 4.0;
/// A landmark must be passed within this share of its distance from the rest.
const APART: f64 = 1.0 / 3.0;
/// Places asked about on one edge at most; they are a radius apart where that suffices.
const MOST_PLACES: f64 = 16.0;

/// Refuses places of other points.
pub(super) fn check_places(points: &Points<'_>, projection: &Projection) -> Result<()> {
    match projection.distance.len() {
        found if found != points.len() => {
            Err(Error::shape("places of the points", points.len(), found))
        }
        _ => Ok(()),
    }
}

impl Replicas {
    /// The support of each edge of the learnt graph, from 0 to 1; see the
    /// [module](crate::tune::bootstrap) for what counts. `projection` is that of the points onto
    /// the graph.
    pub fn support(
        &self,
        graph: &PrincipalGraph,
        points: &Points<'_>,
        projection: &Projection,
    ) -> Result<Vec<f64>> {
        check_places(points, projection)?;
        if graph.edges().is_empty() {
            return Ok(Vec::new());
        }
        let asked = Asked::of(graph, radius(graph, points, projection));
        let mut held = vec![0_usize; graph.edges().len()];
        for replica in &self.graphs {
            for (held, holds) in held.iter_mut().zip(asked.held_by(replica)?) {
                *held += usize::from(holds);
            }
        }
        let share = |held| held as f64 / self.graphs.len() as f64;
        Ok(held.into_iter().map(share).collect())
    }
}

/// How far most points lie from the graph, and no less than the graph can tell.
fn radius(graph: &PrincipalGraph, points: &Points<'_>, projection: &Projection) -> f64 {
    let distances = (0..points.len()).map(|i| (projection.distance[i], points.weight(i)));
    let lengths = graph.edges().iter().map(|edge| (edge.length, 1.0));
    quantile(WITHIN, distances.collect()).max(FINEST * quantile(0.5, lengths.collect()))
}

/// The least value that is not exceeded by this share of the weight.
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

/// The places that a replica must pass.
struct Asked {
    dims: usize,
    places: Vec<f64>,
    /// How near it must pass each of them.
    radii: Vec<f64>,
    /// For each edge the places that decide about it.
    of_edge: Vec<Vec<usize>>,
}

impl Asked {
    fn of(graph: &PrincipalGraph, radius: f64) -> Self {
        let mut asked = Self {
            dims: graph.nodes().n_cols(),
            places: Vec::new(),
            radii: Vec::new(),
            of_edge: vec![Vec::new(); graph.edges().len()],
        };
        let finder = PlaceFinder::new(graph);
        let branches = graph.branches();
        let mut branch_of = vec![0; graph.edges().len()];
        for (number, branch) in branches.iter().enumerate() {
            branch.edges.iter().for_each(|&edge| branch_of[edge] = number);
        }
        for (number, branch) in branches.iter().enumerate() {
            // How far a place is from the graph without the branch; infinite where nothing is left.
            let from_rest = |place: &[f64]| {
                let other = |edge: usize| branch_of[edge] != number;
                let rest = finder.nearest(place, &mut finder.scratch(), other);
                rest.map_or(f64::INFINITY, |rest| finder.distance(place, &rest))
            };
            asked.branch(graph, branch, radius, from_rest);
        }
        asked
    }

    /// Asks about a branch: along its edges, except before its tips, and at its landmarks.
    fn branch(
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
            let n = (size / radius).ceil().clamp(1.0, MOST_PLACES);
            for step in 0..n as usize {
                let share = (step as f64 + 0.5) / n;
                let along = begin + size * share;
                if along > from && along < to {
                    let asked = self.push(&along_edge(graph, edge, node, share), radius);
                    self.of_edge[edge].push(asked);
                }
            }
            for (is_landmark, along) in [(from > 0.0, from), (to < length, to)] {
                if is_landmark && along > begin && along <= end {
                    let place = along_edge(graph, edge, node, (along - begin) / size);
                    landmarks.push(self.push(&place, radius.min(APART * from_rest(&place))));
                }
            }
            begin = end;
        }
        for &edge in &branch.edges {
            self.of_edge[edge].extend(&landmarks);
        }
    }

    /// Adds a place; its number.
    fn push(&mut self, place: &[f64], radius: f64) -> usize {
        self.places.extend(place);
        self.radii.push(radius);
        self.radii.len() - 1
    }

    /// For each edge whether a replica holds it.
    fn held_by(&self, replica: &PrincipalGraph) -> Result<Vec<bool>> {
        let places = Points::from_f64(self.places.as_slice(), self.dims)?;
        let distance = replica.project(&places)?.distance;
        let is_near = |&place: &usize| distance[place] <= self.radii[place];
        Ok(self.of_edge.iter().map(|places| places.iter().all(is_near)).collect())
    }
}

/// The place on an edge at a share of the way from one of its ends.
fn along_edge(graph: &PrincipalGraph, edge: usize, from: usize, share: f64) -> Vec<f64> {
    let nodes = graph.nodes();
    let ends = nodes.row(from).iter().zip(nodes.row(graph.edges()[edge].other(from)));
    ends.map(|(a, b)| a + share * (b - a)).collect()
}
