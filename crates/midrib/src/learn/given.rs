//! What a fit may be given besides points: starting nodes, links between points, pairs of points.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::assign::NearestNodes;
use crate::connect::{Candidates, Links, NeighborRule};
use crate::error::{Error, Result};
use crate::learn::choices::NodeCount;
use crate::math::{Matrix, Sets};
use crate::points::{Blocks, Cloud};

/// What a fit may be given besides points and settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Nodes to start from, in the coordinates of the points.
    pub start: Option<&'a Matrix>,
    /// Edges, pins and moduli of these nodes, for elastic curves, rings, trees and graphs.
    pub start_graph: Option<&'a StartGraph>,
    /// Edges that must, or cannot, be in the graph.
    pub links: &'a [PointLink],
    /// The only pairs of points that an edge may join, such as those of a
    /// [`PointGraph`](crate::connect::PointGraph), instead of nearest neighbors.
    pub pairs: Option<&'a [(usize, usize)]>,
}

impl<'a> From<Option<&'a Matrix>> for Given<'a> {
    fn from(start: Option<&'a Matrix>) -> Self {
        Self { start, ..Self::default() }
    }
}

/// Edges, moduli and pins of the starting nodes of an elastic graph.
///
/// As the graph grows, both halves of a bisected edge keep its modulus; a node that absorbs another
/// one keeps its own moduli and takes over those of the other's edges. New edges and nodes have the
/// moduli of the settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartGraph {
    /// The edges between the nodes; none if the method is to connect them itself.
    pub edges: Option<Vec<(usize, usize)>>,
    /// Edges with their own stretching modulus.
    pub stretching: Vec<((usize, usize), f64)>,
    /// Nodes with their own bending modulus.
    pub bending: Vec<(usize, f64)>,
    /// Nodes that never move and are never removed.
    pub pinned: Vec<usize>,
}

impl StartGraph {
    /// Whether a node or an edge has a pin or a modulus that tidying the tips could lose.
    pub(super) fn has_pins_or_moduli(&self) -> bool {
        !(self.stretching.is_empty() && self.bending.is_empty() && self.pinned.is_empty())
    }
}

/// A statement about the edge between two points' nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointLink {
    /// One point's row number.
    pub a: usize,
    /// The other's.
    pub b: usize,
    /// Whether the edge must, or cannot, be in the graph.
    pub kind: LinkKind,
}

/// Whether an edge is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// The edge must be in the graph.
    Must,
    /// The edge cannot be in the graph.
    Cannot,
}

impl LinkKind {
    /// Its name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Cannot => "cannot",
        }
    }
}

impl Given<'_> {
    /// The pairs as candidates, if there are any; then nearest neighbors cannot be set as well.
    pub(super) fn candidates(
        &self,
        n_neighbors: NodeCount,
        rule: NeighborRule,
    ) -> Result<Option<Candidates>> {
        const INSTEAD: &str = "leave it out: the pairs of points are given";
        let Some(pairs) = self.pairs else { return Ok(None) };
        if rule == NeighborRule::Mutual {
            return Err(Error::setting("neighbors", "mutual", INSTEAD));
        }
        let value = match n_neighbors {
            NodeCount::Auto => return Ok(Some(Candidates::Given(pairs.to_vec()))),
            NodeCount::All => "all".into(),
            NodeCount::Exactly(k) => k.to_string(),
        };
        Err(Error::setting("n_neighbors", value, INSTEAD))
    }

    /// The links as pairs of nodes. With one node per point these are the points' own; with fewer,
    /// a point stands for its nearest starting node. Refused if two points that cannot be linked
    /// share a node, or if links contradict each other.
    pub(super) fn node_links(&self, cloud: &Cloud<'_>, start: &Matrix) -> Result<NodeLinks> {
        if self.links.is_empty() {
            return Ok(NodeLinks::default());
        }
        let points = cloud.source();
        let one_per_point = start.n_rows() == points.len() && self.start.is_none();
        let ends = self.nodes_of_links(cloud, start, one_per_point)?;
        let mut found = LinkCollector::new(points, start.n_rows(), one_per_point);
        let mut seen = HashSet::new();
        for (link, ends) in self.links.iter().zip(ends.chunks_exact(2)) {
            if seen.insert((link.a.min(link.b), link.a.max(link.b), link.kind)) {
                found.add(link, (ends[0].min(ends[1]), ends[0].max(ends[1])))?;
            }
        }
        found.finish()
    }

    /// The two nodes of each link, one after the other.
    fn nodes_of_links(
        &self,
        cloud: &Cloud<'_>,
        start: &Matrix,
        one_per_point: bool,
    ) -> Result<Vec<usize>> {
        let last = cloud.len() - 1;
        if let Some(link) = self.links.iter().find(|link| link.a.max(link.b) > last) {
            let row = link.a.max(link.b);
            return Err(Error::data(format!(
                "a link refers to point {row}; the points are 0 to {last}"
            )));
        }
        let rows: Vec<usize> = self.links.iter().flat_map(|link| [link.a, link.b]).collect();
        if one_per_point {
            return Ok(rows);
        }
        let all: Vec<u32> = (0..rows.len() as u32).collect();
        let search = NearestNodes::new(start);
        let nearest = cloud.on_rows(&rows, |chunk| search.find(chunk, &all))?;
        Ok(nearest.iter().map(|nearest| nearest.node as usize).collect())
    }
}

