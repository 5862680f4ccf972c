//! How much of a graph is learned again from resampled points.

use std::collections::HashMap;

use midrib::graph::PrincipalGraph;
use serde::{Deserialize, Serialize};

/// How much of a graph is learned again from resampled points; see
/// [`tune::bootstrap`](midrib::tune::bootstrap).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// How many replicas were learned.
    pub replicas: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// The share of the replicas that hold each edge, in the order of the model's edges.
    pub edges: Vec<f64>,
    /// What replicas have that the graph lacks; not known of models of older versions, nor once the
    /// graph was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more: Option<More>,
}

/// In how many replicas there are more of its parts than in the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct More {
    /// More tips.
    pub tips: usize,
    /// More loops.
    pub loops: usize,
    /// More components.
    pub components: usize,
}

impl Support {
    /// What contradicts the graph of the model, whose edges are listed in `edges`.
    pub(super) fn fault(&self, graph: &PrincipalGraph, edges: &[(usize, usize)]) -> Option<String> {
        let sorted = graph.edges().iter().map(|edge| (edge.a, edge.b));
        let what = if self.edges.len() != edges.len() {
            format!("has {} edges, the graph {}", self.edges.len(), edges.len())
        } else if !sorted.eq(edges.iter().copied()) {
            "needs edges that are sorted by their nodes".into()
        } else {
            let wrong = self.edges.iter().find(|share| !(0.0..=1.0).contains(*share))?;
            format!("{wrong} is not between 0 and 1")
        };
        Some(format!(
            "contradicts itself: support.edges: {what}; rerun `midrib bootstrap` to find it"
        ))
    }

    /// The support of the edges of another graph, whose nodes had the numbers `kept`; none if one
    /// of its edges is new.
    pub(super) fn kept(
        self,
        old: &PrincipalGraph,
        graph: &PrincipalGraph,
        kept: &[usize],
    ) -> Option<Self> {
        let Self { replicas, seed, edges: shares, more: _ } = self;
        let shares_of: HashMap<(usize, usize), f64> =
            old.edges().iter().map(|edge| (edge.a, edge.b)).zip(shares).collect();
        let edges = graph.edges().iter().map(|edge| {
            let (a, b) = (*kept.get(edge.a)?, *kept.get(edge.b)?);
            shares_of.get(&(a.min(b), a.max(b))).copied()
        });
        Some(Self { replicas, seed, edges: edges.collect::<Option<_>>()?, more: None })
    }
}
