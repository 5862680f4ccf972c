//! Points along a milestone network, learned or true.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, Projection};

/// A path between two milestones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The milestone where it starts.
    pub from: usize,
    /// The milestone where it ends; the same for a loop or an isolated milestone.
    pub to: usize,
    /// Its length.
    pub length: f64,
    /// Whether `from` is known to come before `to`.
    pub directed: bool,
}

/// The position of a point along a link, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The link.
    pub link: usize,
    /// The share of its length.
    pub share: f64,
}

/// A milestone network and the points along it.
///
/// A point is on one link, or between several links that start at the same milestone (the tables of
/// dynverse have such points in divergence regions, before a fate is decided).
///
/// ```
/// use midrib::measure::{Link, Share, Trajectory};
/// let link = |from, to| Link { from, to, length: 1.0, directed: true };
/// let points = [vec![Share { link: 0, share: 0.5 }], vec![Share { link: 1, share: 0.25 }]];
/// let truth = Trajectory::new(3, vec![link(0, 1), link(1, 2)], &points)?;
/// assert_eq!(truth.distances().from_point(0), [0.0, 0.75]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    pub(super) n_milestones: usize,
    pub(super) links: Vec<Link>,
    /// The start of each point's entries in `shares`, and the end of the last.
    pub(super) starts: Vec<usize>,
    pub(super) shares: Vec<Share>,
}

impl Trajectory {
    /// A network of `n_milestones` milestones, and the shares of links of each point.
    pub fn new(n_milestones: usize, links: Vec<Link>, points: &[Vec<Share>]) -> Result<Self> {
        for (number, link) in links.iter().enumerate() {
            if link.from.max(link.to) >= n_milestones {
                return Err(Error::data(format!(
                    "link {number} connects milestones {} and {}, but there are only {n_milestones}",
                    link.from, link.to
                )));
            }
            if !(link.length.is_finite() && link.length >= 0.0) {
                return Err(Error::data(format!(
                    "link {number} has an invalid length: {}",
                    link.length
                )));
            }
        }
        let mut starts = vec![0];
        for (i, point) in points.iter().enumerate() {
            check_point(&links, point)
                .map_err(|reason| Error::data(format!("point {}: {reason}", i + 1)))?;
            starts.push(starts[i] + point.len());
        }
        Ok(Self { n_milestones, links, starts, shares: points.concat() })
    }

    /// Points on a principal graph. The links are the branches between its
    /// [milestones](PrincipalGraph::milestones).
    pub fn of(graph: &PrincipalGraph, projection: &Projection) -> Result<Self> {
        let milestones = graph.milestones();
        let mut number = vec![0; graph.nodes().n_rows()];
        for (i, &node) in milestones.nodes().iter().enumerate() {
            number[node] = i;
        }
        let link = |(branch, &length): (&crate::graph::Branch, &f64)| Link {
            from: number[branch.nodes[0]],
            to: number[branch.nodes[branch.nodes.len() - 1]],
            length,
            directed: false,
        };
        let links = milestones.branches().iter().zip(milestones.lengths()).map(link).collect();
        let positions = milestones.branch_positions(graph, projection)?;
        let share = |at: &crate::graph::BranchPosition| Share { link: at.branch, share: at.share };
        Ok(Self {
            n_milestones: milestones.nodes().len(),
            links,
            starts: (0..=positions.len()).collect(),
            shares: positions.iter().map(share).collect(),
        })
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of milestones.
    pub fn n_milestones(&self) -> usize {
        self.n_milestones
    }

    /// The links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The shares of point `i`.
    pub fn point(&self, i: usize) -> &[Share] {
        &self.shares[self.starts[i]..self.starts[i + 1]]
    }

    /// The same network with a selection of its points, in the given order.
    pub fn select(&self, points: &[usize]) -> Result<Self> {
        let mut selected =
            Self { starts: vec![0], shares: Vec::new(), links: self.links.clone(), ..*self };
        for &i in points {
            if i >= self.len() {
                return Err(Error::data(format!(
                    "there is no point {i}; the trajectory has {} points",
                    self.len()
                )));
            }
            selected.shares.extend_from_slice(self.point(i));
            selected.starts.push(selected.shares.len());
        }
        Ok(selected)
    }

    /// The distances between points along the network.
    pub fn distances(&self) -> Distances<'_> {
        let mut adjacent = vec![Vec::new(); self.n_milestones];
        for link in &self.links {
            adjacent[link.from].push((link.to, link.length));
            adjacent[link.to].push((link.from, link.length));
        }
        let between = (0..self.n_milestones).map(|from| shortest(&adjacent, from)).collect();
        Distances { trajectory: self, between }
    }

