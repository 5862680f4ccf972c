//! The midrib command line: typed arguments become the request of a task, the task runs, its result
//! is printed. One file per command.

mod args;
mod argv;
mod command;
mod config;
mod console;
mod default_output;
mod exit;
mod flags;
mod hint;
mod parse;
mod spelling;
mod threads;
mod typed_command;
mod wording;
mod wrap;

use std::process::ExitCode;

/// Growing an elastic tree takes and frees many small vectors: with this one it is about a sixth
/// faster than with the system's (`bench/elastic.py`, 2,000 points in 50 columns).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let outcome = parse::parse(std::env::args_os().collect()).and_then(command::run);
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(wording::FLAGS.text),
    }
}
