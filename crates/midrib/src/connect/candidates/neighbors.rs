//! The exact nearest neighbours of every row among the others.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use crate::math::simd::{Work, dispatch, fused};
use crate::math::{Matrix, Nearest, SpaceTree, squared_distance, transposed};

/// Up to this dimension a space tree beats comparing all pairs, unless the rows fit in a tile.
const FEW_DIMS: usize = 8;
/// Up to this dimension differences of coordinates beat matrix products.
const NARROW: usize = 12;
/// Rows per leaf of the space tree.
const LEAF: usize = 8;
/// Rows per tile of the comparison of all pairs.
const QUERIES: usize = 16;
/// Rows of a tile whose distances are summed at once.
const TOGETHER: usize = 4;
/// Rows that these are compared with at once.
const OTHERS: usize = 512;
/// Rows that are looked at side by side; as many of these share the bound of the nearest.
const GROUP: usize = 8;
/// Groups of such bounds.
const SHARES: usize = OTHERS / GROUP / GROUP;
/// Rounding of a squared distance by matrix products, as a share of the squared lengths.
const ROUNDING: f64 = 1e-13;

/// The `k` nearest other rows of each row, nearest first; ties go to the smaller index.
/// `k` is below the number of rows.
pub(crate) fn neighbors(rows: &Matrix, k: usize) -> Vec<Vec<u32>> {
    if rows.n_cols() <= FEW_DIMS && rows.n_rows() > OTHERS {
        by_tree(rows, k)
    } else if rows.n_cols() <= NARROW {
        by_tiles(&Differences::new(rows), rows.n_rows(), k)
    } else {
        by_tiles(&Products::new(rows), rows.n_rows(), k)
    }
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

/// Bounds of squared distances, tile by tile, and the distances themselves.
trait Tiles: Sync {
    /// What the squared distances of each of `queries` to all of `others` are at least.
    fn bound(&self, queries: Range<usize>, others: Range<usize>, bounds: &mut [f64]);

    /// What a bound of this row may be too small by.
    fn slack(&self, query: usize) -> f64;

    /// The squared distance that has this bound.
    fn exact(&self, query: usize, other: usize, bound: f64) -> f64;
}

/// Bounds tell which distances could matter.
fn by_tiles(tiles: &impl Tiles, n: usize, k: usize) -> Vec<Vec<u32>> {
    (0..n.div_ceil(QUERIES))
        .into_par_iter()
        .map_init(
            || (vec![0.0; OTHERS.min(n) * QUERIES], [0; OTHERS]),
            |(room, near), tile| {
                let queries = tile * QUERIES..((tile + 1) * QUERIES).min(n);
                let mut nearest: Vec<_> = queries.clone().map(|_| Nearest::new(k)).collect();
                for start in (0..n).step_by(OTHERS) {
                    let others = start..(start + OTHERS).min(n);
                    let bounds = &mut room[..others.len() * queries.len()];
                    tiles.bound(queries.clone(), others.clone(), bounds);
                    let bounds = bounds.chunks_exact_mut(others.len());
                    for ((query, nearest), bounds) in queries.clone().zip(&mut nearest).zip(bounds)
                    {
                        if others.contains(&query) {
                            bounds[query - start] = f64::INFINITY;
                        }
                        let slack = tiles.slack(query);
                        let count = dispatch(Near { bounds, k, slack, near });
                        for other in near[..count].iter().map(|at| start + *at as usize) {
                            let bound = bounds[other - start];
                            if other != query && bound <= nearest.worst().squared {
                                nearest.offer(tiles.exact(query, other, bound), other as u32);
                            }
                        }
                    }
                }
                let items = |nearest: Nearest| nearest.kept.iter().map(|best| best.item).collect();
                nearest.into_iter().map(items).collect::<Vec<Vec<u32>>>()
            },
        )
        .flatten_iter()
        .collect()
}

/// Distances coordinate by coordinate, with the same bits as one by one.
struct Differences<'a> {
    rows: &'a Matrix,
    columns: Matrix,
}

