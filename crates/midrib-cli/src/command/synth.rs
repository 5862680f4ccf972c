//! `midrib synth`: data whose true graph is known.

use std::path::PathBuf;
use std::process::ExitCode;

use midrib_tasks::{GenerateRequest, SynthRequest, count, synth};

use crate::args::SynthArgs;
use crate::console::Console;
use crate::exit::Outcome;

pub fn run(args: &SynthArgs) -> Outcome<ExitCode> {
    let output =
        args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.csv", args.shape)));
    let data = GenerateRequest {
        shape: args.shape.clone(),
        branch_points: args.branch_points,
        n: args.n,
        dims: args.dims,
        noise: args.noise,
        seed: args.seed,
    };
    let request = SynthRequest { data, output, force: args.force };
    if let Some(written) = synth(&request)? {
        Console::unless(args.quiet).note(format!(
            "{}: {} in {} dimensions; the true graph is in {}",
            request.output.display(),
            count(args.n, "point", "points"),
            written.dims,
            written.truth.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}
