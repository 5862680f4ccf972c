//! Paths from a seed. Einbeck2005, algorithm 1.

use super::local::{Around, Local};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::{Matrix, dot, squared_distance};

/// A path ends where its length grows by less than this share.
const BOUNDARY: f64 = 0.005;
/// Two paths nearer than this share of a step are one.
const MEET: f64 = 0.5;
/// A path cannot meet itself within this many bandwidths along it.
const RECENT: f64 = 3.0;
/// A branch starts this many bandwidths beside the path, and only where the density there is at
/// least this share of that on the path.
const BESIDE: f64 = 2.0;
const ENOUGH: f64 = 0.1;
/// A direction must hold this share of the largest variance that the kernel allows.
const FLAT: f64 = 1e-12;

/// The paths so far.
#[derive(Default)]
pub(super) struct Paths {
    pub nodes: Vec<Vec<f64>>,
    pub edges: Vec<(usize, usize)>,
    /// The path of each node, and its length from there to the seed; negative backward.
    along: Vec<(usize, f64)>,
    count: usize,
    /// Where a branch may start: a node and a direction.
    pub forks: Vec<(usize, Vec<f64>)>,
}

impl Paths {
    /// The means, joined as they were followed.
    pub fn graph(&self) -> Result<PrincipalGraph> {
        let ordered = self.edges.iter().map(|&(a, b)| (a.min(b), a.max(b)));
        let mut edges: Vec<_> = ordered.filter(|(a, b)| a != b).collect();
        edges.sort_unstable();
        edges.dedup();
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
        let mass = vec![0.0; self.nodes.len()];
        PrincipalGraph::new(Matrix::from_rows(&self.nodes)?, &edges, mass)
    }
}

/// How paths are followed.
pub(super) struct Tracer<'l> {
    pub local: &'l Local<'l>,
    pub branch_ratio: f64,
    pub max_steps: usize,
}

impl Tracer<'_> {
    /// Follows the points from a seed both ways, unless the seed is on a path already.
    pub fn trace_seed(&self, paths: &mut Paths, seed: &[f64]) -> Result<()> {
        let Some(around) = self.local.around(seed)? else { return Ok(()) };
        if self.meets(&paths.nodes, &around.mean) {
            return Ok(());
        }
        let first = self.begin(paths, &around);
        let forward = around.axes[0].clone();
        let back: Vec<f64> = forward.iter().map(|x| -x).collect();
        let met = self.follow(paths, first, forward, 1.0)?;
        if met.is_none_or(|other| other < first || other > first + 1) {
            self.follow(paths, first, back, -1.0)?;
        }
        Ok(())
    }

    /// Follows a branch from a node, unless there are too few points, or another path is there.
    pub fn trace_fork(&self, paths: &mut Paths, node: usize, side: &[f64]) -> Result<()> {
        let h = self.local.bandwidth;
        let here = paths.nodes[node].clone();
        let beside: Vec<f64> = here.iter().zip(side).map(|(x, s)| x + BESIDE * h * s).collect();
        let Some(around) = self.local.around(&beside)? else { return Ok(()) };
        let away: Vec<f64> = around.mean.iter().zip(&here).map(|(m, x)| m - x).collect();
        let is_thin = around.density < ENOUGH * self.local.density(&here);
        // The points of the path itself draw the mean back to it.
        let nearest = Local::nearest(&paths.nodes, &around.mean).map_or(0.0, |found| found.1);
        if is_thin || dot(&away, side) <= h || nearest <= h * h {
            return Ok(());
        }
        let first = self.begin(paths, &around);
        paths.edges.push((node, first));
        let sign = dot(&around.axes[0], side).signum();
        let direction = around.axes[0].iter().map(|x| sign * x).collect();
        self.follow(paths, first, direction, 1.0)?;
        Ok(())
    }

    fn meets(&self, nodes: &[Vec<f64>], x: &[f64]) -> bool {
        let reach = MEET * self.local.bandwidth;
        Local::nearest(nodes, x).is_some_and(|found| found.1 <= reach * reach)
    }

    /// The first node of a new path.
    fn begin(&self, paths: &mut Paths, around: &Around) -> usize {
        paths.count += 1;
        self.add(paths, around, 0.0)
    }

    fn add(&self, paths: &mut Paths, around: &Around, length: f64) -> usize {
        let node = paths.nodes.len();
        if around.ratio > self.branch_ratio
            && let Some(second) = around.axes.get(1)
        {
            let other = second.iter().map(|x| -x).collect();
            paths.forks.push((node, second.clone()));
            paths.forks.push((node, other));
        }
        paths.along.push((paths.count, length));
        paths.nodes.push(around.mean.clone());
        node
    }

    /// Steps along the first local direction until the boundary, or until it meets a path, at the
    /// node that is returned.
    fn follow(
        &self,
        paths: &mut Paths,
        first: usize,
        mut direction: Vec<f64>,
        sign: f64,
    ) -> Result<Option<usize>> {
        let h = self.local.bandwidth;
        let mut here = first;
        let mut length = 0.0;
        for _ in 0..self.max_steps {
            let next: Vec<f64> =
                paths.nodes[here].iter().zip(&direction).map(|(x, d)| x + h * d).collect();
            let Some(around) = self.local.around(&next)? else { break };
            let moved = squared_distance(&around.mean, &paths.nodes[here]).sqrt();
            if moved <= BOUNDARY * (length + h) {
                break;
            }
            length += moved;
            if let Some(other) = self.met(paths, sign * length, &around.mean) {
                paths.edges.push((other, here));
                return Ok(Some(other));
            }
            direction = turned(&around.axes[0], &direction);
            let node = self.add(paths, &around, sign * length);
            paths.edges.push((here, node));
            here = node;
        }
        Ok(None)
    }

    /// The node that the last path meets at `x`, after this length.
    fn met(&self, paths: &Paths, length: f64, x: &[f64]) -> Option<usize> {
        let h = self.local.bandwidth;
        let is_other = |node: &usize| {
            let (path, there) = paths.along[*node];
            path != paths.count || (there - length).abs() > RECENT * h
        };
        let squared = |node: usize| (squared_distance(&paths.nodes[node], x), node);
        (0..paths.nodes.len())
            .filter(is_other)
            .map(squared)
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .filter(|(squared, _)| *squared <= (MEET * h).powi(2))
            .map(|(_, node)| node)
    }
}

/// The local direction, the way that was gone so far, and penalized for turning.
fn turned(axis: &[f64], before: &[f64]) -> Vec<f64> {
    let cosine = dot(axis, before);
    let share = cosine * cosine;
    let mix =
        |(axis, before): (&f64, &f64)| share * cosine.signum() * axis + (1.0 - share) * before;
    let mut direction: Vec<f64> = axis.iter().zip(before).map(mix).collect();
    let size = dot(&direction, &direction).sqrt();
    if size <= FLAT {
        return before.to_vec();
    }
    direction.iter_mut().for_each(|x| *x /= size);
    direction
}
