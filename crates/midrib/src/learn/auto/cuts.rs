//! Which stretch of a graph crosses a void: the points there are far fewer than the lines on both sides
//! would carry if they went on.

use super::mixture::Mixture;
use super::sample::Sample;
use crate::graph::{Branch, PrincipalGraph};
use crate::math::squared_distance;

/// The density on either side is that of this length, in noise.
const BESIDE: f64 = 8.0;
/// The shortest stretch that is judged, in noise.
const SHORTEST: f64 = 1.5;
/// A line that goes on may be as sparse as this share of the sparser side.
const SPARSE: f64 = 0.5;
/// Stretches with a larger share of the expected points are not judged.
const FULL: f64 = 0.45;

/// A stretch of a branch and the log odds that the line goes on there, against none.
pub(super) struct Stretch {
    pub edges: Vec<usize>,
    pub odds: f64,
}

/// Where to look for stretches: around a position.
#[derive(Clone, Copy)]
pub(super) struct Vicinity<'p> {
    pub center: &'p [f64],
    pub radius: f64,
}

/// The stretch that most clearly crosses a void, anywhere or near a position.
pub(super) fn emptiest(
    graph: &PrincipalGraph,
    mixture: &Mixture,
    sample: &Sample,
    noise: f64,
    near: Option<Vicinity<'_>>,
) -> Option<Stretch> {
    let sides = Sides { graph, mixture, reach: BESIDE * noise };
    let mut lowest: Option<Stretch> = None;
    for branch in graph.branches() {
        let lengths: Vec<f64> =
            branch.edges.iter().map(|&edge| graph.edges()[edge].length).collect();
        for first in 0..lengths.len() {
            for last in first..lengths.len() {
                let length: f64 = lengths[first..=last].iter().sum();
                let middle = graph.nodes().row(branch.nodes[(first + last).div_ceil(2)]);
                let is_far = |vicinity: Vicinity<'_>| {
                    squared_distance(middle, vicinity.center).sqrt() > vicinity.radius
                };
                if length < SHORTEST * noise || near.is_some_and(is_far) {
                    continue;
                }
                let Some(density) = sides.density(&branch, first, last) else { continue };
                let edges = &branch.edges[first..=last];
                let weight: f64 = edges.iter().map(|&edge| mixture.weights[edge]).sum();
                if weight > FULL * density * length {
                    continue;
                }
                let odds =
                    mixture.odds(edges, &lengths[first..=last], SPARSE * density * length, sample);
                if lowest.as_ref().is_none_or(|lowest| odds < lowest.odds) {
                    lowest = Some(Stretch { edges: edges.to_vec(), odds });
                }
            }
        }
    }
    lowest
}

/// The density of points on both sides of a stretch.
struct Sides<'g> {
    graph: &'g PrincipalGraph,
    mixture: &'g Mixture,
    reach: f64,
}

impl Sides<'_> {
    /// That of the sparser side; none where one side has no edges.
    fn density(&self, branch: &Branch, first: usize, last: usize) -> Option<f64> {
        let before: Vec<usize> = branch.edges[..first].iter().rev().copied().collect();
        let after = &branch.edges[last + 1..];
        let ends = [branch.nodes[0], branch.nodes[branch.nodes.len() - 1]];
        let before = self.side(&before, ends[0], &branch.edges)?;
        Some(before.min(self.side(after, ends[1], &branch.edges)?))
    }

    /// Of the nearest edges of the branch, or of all on this side if that is less; where these are
    /// too short, with those beyond the branch's end.
    fn side(&self, edges: &[usize], end: usize, branch: &[usize]) -> Option<f64> {
        let mut length = 0.0;
        let mut near = Vec::new();
        for &edge in edges {
            if length >= self.reach {
                let near = self.mixture.density(self.graph, &near);
                return Some(near.min(self.mixture.density(self.graph, edges)));
            }
            length += self.graph.edges()[edge].length;
            near.push(edge);
        }
        if length < self.reach && self.graph.degree(end) > 2 {
            near.extend(self.around(end, branch));
        }
        (!near.is_empty()).then(|| self.mixture.density(self.graph, &near))
    }

    /// The edges within reach of a node that do not belong to a branch.
    fn around(&self, node: usize, branch: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![(node, 0.0)];
        while let Some((node, distance)) = open.pop() {
            for &(edge, next) in self.graph.neighbors(node) {
                if distance > self.reach || branch.contains(&edge) || found.contains(&edge) {
                    continue;
                }
                found.push(edge);
                open.push((next, distance + self.graph.edges()[edge].length));
            }
        }
        found
    }
}
