//! Which pairs and values are still undecided, and when to work on them alone.

use super::iterate::{Couple, Iterate};

/// A pair is fixed at 0 if its weight, times the size of its column, is below this share of
/// its slack.
const VANISHING: f64 = 0.1;
/// A value is taken as missed if its deviation is this many times the slack of its multiplier.
const MISSED: f64 = 10.0;

/// Cheap: a factorization has fewer than this many times the multiplications of a solve.
const CHEAP: f64 = 100.0;

/// When to work on a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shrinking {
    /// Programs of fewer pairs are left whole.
    pub least_pairs: usize,
    /// A part is taken if it has at most this share of the pairs at hand.
    pub share: f64,
    /// The same where factorizations are cheap: preparing a part takes about as long as a step.
    pub share_if_cheap: f64,
}

impl Default for Shrinking {
    fn default() -> Self {
        Self { least_pairs: 500, share: 0.85, share_if_cheap: 0.7 }
    }
}

impl Shrinking {
    /// Whether so few of the pairs at hand are undecided that a part is worth its preparation, where
    /// a factorization costs this many times as much as a solve.
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
