//! Dense columns of a factor, one after the other: their own factor, and what they leave below.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::tiles::{COLUMNS, Tiles};
use crate::math::lanes::{LANES, add};
use crate::math::simd::{Work, dispatch, fused};

/// Columns of large fronts that are factored before others hear of it.
const PANEL: usize = 64;
/// Columns that one task takes products from.
const TASK: usize = 32;

/// Factors columns whose diagonal starts in row `first`; false if they are not those of a definite
/// matrix. In the diagonal of the factor stand the inverses of its numbers, above it
/// arbitrary but finite ones.
#[inline(always)]
pub(super) fn factor_columns<const FMA: bool>(
    own: &mut [f64],
    height: usize,
    first: usize,
) -> bool {
    let width = own.len() / height;
    for start in (0..width).step_by(COLUMNS) {
        let (columns, rest) = own.split_at_mut(start * height);
        let panel = &mut rest[..COLUMNS.min(width - start) * height];
        let diagonal = first + start;
        let tiles = Tiles { columns, height, first: diagonal, least: 0 };
        tiles.products::<FMA>(panel.len() / height, |column, row, sums| {
            let to = &mut panel[column * height + row..][..sums.len()];
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to -= sum);
        });
        let is_definite = match panel.len() / height {
            1 => factor_panel::<FMA, 1>(panel, diagonal),
            2 => factor_panel::<FMA, 2>(panel, diagonal),
            3 => factor_panel::<FMA, 3>(panel, diagonal),
            _ => factor_panel::<FMA, COLUMNS>(panel, diagonal),
        };
        if !is_definite {
            return false;
        }
    }
    true
}

/// Factors `P` columns, the first of them with its diagonal in the given row.
#[inline(always)]
fn factor_panel<const FMA: bool, const P: usize>(panel: &mut [f64], diagonal: usize) -> bool {
    let height = panel.len() / P;
    // The square of their own rows first: its columns wait for one another.
    let mut square = [[0.0; P]; P];
    for k in 0..P {
        square[k].copy_from_slice(&panel[k * height + diagonal..][..P]);
    }
    let mut inverses = [0.0; P];
    for k in 0..P {
        for i in 0..k {
            for row in k..P {
                square[k][row] = fused::<FMA>(-square[i][k], square[i][row], square[k][row]);
            }
        }
        let pivot = square[k][k].sqrt();
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        inverses[k] = 1.0 / pivot;
        for x in &mut square[k][k + 1..] {
            *x *= inverses[k];
        }
        square[k][k] = inverses[k];
    }
    // From the last rows up: the topmost lanes may reach into the square, which is put in place
    // after, and above it, where no number counts.
    let (first, mut end) = (diagonal + P, height);
    while end > first && end >= LANES {
        let row = end - LANES;
        end = row;
        let mut lanes = [[0.0; LANES]; P];
        for k in 0..P {
            lanes[k].copy_from_slice(&panel[k * height + row..][..LANES]);
            for i in 0..k {
                let done = lanes[i];
                add::<FMA>(&mut lanes[k], -square[i][k], &done);
            }
            for x in &mut lanes[k] {
                *x *= inverses[k];
            }
            panel[k * height + row..][..LANES].copy_from_slice(&lanes[k]);
        }
    }
    for row in first..end {
        for k in 0..P {
            let mut x = panel[k * height + row];
            for i in 0..k {
                x = fused::<FMA>(-square[i][k], panel[i * height + row], x);
            }
            panel[k * height + row] = x * inverses[k];
        }
    }
    for k in 0..P {
        panel[k * height + diagonal..][..P].copy_from_slice(&square[k]);
    }
    true
}

/// Takes the products of factored columns from the lower triangle of a square of the rows below.
#[inline(always)]
pub(super) fn take_out<const FMA: bool>(own: &[f64], height: usize, square: &mut [f64]) {
    let width = own.len() / height;
    let size = height - width;
    let tiles = Tiles { columns: own, height, first: width, least: width };
    tiles.products::<FMA>(size, |column, row, sums| {
        let to = &mut square[column * size + row - width..][..sums.len()];
        to.iter_mut().zip(sums).for_each(|(to, sum)| *to -= sum);
    });
}

/// Both for columns so large that threads share them and matrix products pay. What stands above the
/// diagonal of the square is undefined after it.
pub(super) fn factor_large(own: &mut [f64], height: usize, square: &mut [f64]) -> bool {
    let width = own.len() / height;
    for first in (0..width).step_by(PANEL) {
        let (panel, rest) = own[first * height..].split_at_mut(PANEL.min(width - first) * height);
        if !dispatch(FactorPanel { panel, height, first }) {
            return false;
        }
        take_products(panel, height, first + PANEL, rest, height);
    }
    take_products(own, height, width, square, height - width);
    true
}

struct FactorPanel<'a> {
    panel: &'a mut [f64],
    height: usize,
    first: usize,
}

impl Work for FactorPanel<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> bool {
        factor_columns::<FMA>(self.panel, self.height, self.first)
    }
}

/// Takes the products of the columns' rows from row `first` on from the lower triangle of the
/// columns `to`, which have the last `size` of these rows.
fn take_products(columns: &[f64], height: usize, first: usize, to: &mut [f64], size: usize) {
    let factor = MatRef::from_column_major_slice(columns, height, columns.len() / height);
    to.par_chunks_mut((TASK * size).max(1)).enumerate().for_each(|(task, to)| {
        let row = first + task * TASK;
        let n_columns = to.len() / size;
        let to = MatMut::from_column_major_slice_mut(to, size, n_columns);
        let factor = factor.subrows(row, height - row);
        matmul(
            to.subrows_mut(size - factor.nrows(), factor.nrows()),
            Accum::Add,
            factor,
            factor.subrows(0, n_columns).transpose(),
            -1.0,
            Par::Seq,
        );
    });
}
