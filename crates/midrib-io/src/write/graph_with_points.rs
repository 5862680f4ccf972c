//! A graph with its points, as exports of trajectories need it.

use midrib::graph::{MilestoneNetwork, PrincipalGraph, Rooted};

use crate::error::Result;
use crate::read::ProjectedPoints;

/// A learned graph with its points, and its roots if it has any.
#[derive(Clone, Debug)]
pub struct GraphWithPoints<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// The projections of its points.
    pub points: &'a ProjectedPoints,
    /// Its roots; may be empty.
    pub roots: &'a [usize],
}

impl GraphWithPoints<'_> {
    /// The graph with its roots, where it has any.
    pub(super) fn rooted(&self) -> Result<Option<Rooted<'_>>> {
        if self.roots.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.graph.root(self.roots)?))
    }

    /// The network of its milestones.
    pub(super) fn network(&self) -> Result<MilestoneNetwork> {
        Ok(self.graph.milestone_network(self.roots, self.points.onto_graph()?)?)
    }
}
