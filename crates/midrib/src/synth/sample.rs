//! Points sampled along a shape, with their true positions.

use super::curves::{self, Skeleton};
use super::random::{Purpose, Random};
use super::shape::Shape;
use super::tree::random_tree;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::Matrix;
use crate::points::Points;

/// What to generate.
///
/// ```
/// use midrib::synth::{Shape, Synth};
/// let tree = Shape::Tree { branch_points: 2 };
/// let sample = Synth { shape: tree, n: 500, dims: 3, noise: 0.05, seed: 1 }.generate()?;
/// assert_eq!(sample.points.len(), 500);
/// assert_eq!(sample.truth.tips().len(), 4);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synth {
    /// The shape to sample along.
    pub shape: Shape,
    /// The number of points.
    pub n: usize,
    /// The number of coordinates. Shapes with fewer dimensions are rotated at random.
    pub dims: usize,
    /// The standard deviation of the Gaussian noise in each coordinate. In more than three
    /// dimensions it is `noise · sqrt(3 / dims)`, so that the total noise is as strong as in three.
    pub noise: f64,
    /// The same seed gives the same points. Skeleton, positions and noise use separate streams:
    /// changing `noise` keeps the clean points, changing `n` keeps the skeleton.
    pub seed: u64,
}

/// Generated points and the truth about them.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The points, with noise.
    pub points: Points<'static>,
    /// The skeleton. The mass of a node is the number of clean points for which it is the nearer
    /// node of their edge.
    pub truth: PrincipalGraph,
    /// The branch of `truth` that each point belongs to (a tree's edge, a moon, a cluster).
    pub branch: Vec<usize>,
    /// The edge of `truth` that each point was drawn on; `None` for clusters.
    pub edge: Vec<Option<usize>>,
    /// The position on that edge, from 0 to 1.
    pub edge_pos: Vec<f64>,
    /// The points without noise: on the skeleton or, for a sheet, next to it.
    pub clean: Matrix,
}

impl Synth {
    /// Draws the points, uniform along the length of the skeleton (uniform among clusters; for a
    /// sheet, also across its width), and adds noise.
    pub fn generate(&self) -> Result<Sample> {
        self.check()?;
        let skeleton = match self.shape {
            Shape::Tree { branch_points } => {
                let mut random = Random::new(self.seed, Purpose::Skeleton);
                random_tree(branch_points, self.dims, &mut random)?
            }
            Shape::S => self.embed(curves::s()),
            Shape::Spiral => self.embed(curves::spiral()),
            Shape::Circle => self.embed(curves::circle()),
            Shape::TwoMoons => self.embed(curves::two_moons()),
            Shape::ThreeClusters => self.embed(curves::three_clusters()),
            Shape::Zigzag => self.embed(curves::zigzag()),
            Shape::Helix => self.embed(curves::helix()),
            Shape::SwissRoll => self.embed(curves::swiss_roll()),
        };
        let nodes = Matrix::from_rows(&skeleton.nodes)?;
        let edges: Vec<_> = skeleton.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        let bare = PrincipalGraph::new(nodes, &edges, vec![0.0; skeleton.nodes.len()])?;
        self.draw(bare, &edges, skeleton.breadth.as_deref())
    }

    fn check(&self) -> Result<()> {
        if self.n == 0 {
            return Err(Error::setting("n", 0, "must be at least 1"));
        }
        let least = self.shape.min_dims();
        if self.dims < least {
            return Err(Error::setting(
                "dims",
                self.dims,
                format!("the shape \"{}\" needs at least {least}", self.shape),
            ));
        }
        if !(self.noise.is_finite() && self.noise >= 0.0) {
            return Err(Error::setting("noise", self.noise, "must be finite and at least 0"));
        }
        Ok(())
    }

    /// The standard deviation of the noise in each coordinate.
    fn noise_per_coordinate(&self) -> f64 {
        self.noise * (3.0 / self.dims.max(3) as f64).sqrt()
    }

    /// Rotates a skeleton with fewer dimensions at random into `dims` dimensions.
    fn embed(&self, mut skeleton: Skeleton) -> Skeleton {
        let own = skeleton.nodes[0].len();
        if own < self.dims {
            let mut random = Random::new(self.seed, Purpose::Embedding);
            let axes = orthonormal(own, self.dims, &mut random);
            for vector in skeleton.nodes.iter_mut().chain(&mut skeleton.breadth) {
                let coordinate =
                    |d: usize| vector.iter().zip(&axes).map(|(x, axis)| x * axis[d]).sum();
                *vector = (0..self.dims).map(coordinate).collect();
            }
        }
        skeleton
    }

