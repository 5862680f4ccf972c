//! Features of points that are to be followed along a graph: any table, or a matrix of a `.h5ad` file,
//! sparse as it is stored.

use std::path::PathBuf;

use midrib::trend::{FeatureTable, Layout, Numbers};

use crate::error::Result;

/// Features that were read.
#[derive(Clone, Debug)]
pub struct Features {
    /// The file.
    pub path: PathBuf,
    /// The points' names; `None` where the file has none.
    pub ids: Option<Vec<String>>,
    /// The features' names.
    pub names: Vec<String>,
    /// The matrix of a `.h5ad` file that was read.
    pub representation: Option<String>,
    /// The number of points.
    pub rows: usize,
    pub(super) stored: Stored,
}

/// The values.
#[derive(Clone, Debug)]
pub(super) enum Stored {
    /// Row after row.
    Dense(Vec<f64>),
    /// By row or by column: where lines start, indices, values.
    Sparse { by_row: bool, starts: Vec<u64>, indices: Vec<u32>, values: Vec<f64> },
}

impl Features {
    /// The values, one feature per column.
    pub fn table(&self) -> Result<FeatureTable<'_>> {
        let (layout, values) = match &self.stored {
            Stored::Dense(values) => (Layout::Dense, values),
            Stored::Sparse { by_row: true, starts, indices, values } => {
                (Layout::Rows { starts, indices }, values)
            }
            Stored::Sparse { by_row: false, starts, indices, values } => {
                (Layout::Columns { starts, indices }, values)
            }
        };
        let values = Numbers::Double(values);
        Ok(FeatureTable::new(self.rows, self.names.len(), layout, values)?)
    }
}
