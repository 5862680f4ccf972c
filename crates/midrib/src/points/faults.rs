//! What no source may have: too many rows, weights that cannot be used, infinite values.

use crate::error::{Error, Result};

/// Refuses more rows than row numbers can count.
pub(super) fn check_row_count(rows: usize) -> Result<()> {
    if rows > u32::MAX as usize {
        return Err(Error::data("there are more than 4,294,967,295 points: take a sample"));
    }
    Ok(())
}

/// Refuses weights that cannot be used for so many points.
pub(super) fn check_weights(weights: &[f64], len: usize) -> Result<()> {
    if weights.len() != len {
        return Err(Error::shape("weights", len, weights.len()));
    }
    if let Some(i) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
        return Err(Error::data(format!(
            "weight of row {}: {} is not a finite number of at least 0",
            i + 1,
            weights[i]
        )));
    }
    if weights.iter().all(|&w| w == 0.0) {
        return Err(Error::data("all weights are 0: at least one point must count"));
    }
    Ok(())
}

/// The error about a value that is infinite.
pub(super) fn infinite_value(row: usize, column: usize, source: &str) -> Error {
    let position = format!("row {}, column {}", row + 1, column + 1);
    Error::data(match source {
        "" => format!("{position}: infinite values cannot be used"),
        _ => format!("{source}, {position}: infinite values cannot be used"),
    })
}