    fn draw(
        &self,
        bare: PrincipalGraph,
        edges: &[(usize, usize, f64)],
        breadth: Option<&[f64]>,
    ) -> Result<Sample> {
        let mut random = Random::new(self.seed, Purpose::Positions);
        let mut aside = Random::new(self.seed, Purpose::Breadth);
        let lengths = running_lengths(&bare);
        let branch_of_edge = bare.branch_of_edge();
        let mut clean = Matrix::zeros(self.n, self.dims);
        let mut mass = vec![0.0; bare.nodes().n_rows()];
        let mut branch = Vec::with_capacity(self.n);
        let mut edge = Vec::with_capacity(self.n);
        let mut edge_pos = Vec::with_capacity(self.n);
        for i in 0..self.n {
            let at = draw_position(&bare, &lengths, &mut random);
            let (a, b) = at.ends;
            let ends = bare.nodes().row(a).iter().zip(bare.nodes().row(b));
            for (x, (a, b)) in clean.row_mut(i).iter_mut().zip(ends) {
                *x = a + at.pos * (b - a);
            }
            if let Some(breadth) = breadth {
                let share = aside.between(-1.0, 1.0);
                clean.row_mut(i).iter_mut().zip(breadth).for_each(|(x, by)| *x += share * by);
            }
            mass[if at.pos > 0.5 { b } else { a }] += 1.0;
            branch.push(at.edge.map_or(a, |e| branch_of_edge[e]));
            edge.push(at.edge);
            edge_pos.push(at.pos);
        }
        let mut noisy = clean.as_slice().to_vec();
        let deviation = self.noise_per_coordinate();
        let mut random = Random::new(self.seed, Purpose::Noise);
        for x in &mut noisy {
            *x += deviation * random.gaussian();
        }
        Ok(Sample {
            points: Points::from_f64(noisy, self.dims)?,
            truth: PrincipalGraph::new(bare.nodes().clone(), edges, mass)?,
            branch,
            edge,
            edge_pos,
            clean,
        })
    }
}

/// A position on a skeleton: on an edge, or at the center of a cluster, which is then both ends.
struct Position {
    edge: Option<usize>,
    ends: (usize, usize),
    pos: f64,
}

/// The cumulative length of the skeleton up to the end of each edge.
fn running_lengths(skeleton: &PrincipalGraph) -> Vec<f64> {
    let edges = skeleton.edges().iter();
    edges
        .scan(0.0, |sum, edge| {
            *sum += edge.length;
            Some(*sum)
        })
        .collect()
}

/// Uniform along the length; uniform among the nodes of a skeleton without edges.
fn draw_position(skeleton: &PrincipalGraph, lengths: &[f64], random: &mut Random) -> Position {
    let Some(&total) = lengths.last() else {
        let node = random.below(skeleton.nodes().n_rows());
        return Position { edge: None, ends: (node, node), pos: 0.0 };
    };
    let at = random.between(0.0, total);
    let index = lengths.partition_point(|&end| end <= at).min(lengths.len() - 1);
    let edge = &skeleton.edges()[index];
    Position {
        edge: Some(index),
        ends: (edge.a, edge.b),
        pos: (1.0 - (lengths[index] - at) / edge.length).clamp(0.0, 1.0),
    }
}

/// Orthonormal vectors in random directions, by the Gram-Schmidt process.
fn orthonormal(count: usize, dims: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let dot = |u: &[f64], v: &[f64]| -> f64 { u.iter().zip(v).map(|(a, b)| a * b).sum() };
    let mut axes: Vec<Vec<f64>> = Vec::with_capacity(count);
    while axes.len() < count {
        let mut axis = random.direction(dims);
        for _ in 0..2 {
            for other in &axes {
                let share = dot(&axis, other);
                axis.iter_mut().zip(other).for_each(|(x, other)| *x -= share * other);
            }
        }
        let length = dot(&axis, &axis).sqrt();
        if length > 1e-3 {
            axis.iter_mut().for_each(|x| *x /= length);
            axes.push(axis);
        }
    }
    axes
}

#[cfg(test)]
mod tests;
