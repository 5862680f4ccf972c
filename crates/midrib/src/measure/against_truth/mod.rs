//! How near a learnt graph comes to a known truth, by the measures of dyneval (Saelens2019).
//!
//! | measure | here |
//! |---|---|
//! | correlation | Spearman's, of the distances between points along both networks; negative is 0 |
//! | HIM | 1 − Hamming-Ipsen-Mikhailov distance of the networks, chains contracted, weighted by length |
//! | F1 of branches | how well the points' branches agree |
//! | F1 of milestones | how well the points' nearest milestones agree |
//! | topology | whether the networks are the same but for lengths, chains contracted |
//!
//! # Departures from dyneval
//!
//! - The Hamming part of HIM depends on the order of the milestones, which dyneval takes from their
//!   names; here it is the order for which the two networks differ least.
//! - Branches that join the same milestones stay whole; dyneval cuts all but one of them in two.
//! - The correlation is over all points where these are few, else from every so-many-th point to
//!   all; dyneval draws a hundred at random.
//! - The topology is that of the undirected networks.

mod contract;
mod him;
mod network;

use std::collections::BTreeMap;

use super::Trajectory;
use crate::error::{Error, Result};
use contract::contracted;
use him::him;
use network::Network;

/// So many distances go into the correlation, if there are as many.
const DISTANCES: usize = 4_000_000;
/// The correlation starts from at least so many points.
const FEWEST_STARTS: usize = 10;

/// How near a network comes to the true one; all but the topology from 0 to 1, the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The rank correlation of the distances between points along the networks.
    pub correlation: f64,
    /// 1 − Hamming-Ipsen-Mikhailov distance of the networks.
    pub him: f64,
    /// How well branches are recovered.
    pub branches: Mapping,
    /// How well milestones are recovered.
    pub milestones: Mapping,
    /// Whether the networks are the same but for lengths.
    pub same_topology: bool,
}

/// How well the groups of one division of the points are found again in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// The mean over true groups of the best overlap (Jaccard index) with a found one.
    pub recovery: f64,
    /// The mean over found groups of the best overlap with a true one.
    pub relevance: f64,
}

impl Mapping {
    /// The harmonic mean of recovery and relevance.
    pub fn f1(&self) -> f64 {
        2.0 / (1.0 / self.recovery + 1.0 / self.relevance)
    }

    fn of(truth: &[usize], found: &[usize]) -> Self {
        let mut sizes = [BTreeMap::new(), BTreeMap::new()];
        let mut common: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (&t, &f) in truth.iter().zip(found) {
            *sizes[0].entry(t).or_insert(0_usize) += 1;
            *sizes[1].entry(f).or_insert(0_usize) += 1;
            *common.entry((t, f)).or_default() += 1;
        }
        let mut best = [BTreeMap::new(), BTreeMap::new()];
        for (&(t, f), &both) in &common {
            let jaccard = both as f64 / (sizes[0][&t] + sizes[1][&f] - both) as f64;
            for (best, group) in best.iter_mut().zip([t, f]) {
                let best = best.entry(group).or_insert(0.0_f64);
                *best = best.max(jaccard);
            }
        }
        let [recovery, relevance] = best.map(|best| best.values().sum::<f64>() / best.len() as f64);
        Self { recovery, relevance }
    }
}

/// Compares a learnt network with the true one, for the same points in the same order.
///
/// ```
/// use midrib::measure::{Trajectory, against_truth};
/// use midrib::synth::{Shape, Synth};
/// let shape = Shape::Tree { branch_points: 1 };
/// let data = Synth { shape, n: 300, dims: 2, noise: 0.02, seed: 1 }.generate()?;
/// let truth = Trajectory::of(&data.truth, &data.truth.project(&data.points)?)?;
/// let same = against_truth(&truth, &truth)?;
/// assert!((same.correlation - 1.0).abs() < 1e-12 && same.same_topology);
/// assert_eq!((same.branches.f1(), same.milestones.f1()), (1.0, 1.0));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn against_truth(found: &Trajectory, truth: &Trajectory) -> Result<Agreement> {
    if found.len() != truth.len() {
        return Err(Error::shape("points of the learnt network", truth.len(), found.len()));
    }
    if truth.len() < 2 {
        return Err(Error::data("there are fewer than two points to compare"));
    }
    let networks = [Network::of(found), Network::of(truth)];
    let [one, other] = [found, truth].map(simplified);
    Ok(Agreement {
        correlation: correlation(found, truth),
        him: him(&networks[0], &networks[1])?,
        branches: Mapping::of(&branches(&other), &branches(&one)),
        milestones: Mapping::of(&milestones(&other), &milestones(&one)),
        same_topology: networks[0].is_isomorphic(&networks[1]),
    })
}

/// The network in which branches and milestones are counted: milestones stay where a point is
/// between links, or where directed links do not lead straight on.
fn simplified(trajectory: &Trajectory) -> Trajectory {
    let links = trajectory.links();
    let mut keep = vec![false; trajectory.n_milestones()];
    for point in (0..trajectory.len()).map(|i| trajectory.point(i)).filter(|p| p.len() > 1) {
        for share in point {
            keep[links[share.link].from] = true;
            keep[links[share.link].to] = true;
        }
    }
    contracted(trajectory, links.iter().any(|link| link.directed), &keep)
}

