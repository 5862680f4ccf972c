//! The program as others see it: rows, pairs, costs in; weights and their proof out.

use super::certificate::{SOLVED, Scaled};
use super::interior_point::{self, Found};
use super::mapping::{Entries, Mapping};
use super::newton::Newton;
use super::pair_matrix::PairMatrix;
use super::reference;
use super::shrink;
use super::undecided::Shrinking;
use crate::error::{Error, Result};
use crate::math::Matrix;

/// The accuracy that Clarabel must reach as a fallback.
pub(super) const FALLBACK: f64 = 1e-10;
/// Weights that are next to nothing are set to 0 if this raises the value by at most this share.
const TRIMMED: f64 = 1e-9;
/// Weights below this share of the largest may be nothing.
const NOTHING: f64 = 1e-9;

/// How far a solution can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The relative duality gap is below 1e-8.
    Solved,
    /// The same, by Clarabel: the structured solver had stopped short of it.
    SolvedByReference,
    /// Neither solver closed the gap: the best that either found.
    Inexact,
}

/// The best weights, and the proof that there are none much better.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// One weight for each pair.
    pub weights: Vec<f64>,
    /// The objective at these weights.
    pub value: f64,
    /// No weights have a smaller objective than this.
    pub bound: f64,
    /// The difference of the two as a share of the value. Values below a millionth of that of
    /// the least weights are taken as that much: their last digits are rounding.
    pub relative_gap: f64,
    /// One multiplier for each value of each row: they prove the bound.
    pub multipliers: Matrix,
    /// How far this can be trusted.
    pub status: Status,
    /// The number of steps of the solver.
    pub iterations: usize,
}

/// Rebuilds rows from one another by nonnegative weights on pairs: it minimizes
///
/// ```text
/// Σ_{pairs {a,b}} cost_ab · w_ab + deviation_weight · Σ_a ‖row_a − Σ_b w_ab · row_b‖₁
/// ```
///
/// Everything that depends on rows and pairs alone, above all the pattern of the sparse factor,
/// is prepared by the first solve and used by all later ones. The answer is the same for
/// any number of threads.
///
/// ```
/// use midrib::math::{Matrix, PairProgram};
/// let rows = Matrix::from_rows(&[[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]])?;
/// let mut program = PairProgram::new(&rows, vec![(0, 1), (1, 2)], 10.0)?;
/// let optimum = program.solve(&[0.02, 3.62])?;
/// assert!((optimum.weights[0] - 1.0).abs() < 1e-6 && optimum.weights[1] == 0.0);
/// assert!(optimum.relative_gap < 1e-8);
/// # Ok::<(), midrib::Error>(())
/// ```
pub struct PairProgram {
    /// The rows in the unit of their largest value.
    matrix: PairMatrix,
    unit: f64,
    deviation_weight: f64,
    lower_bounds: Vec<f64>,
    target: Vec<f64>,
    column_sizes: Vec<f64>,
    newton: Option<Newton>,
    shrinking: Shrinking,
}

impl PairProgram {
    /// A program over `pairs` of `rows`, each `(a, b)` with `a < b`, in ascending order.
    pub fn new(rows: &Matrix, pairs: Vec<(usize, usize)>, deviation_weight: f64) -> Result<Self> {
        let n_rows = rows.n_rows();
        if !(deviation_weight > 0.0 && deviation_weight.is_finite()) {
            return Err(Error::setting(
                "deviation_weight",
                deviation_weight,
                "must be positive and finite",
            ));
        }
        if let Some((a, b)) = pairs.iter().find(|(a, b)| a >= b || *b >= n_rows) {
            return Err(Error::data(format!(
                "pair {a}-{b}: needs two different rows in ascending order, numbered below {n_rows}"
            )));
        }
        if let Some(twice) = pairs.windows(2).find(|two| two[0] >= two[1]) {
            let (a, b) = twice[1];
            return Err(Error::data(format!("pair {a}-{b} is repeated or out of order")));
        }
        let unit = rows.as_slice().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if !unit.is_finite() || rows.as_slice().iter().any(|x| x.is_nan()) {
            return Err(Error::data("linear program: a row holds a value that is not finite"));
        }
        let scale = if unit > 0.0 { unit } else { 1.0 };
        let scaled: Vec<f64> = rows.as_slice().iter().map(|x| x / scale).collect();
        let lower_bounds = vec![0.0; pairs.len()];
        let matrix = PairMatrix::new(n_rows, rows.n_cols(), scaled, pairs);
        Ok(Self {
            target: matrix.rows.clone(),
            column_sizes: matrix.column_sizes(),
            matrix,
            unit: scale,
            deviation_weight,
            lower_bounds,
            newton: None,
            shrinking: Shrinking::default(),
        })
    }

