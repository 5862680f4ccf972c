//! The two matrix products of an assignment: points with candidates, and shares with points.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::math::skinny;

/// Up to this many dimensions products are done by [`skinny`].
const FEW_DIMS: usize = 12;
/// The logit of a column that stands for no node.
const NOWHERE: f64 = -1e300;

/// Whether nodes are stored coordinate by coordinate rather than node by node: in few dimensions.
pub(super) fn by_coordinate(width: usize) -> bool {
    width <= FEW_DIMS + 1
}

/// Nodes of a tile, ready to be multiplied with its points.
#[derive(Default)]
pub(super) struct Columns {
    /// `sharpness · (2 y, −‖y‖²)` for each y relative to the tile's center.
    values: Vec<f64>,
    turned: Vec<f64>,
    width: usize,
    /// A multiple of [`skinny::LANES`]; those beyond the nodes stand for none.
    pub count: usize,
}

impl Columns {
    /// Takes up some nodes.
    pub fn fill<'y>(
        &mut self,
        rows: impl ExactSizeIterator<Item = &'y [f64]>,
        center: &[f64],
        sharpness: f64,
    ) {
        let dims = center.len();
        self.width = dims + 1;
        self.count = rows.len().next_multiple_of(skinny::LANES);
        let nowhere = self.count - rows.len();
        self.values.clear();
        for row in rows {
            let start = self.values.len();
            self.values.extend(relative(row, center));
            let squared_norm: f64 = self.values[start..].iter().map(|y| y * y).sum();
            for y in &mut self.values[start..] {
                *y *= 2.0 * sharpness;
            }
            self.values.push(-sharpness * squared_norm);
        }
        for _ in 0..nowhere {
            self.values.resize(self.values.len() + dims, 0.0);
            self.values.push(NOWHERE);
        }
        self.ready();
    }

    /// Replaces each column by what `write` makes of it.
    pub fn rewrite(&mut self, write: impl FnMut(&mut [f64])) {
        self.values.chunks_exact_mut(self.width).for_each(write);
        self.ready();
    }

    fn ready(&mut self) {
        if by_coordinate(self.width) {
            self.turned.resize(self.values.len(), 0.0);
            turn(&self.values, self.width, &mut self.turned);
        }
    }

    /// `out = points · columns` for points followed by a 1, row by row.
    pub fn multiply(&self, points: &[f64], out: &mut Vec<f64>) {
        let (width, n) = (self.width, points.len() / self.width);
        out.resize(n * self.count, 0.0);
        if by_coordinate(width) {
            return skinny::multiply(points, &self.turned, width, out);
        }
        matmul(
            MatMut::from_row_major_slice_mut(out, n, self.count),
            Accum::Replace,
            MatRef::from_row_major_slice(points, n, width),
            MatRef::from_row_major_slice(&self.values, self.count, width).transpose(),
            1.0,
            Par::Seq,
        );
    }
}

/// Sums over the points of a tile, node by node.
#[derive(Default)]
pub(super) struct Gathered {
    values: Vec<f64>,
    turned: Vec<f64>,
}

impl Gathered {
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Adds `sharesᵀ · points` for points of this width.
    pub fn add(&mut self, points: &[f64], shares: &[f64], width: usize) {
        let n = points.len() / width;
        let count = shares.len() / n;
        self.values.resize(count * width, 0.0);
        if by_coordinate(width) {
            return skinny::accumulate(points, shares, width, &mut self.values);
        }
        matmul(
            MatMut::from_row_major_slice_mut(&mut self.values, count, width),
            Accum::Add,
            MatRef::from_row_major_slice(shares, n, count).transpose(),
            MatRef::from_row_major_slice(points, n, width),
            1.0,
            Par::Seq,
        );
    }

    /// The sums of each node.
    pub fn rows(&mut self, width: usize) -> impl Iterator<Item = &[f64]> {
        if by_coordinate(width) {
            self.turned.resize(self.values.len(), 0.0);
            turn(&self.values, self.values.len() / width, &mut self.turned);
            self.turned.chunks_exact(width)
        } else {
            self.values.chunks_exact(width)
        }
    }
}

/// The transpose of a matrix with rows of `width`.
fn turn(matrix: &[f64], width: usize, out: &mut [f64]) {
    let height = matrix.len() / width;
    if width < height {
        for (j, row) in out.chunks_exact_mut(height).enumerate() {
            row.iter_mut().zip(matrix.iter().skip(j).step_by(width)).for_each(|(to, x)| *to = *x);
        }
    } else {
        for (i, row) in matrix.chunks_exact(width).enumerate() {
            let column = out.iter_mut().skip(i).step_by(height);
            column.zip(row).for_each(|(to, x)| *to = *x);
        }
    }
}

pub(super) fn relative<'y>(y: &'y [f64], center: &'y [f64]) -> impl Iterator<Item = f64> + 'y {
    y.iter().zip(center).map(|(y, c)| y - c)
}
