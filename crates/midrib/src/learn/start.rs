//! Starting nodes: given, one per point, or k-means centers.

use super::proportion::check_distance;
use crate::assign::lloyd;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Cloud;
use crate::prepare::{landmarks, sample};

/// The fewest points from which k-means centers are found, and how many per center.
const FEWEST_POINTS: usize = 3_000;
const POINTS_PER_CENTER: usize = 20;
/// Rounds of k-means: the sweeps move the centers further.
const ROUNDS: usize = 3;

/// Refuses starting nodes of the wrong shape, or with values that are not finite.
pub(super) fn check_start(start: &Matrix, dims: usize) -> Result<()> {
    if start.n_cols() != dims {
        return Err(Error::shape("starting nodes", format!("{dims} columns"), start.n_cols()));
    }
    if start.n_rows() == 0 {
        return Err(Error::data("the given start has no nodes"));
    }
    match start.as_slice().iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Error::data(format!(
            "starting node {}: {} is not a finite number",
            i / dims,
            start.as_slice()[i]
        ))),
        None => Ok(()),
    }
}

/// Checked starting nodes in working coordinates.
pub(super) fn working_start(start: &Matrix, cloud: &Cloud<'_>) -> Result<Matrix> {
    check_start(start, cloud.dims())?;
    let nodes = cloud.to_working(start.clone());
    check_distance(&nodes)?;
    Ok(nodes)
}

/// One node per point.
pub(super) fn all_points(cloud: &Cloud<'_>) -> Result<Matrix> {
    cloud.read_rows(&(0..cloud.len()).collect::<Vec<_>>())
}

/// `count` k-means centers, found on a sample, in the working coordinates of `cloud`.
pub(super) fn kmeans_centers(cloud: &Cloud<'_>, count: usize, seed: u64) -> Result<Matrix> {
    let small = sample(cloud, FEWEST_POINTS.max(POINTS_PER_CENTER * count))?;
    let small = Cloud::new(&small)?;
    let centers = lloyd(&small, landmarks(&small, count, seed)?, ROUNDS)?;
    Ok(cloud.to_working(small.to_data(centers)))
}
