//! `midrib prune`: a learned graph without its weak branches.

use std::process::ExitCode;

use midrib_tasks::prune_results;

use super::summary_text::print_summary;
use crate::args::PruneArgs;
use crate::exit::Outcome;
use crate::talk::Talk;

pub fn run(args: &PruneArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.rewrite.talk);
    let request = args.rewrite.request();
    let pruned = prune_results(&request, &args.rule(), &mut talk.listener())?;
    print_summary(&pruned.model, &pruned.summary, &[], &talk)?;
    talk.note(format!("written to {}", request.output.display()));
    Ok(ExitCode::SUCCESS)
}