impl<'a> Differences<'a> {
    fn new(rows: &'a Matrix) -> Self {
        Self { rows, columns: transposed(rows) }
    }
}

impl Tiles for Differences<'_> {
    fn bound(&self, queries: Range<usize>, others: Range<usize>, bounds: &mut [f64]) {
        dispatch(Measure { of: self, queries, others, bounds });
    }

    fn slack(&self, _: usize) -> f64 {
        0.0
    }

    fn exact(&self, _: usize, _: usize, bound: f64) -> f64 {
        bound
    }
}

struct Measure<'a> {
    of: &'a Differences<'a>,
    queries: Range<usize>,
    others: Range<usize>,
    bounds: &'a mut [f64],
}

impl Work for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { of, queries, others, bounds } = self;
        let mut bounds = bounds.chunks_mut(TOGETHER * others.len());
        for first in queries.clone().step_by(TOGETHER) {
            let Some(bounds) = bounds.next() else { return };
            if first + TOGETHER <= queries.end {
                measure::<TOGETHER>(of, first, others.clone(), bounds);
            } else {
                for (query, bounds) in (first..).zip(bounds.chunks_exact_mut(others.len())) {
                    measure::<1>(of, query, others.clone(), bounds);
                }
            }
        }
    }
}

/// The squared distances of `Q` rows from `first` on to others.
#[inline(always)]
fn measure<const Q: usize>(
    of: &Differences<'_>,
    first: usize,
    others: Range<usize>,
    bounds: &mut [f64],
) {
    let x: [&[f64]; Q] = std::array::from_fn(|q| of.rows.row(first + q));
    let (count, rest) = (others.len(), others.len() % GROUP);
    for at in (0..count - rest).step_by(GROUP) {
        let mut sums = [[0.0; GROUP]; Q];
        for (d, column) in of.columns.rows().enumerate() {
            let column = &column[others.start + at..][..GROUP];
            for q in 0..Q {
                for lane in 0..GROUP {
                    let gap = x[q][d] - column[lane];
                    sums[q][lane] += gap * gap;
                }
            }
        }
        for q in 0..Q {
            bounds[q * count + at..][..GROUP].copy_from_slice(&sums[q]);
        }
    }
    for at in count - rest..count {
        for q in 0..Q {
            bounds[q * count + at] = squared_distance(x[q], of.rows.row(others.start + at));
        }
    }
}

/// Distances by products of the centred rows.
struct Products<'a> {
    rows: &'a Matrix,
    centered: Vec<f64>,
    /// Squared lengths.
    lengths: Vec<f64>,
    longest: f64,
}

impl<'a> Products<'a> {
    fn new(rows: &'a Matrix) -> Self {
        let (n, dims) = (rows.n_rows(), rows.n_cols());
        let mut mean = vec![0.0; dims];
        for row in rows.rows() {
            mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / n as f64);
        }
        let mut centered = rows.as_slice().to_vec();
        for row in centered.chunks_exact_mut(dims) {
            row.iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean);
        }
        let length = |row: &[f64]| row.iter().map(|x| x * x).sum();
        let lengths: Vec<f64> = centered.chunks_exact(dims).map(length).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        Self { rows, centered, lengths, longest }
    }
}

impl Tiles for Products<'_> {
    fn bound(&self, queries: Range<usize>, others: Range<usize>, bounds: &mut [f64]) {
        let all =
            MatRef::from_column_major_slice(&self.centered, self.rows.n_cols(), self.lengths.len());
        matmul(
            MatMut::from_column_major_slice_mut(bounds, others.len(), queries.len()),
            Accum::Replace,
            all.subcols(others.start, others.len()).transpose(),
            all.subcols(queries.start, queries.len()),
            1.0,
            Par::Seq,
        );
        let lengths = &self.lengths[others];
        for (query, products) in queries.zip(bounds.chunks_exact_mut(lengths.len())) {
            if self.slack(query).is_finite() {
                dispatch(Bounds { products, own: self.lengths[query], lengths });
            } else {
                products.fill(f64::NEG_INFINITY);
            }
        }
    }

    fn slack(&self, query: usize) -> f64 {
        3.0 * ROUNDING * (self.lengths[query] + self.longest)
    }

    fn exact(&self, query: usize, other: usize, _: f64) -> f64 {
        squared_distance(self.rows.row(query), self.rows.row(other))
    }
}

