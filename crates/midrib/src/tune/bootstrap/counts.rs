//! The features of a graph that are counted in every replica.

use crate::error::Result;
use crate::graph::{PrincipalGraph, Simplify};
use crate::learn::Fit;

/// The numbers of tips, branch points, loops and components of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of nodes with one edge.
    pub tips: usize,
    /// The number of nodes with three or more edges.
    pub branch_points: usize,
    /// The number of independent loops.
    pub loops: usize,
    /// The number of connected components.
    pub components: usize,
}

impl Counts {
    /// The counts of a fit, or of its skeleton if it has cycles and is not a net.
    pub(super) fn of(fitted: &Fit) -> Result<Self> {
        let graph = fitted.graph()?;
        if graph.loops() == 0 || fitted.object.surface().is_some() {
            return Ok(Self::of_graph(graph));
        }
        Ok(Self::of_graph(&graph.simplify(&Simplify::default())?.graph))
    }

    pub(super) fn of_graph(graph: &PrincipalGraph) -> Self {
        Self {
            tips: graph.tips().len(),
            branch_points: graph.branch_points().len(),
            loops: graph.loops(),
            components: graph.components().count,
        }
    }
}