/// The link on which each point has come farthest.
fn branches(trajectory: &Trajectory) -> Vec<usize> {
    let farthest = |i: usize| {
        let mut best = trajectory.point(i)[0];
        for share in trajectory.point(i) {
            if share.share > best.share {
                best = *share;
            }
        }
        best.link
    };
    (0..trajectory.len()).map(farthest).collect()
}

/// The milestone that each point is nearest to, by shares.
fn milestones(trajectory: &Trajectory) -> Vec<usize> {
    let nearest = |i: usize| {
        let point = trajectory.point(i);
        let links = trajectory.links();
        let begun: f64 = point.iter().map(|share| share.share).sum();
        let mut best = (links[point[0].link].from, 1.0 - begun);
        for share in point {
            if share.share > best.1 {
                best = (links[share.link].to, share.share);
            }
        }
        best.0
    };
    (0..trajectory.len()).map(nearest).collect()
}

/// Spearman's rank correlation of distances; points without a way between them are farthest.
fn correlation(one: &Trajectory, other: &Trajectory) -> f64 {
    let n = one.len();
    let starts = (DISTANCES / n).max(FEWEST_STARTS).min(n);
    let distances = [one, other].map(|trajectory| {
        let distances = trajectory.distances();
        let from = (0..starts).flat_map(|k| distances.from_point(k * n / starts));
        from.map(|d| d.min(f64::MAX)).collect::<Vec<f64>>()
    });
    let [a, b] = distances.map(|distances| ranks(&distances));
    // The mean of the ranks does not depend on ties.
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    let spread = (product(&a, &a) * product(&b, &b)).sqrt();
    if spread > 0.0 { (product(&a, &b) / spread).clamp(0.0, 1.0) } else { 0.0 }
}

/// The rank of each value, counted from 1; equal ones share theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = start as f64 + (equal.len() as f64 + 1.0) / 2.0;
        for &i in equal {
            ranks[i] = rank;
        }
        start += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Link, Share};

    fn link(from: usize, to: usize, length: f64) -> Link {
        Link { from, to, length, directed: true }
    }

    fn along(links: Vec<Link>, n: usize, shares: &[(usize, f64)]) -> Trajectory {
        let points: Vec<_> =
            shares.iter().map(|&(link, share)| vec![Share { link, share }]).collect();
        Trajectory::new(n, links, &points).unwrap()
    }

    #[test]
    fn ranks_are_shared_by_equal_values() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    #[test]
    fn overlaps_are_averaged_both_ways() {
        // Worked by hand: groups {0, 1, 2, 3}, {4, 5} against {0, 1}, {2, 3, 4, 5}.
        let mapping = Mapping::of(&[0, 0, 0, 0, 1, 1], &[7, 7, 8, 8, 8, 8]);
        assert_eq!(mapping.recovery, (0.5 + 0.5) / 2.0);
        assert_eq!(mapping.relevance, (0.5 + 0.5) / 2.0);
        let split = Mapping::of(&[0, 0, 0, 0], &[1, 1, 1, 2]);
        assert_eq!((split.recovery, split.relevance), (0.75, 0.5));
        assert!((split.f1() - 0.6).abs() < 1e-12);
    }

    #[test]
    fn a_chain_of_milestones_is_one_branch() {
        let shares = [(0, 0.5), (1, 0.5), (2, 0.5), (2, 1.0)];
        let chain = along(vec![link(0, 1, 1.0), link(1, 2, 1.0), link(2, 3, 2.0)], 4, &shares);
        let line = along(vec![link(0, 1, 4.0)], 2, &[(0, 0.125), (0, 0.375), (0, 0.75), (0, 1.0)]);
        let found = against_truth(&line, &chain).unwrap();
        assert!(found.same_topology);
        assert!((found.correlation - 1.0).abs() < 1e-12 && (found.him - 1.0).abs() < 1e-9);
        assert_eq!((found.branches.f1(), found.milestones.f1()), (1.0, 1.0));
    }

    #[test]
    fn a_wrong_topology_costs() {
        let shares = [(0, 0.2), (0, 0.8), (1, 0.3), (1, 0.9), (2, 0.4), (2, 0.8)];
        let fork = along(vec![link(0, 1, 1.0), link(1, 2, 1.0), link(1, 3, 1.0)], 4, &shares);
        let line = along(vec![link(0, 1, 1.0), link(1, 2, 1.0), link(2, 3, 1.0)], 4, &shares);
        let found = against_truth(&line, &fork).unwrap();
        assert!(!found.same_topology);
        assert!(found.him < 0.95 && found.him > 0.0, "{}", found.him);
        assert!(found.correlation < 1.0 && found.correlation > 0.0);
        // One branch of six points against three of two: recovery 1/3, relevance 1/3.
        assert!((found.branches.f1() - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn points_must_agree_in_number() {
        let one = along(vec![link(0, 1, 1.0)], 2, &[(0, 0.5)]);
        let two = along(vec![link(0, 1, 1.0)], 2, &[(0, 0.5), (0, 0.7)]);
        let message = against_truth(&one, &two).unwrap_err().to_string();
        assert_eq!(message, "points of the learnt network: expected 2, found 1");
        assert!(against_truth(&one, &one).unwrap_err().to_string().contains("fewer than two"));
        let still = along(vec![link(0, 0, 0.0)], 1, &[(0, 1.0), (0, 1.0)]);
        assert_eq!(against_truth(&still, &two).unwrap().correlation, 0.0);
    }
}
