//! `midrib synth`: data whose true graph is known.

use std::path::PathBuf;
use std::process::ExitCode;

use midrib::synth::{Shape, Synth};
use midrib_tasks::{SynthRequest, count, synth};

use crate::args::SynthArgs;
use crate::console::Console;
use crate::exit::{Failure, Outcome};

pub fn run(args: &SynthArgs) -> Outcome<ExitCode> {
    let mut shape: Shape = args.shape.parse()?;
    if let Some(count) = args.branch_points {
        let Shape::Tree { branch_points } = &mut shape else {
            return Err(Failure::usage(format!(
                "--branch-points {count}: only a tree has branch points, not {}",
                args.shape
            )));
        };
        *branch_points = count;
    }
    let dims = args.dims.unwrap_or(shape.min_dims());
    let output =
        args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.csv", args.shape)));
    let request = SynthRequest {
        synth: Synth { shape, n: args.n, dims, noise: args.noise, seed: args.seed },
        shape: args.shape.clone(),
        branch_points: args.branch_points,
        output,
        force: args.force,
    };
    if let Some(truth) = synth(&request)? {
        Console::unless(args.quiet).note(format!(
            "{}: {} in {dims} dimensions; the true graph is in {}",
            request.output.display(),
            count(args.n, "point", "points"),
            truth.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}
