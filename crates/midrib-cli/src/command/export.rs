//! `midrib export`: a learned graph for other programs.

use std::path::Path;
use std::process::ExitCode;

use midrib_tasks::{ExportRequest, export};

use crate::args::ExportArgs;
use crate::exit::Outcome;
use crate::talk::Talk;

pub fn run(args: &ExportArgs) -> Outcome<ExitCode> {
    let talk = Talk::unless(args.quiet);
    let request = ExportRequest {
        results: &args.model,
        format: args.format.into(),
        output: args.output.clone(),
        force: args.force,
        root: &args.root,
        table: args.points.as_deref(),
    };
    export(&request, &mut talk.listener())?;
    if args.output != Path::new("-") {
        talk.note(format!("written to {}", args.output.display()));
    }
    Ok(ExitCode::SUCCESS)
}
