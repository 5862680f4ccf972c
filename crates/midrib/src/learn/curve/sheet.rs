//! Principal surfaces: a rectangle of nodes with two inner coordinates.

use rayon::prelude::*;

use super::local_linear::add;
use crate::connect::{Net, NetShape};
use crate::error::{Error, Result};
use crate::learn::flat_net::{flat_nodes, sides};
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, dot, squared_distance};
use crate::object::{InnerProjection, Surface};
use crate::points::Cloud;

/// Points whose second standard deviation is below this share of the first lie on a line.
const FLAT: f64 = 1e-6;
/// Added to the inner variances of a neighborhood, as a share of their sum: the neighborhoods of
/// corners can be narrow.
const RIDGE: f64 = 1e-3;

/// Y(λ), λ in two dimensions: a net in working coordinates.
pub(super) struct Sheet {
    pub net: Net,
    pub nodes: Matrix,
}

impl Sheet {
    /// Step 1: the rectangle that the points span on the principal plane.
    pub fn start(cloud: &Cloud<'_>, count: usize) -> Result<Self> {
        let axes = PrincipalAxes::new(cloud, 2)?;
        if axes.deviation[1] <= FLAT * axes.deviation[0] {
            return Err(Error::data(format!(
                "the {} points lie on a line, and a surface needs two dimensions: set structure to \
                 open",
                cloud.len()
            )));
        }
        let net = Net::new(NetShape::Rectangle, &sides(&axes, NetShape::Rectangle, count))?;
        Ok(Self { nodes: flat_nodes(&axes, &net)?, net })
    }

    /// Step 2: the nearest position of each point, in steps of the net.
    pub fn project(&self, rows: &WeightedRows) -> Result<InnerProjection> {
        Surface::new(self.net.clone(), &self.nodes, 0)?.project(&rows.points()?)
    }

    /// Steps 3 and 4: at every node the value of a weighted linear regression over the nearest
    /// projections.
    pub fn smoothed(&self, rows: &WeightedRows, inner: &Matrix, span: f64) -> Result<Self> {
        let wanted = (span * rows.total / rows.unit()).floor().max(3.0) * rows.unit();
        let at = |node: usize| value(rows, inner, self.net.inner.row(node), wanted);
        let fitted: Vec<Vec<f64>> = (0..self.net.len()).into_par_iter().map(at).collect();
        Ok(Self { net: self.net.clone(), nodes: Matrix::from_rows(&fitted)? })
    }
}

/// The regression at one position, over the nearest projections that weigh `wanted` together.
fn value(rows: &WeightedRows, inner: &Matrix, target: &[f64], wanted: f64) -> Vec<f64> {
    let squares = inner.rows().map(|position| squared_distance(position, target));
    let mut near: Vec<(f64, usize)> = squares.zip(0..).collect();
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut mass = 0.0;
    let reached = near.iter().position(|&(_, i)| {
        mass += rows.weights[i];
        mass >= wanted * (1.0 - 1e-12)
    });
    near.truncate(reached.map_or(near.len(), |last| last + 1));
    let h = near[near.len() - 1].0.sqrt();
    let weight = |&(squared, i): &(f64, usize)| {
        // All projections of a neighborhood may be at the node.
        let kernel = if h > 0.0 { 1.0 - (squared.sqrt() / h).powi(3) } else { 1.0 };
        rows.weights[i] * kernel.max(0.0).powi(3)
    };
    let dims = rows.x.n_cols();
    let (mut sum, mut center, mut mean) = (0.0, [0.0; 2], vec![0.0; dims]);
    for point in &near {
        let weight = weight(point);
        sum += weight;
        add(&mut center, weight, inner.row(point.1));
        add(&mut mean, weight, rows.x.row(point.1));
    }
    if sum <= 0.0 {
        // All of them are equally far away.
        return rows.x.row(near[0].1).to_vec();
    }
    center.iter_mut().for_each(|x| *x /= sum);
    mean.iter_mut().for_each(|x| *x /= sum);
    let mut spread = [0.0; 3];
    let mut slopes = [vec![0.0; dims], vec![0.0; dims]];
    for point in &near {
        let weight = weight(point) / sum;
        let position = inner.row(point.1);
        let u = [position[0] - center[0], position[1] - center[1]];
        spread[0] += weight * u[0] * u[0];
        spread[1] += weight * u[0] * u[1];
        spread[2] += weight * u[1] * u[1];
        let away: Vec<f64> =
            rows.x.row(point.1).iter().zip(&mean).map(|(x, mean)| weight * (x - mean)).collect();
        add(&mut slopes[0], u[0], &away);
        add(&mut slopes[1], u[1], &away);
    }
    let ridge = RIDGE * (spread[0] + spread[2]);
    let (a, b, c) = (spread[0] + ridge, spread[1], spread[2] + ridge);
    let determinant = a * c - b * b;
    if determinant > 0.0 {
        let to = [target[0] - center[0], target[1] - center[1]];
        add(&mut mean, dot(&[c, -b], &to) / determinant, &slopes[0]);
        add(&mut mean, dot(&[-b, a], &to) / determinant, &slopes[1]);
    }
    mean
}
