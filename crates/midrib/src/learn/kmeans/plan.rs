//! Starting centers.

use super::settings::KMeans;
use crate::error::{Error, Result};
use crate::learn::start::working_start;
use crate::math::Matrix;
use crate::points::Cloud;
use crate::prepare::{greedy_landmarks, sample};

/// The fewest points from which starting centers are drawn, and how many per center.
const FEWEST_POINTS: usize = 10_000;
const POINTS_PER_CENTER: usize = 20;

/// Refuses points that cannot have so many centers.
pub(super) fn check_points(settings: &KMeans, cloud: &Cloud<'_>) -> Result<()> {
    cloud.require_spread()?;
    if settings.n_clusters > cloud.len() {
        let reason = format!("there are only {} points: give at most that many", cloud.len());
        return Err(Error::setting("n_clusters", settings.n_clusters, reason));
    }
    Ok(())
}

/// Given centers, or greedy k-means++ seeds of the start with this number, in working coordinates.
pub(super) fn centers(
    settings: &KMeans,
    cloud: &Cloud<'_>,
    given: Option<&Matrix>,
    start: u64,
) -> Result<Matrix> {
    match given {
        Some(given) => given_centers(settings, given, cloud),
        None => seeds(settings, cloud, settings.seed.wrapping_add(start)),
    }
}

fn given_centers(settings: &KMeans, given: &Matrix, cloud: &Cloud<'_>) -> Result<Matrix> {
    let centers = working_start(given, cloud)?;
    if centers.n_rows() != settings.n_clusters {
        let reason = format!("the given start has {} centers", centers.n_rows());
        return Err(Error::setting("n_clusters", settings.n_clusters, reason));
    }
    Ok(centers)
}

/// Greedy k-means++ seeds, drawn from a sample that does not depend on the order of the rows.
fn seeds(settings: &KMeans, cloud: &Cloud<'_>, seed: u64) -> Result<Matrix> {
    let small = sample(cloud, FEWEST_POINTS.max(POINTS_PER_CENTER * settings.n_clusters))?;
    let small = Cloud::new(&small)?;
    Ok(cloud.to_working(small.to_data(greedy_landmarks(&small, settings.n_clusters, seed)?)))
}
