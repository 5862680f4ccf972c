//! Rows or distances to coordinates in few dimensions. Each embedding is a step before a fit, see
//! [`Transform`](crate::prepare::Transform), and a method in [`learn`](crate::learn).
//!
//! | file | embedding | new rows |
//! |---|---|---|
//! | `kernel_pca` | components of a centered kernel matrix; classical scaling of distances | Nyström |
//! | `metric_mds` | distances kept with the least stress | the least stress to the old rows |
//! | `isomap` | classical scaling of distances along the neighbor graph | Nyström |
//! | `lle` | the same barycentric weights as in the rows | barycentric weights |
//! | `eigenmap` | slowest modes of a random walk on the neighbor graph | Nyström |
//!
//! Matrices of N×N numbers occur up to 5,000 rows; beyond that landmarks stand for the rows.

mod barycenter;
mod centered;
mod eigenmap;
mod geodesic;
mod isomap;
mod kernel;
mod kernel_pca;
mod lle;
mod metric_mds;
mod neighbor_graph;
mod rule;
mod source;
mod step;
mod stress;

pub use eigenmap::Affinity;
pub(crate) use eigenmap::{Eigenmap, eigenmap};
pub(crate) use isomap::isomap;
pub(crate) use kernel_pca::{Kernel, KernelPca, kernel_pca};
pub(crate) use lle::lle;
pub(crate) use metric_mds::metric_mds;
pub use neighbor_graph::Pieces;
pub use rule::Rule;
pub(crate) use source::Source;
pub use step::{EmbedStep, StepName};

use crate::math::Matrix;

/// Up to this many rows a matrix of all pairs is stored.
pub(crate) const WHOLE: usize = 5000;
/// Rows that stand for the others where there are more.
const LANDMARKS: usize = 1000;

/// The defaults of the settings.
pub(crate) const COMPONENTS: usize = 2;
pub(crate) const NEIGHBORS: usize = 10;
pub(crate) const REG: f64 = 1e-3;
pub(crate) const MAX_ITER: usize = 300;
pub(crate) const TOL: f64 = 1e-6;

/// Rows in few dimensions.
#[derive(Debug)]
pub(crate) struct Embedded {
    /// One row per embedded row.
    pub coordinates: Matrix,
    /// The embedded rows, where others are in other pieces of the neighbor graph.
    pub kept: Option<Vec<usize>>,
    /// How new rows get their coordinates; none for distances.
    pub rule: Option<Rule>,
    /// What was chosen, by the name of its setting, in the caller's units.
    pub chosen: Option<(&'static str, f64)>,
    /// Sentences for the reader.
    pub notes: Vec<String>,
}
