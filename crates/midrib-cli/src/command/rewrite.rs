//! A learned graph that was changed, written like a fit: what `simplify` and `prune` share.

use std::path::Path;

use super::fit::read_options;
use super::learn::{PlacedPoints, write_results};
use super::learned_table::LearnedTable;
use super::report::run_now;
use super::summary::Summary;
use crate::args::RewriteArgs;
use crate::exit::Outcome;
use crate::talk::Talk;
use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::measure::explained;
use midrib_io::{Edit, Model, NodeColumns, read_places};

/// Reads the points that the model was learned from.
pub fn table(args: &RewriteArgs, model: &Model) -> Outcome<LearnedTable> {
    let asked = read_options(&args.table);
    LearnedTable::read(&args.model, model, args.points.as_deref(), &asked, args.memory.max_memory)
}

/// The spread of pseudotime that the results hold for these points, if any.
fn known_spread(results: &Path, model: &Model, points: &Points<'_>) -> Option<Vec<f64>> {
    let places = read_places(results, model).ok()?;
    let are_same = places.ids.len() == points.len()
        && places.ids.iter().enumerate().all(|(i, id)| *id == points.id(i));
    places.pseudotime_sd.filter(|_| are_same)
}

/// Puts a graph, given with the old numbers of its nodes, in place of the model's own and writes the
/// results; without a table, no points.csv.
pub fn rewrite(
    args: &RewriteArgs,
    model: Model,
    (graph, kept): (PrincipalGraph, &[usize]),
    edit: Edit,
    table: Option<LearnedTable>,
    talk: &Talk,
) -> Outcome<()> {
    let known = match (&table, &model.root[..]) {
        (Some(table), [_, ..]) => known_spread(&args.model, &model, &table.points),
        _ => None,
    };
    let spread = known.as_ref().filter(|_| model.graph().is_ok_and(|before| *before == graph));
    if known.is_some() && spread.is_none() {
        talk.note("The graph changed; rerun `midrib bootstrap` to update pseudotime_sd.");
    }
    let (n_roots, was_supported) = (model.root.len(), model.support.is_some());
    let mut model = model.edited(graph, kept, edit)?;
    model.run = Some(run_now(None));
    if model.root.len() < n_roots {
        talk.note("a root is gone: choose another with `midrib root`");
    }
    if was_supported && model.support.is_none() {
        talk.note("some edges are new: rerun `midrib bootstrap` to find their support");
    }
    let projection = match &table {
        Some(table) => Some(model.object.project(&table.points)?),
        None => None,
    };
    let placed: Option<(&LearnedTable, &Projection)> = table.as_ref().zip(projection.as_ref());
    model.explained = match placed {
        Some((table, projection)) => {
            explained(projection.mean_squared_distance(&table.points)?, &table.points)
        }
        None => None,
    };
    let columns = NodeColumns::of_model(&model)?;
    let rows = placed.map(|(table, projection)| PlacedPoints {
        points: Some(&table.points),
        ids: table.points.ids(),
        projection,
        labels: &table.labels,
        root: &model.root,
        pseudotime_sd: spread.map(Vec::as_slice),
        inner: None,
        table: Some(&table.drawn),
    });
    let summary = Summary::of(&model)?;
    write_results(&args.output, args.force, &summary, Some(&columns), rows)?;
    summary.say(&[], talk)?;
    talk.note(format!("written to {}", args.output.display()));
    Ok(())
}
