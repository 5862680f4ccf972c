//! Features as functions on a learned graph: which change along it, and how.
//!
//! A feature is a function on the graph, linear along edges, so loops and branch points need no
//! special treatment and no point is assigned to a lineage. Bending is measured at every node as in
//! elastic graphs. One eigenproblem gives smooth functions that all features share; a test uses the
//! first few of them, a curve all of them with a penalty.
//!
//! The p-values hold where the graph does not depend on the tested features. Where it was learned
//! from them, they are too small (Neufeld2024).
//!
//! | entry | what it answers |
//! |---|---|
//! | [`Association`] | which features change along a graph, a path or a branch; their curves |
//! | [`ForkTest`] | which differ between the branches beyond a branch point, and from where on |
//! | [`Conditions`] | which differ between groups of samples, by permuting samples |
//! | [`fates`] | the probability of every tip |
//! | [`modules()`] | curves of the same shape |
//! | [`thin`] | counts in two independent halves: one to learn a graph from, one to test |
//!
//! # Choices
//!
//! - Bending is a second derivative per length, not per node, so that curves do not depend on how
//!   unevenly the nodes lie; where all edges have the same length, it is that of elastic graphs.
//! - A region has at most 400 knots; nodes of larger graphs between them are left out.
//! - The variance of counts is estimated by `Σ (y − m)² / Σ m`, taken at the sizes of the points that
//!   the test depends on, rather than by the mean of Pearson's squared residuals: where points differ
//!   in size, overdispersed counts vary most in large points, and tests with Pearson's estimate reject
//!   too often.

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
