//! An order of rows in which neighbors follow each other.

use super::chunk::Chunk;
use super::working::WorkingFrame;

/// Cells of at most this many points are not split.
const SMALL_CELL: usize = 64;
/// The number of points from which a cell's widest coordinate is estimated.
const EXAMINED: usize = 256;
/// Cells of at least this size are split in parallel.
const LARGE_CELL: usize = 1 << 13;

/// The rows of a chunk, counted from its first, in spatial order: cells are halved at the median of
/// their widest coordinate.
pub(super) fn spatial_order(chunk: &Chunk<'_>, frame: &WorkingFrame) -> Box<[u16]> {
    let mut keyed: Vec<(f64, u32)> = chunk.rows().map(|i| (0.0, i as u32)).collect();
    halve(chunk, frame, &mut keyed);
    let first = chunk.rows().start as u32;
    keyed.into_iter().map(|(_, i)| (i - first) as u16).collect()
}

fn halve(chunk: &Chunk<'_>, frame: &WorkingFrame, cell: &mut [(f64, u32)]) {
    if cell.len() <= SMALL_CELL {
        cell.sort_unstable_by_key(|&(_, i)| i);
        return;
    }
    let widest = widest_coordinate(chunk, frame, cell);
    for (key, i) in cell.iter_mut() {
        *key = chunk.value(*i as usize, widest);
    }
    // Equal keys are ordered by row number, so that the halves are unique.
    let middle = cell.len() / 2;
    cell.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let parallel = cell.len() >= LARGE_CELL;
    let (left, right) = cell.split_at_mut(middle);
    if parallel {
        rayon::join(|| halve(chunk, frame, left), || halve(chunk, frame, right));
    } else {
        halve(chunk, frame, left);
        halve(chunk, frame, right);
    }
}

/// The coordinate with the largest variance among some of the cell's points.
fn widest_coordinate(chunk: &Chunk<'_>, frame: &WorkingFrame, cell: &[(f64, u32)]) -> usize {
    let dims = chunk.dims();
    let mut row = vec![0.0; dims];
    let mut sums = vec![(0.0, 0.0); dims];
    let step = cell.len().div_ceil(EXAMINED);
    for &(_, i) in cell.iter().step_by(step) {
        chunk.copy_row(i as usize, &mut row);
        frame.enter(&mut row);
        for ((sum, squares), x) in sums.iter_mut().zip(&row) {
            *sum += x;
            *squares += x * x;
        }
    }
    let examined = cell.len().div_ceil(step) as f64;
    let variance = |&(sum, squares): &(f64, f64)| squares - sum * sum / examined;
    let widest = (0..dims).max_by(|&a, &b| variance(&sums[a]).total_cmp(&variance(&sums[b])));
    widest.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::{Cloud, Points};

    #[test]
    fn every_row_appears_once_and_cells_are_compact() {
        let n = 4096;
        let values: Vec<f64> = (0..n).flat_map(|i| [f64::from(i * 37 % n), 0.5]).collect();
        let points = Points::from_f64(&values, 2).unwrap();
        let order = Cloud::new(&points).unwrap().spatial_order().unwrap();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..n as u32));
        for cell in order.chunks(SMALL_CELL) {
            let positions = cell.iter().map(|&i| values[2 * i as usize]);
            let lowest = positions.clone().fold(f64::INFINITY, f64::min);
            assert!(positions.fold(0.0, f64::max) - lowest < SMALL_CELL as f64);
        }
    }
}
