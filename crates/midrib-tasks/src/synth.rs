//! Generated data whose true graph is known, and a demonstration of a fit.

use std::path::{Path, PathBuf};

use midrib::graph::Projection;
use midrib::learn::{Choice, End, method};
use midrib::synth::{Sample, Shape, Synth};
use midrib_io::{
    Input, Model, NodeColumns, PointPositions, PointRows, Run, check_directory, write_directory,
    write_edges, write_file, write_nodes, write_points, write_values,
};
use serde::Deserialize;
use serde_json::json;

use crate::error::{Error, Result};
use crate::fit::{FitRequest, fit};
use crate::listener::Listener;
use crate::report::ResultPoints;
use crate::save::{SaveRequest, save};
use crate::summary::{Summary, summarize};

/// Data to generate, in the words of a user.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct GenerateRequest {
    /// The name of the shape.
    pub shape: String,
    /// The branch points of a tree: 2 if not given.
    pub branch_points: Option<usize>,
    /// The number of points.
    pub n: usize,
    /// The number of dimensions: the fewest that the shape has if not given.
    pub dims: Option<usize>,
    /// The standard deviation of the noise per coordinate.
    pub noise: f64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Generated points, and the model of their true graph.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The points and where they come from.
    pub sample: Sample,
    /// The true graph in the form of a result, so that everything that reads one reads it.
    pub model: Model,
}

/// Data to generate and to write.
#[derive(Clone, Debug)]
pub struct SynthRequest {
    /// The shape, size and noise.
    pub data: GenerateRequest,
    /// The file to write; `-` is stdout.
    pub output: PathBuf,
    /// Whether files that are already there are replaced.
    pub force: bool,
}

impl GenerateRequest {
    /// The same with the shape itself and the number of dimensions.
    fn synth(&self) -> Result<Synth> {
        let mut shape: Shape = self.shape.parse()?;
        match (&mut shape, self.branch_points) {
            (Shape::Tree { branch_points }, Some(count)) => *branch_points = count,
            (_, Some(count)) => {
                let remedy = format!("only a tree has branch points, not {}", self.shape);
                return Err(midrib::Error::setting("branch_points", count, remedy).into());
            }
            _ => {}
        }
        let dims = self.dims.unwrap_or(shape.min_dims());
        Ok(Synth { shape, n: self.n, dims, noise: self.noise, seed: self.seed })
    }
}

/// Generates points whose true graph is known.
///
/// ```
/// use midrib_tasks::{GenerateRequest, generate};
/// let request = GenerateRequest {
///     shape: "helix".into(), branch_points: None, n: 50, dims: None, noise: 0.0, seed: 0,
/// };
/// let found = generate(&request)?;
/// assert_eq!((found.sample.points.dims(), found.model.graph()?.tips().len()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(request: &GenerateRequest) -> Result<Generated> {
    let synth = request.synth()?;
    let sample = synth.generate()?;
    let features = feature_names(synth.dims);
    let mut model = Model::of_graph("truth", sample.truth.clone(), features);
    model.settings = json!({"shape": request.shape, "n": synth.n, "dims": synth.dims,
                            "noise": synth.noise, "branch_points": request.branch_points});
    model.input.file.clone_from(&request.shape);
    model.input.rows = synth.n;
    model.seed = synth.seed;
    Ok(Generated { sample, model })
}

/// Where generated data was written.
#[derive(Clone, Debug)]
pub struct SynthResult {
    /// The directory with the true graph.
    pub truth: PathBuf,
    /// The number of dimensions of the points.
    pub dims: usize,
}

/// Generates points and writes them, with the true graph in a directory beside the file; on stdout
/// the points alone.
///
/// ```
/// use midrib_tasks::{GenerateRequest, SynthRequest, synth};
/// # let directory = tempfile::tempdir()?;
/// let request = SynthRequest {
///     data: GenerateRequest {
///         shape: "tree".into(), branch_points: Some(1), n: 50, dims: None, noise: 0.0, seed: 0,
///     },
///     output: directory.path().join("tree.csv"),
///     force: false,
/// };
/// let written = synth(&request)?;
/// assert!(written.is_some_and(|written| written.truth.join("model.json").is_file()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn synth(request: &SynthRequest) -> Result<Option<SynthResult>> {
    let SynthRequest { data, output, force } = request;
    let truth = output.with_extension("truth");
    let to_stdout = output.as_os_str() == "-";
    if !to_stdout {
        if truth == *output {
            return Err(Error::usage(format!(
                "{}: the true graph will have this name; choose another one for the points",
                output.display()
            )));
        }
        check_directory(&truth, *force)?;
    }
    let generated = generate(data)?;
    let features = &generated.model.input.features;
    write_file(output, *force, |path| write_values(path, &generated.sample.points, features))?;
    if to_stdout {
        return Ok(None);
    }
    write_truth(&truth, *force, &generated)?;
    Ok(Some(SynthResult { truth, dims: generated.sample.points.dims() }))
}

