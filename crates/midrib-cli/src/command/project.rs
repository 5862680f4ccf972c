//! `midrib project`: where new points lie on a learnt graph.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib_io::{Labels, Model, PointRows, match_columns, read, write_file, write_points};

use super::fit::read_options;
use crate::args::{ProjectArgs, TableArgs};
use crate::exit::{Failure, Outcome};

pub fn run(args: &ProjectArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let graph = model.graph()?;
    let (points, labels) = prepared(&args.model, &model, &args.new, &args.table)?;
    let projection =
        graph.project(&points).map_err(|error| Failure::from(error).of_table(&args.new))?;
    let rows = PointRows::of(&graph, &projection);
    write_file(&args.output, args.force, |path| write_points(path, &points, &rows, &labels))?;
    Ok(ExitCode::SUCCESS)
}

/// The points of a table, prepared as those that the model was learnt from, and their labels.
pub fn prepared(
    model_path: &Path,
    model: &Model,
    table: &Path,
    args: &TableArgs,
) -> Outcome<(Points<'static>, Vec<Labels>)> {
    let transform = model.transform(model_path)?;
    let read = match_columns(table, read(table, &read_options(args))?, &model.input.features)?;
    let of_table = |error: midrib::Error| Failure::from(error).of_table(table);
    let points = match transform {
        None => read.points,
        Some(transform) => transform.apply(&read.points).map_err(of_table)?,
    };
    Ok((points, read.labels))
}
