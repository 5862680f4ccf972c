//! Purity.

use super::contingency::Contingency;
use crate::error::Result;

/// The share of points whose cluster has mostly points of their class. Many small clusters are
/// purer than few large ones: compare the same number of clusters.
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