fn feature_names(dims: usize) -> Vec<String> {
    (0..dims).map(|d| format!("x{d}")).collect()
}

/// The true graph, and where the points come from.
fn write_truth(directory: &Path, force: bool, generated: &Generated) -> Result<()> {
    let Generated { sample, model } = generated;
    let (truth, features) = (&sample.truth, &model.input.features);
    let projection = truth.project(&sample.points)?;
    // Where the points come from, not their projections.
    let (edge, edge_pos) = (sample.edge.clone(), sample.edge_pos.clone());
    let origin = Projection { edge, edge_pos, ..projection.clone() };
    let position = PointPositions {
        projection: &origin,
        branch: (&sample.branch).into(),
        component: projection.component(truth).into(),
    };
    let rows = PointRows { position: Some(position), ..PointRows::default() };
    write_directory(directory, force, |staging| {
        model.write(&staging.join("model.json"))?;
        write_nodes(&staging.join("nodes.csv"), truth, &NodeColumns::of(truth, features)?)?;
        write_edges(&staging.join("edges.csv"), truth, None)?;
        write_points(
            &staging.join("points.csv"),
            sample.points.ids(),
            sample.points.len(),
            &rows,
            &[],
        )
    })?;
    Ok(())
}

/// A demonstration to run.
#[derive(Clone, Debug)]
pub struct DemoRequest {
    /// The directory of the results.
    pub output: PathBuf,
    /// The seed of the generated points.
    pub seed: u64,
    /// Whether results other than a demonstration's are replaced.
    pub force: bool,
    /// The command that the user typed; empty if there was none.
    pub command: String,
}

/// What a demonstration learned.
#[derive(Clone, Debug)]
pub struct DemoResult {
    /// The object and its history.
    pub model: Model,
    /// Its figures.
    pub summary: Summary,
    /// What was left open, and how it was chosen.
    pub choices: Vec<Choice>,
    /// Why the fit ended.
    pub end: End,
    /// The generated points.
    pub data: PathBuf,
}

/// The file with the generated points of a demonstration.
const DATA: &str = "data.csv";
/// What a demonstration writes beside its data.
const WRITTEN: [&str; 6] =
    ["edges.csv", "graph.graphml", "model.json", "nodes.csv", "points.csv", "report.html"];

/// Generates a noisy branching data set and learns its tree.
pub fn demo(request: &DemoRequest, listener: &mut dyn Listener) -> Result<DemoResult> {
    let shape = Shape::Tree { branch_points: 2 };
    let synth = Synth { shape, n: 2000, dims: 10, noise: 0.1, seed: request.seed };
    let data = request.output.join(DATA);
    let force = may_replace(request, &data)?;
    check_directory(&request.output, force)?;
    let sample = synth.generate()?;
    listener.note(&format!(
        "generated {} points in {} dimensions around a tree with {} tips and {} branch points",
        synth.n,
        synth.dims,
        sample.truth.tips().len(),
        sample.truth.branch_points().len()
    ));
    let features = feature_names(synth.dims);
    let points = &sample.points;
    let ppt = method("ppt")?.parse(&json!({}))?;
    let request_of_points = FitRequest::new(&*ppt, points, features.clone());
    let file = data.display().to_string();
    let input = Input { file, ..request_of_points.input.clone() };
    listener.begin();
    let fitted = fit(FitRequest { input, ..request_of_points }, listener);
    listener.finish();
    let mut fitted = fitted?;
    fitted.model.run = Some(Run::new(request.command.clone(), None));
    fitted.model.criteria = Some(fitted.criteria(points, None)?);
    let summary = summarize(&fitted.model)?;
    save(&SaveRequest {
        directory: &request.output,
        force,
        model: &fitted.model,
        summary: &summary,
        points: Some(ResultPoints::new(points, &fitted.located, &[])),
        wording: listener.wording(),
    })?;
    write_file(&data, false, |path| write_values(path, points, &features))?;
    let (model, choices, end) = (fitted.model, fitted.choices, fitted.end);
    Ok(DemoResult { model, summary, choices, end, data })
}

/// Whether the results may be replaced: those of a demonstration without other files among them.
fn may_replace(request: &DemoRequest, data: &Path) -> Result<bool> {
    let file = data.display().to_string();
    let is_demo = Model::read(&request.output).is_ok_and(|model| model.input.file == file);
    if is_demo
        && !request.force
        && let Some(foreign) = foreign_file(&request.output)
    {
        return Err(Error::usage(format!(
            "{}: holds {foreign}, which no demo wrote: move it, choose another directory, or pass \
             force = true to delete it",
            request.output.display()
        )));
    }
    Ok(request.force || is_demo)
}

/// A file in a demonstration's directory that none wrote.
fn foreign_file(directory: &Path) -> Option<String> {
    let names = std::fs::read_dir(directory).ok()?.flatten();
    let mut names = names.map(|file| file.file_name().to_string_lossy().into_owned());
    names.find(|name| name != DATA && !WRITTEN.contains(&name.as_str()))
}
