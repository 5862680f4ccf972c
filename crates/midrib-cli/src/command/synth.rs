//! `midrib synth`: data whose true graph is known.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use midrib::synth::{Sample, Shape, Synth};
use midrib_io::{
    Model, NodeColumns, PointRows, check_directory, write_directory, write_edges, write_file,
    write_nodes, write_points, write_values,
};
use serde_json::json;

use crate::args::SynthArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::{count, say};

pub fn run(args: &SynthArgs) -> Outcome<ExitCode> {
    let mut shape = Shape::from_str(&args.shape)?;
    if let Some(count) = args.branch_points {
        let Shape::Tree { branch_points } = &mut shape else {
            return Err(Failure::usage(format!(
                "--branch-points {count}: only a tree has branch points, not {}",
                args.shape
            )));
        };
        *branch_points = count;
    }
    let synth = Synth {
        shape,
        n: args.n,
        dims: args.dims.unwrap_or(shape.min_dims()),
        noise: args.noise,
        seed: args.seed,
    };
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.csv", args.shape)));
    let truth = path.with_extension("truth");
    let to_stdout = path.as_os_str() == "-";
    if !to_stdout {
        if truth == path {
            return Err(Failure::usage(format!(
                "{}: the true graph will have this name; choose another one for the points",
                path.display()
            )));
        }
        check_directory(&truth, args.force)?;
    }
    let sample = synth.generate()?;
    let features: Vec<String> = (0..synth.dims).map(|d| format!("x{d}")).collect();
    write_file(&path, args.force, |path| write_values(path, &sample.points, &features))?;
    if to_stdout {
        return Ok(ExitCode::SUCCESS);
    }
    write_truth(&truth, args, &synth, &sample, features)?;
    if !args.quiet {
        say(&format!(
            "{}: {} in {} dimensions; the true graph is in {}",
            path.display(),
            count(synth.n, "point", "points"),
            synth.dims,
            truth.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The true graph in the form of a result, so that everything that reads one reads it.
fn write_truth(
    directory: &Path,
    args: &SynthArgs,
    synth: &Synth,
    sample: &Sample,
    features: Vec<String>,
) -> Outcome<()> {
    let truth = &sample.truth;
    let mut model = Model::of_graph("truth", truth.clone(), features.clone());
    model.settings = json!({"shape": args.shape, "n": synth.n, "dims": synth.dims,
                            "noise": synth.noise, "branch_points": args.branch_points});
    model.input.file.clone_from(&args.shape);
    model.input.rows = synth.n;
    model.seed = synth.seed;
    let projection = truth.project(&sample.points)?;
    // Where the points come from, not where the nearest place is.
    let rows = PointRows {
        edge: &sample.edge,
        edge_pos: &sample.edge_pos,
        branch: (&sample.branch).into(),
        ..PointRows::of(Some(truth), &projection)
    };
    write_directory(directory, args.force, |staging| {
        model.write(&staging.join("model.json"))?;
        write_nodes(&staging.join("nodes.csv"), truth, &NodeColumns::of(truth, &features)?)?;
        write_edges(&staging.join("edges.csv"), truth, None)?;
        write_points(&staging.join("points.csv"), sample.points.ids(), &rows, &[])
    })?;
    Ok(())
}
