//! A walk over the vertices of a small program, from weights of 0 on.
//!
//! The objective is a sum of absolute values, linear between the points where one of them is 0.
//! At a vertex the weights outside the *support* are 0, and as many of the rebuilt values as
//! there are weights inside it, the *met* ones, equal their targets. Each step lets go of one of
//! these zeros, follows the edge that opens, downhill past all bends, to where it turns up, and
//! ends there with another zero (long steps, as in Barrodale1973, section 3). With few weights other than 0
//! a step takes a few products of a row, where one of the interior point takes a factorisation.
//!
//! Differences are all 0 to begin with, and often in the end: such ties hold the walk up. So their
//! targets are moved a little, each by another amount, and put back when the walk has ended: the
//! vertex then found has the same multipliers.
//!
//! Other ties can make the walk go in circles, and rounding can lead it astray: it is given up after a
//! number of steps, and what it finds is judged by its duality gap as everything else.

use super::certificate::{Bound, Scaled};
use super::dense_matrix::DenseMatrix;
use super::edge_lengths::EdgeLengths;
use super::interior_point::Found;
use super::mapping::Mapping;
use super::simd::{Work, dispatch, fused};
use super::support::{Entry, Support, add};

/// At most this many steps for each column and value.
const STEPS: usize = 4;
/// Multipliers may exceed their bound by this share: rounding.
const ROUNDING: f64 = 1e-11;
/// What is left of a value may be this much on the wrong side, in the unit of the largest entry.
const TIE: f64 = 1e-13;
/// The targets of differences are moved by up to this, in the unit of the largest entry.
const SHIFT: f64 = 1e-6;
/// Bends that are sorted at first.
const FEW: usize = 8;
/// The inverse is computed anew after this many changes.
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
    /// The change of what is left along an edge.
    change: Vec<f64>,
    bends: Vec<Bend>,
    target: Vec<f64>,
}

/// Where something along an edge becomes 0, and by how much the slope rises there.
#[derive(Clone, Copy, Debug)]
struct Bend {
    at: f64,
    rise: f64,
    zero: Zero,
}

