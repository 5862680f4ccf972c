//! The part of the program's matrix that is still undecided: some pairs, some values of the rows.

use std::ops::Range;

use rayon::prelude::*;

use super::filled_columns::{combine, dot, filled_up};
use super::mapping::Mapping;
use super::pair_matrix::{Incidence, Incident, OverPairs, PairMatrix, rows_per_task};
use super::spare::Spare;
use crate::error::Result;
use crate::math::simd::{Work, dispatch};

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
    /// Where they start for each pair at its first and its second end.
    at_ends: Vec<[usize; 2]>,
}

impl LiveMatrix {
    /// The given pairs and values, both in ascending order.
    pub fn new(
        whole: &PairMatrix,
        pairs: &[usize],
        values: &[usize],
        spare: &mut Spare,
    ) -> Result<Self> {
        let ends: Vec<_> = pairs.iter().map(|&pair| whole.pairs[pair]).collect();
        let incidence = Incidence::new(whole.n_rows, &ends);
        let (mut first_value, mut first_entry) = (vec![0], vec![0]);
        for row in 0..whole.n_rows {
            let start = first_value[row];
            let count = values[start..].partition_point(|&value| value < (row + 1) * whole.dims);
            first_value.push(start + count);
            first_entry.push(first_entry[row] + incidence.at(row).len() * filled_up(count));
        }
        let mut entries = spare.take(first_entry[whole.n_rows])?;
        let mut at_ends = vec![[0; 2]; ends.len()];
        for row in 0..whole.n_rows {
            let values = &values[first_value[row]..first_value[row + 1]];
            let length = filled_up(values.len());
            let mut at = first_entry[row];
            for &Incident { pair, other } in incidence.at(row) {
                let neighbor = whole.row(other);
                at_ends[pair][usize::from(ends[pair].0 != row)] = at;
                let (to, rest) = entries[at..][..length].split_at_mut(values.len());
                to.iter_mut().zip(values).for_each(|(to, v)| *to = neighbor[v - row * whole.dims]);
                rest.fill(0.0);
                at += length;
            }
        }
        Ok(Self { ends, incidence, first_value, entries, first_entry, at_ends })
    }

    /// Gives the room back.
    pub fn leave(self, spare: &mut Spare) {
        spare.give(self.entries);
    }

    /// How many numbers a pair has at a row, filled up.
    fn filled_length(&self, row: usize) -> usize {
        filled_up(self.values(row).len())
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
        let start = self.first_entry[row] + rank * self.filled_length(row);
        &self.entries[start..][..self.values(row).len()]
    }
}

impl Mapping for LiveMatrix {
    fn rebuild_to(&self, weights: &[f64], rebuilt: &mut Vec<f64>) {
        rebuilt.resize(self.first_value[self.n_rows()], 0.0);
        let task = rows_per_task(rebuilt.len(), self.n_rows());
        let mut rest = rebuilt.as_mut_slice();
        let tasks: Vec<(Range<usize>, &mut [f64])> = (0..self.n_rows())
            .step_by(task)
            .map(|first| {
                let rows = first..(first + task).min(self.n_rows());
                let length = self.first_value[rows.end] - self.first_value[first];
                let (rebuilt, after) = std::mem::take(&mut rest).split_at_mut(length);
                rest = after;
                (rows, rebuilt)
            })
            .collect();
        tasks.into_par_iter().for_each(|(rows, rebuilt)| {
            dispatch(Rebuild { matrix: self, weights, rows, rebuilt });
        });
    }

    fn earnings_to(&self, multipliers: &[f64], earned: &mut Vec<f64>) {
        earned.resize(self.ends.len(), 0.0);
        let pairs = 4 * rows_per_task(multipliers.len(), self.n_rows());
        earned.par_chunks_mut(pairs).enumerate().for_each(|(task, earned)| {
            dispatch(Earn { matrix: self, multipliers, first: pairs * task, earned });
        });
    }
}

/// A task of [`LiveMatrix::rebuild_to`].
struct Rebuild<'a> {
    matrix: &'a LiveMatrix,
    weights: &'a [f64],
    rows: Range<usize>,
    rebuilt: &'a mut [f64],
}

impl Work for Rebuild<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, weights, rows, rebuilt } = self;
        let mut rest = rebuilt;
        for row in rows {
            let (to, after) = rest.split_at_mut(matrix.values(row).len());
            rest = after;
            let entries = &matrix.entries[matrix.first_entry[row]..matrix.first_entry[row + 1]];
            let columns = entries.chunks_exact(matrix.filled_length(row).max(1));
            let weights = matrix.incident(row).iter().map(|at| weights[at.pair]);
            combine::<FMA>(weights.zip(columns), to);
        }
    }
}

/// A task of [`LiveMatrix::earnings_to`]: the pairs from `first` on.
struct Earn<'a> {
    matrix: &'a LiveMatrix,
    multipliers: &'a [f64],
    first: usize,
    earned: &'a mut [f64],
}

impl Work for Earn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, multipliers, first, earned } = self;
        let ends = matrix.ends[first..].iter().zip(&matrix.at_ends[first..]);
        for (earned, (&(a, b), &[at_a, at_b])) in earned.iter_mut().zip(ends) {
            let (of_a, of_b) = (matrix.values(a), matrix.values(b));
            let in_a = &matrix.entries[at_a..][..filled_up(of_a.len())];
            let in_b = &matrix.entries[at_b..][..filled_up(of_b.len())];
            *earned = dot::<FMA>(in_a, of_a.len(), multipliers, of_a.start)
                + dot::<FMA>(in_b, of_b.len(), multipliers, of_b.start);
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
            let mut spare = Spare::default();
            spare.give(vec![f64::NAN; 4096]);
            let live = LiveMatrix::new(&whole, &pairs, &values, &mut spare).unwrap();

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
