//! Predictor and corrector steps until the gap closes. Mehrotra1992; further corrections as in
//! Gondzio1996.

use super::certificate::{Bound, Scaled};
use super::condensed::{Diagonals, Sides, Steps, System};
use super::iterate::{Aims, Iterate, Residuals, Step};
use super::long_vectors::{advance, each};
use super::mapping::{Entries, Mapping};
use crate::math::simd::dot_in_lanes;

/// The gap that is aimed at, as a share of the value.
pub(super) const AIM: f64 = 1e-9;
/// Values below this share of the value without weights are near rounding.
const NEGLIGIBLE: f64 = 1e-6;
/// At most this many steps.
pub(super) const MAX_STEPS: usize = 100;
/// The search ends after this many steps in a row that are not good.
const PATIENCE: usize = 8;
/// A step is good if it lessens the products to this share.
pub(super) const NEARER: f64 = 0.9;
/// Multipliers are repaired where what they promise differs from the value by at most this many times
/// the gap that is aimed at.
const NEARLY: f64 = 10.0;
/// A gap below this share of the value is worth a proof.
const NEAR: f64 = 1e-3;
/// The share of the way to the boundary that a step takes: early, and near the optimum.
const STRIDE: (f64, f64) = (0.99, 0.99999);

/// Products are not aimed below this share of what the gap admits: too close to the boundary
/// a step can no longer make up for rounding.
const ENOUGH: f64 = 0.1;
/// Residuals of a corrected step's linear system, in units of the mean product: what is left of them the
/// next step makes up for, and answers carry their own proof. A predicted step is not refined.
const ACCURACY: f64 = 0.1;
/// Steps are corrected at most this often where a factorization is expensive.
const CORRECTIONS: usize = 2;
/// Expensive: this many times the multiplications of a solve.
const EXPENSIVE: f64 = 150.0;
/// A correction is kept if it lengthens the two steps together by this.
const GAIN: f64 = 0.02;

/// The best weights and the best multipliers on the way.
#[derive(Debug)]
pub(super) struct Found {
    pub weights: Vec<f64>,
    pub value: f64,
    pub bound: Bound,
    pub steps: usize,
    /// The objective without any weights.
    pub total: f64,
}

impl Found {
    /// The difference of value and bound as a share of the value. Values below a millionth of
    /// that without weights are taken as that much: their last digits are rounding.
    pub fn relative_gap(&self) -> f64 {
        let gap = (self.value - self.bound.value).max(0.0);
        if !(self.value.is_finite() && self.bound.value.is_finite()) {
            return f64::INFINITY;
        }
        let scale = self.scale();
        if scale > 0.0 { gap / scale } else { 0.0 }
    }

    pub fn scale(&self) -> f64 {
        self.value.max(NEGLIGIBLE * self.total)
    }

    /// Weights and what the multipliers prove.
    pub fn of<M: Mapping>(
        program: &Scaled<'_, M>,
        weights: Vec<f64>,
        multipliers: &[f64],
        steps: usize,
    ) -> Self {
        let value = program.value(&weights, &program.matrix.rebuild(&weights));
        let bound = program.bound(multipliers, &program.matrix.earnings(multipliers));
        let total = program.target.iter().map(|x| x.abs()).sum();
        Self { weights, value, bound, steps, total }
    }

    /// Weights of 0 and the multipliers that would prove them best.
    pub fn nothing<M: Mapping>(program: &Scaled<'_, M>) -> Self {
        let sign = |x: &f64| if *x == 0.0 { 0.0 } else { x.signum() };
        let multipliers: Vec<f64> = program.target.iter().map(sign).collect();
        Self::of(program, vec![0.0; program.costs.len()], &multipliers, 0)
    }

