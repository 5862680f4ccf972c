//! The learnt object and every question that one asks of it.

mod branches;
mod collapse;
mod components;
mod cycles;
mod empty;
mod ends;
mod extend;
mod geodesic;
mod layout;
mod leaves;
mod milestones;
mod network;
mod new_paths;
mod paths;
mod place;
mod principal_graph;
mod project;
mod prune;
#[cfg(test)]
mod random;
mod rooted;
mod simplify;
mod tips;

pub use branches::Branch;
pub use collapse::BridgeRule;
pub use components::Components;
pub use cycles::Cycle;
pub use empty::WithoutEmpty;
pub use ends::EndMean;
pub use layout::{Dendrogram, MetroMap};
pub use leaves::LeafEnd;
pub use milestones::{Milestones, OnBranch};
pub use network::{MilestoneNetwork, NetworkLink};
pub use new_paths::JoinRule;
pub use paths::{AlongPath, Path};
pub(crate) use place::PlaceFinder;
pub use principal_graph::{Edge, PrincipalGraph};
pub use project::Projection;
pub use prune::Pruned;
pub use rooted::{Lineage, OnLineage, Rooted};
pub use simplify::{Length, Simplified, Simplify};
pub use tips::{PrunedTips, TipRule};
