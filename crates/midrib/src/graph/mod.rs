//! The learnt object and every question that one asks of it.

mod principal_graph;

pub use principal_graph::{Edge, PrincipalGraph};
