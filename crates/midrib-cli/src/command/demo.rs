//! `midrib demo`: the whole way on generated data.

use std::path::Path;
use std::process::ExitCode;

use midrib::learn::{Given, method};
use midrib::synth::{Shape, Synth};
use midrib_io::{Input, Model, check_directory, write_file, write_values};
use serde_json::json;

use super::learn::{Prepared, exit_code, learn, model, write};
use super::report::run_now;
use super::summary::Summary;
use crate::args::DemoArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::Talk;

const DATA: &str = "data.csv";
/// What a demo writes beside its data.
const WRITTEN: [&str; 6] =
    ["edges.csv", "graph.graphml", "model.json", "nodes.csv", "points.csv", "report.html"];

/// A file in a demo's directory that no demo wrote.
fn foreign_file(directory: &Path) -> Option<String> {
    let names = std::fs::read_dir(directory).ok()?.flatten();
    let mut names = names.map(|file| file.file_name().to_string_lossy().into_owned());
    names.find(|name| name != DATA && !WRITTEN.contains(&name.as_str()))
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
    let data = args.output.join(DATA);
    let file = data.display().to_string();
    let is_demo = Model::read(&args.output).is_ok_and(|model| model.input.file == file);
    if is_demo
        && !args.force
        && let Some(foreign) = foreign_file(&args.output)
    {
        return Err(Failure::usage(format!(
            "{}: holds {foreign}, which no demo wrote: move it, take another directory with -o, or \
             pass --force to lose it",
            args.output.display()
        )));
    }
    let force = args.force || is_demo;
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
    let learned = learn(method("ppt")?, &json!({}), &prepared.points, Given::default(), &talk)?;
    let input = Input { file, rows: synth.n, columns: synth.dims, features, prepare: None };
    let mut model = model(&learned, &learned.fitted.choices, input, &prepared.points)?;
    model.run = Some(run_now(None));
    let summary = Summary::of(&model)?;
    write(&args.output, force, &summary, &learned, &prepared, &[])?;
    write_file(&data, false, |path| write_values(path, &prepared.points, &prepared.features))?;
    summary.say(&learned.fitted.choices, &talk)?;
    let dir = args.output.display();
    talk.note(format!(
        "\nwritten to {dir}:\n  \
         report.html    the tree to explore: open it in a browser\n  \
         data.csv       the generated points\n  \
         model.json     the learned tree with all that led to it\n  \
         nodes.csv, edges.csv, graph.graphml   the same tree for other programs\n  \
         points.csv     the place of every point on it\n\n\
         next: midrib info {dir}\n      midrib fit {}",
        data.display()
    ));
    Ok(exit_code(learned.fitted.end, false))
}