    /// The milestones at the ends of a point's links, and their distances.
    fn exits(&self, point: &[Share]) -> impl Iterator<Item = (usize, f64)> {
        let along = |share: &Share| share.share * self.links[share.link].length;
        let begun: f64 = point.iter().map(along).sum();
        let start = point.first().map(|share| (self.links[share.link].from, begun));
        let ends = point.iter().map(move |share| {
            let link = self.links[share.link];
            (link.to, (1.0 - share.share) * link.length + (begun - along(share)))
        });
        start.into_iter().chain(ends)
    }

    /// The distance between two points along links that start at the same milestone; infinite if
    /// they have no common start.
    fn along_common_start(&self, one: &[Share], other: &[Share]) -> f64 {
        let from = |point: &[Share]| point.first().map(|share| self.links[share.link].from);
        if from(one) != from(other) {
            return f64::INFINITY;
        }
        let share_of = |point: &[Share], link: usize| {
            point.iter().find(|share| share.link == link).map_or(0.0, |share| share.share)
        };
        let length = |link: usize| self.links[link].length;
        let mine = one
            .iter()
            .map(|share| (share.share - share_of(other, share.link)).abs() * length(share.link));
        let alone = other.iter().filter(|share| one.iter().all(|mine| mine.link != share.link));
        mine.sum::<f64>() + alone.map(|share| share.share * length(share.link)).sum::<f64>()
    }
}

fn check_point(links: &[Link], point: &[Share]) -> std::result::Result<(), String> {
    const ROUNDING: f64 = 1e-6;
    let Some(first) = point.first() else {
        return Err("is not on any link".into());
    };
    let mut sum = 0.0;
    for share in point {
        let Some(link) = links.get(share.link) else {
            return Err(format!("is on link {}, but there are only {}", share.link, links.len()));
        };
        if !(0.0..=1.0).contains(&share.share) {
            return Err(format!("has a share of {}, which is not between 0 and 1", share.share));
        }
        if links.get(first.link).is_some_and(|first| first.from != link.from) {
            return Err("is on several links that do not start at the same milestone".into());
        }
        sum += share.share;
    }
    if sum > 1.0 + ROUNDING {
        return Err(format!("has shares that add up to {sum}, more than 1"));
    }
    Ok(())
}

/// Distances along a network.
#[derive(Clone, Debug)]
pub struct Distances<'t> {
    trajectory: &'t Trajectory,
    between: Vec<Vec<f64>>,
}

impl Distances<'_> {
    /// The distances from point `i` to every point; infinite if there is no path.
    pub fn from_point(&self, i: usize) -> Vec<f64> {
        let trajectory = self.trajectory;
        let start = trajectory.point(i);
        let mut reach = vec![f64::INFINITY; trajectory.n_milestones];
        for (exit, near) in trajectory.exits(start) {
            for (reach, far) in reach.iter_mut().zip(&self.between[exit]) {
                *reach = reach.min(near + far);
            }
        }
        let to = |j: usize| {
            let end = trajectory.point(j);
            let lengths = trajectory.exits(end).map(|(exit, near)| reach[exit] + near);
            lengths.fold(trajectory.along_common_start(start, end), f64::min)
        };
        (0..trajectory.len()).map(to).collect()
    }
}

