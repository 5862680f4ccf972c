//! The part of the program's matrix that is still undecided: some pairs, some values of the rows.

use std::ops::Range;

use super::mapping::Mapping;
use super::pair_matrix::{Incidence, Incident, OverPairs, PairMatrix};

/// Some columns and some values of a [`PairMatrix`], with their entries side by side.
#[derive(Debug)]
pub(super) struct LiveMatrix {
    ends: Vec<(usize, usize)>,
    incidence: Incidence,
    /// Where each row's values start.
    first_value: Vec<usize>,
    /// What each pair at a row has in the row's values, pair after pair, row after row.
    entries: Vec<f64>,
    /// Where these start for each row.
    first_entry: Vec<usize>,
    /// Where those of each pair start, at its two ends.
    places: Vec<[usize; 2]>,
}

impl LiveMatrix {
    /// The given pairs and values, both in ascending order.
    pub fn new(whole: &PairMatrix, pairs: &[usize], values: &[usize]) -> Self {
        let ends: Vec<_> = pairs.iter().map(|&pair| whole.pairs[pair]).collect();
        let incidence = Incidence::new(whole.n_rows, &ends);
        let mut places = vec![[0; 2]; ends.len()];
        let mut entries = Vec::new();
        let (mut first_value, mut first_entry) = (vec![0], vec![0]);
        let mut end = 0;
        for row in 0..whole.n_rows {
            let start = end;
            end += values[start..].partition_point(|&value| value < (row + 1) * whole.dims);
            for &Incident { pair, other } in incidence.at(row) {
                places[pair][usize::from(ends[pair].0 != row)] = entries.len();
                let neighbor = whole.row(other);
                entries.extend(values[start..end].iter().map(|v| neighbor[v - row * whole.dims]));
            }
            first_value.push(end);
            first_entry.push(entries.len());
        }
        Self { ends, incidence, first_value, entries, first_entry, places }
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
        let length = self.values(row).len();
        &self.entries[self.first_entry[row] + rank * length..][..length]
    }
}

impl Mapping for LiveMatrix {
    fn rebuild(&self, weights: &[f64]) -> Vec<f64> {
        let mut rebuilt = vec![0.0; self.first_value[self.n_rows()]];
        for row in 0..self.n_rows() {
            let to = &mut rebuilt[self.values(row)];
            for (rank, incident) in self.incident(row).iter().enumerate() {
                let weight = weights[incident.pair];
                for (to, entry) in to.iter_mut().zip(self.column(row, rank)) {
                    *to += weight * entry;
                }
            }
        }
        rebuilt
    }

    fn earnings(&self, multipliers: &[f64]) -> Vec<f64> {
        let at_end = |row: usize, place: usize| -> f64 {
            let multipliers = &multipliers[self.values(row)];
            multipliers.iter().zip(&self.entries[place..]).map(|(u, entry)| u * entry).sum()
        };
        let pairs = self.ends.iter().zip(&self.places);
        pairs.map(|(&(a, b), places)| at_end(a, places[0]) + at_end(b, places[1])).collect()
    }
}
