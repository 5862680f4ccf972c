//! `midrib demo`: every step on generated data.

use std::process::ExitCode;

use midrib_tasks::{DemoRequest, demo};

use super::fit::exit_code;
use super::summary_text::print_summary;
use crate::args::DemoArgs;
use crate::console::Console;
use crate::exit::Outcome;
use crate::typed_command::typed_command;

pub fn run(args: &DemoArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    let output = args.output.clone();
    let request =
        DemoRequest { output, seed: args.seed, force: args.force, command: typed_command() };
    let learned = demo(&request, &mut console.listener())?;
    print_summary(&learned.model, &learned.summary, &learned.choices, &console)?;
    let dir = args.output.display();
    console.note(format!(
        "\nwritten to {dir}:\n  \
         report.html    the tree to explore: open it in a browser\n  \
         data.csv       the generated points\n  \
         model.json     the learned tree with all that led to it\n  \
         nodes.csv, edges.csv, graph.graphml   the same tree for other programs\n  \
         points.csv     the projection of every point onto it\n\n\
         next: midrib info {dir}\n      midrib fit {}",
        learned.data.display()
    ));
    Ok(exit_code(learned.end, false))
}
