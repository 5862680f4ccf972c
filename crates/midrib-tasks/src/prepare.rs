//! Points prepared as those that a model was learned from.

use midrib::Points;
use midrib_io::Model;

use crate::error::Result;

/// Points as the object knows them: prepared like those that it was learned from.
pub fn prepare_like<'a>(model: &Model, points: Points<'a>) -> Result<Points<'a>> {
    Ok(match &model.input.prepare {
        Some(transform) => transform.apply(&points)?,
        None => points,
    })
}
