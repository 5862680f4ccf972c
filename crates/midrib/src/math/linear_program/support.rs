//! The weights other than 0 at a vertex of a small program, and the values that they meet.

use faer::linalg::solvers::DenseSolveCore;
use faer::{Mat, Par};

use super::dense_matrix::DenseMatrix;
use crate::math::simd::{add, add_multiples, dot_lanes};

/// Pivots below this share of the largest entry beside them are taken for 0.
const NOTHING: f64 = 1e-10;

/// As many weights as met values; the square matrix `G` between them is kept inverted.
#[derive(Debug, Default)]
pub(super) struct Support {
    /// The columns whose weights are not 0.
    pub columns: Vec<usize>,
    pub weights: Vec<f64>,
    /// The signs of the weights, also where one is 0 for a moment.
    pub signs: Vec<f64>,
    /// The values that equal their targets.
    pub met: Vec<usize>,
    /// Of the met values.
    pub multipliers: Vec<f64>,
    /// The change of the weights along an edge.
    pub direction: Vec<f64>,
    /// Exchanges since the inverse was last computed from scratch.
    pub changes: usize,
    /// The inverse of `G`, a row for each column of the support, `stride` apart.
    inverse: Vec<f64>,
    stride: usize,
    /// What each column of the support rebuilds, `n_values` apart.
    images: Vec<f64>,
    n_values: usize,
    /// What the column that is about to enter rebuilds.
    pub incoming: Vec<f64>,
    /// The last of [`Support::across`] and [`Support::along`].
    pub scratch: Vec<f64>,
}

/// A zero of a vertex that is released.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opened {
    /// The weight of a column outside the support, by the column's number.
    Column(usize),
    /// What is left of a met value, by its index among those.
    Met(usize),
}

/// What becomes 0 along an edge.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reached {
    /// What is left of a value, by its number.
    Value(usize),
    /// A weight, by its index in the support.
    Weight(usize),
}

/// A column that enters the support.
pub(super) struct Entry {
    pub column: usize,
    pub sign: f64,
    pub weight: f64,
}

impl Support {
    /// Empties it, and allocates for `most` weights.
    pub fn clear(&mut self, most: usize, n_values: usize) {
        self.columns.clear();
        self.weights.clear();
        self.signs.clear();
        self.met.clear();
        self.multipliers.clear();
        self.direction.clear();
        self.changes = 0;
        self.stride = most;
        self.n_values = n_values;
        self.inverse.resize(most * most, 0.0);
        self.images.clear();
    }

    fn len(&self) -> usize {
        self.columns.len()
    }

    #[inline(always)]
    fn row(&self, place: usize) -> &[f64] {
        &self.inverse[place * self.stride..][..self.len()]
    }

    /// What each column of the support rebuilds.
    #[inline(always)]
    pub fn images(&self) -> impl Iterator<Item = &[f64]> {
        self.images.chunks_exact(self.n_values)
    }

    /// `Gᵀ multipliers = cost · signs − earned`: the columns of the support earn their costs.
    #[inline(always)]
    pub fn find_multipliers<const FMA: bool>(&mut self, earned: &[f64], cost: f64) {
        self.multipliers.clear();
        self.multipliers.resize(self.len(), 0.0);
        let n = self.columns.len();
        let shares = self.columns.iter().zip(&self.signs).enumerate();
        let shares = shares.map(|(place, (&column, sign))| {
            (cost * sign - earned[column], &self.inverse[place * self.stride..][..n])
        });
        add_multiples::<FMA>(shares, &mut self.multipliers);
    }

    /// The weights at which the met values are met.
    #[inline(always)]
    pub fn find_weights<const FMA: bool>(&mut self, target: &[f64]) {
        self.scratch.clear();
        self.scratch.extend(self.met.iter().map(|&value| target[value]));
        for place in 0..self.len() {
            self.weights[place] = dot_lanes::<FMA>(self.row(place), &self.scratch);
        }
    }

    /// How the weights change with that of a new column so that the met values stay so.
    #[inline(always)]
    pub fn open_column<const FMA: bool>(&mut self, matrix: &DenseMatrix, column: usize, sign: f64) {
        self.incoming.clear();
        self.incoming.resize(self.n_values, 0.0);
        matrix.copy_column(column, &mut self.incoming);
        self.scratch.clear();
        self.scratch.extend(self.met.iter().map(|&value| -sign * self.incoming[value]));
        self.direction.clear();
        for place in 0..self.len() {
            let step = dot_lanes::<FMA>(self.row(place), &self.scratch);
            self.direction.push(step);
        }
    }

    /// How the weights change if more is left of one met value, of all others nothing.
    #[inline(always)]
    pub fn open_met(&mut self, place: usize, sign: f64) {
        let step = |row: usize| -sign * self.inverse[row * self.stride + place];
        self.direction.clear();
        self.direction.extend((0..self.columns.len()).map(step));
    }