    /// Keeps what is better.
    fn improve<M: Entries>(&mut self, program: &Scaled<'_, M>, answer: &Answer) {
        let value = program.value(&answer.weights, &answer.rebuilt);
        if value < self.value {
            self.value = value;
            self.weights.clone_from(&answer.weights);
        }
        let (proven, share) = program.proves(&answer.multipliers, &answer.earnings);
        if proven > self.bound.value {
            self.bound.value = proven;
            each(&mut self.bound.multipliers, [&answer.multipliers], |[u]| share * u);
        }
        let promised = self.value - dot_in_lanes(program.target, &answer.multipliers);
        if self.relative_gap() > AIM && promised.abs() <= NEARLY * AIM * self.scale() {
            let repaired = program.repaired(&answer.multipliers, &answer.earnings);
            if repaired.value > self.bound.value {
                self.bound = repaired;
            }
        }
    }
}

/// Weights and multipliers, with what they rebuild and earn.
#[derive(Default)]
pub(super) struct Answer {
    pub weights: Vec<f64>,
    pub multipliers: Vec<f64>,
    pub rebuilt: Vec<f64>,
    pub earnings: Vec<f64>,
}

impl Answer {
    /// The products of the weights and multipliers.
    pub fn complete(&mut self, matrix: &impl Mapping) {
        matrix.rebuild_to(&self.weights, &mut self.rebuilt);
        matrix.earnings_to(&self.multipliers, &mut self.earnings);
    }
}

/// Vectors of a step, used again by the next.
#[derive(Default)]
pub(super) struct Workspace {
    diagonals: Diagonals,
    residuals: Residuals,
    aims: Aims,
    right: Sides,
    predicted: Step,
    step: Step,
    corrected: Step,
}

/// Solves the program; the answer is only as good as its gap says.
pub(super) fn solve<M: Entries>(program: &Scaled<'_, M>, newton: &mut impl Steps<M>) -> Found {
    let mut search = Search::new(program);
    while search.advance(newton) {}
    search.found
}

/// A search under way.
pub(super) struct Search<'p, M> {
    program: &'p Scaled<'p, M>,
    pub at: Iterate,
    pub found: Found,
    /// The current point, with products that were updated by steps; they are recomputed before
    /// anything is taken as proven.
    answer: Answer,
    pub workspace: Workspace,
    /// The least mean product since the search began or went back.
    least: f64,
    /// The steps in a row that were not good.
    idle: usize,
}

impl<'p, M: Entries> Search<'p, M> {
    pub fn new(program: &'p Scaled<'p, M>) -> Self {
        let mut search = Self {
            program,
            at: Iterate::default(),
            found: Found::nothing(program),
            answer: Answer::default(),
            workspace: Workspace::default(),
            least: f64::INFINITY,
            idle: 0,
        };
        search.go_back_to(Iterate::start(program));
        search
    }

    /// Takes what an answer proves; true if the gap is closed.
    pub fn proves(&mut self, answer: &Answer) -> bool {
        self.found.improve(self.program, answer);
        self.found.relative_gap() <= AIM
    }

    /// Whether products of this size promise a gap that is worth a proof.
    pub fn is_near(&self, size: f64, n_products: f64) -> bool {
        size * n_products <= NEAR * self.found.scale()
    }

    /// Restarts from an earlier point; what has been proven stays.
    pub fn go_back_to(&mut self, point: Iterate) {
        self.at = point;
        self.take_answer();
        self.least = f64::INFINITY;
        self.idle = 0;
    }

    fn take_answer(&mut self) {
        self.answer.weights.clone_from(&self.at.weights.variable);
        self.answer.multipliers.clone_from(&self.at.multipliers);
        self.answer.complete(self.program.matrix);
    }

    /// Takes what the point proves if it is near the optimum, then a step from it; false once the
    /// search is over.
    pub fn advance(&mut self, newton: &mut impl Steps<M>) -> bool {
        let size = self.at.mean_product();
        if self.found.relative_gap() <= AIM || !(size.is_finite() && self.at.is_interior()) {
            return false;
        }
        self.idle = if size < NEARER * self.least { 0 } else { self.idle + 1 };
        self.least = self.least.min(size);
        let is_last = self.idle >= PATIENCE || self.found.steps >= MAX_STEPS;
        if is_last || self.is_near(size, self.at.n_products()) {
            self.take_answer();
            self.found.improve(self.program, &self.answer);
            if is_last || self.found.relative_gap() <= AIM {
                return false;
            }
        }
        let Answer { rebuilt, earnings, .. } = &mut self.answer;
        let scale = self.found.scale();
        let workspace = &mut self.workspace;
        let products = (&**rebuilt, &**earnings);
        let Some((primal, dual)) =
            step(self.program, newton, &mut self.at, products, scale, workspace)
        else {
            self.take_answer();
            self.found.improve(self.program, &self.answer);
            return false;
        };
        advance(rebuilt, &workspace.step.changes.rebuilt, primal);
        advance(earnings, &workspace.step.changes.earnings, dual);
        self.found.steps += 1;
        true
    }
}

