//! The linear system of one Newton step, condensed on the pairs or on the rows.

use super::long_vectors::{advance, each, most_of, update};
use super::mapping::Mapping;
use crate::math::SparseCholesky;
use crate::math::simd::dot_in_lanes;

/// At most this many refinements a solve.
const REFINEMENTS: usize = 8;

/// The linear system of a step: for changes of the weights and of the multipliers,
///
/// ```text
/// stiffness · Δweights − Mᵀ Δmultipliers = pair_side
/// M Δweights + slackness · Δmultipliers  = row_side
/// ```
pub(super) struct System<'s, M> {
    pub matrix: &'s M,
    pub diagonals: &'s Diagonals,
    pub right: &'s Sides,
    /// The weights themselves: equations of small ones count less.
    pub weights: &'s [f64],
}

/// The diagonals.
#[derive(Default)]
pub(super) struct Diagonals {
    pub stiffness: Vec<f64>,
    pub slackness: Vec<f64>,
}

/// The right-hand side.
#[derive(Default)]
pub(super) struct Sides {
    pub pairs: Vec<f64>,
    pub rows: Vec<f64>,
}

/// The unknowns that a system is condensed on. The equations of the others are met by construction.
#[derive(Clone, Copy, Debug)]
pub(super) enum On {
    Pairs,
    Rows,
}

/// A solution, with its products.
#[derive(Clone, Default)]
pub(super) struct Changes {
    pub weights: Vec<f64>,
    pub multipliers: Vec<f64>,
    /// What the weights' changes rebuild, and what pairs earn by those of the multipliers; both are
    /// known unless residuals were not computed.
    pub rebuilt: Vec<f64>,
    pub earnings: Vec<f64>,
}

impl Changes {
    /// The unknowns of the condensed system and the others, and what each of them adds to the
    /// equations of the others.
    fn split(&mut self, on: On) -> [&mut Vec<f64>; 4] {
        let Self { weights, multipliers, rebuilt, earnings } = self;
        match on {
            On::Pairs => [weights, multipliers, rebuilt, earnings],
            On::Rows => [multipliers, weights, earnings, rebuilt],
        }
    }
}

/// Solves the linear systems of Newton steps.
pub(super) trait Steps<M> {
    /// Prepares solves; false if the numbers have left the range of floating point.
    fn factor(&mut self, matrix: &M, diagonals: &Diagonals) -> bool;

    /// Solves with the last factor and refines until no equation, a weight's multiplied by the
    /// weight, is off by more than `accuracy`. If this is infinite, residuals are not computed.
    fn solve(&mut self, system: System<'_, M>, accuracy: f64, changes: &mut Changes);

    /// How much more a factorization costs than a solve.
    fn factor_per_solve(&self) -> f64;
}

/// A factor of a symmetric positive definite matrix.
pub(super) trait Factor {
    /// Solves in place.
    fn solve(&mut self, right: &mut [f64]);
}

impl Factor for SparseCholesky {
    fn solve(&mut self, right: &mut [f64]) {
        Self::solve(self, right);
    }
}

impl<M: Mapping> System<'_, M> {
    /// Solves the condensed system with its factor, and refines as [`Steps::solve`] says.
    pub fn solve_on(&self, on: On, factor: &mut impl Factor, accuracy: f64, changes: &mut Changes) {
        self.start(on, changes);
        factor.solve(changes.split(on)[0]);
        self.complete(on, changes);
        if accuracy != f64::INFINITY {
            self.refine(on, factor, accuracy, changes);
        }
    }

    /// Conjugate gradients from a first solution, with the factor as preconditioner: a few
    /// directions in which the factor is of no use cost a step each.
    fn refine(&self, on: On, factor: &mut impl Factor, accuracy: f64, changes: &mut Changes) {
        let (mut residual, mut worst) = self.residual(on, changes);
        if worst <= accuracy || !worst.is_finite() {
            return;
        }
        let mut best = (changes.clone(), worst);
        let mut last: Option<(Vec<f64>, Vec<f64>)> = None;
        let mut idle = 0;
        for _ in 0..REFINEMENTS {
            if worst <= accuracy || !worst.is_finite() || idle == 2 {
                break;
            }
            let mut direction = residual.clone();
            factor.solve(&mut direction);
            if let Some((before, image)) = &last {
                let turn = -dot_in_lanes(&direction, image) / dot_in_lanes(before, image);
                advance(&mut direction, before, turn);
            }
            let image = self.product(on, &direction);
            let length = dot_in_lanes(&residual, &direction) / dot_in_lanes(&direction, &image);
            if !length.is_finite() {
                break;
            }
            advance(changes.split(on)[0], &direction, length);
            last = Some((direction, image));
            self.complete(on, changes);
            let next;
            (residual, next) = self.residual(on, changes);
            idle = if next < 0.5 * worst { 0 } else { idle + 1 };
            worst = next;
            if worst < best.1 {
                best = (changes.clone(), worst);
            }
        }
        *changes = best.0;
    }

