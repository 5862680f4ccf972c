//! What the interior point asks of a program's matrix `M`, and of whoever solves its steps.

use super::newton::{Changes, Sides};

/// The matrix that maps weights to what they rebuild.
pub(super) trait Mapping {
    /// What the weights rebuild.
    fn rebuild(&self, weights: &[f64]) -> Vec<f64>;

    /// The transposed product: what each weight earns at the given multipliers.
    fn earnings(&self, multipliers: &[f64]) -> Vec<f64>;
}

/// A matrix whose entries are known one by one: for certificates, and for solvers of any program.
pub(super) trait Entries: Mapping {
    /// The entries other than 0 of one rebuilt value: each with its weight's number.
    fn entries(&self, value: usize) -> Vec<(usize, f64)>;

    /// The sum of the squares of each weight's entries.
    fn column_squares(&self) -> Vec<f64>;
}

/// The linear system of a Newton step.
pub(super) trait Steps<M> {
    /// Prepares solves; false if the numbers have left the range of floating point.
    fn factor(&mut self, matrix: &M, stiffness: Vec<f64>, slackness: Vec<f64>) -> bool;

    /// Solves with the last factor and refines until no equation, a weight's taken times the
    /// weight, is off by more than `accuracy`; where this is infinite they are not looked at.
    fn solve(&mut self, matrix: &M, right: &Sides, weights: &[f64], accuracy: f64) -> Changes;

    /// How much dearer a factorisation is than a solve.
    fn factor_per_solve(&self) -> f64;
}

/// A factor of a symmetric positive definite matrix.
pub(super) trait Factor {
    /// Solves in place.
    fn solve(&mut self, right: &mut [f64]);
}
