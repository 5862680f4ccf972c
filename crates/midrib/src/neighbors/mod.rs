//! The exact nearest neighbors of every row.

mod differences;
mod near;
mod products;
mod tiles;

use rayon::prelude::*;

use crate::math::simd::dispatch;
use crate::math::{Matrix, SpaceTree, squared_distance};
use differences::Differences;
use near::{Far, Near, infinity};
use products::Products;
use tiles::{OTHERS, Tiles};

/// Up to this dimension a space tree is faster than comparing all pairs, unless the rows fit in one
/// tile.
const FEW_DIMS: usize = 8;
/// Up to this dimension coordinate differences are faster than matrix products.
const NARROW: usize = 12;
/// Rows per leaf of the space tree.
const LEAF: usize = 8;
/// A neighbor that is not found yet.
const NONE: u32 = u32::MAX;

/// The `k` nearest other rows of each row, in any order, row after row; ties go to the smaller
/// index. `k` must be at least 1 and below the number of rows, and all values finite.
pub(crate) fn neighbors(rows: &Matrix, k: usize) -> Vec<u32> {
    if rows.n_cols() <= FEW_DIMS && rows.n_rows() > OTHERS {
        by_tree(rows, k)
    } else if rows.n_cols() <= NARROW {
        by_tiles(&Differences::new(rows), rows, k)
    } else {
        by_tiles(&Products::new(rows), rows, k)
    }
}

fn by_tree(rows: &Matrix, k: usize) -> Vec<u32> {
    let tree = SpaceTree::of_points(rows, LEAF);
    let mut found = vec![NONE; rows.n_rows() * k];
    found.par_chunks_exact_mut(k).enumerate().for_each(|(row, found)| {
        let x = rows.row(row);
        // One more, because the row is usually its own nearest neighbor.
        let near = tree.nearest_several(x, k + 1, |i| squared_distance(x, rows.row(i)));
        let others = near.iter().map(|near| near.0 as u32).filter(|&i| i as usize != row);
        found.iter_mut().zip(others).for_each(|(found, other)| *found = other);
    });
    found
}

/// Computes exact distances only where the bounds allow a nearest neighbor.
fn by_tiles<T: Tiles>(tiles: &T, rows: &Matrix, k: usize) -> Vec<u32> {
    let n = rows.n_rows();
    let mut found = vec![NONE; n * k];
    let bounds = || vec![infinity::<T::Bound>(); OTHERS.min(n) * T::QUERIES];
    found.par_chunks_mut(T::QUERIES * k).enumerate().for_each_init(
        || (bounds(), [0; OTHERS], vec![0.0; T::QUERIES * k], vec![0; T::QUERIES]),
        |(scratch, near, squared, counts), (tile, found)| {
            let queries = tile * T::QUERIES..((tile + 1) * T::QUERIES).min(n);
            counts.fill(0);
            for start in (0..n).step_by(OTHERS) {
                let others = start..(start + OTHERS).min(n);
                let bounds = &mut scratch[..others.len() * queries.len()];
                tiles.bound(queries.clone(), others.clone(), bounds);
                let bounds = bounds.chunks_exact_mut(others.len());
                let kept =
                    squared.chunks_exact_mut(k).zip(found.chunks_exact_mut(k)).zip(&mut *counts);
                for ((query, bounds), kept) in queries.clone().zip(bounds).zip(kept) {
                    let ((squared, found), count) = kept;
                    let mut kept = Kept { squared, found, count };
                    if others.contains(&query) {
                        bounds[query - start] = infinity();
                    }
                    let far = || tiles.within(query, dispatch(Far { bounds, k }));
                    let reach = tiles.reach(kept.farthest().unwrap_or_else(far));
                    let count = dispatch(Near { bounds, reach, near });
                    let x = rows.row(query);
                    for other in near[..count].iter().map(|at| start + *at as usize) {
                        if other != query {
                            let distance = squared_distance(x, rows.row(other));
                            kept.offer(distance, other as u32);
                        }
                    }
                }
            }
        },
    );
    found
}

/// The nearest rows so far; once there are `k`, the farthest of them comes last.
struct Kept<'a> {
    squared: &'a mut [f64],
    found: &'a mut [u32],
    count: &'a mut usize,
}

impl Kept<'_> {
    /// The squared distance beyond which no row is needed; `None` while there are fewer than `k`.
    fn farthest(&self) -> Option<f64> {
        let last = self.found.len() - 1;
        (*self.count > last).then(|| self.squared[last])
    }

    /// Adds a row if it is among the nearest.
    #[inline(always)]
    fn offer(&mut self, distance: f64, row: u32) {
        let Self { squared, found, count } = self;
        let last = found.len() - 1;
        let is_full = **count > last;
        let beyond = |squared: f64, found: u32, than: f64, row: u32| {
            squared > than || (squared == than && found > row)
        };
        if is_full && !beyond(squared[last], found[last], distance, row) {
            return;
        }
        let slot = last.min(**count);
        (squared[slot], found[slot]) = (distance, row);
        **count += usize::from(!is_full);
        if slot == last {
            let mut farthest = last;
            for at in 0..last {
                if beyond(squared[at], found[at], squared[farthest], found[farthest]) {
                    farthest = at;
                }
            }
            squared.swap(farthest, last);
            found.swap(farthest, last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn in_order(mut found: Vec<u32>, k: usize) -> Vec<u32> {
        found.chunks_exact_mut(k).for_each(<[u32]>::sort_unstable);
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn all_searches_match_sorting(
            dims in 1_usize..14,
            n in prop::sample::select(vec![2_usize, 7, 16, 90, 511, 513, 700]),
            values in proptest::collection::vec(-6_i32..6, 900),
            share in 0.0_f64..1.0,
            shift in prop::sample::select(vec![0.0, 1e6]),
            scale in prop::sample::select(vec![0.1, 1e-200, 1e152, 1e200]),
            outlier in prop::sample::select(vec![1.0, 1e9]),
        ) {
            let value = |i: usize| f64::from(values[i % 900]) + (i / 900) as f64 / 4.0;
            let mut data: Vec<f64> = (0..n * dims).map(|i| scale * (shift + value(i))).collect();
            data[..dims].iter_mut().for_each(|x| *x *= outlier);
            let rows = Matrix::new(n, dims, data).unwrap();
            let k = 1 + (share * (n - 1) as f64) as usize;
            let k = k.min(n - 1);
            let sorted: Vec<u32> = (0..n)
                .flat_map(|row| {
                    let mut others: Vec<u32> = (0..n as u32).filter(|&i| i as usize != row).collect();
                    others.sort_by(|&a, &b| {
                        let squared = |i: u32| squared_distance(rows.row(row), rows.row(i as usize));
                        squared(a).total_cmp(&squared(b)).then(a.cmp(&b))
                    });
                    others.truncate(k);
                    in_order(others, k)
                })
                .collect();
            prop_assert_eq!(&in_order(by_tree(&rows, k), k), &sorted);
            let by_differences = by_tiles(&Differences::new(&rows), &rows, k);
            prop_assert_eq!(&in_order(by_differences, k), &sorted);
            let by_products = by_tiles(&Products::new(&rows), &rows, k);
            prop_assert_eq!(&in_order(by_products, k), &sorted);
        }
    }
}
