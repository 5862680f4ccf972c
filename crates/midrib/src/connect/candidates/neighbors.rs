//! The exact nearest neighbours of every row among the others.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::math::simd::{Work, dispatch, fused};
use crate::math::{Matrix, Nearest, SpaceTree, squared_distance};

/// Up to this dimension a space tree beats comparing all pairs.
const FEW_DIMS: usize = 8;
/// Rows per leaf of the space tree.
const LEAF: usize = 8;
/// Rows per tile of the comparison of all pairs.
const QUERIES: usize = 16;
/// Rows that these are compared with at once.
const OTHERS: usize = 512;
/// Rows that are looked at side by side; as many of these share the bound of the nearest.
const GROUP: usize = 8;
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
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let all = MatRef::from_column_major_slice(&centered, dims, n);
    (0..n.div_ceil(QUERIES))
        .into_par_iter()
        .map_init(Vec::new, |room, tile| {
            let queries = tile * QUERIES..((tile + 1) * QUERIES).min(n);
            let mut nearest = vec![Nearest::new(k); queries.len()];
            room.resize(OTHERS.min(n) * QUERIES, 0.0);
            let mut near = Vec::new();
            for start in (0..n).step_by(OTHERS) {
                let others = start..(start + OTHERS).min(n);
                let products = &mut room[..others.len() * queries.len()];
                matmul(
                    MatMut::from_column_major_slice_mut(products, others.len(), queries.len()),
                    Accum::Replace,
                    all.subcols(start, others.len()).transpose(),
                    all.subcols(queries.start, queries.len()),
                    1.0,
                    Par::Seq,
                );
                let products = products.chunks_exact_mut(others.len());
                for ((query, nearest), products) in queries.clone().zip(&mut nearest).zip(products)
                {
                    if others.contains(&query) {
                        products[query - start] = f64::NEG_INFINITY;
                    }
                    let (own, lengths) = (lengths[query], &lengths[others.clone()]);
                    let slack = 3.0 * ROUNDING * (own + longest);
                    near.clear();
                    dispatch(Bounds { products, own, lengths, k, slack, near: &mut near });
                    for &at in &near {
                        let too_far = products[at] > nearest.worst().squared;
                        if start + at != query && !too_far {
                            let exact = squared_distance(rows.row(query), rows.row(start + at));
                            nearest.offer(exact, (start + at) as u32);
                        }
                    }
                }
            }
            let items = |nearest: Nearest| nearest.kept.iter().map(|best| best.item).collect();
            nearest.into_iter().map(items).collect::<Vec<Vec<u32>>>()
        })
        .flatten_iter()
        .collect()
}

/// Makes products of a row with others what their squared distances are at least, and finds the
/// `k` nearest of them, with some that are little farther.
struct Bounds<'a> {
    products: &'a mut [f64],
    own: f64,
    lengths: &'a [f64],
    k: usize,
    /// What a bound may be wrong by; where that is infinite, all are near.
    slack: f64,
    near: &'a mut Vec<usize>,
}

impl Work for Bounds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { products, own, lengths, k, slack, near } = self;
        if !slack.is_finite() {
            products.fill(f64::NEG_INFINITY);
            near.extend(0..products.len());
            return;
        }
        for (product, length) in products.iter_mut().zip(lengths) {
            let scale = (own + length) * (1.0 - ROUNDING);
            *product = fused::<FMA>(*product, -2.0, scale);
        }
        // Rows that stand a group apart from one another share a least bound.
        let mut least = [[f64::INFINITY; GROUP]; OTHERS / GROUP / GROUP];
        let (groups, rest) = products.as_chunks::<GROUP>();
        for (least, groups) in least.iter_mut().zip(groups.chunks(GROUP)) {
            let mut lanes = *least;
            for group in groups {
                for lane in 0..GROUP {
                    lanes[lane] = if group[lane] < lanes[lane] { group[lane] } else { lanes[lane] };
                }
            }
            *least = lanes;
        }
        let least = least.as_flattened_mut();
        let mut far = f64::INFINITY;
        if k <= least.len() {
            far = *least.select_nth_unstable_by(k - 1, f64::total_cmp).1 + slack;
        }
        for (at, group) in groups.iter().enumerate() {
            let mut is_near = false;
            for bound in group {
                is_near |= *bound <= far;
            }
            if is_near {
                for (lane, bound) in group.iter().enumerate() {
                    if *bound <= far {
                        near.push(at * GROUP + lane);
                    }
                }
            }
        }
        near.extend(groups.len() * GROUP..groups.len() * GROUP + rest.len());
    }
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
            scale in prop::sample::select(vec![0.1, 1e152, 1e200]),
        ) {
            let n = values.len() / dims;
            let data = values[..n * dims].iter().map(|&v| scale * (shift + f64::from(v))).collect();
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