/// A milestone and its distance; the nearest comes first.
struct Open(f64, usize);

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// Dijkstra's algorithm.
fn shortest(adjacent: &[Vec<(usize, f64)>], from: usize) -> Vec<f64> {
    let mut distance = vec![f64::INFINITY; adjacent.len()];
    distance[from] = 0.0;
    let mut open = BinaryHeap::from([Open(0.0, from)]);
    while let Some(Open(here, node)) = open.pop() {
        if here > distance[node] {
            continue;
        }
        for &(next, length) in &adjacent[node] {
            if here + length < distance[next] {
                distance[next] = here + length;
                open.push(Open(here + length, next));
            }
        }
    }
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use crate::math::Matrix;

    fn link(from: usize, to: usize, length: f64) -> Link {
        Link { from, to, length, directed: true }
    }

    fn at(link: usize, share: f64) -> Vec<Share> {
        vec![Share { link, share }]
    }

    /// Divides every link so finely that each point is on a stop, and applies the Floyd-Warshall
    /// algorithm.
    fn by_subdivision(trajectory: &Trajectory, stops: usize) -> Vec<Vec<f64>> {
        let m = trajectory.n_milestones;
        let n = m + trajectory.links.len() * (stops - 1);
        let stop = |link: usize, at: usize| match at {
            0 => trajectory.links[link].from,
            _ if at == stops => trajectory.links[link].to,
            _ => m + link * (stops - 1) + at - 1,
        };
        let mut all = vec![vec![f64::INFINITY; n]; n];
        for (i, row) in all.iter_mut().enumerate() {
            row[i] = 0.0;
        }
        for (number, link) in trajectory.links.iter().enumerate() {
            for s in 0..stops {
                let (a, b) = (stop(number, s), stop(number, s + 1));
                let length = (link.length / stops as f64).min(all[a][b]);
                all[a][b] = length;
                all[b][a] = length;
            }
        }
        for through in 0..n {
            for a in 0..n {
                for b in 0..n {
                    all[a][b] = all[a][b].min(all[a][through] + all[through][b]);
                }
            }
        }
        let stop_of = |i: usize| {
            let [share] = trajectory.point(i) else { panic!("one link per point") };
            stop(share.link, (share.share * stops as f64).round() as usize)
        };
        let points = 0..trajectory.len();
        points
            .clone()
            .map(|i| points.clone().map(|j| all[stop_of(i)][stop_of(j)]).collect())
            .collect()
    }

    #[test]
    fn distances_match_the_subdivided_network() {
        // A fork with a loop at a tip, two parallel links, and another component.
        let links = vec![
            link(0, 1, 2.0),
            link(1, 2, 1.5),
            link(3, 1, 0.5),
            link(2, 2, 4.0),
            link(0, 3, 1.0),
            link(3, 0, 7.0),
            link(4, 5, 1.0),
            link(6, 6, 0.0),
        ];
        let points: Vec<_> = (0..links.len())
            .flat_map(|l| [0, 1, 3, 7, 8].map(|s| at(l, f64::from(s) / 8.0)))
            .collect();
        let trajectory = Trajectory::new(7, links, &points).unwrap();
        let expected = by_subdivision(&trajectory, 8);
        let distances = trajectory.distances();
        for (i, expected) in expected.iter().enumerate() {
            for (found, expected) in distances.from_point(i).iter().zip(expected) {
                let equal = found == expected || (found - expected).abs() < 1e-12;
                assert!(equal, "{found} {expected}");
            }
        }
    }

    #[test]
    fn a_point_between_fates_is_measured_link_by_link() {
        // As in dynwrap's divergence regions: |p - q| times the length, summed over the links.
        let links = vec![link(0, 1, 2.0), link(0, 2, 3.0), link(1, 3, 1.0)];
        let open = vec![Share { link: 0, share: 0.25 }, Share { link: 1, share: 0.5 }];
        let points = [open, at(0, 0.75), at(1, 0.1), at(2, 0.5)];
        let found = Trajectory::new(4, links, &points).unwrap().distances().from_point(0);
        let expected = [0.0, 0.5 * 2.0 + 0.5 * 3.0, 0.25 * 2.0 + 0.4 * 3.0, 1.5 + 1.5 + 0.5];
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn distances_on_a_principal_graph_are_those_along_it() {
        let nodes =
            Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 3.0], [9.0, 9.0]]);
        let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
        let graph = PrincipalGraph::new(nodes.unwrap(), &edges, vec![1.0; 5]).unwrap();
        let points = Points::from_f64(vec![0.5, 0.1, 1.1, 2.0, 9.0, 8.0], 2).unwrap();
        let found = Trajectory::of(&graph, &graph.project(&points).unwrap()).unwrap();
        assert_eq!((found.n_milestones(), found.links().len()), (5, 4));
        assert_eq!(found.distances().from_point(0), [0.0, 2.5, f64::INFINITY]);
        assert_eq!(found.select(&[1]).unwrap().distances().from_point(0), [0.0]);
        assert!(found.select(&[3]).is_err());
    }

    #[test]
    fn invalid_networks_are_errors() {
        let message = |links: Vec<Link>, point: Vec<Share>| {
            Trajectory::new(2, links, &[point]).unwrap_err().to_string()
        };
        let one = || vec![link(0, 1, 1.0), link(1, 0, 1.0)];
        for (found, expected) in [
            (message(vec![link(0, 2, 1.0)], at(0, 0.0)), "link 0 connects milestones 0 and 2"),
            (message(vec![link(0, 1, f64::NAN)], at(0, 0.0)), "link 0 has an invalid length: NaN"),
            (message(one(), vec![]), "point 1: is not on any link"),
            (message(one(), at(2, 0.0)), "point 1: is on link 2, but there are only 2"),
            (message(one(), at(0, 1.5)), "has a share of 1.5"),
            (
                message(one(), [at(0, 0.1), at(1, 0.1)].concat()),
                "do not start at the same milestone",
            ),
            (message(one(), [at(0, 0.9), at(0, 0.9)].concat()), "shares that add up to 1.8"),
        ] {
            assert!(found.contains(expected), "{found}");
        }
    }
}
