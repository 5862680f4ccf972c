//! Methods that take no weights except 0, which leaves a point out.

use crate::error::{Error, Extra, Result};
use crate::points::Cloud;

/// The rows of positive weight, which must all be equal, for `method`.
pub(super) fn rows_with_equal_weight(cloud: &Cloud<'_>, method: &str) -> Result<Vec<usize>> {
    let points = cloud.source();
    let rows: Vec<usize> = (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect();
    let usual = points.weight(rows[0]);
    if let Some(&other) = rows.iter().find(|&&i| points.weight(i) != usual) {
        let reason = format!(
            "no weights except 0, which leaves a point out (point {} has the weight {} and point {} \
             has {usual}): repeat rows instead",
            points.id(other),
            points.weight(other),
            points.id(rows[0])
        );
        return Err(Error::NotTaken { method: method.into(), what: Extra::Weights, reason });
    }
    match rows.len() {
        1 => {
            Err(Error::data("there is a single point: similarities need at least two that differ"))
        }
        n if cloud.spread() == 0.0 => {
            Err(Error::data(format!("all {n} points are equal: there is nothing to learn")))
        }
        _ => Ok(rows),
    }
}
