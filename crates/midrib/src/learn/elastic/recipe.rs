//! What all elastic graphs have in common, as the loop takes it.

use super::moduli::Moduli;
use super::program::Program;
use super::search::Search;
use crate::connect::{Ceilings, Topology};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::checks;
use crate::learn::checks::not_negative;
use crate::learn::choices::{AutoOr, NodeCount, Tips, TrimmingRadius};
use crate::learn::descent::Limits;
use crate::place::Springs;

/// How an elastic graph is learned.
pub(super) struct Recipe {
    pub n_nodes: NodeCount,
    pub moduli: Moduli,
    pub ceilings: Ceilings,
    pub trimming_radius: TrimmingRadius,
    pub search: Search,
    pub tips: Tips,
    pub limits: Limits,
    /// The rules of the grammar, applied in turn, again and again.
    pub program: Program,
    /// The largest number of rules that are applied.
    pub max_steps: usize,
    /// Whether branches of the grown tree may be moved.
    pub rewires: bool,
    /// The price of two tips, or of an edge without points, as a share of the variance, if tips may
    /// be joined and edges cut.
    pub end_penalty: Option<f64>,
    pub closed: bool,
}

impl Recipe {
    pub fn check(&self) -> Result<()> {
        checks::moduli(self.moduli.stretching, self.moduli.bending)?;
        for (name, value) in [
            ("branching_penalty", self.moduli.branching_penalty),
            ("star_exponent", self.moduli.star_exponent),
            ("end_penalty", self.end_penalty.unwrap_or(0.0)),
        ] {
            not_negative(name, AutoOr::Fixed(value))?;
        }
        self.trimming_radius.check()?;
        if self.ceilings.star_order < 2 {
            let reason = "every inner node has two neighbors: give at least 2";
            return Err(Error::setting("max_star_order", self.ceilings.star_order, reason));
        }
        self.program.check()?;
        match self.n_nodes {
            NodeCount::All => {
                let reason = "an elastic graph grows node by node: give a number";
                return Err(Error::setting("n_nodes", "all", reason));
            }
            NodeCount::Exactly(count) if count < self.fewest_nodes() => {
                let reason =
                    if self.closed { "a ring needs at least 3" } else { "give at least 2" };
                return Err(Error::setting("n_nodes", count, reason));
            }
            _ => {}
        }
        self.limits.check()
    }

    /// The springs with which a graph was placed.
    pub fn springs(&self, graph: &PrincipalGraph) -> Springs {
        let edges: Vec<(usize, usize)> = graph.edges().iter().map(|e| (e.a, e.b)).collect();
        self.moduli.springs(&Topology::new(graph.nodes().n_rows(), &edges))
    }

    pub fn fewest_nodes(&self) -> usize {
        if self.closed { 3 } else { 2 }
    }
}
