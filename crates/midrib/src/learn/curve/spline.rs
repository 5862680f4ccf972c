//! The cubic smoothing spline.

use super::line::{Along, positions};
use crate::error::{Error, Result};
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, SelectedInverse, SparseCholesky, squared_distance};

/// Projections nearer than this share of the length are one knot.
const SAME: f64 = 1e-5;
/// The range of log₁₀ of the penalty, for a curve of length 1 and a mass of 1.
const RANGE: (f64, f64) = (-16.0, 6.0);
/// Values of the penalty on the first scan, and halvings around the best.
const SCAN: usize = 23;
const HALVINGS: usize = 20;

/// Step 3: in every column the function f of λ that minimizes
///
/// ```text
/// Σᵢ wᵢ (xᵢ − f(λᵢ))² + α ∫ f″(λ)² dλ
/// ```
///
/// at up to `count` values of λ. The penalty α gives as many degrees of freedom as wanted, or the
/// least generalized cross-validation over all columns.
pub(super) fn smoothing_spline(
    rows: &WeightedRows,
    along: &Along,
    freedom: Option<f64>,
    count: usize,
) -> Result<Matrix> {
    let knots = Knots::new(rows, along);
    let closed = along.period.is_some();
    if knots.at.len() < if closed { 5 } else { 4 } {
        return Matrix::from_rows(&knots.means);
    }
    let mut spline = Spline::new(&knots, closed)?;
    let log_penalty = match freedom {
        Some(freedom) => spline.with_freedom(freedom)?,
        None => spline.least_gcv(rows)?,
    };
    let fitted = spline.solve(10_f64.powf(log_penalty))?.fitted;
    let sorted: Vec<(f64, usize)> = knots.at.iter().copied().zip(0..).collect();
    let chosen = positions(&sorted, &knots.weights, knots.weights.iter().sum(), count);
    let row = |at: &f64| knots.at.partition_point(|knot| knot < at);
    Ok(fitted.select_rows(chosen.iter().map(row)))
}

/// Projections that differ, from 0 to 1 along the line.
struct Knots {
    at: Vec<f64>,
    /// The share of the points at each.
    weights: Vec<f64>,
    /// The mean of these points.
    means: Vec<Vec<f64>>,
    /// Their mean squared distance from it.
    scatter: f64,
}

impl Knots {
    fn new(rows: &WeightedRows, along: &Along) -> Self {
        let mut sorted: Vec<(f64, usize)> = along.lambda.iter().copied().zip(0..).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let first = if along.period.is_some() { 0.0 } else { sorted[0].0 };
        let length = along.period.unwrap_or(sorted[sorted.len() - 1].0 - first);
        let unit = if length > 0.0 { 1.0 / length } else { 0.0 };
        let mut knots =
            Self { at: Vec::new(), weights: Vec::new(), means: Vec::new(), scatter: 0.0 };
        let dims = rows.x.n_cols();
        let mut start = 0;
        while start < sorted.len() {
            let at = (sorted[start].0 - first) * unit;
            let same = |next: &&(f64, usize)| (next.0 - first) * unit - at <= SAME;
            let group = &sorted[start..];
            let group = &group[..group.iter().take_while(same).count()];
            let weight: f64 = group.iter().map(|&(_, i)| rows.weights[i]).sum();
            let mut mean = vec![0.0; dims];
            for &(_, i) in group {
                let share = rows.weights[i] / weight;
                mean.iter_mut().zip(rows.x.row(i)).for_each(|(m, x)| *m += share * x);
            }
            for &(_, i) in group {
                let squared = squared_distance(rows.x.row(i), &mean);
                knots.scatter += rows.weights[i] / rows.total * squared;
            }
            knots.at.push(at);
            knots.weights.push(weight / rows.total);
            knots.means.push(mean);
            start += group.len();
        }
        knots
    }
}

/// The equations of Reinsch for the second derivatives γ at the knots, which are natural at the two
/// ends of an open line: (R + α Qᵀ W⁻¹ Q) γ = Qᵀ y.
struct Spline<'k> {
    knots: &'k Knots,
    /// The entries of each row of Q: the unknown, and its factor.
    q: Vec<Vec<(usize, f64)>>,
    matrix: SparseCholesky,
    inverse: SelectedInverse,
    /// R and Qᵀ W⁻¹ Q, entry by entry as in `matrix`.
    r: Vec<f64>,
    square: Vec<f64>,
    /// Qᵀ y, column after column.
    right: Vec<f64>,
}

/// The spline for one penalty.
struct Solved {
    fitted: Matrix,
    /// Degrees of freedom that the residuals have, in knots.
    residual_freedom: f64,
    /// The mean squared distance of the points from the spline.
    distance: f64,
}

