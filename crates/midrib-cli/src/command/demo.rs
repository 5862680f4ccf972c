//! `midrib demo`: the whole way on generated data.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use midrib::learn::{Given, method};
use midrib::synth::{Shape, Synth};
use midrib_io::{Input, Model, check_directory, write_file, write_values};
use serde_json::json;

use super::learn::{Prepared, exit_code, learn, model, write};
use super::report::Run;
use super::summary::Summary;
use crate::args::DemoArgs;
use crate::exit::Outcome;
use crate::talk::Talk;

/// What a demo writes.
const WRITTEN: [&str; 7] = [
    "data.csv",
    "edges.csv",
    "graph.graphml",
    "model.json",
    "nodes.csv",
    "points.csv",
    "report.html",
];

/// Whether a demo's directory has no file but those of a demo.
fn holds_nothing_else(directory: &Path) -> bool {
    let is_ours = |name: OsString| WRITTEN.iter().any(|ours| name == *ours);
    std::fs::read_dir(directory)
        .is_ok_and(|mut files| files.all(|file| file.is_ok_and(|file| is_ours(file.file_name()))))
}

pub fn run(args: &DemoArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    let synth = Synth {
        shape: Shape::Tree { branch_points: 2 },
        n: 2000,
        dims: 10,
        noise: 0.1,
        seed: args.seed,
    };
    let data = args.output.join("data.csv");
    let file = data.display().to_string();
    let is_demo = Model::read(&args.output).is_ok_and(|model| model.input.file == file);
    let force = args.force || is_demo && holds_nothing_else(&args.output);
    check_directory(&args.output, force)?;
    let sample = synth.generate()?;
    talk.note(format!(
        "generated {} points in {} dimensions around a tree with {} tips and {} branch points",
        synth.n,
        synth.dims,
        sample.truth.tips().len(),
        sample.truth.branch_points().len()
    ));
    let features: Vec<String> = (0..synth.dims).map(|d| format!("x{d}")).collect();
    let prepared = Prepared {
        points: sample.points,
        features: features.clone(),
        transform: None,
        table: None,
    };
    let learnt = learn(method("ppt")?, &json!({}), &prepared.points, Given::default(), &talk)?;
    let input = Input {
        file,
        rows: synth.n,
        columns: synth.dims,
        features,
        prepare: json!({}),
        reading: Default::default(),
    };
    let model = model(&learnt, &learnt.fitted.choices, input, &prepared.points)?;
    let summary = Summary::of(&model)?;
    write(&args.output, force, &summary, &learnt, &prepared, &[], &Run::now(None))?;
    write_file(&data, false, |path| write_values(path, &prepared.points, &prepared.features))?;
    summary.say(&learnt.fitted.choices, &talk)?;
    let dir = args.output.display();
    talk.note(format!(
        "\nwritten to {dir}:\n  \
         report.html    the tree to explore: open it in a browser\n  \
         data.csv       the generated points\n  \
         model.json     the learnt tree with all that led to it\n  \
         nodes.csv, edges.csv, graph.graphml   the same tree for other programs\n  \
         points.csv     the place of every point on it\n\n\
         next: midrib info {dir}\n      midrib fit {}",
        data.display()
    ));
    Ok(exit_code(learnt.fitted.end, false))
}
