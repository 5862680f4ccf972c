//! The midrib command line: typed arguments, then what they mean, then one file per command.

mod args;
mod command;
mod config;
mod exit;
mod flags;
mod memory;
mod talk;

use std::process::ExitCode;

/// Growing an elastic tree takes and frees many small vectors: with this one it is about a sixth
/// faster than with the system's (`bench/elastic.py`, 2,000 points in 50 columns).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let outcome = args::parse(std::env::args_os().collect()).and_then(command::run);
    match outcome {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
