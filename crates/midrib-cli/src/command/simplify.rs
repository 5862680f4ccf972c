//! `midrib simplify`: the skeleton of a learned graph.

use std::process::ExitCode;

use midrib_tasks::simplify_results;

use super::summary_text::print_summary;
use crate::args::SimplifyArgs;
use crate::exit::Outcome;
use crate::talk::Talk;

pub fn run(args: &SimplifyArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.rewrite.talk);
    let request = args.rewrite.request();
    let simplified = simplify_results(&request, &args.settings(), &mut talk.listener())?;
    print_summary(&simplified.model, &simplified.summary, &[], &talk)?;
    talk.note(format!("written to {}", request.output.display()));
    Ok(ExitCode::SUCCESS)
}
