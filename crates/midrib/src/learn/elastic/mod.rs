//! Elastic principal curves, rings and trees, grown by a graph grammar. Gorban2009, sections 4
//! and 5.
//!
//! Minimises over the nodes y, at each step of the growth also over the ways to change the graph,
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + λ Σ_{edges} ‖yₐ − y_b‖² + μ Σ_{stars} ‖y_c − mean of leaves‖²
//! ```
//!
//! where k(i) is the node nearest to point i and every node with two neighbours or more is the
//! center of one star of all its neighbours.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends, and branches that are not balanced |
//! | – | `trimming_radius` | R: points farther away do not pull |
//! | grammar | `connect::Topology` | add a node, bisect an edge; remove a leaf, contract an edge |
//!
//! # Departures from the paper
//! - The data term of (6) is the mean square, not its root: only of that is the placement the
//!   minimiser. It is part of the energy by which graphs are compared.
//! - Not every change of the graph is placed to the end: all are compared after one placement over
//!   a sample, and the best of them are placed in full (`search`). `exact` does it for all.
//! - More than 20,000 points: the graph grows on a sample, and is then placed on all.
//! - λ may grow with the order of a star (`branching_penalty`), and μ with its power
//!   (`star_exponent`), where graphs are compared, as in Albergante2020.

mod fit;
mod grow;
mod moduli;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{ElasticCurve, ElasticLine, ElasticRing, ElasticTree, LineKind, Search};
