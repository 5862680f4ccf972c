//! Which terminal branch the points need least.

use super::mixture::Mixture;
use super::sample::Sample;
use super::scatter::Scatter;
use crate::graph::{Branch, PrincipalGraph};

/// A twig that is placed where points happen to be gains this much per coordinate and bend by chance.
const BY_CHANCE: f64 = 0.75;

/// A terminal branch and what the points lose without it, in nats beyond chance.
pub(super) struct Twig {
    pub edges: Vec<usize>,
    pub gain: f64,
}

/// The twigs of a graph: branches from a tip to a branch point.
fn twigs(graph: &PrincipalGraph) -> impl Iterator<Item = Branch> {
    graph.branches().into_iter().filter(|branch| {
        let ends = [branch.nodes[0], branch.nodes[branch.nodes.len() - 1]];
        let tips = ends.iter().filter(|&&end| graph.degree(end) == 1).count();
        tips == 1 && !branch.closed
    })
}

/// The twig that the points need least.
pub(super) fn weakest(
    graph: &PrincipalGraph,
    mixture: &Mixture,
    sample: &Sample,
    scatter: Scatter,
) -> Option<Twig> {
    let bend = scatter.bend(graph, sample);
    let gain = |branch: Branch| {
        let bends = 1.0 + branch.length(graph) / (4.0 * bend);
        let chance = BY_CHANCE * scatter.dims * bends;
        let gain = mixture.loss_without(&branch.edges, sample) - chance;
        Twig { edges: branch.edges, gain }
    };
    twigs(graph).map(gain).min_by(|a, b| a.gain.total_cmp(&b.gain))
}
