//! The part of the program's matrix that is still undecided: some pairs, some values of the rows.

use std::ops::Range;

use super::mapping::Mapping;
use super::pair_matrix::{Incidence, Incident, OverPairs, PairMatrix};
use crate::math::simd::{Work, dispatch, fused};

/// Entries are filled up with zeros to a multiple of this, so that loops have no ends.
const LANES: usize = 4;

/// Some columns and some values of a [`PairMatrix`], with their entries side by side.
#[derive(Debug)]
pub(super) struct LiveMatrix {
    ends: Vec<(usize, usize)>,
    incidence: Incidence,
    /// Where each row's values start.
    first_value: Vec<usize>,
    /// What each pair at a row has in the row's values, filled up, pair after pair, row after row.
    entries: Vec<f64>,
    /// Where these start for each row.
    first_entry: Vec<usize>,
}

impl LiveMatrix {
    /// The given pairs and values, both in ascending order.
    pub fn new(whole: &PairMatrix, pairs: &[usize], values: &[usize]) -> Self {
        let ends: Vec<_> = pairs.iter().map(|&pair| whole.pairs[pair]).collect();
        let incidence = Incidence::new(whole.n_rows, &ends);
        let mut entries = Vec::new();
        let (mut first_value, mut first_entry) = (vec![0], vec![0]);
        let mut end = 0;
        for row in 0..whole.n_rows {
            let start = end;
            end += values[start..].partition_point(|&value| value < (row + 1) * whole.dims);
            let rest = (end - start).next_multiple_of(LANES) - (end - start);
            for &Incident { other, .. } in incidence.at(row) {
                let neighbor = whole.row(other);
                entries.extend(values[start..end].iter().map(|v| neighbor[v - row * whole.dims]));
                entries.extend(std::iter::repeat_n(0.0, rest));
            }
            first_value.push(end);
            first_entry.push(entries.len());
        }
        Self { ends, incidence, first_value, entries, first_entry }
    }

    /// The entries of a pair at a row, filled up.
    fn filled_up(&self, row: usize) -> usize {
        self.values(row).len().next_multiple_of(LANES)
    }
}

impl OverPairs for LiveMatrix {
    fn n_rows(&self) -> usize {
        self.first_value.len() - 1
    }

    fn pairs(&self) -> &[(usize, usize)] {
        &self.ends
    }

    #[inline(always)]
    fn incident(&self, row: usize) -> &[Incident] {
        self.incidence.at(row)
    }

    #[inline(always)]
    fn values(&self, row: usize) -> Range<usize> {
        self.first_value[row]..self.first_value[row + 1]
    }

    #[inline(always)]
    fn column(&self, row: usize, rank: usize) -> &[f64] {
        let start = self.first_entry[row] + rank * self.filled_up(row);
        &self.entries[start..][..self.values(row).len()]
    }
}

impl Mapping for LiveMatrix {
    fn rebuild(&self, weights: &[f64]) -> Vec<f64> {
        dispatch(Rebuild { matrix: self, weights })
    }

    fn earnings(&self, multipliers: &[f64]) -> Vec<f64> {
        dispatch(Earn { matrix: self, multipliers })
    }
}

/// [`LiveMatrix::rebuild`].
struct Rebuild<'a> {
    matrix: &'a LiveMatrix,
    weights: &'a [f64],
}

impl Work for Rebuild<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Vec<f64> {
        let Self { matrix, weights } = self;
        let mut rebuilt = vec![0.0; matrix.first_value[matrix.n_rows()]];
        for (row, ends) in matrix.first_entry.windows(2).enumerate() {
            let filled_up = matrix.filled_up(row);
            let to = rebuilt[matrix.values(row)].chunks_mut(LANES);
            for (to, first) in to.zip((0..).step_by(LANES)) {
                let mut sums = [0.0; LANES];
                let entries = matrix.entries[ends[0]..ends[1]].chunks_exact(filled_up.max(1));
                for (incident, entries) in matrix.incident(row).iter().zip(entries) {
                    let Some(entries) = entries[first..].first_chunk::<LANES>() else { break };
                    let weight = weights[incident.pair];
                    for lane in 0..LANES {
                        sums[lane] = fused::<FMA>(weight, entries[lane], sums[lane]);
                    }
                }
                to.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum);
            }
        }
        rebuilt
    }
}

/// [`LiveMatrix::earnings`].
struct Earn<'a> {
    matrix: &'a LiveMatrix,
    multipliers: &'a [f64],
}

impl Work for Earn<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Vec<f64> {
        let Self { matrix, multipliers } = self;
        let mut earned = vec![0.0; matrix.ends.len()];
        let mut own = Vec::new();
        for (row, ends) in matrix.first_entry.windows(2).enumerate() {
            own.clear();
            own.extend_from_slice(&multipliers[matrix.values(row)]);
            own.resize(matrix.filled_up(row), 0.0);
            let (own, _) = own.as_chunks::<LANES>();
            let (entries, _) = matrix.entries[ends[0]..ends[1]].as_chunks::<LANES>();
            let entries = entries.chunks_exact(own.len().max(1));
            for (incident, entries) in matrix.incident(row).iter().zip(entries) {
                let mut sums = [0.0; LANES];
                for (own, entries) in own.iter().zip(entries) {
                    for lane in 0..LANES {
                        sums[lane] = fused::<FMA>(own[lane], entries[lane], sums[lane]);
                    }
                }
                earned[incident.pair] += (sums[0] + sums[2]) + (sums[1] + sums[3]);
            }
        }
        earned
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
            let live = LiveMatrix::new(&whole, &pairs, &values);

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
