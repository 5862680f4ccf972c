//! Pairs of points, such as the edges of a graph of them.

use std::path::Path;

use super::{ReadOptions, match_columns, read};
use crate::error::{Error, Result};

/// Reads the pairs of points in the columns `a` and `b` of a table: row numbers below `n`,
/// counted from 0, as in `edges.csv`.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("midrib-pairs-{}.csv", std::process::id()));
/// std::fs::write(&path, "edge,a,b,weight\n0,0,2,0.5\n1,1,2,0.25\n")?;
/// assert_eq!(midrib_io::read_pairs(&path, 3)?, [(0, 2), (1, 2)]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_pairs(path: &Path, n: usize) -> Result<Vec<(usize, usize)>> {
    let table = read(path, &ReadOptions::default())?;
    let ends = match_columns(path, table, &["a".into(), "b".into()])?.points;
    let mut pairs = Vec::with_capacity(ends.len());
    let mut row = [0.0; 2];
    for i in 0..ends.len() {
        ends.copy_row(i, &mut row);
        let is_row = |x: &f64| x.fract() == 0.0 && (0.0..n as f64).contains(x);
        if let Some(bad) = row.iter().find(|x| !is_row(x)) {
            let reason = format!(
                "row {}: {bad} is not a point; give row numbers from 0 to {}",
                i + 1,
                n.saturating_sub(1)
            );
            return Err(Error::data(path, reason));
        }
        pairs.push((row[0] as usize, row[1] as usize));
    }
    Ok(pairs)
}
