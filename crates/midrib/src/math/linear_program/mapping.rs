//! What the interior point asks of a program's matrix `M`, and of whoever solves its steps.

use super::condensed::{Changes, Diagonals, System};

/// The matrix that maps weights to what they rebuild.
pub(super) trait Mapping {
    /// What the weights rebuild, in a vector that is used again.
    fn rebuild_to(&self, weights: &[f64], rebuilt: &mut Vec<f64>);

    /// The transposed product: what each weight earns at the given multipliers.
    fn earnings_to(&self, multipliers: &[f64], earned: &mut Vec<f64>);

    /// What the weights rebuild.
    fn rebuild(&self, weights: &[f64]) -> Vec<f64> {
        let mut rebuilt = Vec::new();
        self.rebuild_to(weights, &mut rebuilt);
        rebuilt
    }

    /// What each weight earns.
    fn earnings(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut earned = Vec::new();
        self.earnings_to(multipliers, &mut earned);
        earned
    }
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
    fn factor(&mut self, matrix: &M, diagonals: &Diagonals) -> bool;

    /// Solves with the last factor and refines until no equation, a weight's taken times the
    /// weight, is off by more than `accuracy`; where this is infinite they are not looked at.
    fn solve(&mut self, system: System<'_, M>, accuracy: f64, changes: &mut Changes);

    /// How much dearer a factorisation is than a solve.
    fn factor_per_solve(&self) -> f64;
}

/// A factor of a symmetric positive definite matrix.
pub(super) trait Factor {
    /// Solves in place.
    fn solve(&mut self, right: &mut [f64]);
}
