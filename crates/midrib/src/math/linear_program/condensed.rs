//! The linear system of one Newton step, condensed on the pairs or on the rows.

use super::long_vectors::{each, most_of, update};
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

/// A system condensed on some of its unknowns. The equations of the others are met by construction.
pub(super) trait Condensed {
    /// The right-hand side of the condensed system, among the changes.
    fn start(&self, changes: &mut Changes);

    /// The unknowns that are solved for.
    fn unknowns(changes: &mut Changes) -> &mut Vec<f64>;

    /// The other unknowns.
    fn complete(&self, changes: &mut Changes);

    /// By how much the equations that were condensed on are off, once [`Self::worst`] is known.
    fn residual(&self, changes: &Changes) -> Vec<f64>;

    /// The largest of that; finds the product that is missing in `changes`.
    fn worst(&self, changes: &mut Changes) -> f64;

    /// The condensed matrix times a vector.
    fn product(&self, direction: &[f64]) -> Vec<f64>;

    fn solve(&self, factor: &mut impl Factor, accuracy: f64, changes: &mut Changes) {
        self.start(changes);
        factor.solve(Self::unknowns(changes));
        self.complete(changes);
        if accuracy == f64::INFINITY {
            return;
        }
        let worst = self.worst(changes);
        if worst > accuracy && worst.is_finite() {
            self.refine(factor, worst, accuracy, changes);
        }
    }

    /// Conjugate gradients from a first solution, with the factor as preconditioner: a few
    /// directions in which the factor is of no use cost a step each.
    fn refine(&self, factor: &mut impl Factor, worst: f64, accuracy: f64, changes: &mut Changes) {
        let mut best = (changes.clone(), worst);
        let mut last: Option<(Vec<f64>, Vec<f64>)> = None;
        let (mut worst, mut idle) = (worst, 0);
        for _ in 0..REFINEMENTS {
            if worst <= accuracy || !worst.is_finite() || idle == 2 {
                break;
            }
            let residual = self.residual(changes);
            let mut direction = residual.clone();
            factor.solve(&mut direction);
            if let Some((before, image)) = &last {
                let turn = -dot_in_lanes(&direction, image) / dot_in_lanes(before, image);
                add(&mut direction, turn, before);
            }
            let image = self.product(&direction);
            let length = dot_in_lanes(&residual, &direction) / dot_in_lanes(&direction, &image);
            if !length.is_finite() {
                break;
            }
            add(Self::unknowns(changes), length, &direction);
            last = Some((direction, image));
            self.complete(changes);
            let next = self.worst(changes);
            idle = if next < 0.5 * worst { 0 } else { idle + 1 };
            worst = next;
            if worst < best.1 {
                best = (changes.clone(), worst);
            }
        }
        *changes = best.0;
    }
}

/// Condensed on the pairs.
pub(super) struct OnPairs<'s, M>(pub System<'s, M>);

impl<M: Mapping> Condensed for OnPairs<'_, M> {
    fn start(&self, changes: &mut Changes) {
        let System { matrix, diagonals, right, .. } = &self.0;
        let Changes { weights, multipliers, .. } = changes;
        each(multipliers, [&right.rows, &diagonals.slackness], |[side, slackness]| {
            side / slackness
        });
        matrix.earnings_to(multipliers, weights);
        update(weights, [&right.pairs], |earned, [side]| earned + side);
    }

    fn unknowns(changes: &mut Changes) -> &mut Vec<f64> {
        &mut changes.weights
    }

    fn complete(&self, changes: &mut Changes) {
        let System { matrix, diagonals, right, .. } = &self.0;
        let Changes { weights, multipliers, rebuilt, .. } = changes;
        matrix.rebuild_to(weights, rebuilt);
        let from = [&*right.rows, rebuilt, &diagonals.slackness];
        each(multipliers, from, |[side, rebuilt, slackness]| (side - rebuilt) / slackness);
    }

    fn residual(&self, changes: &Changes) -> Vec<f64> {
        let System { diagonals, right, .. } = &self.0;
        let mut residual = Vec::new();
        let from = [&*right.pairs, &diagonals.stiffness, &changes.weights, &changes.earnings];
        each(&mut residual, from, off_pair);
        residual
    }

    fn worst(&self, changes: &mut Changes) -> f64 {
        let System { matrix, diagonals, right, weights } = &self.0;
        matrix.earnings_to(&changes.multipliers, &mut changes.earnings);
        let (change, earned) = (&*changes.weights, &*changes.earnings);
        largest(
            [&right.pairs, &diagonals.stiffness, change, earned, weights],
            |[side, stiffness, change, earned, weight]| {
                off_pair([side, stiffness, change, earned]) * weight
            },
        )
    }

    fn product(&self, direction: &[f64]) -> Vec<f64> {
        let System { matrix, diagonals, .. } = &self.0;
        let mut rebuilt = matrix.rebuild(direction);
        update(&mut rebuilt, [&diagonals.slackness], |x, [slackness]| x / slackness);
        let mut product = matrix.earnings(&rebuilt);
        let from = [&*diagonals.stiffness, direction];
        update(&mut product, from, |x, [stiffness, change]| x + stiffness * change);
        product
    }
}

