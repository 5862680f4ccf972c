//! The bootstrap: which parts of a graph are learned again from resampled points.
//!
//! A *replica* is fitted by the same method, with the same resolved settings, to as many points,
//! drawn with replacement. A point drawn several times has that weight; a method without weights
//! uses each drawn point once. What all replicas have in common does not depend on single points.
//!
//! # Support
//!
//! The support of an edge is the share of the replicas that contain it. A replica contains an edge
//! if its graph passes every test position along the edge within the *radius*. The radius is the
//! 75 % quantile of the distances from the points to the learned graph, but at least a tenth of the
//! median edge length, since a graph of straight edges has no finer resolution. So support has no
//! units, and outliers do not change it.
//!
//! Two rules apply to terminal branches, which end in a tip:
//!
//! - How far a tip reaches depends on the last few points. The last stretch before a tip, a quarter
//!   of the branch but at most four times the radius, has no test positions; the start of this
//!   stretch, the *landmark*, represents it.
//! - A twig that no replica has must not borrow support from a branch next to it. A replica must
//!   pass the landmark within a third of its distance from the rest of the learned graph, if that is
//!   less than the radius. All edges of the branch require the landmark.
//!
//! The support of a branch is the mean over its length ([`Branch::support`]): the share of it that
//! one can expect to find again. The minimum over its edges would depend mostly on the branch
//! points, which move along the branches from replica to replica.
//!
//! # Spread of pseudotime
//!
//! In a replica, pseudotime starts at the projection of the root. The spread of a point is the
//! standard deviation of its pseudotime over the replicas in which it is reachable.
//!
//! [`Branch::support`]: crate::graph::Branch::support

mod counts;
mod draw;
mod learn;
mod pseudotime;
mod support;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use counts::Counts;
use learn::Plan;

use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::{Entry, Given};
use crate::observe::Observer;
use crate::points::Points;

/// How points are resampled.
///
/// ```
/// use midrib::Silent;
/// use midrib::learn::{Given, method};
/// use midrib::synth::{Shape, Synth};
/// use midrib::tune::Bootstrap;
///
/// let shape = Shape::Tree { branch_points: 1 };
/// let points = Synth { shape, n: 300, dims: 2, noise: 0.03, seed: 1 }.generate()?.points;
/// let ppt = method("ppt")?;
/// let configured = ppt.parse(&serde_json::json!({}))?;
/// let fitted = configured.fit(&points, Given::default(), &mut Silent)?;
///
/// let settled = configured.settled(&fitted.chosen());
/// let bootstrap = Bootstrap { replicas: 10, seed: 0 };
/// let replicas = bootstrap.learn(ppt, &settled, &points, Given::default(), &mut Silent)?;
/// let graph = fitted.graph()?;
/// let support = replicas.support(graph, &points, &graph.project(&points)?)?;
/// assert!(graph.branches().iter().all(|branch| branch.support(graph, &support) >= Some(0.8)));
/// assert_eq!(replicas.tally(|counts| counts.tips)[0].0, 3);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// The number of replicas.
    pub replicas: usize,
    /// The seed of the draws.
    pub seed: u64,
}

impl Default for Bootstrap {
    /// 100 replicas.
    fn default() -> Self {
        Self { replicas: 100, seed: 0 }
    }
}

impl Bootstrap {
    /// Checks that the settings are in range.
    pub fn check(&self) -> Result<()> {
        match self.replicas {
            0 => Err(Error::setting("replicas", 0, "must be at least 1")),
            _ => Ok(()),
        }
    }

    /// Fits the replicas with a method, its resolved settings (see
    /// [`Configured::settled`](crate::learn::Configured::settled)) and what the
    /// fit was given: links and pairs between points that are drawn, and starting nodes. They are
    /// the same for any number of threads.
    ///
    /// If the observer stops the run, the finished replicas are kept; it is an error if there are
    /// none.
    pub fn learn(
        &self,
        entry: &Entry,
        settings: &Value,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Replicas> {
        self.check()?;
        entry.parse(settings)?;
        let Self { replicas, seed } = *self;
        let plan = Plan { replicas, seed, entry, settings, points, given };
        let finished = learn::replicas(&plan, watch)?;
        if finished.is_empty() {
            return Err(Error::Interrupted("stopped before the first replica was finished".into()));
        }
        let (graphs, counts) = finished.into_iter().unzip();
        Ok(Replicas { graphs, counts })
    }
}

/// Graphs learned from resampled points.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicas {
    /// The graph of each finished replica.
    pub graphs: Vec<PrincipalGraph>,
    /// The counts of each graph.
    pub counts: Vec<Counts>,
}

impl Replicas {
    /// The number of replicas with each count, most frequent first; ties go to the smaller count.
    /// Entries are `(count, replicas)`.
    pub fn tally(&self, of: impl Fn(&Counts) -> usize) -> Vec<(usize, usize)> {
        let mut found = std::collections::BTreeMap::new();
        for counts in &self.counts {
            *found.entry(of(counts)).or_insert(0) += 1;
        }
        let mut tally: Vec<(usize, usize)> = found.into_iter().collect();
        tally.sort_by_key(|&(_, replicas)| std::cmp::Reverse(replicas));
        tally
    }
}
