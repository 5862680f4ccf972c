//! Points to groups: by the spectrum of a graph of them, or by the parts of a principal graph.

mod branches;
mod components;
mod spectral;

pub use branches::branches;
pub use components::components;
pub use spectral::{ClusterCount, RowScale, Spectral, SpectralClusters, spectral};
