//! Settings of automatic graphs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A graph whose structure follows from the points: a curve, ring, tree or graph with loops, in one or
/// several components.
///
/// It is read from at most 3,000 points, in time that does not depend on the number of points, and
/// takes all points in memory for their final positions.
///
/// ```
/// use midrib::Silent;
/// use midrib::learn::{AutoGraph, Given, Method};
/// use midrib::synth::{Shape, Synth};
/// let ring = Synth { shape: Shape::Circle, n: 400, dims: 2, noise: 0.05, seed: 1 }.generate()?;
/// let fit = AutoGraph::default().fit(&ring.points, Given::default(), &mut Silent)?;
/// assert_eq!((fit.graph()?.loops(), fit.graph()?.tips().len()), (1, 0));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AutoGraph {
    /// Seed of the starting nodes.
    pub seed: u64,
}
