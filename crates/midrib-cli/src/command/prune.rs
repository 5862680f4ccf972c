//! `midrib prune`: a learned graph without its weak branches.

use std::process::ExitCode;

use midrib_tasks::prune_results;

use super::summary_text::print_summary;
use crate::args::PruneArgs;
use crate::console::Console;
use crate::exit::Outcome;

pub fn run(args: &PruneArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.rewrite.console);
    let request = args.rewrite.request();
    let pruned = prune_results(&request, &args.rule(), &mut console.listener())?;
    print_summary(&pruned.model, &pruned.summary, &[], &console)?;
    console.note(format!("written to {}", request.output.display()));
    Ok(ExitCode::SUCCESS)
}
