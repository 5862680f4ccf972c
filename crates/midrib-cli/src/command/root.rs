//! `midrib root`: pseudotime from chosen roots, added to results.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use midrib::graph::{PrincipalGraph, Projection, Rooted};
use midrib_io::{Model, PointRows, update_directory, write_points, write_table};
use midrib_report::with_root;
use midrib_tasks::rooted_graph;
use serde_json::json;

use super::report::{self, REPORT, directory_of};
use super::results::Results;
use super::summary::short;
use crate::args::RootArgs;
use crate::exit::Outcome;
use crate::talk::{Talk, count};

pub fn run(args: &RootArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    let mut results = Results::read(&args.model)?;
    results.hint(&talk)?;
    let roots = results.roots(&args.root, &talk)?;
    let directory = directory_of(&args.model);
    let projection = &results.places.projection;
    // The spread over replicas is known for the root that they were learned with.
    let roots = results.model.graph()?.root(&roots)?.roots().to_vec();
    let spread = results.places.pseudotime_sd.as_deref();
    let spread = spread.filter(|_| results.model.root == roots);
    results.model = results.model.rooted(roots)?;
    let graph = results.model.graph()?;
    let rooted = rooted_graph(&results.model)?;
    let time = rooted.pseudotime(projection)?;
    let rows = PointRows {
        pseudotime: Some(&time),
        pseudotime_sd: spread,
        ..PointRows::of(Some(graph), projection)
    };
    let page = page(&directory, &args.model, &results.model)?;
    update_directory(&directory, |staging| {
        results.model.write(&staging.join("model.json"))?;
        let path = staging.join(REPORT);
        fs::write(&path, page).map_err(|error| midrib_io::Error::writing(&path, &error))?;
        let ids = Some(&results.places.ids[..]);
        write_points(&staging.join("points.csv"), ids, &rows, &results.places.labels)?;
        write_lineages(&staging.join("lineages.csv"), graph, &rooted, projection)
    })?;
    say(graph, &rooted, &time, &talk)?;
    talk.note(format!(
        "pseudotime added to {} and {REPORT}",
        directory.join("points.csv").display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The page among results, with the roots of the model.
pub fn page(directory: &Path, path: &Path, model: &Model) -> Outcome<String> {
    // It counts pseudotime itself: only the roots change in it.
    let page = fs::read_to_string(directory.join(REPORT)).unwrap_or_default();
    match with_root(&page, &model.root) {
        Some(page) => Ok(page),
        None => report::again(directory, directory, path, model, None),
    }
}

/// Writes `lineages.csv`: lineage, root, end, length, points, nodes in their order.
pub fn write_lineages(
    path: &Path,
    graph: &PrincipalGraph,
    rooted: &Rooted<'_>,
    projection: &Projection,
) -> midrib_io::Result<()> {
    let mut rows = Vec::new();
    for (number, lineage) in rooted.lineages().iter().enumerate() {
        let on = rooted.on_lineage(lineage, projection)?;
        let points = on.weight.iter().filter(|&&weight| weight > 0.0).count();
        let nodes: Vec<String> = lineage.nodes.iter().map(usize::to_string).collect();
        rows.push([
            number.to_string(),
            nodes[0].clone(),
            nodes[nodes.len() - 1].clone(),
            lineage.length(graph).to_string(),
            points.to_string(),
            nodes.join(" "),
        ]);
    }
    write_table(path, &["lineage", "root", "end", "length", "points", "nodes"], rows)
}

/// Lineages that are listed one by one.
const SHOWN: usize = 20;

/// What the roots are and what they reach.
pub fn say(graph: &PrincipalGraph, rooted: &Rooted<'_>, time: &[f64], talk: &Talk) -> Outcome<()> {
    let lineages = rooted.lineages();
    let longest = time.iter().copied().filter(|t| t.is_finite()).fold(0.0, f64::max);
    let unrooted = rooted.unrooted_components();
    if talk.json() {
        let ends: Vec<_> = lineages
            .iter()
            .map(|lineage| {
                json!({"root": lineage.nodes.first(), "end": lineage.nodes.last(),
                       "length": lineage.length(graph)})
            })
            .collect();
        let found = json!({"root": rooted.roots(), "lineages": ends, "longest": longest,
                           "unrooted_components": unrooted});
        return talk.answer(&format!("{found:#}\n"));
    }
    let roots: Vec<String> = rooted.roots().iter().map(usize::to_string).collect();
    let word = if roots.len() == 1 { "root" } else { "roots" };
    let mut text = format!(
        "{word} {}: {}, pseudotime up to {}\n",
        roots.join(", "),
        count(lineages.len(), "lineage", "lineages"),
        short(longest)
    );
    for lineage in lineages.iter().take(SHOWN) {
        let (Some(first), Some(last)) = (lineage.nodes.first(), lineage.nodes.last()) else {
            continue;
        };
        text += &format!("  {first} to {last}  length {}\n", short(lineage.length(graph)));
    }
    if lineages.len() > SHOWN {
        text += &format!("  {} more in lineages.csv\n", lineages.len() - SHOWN);
    }
    talk.answer(&text)?;
    if !unrooted.is_empty() {
        let numbers: Vec<String> = unrooted.iter().take(10).map(usize::to_string).collect();
        let more = if unrooted.len() > 10 { ", …" } else { "" };
        let points = time.iter().filter(|t| t.is_nan()).count();
        talk.note(format!(
            "warning: no root in component {}{more}: {} without pseudotime; --root may be given \
             several times",
            numbers.join(", "),
            count(points, "point", "points")
        ));
    }
    Ok(())
}
