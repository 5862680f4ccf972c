//! Which tips go on in another line: loops that a tree has cut.

use super::cuts::{Vicinity, emptiest};
use super::mixture::Mixture;
use super::refit::refit;
use super::sample::Sample;
use super::scatter::Scatter;
use super::skeleton::{respaced, with_edge};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::squared_distance;

/// The farthest node that a tip is joined to, in noise.
const FARTHEST: f64 = 12.0;
/// The shortest loop, in noise and in lengths of the gap.
const SHORTEST_LOOP: f64 = 12.0;
const LOOP_OF_GAP: f64 = 4.0;
/// Gaps below this, in noise or in bends, are closed without asking the points.
const NARROW: f64 = 2.5;
const NARROW_BENDS: f64 = 1.14;
/// The least log odds that the closed gap is no void.
const SUPPORTED: f64 = -1.0;
/// Rounds of moving the nodes after a gap is closed.
const ROUNDS: usize = 4;

/// Gaps that were judged before: the positions on both sides.
#[derive(Default)]
pub(super) struct Judged(Vec<[Vec<f64>; 2]>);

impl Judged {
    /// Whether a gap is new; it is not from now on.
    fn is_new(&mut self, ends: [&[f64]; 2], noise: f64) -> bool {
        let is_near = |a: &[f64], b: &[f64]| squared_distance(a, b).sqrt() < noise;
        let known = self.0.iter().any(|[a, b]| is_near(a, ends[0]) && is_near(b, ends[1]));
        if !known {
            self.0.push(ends.map(<[f64]>::to_vec));
        }
        !known
    }
}

/// A tip and a node that it may be joined to.
struct Gap {
    tip: usize,
    node: usize,
    width: f64,
}

/// The graph with the narrowest supported gap closed; none if there is none.
pub(super) fn joined(
    graph: &PrincipalGraph,
    sample: &Sample,
    scatter: Scatter,
    judged: &mut Judged,
) -> Result<Option<PrincipalGraph>> {
    let noise = scatter.noise;
    let bend = scatter.bend(graph, sample);
    let mut gaps: Vec<Gap> =
        graph.tips().iter().filter_map(|&tip| gap_of(graph, tip, noise)).collect();
    gaps.sort_by(|a, b| a.width.total_cmp(&b.width));
    for Gap { tip, node, width } in gaps {
        let ends = [tip, node].map(|node| graph.nodes().row(node));
        if !judged.is_new(ends, noise) {
            continue;
        }
        let closed = respaced(&with_edge(graph, tip, node)?, scatter.spacing(graph, sample))?;
        let closed = refit(closed, sample, bend, ROUNDS)?;
        let center: Vec<f64> = ends[0].iter().zip(ends[1]).map(|(a, b)| 0.5 * (a + b)).collect();
        let vicinity = Vicinity { center: &center, radius: (0.6 * width).max(2.0 * noise) };
        let mixture = Mixture::new(&closed, sample, noise);
        let odds = emptiest(&closed, &mixture, sample, noise, Some(vicinity))
            .map_or(0.0, |found| found.odds);
        if odds > SUPPORTED || width < (NARROW * noise).max(NARROW_BENDS * bend) {
            return Ok(Some(closed));
        }
    }
    Ok(None)
}

/// The nearest node that a tip can be joined to; another tip if it is almost as near.
fn gap_of(graph: &PrincipalGraph, tip: usize, noise: f64) -> Option<Gap> {
    let along = graph.distances_from(tip);
    let width =
        |node: usize| squared_distance(graph.nodes().row(tip), graph.nodes().row(node)).sqrt();
    let closes = |&node: &usize| {
        let least = (LOOP_OF_GAP * width(node)).max(SHORTEST_LOOP * noise);
        node != tip && width(node) < FARTHEST * noise && along[node] >= least
    };
    let gap = |node: usize| Gap { tip, node, width: width(node) };
    let nearest = |is_tip: bool| {
        let nodes =
            (0..along.len()).filter(closes).filter(|&node| !is_tip || graph.degree(node) == 1);
        nodes.map(gap).min_by(|a, b| a.width.total_cmp(&b.width))
    };
    let any = nearest(false)?;
    let other_tip = nearest(true).filter(|tip| tip.width < 1.5 * any.width + 1.5 * noise);
    Some(other_tip.unwrap_or(any))
}
