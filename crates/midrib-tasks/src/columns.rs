//! Columns and rows of points as numbers.

use midrib::Points;
use midrib::math::Matrix;

/// One column of points.
pub fn column_of(points: &Points<'_>, column: usize) -> Vec<f64> {
    let mut row = vec![0.0; points.dims()];
    let values = (0..points.len()).map(|i| {
        points.copy_row(i, &mut row);
        row[column]
    });
    values.collect()
}

/// The points as a matrix.
pub fn rows_of(points: &Points<'_>) -> Matrix {
    let mut rows = Matrix::zeros(points.len(), points.dims());
    for i in 0..points.len() {
        points.copy_row(i, rows.row_mut(i));
    }
    rows
}

/// Two columns of some rows.
pub fn two_columns<'r>(
    rows: impl ExactSizeIterator<Item = &'r [f64]>,
    columns: [usize; 2],
) -> Matrix {
    let mut picked = Matrix::zeros(rows.len(), 2);
    for (i, row) in rows.enumerate() {
        picked.row_mut(i).copy_from_slice(&columns.map(|column| row[column]));
    }
    picked
}

/// The first column of some rows on a horizontal line.
pub fn on_a_line(rows: &Matrix) -> Matrix {
    let mut picked = Matrix::zeros(rows.n_rows(), 2);
    for (i, row) in rows.rows().enumerate() {
        picked.row_mut(i)[0] = row[0];
    }
    picked
}
