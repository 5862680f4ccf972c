//! Where a net lies before it is bent: on the linear principal manifold.

use std::f64::consts::{SQRT_2, TAU};

use crate::cloud::Cloud;
use crate::connect::{Net, NetShape};
use crate::error::Result;
use crate::math::{Matrix, dot};
use crate::prepare::{Components, Pca};

/// Sides of a net whose extents differ more than this are not more unequal.
const MOST_UNEQUAL: f64 = 4.0;

/// The first principal axes of complete points, in working coordinates.
pub(in crate::learn) struct Frame {
    /// One a row; zero where the points have no more.
    axes: Vec<Vec<f64>>,
    /// The standard deviation along each.
    pub deviation: Vec<f64>,
    /// The least and the largest score of a point that counts.
    pub span: Vec<(f64, f64)>,
    /// The share of the variance that the first of them leave unexplained.
    pub unexplained: Vec<f64>,
}

impl Frame {
    pub fn new(cloud: &Cloud<'_>, count: usize) -> Result<Self> {
        let points = cloud.points();
        let most = count.min(cloud.dims()).min(cloud.len() - 1).max(1);
        let pca = Pca::fit(Components::Count(most), points)?;
        let variance = cloud.spread() / points.total_weight();
        let mut frame = Self {
            axes: Vec::new(),
            deviation: Vec::new(),
            span: Vec::new(),
            unexplained: Vec::new(),
        };
        let mut left = 1.0;
        for axis in 0..count {
            let Some(&share) = pca.shares.get(axis) else {
                frame.axes.push(vec![0.0; cloud.dims()]);
                frame.deviation.push(0.0);
                frame.span.push((0.0, 0.0));
                frame.unexplained.push(left);
                continue;
            };
            // Points that lie farther out on one side tell the two ends of an axis apart.
            let plain = pca.axes.row(axis);
            let skew = cloud.total(|row, weight| weight * dot(row, plain).powi(3));
            let forward: Vec<f64> = plain.iter().map(|x| x * skew.signum()).collect();
            frame.span.push(extremes(cloud, |row| dot(row, &forward)));
            frame.deviation.push((share * variance).sqrt());
            frame.axes.push(forward);
            left = (left - share).max(0.0);
            frame.unexplained.push(left);
        }
        Ok(frame)
    }

    /// How long the net is along each of its sides before it is bent.
    fn extents(&self, shape: NetShape) -> Vec<f64> {
        let span = |axis: usize| self.span[axis].1 - self.span[axis].0;
        let around = |a: usize, b: usize| {
            TAU * (self.deviation[a].powi(2) + self.deviation[b].powi(2)).sqrt()
        };
        match shape {
            NetShape::Chain => vec![span(0)],
            NetShape::Ring => vec![around(0, 1)],
            NetShape::Rectangle | NetShape::Triangular => vec![span(0), span(1)],
            NetShape::Cylinder => vec![span(0), around(1, 2)],
            NetShape::Torus => vec![around(0, 1), TAU * SQRT_2 * self.deviation[2]],
            NetShape::Sphere => vec![0.5, 1.0],
            NetShape::Box => vec![span(0), span(1), span(2)],
        }
    }

    /// Sides of a net of about `count` nodes, and no more unless it could not be any smaller.
    pub fn sides(&self, shape: NetShape, count: usize) -> Vec<usize> {
        let mut extents = self.extents(shape);
        let longest = extents.iter().copied().fold(0.0, f64::max);
        extents.iter_mut().for_each(|extent| *extent = extent.max(longest / MOST_UNEQUAL));
        let product: f64 = extents.iter().product();
        let dims = extents.len() as f64;
        let poles = if shape == NetShape::Sphere { 2 } else { 0 };
        let unit = (count.saturating_sub(poles) as f64 / product).powf(1.0 / dims);
        let mut sides: Vec<usize> = extents
            .iter()
            .enumerate()
            .map(|(axis, extent)| ((unit * extent).round() as usize).max(shape.fewest(axis)))
            .collect();
        while sides.iter().product::<usize>() + poles > count {
            let spare = |&axis: &usize| sides[axis] > shape.fewest(axis);
            let widest = (0..sides.len()).filter(spare).max_by_key(|&axis| sides[axis]);
            let Some(axis) = widest else { break };
            sides[axis] -= 1;
        }
        sides
    }