    /// The last opened column enters, and one more value is met; none if that is not
    /// independent of what the support meets already.
    #[inline(always)]
    pub fn grow<const FMA: bool>(&mut self, entry: &Entry, value: usize) -> Option<()> {
        let n = self.len();
        self.across::<FMA>(value);
        let by_support: f64 =
            self.images().zip(&self.direction).map(|(image, step)| image[value] * step).sum();
        // The direction is −sign times the inverse times the new column.
        let pivot = self.incoming[value] + entry.sign * by_support;
        self.check_pivot(pivot, [self.incoming[value], by_support].into_iter())?;
        for place in 0..n {
            let share = -entry.sign * self.direction[place] / pivot;
            let row = &mut self.inverse[place * self.stride..][..=n];
            add::<FMA>(share, &self.scratch, &mut row[..n]);
            row[n] = -share;
        }
        let last = &mut self.inverse[n * self.stride..][..=n];
        last.iter_mut().zip(&self.scratch).for_each(|(to, across)| *to = -across / pivot);
        last[n] = 1.0 / pivot;
        self.columns.push(entry.column);
        self.weights.push(entry.weight);
        self.signs.push(entry.sign);
        self.met.push(value);
        self.images.extend_from_slice(&self.incoming);
        self.changes += 1;
        Some(())
    }

    /// The last opened column replaces another.
    #[inline(always)]
    pub fn replace_column<const FMA: bool>(&mut self, place: usize, entry: &Entry) -> Option<()> {
        let pivot = -entry.sign * self.direction[place];
        self.check_pivot(pivot, self.direction.iter().copied())?;
        self.along(place);
        self.scratch.iter_mut().for_each(|x| *x /= pivot);
        for row in 0..self.len() {
            let of_row = &mut self.inverse[row * self.stride..][..self.columns.len()];
            if row == place {
                of_row.copy_from_slice(&self.scratch);
            } else {
                add::<FMA>(entry.sign * self.direction[row], &self.scratch, of_row);
            }
        }
        self.columns[place] = entry.column;
        self.weights[place] = entry.weight;
        self.signs[place] = entry.sign;
        self.images[place * self.n_values..][..self.n_values].copy_from_slice(&self.incoming);
        self.changes += 1;
        Some(())
    }

    /// A value that is now met replaces one that no longer is.
    #[inline(always)]
    pub fn replace_met<const FMA: bool>(&mut self, place: usize, value: usize) -> Option<()> {
        self.across::<FMA>(value);
        let pivot = self.scratch[place];
        self.check_pivot(pivot, self.scratch.iter().copied())?;
        self.scratch[place] = 0.0;
        for row in 0..self.len() {
            let of_row = &mut self.inverse[row * self.stride..][..self.columns.len()];
            of_row[place] /= pivot;
            add::<FMA>(-of_row[place], &self.scratch, of_row);
        }
        self.met[place] = value;
        self.changes += 1;
        Some(())
    }

    /// A column leaves, and a value is no longer met.
    #[inline(always)]
    pub fn shrink<const FMA: bool>(&mut self, column: usize, met: usize) -> Option<()> {
        let n = self.len();
        self.along(column);
        let pivot = self.scratch[met];
        self.check_pivot(pivot, self.scratch.iter().copied())?;
        let (stride, last) = (self.stride, n - 1);
        if column != last {
            self.inverse.copy_within(last * stride..last * stride + n, column * stride);
            self.images.copy_within(last * self.n_values.., column * self.n_values);
        }
        self.images.truncate(last * self.n_values);
        self.columns.swap_remove(column);
        self.weights.swap_remove(column);
        self.signs.swap_remove(column);
        self.met.swap_remove(met);
        for row in 0..last {
            let of_row = &mut self.inverse[row * stride..][..n];
            let share = -of_row[met] / pivot;
            add::<FMA>(share, &self.scratch, of_row);
            of_row[met] = of_row[last];
        }
        self.changes += 1;
        Some(())
    }

    /// Computes the inverse from `G`; none if that is singular.
    pub fn invert(&mut self) -> Option<()> {
        let n = self.len();
        let entry = |met: usize, place: usize| self.images[place * self.n_values + self.met[met]];
        let matrix = Mat::from_fn(n, n, entry);
        // In parallel the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let inverse = matrix.partial_piv_lu().inverse();
        for place in 0..n {
            for (met, to) in self.inverse[place * self.stride..][..n].iter_mut().enumerate() {
                *to = inverse[(place, met)];
            }
        }
        self.changes = 0;
        (0..n).all(|place| self.row(place).iter().all(|x| x.is_finite())).then_some(())
    }

    /// A value's row over the support times the inverse, in the scratch.
    #[inline(always)]
    pub fn across<const FMA: bool>(&mut self, value: usize) {
        let n = self.columns.len();
        self.scratch.clear();
        self.scratch.resize(n, 0.0);
        let shares = (0..n).map(|place| {
            (self.images[place * self.n_values + value], &self.inverse[place * self.stride..][..n])
        });
        add_multiples::<FMA>(shares, &mut self.scratch);
    }

    /// The inverse's row of one column of the support, in the scratch.
    #[inline(always)]
    pub fn along(&mut self, place: usize) {
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.inverse[place * self.stride..][..self.columns.len()]);
    }

    fn check_pivot(&self, pivot: f64, beside: impl Iterator<Item = f64>) -> Option<()> {
        let largest = beside.fold(0.0, |most: f64, x| most.max(x.abs()));
        (pivot.abs() > NOTHING * largest).then_some(())
    }
}

#[cfg(test)]
mod tests;