/// By how much the equation of a pair is off.
fn off_pair([side, stiffness, change, earned]: [f64; 4]) -> f64 {
    side - stiffness * change + earned
}

/// Condensed on the rows.
pub(super) struct OnRows<'s, M>(pub System<'s, M>);

impl<M: Mapping> Condensed for OnRows<'_, M> {
    fn start(&self, changes: &mut Changes) {
        let System { matrix, diagonals, right, .. } = &self.0;
        let Changes { weights, multipliers, .. } = changes;
        each(weights, [&right.pairs, &diagonals.stiffness], |[side, stiffness]| side / stiffness);
        matrix.rebuild_to(weights, multipliers);
        update(multipliers, [&right.rows], |rebuilt, [side]| side - rebuilt);
    }

    fn unknowns(changes: &mut Changes) -> &mut Vec<f64> {
        &mut changes.multipliers
    }

    fn complete(&self, changes: &mut Changes) {
        let System { matrix, diagonals, right, .. } = &self.0;
        let Changes { weights, multipliers, earnings, .. } = changes;
        matrix.earnings_to(multipliers, earnings);
        let from = [&*right.pairs, earnings, &diagonals.stiffness];
        each(weights, from, |[side, earned, stiffness]| (side + earned) / stiffness);
    }

    fn residual(&self, changes: &Changes) -> Vec<f64> {
        let System { diagonals, right, .. } = &self.0;
        let mut residual = Vec::new();
        let from = [&*right.rows, &diagonals.slackness, &changes.multipliers, &changes.rebuilt];
        each(&mut residual, from, off_row);
        residual
    }

    fn worst(&self, changes: &mut Changes) -> f64 {
        let System { matrix, diagonals, right, .. } = &self.0;
        matrix.rebuild_to(&changes.weights, &mut changes.rebuilt);
        let (change, rebuilt) = (&*changes.multipliers, &*changes.rebuilt);
        largest([&right.rows, &diagonals.slackness, change, rebuilt], off_row)
    }

    fn product(&self, direction: &[f64]) -> Vec<f64> {
        let System { matrix, diagonals, .. } = &self.0;
        let mut earned = matrix.earnings(direction);
        update(&mut earned, [&diagonals.stiffness], |x, [stiffness]| x / stiffness);
        let mut product = matrix.rebuild(&earned);
        let from = [&*diagonals.slackness, direction];
        update(&mut product, from, |x, [slackness, change]| x + slackness * change);
        product
    }
}

/// By how much the equation of a value is off.
fn off_row([side, slackness, change, rebuilt]: [f64; 4]) -> f64 {
    side - rebuilt - slackness * change
}

/// The largest absolute value of `f` of the numbers at each index.
fn largest<const N: usize>(from: [&[f64]; N], f: impl Fn([f64; N]) -> f64) -> f64 {
    most_of(from, |numbers| {
        let x = f(numbers);
        if x.is_nan() { f64::INFINITY } else { x.abs() }
    })
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    update(to, [from], |to, [from]| to + factor * from);
}