/// A term of the objective that is 0 at a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zero {
    /// A column, by its number; at a bend by its place in the support.
    Column(usize),
    /// A rebuilt value, by its number; where one is let go by its place among the met ones.
    Value(usize),
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
        let (bound, shrink) = program.bound(&multipliers, &matrix.earnings(&multipliers));
        multipliers.iter_mut().for_each(|u| *u *= shrink);
        let value = program.value(&weights, &matrix.rebuild(&weights));
        let total = program.target.iter().map(|x| x.abs()).sum();
        let bound = Bound { multipliers, value: bound };
        Some(Found { weights, value, bound, steps, total })
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
            let Some((zero, sign, slope)) = self.steepest::<FMA>(matrix, cost) else {
                return Some(step);
            };
            match zero {
                Zero::Column(column) => self.support.open_column::<FMA>(matrix, column, sign),
                Zero::Value(place) => self.support.open_value(place, sign),
            }
            self.follow::<FMA>(matrix, cost, zero, sign, slope)?;
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

    /// Everything anew from support and met values, so that rounding does not add up. Sides and
    /// signs change only by more than rounding.
    #[inline(always)]
    fn refresh<const FMA: bool>(&mut self, matrix: &DenseMatrix) -> Option<()> {
        self.support.invert()?;
        self.support.find_weights::<FMA>(&self.target);
        self.left.copy_from_slice(&self.target);
        for (image, &weight) in self.support.images().zip(&self.support.weights) {
            add::<FMA>(-weight, image, &mut self.left);
        }
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
        for (value, &side) in self.side.iter().enumerate() {
            matrix.add_row::<FMA>(value, side, &mut self.earned);
        }
    }

    /// The zero whose multiplier exceeds its bound by most for the length of its edge, the sign that it takes when it is
    /// let go, and the slope there; none at the optimum.
    #[inline(always)]
    fn steepest<const FMA: bool>(
        &mut self,
        matrix: &DenseMatrix,
        cost: f64,
    ) -> Option<(Zero, f64, f64)> {
        self.earned_in_all.clone_from(&self.earned);
        for (&value, &multiplier) in self.support.met.iter().zip(&self.support.multipliers) {
            matrix.add_row::<FMA>(value, multiplier, &mut self.earned_in_all);
        }
        for &column in &self.support.columns {
            self.earned_in_all[column] = 0.0;
        }
        let least = ROUNDING * cost.max(1.0);
        let (mut most, mut best) = (0.0, None);
        let mut compare = |zero: Zero, multiplier: f64, bound: f64, squared_length: f64| {
            let slope = multiplier.abs() - bound;
            if slope > least && slope * slope > most * squared_length {
                most = slope * slope / squared_length;
                best = Some((zero, multiplier.signum(), -slope));
            }
        };
        let columns = self.earned_in_all.iter().zip(&self.lengths.of_columns);
        for (column, (&earned, &length)) in columns.enumerate() {
            compare(Zero::Column(column), earned, cost, length);
        }
        let values = self.support.multipliers.iter().zip(&self.lengths.of_met);
        for (place, (&multiplier, &length)) in values.enumerate() {
            compare(Zero::Value(place), multiplier, 1.0, length);
        }
        best
    }

    /// Goes down the edge to its lowest bend and exchanges the two zeros.
    #[inline(always)]
    fn follow<const FMA: bool>(
        &mut self,
        matrix: &DenseMatrix,
        cost: f64,
        from: Zero,
        sign: f64,
        slope: f64,
    ) -> Option<()> {
        let Self { support, left, side, earned, change, bends, .. } = self;
        change.clear();
        change.resize(left.len(), 0.0);
        for (image, &step) in support.images().zip(&support.direction) {
            add::<FMA>(-step, image, change);
        }
        if let Zero::Column(_) = from {
            add::<FMA>(-sign, &support.incoming, change);
        }
        for &value in &support.met {
            change[value] = 0.0;
        }
        bends.clear();
        let values = left.iter().zip(&*change).zip(&*side).enumerate();
        for (value, ((&left, &change), &side)) in values {
            if change * side < 0.0 {
                let at = (-left / change).max(0.0);
                bends.push(Bend { at, rise: 2.0 * change.abs(), zero: Zero::Value(value) });
            }
        }
        for (place, (&weight, &step)) in support.weights.iter().zip(&support.direction).enumerate()
        {
            if step * support.signs[place] < 0.0 {
                let at = (-weight / step).max(0.0);
                bends.push(Bend { at, rise: 2.0 * cost * step.abs(), zero: Zero::Column(place) });
            }
        }
        let last = lowest(bends, slope)?;
        let length = bends[last].at;
        for (left, change) in left.iter_mut().zip(&*change) {
            *left = fused::<FMA>(length, *change, *left);
        }
        for (weight, step) in support.weights.iter_mut().zip(&support.direction) {
            *weight = fused::<FMA>(length, *step, *weight);
        }
        for bend in &bends[..last] {
            match bend.zero {
                Zero::Value(value) => {
                    matrix.add_row::<FMA>(value, -2.0 * side[value], earned);
                    side[value] = -side[value];
                }
                Zero::Column(place) => support.signs[place] = -support.signs[place],
            }
        }
        if let Zero::Value(place) = from {
            let value = support.met[place];
            left[value] = sign * length;
            side[value] = sign;
            matrix.add_row::<FMA>(value, sign, earned);
        }
        let to = bends[last].zero;
        if let Zero::Value(value) = to {
            matrix.add_row::<FMA>(value, -side[value], earned);
            side[value] = 0.0;
            left[value] = 0.0;
        }
        self.lengths.exchange::<FMA>(matrix, support, from, to);
        match (from, to) {
            (Zero::Column(column), Zero::Value(value)) => {
                support.grow::<FMA>(&Entry { column, sign, weight: sign * length }, value)
            }
            (Zero::Column(column), Zero::Column(place)) => {
                let entry = Entry { column, sign, weight: sign * length };
                support.replace_column::<FMA>(place, &entry)
            }
            (Zero::Value(place), Zero::Value(value)) => support.replace_value::<FMA>(place, value),
            (Zero::Value(place), Zero::Column(column)) => support.shrink::<FMA>(column, place),
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

/// Sorts the bends from the nearest on, as far as the slope is negative beyond them; the number
/// of the first where it is not. Most are never reached.
fn lowest(bends: &mut [Bend], mut slope: f64) -> Option<usize> {
    let by_place = |a: &Bend, b: &Bend| a.at.total_cmp(&b.at).then(a.zero.cmp(&b.zero));
    let mut sorted = 0;
    while sorted < bends.len() {
        let open = &mut bends[sorted..];
        let few = (sorted + FEW).min(open.len());
        if few < open.len() {
            open.select_nth_unstable_by(few, by_place);
        }
        open[..few].sort_unstable_by(by_place);
        for bend in &open[..few] {
            slope += bend.rise;
            if slope >= 0.0 {
                return Some(sorted);
            }
            sorted += 1;
        }
    }
    None
}
