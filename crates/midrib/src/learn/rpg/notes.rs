//! What the user should know about an l1 graph.

use crate::connect::L1Graph;
use crate::points::Cloud;

/// A linear program counts as solved up to this relative gap.
const GAP: f64 = 1e-8;

/// Skeletons need not keep must-links.
pub(super) const SKELETON: &str = "must-links are edges of the raw graph; its skeleton may drop \
                                   some, fewer of them with a small min_loop";

/// Voids: the pairs of nodes that are no candidates any more, and whether edges still cross one.
pub(super) fn voids(removed: usize, still_crosses: bool) -> Option<String> {
    let cross = "edges cross a void";
    let pairs = match removed {
        0 => return still_crosses.then(|| format!("some {cross}")),
        1 => "1 pair of nearby nodes is".into(),
        n => format!("{n} pairs of nearby nodes are"),
    };
    let left = if still_crosses { format!("; some other {cross}") } else { String::new() };
    Some(format!(
        "{pairs} not joined because of a void between them; voids = cross would allow it{left}"
    ))
}

/// Nodes without candidate pairs. A point has a name that lasts; a node only has a number, which
/// `prune` and `simplify` change.
pub(super) fn lone_nodes(graph: &L1Graph, cloud: &Cloud<'_>, n_nodes: usize) -> Option<String> {
    let lone = graph.lone_nodes();
    let first = *lone.first()?;
    let point = (n_nodes == cloud.len()).then(|| format!("point {}", cloud.source().id(first)));
    let who = match (lone.len(), point) {
        (1, point) => point.unwrap_or_else(|| "one node".into()),
        (n, Some(point)) => format!("{n} nodes, {point} the first,"),
        (n, None) => format!("{n} nodes"),
    };
    let became = if lone.len() == 1 { "it became" } else { "each became" };
    Some(format!("{who} had no candidate for an edge: {became} a component of its own"))
}

/// A linear program that was not solved to the end.
pub(super) fn gap(widest: f64) -> Option<String> {
    (widest > GAP)
        .then(|| format!("a linear program was solved only up to a relative gap of {widest:.1e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_voids_are_reported() {
        assert_eq!(voids(0, false), None);
        assert!(voids(0, true).unwrap().starts_with("some edges cross"));
        assert!(voids(1, false).unwrap().ends_with("would allow it"));
        assert!(voids(2, true).unwrap().ends_with("some other edges cross a void"));
    }
}
