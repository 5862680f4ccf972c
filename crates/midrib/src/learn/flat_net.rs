//! Where a net lies before it is bent: on the linear principal manifold.

use std::f64::consts::{SQRT_2, TAU};

use super::principal_axes::PrincipalAxes;
use crate::connect::{Net, NetShape};
use crate::error::Result;
use crate::math::Matrix;

/// Caps the aspect ratio of a net.
const MOST_ELONGATED: f64 = 4.0;

/// The length of a flat net along each of its sides.
fn extents(axes: &PrincipalAxes, shape: NetShape) -> Vec<f64> {
    let span = |axis: usize| axes.span[axis].1 - axes.span[axis].0;
    let around =
        |a: usize, b: usize| TAU * (axes.deviation[a].powi(2) + axes.deviation[b].powi(2)).sqrt();
    match shape {
        NetShape::Chain => vec![span(0)],
        NetShape::Ring => vec![around(0, 1)],
        NetShape::Rectangle | NetShape::Triangular | NetShape::Hexagonal => {
            vec![span(0), span(1)]
        }
        NetShape::Cylinder => vec![span(0), around(1, 2)],
        NetShape::Torus => vec![around(0, 1), TAU * SQRT_2 * axes.deviation[2]],
        NetShape::Sphere => vec![0.5, 1.0],
        NetShape::Box => vec![span(0), span(1), span(2)],
    }
}

/// The sides of a net of about `count` nodes: no more, unless no smaller net exists.
pub(super) fn sides(axes: &PrincipalAxes, shape: NetShape, count: usize) -> Vec<usize> {
    let mut extents = extents(axes, shape);
    let longest = extents.iter().copied().fold(0.0, f64::max);
    extents.iter_mut().for_each(|extent| *extent = extent.max(longest / MOST_ELONGATED));
    let product: f64 = extents.iter().product();
    let dims = extents.len() as f64;
    let poles = if shape == NetShape::Sphere { 2 } else { 0 };
    let unit = (count.saturating_sub(poles) as f64 / product).powf(1.0 / dims);
    let mut sides: Vec<usize> = extents
        .iter()
        .enumerate()
        .map(|(axis, extent)| ((unit * extent).round() as usize).max(shape.min_nodes(axis)))
        .collect();
    while sides.iter().product::<usize>() + poles > count {
        let can_shrink = |&axis: &usize| sides[axis] > shape.min_nodes(axis);
        let widest = (0..sides.len()).filter(can_shrink).max_by_key(|&axis| sides[axis]);
        let Some(axis) = widest else { break };
        sides[axis] -= 1;
    }
    sides
}

/// The nodes of a flat net, in working coordinates.
pub(super) fn flat_nodes(axes: &PrincipalAxes, net: &Net) -> Result<Matrix> {
    let position = |node: usize| axes.at(&scores(axes, net, net.inner.row(node)));
    Matrix::from_rows(&(0..net.len()).map(position).collect::<Vec<_>>())
}

/// The scores of a node with these inner coordinates along the principal axes.
fn scores(axes: &PrincipalAxes, net: &Net, inner: &[f64]) -> Vec<f64> {
    let (shape, sides) = (net.shape, &net.sides);
    // At even steps between the smallest and the largest score.
    let across = |axis: usize, of: usize| {
        let last = match shape {
            shape if shape.has_shifted_rows() && axis == 0 => {
                0.75_f64.sqrt() * (sides[0] - 1) as f64
            }
            shape if shape.has_shifted_rows() => (sides[1] - 1) as f64 + 0.5,
            _ => (sides[axis] - 1) as f64,
        };
        let (low, high) = axes.span[of];
        low + (high - low) * inner[axis] / last
    };
    let angle = |axis: usize| TAU * inner[axis] / sides[axis] as f64;
    let spread = &axes.deviation;
    match shape {
        NetShape::Chain => vec![across(0, 0)],
        NetShape::Rectangle | NetShape::Triangular | NetShape::Hexagonal => {
            vec![across(0, 0), across(1, 1)]
        }
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
            vec![(ring(0) + tube * cos_v) * cos_u, (ring(1) + tube * cos_v) * sin_u, tube * sin_v]
        }
        NetShape::Sphere => {
            let from_pole = 0.5 * TAU * inner[0] / (sides[0] + 1) as f64;
            let ((sin_u, cos_u), (sin_v, cos_v)) = (from_pole.sin_cos(), angle(1).sin_cos());
            let radius = |axis: usize| 3.0_f64.sqrt() * spread[axis];
            vec![radius(0) * cos_u, radius(1) * sin_u * cos_v, radius(2) * sin_u * sin_v]
        }
    }
}