/// One step, predicted and corrected, from a point whose weights rebuild and whose multipliers
/// earn what is given; its lengths, or nothing if its linear system has no solution.
pub(super) fn step<M: Mapping>(
    program: &Scaled<'_, M>,
    newton: &mut impl Steps<M>,
    at: &mut Iterate,
    products: (&[f64], &[f64]),
    scale: f64,
    workspace: &mut Workspace,
) -> Option<(f64, f64)> {
    let matrix = program.matrix;
    let Workspace { diagonals, residuals, aims, right, predicted, step, corrected } = workspace;
    at.diagonals(diagonals);
    if !newton.factor(matrix, diagonals) {
        return None;
    }
    let corrections = if newton.factor_per_solve() > EXPENSIVE { CORRECTIONS } else { 0 };
    at.residuals(program, products, residuals);
    let size = at.mean_product();
    let mut step_to = |aims: &Aims, accuracy: f64, step: &mut Step| {
        at.right_side(residuals, aims, right);
        let system = System { matrix, diagonals, right, weights: &at.weights.variable };
        newton.solve(system, accuracy, &mut step.changes);
        at.complete(aims, step);
        at.longest(step)
    };
    at.aim_at_nothing(aims);
    let lengths = step_to(aims, f64::INFINITY, predicted);
    let left = at.mean_product_after(predicted, lengths) / size;
    let enough = ENOUGH * AIM * scale / at.n_products();
    at.aim_at((size * left.powi(3)).max(enough), predicted, aims);
    let mut lengths = step_to(aims, ACCURACY * size, step);
    for _ in 0..corrections {
        at.correct(aims, step, lengths);
        let longer = step_to(aims, ACCURACY * size, corrected);
        if longer.0 + longer.1 < lengths.0 + lengths.1 + GAIN {
            break;
        }
        std::mem::swap(step, corrected);
        lengths = longer;
    }
    let stride = (1.0 - size).clamp(STRIDE.0, STRIDE.1);
    let lengths = (stride * lengths.0, stride * lengths.1);
    at.advance(step, lengths);
    Some(lengths)
}

#[cfg(test)]
mod tests {
    use super::super::newton::Newton;
    use super::super::pair_matrix::PairMatrix;
    use super::*;

    #[test]
    fn products_that_steps_move_are_those_of_the_point() {
        let (n, dims) = (40, 3);
        let rows = (0..n * dims).map(|i| (i as f64 * 0.37).sin()).collect();
        let near = |a: usize| (a + 1..(a + 5).min(n)).map(move |b| (a, b));
        let matrix = PairMatrix::new(n, dims, rows, (0..n).flat_map(near).collect());
        let program = Scaled {
            matrix: &matrix,
            target: &matrix.rows,
            column_sizes: &matrix.column_sizes(),
            costs: (0..matrix.pairs.len()).map(|pair| 0.1 + 0.01 * pair as f64).collect(),
        };
        for on_pairs in [true, false] {
            let mut newton = Newton::of_form(&matrix, on_pairs).unwrap();
            let mut search = Search::new(&program);
            for _ in 0..5 {
                assert!(search.advance(&mut newton));
                let rebuilt = matrix.rebuild(&search.at.weights.variable);
                let earnings = matrix.earnings(&search.at.multipliers);
                for (moved, fresh) in
                    [(&search.answer.rebuilt, rebuilt), (&search.answer.earnings, earnings)]
                {
                    assert_eq!(moved.len(), fresh.len());
                    let off = moved.iter().zip(&fresh).map(|(a, b)| (a - b).abs());
                    assert!(off.fold(0.0, f64::max) < 1e-11);
                }
            }
        }
    }
}
