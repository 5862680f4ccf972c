//! The linear system of one Newton step, condensed on the pairs or on the rows.

use super::by_pairs::ByPairs;
use super::by_rows::ByRows;
use super::cholesky::Cholesky;
use super::long_vectors::{each, most_of};
use super::mapping::{Factor, Mapping, Steps};
use super::pair_matrix::PairMatrix;
use super::spare::Spare;
use crate::error::Result;
use crate::math::simd::dot_in_lanes;

/// If one form has this many times the entries of the other, its factor need not be looked at.
const CLEARLY_LARGER: usize = 3;

/// With this many times the entries the other form is no help.
const FAR_LARGER: usize = 50;
/// At most this many refinements a solve.
const REFINEMENTS: usize = 8;

/// Solves, for changes of the weights and of the multipliers,
///
/// ```text
/// stiffness · Δweights − Mᵀ Δmultipliers = pair_side
/// M Δweights + slackness · Δmultipliers  = row_side
/// ```
pub(super) struct Newton {
    form: Form,
    stiffness: Vec<f64>,
    slackness: Vec<f64>,
}

enum Form {
    Pairs(Box<ByPairs>),
    Rows(Box<ByRows>),
}

/// A right-hand side.
pub(super) struct Sides {
    pub pairs: Vec<f64>,
    pub rows: Vec<f64>,
}

/// A solution.
pub(super) struct Changes {
    pub weights: Vec<f64>,
    pub multipliers: Vec<f64>,
}

impl Newton {
    /// Chooses the form whose factor is cheaper; this depends on the pattern alone.
    pub fn new(matrix: &PairMatrix) -> Result<Self> {
        let (by_pairs, by_rows) = (ByPairs::entries(matrix), ByRows::entries(matrix));
        if by_rows / CLEARLY_LARGER > by_pairs {
            return Self::of_form(matrix, true);
        }
        if by_pairs / CLEARLY_LARGER > by_rows {
            return Self::of_form(matrix, false);
        }
        let (pairs, rows) = (Self::of_form(matrix, true)?, Self::of_form(matrix, false)?);
        let rows_win = rows.size().0 < pairs.size().0;
        Ok(if rows_win { rows } else { pairs })
    }

    /// The other form, for programs so degenerate that this one fails; none if it is far larger.
    pub fn other_form(&self, matrix: &PairMatrix) -> Result<Option<Self>> {
        let (by_pairs, by_rows) = (ByPairs::entries(matrix), ByRows::entries(matrix));
        let on_pairs = matches!(self.form, Form::Rows(_));
        let (own, other) = if on_pairs { (by_rows, by_pairs) } else { (by_pairs, by_rows) };
        if other > FAR_LARGER * own { Ok(None) } else { Self::of_form(matrix, on_pairs).map(Some) }
    }

    /// The form on the pairs, or on the rows.
    pub fn of_form(matrix: &PairMatrix, on_pairs: bool) -> Result<Self> {
        let form = if on_pairs {
            Form::Pairs(Box::new(ByPairs::new(matrix, &mut Spare::default())?))
        } else {
            Form::Rows(Box::new(ByRows::new(matrix)?))
        };
        Ok(Self { form, stiffness: Vec::new(), slackness: Vec::new() })
    }

    /// Whether it is condensed on the pairs.
    pub fn is_by_pairs(&self) -> bool {
        matches!(self.form, Form::Pairs(_))
    }

    /// About the multiplications of a factorisation, and the numbers in the factor.
    fn size(&self) -> (f64, usize) {
        match &self.form {
            Form::Pairs(form) => (form.work(), form.stored()),
            Form::Rows(form) => (form.cholesky.pattern().work(), form.cholesky.pattern().stored()),
        }
    }
}

impl Steps<PairMatrix> for Newton {
    fn factor(&mut self, matrix: &PairMatrix, stiffness: Vec<f64>, slackness: Vec<f64>) -> bool {
        self.stiffness = stiffness;
        self.slackness = slackness;
        match &mut self.form {
            Form::Pairs(form) => form.factor(matrix, &self.stiffness, &self.slackness),
            Form::Rows(form) => form.factor(matrix, &self.stiffness, &self.slackness),
        }
    }

    fn solve(
        &mut self,
        matrix: &PairMatrix,
        right: &Sides,
        weights: &[f64],
        accuracy: f64,
    ) -> Changes {
        let parts = Parts { matrix, stiffness: &self.stiffness, slackness: &self.slackness };
        match &mut self.form {
            Form::Pairs(form) => parts.solve_on_pairs(&mut **form, right, weights, accuracy),
            Form::Rows(form) => parts.solve_on_rows(&mut form.cholesky, right, accuracy),
        }
    }

    fn factor_per_solve(&self) -> f64 {
        factor_per_solve(self.size())
    }
}

/// How much dearer a factorisation of so many multiplications is than a solve with so many numbers.
pub(super) fn factor_per_solve((work, stored): (f64, usize)) -> f64 {
    work / stored.max(1) as f64
}

impl Factor for Cholesky {
    fn solve(&mut self, right: &mut [f64]) {
        Self::solve(self, right);
    }
}

/// `M` and the two diagonals.
pub(super) struct Parts<'n, M> {
    pub matrix: &'n M,
    pub stiffness: &'n [f64],
    pub slackness: &'n [f64],
}

