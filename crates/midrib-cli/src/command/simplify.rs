//! `midrib simplify`: the skeleton of a learned graph.

use std::process::ExitCode;

use midrib_tasks::simplify_results;

use super::summary_text::print_summary;
use crate::args::SimplifyArgs;
use crate::console::Console;
use crate::exit::Outcome;

pub fn run(args: &SimplifyArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.rewrite.console);
    let request = args.rewrite.request();
    let simplified = simplify_results(&request, &args.settings(), &mut console.listener())?;
    print_summary(&simplified.model, &simplified.summary, &[], &console)?;
    console.note(format!("written to {}", request.output.display()));
    Ok(ExitCode::SUCCESS)
}
