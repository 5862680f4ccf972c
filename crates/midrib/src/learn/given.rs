//! What is known before a fit: nodes to start from, and points that belong together or apart.

use std::collections::{HashMap, HashSet};

use crate::assign::NearestNodes;
use crate::cloud::Cloud;
use crate::connect::{Candidates, Links, NeighborRule};
use crate::error::{Error, Result};
use crate::learn::choices::NodeCount;
use crate::math::{Matrix, Sets};

/// What a fit may be given beside points and settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Nodes to start from, in the coordinates of the points.
    pub start: Option<&'a Matrix>,
    /// How these nodes are joined and held, for elastic curves, rings, trees and graphs.
    pub start_graph: Option<&'a StartGraph>,
    /// Edges that are known to be, or not to be, in the graph.
    pub links: &'a [PointLink],
    /// The only pairs of points that an edge may join, such as those of a
    /// [`PointGraph`](crate::connect::PointGraph): in place of nearest neighbours.
    pub pairs: Option<&'a [(usize, usize)]>,
}

impl<'a> From<Option<&'a Matrix>> for Given<'a> {
    fn from(start: Option<&'a Matrix>) -> Self {
        Self { start, ..Self::default() }
    }
}

/// What is known of the starting nodes of an elastic graph beside their places.
///
/// As the graph grows, the two halves of an edge have its modulus, and what a node takes over from
/// one that it is merged with, be it edges or a bending modulus, keeps its own. New edges and
/// nodes have the moduli of the settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StartGraph {
    /// The edges that join them; none if the method is to join the nodes itself.
    pub edges: Option<Vec<(usize, usize)>>,
    /// Edges that resist stretching by a modulus of their own.
    pub stretching: Vec<((usize, usize), f64)>,
    /// Nodes that resist bending by a modulus of their own.
    pub bending: Vec<(usize, f64)>,
    /// Nodes that never move, and are never taken away.
    pub pinned: Vec<usize>,
}

impl StartGraph {
    /// Whether a node or an edge has something that could be lost where tips are cut or drawn out.
    pub(super) fn has_own(&self) -> bool {
        !(self.stretching.is_empty() && self.bending.is_empty() && self.pinned.is_empty())
    }
}

/// A statement about the edge between two points' nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointLink {
    /// One point's row number.
    pub a: usize,
    /// The other's.
    pub b: usize,
    /// What is known.
    pub kind: LinkKind,
}

/// Whether an edge is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// The edge must be in the graph.
    Must,
    /// The edge cannot be in the graph.
    Cannot,
}

impl LinkKind {
    /// The word for it in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Cannot => "cannot",
        }
    }
}

