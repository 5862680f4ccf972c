//! A spanning tree as stars: its ends and branch points, and the straight chains between them.

use std::f64::consts::{PI, TAU};

use crate::graph::PrincipalGraph;
use crate::graph::geodesic::Reach;

/// An end or branch point of a spanning tree, or its root.
pub(super) struct Star {
    pub node: usize,
    /// The star before it.
    pub parent: Option<usize>,
    /// The nodes from the star before it, without that, to this one.
    pub chain: Vec<usize>,
    /// The stars behind it, in the order in which they are drawn.
    pub children: Vec<usize>,
}

/// The heading of a star's branch at a place in their order, where the chain to the star has the
/// heading `before`.
///
/// A star of k branches behind it takes the angle 2π / (k + 1) between all its branches, times its
/// width; the root 2π / k.
pub(super) fn heading(star: &Star, place: usize, before: f64, width: f64) -> f64 {
    let n = star.children.len() as f64;
    match star.parent {
        None => TAU * place as f64 / n,
        Some(_) => before + width * (TAU * (place + 1) as f64 / (n + 1.0) - PI),
    }
}

/// The stars of what the sources of a search reach: parents come before their children.
pub(super) fn stars(graph: &PrincipalGraph, reach: &Reach) -> Vec<Star> {
    let mut behind: Vec<Vec<usize>> = vec![Vec::new(); reach.distance.len()];
    let mut stars = Vec::new();
    for &node in &reach.order {
        match reach.last_edge[node] {
            Some(edge) => behind[graph.edges()[edge].other(node)].push(node),
            None => stars.push(Star { node, parent: None, chain: vec![], children: vec![] }),
        }
    }
    let mut done = 0;
    while done < stars.len() {
        for &first in &behind[stars[done].node] {
            let mut chain = vec![first];
            let mut node = first;
            while let [next] = behind[node][..] {
                chain.push(next);
                node = next;
            }
            let number = stars.len();
            stars[done].children.push(number);
            stars.push(Star { node, parent: Some(done), chain, children: vec![] });
        }
        done += 1;
    }
    stars
}
