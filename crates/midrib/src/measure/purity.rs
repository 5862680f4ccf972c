//! Purity.

use super::contingency::Contingency;
use crate::error::Result;

/// The share of points that belong to the most frequent class of their cluster. Purity grows with
/// the number of clusters, so only compare results with the same number.
///
/// ```
/// use midrib::measure::purity;
/// assert_eq!(purity(&["0", "0", "0", "1"], &["a", "a", "b", "b"])?, 0.75);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn purity(clusters: &[impl AsRef<str>], classes: &[impl AsRef<str>]) -> Result<f64> {
    let table = Contingency::new(clusters, classes)?;
    let mut largest = vec![0.0_f64; table.first.len()];
    for &(cluster, _, count) in &table.cells {
        largest[cluster] = largest[cluster].max(count);
    }
    Ok(largest.iter().sum::<f64>() / table.n)
}