    /// The places of the net's nodes, in working coordinates.
    pub fn place(&self, net: &Net) -> Matrix {
        let mut nodes = Matrix::zeros(net.len(), self.axes[0].len());
        for node in 0..net.len() {
            let scores = self.scores(net, net.inner.row(node));
            nodes.row_mut(node).copy_from_slice(&self.at(&scores));
        }
        nodes
    }

    /// The place with these scores along the first axes, in working coordinates.
    pub fn at(&self, scores: &[f64]) -> Vec<f64> {
        let mut place = vec![0.0; self.axes[0].len()];
        for (score, axis) in scores.iter().zip(&self.axes) {
            place.iter_mut().zip(axis).for_each(|(x, a)| *x += score * a);
        }
        place
    }

    /// Where a node with these inner coordinates lies along the principal axes.
    fn scores(&self, net: &Net, inner: &[f64]) -> Vec<f64> {
        let (shape, sides) = (net.shape, &net.sides);
        // At even steps between the ends of what the scores span.
        let across = |axis: usize, of: usize| {
            let last = match shape {
                NetShape::Triangular if axis == 0 => 0.75_f64.sqrt() * (sides[0] - 1) as f64,
                NetShape::Triangular => (sides[1] - 1) as f64 + 0.5,
                _ => (sides[axis] - 1) as f64,
            };
            let (low, high) = self.span[of];
            low + (high - low) * inner[axis] / last
        };
        let angle = |axis: usize| TAU * inner[axis] / sides[axis] as f64;
        let spread = &self.deviation;
        match shape {
            NetShape::Chain => vec![across(0, 0)],
            NetShape::Rectangle | NetShape::Triangular => vec![across(0, 0), across(1, 1)],
            NetShape::Box => vec![across(0, 0), across(1, 1), across(2, 2)],
            NetShape::Ring => {
                let (sin, cos) = angle(0).sin_cos();
                vec![SQRT_2 * spread[0] * cos, SQRT_2 * spread[1] * sin]
            }
            NetShape::Cylinder => {
                let (sin, cos) = angle(1).sin_cos();
                vec![across(0, 0), SQRT_2 * spread[1] * cos, SQRT_2 * spread[2] * sin]
            }
            NetShape::Torus => {
                let ((sin_u, cos_u), (sin_v, cos_v)) = (angle(0).sin_cos(), angle(1).sin_cos());
                let tube = SQRT_2 * spread[2];
                // The radius that gives the points' deviation along the axis.
                let ring =
                    |axis: usize| (2.0 * spread[axis].powi(2) - 0.5 * tube * tube).max(0.0).sqrt();
                vec![
                    (ring(0) + tube * cos_v) * cos_u,
                    (ring(1) + tube * cos_v) * sin_u,
                    tube * sin_v,
                ]
            }
            NetShape::Sphere => {
                let from_pole = 0.5 * TAU * inner[0] / (sides[0] + 1) as f64;
                let ((sin_u, cos_u), (sin_v, cos_v)) = (from_pole.sin_cos(), angle(1).sin_cos());
                let radius = |axis: usize| 3.0_f64.sqrt() * spread[axis];
                vec![radius(0) * cos_u, radius(1) * sin_u * cos_v, radius(2) * sin_u * sin_v]
            }
        }
    }
}

/// The least and the largest value of any point that counts.
fn extremes(cloud: &Cloud<'_>, value: impl Fn(&[f64]) -> f64 + Sync) -> (f64, f64) {
    let blocks = cloud.per_block(|rows| {
        let mut row = vec![0.0; cloud.dims()];
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for i in rows.filter(|&i| cloud.points().weight(i) > 0.0) {
            cloud.copy_row(i, &mut row);
            let value = value(&row);
            ends = (ends.0.min(value), ends.1.max(value));
        }
        ends
    });
    let join = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    blocks.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), join)
}
