//! A learnt graph that was changed, written like a fit: what `simplify` and `prune` share.

use std::path::Path;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::measure::explained;
use midrib_io::{Labels, Model, NodeColumns};
use serde_json::Value;

use super::learn::{PlacedPoints, write_results};
use super::project::prepared;
use super::report::Run;
use super::summary::Summary;
use crate::args::RewriteArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::Talk;

/// The points that a model was learnt from.
pub struct Table {
    pub points: Points<'static>,
    labels: Vec<Labels>,
}

/// Reads the points that the model was learnt from.
pub fn table(args: &RewriteArgs, model: &Model) -> Outcome<Table> {
    let path = args.points.as_deref().unwrap_or(Path::new(&model.input.file));
    if args.points.is_none() && path == Path::new("-") {
        return Err(Failure::bad_data("they came from standard input"));
    }
    let (points, labels) = prepared(&args.model, model, path, &args.table, args.memory.max_memory)?;
    if args.points.is_none() && points.len() != model.input.rows {
        let reason =
            format!("has {} rows, the model was learnt from {}", points.len(), model.input.rows);
        return Err(Failure::bad_data(reason).within(path.display()));
    }
    Ok(Table { points, labels })
}

/// Puts a graph in place of the model's own and writes the results; without a table, no
/// points.csv. `edit` and `how` are noted beside the settings.
pub fn rewrite(
    args: &RewriteArgs,
    model: Model,
    graph: &PrincipalGraph,
    (edit, how): (&str, Value),
    table: Option<Table>,
    talk: &Talk,
) -> Outcome<()> {
    if !model.root.is_empty() {
        talk.note("the nodes have new numbers: choose the root again with `midrib root`");
    }
    let mut model = model.edited(graph, edit, how)?;
    let projection = match &table {
        Some(table) => Some(graph.project(&table.points)?),
        None => None,
    };
    let placed: Option<(&Table, &Projection)> = table.as_ref().zip(projection.as_ref());
    model.explained = match placed {
        Some((table, projection)) => {
            explained(projection.mean_squared_distance(&table.points)?, &table.points)
        }
        None => None,
    };
    let transform = model.transform(&args.model)?;
    let columns = NodeColumns::of_table(graph, transform.as_ref(), &model.input.features)?;
    let rows = placed.map(|(Table { points, labels }, projection)| PlacedPoints {
        points: Some(points),
        ids: points.ids(),
        projection,
        labels,
        root: &[],
        places: None,
        table: None,
    });
    let summary = Summary::of(&model)?;
    write_results(&args.output, args.force, &summary, graph, &columns, rows, &Run::now(None))?;
    summary.say(&[], talk)?;
    talk.note(format!("written to {}", args.output.display()));
    Ok(())
}