impl Given<'_> {
    /// Pairs are refused by methods that have no use for them.
    pub(super) fn refuse_pairs(&self, method: &str) -> Result<()> {
        match self.pairs {
            None => Ok(()),
            Some(_) => Err(Error::data(format!(
                "{method} takes no pairs of points: leave them out, or use spl, or the l1 graph of \
                 rpg"
            ))),
        }
    }

    /// Edges, pins and moduli of starting nodes are refused by methods that have no use for them.
    pub(super) fn refuse_start_graph(&self, method: &str) -> Result<()> {
        match self.start_graph {
            None => Ok(()),
            Some(_) => Err(Error::data(format!(
                "{method} takes the places of starting nodes alone, no edges, pins or moduli of \
                 theirs: leave them out, or use elastic-curve, -ring, -tree or -graph"
            ))),
        }
    }

    /// The pairs as candidates, if there are any; then neighbours cannot be asked for as well.
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
    /// a point stands for its nearest starting node. Refused where two points that cannot be
    /// linked share a node, or where links contradict each other.
    pub(super) fn node_links(&self, cloud: &Cloud<'_>, start: &Matrix) -> Result<NodeLinks> {
        if self.links.is_empty() {
            return Ok(NodeLinks::default());
        }
        let points = cloud.points();
        let ends_of = |link: &PointLink| format!("{}-{}", points.id(link.a), points.id(link.b));
        let name = |link: &PointLink| format!("{} {}", link.kind.as_str(), ends_of(link));
        let last = points.len() - 1;
        if let Some(link) = self.links.iter().find(|link| link.a.max(link.b) > last) {
            let row = link.a.max(link.b);
            return Err(Error::data(format!("link names point {row}; there are 0 to {last}")));
        }
        let one_per_point = start.n_rows() == points.len() && self.start.is_none();
        let rows: Vec<u32> = self.links.iter().flat_map(|l| [l.a as u32, l.b as u32]).collect();
        let ends: Vec<usize> = if one_per_point {
            rows.iter().map(|&row| row as usize).collect()
        } else {
            let nearest = NearestNodes::new(start).find(cloud, &rows);
            nearest.iter().map(|nearest| nearest.node as usize).collect()
        };
        let (mut must, mut cannot, mut within) = (Vec::new(), Vec::new(), 0);
        let (mut joined, mut circle) = (Sets::new(start.n_rows()), None);
        let mut known: HashMap<(usize, usize), &PointLink> = HashMap::new();
        let mut seen = HashSet::new();
        for (link, ends) in self.links.iter().zip(ends.chunks_exact(2)) {
            if !seen.insert((link.a.min(link.b), link.a.max(link.b), link.kind)) {
                continue;
            }
            let pair = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            if pair.0 == pair.1 {
                if link.kind == LinkKind::Cannot {
                    return Err(Error::data(format!(
                        "link {}: both points fall to the same of the {} nodes; \
                         use more nodes, or one per point",
                        name(link),
                        start.n_rows()
                    )));
                }
                within += 1;
                continue;
            }
            let before = known.insert(pair, link);
            if let Some(before) = before.filter(|before| before.kind != link.kind) {
                return Err(Error::data(format!(
                    "links {} and {} contradict each other{}",
                    name(before),
                    name(link),
                    if one_per_point { "" } else { ": their points fall to the same two nodes" }
                )));
            }
            match link.kind {
                LinkKind::Must => {
                    if before.is_none() && !joined.join(pair.0, pair.1) {
                        circle.get_or_insert_with(|| Circle { link: ends_of(link), one_per_point });
                    }
                    must.push(pair);
                }
                LinkKind::Cannot => cannot.push(pair),
            }
        }
        let links = Links::new(&must, &cannot, start.n_rows())?;
        let note = links_note(must.len(), cannot.len(), within);
        Ok(NodeLinks { links, note: Some(note), circle })
    }
}

/// Links as pairs of nodes, and what became of them.
#[derive(Default)]
pub(super) struct NodeLinks {
    pub links: Links,
    pub note: Option<String>,
    circle: Option<Circle>,
}

/// Must-links that close a circle of nodes.
struct Circle {
    /// The points of the one that closes it.
    link: String,
    one_per_point: bool,
}

impl NodeLinks {
    /// Refused if no tree can hold them.
    pub fn in_a_tree(self) -> Result<Self> {
        match self.circle {
            None => Ok(self),
            Some(Circle { link, one_per_point }) => Err(Error::data(format!(
                "the must-link {link} closes a circle with others{}: no tree can hold it; remove \
                 one of them, {}or learn an l1 graph",
                if one_per_point { "" } else { ", some of whose points fall to the same node" },
                if one_per_point { "" } else { "use more nodes, " }
            ))),
        }
    }
}

/// Tells that links are honoured; `within` more must-links are between points of one node.
fn links_note(must: usize, cannot: usize, within: usize) -> String {
    let parts = [
        ("must-links as edges", must),
        ("cannot-links without an edge", cannot),
        ("must-links within one node, which joins their points", within),
    ];
    let told = parts.into_iter().filter(|(_, count)| *count > 0);
    let told: Vec<String> = told.map(|(what, count)| format!("{what}: {count}")).collect();
    format!("learnt with {}", told.join("; "))
}
