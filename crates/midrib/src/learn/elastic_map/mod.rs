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
