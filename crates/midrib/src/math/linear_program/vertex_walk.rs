//! A walk over the vertices of a small program, from weights of 0 on.
//!
//! The objective is a sum of absolute values, linear between the points where one of them is 0.
//! At a vertex the weights outside the *support* are 0, and as many of the rebuilt values as
//! there are weights inside it, the *met* ones, equal their targets. Each step lets go of one of
//! these zeros, follows the edge that opens, downhill past all bends, to where it turns up, and
//! ends there with another zero (long steps, as in Barrodale1973). With few weights other than 0 a
//! step takes a few products of a row, where one of the interior point takes a factorisation.
//!
//! Differences are all 0 to begin with, and often in the end: such ties hold the walk up. So their
//! targets are moved a little, each by another amount, and put back when the walk has ended: the
//! vertex then found has the same multipliers.
//!
//! Other ties can make the walk go in circles, and rounding can lead it astray: it is given up
//! after a number of steps, and what it finds is judged by its duality gap as everything else.

use super::certificate::{Bound, Scaled};
use super::dense_matrix::DenseMatrix;
use super::edge_lengths::EdgeLengths;
use super::interior_point::Found;
use super::mapping::Mapping;
use super::simd::{Work, dispatch};
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
    zero: Reached,
}

/// A zero of a vertex that is let go of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Opened {
    /// The weight of a column outside the support, by the column's number.
    Column(usize),
    /// What is left of a met value, by its place among those.
    Met(usize),
}

/// What becomes 0 along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    /// What is left of a value, by its number.
    Value(usize),
    /// A weight, by its place in the support.
    Weight(usize),
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
            let Some(edge) = self.steepest::<FMA>(matrix, cost) else {
                return Some(step);
            };
            self.look_along::<FMA>(matrix, cost, edge);
            let last = lowest(&mut self.bends, edge.slope)?;
            self.go::<FMA>(matrix, last);
            self.exchange::<FMA>(matrix, edge, self.bends[last])?;
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

    /// The edge of the zero whose multiplier exceeds its bound by most, for the length of the edge;
    /// none at the optimum.
    #[inline(always)]
    fn steepest<const FMA: bool>(&mut self, matrix: &DenseMatrix, cost: f64) -> Option<Edge> {
        self.earned_in_all.clone_from(&self.earned);
        for (&value, &multiplier) in self.support.met.iter().zip(&self.support.multipliers) {
            matrix.add_row::<FMA>(value, multiplier, &mut self.earned_in_all);
        }
        for &column in &self.support.columns {
            self.earned_in_all[column] = 0.0;
        }
        let least = ROUNDING * cost.max(1.0);
        let (mut most, mut best) = (0.0, None);
        let mut compare = |from: Opened, multiplier: f64, bound: f64, squared_length: f64| {
            let slope = multiplier.abs() - bound;
            if slope > least && slope * slope > most * squared_length {
                most = slope * slope / squared_length;
                best = Some(Edge { from, sign: multiplier.signum(), slope: -slope });
            }
        };
        let columns = self.earned_in_all.iter().zip(&self.lengths.of_columns);
        for (column, (&earned, &length)) in columns.enumerate() {
            compare(Opened::Column(column), earned, cost, length);
        }
        let values = self.support.multipliers.iter().zip(&self.lengths.of_met);
        for (place, (&multiplier, &length)) in values.enumerate() {
            compare(Opened::Met(place), multiplier, 1.0, length);
        }
        best
    }

    /// Finds what changes along an edge, and its bends.
    #[inline(always)]
    fn look_along<const FMA: bool>(&mut self, matrix: &DenseMatrix, cost: f64, edge: Edge) {
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
        for (image, &step) in support.images().zip(&support.direction) {
            add::<FMA>(-step, image, change);
        }
        for &value in &support.met {
            change[value] = 0.0;
        }
        bends.clear();
        let values = left.iter().zip(&*change).zip(&*side).enumerate();
        for (value, ((&left, &change), &side)) in values {
            if change * side < 0.0 {
                let at = (-left / change).max(0.0);
                bends.push(Bend { at, rise: 2.0 * change.abs(), zero: Reached::Value(value) });
            }
        }
        for (place, (&weight, &step)) in support.weights.iter().zip(&support.direction).enumerate()
        {
            if step * support.signs[place] < 0.0 {
                let (at, rise) = ((-weight / step).max(0.0), 2.0 * cost * step.abs());
                bends.push(Bend { at, rise, zero: Reached::Weight(place) });
            }
        }
    }

    /// Moves to a bend; what is passed changes its side.
    #[inline(always)]
    fn go<const FMA: bool>(&mut self, matrix: &DenseMatrix, last: usize) {
        let Self { support, left, side, earned, change, bends, .. } = self;
        let length = bends[last].at;
        add::<FMA>(length, change, left);
        add::<FMA>(length, &support.direction, &mut support.weights);
        for bend in &bends[..last] {
            match bend.zero {
                Reached::Value(value) => {
                    matrix.add_row::<FMA>(value, -2.0 * side[value], earned);
                    side[value] = -side[value];
                }
                Reached::Weight(place) => support.signs[place] = -support.signs[place],
            }
        }
    }

    /// Lets go of the one zero and takes the other into the vertex; none if that cannot be told
    /// from what the vertex has already.
    #[inline(always)]
    fn exchange<const FMA: bool>(
        &mut self,
        matrix: &DenseMatrix,
        Edge { from, sign, .. }: Edge,
        Bend { at: length, zero: to, .. }: Bend,
    ) -> Option<()> {
        let Self { support, left, side, earned, .. } = self;
        if let Opened::Met(place) = from {
            let value = support.met[place];
            (left[value], side[value]) = (sign * length, sign);
            matrix.add_row::<FMA>(value, sign, earned);
        }
        if let Reached::Value(value) = to {
            matrix.add_row::<FMA>(value, -side[value], earned);
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
