//! Work on what is undecided: pairs that clearly vanish and values that are clearly missed are
//! fixed long before the gap closes, and the interior point goes on without them.
//!
//! At the optimum about half of the pairs have a weight, and only as many values are met; a
//! missed value has multiplier 1 or −1 and merely adds a constant to the cost of each pair.
//! After each step the whole program's certificate is taken, and what turns out to be fixed
//! wrongly is put back. If the gap is not solved by all this, the whole program goes on
//! from the point that it was left at.

use super::certificate::Scaled;
use super::interior_point::{Found, Search};
use super::iterate::{Couple, Iterate};
use super::mapping::Steps;
use super::newton::Newton;
use super::pair_matrix::PairMatrix;
use super::part::Part;
use super::program::SOLVED;
use super::spare::Spare;
use crate::error::Result;

/// A pair is fixed at 0 if its weight, times the size of its column, is below this share of
/// its slack.
const VANISHING: f64 = 0.1;
/// A value is taken as missed if its deviation is this many times the slack of its multiplier.
const MISSED: f64 = 10.0;

/// Cheap: a factorisation has fewer than this many times the multiplications of a solve.
const CHEAP: f64 = 100.0;

/// When to work on a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shrinking {
    /// Programs of fewer pairs are left whole.
    pub least_pairs: usize,
    /// A part is taken if it has at most this share of the pairs at hand.
    pub share: f64,
    /// The same where factorisations are cheap: preparing a part takes about as long as a step.
    pub share_if_cheap: f64,
}

impl Default for Shrinking {
    fn default() -> Self {
        Self { least_pairs: 500, share: 0.85, share_if_cheap: 0.7 }
    }
}

impl Shrinking {
    /// Whether so few of the pairs at hand are undecided that a part is worth its preparation, where
    /// a factorisation is this much dearer than a solve.
    pub fn is_worth(&self, undecided: usize, n_pairs: usize, factor_per_solve: f64) -> bool {
        let is_cheap = factor_per_solve < CHEAP;
        let share = if is_cheap { self.share_if_cheap } else { self.share };
        undecided as f64 <= share * n_pairs as f64
    }
}

/// What is undecided, pair by pair and value by value.
pub(super) struct Undecided {
    pub pairs: Vec<bool>,
    pub values: Vec<bool>,
}

impl Undecided {
    pub fn at(point: &Iterate, column_sizes: &[f64]) -> Self {
        let is_missed = |part: &Couple, i: usize| part.variable[i] > MISSED * part.slack[i];
        Self {
            pairs: undecided_pairs(point, column_sizes).collect(),
            values: (0..point.multipliers.len())
                .map(|i| !is_missed(&point.over, i) && !is_missed(&point.under, i))
                .collect(),
        }
    }
}

/// The number of undecided pairs.
pub(super) fn n_undecided(point: &Iterate, column_sizes: &[f64]) -> usize {
    undecided_pairs(point, column_sizes).filter(|undecided| *undecided).count()
}

fn undecided_pairs(point: &Iterate, column_sizes: &[f64]) -> impl Iterator<Item = bool> {
    let pairs = point.weights.variable.iter().zip(&point.weights.slack).zip(column_sizes);
    pairs.map(|((weight, slack), size)| weight * size > VANISHING * slack)
}

/// As [`super::interior_point::solve`].
pub(super) fn solve(
    program: &Scaled<'_, PairMatrix>,
    newton: &mut Newton,
    shrinking: Shrinking,
    spare: &mut Spare,
) -> Result<Found> {
    let mut search = Search::new(program);
    let n_pairs = program.costs.len();
    let mut may_shrink = n_pairs >= shrinking.least_pairs;
    while search.advance(newton) {
        if !(may_shrink && newton.is_by_pairs()) {
            continue;
        }
        let n_undecided = n_undecided(&search.at, program.column_sizes);
        if shrinking.is_worth(n_undecided, n_pairs, newton.factor_per_solve()) {
            may_shrink = false;
            let left_at = search.at.clone();
            let undecided = Undecided::at(&search.at, program.column_sizes);
            close_on_parts(program, &mut search, undecided, shrinking, spare)?;
            if search.found.relative_gap() <= SOLVED {
                break;
            }
            search.go_back_to(left_at);
        }
    }
    Ok(search.found)
}

/// Works on one part after the other until the gap is closed or this leads no further.
pub(super) fn close_on_parts(
    program: &Scaled<'_, PairMatrix>,
    search: &mut Search<'_, PairMatrix>,
    mut undecided: Undecided,
    shrinking: Shrinking,
    spare: &mut Spare,
) -> Result<()> {
    loop {
        let part = Part::new(program, &undecided, &search.at);
        if part.is_empty() {
            return Ok(());
        }
        match part.search(search, shrinking, spare)? {
            Some(next) => undecided = next,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
