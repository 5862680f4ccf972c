//! Elastic maps: nets of a given shape, bent into the points and softened step by step.
//! Gorban2009, "Elastic maps approach".
//!
//! Minimises over the nodes y of a net, in epochs with ever smaller factors m,
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + m λ Σ_{edges} ‖yₐ − y_b‖² + m μ Σ_{ribs} ‖y_c − (yₐ + y_b)/2‖²
//! ```
//!
//! where k(i) is the node nearest to point i and ribs are three nodes in a row, in each direction
//! of the grid. Where values are missing, distances and sums run over the known ones, and each
//! coordinate of a node is held by the points that know it.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends |
//! | m₁, …, m_p | `epochs` | factors of both, one epoch each |
//! | – | `trimming_radius` | R: points farther away do not pull |
//!
//! # Departures from the paper
//! - The data term is the mean square, not its root: only of that is the placement the minimiser.
//! - With `moduli = whole`, μ of each rib follows the number of ribs by the power (4−d)/d; the
//!   power (2−d)/d that is printed would let finer nets bend more.
//! - A sphere's edges are stiffer in the inverse ratio of their lengths on a round sphere; each of
//!   its poles wants to lie in the middle of all its neighbours.
//! - Between nodes the map is linear on segments, triangles and tetrahedra; beyond an open border
//!   it goes straight on for `margin` steps.
//!
//! # Rolled up sheets
//! A net begins on the linear principal manifold and bends from there. On a sheet rolled up in one turn
//! a rectangle follows the roll if it is soft and fine enough: with `stretching` 0.001, `bending`
//! 0.0001 and 200 nodes it leaves 0.6 % of the variance, where two principal components leave 26 %, and
//! no edge joins two layers. On one and a half turns (`midrib synth swiss-roll`) the same settings leave
//! 2 %, but the rectangle does not unroll: some of its edges (16 of 265 between nodes that have
//! points) lead from one layer to the next, since on the plane that it begins on the layers lie over one
//! another. Map such data along shorter parts, or by a method that begins with neighbours.

mod fit;
mod frame;
mod settings;
mod simplex;
mod surface;
#[cfg(test)]
mod tests;
mod words;

pub(super) use frame::Frame;
pub use settings::{ElasticMap, ModulusOf};
pub use surface::{Surface, SurfacePlaces};
pub use words::{Epochs, Sides};
