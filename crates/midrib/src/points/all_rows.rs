//! All rows of a source at once, for methods that need them.

use std::borrow::Cow;

use super::blocks::Blocks;
use super::chunking::chunks;
use super::points::Points;
use crate::error::{Error, Result};

/// All points of a source in memory: borrowed if they are there already, read otherwise. A source
/// is refused on behalf of `method` if its rows, together with about `own` values per row that the
/// method needs itself, take more than the source or the machine allows.
pub(crate) fn all_rows<'a>(
    source: &'a dyn Blocks,
    method: &str,
    own: usize,
) -> Result<Cow<'a, Points<'a>>> {
    if let Some(points) = source.in_memory() {
        return Ok(Cow::Borrowed(points));
    }
    let (n, dims) = (source.len(), source.dims());
    let bytes = (8 * n as u64).saturating_mul((dims + own) as u64);
    let (limit, allows) = match source.max_memory() {
        Some(limit) => (Some(limit), "is the limit"),
        None => (available(), "is available"),
    };
    if let Some(limit) = limit.filter(|&limit| bytes > limit) {
        return Err(Error::Memory(format!(
            "{}: {method} needs all {n} rows of {dims} columns in memory, {} with its own \
             matrices, and {} {allows}",
            source.name(),
            readable(bytes),
            readable(limit)
        )));
    }
    source.check_shape()?;
    let mut values = vec![0.0; n * dims];
    for rows in chunks(n) {
        source.read(rows.clone(), &mut values[rows.start * dims..rows.end * dims])?;
    }
    let mut points = Points::from_f64(values, dims)?;
    if let Some(weights) = source.weights() {
        points = points.with_weights(weights.to_vec())?;
    }
    let ids: Vec<Cow<'_, str>> = (0..n).map(|i| source.id(i)).collect();
    if ids.iter().enumerate().any(|(i, id)| *id != i.to_string()) {
        points = points.with_ids(ids.into_iter().map(Cow::into_owned).collect())?;
    }
    Ok(Cow::Owned(points))
}

/// The memory that the machine has available, where that is known.
fn available() -> Option<u64> {
    let memory = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = memory.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| 1024 * kilobytes)
}

/// A number of bytes with a unit.
fn readable(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.into_iter().find(|(_, size)| bytes as f64 >= *size) {
        Some((unit, size)) => format!("{:.1} {unit}", bytes as f64 / size),
        None => format!("{bytes} bytes"),
    }
}
