//! The length of a vector.

/// The Euclidean length of a vector at any scale.
pub(super) fn length_of(vector: impl Iterator<Item = f64> + Clone) -> f64 {
    let squared: f64 = vector.clone().map(|x| x * x).sum();
    if (1e-280..1e280).contains(&squared) {
        return squared.sqrt();
    }
    let largest = vector.clone().map(f64::abs).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let shares: f64 = vector.map(|x| (x / largest) * (x / largest)).sum();
    largest * shares.sqrt()
}
