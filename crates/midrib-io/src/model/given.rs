//! What a fit was given beside points and settings.

use midrib::learn::{Given, PointLink, StartGraph};
use midrib::math::Matrix;
use serde::{Deserialize, Serialize};

/// What [`Given`] borrows.
///
/// ```
/// use midrib_io::OwnedGiven;
/// let text = r#"{"links": [{"a": 0, "b": 9, "kind": "must"}], "pairs": [[0, 9]]}"#;
/// let given: OwnedGiven = serde_json::from_str(text)?;
/// assert_eq!(given.borrow().links[0].kind.as_str(), "must");
/// assert!(OwnedGiven::default().is_empty());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnedGiven {
    /// Nodes to start from, in the prepared columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Matrix>,
    /// How these nodes are joined and held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_graph: Option<StartGraph>,
    /// Edges that must or cannot be in the graph.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<PointLink>,
    /// The only pairs of points that an edge may join.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<Vec<(usize, usize)>>,
}

impl OwnedGiven {
    /// As a fit takes it.
    pub fn borrow(&self) -> Given<'_> {
        Given {
            start: self.start.as_ref(),
            start_graph: self.start_graph.as_ref(),
            links: &self.links,
            pairs: self.pairs.as_deref(),
        }
    }

    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