    /// Sets the least weight of each pair; without it that is 0.
    ///
    /// ```
    /// use midrib::math::{Matrix, PairProgram};
    /// let rows = Matrix::from_rows(&[[1.0], [1.0]])?;
    /// let mut program = PairProgram::new(&rows, vec![(0, 1)], 1.0)?.with_lower_bounds(vec![0.5])?;
    /// // The pair costs more than it rebuilds: it keeps what it must.
    /// assert_eq!(program.solve(&[3.0])?.weights, [0.5]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn with_lower_bounds(mut self, lower_bounds: Vec<f64>) -> Result<Self> {
        if lower_bounds.len() != self.matrix.pairs.len() {
            return Err(Error::shape("lower bounds", self.matrix.pairs.len(), lower_bounds.len()));
        }
        if let Some(bound) =
            lower_bounds.iter().find(|bound| !(bound.is_finite() && **bound >= 0.0))
        {
            return Err(Error::setting("lower bound", bound, "must be 0 or positive"));
        }
        let rebuilt = self.matrix.rebuild(&lower_bounds);
        self.target = self.matrix.rows.iter().zip(rebuilt).map(|(x, r)| x - r).collect();
        self.lower_bounds = lower_bounds;
        Ok(self)
    }

    /// The pairs, in ascending order.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.matrix.pairs
    }

    /// The best weights for the given cost of each pair.
    ///
    /// The structured interior point aims at a relative gap of 1e-9; if it does not reach
    /// 1e-8, Clarabel is asked, and the better of the two is returned with its status.
    pub fn solve(&mut self, costs: &[f64]) -> Result<Optimum> {
        let mut newton = match self.newton.take() {
            Some(newton) => newton,
            None => Newton::new(&self.matrix)?,
        };
        let scaled = self.scaled(costs)?;
        let mut found = shrink::solve(&scaled, &mut newton, self.shrinking)?;
        let mut status = Status::Solved;
        if found.relative_gap() > SOLVED
            && let Some(mut other) = newton.other_form(&self.matrix)?
        {
            found = better(found, interior_point::solve(&scaled, &mut other));
        }
        if found.relative_gap() > SOLVED {
            status = Status::SolvedByReference;
            found = better(found, reference::solve(&scaled, FALLBACK)?);
        }
        let optimum = self.optimum(&scaled, found, status);
        self.newton = Some(newton);
        optimum
    }

    /// The same by Clarabel alone, whose measures of gap and feasibility must fall below
    /// `accuracy`: slower, with nothing in common but the program.
    pub fn solve_by_reference(&self, costs: &[f64], accuracy: f64) -> Result<Optimum> {
        let scaled = self.scaled(costs)?;
        let found = reference::solve(&scaled, accuracy)?;
        self.optimum(&scaled, found, Status::SolvedByReference)
    }

    /// Fixes the form of the Newton system.
    #[cfg(test)]
    pub(super) fn condensed_on_pairs(mut self, on_pairs: bool) -> Self {
        self.newton = Some(Newton::of_form(&self.matrix, on_pairs).unwrap());
        self
    }

    /// Sets when to work on a part.
    #[cfg(test)]
    pub(super) fn shrinking(mut self, shrinking: Shrinking) -> Self {
        self.shrinking = shrinking;
        self
    }

    /// The cost of one unit of the scaled program.
    fn price(&self) -> f64 {
        self.deviation_weight * self.unit
    }

    fn scaled(&self, costs: &[f64]) -> Result<Scaled<'_, PairMatrix>> {
        if costs.len() != self.matrix.pairs.len() {
            return Err(Error::shape("costs of the pairs", self.matrix.pairs.len(), costs.len()));
        }
        let price = self.price();
        let scaled: Vec<f64> = costs.iter().map(|cost| cost / price).collect();
        if let Some(pair) = scaled.iter().position(|cost| !(cost.is_finite() && *cost >= 0.0)) {
            let (a, b) = self.matrix.pairs[pair];
            return Err(Error::data(format!(
                "linear program: pair {a}-{b} costs {} at deviation weight {}: rescale the points",
                costs[pair], self.deviation_weight
            )));
        }
        Ok(Scaled {
            matrix: &self.matrix,
            target: &self.target,
            column_sizes: &self.column_sizes,
            costs: scaled,
        })
    }

    fn optimum(
        &self,
        scaled: &Scaled<'_, PairMatrix>,
        mut found: Found,
        status: Status,
    ) -> Result<Optimum> {
        trim(scaled, &mut found);
        let fixed: f64 = scaled.costs.iter().zip(&self.lower_bounds).map(|(c, l)| c * l).sum();
        let price = self.price();
        let multipliers = found.bound.multipliers.iter().map(|u| u * self.deviation_weight);
        Ok(Optimum {
            weights: found.weights.iter().zip(&self.lower_bounds).map(|(w, l)| w + l).collect(),
            value: (found.value + fixed) * price,
            bound: (found.bound.value + fixed) * price,
            relative_gap: found.relative_gap(),
            status: if found.relative_gap() <= SOLVED { status } else { Status::Inexact },
            multipliers: Matrix::new(self.matrix.n_rows, self.matrix.dims, multipliers.collect())?,
            iterations: found.steps,
        })
    }
}

