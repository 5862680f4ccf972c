//! Normalized mutual information.

use super::contingency::Contingency;
use crate::error::Result;

/// What the mutual information is divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalization {
    /// The larger entropy (Zhou2013, eq. (22)).
    #[default]
    Max,
    /// The mean of the entropies, scikit-learn's default.
    Arithmetic,
}

/// The normalized mutual information of two groupings of the same points: 1 if each determines the
/// other, 0 if they are independent. The names of the groups do not matter. If both have a single
/// group, it is 1.
///
/// ```
/// use midrib::measure::{Normalization, nmi};
/// assert_eq!(nmi(&["a", "a", "b", "b"], &["1", "1", "0", "0"], Normalization::Max)?, 1.0);
/// assert_eq!(nmi(&["a", "b", "a", "b"], &["1", "1", "0", "0"], Normalization::Max)?, 0.0);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn nmi(
    first: &[impl AsRef<str>],
    second: &[impl AsRef<str>],
    normalization: Normalization,
) -> Result<f64> {
    let table = Contingency::new(first, second)?;
    let entropy = |sizes: &[f64]| -> f64 {
        sizes.iter().map(|size| size / table.n).map(|share| -share * share.ln()).sum()
    };
    let (of_first, of_second) = (entropy(&table.first), entropy(&table.second));
    let shared: f64 = table
        .cells
        .iter()
        .map(|&(a, b, count)| {
            let expected = table.first[a] * table.second[b] / table.n;
            count / table.n * (count / expected).ln()
        })
        .sum();
    let whole = match normalization {
        Normalization::Max => of_first.max(of_second),
        Normalization::Arithmetic => (of_first + of_second) / 2.0,
    };
    Ok(if whole > 0.0 { (shared / whole).clamp(0.0, 1.0) } else { 1.0 })
}
