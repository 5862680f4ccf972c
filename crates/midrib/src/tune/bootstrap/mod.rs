//! The bootstrap: which parts of a graph are learnt again from resampled points.
//!
//! A *replica* is what the same method learns, with the same settled settings, from as many points
//! drawn from the points with replacement. Points drawn several times weigh as much; a method that
//! knows no weights learns from those that were drawn at all. What all replicas have in common is
//! not owed to single points.
//!
//! # Support
//!
//! The support of an edge is the share of the replicas that hold it. A replica holds an edge if its
//! graph passes every place asked about along the edge within the *radius*: the distance from the
//! learnt graph that three quarters of the points do not exceed, and no less than a tenth of the
//! median length of its edges, since a graph of straight edges tells no finer. So support has no
//! units, and points far off do not change it.
//!
//! Two rules are for terminal branches, which end in a tip:
//!
//! - How far a tip reaches depends on the last few points. The last stretch before a tip, a quarter
//!   of the branch but no more than four times the radius, is not asked about; the place where it
//!   begins, the *landmark*, stands for it.
//! - A twig that no replica has must not borrow support from the trunk beside it. The landmark must
//!   be passed within a third of its distance from the rest of the learnt graph, if that is less
//!   than the radius: the trunk is three times as far. All edges of the branch need the landmark, as
//!   there is no branch without it.
//!
//! The support of a branch is the mean over its length ([`Branch::support`]): how much of it one may
//! expect to find again. The least over its edges would tell of the joints, which move along the
//! branches from replica to replica, more than of the branch.
//!
//! # Spread of pseudotime
//!
//! In a replica, time is counted from the place on it that is nearest to the root. A point's spread
//! is the standard deviation of its times over the replicas that reach it.
//!
//! [`Branch::support`]: crate::graph::Branch::support

mod draw;
mod learn;
mod pseudotime;
mod support;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, Simplify};
use crate::learn::{Entry, Fitted};
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
/// let fitted = ppt.fit(&serde_json::json!({}), &points, Given::default(), &mut Silent)?;
///
/// let settled = ppt.settled(&fitted.settings, &fitted.chosen())?;
/// let bootstrap = Bootstrap { replicas: 10, seed: 0 };
/// let replicas = bootstrap.learn(ppt, &settled, &points, &mut Silent)?;
/// let graph = &fitted.graph;
/// let support = replicas.support(graph, &points, &graph.project(&points)?)?;
/// assert!(graph.branches().iter().all(|branch| branch.support(graph, &support) >= Some(0.8)));
/// assert_eq!(replicas.tally(|counts| counts.tips)[0].0, 3);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// How many replicas are learnt.
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
    /// Refuses numbers that cannot be meant.
    pub fn check(&self) -> Result<()> {
        match self.replicas {
            0 => Err(Error::setting("replicas", 0, "must be at least 1")),
            _ => Ok(()),
        }
    }

    /// Learns the replicas with a method and its settled settings, see [`Entry::settled`]. They are
    /// the same for any number of threads.
    ///
    /// If the observer asks for a stop, the replicas that are finished are kept; with none of them
    /// that is an error.
    pub fn learn(
        &self,
        entry: &Entry,
        settings: &Value,
        points: &Points<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Replicas> {
        self.check()?;
        entry.check(settings)?;
        let finished = learn::replicas(self, entry, settings, points, watch)?;
        if finished.is_empty() {
            return Err(Error::Interrupted("stopped before the first replica was learnt".into()));
        }
        let (graphs, counts) = finished.into_iter().unzip();
        Ok(Replicas { graphs, counts })
    }
}

/// What was learnt from resampled points.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicas {
    /// The graph of each finished replica.
    pub graphs: Vec<PrincipalGraph>,
    /// What each of them has.
    pub counts: Vec<Counts>,
}

/// What there is to count in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The nodes with one edge.
    pub tips: usize,
    /// The nodes with three or more edges.
    pub branch_points: usize,
    /// The independent loops.
    pub loops: usize,
    /// The connected components.
    pub components: usize,
}

impl Counts {
    /// The counts of a fit; of its skeleton, if it has cycles that belong to no net.
    fn of(fitted: &Fitted) -> Result<Self> {
        let graph = &fitted.graph;
        if graph.loops() == 0 || fitted.surface()?.is_some() {
            return Ok(Self::of_graph(graph));
        }
        Ok(Self::of_graph(&graph.simplify(&Simplify::default())?.graph))
    }

    fn of_graph(graph: &PrincipalGraph) -> Self {
        Self {
            tips: graph.tips().len(),
            branch_points: graph.branch_points().len(),
            loops: graph.loops(),
            components: graph.components().count,
        }
    }
}

impl Replicas {
    /// How many replicas have each number of something, the most frequent first; of equally
    /// frequent numbers the smaller.
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
