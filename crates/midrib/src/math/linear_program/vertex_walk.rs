//! A walk over the vertices of a small program, from weights of 0 on.
//!
//! The objective is a sum of absolute values, linear between the points where one of them is 0.
//! At a vertex the weights outside the *support* are 0, and as many of the rebuilt values as
//! there are weights inside it, the *met* ones, equal their targets. Each step lets go of one of
//! these zeros, follows the edge that opens, downhill past all bends, to where it turns up, and
//! ends there with another zero (long steps, as in Barrodale1973). With few weights other than 0 a
//! step takes a few products of a row, where one of the interior point takes a factorization.
//!
//! Differences are all 0 to begin with, and often in the end: such ties hold the walk up. So their
//! targets are moved a little, each by another amount, and put back when the walk has ended: the
//! vertex then found has the same multipliers.
//!
//! Other ties can make the walk go in circles, and rounding can lead it astray: it is given up
//! after a number of steps, and what it finds is judged by its duality gap as everything else.

use super::certificate::Scaled;
use super::dense_matrix::DenseMatrix;
use super::edge_lengths::EdgeLengths;
use super::interior_point::Found;
use super::support::{Entry, Opened, Reached, Support};
use crate::math::simd::{Work, add, add_multiples, dispatch, position_of_least};

/// At most this many steps for each column and value.
const STEPS: usize = 4;
/// Multipliers may exceed their bound by this share: rounding.
const ROUNDING: f64 = 1e-11;
/// What is left of a value may be this much on the wrong side, in the unit of the largest entry.
const TIE: f64 = 1e-13;
/// The targets of differences are moved by up to this, in the unit of the largest entry.
const SHIFT: f64 = 1e-6;
/// The inverse is recomputed after this many changes.
const CHANGES: usize = 40;

/// The memory of the walk, used again by the next one.
#[derive(Debug, Default)]
pub(super) struct VertexWalk {
    support: Support,
    lengths: EdgeLengths,
    /// What is left to rebuild, for each value.
    left: Vec<f64>,
    /// The side on which each value is left, 0 for the met ones.
    side: Vec<f64>,
    /// What each column earns at the sides.
    earned: Vec<f64>,
    /// What each column earns with the multipliers of the met values too.
    earned_in_all: Vec<f64>,
    /// What each zero, of the columns and then of the met values, would gain if it were released,
    /// negated; infinite where it would gain nothing.
    gains: Vec<f64>,
    /// The change of what is left along an edge.
    change: Vec<f64>,
    /// How far along an edge each value is met, then each weight of the support is 0; infinite
    /// where that is not ahead.
    bends: Vec<f64>,
    /// The bends that are passed, by their numbers.
    passed: Vec<usize>,
    target: Vec<f64>,
}

/// The way down from a vertex.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Opened,
    /// The sign that this takes.
    sign: f64,
    /// Of the objective at the vertex: negative.
    slope: f64,
}

impl VertexWalk {
    /// The best vertex, or none if the walk did not come to an end.
    pub fn solve(&mut self, program: &Scaled<'_, DenseMatrix>) -> Option<Found> {
        let steps = dispatch(Walk { walk: self, program })?;
        let matrix = program.matrix;
        let mut weights = vec![0.0; 2 * matrix.n_columns];
        for (&column, &weight) in self.support.columns.iter().zip(&self.support.weights) {
            let sign = if weight < 0.0 { matrix.n_columns } else { 0 };
            weights[column + sign] = weight.abs();
        }
        let mut multipliers = self.side.clone();
        for (&value, &multiplier) in self.support.met.iter().zip(&self.support.multipliers) {
            multipliers[value] = multiplier;
        }
        Some(Found::of(program, weights, &multipliers, steps))
    }

    #[inline(always)]
    fn walk<const FMA: bool>(&mut self, program: &Scaled<'_, DenseMatrix>) -> Option<usize> {
        let matrix = program.matrix;
        let (k, n) = (matrix.n_columns, program.target.len());
        // Weights cost the same for every column and either sign.
        let (cost, most) = (*program.costs.first()?, STEPS * (k + n));
        self.support.clear(k.min(n), n);
        self.lengths.clear(k);
        self.shift_target(program);
        self.start::<FMA>(matrix);
        let steps = self.descend::<FMA>(matrix, cost, most)?;
        self.target.copy_from_slice(program.target);
        self.refresh::<FMA>(matrix)?;
        Some(steps + self.descend::<FMA>(matrix, cost, most - steps)?)
    }

