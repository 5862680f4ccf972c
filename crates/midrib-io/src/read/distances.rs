//! Pairwise distances: a square matrix, or its upper triangle.

use std::path::Path;

use midrib::math::Matrix;
use midrib::{Distances, Points};

use super::source::Source;
use super::{Format, ReadOptions, Table, format, npy, read};
use crate::error::{Error, Result};

/// Pairwise distances, and the names of the points where the file has them.
#[derive(Clone, Debug)]
pub struct DistanceTable {
    /// The distances.
    pub distances: Distances,
    /// The names of the points.
    pub ids: Option<Vec<String>>,
}

/// Reads distances from a CSV, NPY or other table of numbers: a square matrix, whose columns may be
/// named by the points, or the upper triangle without the diagonal as one row or column (SciPy's
/// `pdist`).
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("distances.csv");
/// std::fs::write(&path, "a,b,c\n0,3,5\n3,0,4\n5,4,0\n")?;
/// let table = midrib_io::read_distances(&path)?;
/// assert_eq!((table.distances.get(0, 2), table.ids.unwrap()[1].as_str()), (5.0, "b"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_distances(path: &Path) -> Result<DistanceTable> {
    let source = Source::open(path)?;
    let is_npy = format::detect(path, source.start())? == Format::Npy;
    let table = if is_npy {
        npy::read_vector_or_matrix(source)?
    } else {
        drop(source);
        // A missing value is refused below, as no distance.
        read(path, &ReadOptions { gaps: true, ..ReadOptions::default() })?
    };
    let Table { points, features, named, .. } = table;
    let (rows, columns) = (points.len(), points.dims());
    let failed = |error: midrib::Error| Error::data(path, error.to_string());
    if columns == 1 || rows == 1 {
        let distances = Distances::from_condensed(&values(&points)).map_err(failed)?;
        return Ok(DistanceTable { distances, ids: None });
    }
    if rows != columns {
        let reason = format!(
            "has {rows} rows of {columns} numbers; give a square matrix of distances, or its upper \
             triangle as one row or column"
        );
        return Err(Error::data(path, reason));
    }
    let matrix = Matrix::new(rows, columns, values(&points)).map_err(failed)?;
    let distances = Distances::new(matrix).map_err(failed)?;
    Ok(DistanceTable { distances, ids: named.then_some(features) })
}

/// All values, row after row.
fn values(points: &Points<'_>) -> Vec<f64> {
    let mut values = vec![0.0; points.len() * points.dims()];
    for (i, row) in values.chunks_exact_mut(points.dims()).enumerate() {
        points.copy_row(i, row);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(name: &str, text: &str) -> std::result::Result<DistanceTable, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        read_distances(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn square_and_condensed_tables_are_the_same() {
        let square = read_text("d.csv", "0,3,5\n3,0,4\n5,4,0\n").unwrap();
        for condensed in ["3\n5\n4\n", "3,5,4\n"] {
            assert_eq!(read_text("d.csv", condensed).unwrap().distances, square.distances);
        }
        assert!(square.ids.is_none());
    }

    #[test]
    fn what_is_not_a_distance_is_named() {
        for (text, expected) in [
            ("0,3\n3,0\n5,4\n", "has 3 rows of 2 numbers"),
            ("0,3\n2,0\n", "row 2, column 1: 2 differs from 3"),
            ("0,-3\n-3,0\n", "row 2, column 1: -3 is not a distance"),
            ("3\n5\n", "N(N-1)/2 values"),
        ] {
            let error = read_text("d.csv", text).unwrap_err();
            assert!(error.contains("d.csv: ") && error.contains(expected), "{error}");
        }
        for file in ["0,nan\nnan,0\n", "0,\n,0\n"] {
            let error = read_text("d.csv", file).unwrap_err();
            assert!(error.contains("row 2, column 1: NaN is not a distance"), "{error}");
        }
    }
}
