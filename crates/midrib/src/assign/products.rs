//! The two matrix products of an assignment: points with candidates, and shares with points.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::math::skinny;

/// Up to this many dimensions products are done by [`skinny`].
const FEW_DIMS: usize = 12;
/// The logit of a column that stands for no node.
const NOWHERE: f64 = -1e300;

/// Writes `sharpness · (2 y, −‖y‖²)` for each y relative to `center` as a column, so that points
/// followed by a 1 can be multiplied with it; the number of columns, a multiple of
/// [`skinny::LANES`].
pub(super) fn fill_columns<'y>(
    rows: impl ExactSizeIterator<Item = &'y [f64]>,
    center: &[f64],
    sharpness: f64,
    columns: &mut Vec<f64>,
) -> usize {
    let dims = center.len();
    let n_columns = rows.len().next_multiple_of(skinny::LANES);
    let nowhere = n_columns - rows.len();
    columns.clear();
    for row in rows {
        let start = columns.len();
        columns.extend(relative(row, center));
        let squared_norm: f64 = columns[start..].iter().map(|y| y * y).sum();
        for y in &mut columns[start..] {
            *y *= 2.0 * sharpness;
        }
        columns.push(-sharpness * squared_norm);
    }
    for _ in 0..nowhere {
        columns.resize(columns.len() + dims, 0.0);
        columns.push(NOWHERE);
    }
    n_columns
}

/// `out = left · rightᵀ` for n×w and c×w, row-major.
pub(super) fn multiply(
    left: &[f64],
    right: &[f64],
    width: usize,
    turned: &mut Vec<f64>,
    out: &mut [f64],
) {
    let (n, columns) = (left.len() / width, right.len() / width);
    if width <= FEW_DIMS + 1 {
        turned.resize(right.len(), 0.0);
        turn(right, width, turned);
        return skinny::multiply(left, turned, width, out);
    }
    matmul(
        MatMut::from_row_major_slice_mut(out, n, columns),
        Accum::Replace,
        MatRef::from_row_major_slice(left, n, width),
        MatRef::from_row_major_slice(right, columns, width).transpose(),
        1.0,
        Par::Seq,
    );
}

/// `out = rightᵀ · left` for n×c and n×w, row-major.
pub(super) fn accumulate(
    left: &[f64],
    right: &[f64],
    width: usize,
    turned: &mut Vec<f64>,
    out: &mut [f64],
) {
    let (n, columns) = (left.len() / width, out.len() / width);
    if width <= FEW_DIMS + 1 {
        turned.clear();
        turned.resize(out.len(), 0.0);
        skinny::accumulate(left, right, width, turned);
        return turn(turned, columns, out);
    }
    matmul(
        MatMut::from_row_major_slice_mut(out, columns, width),
        Accum::Replace,
        MatRef::from_row_major_slice(right, n, columns).transpose(),
        MatRef::from_row_major_slice(left, n, width),
        1.0,
        Par::Seq,
    );
}

/// The transpose of a matrix with rows of `width`.
fn turn(matrix: &[f64], width: usize, out: &mut [f64]) {
    let height = matrix.len() / width;
    for (i, row) in matrix.chunks_exact(width).enumerate() {
        for (j, &x) in row.iter().enumerate() {
            out[j * height + i] = x;
        }
    }
}

pub(super) fn relative<'y>(y: &'y [f64], center: &'y [f64]) -> impl Iterator<Item = f64> + 'y {
    y.iter().zip(center).map(|(y, c)| y - c)
}
