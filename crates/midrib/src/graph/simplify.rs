//! Simplifying: the skeleton of a graph full of short cycles.

mod draft;
mod loops;
mod near;

use draft::Draft;
use loops::{CELL, Forest, spanned};
use near::Linked;

use super::PrincipalGraph;
use crate::error::{Error, Result};

/// No automatic loop is shorter than this many times the thickness, ...
const LOOP_THICKNESS: f64 = 8.0;
/// ... and no automatic tip reaches less far than this many times.
const TIP_THICKNESS: f64 = 1.2;
/// An inner branch is at least this many times as long as the least tip.
const INNER: f64 = 2.0;

/// A length in the units of the points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Length {
    /// From the thickness of the graph; see [`PrincipalGraph::simplify`].
    #[default]
    Auto,
    /// This length, at least 0.
    Fixed(f64),
}

/// What a skeleton leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplify {
    /// Edges are dropped if they weigh less than this share of the heaviest, from 0 (none) to 1.
    pub drop_below: f64,
    /// Cycles up to this length are broken; also longer ones that are narrower than a twelfth of
    /// it. Automatic: 8 times the thickness.
    pub min_loop: Length,
    /// Terminal branches are removed if no part of them is this far from the rest, so also those
    /// that run beside it; inner branches shorter than twice this become one branch point.
    /// Automatic: 1.2 times the thickness.
    pub min_tip: Length,
    /// Whether each branch becomes one edge, as far as no two edges come to join the same nodes.
    pub merge_chains: bool,
}

impl Default for Simplify {
    /// Weights of at least 1e-5 of the largest, automatic lengths, chains not merged.
    fn default() -> Self {
        Self {
            drop_below: 1e-5,
            min_loop: Length::Auto,
            min_tip: Length::Auto,
            merge_chains: false,
        }
    }
}

impl Simplify {
    /// Refuses shares and lengths that cannot be meant.
    pub fn check(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.drop_below) {
            return Err(Error::setting("drop_below", self.drop_below, "must be between 0 and 1"));
        }
        for (name, length) in [("min_loop", self.min_loop), ("min_tip", self.min_tip)] {
            if let Length::Fixed(length) = length
                && !(length >= 0.0 && length.is_finite())
            {
                return Err(Error::setting(name, length, "must be at least 0"));
            }
        }
        Ok(())
    }
}

/// A graph without short cycles and twigs.
#[derive(Clone, Debug)]
pub struct Simplified {
    /// The skeleton.
    pub graph: PrincipalGraph,
    /// For each of its nodes the number in the graph before.
    pub kept: Vec<usize>,
    /// The length up to which cycles were broken.
    pub min_loop: f64,
    /// How far from the rest a tip had to be.
    pub min_tip: f64,
}

