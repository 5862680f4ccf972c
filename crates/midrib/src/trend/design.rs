//! Two nested linear models of a feature, and the F test between them.
//!
//! A point's row has a few entries over *slots*: the knots on either side of it, and its covariates.
//! The columns of the models are combinations of slots, those of the smaller model first, so that
//! sums over slots are all that a feature is read for.

use faer::Mat;

use super::domain::Position;
use super::table::Column;
use crate::error::{Error, Result};
use crate::math::log_f_tail;

/// A column adds to those before it if this share of it is left beside them.
const DEPENDENT: f64 = 1e-9;
/// What is left of a feature below this share of its squares is rounding.
const ROUNDING: f64 = 1e-13;

/// What else than its position may change the features of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Covariate {
    /// A group per point, such as a batch.
    Groups(Vec<u32>),
    /// A number per point.
    Numbers(Vec<f64>),
}

impl Covariate {
    /// Groups from labels, numbered in order of their names.
    ///
    /// ```
    /// use midrib::trend::Covariate;
    /// assert_eq!(Covariate::from_labels(&["b", "a", "b"]), Covariate::Groups(vec![1, 0, 1]));
    /// ```
    pub fn from_labels(labels: &[impl AsRef<str>]) -> Self {
        let mut names: Vec<&str> = labels.iter().map(AsRef::as_ref).collect();
        names.sort_unstable();
        names.dedup();
        let number = |label| names.binary_search(&label).unwrap_or_default() as u32;
        Self::Groups(labels.iter().map(|label| number(label.as_ref())).collect())
    }

    fn len(&self) -> usize {
        match self {
            Self::Groups(groups) => groups.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// The first group is the one that the others are compared with.
    fn slots(&self) -> usize {
        match self {
            Self::Groups(groups) => groups.iter().max().map_or(0, |&most| most as usize),
            Self::Numbers(_) => 1,
        }
    }

    fn weight(&self, point: usize) -> Option<(usize, f64)> {
        match self {
            Self::Groups(groups) => (groups[point] as usize).checked_sub(1).map(|slot| (slot, 1.0)),
            Self::Numbers(numbers) => Some((0, numbers[point])),
        }
    }
}

/// The rows of all points over slots.
#[derive(Clone, Debug)]
pub(super) struct Rows<'a> {
    pub positions: &'a [Option<Position>],
    /// Slots for positions; those of covariates follow.
    pub n_positions: usize,
    pub covariates: &'a [Covariate],
    /// Where the slots of each covariate start, and the end.
    starts: Vec<usize>,
}

impl<'a> Rows<'a> {
    pub fn new(
        positions: &'a [Option<Position>],
        n_positions: usize,
        covariates: &'a [Covariate],
    ) -> Result<Self> {
        let mut starts = vec![n_positions];
        for covariate in covariates {
            if covariate.len() != positions.len() {
                let n = positions.len();
                return Err(Error::shape("values of a covariate", n, covariate.len()));
            }
            if let Covariate::Numbers(numbers) = covariate
                && let Some(at) = numbers.iter().position(|x| !x.is_finite())
            {
                return Err(Error::data(format!(
                    "a covariate is not a number at point {at}: leave the point out, or the \
                     covariate"
                )));
            }
            starts.push(starts[starts.len() - 1] + covariate.slots());
        }
        Ok(Self { positions, n_positions, covariates, starts })
    }

    pub fn n_slots(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Calls for the slots of a point and their weights; false if the point is elsewhere.
    #[inline]
    pub fn each(&self, point: usize, mut call: impl FnMut(usize, f64)) -> bool {
        let Some(position) = &self.positions[point] else { return false };
        position.weights().into_iter().for_each(|(slot, weight)| call(slot, weight));
        for (covariate, start) in self.covariates.iter().zip(&self.starts) {
            if let Some((slot, weight)) = covariate.weight(point) {
                call(start + slot, weight);
            }
        }
        true
    }

    /// The products of slots and the sums of their weights over the points that are there.
    pub fn products(&self, is_there: impl Fn(usize) -> bool) -> Products {
        let n = self.n_slots();
        let mut of_slots = Products { n: 0, weights: vec![0.0; n], products: Mat::zeros(n, n) };
        let mut row = Vec::new();
        for point in (0..self.positions.len()).filter(|&point| is_there(point)) {
            row.clear();
            if !self.each(point, |slot, weight| row.push((slot, weight))) {
                continue;
            }
            of_slots.n += 1;
            for &(a, weight) in &row {
                of_slots.weights[a] += weight;
                for &(b, other) in &row {
                    of_slots.products[(a, b)] += weight * other;
                }
            }
        }
        of_slots
    }
}

impl Rows<'_> {
    /// What the points where a feature has a value make of the slots.
    pub fn observed(&self, column: Column<'_>) -> Products {
        let mut has_value = vec![true; self.positions.len()];
        column.each(|point, value| has_value[point] = value.is_finite());
        self.products(|point| has_value[point])
    }
}

/// What the points make of the slots.
#[derive(Clone, Debug)]
pub(super) struct Products {
    /// The number of points.
    pub n: usize,
    /// The sum of the weights of each slot.
    pub weights: Vec<f64>,
    pub products: Mat<f64>,
}

/// The sums of a feature over slots, less its mean.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    /// Points with a value.
    pub n: usize,
    /// Values other than 0.
    pub n_nonzero: usize,
    /// Points without a value.
    pub n_missing: usize,
    pub mean: f64,
    /// The sum over slots of the values less their mean.
    pub slots: Vec<f64>,
    /// The sum of squares of the values less their mean.
    pub squares: f64,
    /// The largest size of a value.
    pub largest: f64,
}

