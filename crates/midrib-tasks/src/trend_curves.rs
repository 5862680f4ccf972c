//! The curves of features as a table, grouped into modules of the same shape.

use std::path::Path;

use midrib::trend::{Curve, modules};
use midrib_io::{write_file, write_table};

use crate::error::{Error, Result};
use crate::trend_table::TrendTable;

/// Writes the kept curves in the order of a heat map: by module, then by the pseudotime of their
/// peaks; one row per feature and knot. There are at most `n_modules` modules, found by k-means on
/// standardized curves. `-` is stdout.
pub fn write_curves(
    table: &TrendTable,
    n_modules: usize,
    seed: u64,
    output: &Path,
    force: bool,
) -> Result<()> {
    let Some(knots) = table.knots.as_ref().filter(|_| !table.curves.is_empty()) else {
        return Err(Error::data("there are no curves: no feature was tested along the graph"));
    };
    let curves: Vec<&Curve> = table.curves.iter().map(|(_, curve)| curve).collect();
    let found = modules(&curves, knots, n_modules.min(curves.len()), seed)?;
    let names = table.names();
    let header = ["feature", "module", "node", "branch", "pseudotime", "value", "error"];
    let number = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    let rows = found.order.iter().flat_map(|&at| {
        let (feature, curve) = &table.curves[at];
        let module = found.of_curve[at];
        (0..curve.values.len()).map(move |knot| {
            [
                names[*feature].clone(),
                module.to_string(),
                knots.nodes[knot].to_string(),
                knots.branches[knot].to_string(),
                number(knots.pseudotime[knot]),
                number(curve.values[knot]),
                number(curve.errors[knot]),
            ]
        })
    });
    Ok(write_file(output, force, |path| write_table(path, &header, rows))?)
}
