//! Simplification: the skeleton of a graph full of short cycles.

mod draft;
mod loops;
mod near;

use draft::Draft;
use loops::{CELL, Forest, spanned};
use near::Linked;

use super::PrincipalGraph;
use crate::error::{Error, Result};

/// The automatic minimum length of a loop, in multiples of the thickness.
const LOOP_THICKNESS: f64 = 8.0;
/// The automatic minimum reach of a tip, in multiples of the thickness.
const TIP_THICKNESS: f64 = 1.2;
/// The minimum length of an inner branch, in multiples of the minimum reach of a tip.
const INNER: f64 = 2.0;

/// A length in the units of the points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Length {
    /// Chosen from the thickness of the graph; see [`PrincipalGraph::simplify`].
    #[default]
    Auto,
    /// This length, at least 0.
    Fixed(f64),
}

/// What to remove from a graph to get its skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplify {
    /// Drop edges whose weight is less than this share of the largest, from 0 (none) to 1.
    pub drop_below: f64,
    /// Break cycles up to this length, and longer ones that are narrower than a twelfth of it.
    /// Automatic: 8 times the thickness.
    pub min_loop: Length,
    /// Remove terminal branches that stay within this distance of the rest of the graph, including
    /// those that run parallel to it; collapse inner branches shorter than twice this into one
    /// branch point. Automatic: 1.2 times the thickness.
    pub min_tip: Length,
    /// Whether to replace each branch by one edge, as far as no two edges connect the same nodes.
    pub merge_chains: bool,
}

impl Default for Simplify {
    /// Drops weights below 1e-5 of the largest, with automatic lengths and without merging chains.
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
    /// Checks that shares and lengths are in range.
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
    /// For each node of the skeleton, its index in the original graph.
    pub kept: Vec<usize>,
    /// The length up to which cycles were broken.
    pub min_loop: f64,
    /// The minimum distance of a tip from the rest of the graph.
    pub min_tip: f64,
}

impl PrincipalGraph {
    /// The skeleton of a graph full of short cycles, as one would draw it by hand.
    ///
    /// 1. Edges with hardly any weight are dropped.
    /// 2. The minimum spanning forest is kept and, among the other edges from the shortest to the
    ///    longest, those that close a loop. A loop is a cycle longer than `min_loop` that is not a
    ///    sum of short cycles. Nodes close to each other count as one, with or without an edge
    ///    between them: two parallel paths along one curve are not a loop, however far apart their
    ///    rungs are, and no path runs to the end of a curve and back.
    /// 3. Terminal branches that stay within `min_tip` of the rest are removed, shortest first.
    ///    Short inner branches are collapsed into one node: lines that cross meet in one branch
    ///    point of degree 4. Nodes of degree 2 that count as one without an edge between them are
    ///    merged.
    ///
    /// The *thickness*, which determines the automatic lengths, is the 90 % quantile of the lengths
    /// of redundant edges: edges outside the spanning forest whose nodes are connected in the
    /// forest by a path less than three times as long. A graph without redundant edges has
    /// thickness 0, so a tree, or a ring of five or more equal edges, does not change unless
    /// lengths are given. Nodes are close to each other within two thirds of the thickness, or
    /// a twelfth of `min_loop` if that is less.
    ///
    /// Nodes keep their positions. The mass of removed nodes is added to the nearest remaining node
    /// along the edges. Components are neither joined nor removed, but a component is split if it
    /// is only connected by dropped edges. The skeleton of a skeleton is the skeleton itself,
    /// unless chains are merged, which changes the lengths.
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
        // The rules may apply again after a removal, but the graph does not get thicker. Every
        // round that changes anything removes something or shortens the forest, so the loop
        // ends, and then no edge is redundant.
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

    /// One round; also returns the thickness, which is at most `thickest`.
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