impl Sums {
    /// Reads a feature, whose missing values are left out. `all` is what all points make of the
    /// slots.
    pub fn of(rows: &Rows<'_>, column: Column<'_>, all: &Products) -> Self {
        let (mut sum, mut stored, mut n_nonzero, mut n_missing) = (0.0, 0_usize, 0, 0);
        let mut largest = 0.0_f64;
        column.each(|point, value| {
            if rows.positions[point].is_none() {
                return;
            }
            if !value.is_finite() {
                n_missing += 1;
                return;
            }
            stored += 1;
            sum += value;
            n_nonzero += usize::from(value != 0.0);
            largest = largest.max(value.abs());
        });
        let n = all.n - n_missing;
        let mean = if n > 0 { sum / n as f64 } else { f64::NAN };
        let mut sums = Self {
            n,
            n_nonzero,
            n_missing,
            mean,
            slots: vec![0.0; rows.n_slots()],
            squares: 0.0,
            largest,
        };
        let is_sparse = column.is_sparse();
        let shift = if is_sparse { 0.0 } else { mean };
        column.each(|point, value| {
            if value.is_finite()
                && rows.each(point, |slot, weight| sums.slots[slot] += weight * (value - shift))
            {
                sums.squares += (value - mean) * (value - mean);
            }
        });
        if is_sparse {
            sums.squares += (n - stored) as f64 * mean * mean;
            for (slot, weight) in sums.slots.iter_mut().zip(&all.weights) {
                *slot -= mean * weight;
            }
            // What is not there has no mean to be subtracted.
            column.each(|point, value| {
                if !value.is_finite() {
                    rows.each(point, |slot, weight| sums.slots[slot] += mean * weight);
                }
            });
        }
        sums
    }

    /// Subtracts what the larger model attributes to covariates, beyond its mean.
    pub fn without_covariates(&mut self, design: &Design, rows: &Rows<'_>, of: &Products) {
        let mut effect = design.coefficients(self, of);
        let own = &effect[rows.n_positions..];
        let sum: f64 = own.iter().zip(&of.weights[rows.n_positions..]).map(|(b, w)| b * w).sum();
        effect[..rows.n_positions].fill(-sum / self.n as f64);
        let of_slot =
            |a: usize| (0..effect.len()).map(|b| of.products[(a, b)] * effect[b]).sum::<f64>();
        // A point's slots for positions add up to 1, so the effect of its slots is its own.
        let explained: Vec<f64> = (0..effect.len()).map(of_slot).collect();
        for a in 0..effect.len() {
            self.squares += effect[a] * (explained[a] - 2.0 * self.slots[a]);
            self.slots[a] -= explained[a];
        }
    }

    /// Whether the values are the same but for rounding.
    pub fn is_constant(&self) -> bool {
        self.squares <= ROUNDING * self.largest * self.largest * self.n as f64
    }
}

/// The columns of two nested models.
#[derive(Clone, Debug)]
pub(super) struct Design {
    /// The columns as combinations of slots.
    columns: Mat<f64>,
    /// The columns of the smaller model, which come first.
    n_smaller: usize,
    /// For all points.
    factor: Factor,
}

/// The outcome of an F test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FTest {
    /// The statistic.
    pub f: f64,
    /// Its degrees of freedom: those by which the larger model exceeds the smaller, ...
    pub df1: f64,
    /// ... and those that the larger leaves.
    pub df2: f64,
    /// The logarithm of the p-value.
    pub log_p: f64,
}

impl FTest {
    /// From the statistic and its degrees of freedom.
    pub(super) fn new(f: f64, df1: f64, df2: f64) -> Self {
        Self { f, df1, df2, log_p: log_f_tail(f, df1, df2) }
    }
}

