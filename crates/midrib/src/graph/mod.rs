//! The principal graph and the operations on it.

mod add_tips;
mod branches;
mod collapse;
mod components;
mod cycles;
mod empty;
mod extend;
mod geodesic;
mod join;
mod layout;
mod length;
mod members;
mod milestones;
mod network;
mod paths;
mod principal_graph;
mod project;
mod projector;
mod prune;
#[cfg(test)]
mod random;
mod rooted;
mod sieve;
mod simplify;
mod tip_means;
mod tips;
mod to_segment;

pub use add_tips::NewTip;
pub use branches::Branch;
pub use collapse::BridgeRule;
pub use components::Components;
pub use cycles::Cycle;
pub use empty::WithoutEmpty;
pub use join::JoinRule;
pub use layout::{Dendrogram, MetroMap};
pub use milestones::{BranchPosition, Milestones};
pub use network::{MilestoneNetwork, NetworkLink};
pub use paths::{AlongPath, Path};
pub use principal_graph::{Edge, PrincipalGraph};
pub use project::Projection;
pub(crate) use projector::Projector;
pub use prune::Pruned;
pub use rooted::{Lineage, OnLineage, Rooted};
pub use simplify::{Length, Simplified, Simplify};
pub use tip_means::TipMean;
pub use tips::{PrunedTips, TipRule};
