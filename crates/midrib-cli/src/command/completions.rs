//! `midrib completions`: a script for the shell.

use std::process::ExitCode;

use crate::args::{CompletionsArgs, command_for_any};
use crate::console::print;
use crate::exit::Outcome;

pub fn run(args: &CompletionsArgs) -> Outcome<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_for_any(), "midrib", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
