//! What the exports of trajectories tell: milestones, and the points between them.

use midrib::graph::{MilestoneNetwork, PrincipalGraph, Rooted};

use crate::error::Result;
use crate::read::Places;

/// A learned graph with the places of its points, and its roots if it has any.
#[derive(Clone, Debug)]
pub struct PlacedGraph<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// Its points.
    pub places: &'a Places,
    /// Where it begins.
    pub roots: &'a [usize],
}

impl PlacedGraph<'_> {
    /// The graph with its roots, where it has any.
    pub(super) fn rooted(&self) -> Result<Option<Rooted<'_>>> {
        if self.roots.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.graph.root(self.roots)?))
    }

    /// The network of its milestones.
    pub(super) fn network(&self) -> Result<MilestoneNetwork> {
        Ok(self.graph.milestone_network(self.roots, &self.places.projection)?)
    }
}
