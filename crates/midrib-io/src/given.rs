//! What a fit is given beside points, settings and starting nodes, as it stands in JSON.

use midrib::learn::{Given, LinkKind, PointLink, StartGraph};
use midrib::math::Matrix;
use serde::Deserialize;

use crate::ask::AnyNumber;

/// What [`Given`] borrows, but for the places of starting nodes.
///
/// In JSON, `start_graph` has the `edges` of the starting nodes, their `stretching`, the `bending`
/// of nodes and which are `pinned`; `links` are two points each, and whether their edge must be
/// (`true`) or cannot be in the graph; `pairs` are the only ones that an edge may join. All may be
/// left out.
///
/// ```
/// use midrib_io::Known;
/// let text = r#"{"links": [[0, 9, true]], "start_graph": {"pinned": [2]}}"#;
/// let known: Known = serde_json::from_str(text)?;
/// let given = known.given(None);
/// assert_eq!(given.links[0].kind.as_str(), "must");
/// assert_eq!(given.start_graph.unwrap().pinned, [2]);
/// assert!(Known::default().given(None).start_graph.is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(from = "Fields")]
pub struct Known {
    start_graph: Option<StartGraph>,
    links: Vec<PointLink>,
    pairs: Option<Vec<(usize, usize)>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    start_graph: Option<StartFields>,
    links: Vec<(usize, usize, bool)>,
    pairs: Option<Vec<(usize, usize)>>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct StartFields {
    edges: Option<Vec<(usize, usize)>>,
    stretching: Vec<((usize, usize), AnyNumber)>,
    bending: Vec<(usize, AnyNumber)>,
    pinned: Vec<usize>,
}

impl From<Fields> for Known {
    fn from(fields: Fields) -> Self {
        let link = |(a, b, must)| {
            let kind = if must { LinkKind::Must } else { LinkKind::Cannot };
            PointLink { a, b, kind }
        };
        Self {
            start_graph: fields.start_graph.map(StartGraph::from),
            links: fields.links.into_iter().map(link).collect(),
            pairs: fields.pairs,
        }
    }
}

impl From<StartFields> for StartGraph {
    fn from(fields: StartFields) -> Self {
        let StartFields { edges, stretching, bending, pinned } = fields;
        Self {
            edges,
            stretching: stretching.into_iter().map(|(edge, modulus)| (edge, modulus.0)).collect(),
            bending: bending.into_iter().map(|(node, modulus)| (node, modulus.0)).collect(),
            pinned,
        }
    }
}

impl Known {
    /// What a fit is given, with the places of starting nodes where there are some.
    pub fn given<'a>(&'a self, start: Option<&'a Matrix>) -> Given<'a> {
        Given {
            start,
            start_graph: self.start_graph.as_ref(),
            links: &self.links,
            pairs: self.pairs.as_deref(),
        }
    }
}