    /// Side and diagonal of the condensed equations, then those of the others, and the sign with
    /// which the others enter.
    fn split(&self, on: On) -> ([&[f64]; 4], f64) {
        let Self { diagonals: Diagonals { stiffness, slackness }, right, .. } = self;
        match on {
            On::Pairs => ([&right.pairs, stiffness, &right.rows, slackness], 1.0),
            On::Rows => ([&right.rows, slackness, &right.pairs, stiffness], -1.0),
        }
    }

    /// What the condensed unknowns add to the equations of the others.
    fn carry(&self, on: On, unknowns: &[f64], to: &mut Vec<f64>) {
        match on {
            On::Pairs => self.matrix.rebuild_to(unknowns, to),
            On::Rows => self.matrix.earnings_to(unknowns, to),
        }
    }

    /// The reverse of [`Self::carry`].
    fn carry_back(&self, on: On, others: &[f64], to: &mut Vec<f64>) {
        let other = match on {
            On::Pairs => On::Rows,
            On::Rows => On::Pairs,
        };
        self.carry(other, others, to);
    }

    /// Sets the unknowns to the right-hand side of the condensed system.
    fn start(&self, on: On, changes: &mut Changes) {
        let ([side, _, other_side, other_diagonal], sign) = self.split(on);
        let [unknowns, others, ..] = changes.split(on);
        each(others, [other_side, other_diagonal], |[side, diagonal]| side / diagonal);
        self.carry_back(on, others, unknowns);
        update(unknowns, [side], |carried, [side]| side + sign * carried);
    }

    /// Finds the other unknowns.
    fn complete(&self, on: On, changes: &mut Changes) {
        let ([_, _, side, diagonal], sign) = self.split(on);
        let [unknowns, others, carried, _] = changes.split(on);
        self.carry(on, unknowns, carried);
        each(others, [side, carried, diagonal], |[side, carried, diagonal]| {
            (side - sign * carried) / diagonal
        });
    }

    /// By how much the condensed equations are off, and the largest of that, an equation of a
    /// pair multiplied by its weight; finds the product that is missing in `changes`.
    fn residual(&self, on: On, changes: &mut Changes) -> (Vec<f64>, f64) {
        let ([side, diagonal, ..], sign) = self.split(on);
        let [unknowns, others, _, carried] = changes.split(on);
        self.carry_back(on, others, carried);
        let mut off = Vec::new();
        each(&mut off, [side, diagonal, unknowns, carried], |[side, diagonal, x, carried]| {
            side - diagonal * x + sign * carried
        });
        let worst = match on {
            On::Pairs => largest([&off, self.weights], |[off, weight]| off * weight),
            On::Rows => largest([&off], |[off]| off),
        };
        (off, worst)
    }

    /// The condensed matrix times a vector.
    fn product(&self, on: On, direction: &[f64]) -> Vec<f64> {
        let ([_, diagonal, _, other_diagonal], _) = self.split(on);
        let (mut others, mut product) = (Vec::new(), Vec::new());
        self.carry(on, direction, &mut others);
        update(&mut others, [other_diagonal], |x, [diagonal]| x / diagonal);
        self.carry_back(on, &others, &mut product);
        update(&mut product, [diagonal, direction], |x, [diagonal, change]| x + diagonal * change);
        product
    }
}

/// The largest absolute value of `f` of the numbers at each index.
fn largest<const N: usize>(from: [&[f64]; N], f: impl Fn([f64; N]) -> f64) -> f64 {
    most_of(from, |numbers| {
        let x = f(numbers);
        if x.is_nan() { f64::INFINITY } else { x.abs() }
    })
}
