//! Clustering: spectral clustering of a graph of points, or by the branches or components of
//! a principal graph.

mod branches;
mod components;
mod spectral;

pub use branches::branches;
pub use components::components;
pub use spectral::{ClusterCount, RowScale, Spectral, SpectralClusters, spectral};
