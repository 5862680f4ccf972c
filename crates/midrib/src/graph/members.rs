//! Some points of a source, for a closer look.

use crate::error::Result;
use crate::math::Matrix;
use crate::points::Blocks;

/// Some points: used where they are if they are in memory, read once otherwise.
pub(super) struct Members<'g> {
    points: &'g dyn Blocks,
    rows: &'g [usize],
    read: Option<Matrix>,
}

impl<'g> Members<'g> {
    /// The points with these row numbers, which must be complete.
    pub fn new(points: &'g dyn Blocks, rows: &'g [usize]) -> Result<Self> {
        if points.in_memory().is_some() {
            return Ok(Self { points, rows, read: None });
        }
        let read = points.read_rows(rows)?;
        let missing = read.as_slice().iter().filter(|x| x.is_nan()).count();
        points.refuse_missing(missing, "a change of the graph")?;
        Ok(Self { points, rows, read: Some(read) })
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of coordinates of each point.
    pub fn dims(&self) -> usize {
        self.points.dims()
    }

    /// The weight of one of them.
    pub fn weight(&self, at: usize) -> f64 {
        self.points.weight(self.rows[at])
    }

    /// Copies one of them into `row`.
    pub fn copy_row(&self, at: usize, row: &mut [f64]) {
        match (&self.read, self.points.in_memory()) {
            (Some(read), _) => row.copy_from_slice(read.row(at)),
            (None, Some(points)) => points.copy_row(self.rows[at], row),
            (None, None) => {}
        }
    }
}