impl<'k> Spline<'k> {
    fn new(knots: &'k Knots, closed: bool) -> Result<Self> {
        let n = knots.at.len();
        let gap = |j: usize| match knots.at.get(j + 1) {
            Some(next) => next - knots.at[j],
            None => (1.0 + knots.at[0] - knots.at[j]).max(SAME),
        };
        // The knots of the unknowns.
        let inner: Vec<usize> = if closed { (0..n).collect() } else { (1..n - 1).collect() };
        let mut q: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
        for (unknown, &j) in inner.iter().enumerate() {
            let before = (j + n - 1) % n;
            let (a, b) = (1.0 / gap(before), 1.0 / gap(j));
            q[before].push((unknown, a));
            q[j].push((unknown, -a - b));
            q[(j + 1) % n].push((unknown, b));
        }
        let pairs: Vec<(usize, usize)> = q
            .iter()
            .flat_map(|row| row.iter().flat_map(|a| row.iter().map(|b| (a.0, b.0))))
            .filter(|(a, b)| a < b)
            .collect();
        let matrix = SparseCholesky::of_pairs(inner.len(), &pairs)?;
        let entries = matrix.row_indices().len();
        let (mut r, mut square) = (vec![0.0; entries], vec![0.0; entries]);
        for (unknown, &j) in inner.iter().enumerate() {
            r[matrix.index(unknown, unknown)] += (gap((j + n - 1) % n) + gap(j)) / 3.0;
            if closed || unknown + 1 < inner.len() {
                r[matrix.index(unknown, (unknown + 1) % inner.len())] += gap(j) / 6.0;
            }
        }
        let dims = knots.means[0].len();
        let mut right = vec![0.0; inner.len() * dims];
        for (row, (mean, weight)) in q.iter().zip(knots.means.iter().zip(&knots.weights)) {
            for &(a, x) in row {
                for &(b, y) in row.iter().filter(|other| other.0 <= a) {
                    square[matrix.index(a, b)] += x * y / weight;
                }
                for (column, value) in mean.iter().enumerate() {
                    right[column * inner.len() + a] += x * value;
                }
            }
        }
        let inverse = SelectedInverse::new(&matrix);
        Ok(Self { knots, q, matrix, inverse, r, square, right })
    }

    fn solve(&mut self, penalty: f64) -> Result<Solved> {
        let values = self.matrix.values_mut().iter_mut();
        let parts = self.r.iter().zip(&self.square);
        values.zip(parts).for_each(|(value, (r, square))| *value = r + penalty * square);
        if !self.matrix.factor() {
            return Err(Error::Numerical("the smoothing spline's equations are singular".into()));
        }
        let mut inverse = vec![0.0; self.square.len()];
        self.inverse.of(&self.matrix, &mut inverse);
        let starts = self.matrix.column_starts();
        let mut residual_freedom = 0.0;
        for ends in starts.windows(2) {
            let column = ends[0]..ends[1];
            for (at, inverse) in column.clone().zip(&inverse[column]) {
                let times = if at == ends[0] { 1.0 } else { 2.0 };
                residual_freedom += times * penalty * inverse * self.square[at];
            }
        }
        let mut gamma = self.right.clone();
        self.matrix.solve(&mut gamma);
        let unknowns = starts.len() - 1;
        let mut distance = self.knots.scatter;
        let mut fitted = Matrix::from_rows(&self.knots.means)?;
        for (j, (row, weight)) in self.q.iter().zip(&self.knots.weights).enumerate() {
            for (column, value) in fitted.row_mut(j).iter_mut().enumerate() {
                let bent: f64 = row.iter().map(|&(a, x)| x * gamma[column * unknowns + a]).sum();
                let residual = penalty * bent / weight;
                *value -= residual;
                distance += weight * residual * residual;
            }
        }
        Ok(Solved { fitted, residual_freedom, distance })
    }

    /// The penalty that gives these degrees of freedom, by bisection.
    fn with_freedom(&mut self, freedom: f64) -> Result<f64> {
        let (mut low, mut high) = RANGE;
        let knots = self.knots.at.len() as f64;
        for _ in 0..2 * HALVINGS {
            let middle = 0.5 * (low + high);
            let found = knots - self.solve(10_f64.powf(middle))?.residual_freedom;
            if found > freedom { low = middle } else { high = middle }
        }
        Ok(0.5 * (low + high))
    }

    /// The penalty of least generalized cross-validation: a scan, and a search around the best.
    fn least_gcv(&mut self, rows: &WeightedRows) -> Result<f64> {
        let points = rows.total / rows.unit();
        let knots = self.knots.at.len() as f64;
        let mut score = |log_penalty: f64| -> Result<f64> {
            let solved = self.solve(10_f64.powf(log_penalty))?;
            let left = (points - knots + solved.residual_freedom) / points;
            Ok(solved.distance / (left * left).max(f64::MIN_POSITIVE))
        };
        let mut step = (RANGE.1 - RANGE.0) / (SCAN - 1) as f64;
        let mut best = (f64::INFINITY, RANGE.1);
        for at in (0..SCAN).rev() {
            let log_penalty = RANGE.0 + step * at as f64;
            let found = score(log_penalty)?;
            if found < best.0 {
                best = (found, log_penalty);
            }
        }
        for _ in 0..HALVINGS {
            step *= 0.5;
            for log_penalty in [best.1 + step, best.1 - step] {
                let found = score(log_penalty)?;
                if found < best.0 {
                    best = (found, log_penalty);
                }
            }
        }
        Ok(best.1)
    }
}