impl Design {
    pub fn new(columns: Mat<f64>, n_smaller: usize, all: &Products) -> Self {
        let factor = Factor::of(&columns, n_smaller, &all.products);
        Self { columns, n_smaller, factor }
    }

    /// Degrees of freedom of the smaller and the larger model.
    pub fn ranks(&self) -> (usize, usize) {
        self.factor.ranks
    }

    /// Tests a feature; `observed` is what the points with a value make of the slots, where some
    /// have none.
    pub fn test(&self, sums: &Sums, observed: Option<&Products>) -> Option<FTest> {
        let own = observed.map(|of| Factor::of(&self.columns, self.n_smaller, &of.products));
        let factor = own.as_ref().unwrap_or(&self.factor);
        let scores = factor.scores(&self.columns, &sums.slots);
        let (smaller, larger) = factor.ranks;
        let square = |scores: &[f64]| scores.iter().map(|x| x * x).sum::<f64>();
        let explained = square(&scores[smaller..]);
        let rest = sums.squares - square(&scores);
        let (df1, df2) = ((larger - smaller) as f64, sums.n as f64 - larger as f64);
        if df1 < 1.0 || df2 < 1.0 {
            return None;
        }
        // Without any rest the model is exact: the statistic is infinite, not negative.
        let rest = if rest > ROUNDING * sums.squares { rest } else { 0.0 };
        Some(FTest::new(explained / df1 / (rest / df2), df1, df2))
    }

    /// The coefficients of the larger model of a feature over slots.
    pub fn coefficients(&self, sums: &Sums, of: &Products) -> Vec<f64> {
        let factor = Factor::of(&self.columns, self.n_smaller, &of.products);
        let coefficients = factor.solve(&self.columns, &sums.slots);
        let of_slot = |slot: usize| {
            (0..coefficients.len()).map(|j| self.columns[(slot, j)] * coefficients[j]).sum()
        };
        (0..self.columns.nrows()).map(of_slot).collect()
    }
}

/// The Cholesky factor of the columns that add to those before them.
#[derive(Clone, Debug)]
struct Factor {
    kept: Vec<usize>,
    /// Rows of the lower triangle.
    rows: Vec<Vec<f64>>,
    /// How many are kept of the smaller and of the larger model.
    ranks: (usize, usize),
}

impl Factor {
    fn of(columns: &Mat<f64>, n_smaller: usize, products: &Mat<f64>) -> Self {
        let gram = columns.transpose() * (products * columns);
        let mut factor = Self { kept: Vec::new(), rows: Vec::new(), ranks: (0, 0) };
        for j in 0..gram.ncols() {
            let mut row = Vec::with_capacity(factor.kept.len() + 1);
            for (at, &k) in factor.kept.iter().enumerate() {
                let known: f64 = (0..at).map(|i| row[i] * factor.rows[at][i]).sum();
                row.push((gram[(j, k)] - known) / factor.rows[at][at]);
            }
            let rest = gram[(j, j)] - row.iter().map(|x| x * x).sum::<f64>();
            if rest > DEPENDENT * gram[(j, j)] {
                row.push(rest.sqrt());
                factor.kept.push(j);
                factor.rows.push(row);
                factor.ranks.0 += usize::from(j < n_smaller);
            }
        }
        factor.ranks.1 = factor.kept.len();
        factor
    }

    /// The products of a feature with the columns, made orthonormal in their order.
    fn scores(&self, columns: &Mat<f64>, slots: &[f64]) -> Vec<f64> {
        let mut scores: Vec<f64> = Vec::with_capacity(self.kept.len());
        for (row, &j) in self.rows.iter().zip(&self.kept) {
            let product: f64 = columns.col_as_slice(j).iter().zip(slots).map(|(c, s)| c * s).sum();
            let known: f64 = scores.iter().zip(row).map(|(score, x)| score * x).sum();
            scores.push((product - known) / row[row.len() - 1]);
        }
        scores
    }

    /// The least squares coefficients of all columns; 0 for those that add nothing.
    fn solve(&self, columns: &Mat<f64>, slots: &[f64]) -> Vec<f64> {
        let mut scores = self.scores(columns, slots);
        for at in (0..scores.len()).rev() {
            let known: f64 =
                (at + 1..scores.len()).map(|later| self.rows[later][at] * scores[later]).sum();
            scores[at] = (scores[at] - known) / self.rows[at][at];
        }
        let mut all = vec![0.0; columns.ncols()];
        self.kept.iter().zip(&scores).for_each(|(&j, score)| all[j] = *score);
        all
    }
}
