//! `midrib export`: a learned graph for other programs.

use std::path::Path;
use std::process::ExitCode;

use midrib_tasks::{ExportRequest, export};

use crate::args::ExportArgs;
use crate::console::Console;
use crate::exit::Outcome;

pub fn run(args: &ExportArgs) -> Outcome<ExitCode> {
    let console = Console::unless(args.quiet);
    let request = ExportRequest {
        results: &args.model,
        format: args.format.into(),
        output: args.output.clone(),
        force: args.force,
        root: &args.root,
        table: args.points.as_deref(),
    };
    export(&request, &mut console.listener())?;
    if args.output != Path::new("-") {
        console.note(format!("written to {}", args.output.display()));
    }
    Ok(ExitCode::SUCCESS)
}
