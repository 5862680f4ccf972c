//! The sparse matrix that maps the weights of pairs to the rows they rebuild.

use super::mapping::{Entries, Mapping, pick, put};
use crate::math::simd::{Work, add, dispatch, short_dot};

/// Column {a, b} holds row b at the values of row a, and row a at those of row b.
#[derive(Debug)]
pub(super) struct PairMatrix {
    pub n_rows: usize,
    pub dims: usize,
    /// The rows, one after the other.
    pub rows: Vec<f64>,
    pub pairs: Vec<(usize, usize)>,
    /// Where each row's part of `incident` starts.
    first: Vec<usize>,
    incident: Vec<Incident>,
    /// The values that are rebuilt, ascending, if these are not all.
    pub live: Option<Vec<usize>>,
}

/// One pair as seen from one of its ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incident {
    pub pair: usize,
    /// The other end.
    pub other: usize,
}

impl PairMatrix {
    /// `pairs` are sorted, without repetition, and name rows that exist.
    pub fn new(n_rows: usize, dims: usize, rows: Vec<f64>, pairs: Vec<(usize, usize)>) -> Self {
        let mut first = vec![0; n_rows + 1];
        for &(a, b) in &pairs {
            first[a + 1] += 1;
            first[b + 1] += 1;
        }
        for row in 0..n_rows {
            first[row + 1] += first[row];
        }
        let mut fill = first.clone();
        let mut incident = vec![Incident { pair: 0, other: 0 }; 2 * pairs.len()];
        for (pair, &(a, b)) in pairs.iter().enumerate() {
            for (end, other) in [(a, b), (b, a)] {
                incident[fill[end]] = Incident { pair, other };
                fill[end] += 1;
            }
        }
        Self { n_rows, dims, rows, pairs, first, incident, live: None }
    }

    /// The matrix of some pairs and some values alone, both in ascending order.
    pub fn restricted(&self, pairs: &[usize], values: &[usize]) -> Self {
        let pairs = pick(&self.pairs, pairs);
        let whole = Self::new(self.n_rows, self.dims, self.rows.clone(), pairs);
        Self { live: Some(values.to_vec()), ..whole }
    }

    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.rows[row * self.dims..(row + 1) * self.dims]
    }

    /// The pairs at a row, in their order.
    #[inline(always)]
    pub fn incident(&self, row: usize) -> &[Incident] {
        &self.incident[self.first[row]..self.first[row + 1]]
    }
}

impl Mapping for PairMatrix {
    fn rebuild_to(&self, weights: &[f64], rebuilt: &mut Vec<f64>) {
        rebuilt.resize(self.rows.len(), 0.0);
        dispatch(Rebuild { matrix: self, weights, rebuilt });
        if let Some(live) = &self.live {
            *rebuilt = pick(rebuilt, live);
        }
    }

    fn earnings_to(&self, multipliers: &[f64], earned: &mut Vec<f64>) {
        earned.resize(self.pairs.len(), 0.0);
        let mut all = Vec::new();
        let multipliers = match &self.live {
            None => multipliers,
            Some(live) => {
                all.resize(self.rows.len(), 0.0);
                put(&mut all, live, multipliers);
                &all
            }
        };
        dispatch(Earn { matrix: self, multipliers, earned });
    }
}

impl Entries for PairMatrix {
    fn entries(&self, value: usize) -> Vec<(usize, f64)> {
        let (row, d) = (value / self.dims, value % self.dims);
        self.incident(row).iter().map(|at| (at.pair, self.row(at.other)[d])).collect()
    }

    fn column_sums(&self, of: fn(f64) -> f64) -> Vec<f64> {
        let sums: Vec<f64> =
            (0..self.n_rows).map(|row| self.row(row).iter().map(|x| of(*x)).sum()).collect();
        self.pairs.iter().map(|&(a, b)| sums[a] + sums[b]).collect()
    }
}

/// The work of [`Mapping::rebuild_to`].
struct Rebuild<'t> {
    matrix: &'t PairMatrix,
    weights: &'t [f64],
    rebuilt: &'t mut [f64],
}

impl Work for Rebuild<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, weights, rebuilt } = self;
        for (row, rebuilt) in rebuilt.chunks_exact_mut(matrix.dims.max(1)).enumerate() {
            rebuilt.fill(0.0);
            for at in matrix.incident(row) {
                add::<FMA>(weights[at.pair], matrix.row(at.other), rebuilt);
            }
        }
    }
}

/// The work of [`Mapping::earnings_to`].
struct Earn<'t> {
    matrix: &'t PairMatrix,
    multipliers: &'t [f64],
    earned: &'t mut [f64],
}

impl Work for Earn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, multipliers, earned } = self;
        let of = |row: usize| &multipliers[row * matrix.dims..][..matrix.dims];
        for (earned, &(a, b)) in earned.iter_mut().zip(&matrix.pairs) {
            *earned =
                short_dot::<FMA>(matrix.row(b), of(a)) + short_dot::<FMA>(matrix.row(a), of(b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_are_those_of_the_whole_where_it_is_undecided(
            dims in 1_usize..7,
            ends in proptest::collection::btree_set((0_usize..9, 1_usize..9), 1..30),
            keeps in proptest::collection::vec(proptest::bool::ANY, 80),
            numbers in proptest::collection::vec(-1.0_f64..1.0, 80),
        ) {
            let n_rows = 9;
            let all: Vec<(usize, usize)> =
                ends.into_iter().filter(|(a, by)| a + by < n_rows).map(|(a, by)| (a, a + by)).collect();
            let rows: Vec<f64> = numbers[..n_rows * dims].to_vec();
            let whole = PairMatrix::new(n_rows, dims, rows, all.clone());
            let pairs: Vec<usize> = (0..all.len()).filter(|&pair| keeps[pair]).collect();
            // Rows of no value at all among them.
            let is_live = |value: &usize| keeps[79 - value] && value / dims != 4;
            let values: Vec<usize> = (0..n_rows * dims).filter(is_live).collect();
            let live = whole.restricted(&pairs, &values);

            let mut weights = vec![0.0; all.len()];
            pairs.iter().for_each(|&pair| weights[pair] = numbers[79 - pair]);
            let mut multipliers = vec![0.0; n_rows * dims];
            values.iter().for_each(|&value| multipliers[value] = numbers[value]);
            let part = |numbers: &[f64], of: &[usize]| of.iter().map(|&i| numbers[i]).collect();
            let close = |found: Vec<f64>, expected: Vec<f64>| {
                found.len() == expected.len()
                    && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14)
            };
            let of_pairs: Vec<f64> = part(&weights, &pairs);
            prop_assert!(close(live.rebuild(&of_pairs), part(&whole.rebuild(&weights), &values)));
            let of_values: Vec<f64> = part(&multipliers, &values);
            prop_assert!(close(live.earnings(&of_values), part(&whole.earnings(&multipliers), &pairs)));
        }
    }
}