/// The one with the smaller gap.
pub(super) fn better(first: Found, second: Found) -> Found {
    if second.relative_gap() < first.relative_gap() { second } else { first }
}

/// Sets to 0 what an interior method leaves a little above, if the gap stays small: weights
/// smaller than what the pair lacks, as a share of its column, of earning its cost; or, where
/// that takes too much, weights that are next to nothing beside the largest.
pub(super) fn trim<M: Mapping>(scaled: &Scaled<'_, M>, found: &mut Found) {
    let earnings = scaled.matrix.earnings(&found.bound.multipliers);
    let largest = found.weights.iter().copied().fold(0.0, f64::max);
    let without = |is_nothing: &dyn Fn(usize, f64) -> bool| -> Vec<f64> {
        let weights = found.weights.iter().enumerate();
        weights.map(|(pair, &w)| if is_nothing(pair, w) { 0.0 } else { w }).collect()
    };
    let unearned = without(&|pair, weight| {
        let size = scaled.column_sizes[pair];
        size == 0.0 || weight * size <= scaled.costs[pair] - earnings[pair]
    });
    let tiny = without(&|_, weight| weight <= NOTHING * largest);
    let largest_gap = SOLVED.max(found.relative_gap());
    for weights in [unearned, tiny] {
        let value = scaled.value(&weights, &scaled.matrix.rebuild(&weights));
        let whole = std::mem::replace(&mut found.weights, weights);
        let before = std::mem::replace(&mut found.value, value);
        if value - before <= TRIMMED * value && found.relative_gap() <= largest_gap {
            return;
        }
        found.weights = whole;
        found.value = before;
    }
}
