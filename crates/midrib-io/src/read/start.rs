//! Graphs to start from: what tables of nodes and edges hold beside the nodes' positions.

use std::path::Path;

use midrib::learn::StartGraph;

use super::{ReadOptions, Table, read};
use crate::error::{Error, Result};

/// Reads the edges between `n` starting nodes, in the columns `a` and `b` of a table as `edges.csv`
/// has them; where there is a column `stretching`, its values are moduli of the edges' own, and
/// empty ones are left to the settings.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("midrib-start-{}.csv", std::process::id()));
/// std::fs::write(&path, "a,b,stretching\n0,1,0.5\n1,2,\n")?;
/// let graph = midrib_io::read_start_edges(&path, 3)?;
/// assert_eq!(graph.edges, Some(vec![(0, 1), (1, 2)]));
/// assert_eq!(graph.stretching, [((0, 1), 0.5)]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_start_edges(path: &Path, n: usize) -> Result<StartGraph> {
    let table = read(path, &ReadOptions { gaps: true, ..ReadOptions::default() })?;
    let missing = |name: &str| {
        let reason = format!("there is no column {name}: give the ends of the edges as a and b");
        Error::data(path, reason)
    };
    let ends = |name: &str| column(path, &table, name)?.ok_or_else(|| missing(name));
    let (a, b) = (ends("a")?, ends("b")?);
    let stretching = column(path, &table, "stretching")?;
    let mut graph = StartGraph::default();
    let mut edges = Vec::with_capacity(a.len());
    for (row, pair) in a.into_iter().zip(b).enumerate() {
        let is_node = |x: f64| x.fract() == 0.0 && (0.0..n as f64).contains(&x);
        if let Some(bad) = [pair.0, pair.1].into_iter().find(|&x| !is_node(x)) {
            let last = n.saturating_sub(1);
            let reason = format!("row {}: {bad} is not a node; give 0 to {last}", row + 1);
            return Err(Error::data(path, reason));
        }
        let edge = (pair.0 as usize, pair.1 as usize);
        edges.push(edge);
        let own = stretching.as_ref().map(|moduli| moduli[row]).filter(|x| !x.is_nan());
        graph.stretching.extend(own.map(|modulus| (edge, modulus)));
    }
    graph.edges = Some(edges);
    Ok(graph)
}

/// What the columns `pinned` (1 or 0) and `bending` of a table of nodes tell, unless they are among
/// the `features`; nothing if it has neither.
pub fn start_of_nodes(
    path: &Path,
    table: &Table,
    features: &[String],
) -> Result<Option<StartGraph>> {
    let has = |name: &str| features.iter().any(|feature| feature == name);
    let of = |name: &str| if has(name) { Ok(None) } else { column(path, table, name) };
    let (pinned, bending) = (of("pinned")?, of("bending")?);
    if pinned.is_none() && bending.is_none() {
        return Ok(None);
    }
    let mut graph = StartGraph::default();
    for (node, pinned) in pinned.into_iter().flatten().enumerate() {
        if pinned == 1.0 {
            graph.pinned.push(node);
        } else if pinned != 0.0 && !pinned.is_nan() {
            let reason = format!("row {}, column pinned: {pinned} is not 1 or 0", node + 1);
            return Err(Error::data(path, reason));
        }
    }
    let bending = bending.into_iter().flatten().enumerate();
    graph.bending = bending.filter(|(_, modulus)| !modulus.is_nan()).collect();
    Ok(Some(graph))
}

/// A column of numbers.
fn column(path: &Path, table: &Table, name: &str) -> Result<Option<Vec<f64>>> {
    if table.set_aside.iter().any(|text| text == name) {
        return Err(Error::data(path, format!("column {name} holds text: give numbers")));
    }
    let Some(at) = table.features.iter().position(|feature| feature == name) else {
        return Ok(None);
    };
    let mut row = vec![0.0; table.points.dims()];
    let value = |i: usize| {
        table.points.copy_row(i, &mut row);
        row[at]
    };
    Ok(Some((0..table.points.len()).map(value).collect()))
}
