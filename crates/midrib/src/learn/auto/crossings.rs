//! Where two lines cross: two branch points near each other, or joined by a stretch as dense as both
//! lines together.

use super::mixture::Mixture;
use super::sample::Sample;
use super::scatter::Scatter;
use super::skeleton::contracted;
use crate::error::Result;
use crate::graph::{Branch, PrincipalGraph};

/// Branch points nearer than this are one, in noise or in bends.
const NEAR: f64 = 3.0;
const NEAR_BENDS: f64 = 1.36;
/// Shared stretches up to these lengths, in noise, are denser than the lines around them by these
/// factors.
const SHARED: [(f64, f64); 2] = [(8.0, 1.3), (16.0, 1.6)];
/// The density of the lines around is that of this length, in noise.
const AROUND: f64 = 8.0;

/// The graph with one branch point at each crossing.
pub(super) fn with_crossings(
    mut graph: PrincipalGraph,
    sample: &Sample,
    scatter: Scatter,
) -> Result<PrincipalGraph> {
    loop {
        let mixture = Mixture::new(&graph, sample, scatter.noise);
        let branches = graph.branches();
        let near = (NEAR * scatter.noise).max(NEAR_BENDS * scatter.bend(&graph, sample));
        let found = branches.iter().find(|branch| {
            let (a, b) = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
            let is_inner = a != b && graph.degree(a) > 2 && graph.degree(b) > 2;
            let length = branch.length(&graph);
            let is_shared = || shares_lines(&graph, &branches, branch, &mixture, scatter.noise);
            is_inner && (length < near || is_shared())
        });
        let Some(found) = found else { return Ok(graph) };
        graph = contracted(&graph, &found.nodes)?;
    }
}

/// Whether two lines share a branch.
fn shares_lines(
    graph: &PrincipalGraph,
    branches: &[Branch],
    branch: &Branch,
    mixture: &Mixture,
    noise: f64,
) -> bool {
    let ends = [branch.nodes[0], branch.nodes[branch.nodes.len() - 1]];
    let length = branch.length(graph);
    let Some(&(_, factor)) = SHARED.iter().find(|(longest, _)| length < longest * noise) else {
        return false;
    };
    if ends.iter().any(|&end| graph.degree(end) != 3) {
        return false;
    }
    let mut around = Vec::new();
    for other in branches.iter().filter(|other| *other != branch && !other.edges.is_empty()) {
        let reversed: Vec<usize> = other.edges.iter().rev().copied().collect();
        for (end, edges) in
            [(other.nodes[0], &other.edges), (other.nodes[other.nodes.len() - 1], &reversed)]
        {
            if ends.contains(&end) {
                let mut reached = 0.0;
                let near = edges.iter().copied().take_while(|&edge| {
                    let before = reached;
                    reached += graph.edges()[edge].length;
                    before <= AROUND * noise
                });
                around.push(mixture.density(graph, &near.collect::<Vec<_>>()));
            }
        }
    }
    let mean = around.iter().sum::<f64>() / around.len().max(1) as f64;
    mixture.density(graph, &branch.edges) > factor * mean
}
