//! What the exports of trajectories tell: milestones, and the points between them.

use midrib::graph::{Milestones, OnBranch, PrincipalGraph, Rooted};

use crate::error::Result;
use crate::read::Places;

/// A learnt graph with the places of its points, and its roots if it has any.
#[derive(Clone, Debug)]
pub struct PlacedGraph<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// Its points.
    pub places: &'a Places,
    /// Where it begins.
    pub roots: &'a [usize],
}

/// The network of milestones: a simple graph, whose links lead away from the roots.
pub(super) struct Network {
    pub milestones: Milestones,
    pub links: Vec<NetworkLink>,
    /// For each point its branch and how far along it is.
    pub places: Vec<OnBranch>,
}

/// A branch as a link between milestones.
#[derive(Clone, Copy)]
pub(super) struct NetworkLink {
    pub from: usize,
    pub to: usize,
    pub length: f64,
    /// Whether a root says where it begins.
    pub directed: bool,
    /// Whether it runs against the branch.
    pub reversed: bool,
}

impl PlacedGraph<'_> {
    /// The graph with its roots, where it has any.
    pub(super) fn rooted(&self) -> Result<Option<Rooted<'_>>> {
        if self.roots.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.graph.root(self.roots)?))
    }

    /// Roots are milestones too.
    pub(super) fn network(&self) -> Result<Network> {
        let milestones = self.graph.milestones().and(self.graph, self.roots)?.simple(self.graph);
        let time = match self.rooted()? {
            Some(rooted) => rooted.node_pseudotime(),
            None => vec![f64::NAN; self.graph.nodes().n_rows()],
        };
        let link = |(branch, &length): (&midrib::graph::Branch, &f64)| {
            let (first, last) = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
            let reversed = time[last] < time[first];
            let (from, to) = if reversed { (last, first) } else { (first, last) };
            NetworkLink { from, to, length, directed: !time[first].is_nan(), reversed }
        };
        let links = milestones.branches().iter().zip(milestones.lengths()).map(link).collect();
        let places = milestones.places(self.graph, &self.places.projection)?;
        Ok(Network { milestones, links, places })
    }
}

impl Network {
    /// The link of a point and how far along it is.
    pub(super) fn progression(&self, point: usize) -> (NetworkLink, f64) {
        let OnBranch { branch, share } = self.places[point];
        let link = self.links[branch];
        (link, if link.reversed { 1.0 - share } else { share })
    }
}
