//! Where the growth begins.

use super::settings::Plan;
use crate::cloud::Cloud;
use crate::connect::{Topology, spanning_tree};
use crate::error::{Error, Result};
use crate::learn::ppt::{check_start, working_start};
use crate::math::{Matrix, dot};
use crate::points::Points;
use crate::prepare::{Components, Pca};

/// The first graph, in working coordinates: as given, or on the first principal axes.
pub(super) fn start(
    plan: &Plan,
    given: Option<&Matrix>,
    count: usize,
    cloud: &Cloud<'_>,
    points: &Points<'_>,
) -> Result<(Topology, Matrix)> {
    let chain = |n: usize| (1..n).map(|node| (node - 1, node));
    if let Some(start) = given {
        check_start(start, cloud.dims())?;
        let nodes = working_start(start, cloud)?;
        let n = nodes.n_rows();
        if n < plan.fewest_nodes() {
            return Err(Error::data(format!(
                "the given start has {n} nodes: give at least {}",
                plan.fewest_nodes()
            )));
        }
        let edges: Vec<(usize, usize)> = match (plan.closed, plan.ceilings.star_order) {
            (true, _) => chain(n).chain([(0, n - 1)]).collect(),
            (false, 2) => chain(n).collect(),
            (false, _) => spanning_tree(&nodes).edges,
        };
        return Ok((Topology::new(n, &edges), nodes));
    }
    let axes = if plan.closed { cloud.dims().min(2) } else { 1 };
    let pca = Pca::fit(Components::Count(axes.min(cloud.len() - 1).max(1)), points)?;
    let deviation = |axis: usize| {
        let share = pca.shares.get(axis).copied().unwrap_or(0.0);
        (share * cloud.spread() / points.total_weight()).sqrt()
    };
    // Points that lie farther out on one side tell the two ends of an axis apart.
    let forward: Vec<Vec<f64>> = pca
        .axes
        .rows()
        .map(|axis| {
            let skew = cloud.total(|row, weight| weight * dot(row, axis).powi(3));
            axis.iter().map(|x| x * skew.signum()).collect()
        })
        .collect();
    let along = |axis: usize, by: f64| -> Vec<f64> {
        forward[axis.min(forward.len() - 1)].iter().map(|x| by * x).collect()
    };
    let nodes: Vec<Vec<f64>> = if plan.closed {
        let corners = count.min(4);
        (0..corners)
            .map(|corner| {
                let angle = std::f64::consts::TAU * corner as f64 / corners as f64;
                let (first, second) = (
                    along(0, std::f64::consts::SQRT_2 * deviation(0) * angle.cos()),
                    along(1, std::f64::consts::SQRT_2 * deviation(1) * angle.sin()),
                );
                first.iter().zip(second).map(|(a, b)| a + b).collect()
            })
            .collect()
    } else {
        let (low, high) = extremes(cloud, |row| dot(row, &forward[0]));
        vec![along(0, low), along(0, high)]
    };
    let n = nodes.len();
    let edges: Vec<(usize, usize)> = chain(n).chain(plan.closed.then_some((0, n - 1))).collect();
    Ok((Topology::new(n, &edges), Matrix::from_rows(&nodes)?))
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
