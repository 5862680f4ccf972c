//! Features as functions on a learned graph: which change along it, and how.
//!
//! A feature is a function on the graph, linear along edges, so loops and branch points need no
//! special treatment and no point is assigned to a lineage. Bending is measured at every node as in
//! elastic graphs. One eigenproblem gives smooth functions that all features share; a test uses the
//! first few of them, a curve all of them with a penalty.
//!
//! The p-values hold where the graph does not depend on the tested features. Where it was learned
//! from them, they are too small (Neufeld2024).
mod association;
mod basis;
mod conditions;
mod counts;
mod curve;
mod design;
mod discovery;
mod domain;
mod fates;
mod fork;
mod modules;
mod poisson;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod thin;

pub use association::{Along, Association, Noise, Status, Trend, Trends};
pub use conditions::{ConditionTrend, ConditionTrends, Conditions};
pub use curve::Curve;
pub use design::{Covariate, FTest};
pub use discovery::false_discovery_rates;
pub use domain::{Knots, Region};
pub use fates::{Fates, fates};
pub use fork::{ForkTest, ForkTrend, ForkTrends};
pub use modules::{Modules, modules};
pub use shape::{Direction, Shape};
pub use table::{FeatureTable, Layout, Numbers};
pub use thin::{Half, first_fraction, thin};
