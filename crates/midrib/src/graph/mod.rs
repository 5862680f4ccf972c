//! The learnt object and every question that one asks of it.

mod branches;
mod components;
mod cycles;
mod extend;
mod place;
mod principal_graph;
mod project;
mod simplify;
mod tips;

pub use branches::Branch;
pub use components::Components;
pub use cycles::Cycle;
pub use principal_graph::{Edge, PrincipalGraph};
pub use project::Projection;
pub use simplify::{Length, Simplified, Simplify};
pub use tips::{PrunedTips, TipRule};
