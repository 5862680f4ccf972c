//! The sparse matrix that maps the weights of pairs to the rows they rebuild.

use std::ops::Range;

use rayon::prelude::*;

use super::filled_columns::{combine, dot, filled_up};
use super::mapping::{Entries, Mapping};
use crate::math::simd::{Work, dispatch};

/// Values that one task handles: with fewer, waking a thread takes longer.
const TASK: usize = 40_000;

/// Column {a, b} holds row b in the place of a and row a in the place of b.
#[derive(Debug)]
pub(super) struct PairMatrix {
    pub n_rows: usize,
    pub dims: usize,
    /// The rows, one after the other.
    pub rows: Vec<f64>,
    /// The rows, each filled up.
    filled: Vec<f64>,
    pub pairs: Vec<(usize, usize)>,
    incidence: Incidence,
}

/// The pairs at each row.
#[derive(Debug)]
pub(super) struct Incidence {
    /// Where each row's part of `incident` starts.
    first: Vec<usize>,
    incident: Vec<Incident>,
}

/// A matrix with a column for each pair of rows, which has entries only at the two.
pub(super) trait OverPairs: Sync {
    fn n_rows(&self) -> usize;

    fn pairs(&self) -> &[(usize, usize)];

    /// The pairs at a row, in their order.
    fn incident(&self, row: usize) -> &[Incident];

    /// Where the values of a row stand among those of all.
    fn values(&self, row: usize) -> Range<usize>;

    /// What the pair of this rank among those at the row has in the row's values.
    fn column(&self, row: usize, rank: usize) -> &[f64];
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
        let mut filled = vec![0.0; n_rows * filled_up(dims)];
        if dims > 0 {
            let both = filled.chunks_exact_mut(filled_up(dims)).zip(rows.chunks_exact(dims));
            both.for_each(|(to, row)| to[..dims].copy_from_slice(row));
        }
        Self { n_rows, dims, rows, filled, incidence: Incidence::new(n_rows, &pairs), pairs }
    }

    #[inline(always)]
    pub fn row(&self, row: usize) -> &[f64] {
        &self.rows[row * self.dims..(row + 1) * self.dims]
    }

    #[inline(always)]
    fn filled(&self, row: usize) -> &[f64] {
        let length = filled_up(self.dims);
        &self.filled[row * length..(row + 1) * length]
    }

    /// The number of values in all rows.
    pub fn n_values(&self) -> usize {
        self.rows.len()
    }

    /// The sum of the absolute values of each column.
    pub fn column_sizes(&self) -> Vec<f64> {
        self.column_sums(f64::abs)
    }

    fn column_sums(&self, of: impl Fn(f64) -> f64) -> Vec<f64> {
        let sums: Vec<f64> =
            (0..self.n_rows).map(|row| self.row(row).iter().map(|x| of(*x)).sum()).collect();
        self.pairs.iter().map(|&(a, b)| sums[a] + sums[b]).collect()
    }
}

impl Incidence {
    pub fn new(n_rows: usize, pairs: &[(usize, usize)]) -> Self {
        let mut first = vec![0; n_rows + 1];
        for &(a, b) in pairs {
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
        Self { first, incident }
    }

    /// The pairs at a row, in their order.
    #[inline(always)]
    pub fn at(&self, row: usize) -> &[Incident] {
        &self.incident[self.first[row]..self.first[row + 1]]
    }
}

impl OverPairs for PairMatrix {
    fn n_rows(&self) -> usize {
        self.n_rows
    }

    fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    #[inline(always)]
    fn incident(&self, row: usize) -> &[Incident] {
        self.incidence.at(row)
    }

    fn values(&self, row: usize) -> Range<usize> {
        row * self.dims..(row + 1) * self.dims
    }

    #[inline(always)]
    fn column(&self, row: usize, rank: usize) -> &[f64] {
        self.row(self.incident(row)[rank].other)
    }
}

impl Mapping for PairMatrix {
    fn rebuild_to(&self, weights: &[f64], rebuilt: &mut Vec<f64>) {
        rebuilt.resize(self.rows.len(), 0.0);
        let rows = rows_per_task(self.rows.len(), self.n_rows);
        let tasks = rebuilt.par_chunks_mut(rows * self.dims.max(1)).enumerate();
        tasks.for_each(|(task, rebuilt)| {
            dispatch(Rebuild { matrix: self, weights, first: task * rows, rebuilt });
        });
    }

    fn earnings_to(&self, multipliers: &[f64], earned: &mut Vec<f64>) {
        earned.resize(self.pairs.len(), 0.0);
        let pairs = 4 * rows_per_task(self.rows.len(), self.n_rows);
        let tasks = earned.par_chunks_mut(pairs).zip(self.pairs.par_chunks(pairs));
        tasks.for_each(|(earned, pairs)| {
            dispatch(Earn { matrix: self, multipliers, pairs, earned });
        });
    }
}

impl Entries for PairMatrix {
    fn entries(&self, value: usize) -> Vec<(usize, f64)> {
        let (row, d) = (value / self.dims, value % self.dims);
        self.incident(row).iter().map(|at| (at.pair, self.row(at.other)[d])).collect()
    }

    fn column_squares(&self) -> Vec<f64> {
        self.column_sums(|x| x * x)
    }
}

/// Rows that one task handles; of pairs four times as many.
pub(super) fn rows_per_task(n_values: usize, n_rows: usize) -> usize {
    (TASK * n_rows / n_values.max(1)).max(1)
}

/// A task of [`PairMatrix::rebuild_to`]: the rows from `first` on.
struct Rebuild<'t> {
    matrix: &'t PairMatrix,
    weights: &'t [f64],
    first: usize,
    rebuilt: &'t mut [f64],
}

impl Work for Rebuild<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (row, rebuilt) in (self.first..).zip(self.rebuilt.chunks_exact_mut(self.matrix.dims)) {
            let incident = self.matrix.incident(row).iter();
            let terms = incident.map(|at| (self.weights[at.pair], self.matrix.filled(at.other)));
            combine::<FMA>(terms, rebuilt);
        }
    }
}

/// A task of [`PairMatrix::earnings_to`].
struct Earn<'t> {
    matrix: &'t PairMatrix,
    multipliers: &'t [f64],
    pairs: &'t [(usize, usize)],
    earned: &'t mut [f64],
}

impl Work for Earn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, multipliers, pairs, earned } = self;
        let dims = matrix.dims;
        for (earned, &(a, b)) in earned.iter_mut().zip(pairs) {
            *earned = dot::<FMA>(matrix.filled(b), dims, multipliers, a * dims)
                + dot::<FMA>(matrix.filled(a), dims, multipliers, b * dims);
        }
    }
}