/// Makes products of a row with others what their squared distances are at least.
struct Bounds<'a> {
    products: &'a mut [f64],
    own: f64,
    lengths: &'a [f64],
}

impl Work for Bounds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (product, length) in self.products.iter_mut().zip(self.lengths) {
            let scale = (self.own + length) * (1.0 - ROUNDING);
            *product = fused::<FMA>(*product, -2.0, scale);
        }
    }
}

/// Finds the `k` rows of the least bounds, with some whose bounds are little larger, and counts
/// them.
struct Near<'a> {
    bounds: &'a [f64],
    k: usize,
    /// What a bound may be too small by; where that is infinite, all are near.
    slack: f64,
    near: &'a mut [u32; OTHERS],
}

impl Work for Near<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> usize {
        let Self { bounds, k, slack, near } = self;
        let (groups, rest) = bounds.as_chunks::<GROUP>();
        // Rows that stand a group apart from one another share a least bound.
        let mut least = [[f64::INFINITY; GROUP]; SHARES];
        for (least, groups) in least.iter_mut().zip(groups.chunks(GROUP)) {
            for group in groups {
                *least = lesser(least, group);
            }
        }
        let mut far = f64::INFINITY;
        if slack.is_finite() {
            // Twice as many shares as wanted rows suffice.
            far = if k <= SHARES * GROUP / 4 {
                let half = SHARES / 2;
                let lesser = |at: usize| lesser(&least[at], &least[half + at]);
                kth_least::<{ SHARES / 2 }>(&std::array::from_fn(lesser), k)
            } else {
                kth_least(&least, k)
            };
            far += slack;
        }
        let mut count = 0;
        for (at, group) in groups.iter().enumerate() {
            let mut is_near = false;
            for bound in group {
                is_near |= *bound <= far;
            }
            if is_near {
                for (lane, bound) in group.iter().enumerate() {
                    near[count] = (at * GROUP + lane) as u32;
                    count += usize::from(*bound <= far);
                }
            }
        }
        for at in bounds.len() - rest.len()..bounds.len() {
            near[count] = at as u32;
            count += 1;
        }
        count
    }
}

#[inline(always)]
fn lesser(a: &[f64; GROUP], b: &[f64; GROUP]) -> [f64; GROUP] {
    let (mut lesser, b) = (*a, *b);
    for lane in 0..GROUP {
        lesser[lane] = if b[lane] < lesser[lane] { b[lane] } else { lesser[lane] };
    }
    lesser
}

/// The largest value that fewer than `k` others are below; infinite if there are fewer than `k`.
#[inline(always)]
fn kth_least<const S: usize>(values: &[[f64; GROUP]; S], k: usize) -> f64 {
    if S * GROUP < k {
        return f64::INFINITY;
    }
    let mut below = [[0.0; GROUP]; S];
    for value in values.as_flattened() {
        for (below, values) in below.iter_mut().zip(values) {
            for lane in 0..GROUP {
                below[lane] += if *value < values[lane] { 1.0 } else { 0.0 };
            }
        }
    }
    let mut largest = [f64::NEG_INFINITY; GROUP];
    for (below, values) in below.iter().zip(values) {
        let mut counting = *values;
        for lane in 0..GROUP {
            counting[lane] = if below[lane] < k as f64 { counting[lane] } else { largest[lane] };
        }
        for lane in 0..GROUP {
            largest[lane] =
                if counting[lane] > largest[lane] { counting[lane] } else { largest[lane] };
        }
    }
    largest.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn all_searches_agree_with_sorting(
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
            prop_assert_eq!(&by_tiles(&Differences::new(&rows), n, k), &sorted);
            prop_assert_eq!(&by_tiles(&Products::new(&rows), n, k), &sorted);
        }
    }
}
