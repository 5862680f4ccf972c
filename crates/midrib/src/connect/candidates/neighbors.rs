//! The exact nearest neighbours of every row among the others.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use crate::math::{Matrix, Nearest, SpaceTree, squared_distance};

/// Up to this dimension a space tree beats comparing all pairs.
const FEW_DIMS: usize = 8;
/// Rows per leaf of the space tree.
const LEAF: usize = 8;
/// Rows per tile of the comparison of all pairs.
const TILE: usize = 128;
/// Rounding of a squared distance by matrix products, as a share of the squared lengths.
const ROUNDING: f64 = 1e-13;

/// The `k` nearest other rows of each row, nearest first; ties go to the smaller index.
/// `k` is below the number of rows.
pub(crate) fn neighbors(rows: &Matrix, k: usize) -> Vec<Vec<u32>> {
    if rows.n_cols() <= FEW_DIMS { by_tree(rows, k) } else { by_tiles(rows, k) }
}

fn by_tree(rows: &Matrix, k: usize) -> Vec<Vec<u32>> {
    let tree = SpaceTree::of_points(rows, LEAF);
    (0..rows.n_rows())
        .into_par_iter()
        .map(|row| {
            let x = rows.row(row);
            // One more: the row is usually its own nearest.
            let near = tree.nearest_several(x, k + 1, |i| squared_distance(x, rows.row(i)));
            let others = near.iter().map(|near| near.0 as u32).filter(|&i| i as usize != row);
            others.take(k).collect()
        })
        .collect()
}

/// Products of tiles bound the distances; those that could matter are measured exactly.
fn by_tiles(rows: &Matrix, k: usize) -> Vec<Vec<u32>> {
    let (n, dims) = (rows.n_rows(), rows.n_cols());
    let mut mean = vec![0.0; dims];
    for row in rows.rows() {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / n as f64);
    }
    let centered: Vec<f64> =
        rows.rows().flat_map(|row| row.iter().zip(&mean).map(|(x, mean)| x - mean)).collect();
    let lengths: Vec<f64> =
        centered.chunks_exact(dims).map(|row| row.iter().map(|x| x * x).sum()).collect();
    let all = MatRef::from_column_major_slice(&centered, dims, n);
    (0..n.div_ceil(TILE))
        .into_par_iter()
        .flat_map_iter(|tile| {
            let queries = tile * TILE..((tile + 1) * TILE).min(n);
            let mut nearest = vec![Nearest::new(k); queries.len()];
            let mut products = Mat::<f64>::zeros(TILE, queries.len());
            for start in (0..n).step_by(TILE) {
                let others = start..(start + TILE).min(n);
                let mut products = products.as_mut().subrows_mut(0, others.len());
                let block = all.subcols(start, others.len()).transpose();
                let right = all.subcols(queries.start, queries.len());
                matmul(products.as_mut(), Accum::Replace, block, right, 1.0, Par::Seq);
                for (query, nearest) in queries.clone().zip(&mut nearest) {
                    let column = products.as_ref().col(query - queries.start);
                    for (other, product) in others.clone().zip(column.iter()) {
                        let scale = lengths[query] + lengths[other];
                        let least = scale * (1.0 - ROUNDING) - 2.0 * product;
                        let too_far = least > nearest.worst().squared;
                        if other != query && !too_far {
                            let exact = squared_distance(rows.row(query), rows.row(other));
                            nearest.offer(exact, other as u32);
                        }
                    }
                }
            }
            nearest.into_iter().map(|nearest| nearest.kept.iter().map(|best| best.item).collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn both_searches_agree_with_sorting(
            dims in 1_usize..12,
            values in proptest::collection::vec(-6_i32..6, 40..900),
            share in 0.0_f64..1.0,
            shift in prop::sample::select(vec![0.0, 1e6]),
        ) {
            let n = values.len() / dims;
            let data = values[..n * dims].iter().map(|&v| shift + f64::from(v) * 0.1).collect();
            let rows = Matrix::new(n, dims, data).unwrap();
            let k = 1 + (share * (n - 1) as f64) as usize;
            let k = k.min(n - 1);
            let sorted: Vec<Vec<u32>> = (0..n)
                .map(|row| {
                    let mut others: Vec<u32> = (0..n as u32).filter(|&i| i as usize != row).collect();
                    others.sort_by(|&a, &b| {
                        let squared = |i: u32| squared_distance(rows.row(row), rows.row(i as usize));
                        squared(a).total_cmp(&squared(b)).then(a.cmp(&b))
                    });
                    others.truncate(k);
                    others
                })
                .collect();
            prop_assert_eq!(&by_tree(&rows, k), &sorted);
            prop_assert_eq!(&by_tiles(&rows, k), &sorted);
        }
    }
}
