//! Where the growth begins.

use std::f64::consts::{SQRT_2, TAU};

use super::settings::Plan;
use crate::cloud::Cloud;
use crate::connect::{Topology, spanning_tree};
use crate::error::{Error, Result};
use crate::learn::elastic_map::Frame;
use crate::learn::ppt::{check_start, working_start};
use crate::learn::trimming::Trimming;
use crate::math::Matrix;

/// The first graph, in working coordinates: as given, or on the first principal axes.
pub(super) fn start(
    plan: &Plan,
    given: Option<&Matrix>,
    count: usize,
    cloud: &Cloud<'_>,
    trimming: &Trimming,
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
    // Among points that are no outliers.
    let few = trimming.in_company()?;
    let few = few.as_ref().map(Cloud::new).transpose()?;
    let among = few.as_ref().unwrap_or(cloud);
    let frame = Frame::new(among, if plan.closed { 2 } else { 1 })?;
    let nodes: Vec<Vec<f64>> = if plan.closed {
        let corners = count.min(4);
        let radius = |axis: usize| SQRT_2 * frame.deviation[axis];
        (0..corners)
            .map(|corner| {
                let (sin, cos) = (TAU * corner as f64 / corners as f64).sin_cos();
                frame.at(&[radius(0) * cos, radius(1) * sin])
            })
            .collect()
    } else {
        let (low, high) = frame.span[0];
        vec![frame.at(&[low]), frame.at(&[high])]
    };
    let n = nodes.len();
    let edges: Vec<(usize, usize)> = chain(n).chain(plan.closed.then_some((0, n - 1))).collect();
    let nodes = cloud.to_working(among.to_data(Matrix::from_rows(&nodes)?));
    Ok((Topology::new(n, &edges), nodes))
}
