//! The adjusted Rand index.

use super::contingency::Contingency;
use crate::error::Result;

/// How often two groupings agree on whether two points belong together, adjusted for chance
/// (Hubert1985): 1 if always, about 0 for random groupings.
///
/// ```
/// use midrib::measure::ari;
/// assert_eq!(ari(&["a", "a", "b", "b"], &["1", "1", "0", "0"])?, 1.0);
/// assert!((ari(&["a", "b", "a", "b"], &["1", "1", "0", "0"])? + 0.5).abs() < 1e-12);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn ari(first: &[impl AsRef<str>], second: &[impl AsRef<str>]) -> Result<f64> {
    let table = Contingency::new(first, second)?;
    let pairs = |sizes: &[f64]| sizes.iter().map(|n| n * (n - 1.0) / 2.0).sum::<f64>();
    let both = pairs(&table.cells.iter().map(|cell| cell.2).collect::<Vec<_>>());
    let (in_first, in_second) = (pairs(&table.first), pairs(&table.second));
    let all = pairs(&[table.n]);
    let mean = (in_first + in_second) / 2.0;
    let by_chance = if all > 0.0 { in_first * in_second / all } else { 0.0 };
    Ok(if mean == by_chance { 1.0 } else { (both - by_chance) / (mean - by_chance) })
}
