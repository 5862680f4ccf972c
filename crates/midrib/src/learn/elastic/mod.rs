//! Elastic principal curves, rings, trees and graphs, grown by a graph grammar. Gorban2009, sections 4
//! and 5.
//!
//! Minimizes over the nodes y and, at each growth step, over the possible changes of the graph
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + λ Σ_{edges} ‖yₐ − y_b‖² + μ Σ_{stars} ‖y_c − mean of leaves‖²
//! ```
//!
//! where k(i) is the node nearest to point i and every node with at least two neighbors is the center
//! of one star of all its neighbors. Distances and sums skip missing values: each coordinate of a
//! node depends on the points that have it. For the first graph, principal components fill them in.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends and unbalanced branches |
//! | – | `trimming_radius` | R: points farther away are ignored |
//! | grammar | `connect::Topology` | add a node, bisect an edge; remove a tip, contract an edge |
//! | – | `program` | the sequence of these that is repeated |
//!
//! # Departures from the paper
//! - The data term of (6) is the mean square, not its root: only then does the placement minimize it.
//!   It is part of the energy by which graphs are compared.
//! - Every change is placed until it converges, even by a fast search: after a few sweeps the best
//!   change is often far behind others (of 3,000 steps on 50 random sets, one in fourteen would have
//!   gone wrong if changes had been dropped that were behind by four times their last fall). A fast
//!   search is fast because it tracks points: bounds show that the nearest node of most points has
//!   not changed, so that sums change only where nodes moved. On the same points it takes the same
//!   change as an exact search, up to energies that are equal within rounding; a test compares 6,000
//!   steps on 100 random sets.
//! - While the graph grows, a placement ends at ten times `tol`. Of the same 6,000 steps, one in
//!   seventeen takes a change whose energy, placed to `tol`, is more than 0.1 % above the best one
//!   (0.02 % on average); the final trees have the same energy, in half the time. Afterwards `tol`
//!   itself applies.
//! - A fast search grows the graph on a sample of 50 points per node (at least 1,000), along the
//!   principal axes that hold 98 % of the variance, rounded up to a multiple of four, and then places
//!   it on all points in all columns. `search` = `exact` grows it on all points in all columns and
//!   reassigns all of them in each sweep.
//! - A tree with all its nodes is cut at each edge and rejoined where its halves are nearest, as long
//!   as that lowers the energy: the grammar alone cannot undo a wrong connection.
//! - `elastic-graph` grows a tree, then joins tips and cuts edges without points as long as that lowers
//!   the energy plus a price for each tip and each edge without points: springs alone would never
//!   close a loop. Whole paths of edges are tested for crossing a void (Kulldorff1997); components
//!   are rejoined if there is only a crack between them. In the end each component is learned again
//!   from the points nearest to it, with the same total number of nodes, distributed by length, and
//!   the result is taken if it lowers the penalized energy: nodes that used to bridge components
//!   become useful. This is skipped with a given start, a trimming radius, or a limit on steps or
//!   branch points, which apply to the whole graph.
//! - When graphs are compared, λ may grow with the order of a star (`branching_penalty`), and μ with a
//!   power of it (`star_exponent`), as in Albergante2020.
//!
//! # A given start
//! The graph may grow from given nodes with their edges ([`StartGraph`](super::StartGraph)). Single
//! edges may have their own λ and single nodes their own μ: both halves of a bisected edge keep its λ;
//! where two nodes are merged, the remaining one keeps its μ, or takes over that of the other, and all
//! edges keep their λ. Everything new, including an edge that moves a branch or closes a loop, has the
//! moduli of the settings. Pinned nodes are fixed in the placement; they are neither removed nor
//! merged.

mod components;
mod first_graph;
mod fit;
mod graph_settings;
mod growth;
mod growth_sample;
mod history;
mod join_or_cut;
mod line_settings;
mod moduli;
mod placement;
mod placer;
mod plan;
mod program;
mod recipe;
mod relearn;
mod rewire;
mod search;
mod settings;
mod steps;
mod subspace;
#[cfg(test)]
mod tests;
mod tidied;

pub use graph_settings::ElasticGraph;
pub use line_settings::{ElasticCurve, ElasticLine, ElasticRing, LineKind};
pub use program::Program;
pub use search::Search;
pub use settings::ElasticTree;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::Blocks;

/// What holds for every elastic graph.
const PROMISES: Promises = Promises { cost_falls: false, tree: false, ..Promises::ALL };

impl Method for ElasticTree {
    const NAME: &'static str = "elastic-tree";
    const CLASS: &'static str = "ElasticPrincipalTree";
    const SUMMARY: &'static str =
        "tree grown where it lowers its elastic energy; smooth branches, robust to outliers";
    const CITATION: &'static str = "Gorban2009, section 5";
    const STEP: &'static str = "step";
    const START_GRAPH: bool = true;
    const GAPS: bool = true;

    fn promises(&self) -> Promises {
        Promises { tree: true, ..PROMISES }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        self.search == Search::Exact
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        fit::fit(self, &self.recipe(), points, given, watch)
    }
}

impl<K: LineKind> Method for ElasticLine<K> {
    const NAME: &'static str = K::NAME;
    const CLASS: &'static str = K::CLASS;
    const SUMMARY: &'static str = K::SUMMARY;
    const CITATION: &'static str = "Gorban2009, section 5";
    const STEP: &'static str = "step";
    const START_GRAPH: bool = true;
    const GAPS: bool = true;

    fn promises(&self) -> Promises {
        Promises { tree: !K::CLOSED, ..PROMISES }
    }

    fn check(&self) -> Result<()> {
        self.recipe().check()
    }

    fn needs_all_rows(&self) -> bool {
        self.search == Search::Exact
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        fit::fit(self, &self.recipe(), points, given, watch)
    }
}

impl Method for ElasticGraph {
    const NAME: &'static str = "elastic-graph";
    const CLASS: &'static str = "ElasticPrincipalGraph";
    const SUMMARY: &'static str =
        "graph of smooth branches that finds the loops and components of the data";
    const CITATION: &'static str = "Gorban2009, section 5";
    const STEP: &'static str = "step";
    const START_GRAPH: bool = true;
    const GAPS: bool = true;

    fn promises(&self) -> Promises {
        // How certain it is that an edge has no points depends on the number of rows. On some points
        // rounding decides the last step: of points of seed 718 of the common suite, shifted by 57.
        Promises { weights_as_repeats: false, rigid_motions: false, scaling: false, ..PROMISES }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        self.search == Search::Exact
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        fit::fit(self, &self.recipe(), points, given, watch)
    }
}
