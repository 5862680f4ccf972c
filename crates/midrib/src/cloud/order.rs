//! An order of the points in which neighbours follow each other.

use rayon::prelude::*;

use super::{CHUNK_ROWS, Cloud};

/// Cells of this many points are split no further.
const SMALL_CELL: usize = 64;
/// Points from which a cell's widest coordinate is found.
const LOOKED_AT: usize = 256;
/// Cells from this size on are worked on in parallel.
const LARGE_CELL: usize = 1 << 13;

/// The row numbers, sorted by place within each chunk: cells are halved at the median of their
/// widest coordinate. A chunk is ordered as if there were no other, and rows that are read together
/// lie close together in a file.
pub(super) fn by_place(cloud: &Cloud<'_>) -> Vec<u32> {
    let mut keyed: Vec<(f64, u32)> = (0..cloud.len() as u32).map(|i| (0.0, i)).collect();
    keyed.par_chunks_mut(CHUNK_ROWS).for_each(|chunk| halve(cloud, chunk));
    keyed.into_iter().map(|(_, i)| i).collect()
}

fn halve(cloud: &Cloud<'_>, cell: &mut [(f64, u32)]) {
    if cell.len() <= SMALL_CELL {
        cell.sort_unstable_by_key(|&(_, i)| i);
        return;
    }
    let widest = widest_coordinate(cloud, cell);
    for (key, i) in cell.iter_mut() {
        *key = cloud.points().value(*i as usize, widest);
    }
    // Of equal keys the smaller row number goes first, so that the halves are unique.
    let middle = cell.len() / 2;
    cell.select_nth_unstable_by(middle, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let parallel = cell.len() >= LARGE_CELL;
    let (left, right) = cell.split_at_mut(middle);
    if parallel {
        rayon::join(|| halve(cloud, left), || halve(cloud, right));
    } else {
        halve(cloud, left);
        halve(cloud, right);
    }
}

/// The coordinate with the largest variance among some of the cell's points.
fn widest_coordinate(cloud: &Cloud<'_>, cell: &[(f64, u32)]) -> usize {
    let dims = cloud.dims();
    let mut row = vec![0.0; dims];
    let mut sums = vec![(0.0, 0.0); dims];
    let step = cell.len().div_ceil(LOOKED_AT);
    for &(_, i) in cell.iter().step_by(step) {
        cloud.copy_row(i as usize, &mut row);
        for ((sum, squares), x) in sums.iter_mut().zip(&row) {
            *sum += x;
            *squares += x * x;
        }
    }
    let looked_at = cell.len().div_ceil(step) as f64;
    let variance = |&(sum, squares): &(f64, f64)| squares - sum * sum / looked_at;
    let widest = (0..dims).max_by(|&a, &b| variance(&sums[a]).total_cmp(&variance(&sums[b])));
    widest.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    #[test]
    fn every_row_appears_once_and_cells_are_compact() {
        let n = 4096;
        let values: Vec<f64> = (0..n).flat_map(|i| [f64::from(i * 37 % n), 0.5]).collect();
        let points = Points::from_f64(&values, 2).unwrap();
        let order = by_place(&Cloud::new(&points).unwrap());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..n as u32));
        for cell in order.chunks(SMALL_CELL) {
            let places = cell.iter().map(|&i| values[2 * i as usize]);
            let lowest = places.clone().fold(f64::INFINITY, f64::min);
            assert!(places.fold(0.0, f64::max) - lowest < SMALL_CELL as f64);
        }
    }
}
