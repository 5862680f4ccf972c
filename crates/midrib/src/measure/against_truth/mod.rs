//! Comparison of a learned graph with a known truth, by the measures of dyneval (Saelens2019).
//!
//! | measure | here |
//! |---|---|
//! | correlation | Spearman's, of the distances between points along both networks; 0 if negative |
//! | HIM | 1 − Hamming-Ipsen-Mikhailov distance of the networks, chains contracted, weighted by length |
//! | F1 of branches | how well the branches of the points agree |
//! | F1 of milestones | how well the nearest milestones of the points agree |
//! | topology | whether the networks are isomorphic, chains contracted |
//!
//! # Departures from dyneval
//!
//! - The Hamming part of HIM depends on the order of the milestones. dyneval orders them by name;
//!   here it is the order that minimizes the difference.
//! - Parallel branches are not divided; dyneval divides all but one of them in two.
//! - The correlation uses distances from all points or, if there are many, from evenly spaced
//!   points to all; dyneval draws a hundred points at random.
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

/// The approximate number of distances in the correlation, if there are that many.
const DISTANCES: usize = 4_000_000;
/// The minimum number of points from which distances are measured.
const MIN_STARTS: usize = 10;

/// How well a network agrees with the true one; scores range from 0 to 1 (best).
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
    /// Whether the networks are isomorphic.
    pub same_topology: bool,
}

/// How well two groupings of the points match.
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

/// Compares a learned network with the true one, for the same points in the same order.
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
        return Err(Error::shape("points of the learned network", truth.len(), found.len()));
    }
    if truth.len() < 2 {
        return Err(Error::data("a comparison needs at least two points"));
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

/// The network in which branches and milestones are compared. Milestones are kept if a point is
/// between their links, or if directed links do not pass straight through.
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

/// The link on which each point is farthest along.
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

/// The nearest milestone of each point, by shares.
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

/// Spearman's rank correlation of distances; points without a path between them rank last.
fn correlation(one: &Trajectory, other: &Trajectory) -> f64 {
    let n = one.len();
    let starts = (DISTANCES / n).max(MIN_STARTS).min(n);
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

/// The rank of each value, starting at 1; equal values share the mean rank.
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
    fn a_wrong_topology_lowers_the_scores() {
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
    fn different_numbers_of_points_are_an_error() {
        let one = along(vec![link(0, 1, 1.0)], 2, &[(0, 0.5)]);
        let two = along(vec![link(0, 1, 1.0)], 2, &[(0, 0.5), (0, 0.7)]);
        let message = against_truth(&one, &two).unwrap_err().to_string();
        assert_eq!(message, "points of the learned network: expected 2, found 1");
        assert!(against_truth(&one, &one).unwrap_err().to_string().contains("at least two points"));
        let still = along(vec![link(0, 0, 0.0)], 1, &[(0, 1.0), (0, 1.0)]);
        assert_eq!(against_truth(&still, &two).unwrap().correlation, 0.0);
    }
}
