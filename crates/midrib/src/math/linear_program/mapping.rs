//! What the interior point needs of a program's matrix `M`.

/// The matrix that maps weights to what they rebuild.
pub(super) trait Mapping {
    /// What the weights rebuild, in a reusable vector.
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

/// A matrix with known entries: for certificates and for general solvers.
pub(super) trait Entries: Mapping {
    /// The nonzero entries of one rebuilt value, each with its weight's number.
    fn entries(&self, value: usize) -> Vec<(usize, f64)>;

    /// The sum of `of` each weight's entries.
    fn column_sums(&self, of: fn(f64) -> f64) -> Vec<f64>;

    /// The sum of the absolute values of each weight's entries.
    fn column_sizes(&self) -> Vec<f64> {
        self.column_sums(f64::abs)
    }
}

/// The entries of these numbers.
pub(super) fn pick<T: Copy>(from: &[T], numbers: &[usize]) -> Vec<T> {
    numbers.iter().map(|&i| from[i]).collect()
}

/// The reverse of [`pick`].
pub(super) fn put(to: &mut [f64], numbers: &[usize], from: &[f64]) {
    numbers.iter().zip(from).for_each(|(&i, x)| to[i] = *x);
}