/// Collects links between nodes and refuses contradictions.
struct LinkCollector<'l> {
    points: &'l dyn Blocks,
    n_nodes: usize,
    one_per_point: bool,
    must: Vec<(usize, usize)>,
    cannot: Vec<(usize, usize)>,
    /// Must-links within one node.
    within: usize,
    by_pair: HashMap<(usize, usize), &'l PointLink>,
    joined: Sets,
    cycle: Option<Cycle>,
}

impl<'l> LinkCollector<'l> {
    fn new(points: &'l dyn Blocks, n_nodes: usize, one_per_point: bool) -> Self {
        Self {
            points,
            n_nodes,
            one_per_point,
            must: Vec::new(),
            cannot: Vec::new(),
            within: 0,
            by_pair: HashMap::new(),
            joined: Sets::new(n_nodes),
            cycle: None,
        }
    }

    fn ids(&self, link: &PointLink) -> String {
        format!("{}-{}", self.points.id(link.a), self.points.id(link.b))
    }

    fn name(&self, link: &PointLink) -> String {
        format!("{} {}", link.kind.as_str(), self.ids(link))
    }

    /// Adds a link that is not a repetition.
    fn add(&mut self, link: &'l PointLink, pair: (usize, usize)) -> Result<()> {
        if pair.0 == pair.1 {
            if link.kind == LinkKind::Cannot {
                return Err(Error::data(format!(
                    "link {}: both points belong to the same one of the {} nodes; use more nodes, \
                     or one per point",
                    self.name(link),
                    self.n_nodes
                )));
            }
            self.within += 1;
            return Ok(());
        }
        let before = self.by_pair.insert(pair, link);
        if let Some(before) = before.filter(|before| before.kind != link.kind) {
            return Err(Error::data(format!(
                "links {} and {} contradict each other{}",
                self.name(before),
                self.name(link),
                if self.one_per_point { "" } else { ": their points belong to the same two nodes" }
            )));
        }
        match link.kind {
            LinkKind::Must => {
                if before.is_none() && !self.joined.join(pair.0, pair.1) && self.cycle.is_none() {
                    let one_per_point = self.one_per_point;
                    self.cycle = Some(Cycle { link: self.ids(link), one_per_point });
                }
                self.must.push(pair);
            }
            LinkKind::Cannot => self.cannot.push(pair),
        }
        Ok(())
    }

    fn finish(self) -> Result<NodeLinks> {
        let links = Links::new(&self.must, &self.cannot, self.n_nodes)?;
        let note = links_note(self.must.len(), self.cannot.len(), self.within);
        Ok(NodeLinks { links, note: Some(note), cycle: self.cycle })
    }
}

/// Links as pairs of nodes.
#[derive(Default)]
pub(super) struct NodeLinks {
    pub links: Links,
    /// How the links were used, for the user.
    pub note: Option<String>,
    cycle: Option<Cycle>,
}

/// Must-links that form a cycle of nodes.
struct Cycle {
    /// The points of the link that closes it.
    link: String,
    one_per_point: bool,
}

impl NodeLinks {
    /// Refuses must-links that no tree can contain.
    pub fn in_a_tree(self) -> Result<Self> {
        match self.cycle {
            None => Ok(self),
            Some(Cycle { link, one_per_point }) => Err(Error::data(format!(
                "the must-link {link} closes a cycle with others{}: no tree can contain it; remove \
                 one of them, {}or learn an l1 graph",
                if one_per_point { "" } else { ", some of whose points belong to the same node" },
                if one_per_point { "" } else { "use more nodes, " }
            ))),
        }
    }
}

/// A sentence on the links that were honored.
fn links_note(must: usize, cannot: usize, within: usize) -> String {
    let counts = [
        ("must-links as edges", must),
        ("cannot-links without an edge", cannot),
        ("must-links within one node, which already joins their points", within),
    ];
    let present = counts.into_iter().filter(|(_, count)| *count > 0);
    let present: Vec<String> = present.map(|(what, count)| format!("{what}: {count}")).collect();
    format!("learned with {}", present.join("; "))
}
