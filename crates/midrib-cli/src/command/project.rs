//! `midrib project`: where new points lie on a learned graph.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::prepare::Transform;
use midrib_io::{
    Labels, Model, PointRows, ReadOptions, match_columns, read, write_file, write_points,
};

use super::fit::read_options;
use crate::args::{ProjectArgs, TableArgs};
use crate::exit::{Failure, Outcome};
use crate::memory::Memory;

pub fn run(args: &ProjectArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let (points, labels) = prepared(&model, &args.new, &args.table, args.memory.max_memory)?;
    let projection =
        model.object.project(&points).map_err(|error| Failure::from(error).of_table(&args.new))?;
    let of_table = |error: midrib::Error| Failure::from(error).of_table(&args.new);
    let embedded = model.object.embed(&points).map_err(of_table)?;
    let inner = model.object.inner(&points).map_err(of_table)?;
    let pseudotime = match model.root[..] {
        [] => None,
        _ => Some(model.graph()?.root(&model.root)?.pseudotime(&projection)?),
    };
    let mut rows = PointRows {
        latent: embedded.as_ref(),
        pseudotime: pseudotime.as_deref(),
        ..PointRows::of(model.object.graph(), &projection)
    };
    if let Some(inner) = &inner {
        rows.distance = &inner.distance;
    }
    write_file(&args.output, args.force, |path| write_points(path, points.ids(), &rows, &labels))?;
    Ok(ExitCode::SUCCESS)
}

/// The points of a table, prepared as those that the model was learned from, and their labels.
pub fn prepared(
    model: &Model,
    table: &Path,
    args: &TableArgs,
    max_memory: Memory,
) -> Outcome<(Points<'static>, Vec<Labels>)> {
    let transform = &model.input.prepare;
    let default_rep = model.reading.use_rep.clone();
    let options = ReadOptions { default_rep, ..read_options(args) };
    let read = match_columns(table, read(table, &options)?, &model.input.features)?;
    if let Some(transform) = transform {
        refuse_kernel(transform, read.points.len(), max_memory)?;
    }
    let of_table = |error: midrib::Error| Failure::from(error).of_table(table);
    let points = match transform {
        None => read.points,
        Some(transform) => transform.apply(&read.points).map_err(of_table)?,
    };
    Ok((points, read.labels))
}

/// A kernel matrix that is not reduced to components must fit into memory.
pub fn refuse_kernel(transform: &Transform, n: usize, most: Memory) -> Outcome<()> {
    let (Some(kernel), None) = (&transform.kernel, &transform.pca) else {
        return Ok(());
    };
    let bytes = Memory(kernel.bytes(n));
    if bytes <= most {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "--max-memory {most}: the kernel matrix of {n} points and {} columns would take {bytes}; \
         pass --max-memory {} if there is as much, or project fewer rows at a time",
        kernel.n_columns(),
        bytes.rounded_up()
    )))
}
