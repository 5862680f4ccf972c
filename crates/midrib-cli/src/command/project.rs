//! `midrib project`: new points on a learned object.

use std::process::ExitCode;

use midrib_tasks::{ProjectRequest, project, write_imputed, write_projected};

use crate::args::ProjectArgs;
use crate::exit::Outcome;

pub fn run(args: &ProjectArgs) -> Outcome<ExitCode> {
    let projected = project(&ProjectRequest {
        results: &args.model,
        table: &args.new,
        options: args.table.options(),
        max_memory: args.memory.max_memory,
    })?;
    if let Some(path) = &args.impute {
        write_imputed(&projected, path, args.force)?;
    }
    write_projected(&projected, &args.output, args.force)?;
    Ok(ExitCode::SUCCESS)
}