impl PrincipalGraph {
    /// The skeleton of a graph full of short cycles: what one would draw along it.
    ///
    /// 1. Edges of hardly any weight go.
    /// 2. The shortest spanning forest stays, and of the other edges, from the shortest on, those
    ///    that close a loop. A loop is a cycle longer than `min_loop` that short cycles do not
    ///    fill. Nodes near to each other count as one, joined or not: two parallel ways along one
    ///    curve are no loop, however far apart their rungs are, and no way runs out to the end of
    ///    a curve and back.
    /// 3. Terminal branches that keep within `min_tip` of the rest go, the shortest first. Short
    ///    inner branches become one node: lines that cross meet in one branch point of degree 4.
    ///    Ordinary nodes that count as one although no edge joined them become one of them.
    ///
    /// The *thickness*, from which automatic lengths are made, is what 90 % of the redundant
    /// edges do not exceed: those outside the spanning forest whose ends are joined in it by a
    /// way less than three times as long. A graph without such edges has none, so a tree, or a
    /// ring of five or more even edges, stays as it is unless lengths are given. Nodes are near to
    /// each other within two thirds of the thickness, or a twelfth of `min_loop` if that is less.
    ///
    /// Nodes stay in place. The mass of those that go is added to the nearest one that stays,
    /// along the edges. Components are neither joined nor lost, but a component that hangs
    /// together by dropped edges only falls apart. The skeleton of a skeleton is itself, unless
    /// its chains were merged: that changes the lengths.
    ///
    /// ```
    /// use midrib::graph::{PrincipalGraph, Simplify};
    /// use midrib::math::Matrix;
    /// // A ring of 40 nodes, each joined to the next and the one after it.
    /// let angle = |i: usize| std::f64::consts::TAU * i as f64 / 40.0;
    /// let nodes: Vec<_> = (0..40).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    /// let edges: Vec<_> =
    ///     (0..40).flat_map(|i| [(i, (i + 1) % 40, 1.0), (i, (i + 2) % 40, 0.5)]).collect();
    /// let raw = PrincipalGraph::new(Matrix::from_rows(&nodes)?, &edges, vec![1.0; 40])?;
    /// assert_eq!(raw.loops(), 41);
    /// let skeleton = raw.simplify(&Simplify::default())?.graph;
    /// assert_eq!((skeleton.loops(), skeleton.branch_points().len()), (1, 0));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn simplify(&self, settings: &Simplify) -> Result<Simplified> {
        settings.check()?;
        let (mut done, thickness) = self.simplify_once(settings, f64::INFINITY)?;
        // What one removal leaves may fall to the rules in turn, but the graph does not grow
        // thicker by it. Every round that changes anything removes something, or makes the
        // forest shorter, so there is an end; then no edge is redundant.
        loop {
            let (next, _) = done.graph.simplify_once(settings, thickness)?;
            if next.graph == done.graph {
                break;
            }
            let kept = next.kept.iter().map(|&node| done.kept[node]).collect();
            done = Simplified { graph: next.graph, kept, ..done };
        }
        if settings.merge_chains {
            let mut draft = Draft::of(&done.graph, |_| true);
            draft.merge_chains();
            let (graph, kept) = draft.finish(&done.graph)?;
            let kept = kept.iter().map(|&node| done.kept[node]).collect();
            done = Simplified { graph, kept, ..done };
        }
        Ok(done)
    }

    /// One round; also the thickness, which is at most `thickest`.
    fn simplify_once(&self, settings: &Simplify, thickest: f64) -> Result<(Simplified, f64)> {
        let heaviest = self.edges().iter().map(|edge| edge.weight).fold(0.0, f64::max);
        let heavy =
            self.edges_where(|edge| self.edges()[edge].weight >= settings.drop_below * heaviest);
        let forest = Forest::new(self, &heavy);
        let thickness = forest.thickness(self, settings.min_loop).min(thickest);
        let resolve = |length, times: f64| match length {
            Length::Fixed(length) => length,
            Length::Auto => times * thickness,
        };
        let min_loop = resolve(settings.min_loop, LOOP_THICKNESS);
        let min_tip = resolve(settings.min_tip, TIP_THICKNESS);
        let reach = CELL * min_loop.min(LOOP_THICKNESS * thickness);
        let Linked { graph, edges, links } = Linked::new(self, &heavy, &forest, reach)?;
        let even = settings.min_loop == Length::Auto;
        let keep = spanned(&graph, &edges, &links, min_loop, even);
        let mut draft = Draft::of(&graph, |edge| keep[edge]);
        draft.prune(min_tip);
        draft.contract(INNER * min_tip);
        let ends = |&link: &usize| (graph.edges()[link].a, graph.edges()[link].b);
        draft.merge(links.iter().map(ends), reach);
        let (graph, kept) = draft.finish(&graph)?;
        Ok((Simplified { graph, kept, min_loop, min_tip }, thickness))
    }

    fn edges_where(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.edges().len()).filter(|&edge| wanted(edge)).collect()
    }
}

#[cfg(test)]
mod tests;
