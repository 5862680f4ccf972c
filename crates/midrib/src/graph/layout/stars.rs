//! A spanning tree as stars: its tips and branch points, and the straight chains between them.

use std::f64::consts::{PI, TAU};

use crate::graph::PrincipalGraph;
use crate::graph::geodesic::Reach;

/// A tip or branch point of a spanning tree, or its root.
pub(super) struct Star {
    pub node: usize,
    /// The previous star on the path from the root.
    pub parent: Option<usize>,
    /// The nodes from the parent, exclusive, to this star.
    pub chain: Vec<usize>,
    /// The next stars, in the order in which they are drawn.
    pub children: Vec<usize>,
}

/// The heading of the child of a star at `rank`, where the chain to the star has the heading
/// `before`.
///
/// The angle between adjacent branches of a star with k children is 2π / (k + 1) times its width;
/// at the root it is 2π / k.
pub(super) fn heading(star: &Star, rank: usize, before: f64, width: f64) -> f64 {
    let n = star.children.len() as f64;
    match star.parent {
        None => TAU * rank as f64 / n,
        Some(_) => before + width * (TAU * (rank + 1) as f64 / (n + 1.0) - PI),
    }
}

/// The stars of the shortest-path trees from the sources; parents come before their children.
pub(super) fn stars(graph: &PrincipalGraph, reach: &Reach) -> Vec<Star> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); reach.distance.len()];
    let mut stars = Vec::new();
    for &node in &reach.order {
        match reach.last_edge[node] {
            Some(edge) => next[graph.edges()[edge].other(node)].push(node),
            None => stars.push(Star { node, parent: None, chain: vec![], children: vec![] }),
        }
    }
    let mut done = 0;
    while done < stars.len() {
        for &first in &next[stars[done].node] {
            let mut chain = vec![first];
            let mut node = first;
            while let [only] = next[node][..] {
                chain.push(only);
                node = only;
            }
            let number = stars.len();
            stars[done].children.push(number);
            stars.push(Star { node, parent: Some(done), chain, children: vec![] });
        }
        done += 1;
    }
    stars
}