    /// Steps down to the lowest vertex; their number, or none if there are too many.
    #[inline(always)]
    fn descend<const FMA: bool>(
        &mut self,
        matrix: &DenseMatrix,
        cost: f64,
        most: usize,
    ) -> Option<usize> {
        for step in 0..most {
            if self.support.changes >= CHANGES {
                self.refresh::<FMA>(matrix)?;
            }
            self.support.find_multipliers::<FMA>(&self.earned, cost);
            let Some(edge) = self.steepest::<FMA>(matrix, cost) else {
                return Some(step);
            };
            self.look_along::<FMA>(matrix, edge);
            let (last, length) = self.lowest(cost, edge.slope)?;
            self.go::<FMA>(matrix, length);
            self.exchange::<FMA>(matrix, edge, last, length)?;
        }
        None
    }

    fn shift_target(&mut self, program: &Scaled<'_, DenseMatrix>) {
        self.target.clear();
        self.target.extend_from_slice(program.target);
        // Multiples of the golden ratio fall evenly into the unit interval, no two together.
        for (number, target) in self.target[program.matrix.n_rows()..].iter_mut().enumerate() {
            let between = (0.618_033_988_749_895 * (number + 1) as f64).fract();
            *target += SHIFT * (1.0 + between);
        }
    }

    /// Sides and earnings at weights of 0.
    #[inline(always)]
    fn start<const FMA: bool>(&mut self, matrix: &DenseMatrix) {
        self.left.clone_from(&self.target);
        self.side.clear();
        self.side.extend(self.left.iter().map(|x| if *x < 0.0 { -1.0 } else { 1.0 }));
        self.earn::<FMA>(matrix);
    }

    /// Recomputes everything from the support and the met values, so that rounding errors do not
    /// accumulate. Sides and signs change only by more than rounding.
    #[inline(always)]
    fn refresh<const FMA: bool>(&mut self, matrix: &DenseMatrix) -> Option<()> {
        self.support.invert()?;
        self.support.find_weights::<FMA>(&self.target);
        self.left.copy_from_slice(&self.target);
        let weights = self.support.weights.iter().map(|weight| -weight);
        add_multiples::<FMA>(weights.zip(self.support.images()), &mut self.left);
        for &value in &self.support.met {
            self.left[value] = 0.0;
        }
        let flip = |sign: &mut f64, value: &f64| {
            if *sign * value < -TIE {
                *sign = -*sign;
            }
        };
        self.side.iter_mut().zip(&self.left).for_each(|(side, left)| flip(side, left));
        let Support { signs, weights, .. } = &mut self.support;
        signs.iter_mut().zip(&*weights).for_each(|(sign, weight)| flip(sign, weight));
        self.earn::<FMA>(matrix);
        Some(())
    }

    #[inline(always)]
    fn earn<const FMA: bool>(&mut self, matrix: &DenseMatrix) {
        self.earned.clear();
        self.earned.resize(matrix.n_columns, 0.0);
        matrix.add_rows::<FMA>(self.side.iter().copied().enumerate(), &mut self.earned);
    }

    /// The edge of the zero whose multiplier exceeds its bound by most, for the length of the edge;
    /// none at the optimum.
    #[inline(always)]
    fn steepest<const FMA: bool>(&mut self, matrix: &DenseMatrix, cost: f64) -> Option<Edge> {
        self.earned_in_all.clone_from(&self.earned);
        let Support { met, multipliers, .. } = &self.support;
        let multipliers = met.iter().copied().zip(multipliers.iter().copied());
        matrix.add_rows::<FMA>(multipliers, &mut self.earned_in_all);
        for &column in &self.support.columns {
            self.earned_in_all[column] = 0.0;
        }
        let (earned, of_met) = (&self.earned_in_all, &self.support.multipliers);
        let least = ROUNDING * cost.max(1.0);
        self.gains.resize(earned.len() + of_met.len(), 0.0);
        let (of_columns, of_values) = self.gains.split_at_mut(earned.len());
        find_gains(earned, cost, least, &self.lengths.of_columns, of_columns);
        find_gains(of_met, 1.0, least, &self.lengths.of_met, of_values);
        let best = position_of_least(&self.gains)?;
        let (from, multiplier, bound) = match best.checked_sub(earned.len()) {
            None => (Opened::Column(best), earned[best], cost),
            Some(place) => (Opened::Met(place), of_met[place], 1.0),
        };
        Some(Edge { from, sign: multiplier.signum(), slope: bound - multiplier.abs() })
    }

