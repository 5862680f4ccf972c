//! The probability of every fate for the points of results.

use std::path::Path;

use midrib::trend::{self, Fates};
use midrib_io::{write_file, write_table};

use crate::error::Result;
use crate::listener::Listener;
use crate::location::Location;
use crate::open::open_results;
use crate::summary::summarize;

/// Results whose fates are wanted.
#[derive(Clone, Copy, Debug)]
pub struct FatesRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// Where pseudotime begins, if not where the results say. Roots are not fates.
    pub root: &'a [Location],
}

/// The fates of the points of results.
#[derive(Clone, Debug)]
pub struct FatesResult {
    /// The points' names.
    pub ids: Vec<String>,
    /// Their fates.
    pub fates: Fates,
    /// The roots.
    pub root: Vec<usize>,
}

/// Finds the probability of every tip for the points of results.
pub fn fates(request: &FatesRequest<'_>, listener: &mut dyn Listener) -> Result<FatesResult> {
    let results = open_results(request.results)?;
    if let Some(hint) = summarize(&results.model)?.hint(request.results) {
        listener.note(&hint);
    }
    results.model.require_lines("midrib fates")?;
    let root = match request.root {
        [] => results.model.root.clone(),
        locations => results.roots(locations, listener)?,
    };
    let fates = trend::fates(results.model.graph()?, &root, results.points.onto_graph()?)?;
    Ok(FatesResult { ids: results.points.ids, fates, root })
}

/// Writes a column per tip, and the entropy; `-` is stdout.
pub fn write_fates(found: &FatesResult, output: &Path, force: bool) -> Result<()> {
    let FatesResult { ids, fates, .. } = found;
    let mut header = vec!["id".to_owned()];
    header.extend(fates.tips.iter().map(|tip| format!("fate_{tip}")));
    header.push("entropy".into());
    let number = |x: &f64| if x.is_nan() { String::new() } else { x.to_string() };
    let rows = ids.iter().enumerate().map(|(i, id)| {
        let mut row = vec![id.clone()];
        row.extend(fates.of_points.row(i).iter().map(number));
        row.push(number(&fates.entropy[i]));
        row
    });
    Ok(write_file(output, force, |path| write_table(path, &header, rows))?)
}
