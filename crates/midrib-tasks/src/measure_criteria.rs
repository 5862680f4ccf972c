//! How well results represent points.

use std::path::PathBuf;

use midrib::measure::{Criteria, criteria};
use midrib_io::Model;

use crate::error::Result;
use crate::open::{TrainingRequest, open_training_table};

/// What was measured of results.
#[derive(Clone, Debug)]
pub struct MeasuredResults {
    /// The criteria.
    pub criteria: Criteria,
    /// The table of the points.
    pub table: PathBuf,
}

/// Measures results by the four criteria: on the table that they were learned from, or on another with
/// the same columns. The first label holds the classes.
pub fn measure_criteria(request: &TrainingRequest<'_>) -> Result<MeasuredResults> {
    let model = Model::read(request.results)?;
    let table = open_training_table(request, &model)?;
    let labels = table.labels.first().map(|labels| labels.values.as_slice());
    let criteria = criteria(&model.object, &table.points, labels)?;
    Ok(MeasuredResults { criteria, table: table.path })
}
