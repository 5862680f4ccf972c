//! `midrib project`: where new points lie on a learnt graph.

use std::path::Path;
use std::process::ExitCode;

use midrib::prepare::Transform;
use midrib_io::{Model, PointRows, match_columns, read, write_file, write_points};
use serde_json::Value;

use super::fit::read_options;
use crate::args::ProjectArgs;
use crate::exit::{Failure, Outcome};

pub fn run(args: &ProjectArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let graph = model.graph()?;
    let table = match_columns(
        &args.new,
        read(&args.new, &read_options(&args.table))?,
        &model.input.features,
    )?;
    let of_table = |error: midrib::Error| Failure::from(error).of_table(&args.new);
    let points = match &model.input.prepare {
        Value::Object(recipe) if recipe.is_empty() => table.points,
        recipe => transform(&args.model, recipe)?.apply(&table.points).map_err(of_table)?,
    };
    let projection = graph.project(&points).map_err(of_table)?;
    let rows = PointRows::of(&graph, &projection);
    write_file(&args.output, args.force, |path| write_points(path, &points, &rows, &table.labels))?;
    Ok(ExitCode::SUCCESS)
}

/// The preparation that a model records.
fn transform(model: &Path, recipe: &Value) -> Outcome<Transform> {
    serde_json::from_value(recipe.clone()).map_err(|error| {
        let reason = format!("input.prepare is not one that this midrib knows ({error})");
        Failure::bad_data(reason).within(model.display())
    })
}
