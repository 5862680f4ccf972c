//! One file per command.

mod bootstrap;
mod cluster;
mod compare;
mod completions;
mod criteria_text;
mod demo;
mod draw;
mod export;
mod fates;
mod fit;
mod info;
mod measure;
mod methods;
mod path;
mod project;
mod prune;
mod report;
mod root;
mod simplify;
mod summary_text;
mod synth;
mod trends;

use std::process::ExitCode;

use crate::args::Command;
use crate::exit::Outcome;
use crate::parse::Parsed;

/// Runs a command; the exit code.
pub fn run(parsed: Parsed) -> Outcome<ExitCode> {
    match parsed {
        Parsed::Fit { args, entry, settings } => fit::run(args, entry, settings),
        Parsed::Other(command) => match command {
            Command::Demo(args) => demo::run(&args),
            Command::Methods(args) => methods::run(&args),
            Command::Project(args) => project::run(&args),
            Command::Info(args) => info::run(&args),
            Command::Simplify(args) => simplify::run(&args),
            Command::Prune(args) => prune::run(&args),
            Command::Bootstrap(args) => bootstrap::run(&args),
            Command::Root(args) => root::run(&args),
            Command::Path(args) => path::run(&args),
            Command::Trends(args) => trends::run(&args),
            Command::Fates(args) => fates::run(&args),
            Command::Draw(args) => draw::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Measure(args) => measure::run(&args),
            Command::Cluster(args) => cluster::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Synth(args) => synth::run(&args),
            Command::Completions(args) => completions::run(&args),
            Command::Fit(_) => Ok(ExitCode::SUCCESS),
        },
    }
}
