//! Elastic principal curves, rings, trees and graphs, grown by a graph grammar. Gorban2009, sections 4
//! and 5.
//!
//! Minimises over the nodes y, at each step of the growth also over the ways to change the graph,
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + λ Σ_{edges} ‖yₐ − y_b‖² + μ Σ_{stars} ‖y_c − mean of leaves‖²
//! ```
//!
//! where k(i) is the node nearest to point i and every node with two neighbours or more is the
//! center of one star of all its neighbours. Where values are missing, distances and sums run over
//! the known ones, and each coordinate of a node is held by the points that know it; a graph begins
//! on the principal axes of what principal components fill in.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends, and branches that are not balanced |
//! | – | `trimming_radius` | R: points farther away do not pull |
//! | grammar | `connect::Topology` | add a node, bisect an edge; remove a leaf, contract an edge |
//! | – | `program` | the order of these, again and again |
//!
//! # Departures from the paper
//! - The data term of (6) is the mean square, not its root: only of that is the placement the
//!   minimiser. It is part of the energy by which graphs are compared.
//! - Every change is placed until it rests, by a fast search too: after one or a few sweeps the best
//!   change often is far behind others (of 3,000 steps on 50 random sets, one in fourteen would have
//!   gone wrong had those been given up that were behind by four times their last fall). What makes
//!   it fast is that points are followed: bounds tell of most that their nearest node is the same, so
//!   that sums change only where nodes moved. Hence on the same points a fast search takes the same
//!   change as one that compares every point with every node, up to changes whose energies are equal
//!   within rounding; a test compares 6,000 steps on 100 random sets.
//! - While the graph grows, by a fast or an exact search, a placement rests at ten times `tol`. Of the
//!   same 6,000 steps one in seventeen takes a change whose energy, placed to `tol`, is more than 0.1 %
//!   above that of the best (0.02 % on average); trees that are grown so have the same energy in
//!   the end, in half the time. Afterwards `tol` itself holds.
//! - A fast search grows the graph on a sample of 50 points for each node (1,000 at least), along the
//!   principal axes that hold 98 % of the variance and up to three more, to a multiple of four, and
//!   then places it on all points in all columns.
//!   `search` = `exact` grows it on all points in all columns, and looks at all of them in each sweep.
//! - A tree that has all its nodes is cut at each edge and joined again where its parts are nearest
//!   otherwise, as long as that lowers the energy: the grammar alone cannot undo a wrong join.
//! - `elastic-graph` grows a tree, then joins open ends and cuts edges without points as long as
//!   that lowers the energy plus a price for each open end and each edge without points: with the
//!   springs alone, no loop would ever pay. Whole ways of edges are found to lead through a void
//!   (Kulldorff1997); components are joined again where only a crack lies between them. In the end
//!   the components are learnt anew, each from the points nearest to it, with as many nodes in all,
//!   shared out by length, and taken if together they lower the penalised energy: nodes that once led
//!   from one to the other are then of use. Not so with a given start, a trimming radius, or a ceiling
//!   of steps or branch points, which are of the whole graph.
//! - λ may grow with the order of a star (`branching_penalty`), and μ with its power
//!   (`star_exponent`), where graphs are compared, as in Albergante2020.
//!
//! # A given start
//! The growth may begin from given nodes with their edges ([`StartGraph`](super::StartGraph)). Single
//! edges may have a λ, single nodes a μ of their own: the two halves of a bisected edge both have that
//! of the edge; where two nodes are merged, the one that stays keeps its μ, or else takes over that
//! of the other, and all edges keep their λ. Whatever is new, an edge that joins parts elsewhere or
//! closes a loop included, has those of the settings. Pinned nodes are known values of the
//! placement; they are neither removed nor merged.

mod ends;
mod fit;
mod frame;
mod graph;
mod grow;
mod learner;
mod moduli;
mod parts;
mod program;
mod record;
mod sample;
mod settings;
mod start;
mod subspace;
#[cfg(test)]
mod tests;

pub use graph::ElasticGraph;
pub use program::Program;
pub use settings::{ElasticCurve, ElasticLine, ElasticRing, ElasticTree, LineKind, Search};
