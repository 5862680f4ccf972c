//! `midrib project`: where new points lie on a learnt graph.

use std::process::ExitCode;

use midrib_io::{Model, PointRows, match_columns, read, write_file, write_points};

use super::fit::read_options;
use crate::args::ProjectArgs;
use crate::exit::{Failure, Outcome};

pub fn run(args: &ProjectArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let graph = model.graph()?;
    let transform = model.transform(&args.model)?;
    let table = match_columns(
        &args.new,
        read(&args.new, &read_options(&args.table))?,
        &model.input.features,
    )?;
    let of_table = |error: midrib::Error| Failure::from(error).of_table(&args.new);
    let points = match transform {
        Some(transform) => transform.apply(&table.points).map_err(of_table)?,
        None => table.points,
    };
    let projection = graph.project(&points).map_err(of_table)?;
    let rows = PointRows::of(&graph, &projection);
    write_file(&args.output, args.force, |path| write_points(path, &points, &rows, &table.labels))?;
    Ok(ExitCode::SUCCESS)
}
