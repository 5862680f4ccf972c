//! `midrib completions`: a script for the shell.

use std::process::ExitCode;

use midrib::learn::METHODS;

use crate::args::{CompletionsArgs, command_for};
use crate::exit::Outcome;
use crate::talk::print;

pub fn run(args: &CompletionsArgs) -> Outcome<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command_for(&METHODS[0]), "midrib", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
