//! `midrib report`: the page to explore a learned object, rebuilt from results.

use std::process::ExitCode;

use midrib_tasks::{ReportOfResults, write_report};

use crate::args::ReportArgs;
use crate::console::Console;
use crate::exit::Outcome;
use crate::wording::FLAGS;

pub fn run(args: &ReportArgs) -> Outcome<ExitCode> {
    let request = ReportOfResults {
        results: &args.model,
        directory: None,
        table: args.points.as_deref(),
        wording: FLAGS,
    };
    let page = write_report(&request, args.output.as_deref(), args.force)?;
    Console::unless(args.quiet).note(format!("report in {}; open it in a browser", page.display()));
    Ok(ExitCode::SUCCESS)
}