    /// Finds what changes along an edge, and its bends.
    #[inline(always)]
    fn look_along<const FMA: bool>(&mut self, matrix: &DenseMatrix, edge: Edge) {
        let Self { support, left, side, change, bends, .. } = self;
        change.clear();
        change.resize(left.len(), 0.0);
        match edge.from {
            Opened::Column(column) => {
                support.open_column::<FMA>(matrix, column, edge.sign);
                add::<FMA>(-edge.sign, &support.incoming, change);
            }
            Opened::Met(place) => support.open_met(place, edge.sign),
        }
        let steps = support.direction.iter().map(|step| -step);
        add_multiples::<FMA>(steps.zip(support.images()), change);
        for &value in &support.met {
            change[value] = 0.0;
        }
        bends.resize(left.len() + support.weights.len(), 0.0);
        let (of_values, of_weights) = bends.split_at_mut(left.len());
        find_bends(left, change, side, of_values);
        find_bends(&support.weights, &support.direction, &support.signs, of_weights);
    }

    /// The bend beyond which the slope is no longer negative, and how far it is.
    #[inline(always)]
    fn lowest(&mut self, cost: f64, mut slope: f64) -> Option<(Reached, f64)> {
        let n_values = self.left.len();
        self.passed.clear();
        loop {
            let bend = position_of_least(&self.bends)?;
            let (zero, rise) = match bend.checked_sub(n_values) {
                None => (Reached::Value(bend), self.change[bend].abs()),
                Some(place) => (Reached::Weight(place), cost * self.support.direction[place].abs()),
            };
            slope += 2.0 * rise;
            if slope >= 0.0 {
                return Some((zero, self.bends[bend]));
            }
            self.passed.push(bend);
            self.bends[bend] = f64::INFINITY;
        }
    }

    /// Moves along the edge; what is passed changes its side.
    #[inline(always)]
    fn go<const FMA: bool>(&mut self, matrix: &DenseMatrix, length: f64) {
        let Self { support, left, side, earned, change, passed, .. } = self;
        add::<FMA>(length, change, left);
        add::<FMA>(length, &support.direction, &mut support.weights);
        let values = passed.iter().copied().filter(|bend| *bend < left.len());
        matrix.add_rows::<FMA>(values.map(|value| (value, -2.0 * side[value])), earned);
        for &bend in &*passed {
            let sign = match bend.checked_sub(left.len()) {
                None => &mut side[bend],
                Some(place) => &mut support.signs[place],
            };
            *sign = -*sign;
        }
    }

    /// Releases one zero and takes another into the vertex; none if that is not independent of
    /// what the vertex has already.
    #[inline(always)]
    fn exchange<const FMA: bool>(
        &mut self,
        matrix: &DenseMatrix,
        Edge { from, sign, .. }: Edge,
        to: Reached,
        length: f64,
    ) -> Option<()> {
        let Self { support, left, side, earned, .. } = self;
        if let Opened::Met(place) = from {
            let value = support.met[place];
            (left[value], side[value]) = (sign * length, sign);
            matrix.add_rows::<FMA>([(value, sign)].into_iter(), earned);
        }
        if let Reached::Value(value) = to {
            matrix.add_rows::<FMA>([(value, -side[value])].into_iter(), earned);
            (left[value], side[value]) = (0.0, 0.0);
        }
        self.lengths.exchange::<FMA>(matrix, support, from, to);
        let entry = |column| Entry { column, sign, weight: sign * length };
        match (from, to) {
            (Opened::Column(column), Reached::Value(value)) => {
                support.grow::<FMA>(&entry(column), value)
            }
            (Opened::Column(column), Reached::Weight(place)) => {
                support.replace_column::<FMA>(place, &entry(column))
            }
            (Opened::Met(met), Reached::Value(value)) => support.replace_met::<FMA>(met, value),
            (Opened::Met(met), Reached::Weight(place)) => support.shrink::<FMA>(place, met),
        }
    }
}

/// [`VertexWalk::walk`] with the widest instructions.
struct Walk<'t, 'p> {
    walk: &'t mut VertexWalk,
    program: &'t Scaled<'p, DenseMatrix>,
}

impl Work for Walk<'_, '_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Option<usize> {
        self.walk.walk::<FMA>(self.program)
    }
}

/// The squared slopes of multipliers that exceed their bound, for the length of the edge.
#[inline(always)]
fn find_gains(multipliers: &[f64], bound: f64, least: f64, lengths: &[f64], gains: &mut [f64]) {
    for ((gain, multiplier), squared_length) in gains.iter_mut().zip(multipliers).zip(lengths) {
        let slope = multiplier.abs() - bound;
        let negated = -slope * slope / squared_length;
        *gain = if slope > least { negated } else { f64::INFINITY };
    }
}

/// How far along an edge what changes towards 0 gets there; infinite for everything else.
#[inline(always)]
fn find_bends(from: &[f64], change: &[f64], side: &[f64], bends: &mut [f64]) {
    for (((bend, from), change), side) in bends.iter_mut().zip(from).zip(change).zip(side) {
        let at = -from / change;
        let ahead = if at > 0.0 { at } else { 0.0 };
        *bend = if change * side < 0.0 { ahead } else { f64::INFINITY };
    }
}
