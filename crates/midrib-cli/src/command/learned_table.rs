//! The points that a graph was learned from, read and prepared once more.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib_io::{Labels, Model, ReadOptions, read_again};
use midrib_report::DrawnTable;

use super::project::refuse_kernel;
use crate::exit::{Failure, Outcome, shown};
use crate::memory::Memory;

/// Points as they were learned from, and what else their table holds.
pub struct LearnedTable {
    pub path: PathBuf,
    /// Prepared as for the fit.
    pub points: Points<'static>,
    pub labels: Vec<Labels>,
    /// The columns as they are in the table.
    pub drawn: DrawnTable,
}

impl LearnedTable {
    /// Reads the table that is named, or the one that the model was learned from, in the same way.
    pub fn read(
        results: &Path,
        model: &Model,
        table: Option<&Path>,
        asked: &ReadOptions,
        max_memory: Memory,
    ) -> Outcome<Self> {
        let (path, read) = read_again(results, model, table, asked)?;
        let drawn = DrawnTable::of(&read.points, &model.input.features);
        let points = match &model.input.prepare {
            None => read.points,
            Some(transform) => {
                refuse_kernel(transform, read.points.len(), max_memory)?;
                transform
                    .apply(&read.points)
                    .map_err(|error| Failure::from(error).of_table(&path))?
            }
        };
        Ok(Self { path, points, labels: read.labels, drawn })
    }

    /// Refuses a table that cannot be the one whose points have their places on the graph.
    pub fn of_rows(self, n: usize) -> Outcome<Self> {
        match self.points.len() {
            rows if rows == n => Ok(self),
            rows => Err(Failure::bad_data(format!(
                "{}: has {rows} rows, the model was learned from {n}",
                shown(&self.path)
            ))),
        }
    }
}
