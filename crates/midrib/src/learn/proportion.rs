//! Values that are far too large or too small for the points.

use crate::error::{Error, Result};
use crate::math::Matrix;

/// The largest value in working units, where the points fill the unit box: the squares of larger
/// values overflow.
const LARGEST: f64 = 1e60;

/// A bandwidth in working units; `unit` is the square of a working unit of length.
pub(super) fn working_bandwidth(bandwidth: f64, unit: f64) -> Result<f64> {
    let working = bandwidth / unit;
    check_proportion("bandwidth", bandwidth, working, unit)?;
    Ok(working)
}

/// Refuses a setting that is far too large or too small in working units; `unit` is the square of
/// a working unit of length.
pub(super) fn check_proportion(name: &str, given: f64, working: f64, unit: f64) -> Result<()> {
    if (1.0 / LARGEST..LARGEST).contains(&working) {
        return Ok(());
    }
    let reason = format!(
        "is out of all proportion to the points, whose extent is about {:.1e}",
        unit.sqrt()
    );
    Err(Error::setting(name, format!("{given:e}"), reason))
}

/// Refuses starting nodes that are far away from the points, in working coordinates.
pub(super) fn check_distance(nodes: &Matrix) -> Result<()> {
    match nodes.as_slice().iter().position(|x| x.is_nan() || x.abs() >= LARGEST) {
        Some(i) => Err(Error::data(format!(
            "starting node {} is out of all proportion to the points",
            i / nodes.n_cols()
        ))),
        None => Ok(()),
    }
}