impl<M: Mapping> Parts<'_, M> {
    /// The rows' equations are met by construction, those of the pairs are refined.
    pub fn solve_on_pairs(
        &self,
        factor: &mut impl Factor,
        right: &Sides,
        weights: &[f64],
        accuracy: f64,
    ) -> Changes {
        let mut start = self.matrix.earnings(&divide(&right.rows, self.slackness));
        add(&mut start, 1.0, &right.pairs);
        factor.solve(&mut start);
        let multipliers_with = |pairs: &[f64]| {
            let rebuilt = self.matrix.rebuild(pairs);
            each([&right.rows, &rebuilt, self.slackness], |[side, rebuilt, slackness]| {
                (side - rebuilt) / slackness
            })
        };
        if accuracy == f64::INFINITY {
            return Changes { multipliers: multipliers_with(&start), weights: start };
        }
        let complete = |pairs: &[f64]| {
            let multipliers = multipliers_with(pairs);
            let earnings = self.matrix.earnings(&multipliers);
            let both = [&*right.pairs, self.stiffness, pairs, &earnings];
            let residual =
                each(both, |[side, stiffness, change, earned]| side - stiffness * change + earned);
            let worst = largest([&residual, weights], |[off, weight]| off * weight);
            let weights = pairs.to_vec();
            Attempt { changes: Changes { weights, multipliers }, residual, worst }
        };
        let product = |pairs: &[f64]| {
            let rebuilt = self.matrix.rebuild(pairs);
            let mut product = self.matrix.earnings(&divide(&rebuilt, self.slackness));
            for (j, value) in product.iter_mut().enumerate() {
                *value += self.stiffness[j] * pairs[j];
            }
            product
        };
        refine(factor, start, complete, product, accuracy)
    }

    /// The pairs' equations are met by construction, those of the rows are refined.
    pub fn solve_on_rows(&self, factor: &mut impl Factor, right: &Sides, accuracy: f64) -> Changes {
        let mut start = self.matrix.rebuild(&divide(&right.pairs, self.stiffness));
        start.iter_mut().zip(&right.rows).for_each(|(to, side)| *to = side - *to);
        factor.solve(&mut start);
        let weights_with = |rows: &[f64]| -> Vec<f64> {
            let earnings = self.matrix.earnings(rows);
            each([&right.pairs, &earnings, self.stiffness], |[side, earned, stiffness]| {
                (side + earned) / stiffness
            })
        };
        if accuracy == f64::INFINITY {
            return Changes { weights: weights_with(&start), multipliers: start };
        }
        let complete = |rows: &[f64]| {
            let weights = weights_with(rows);
            let mut residual = self.matrix.rebuild(&weights);
            for (i, rebuilt) in residual.iter_mut().enumerate() {
                *rebuilt = right.rows[i] - *rebuilt - self.slackness[i] * rows[i];
            }
            let worst = largest([&residual], |[off]| off);
            let multipliers = rows.to_vec();
            Attempt { changes: Changes { weights, multipliers }, residual, worst }
        };
        let product = |rows: &[f64]| {
            let earnings = self.matrix.earnings(rows);
            let mut product = self.matrix.rebuild(&divide(&earnings, self.stiffness));
            for (i, value) in product.iter_mut().enumerate() {
                *value += self.slackness[i] * rows[i];
            }
            product
        };
        refine(factor, start, complete, product, accuracy)
    }
}

/// A possible solution and how far it is off.
struct Attempt {
    changes: Changes,
    residual: Vec<f64>,
    worst: f64,
}

/// Conjugate gradients from a first solution, with the factor as preconditioner: a few
/// directions in which the factor is of no use cost a step each.
fn refine(
    factor: &mut impl Factor,
    mut at: Vec<f64>,
    complete: impl Fn(&[f64]) -> Attempt,
    product: impl Fn(&[f64]) -> Vec<f64>,
    accuracy: f64,
) -> Changes {
    let mut attempt = complete(&at);
    let mut best: Option<Attempt> = None;
    let mut last: Option<(Vec<f64>, Vec<f64>)> = None;
    let mut idle = 0;
    for _ in 0..REFINEMENTS {
        if attempt.worst <= accuracy || !attempt.worst.is_finite() || idle == 2 {
            break;
        }
        let mut direction = attempt.residual.clone();
        factor.solve(&mut direction);
        if let Some((before, image)) = &last {
            let turn = -dot_in_lanes(&direction, image) / dot_in_lanes(before, image);
            add(&mut direction, turn, before);
        }
        let image = product(&direction);
        let length = dot_in_lanes(&attempt.residual, &direction) / dot_in_lanes(&direction, &image);
        if !length.is_finite() {
            break;
        }
        add(&mut at, length, &direction);
        last = Some((direction, image));
        let next = complete(&at);
        let before = std::mem::replace(&mut attempt, next);
        idle = if attempt.worst < 0.5 * before.worst { 0 } else { idle + 1 };
        if best.as_ref().is_none_or(|best| before.worst < best.worst) {
            best = Some(before);
        }
    }
    match best {
        Some(best) if best.worst <= attempt.worst => best.changes,
        _ => attempt.changes,
    }
}

/// The largest size of what `f` makes of the numbers of each place.
fn largest<const N: usize>(from: [&[f64]; N], f: impl Fn([f64; N]) -> f64 + Copy + Sync) -> f64 {
    most_of(from, |numbers| {
        let x = f(numbers);
        if x.is_nan() { f64::INFINITY } else { x.abs() }
    })
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

fn divide(a: &[f64], b: &[f64]) -> Vec<f64> {
    each([a, b], |[a, b]| a / b)
}
