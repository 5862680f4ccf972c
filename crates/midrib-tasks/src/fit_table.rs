//! From a table to a directory of results.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use midrib::learn::{Choice, Configured, End, Entry, require_lines, with_remedy};
use midrib::prepare::Preparation;
use midrib::{Observer, Points, Progress};
use midrib_io::{
    Input, Labels, Model, OwnedGiven, ReadOptions, Reading, Run, Table, check_directory,
};

use crate::columns::column_of;
use crate::error::{Error, Result};
use crate::fit::{FitRequest, FitResult, fit};
use crate::given::{GivenFiles, read_given};
use crate::listener::Listener;
use crate::locate::{PointsOnGraph, locate};
use crate::location::Location;
use crate::memory::Memory;
use crate::prepare::{PrepareRequest, Prepared, prepare};
use crate::report::ResultPoints;
use crate::root::{RootSummary, summarize_roots};
use crate::save::{SaveRequest, save};
use crate::summary::{Summary, summarize};
use crate::table::{OpenTable, open_checked_table, refuse_results};
use crate::text::shown;

/// A table to learn from.
#[derive(Clone)]
pub struct TableFit<'a> {
    /// The table.
    pub input: PathBuf,
    /// How it is read.
    pub options: ReadOptions,
    /// How its points are prepared.
    pub preparation: Preparation,
    /// The most memory that a kernel matrix may take.
    pub max_memory: Memory,
    /// The facts of the method.
    pub entry: &'a Entry,
    /// The method with its settings.
    pub method: &'a dyn Configured,
    /// What else the fit is given.
    pub given: GivenFiles,
    /// Where the graph begins.
    pub root: Vec<Location>,
    /// The directory of the results.
    pub output: PathBuf,
    /// Whether results that are already there are replaced.
    pub force: bool,
    /// The command that the user typed; empty if there was none.
    pub command: String,
}

/// What was learned from a table, and written.
#[derive(Debug)]
pub struct FittedTable {
    /// The object and its history.
    pub model: Model,
    /// Its figures.
    pub summary: Summary,
    /// What was left open, and how it was chosen.
    pub choices: Vec<Choice>,
    /// Why the fit ended.
    pub end: End,
    /// What the roots reach, where there are some.
    pub roots: Option<RootSummary>,
    /// Why the roots cannot be found; the results are then written without one.
    pub refused_root: Option<Error>,
    /// How long it took.
    pub seconds: f64,
}

/// A table that is ready to be learned from.
struct Ready {
    prepared: Prepared,
    input: Input,
    reading: Reading,
    given: OwnedGiven,
    labels: Vec<Labels>,
    /// The columns of the table that roots are chosen by.
    root_columns: BTreeMap<String, Vec<f64>>,
}

/// Learns from a table and writes a directory of results.
pub fn fit_table(request: &TableFit<'_>, listener: &mut dyn Listener) -> Result<FittedTable> {
    let started = Instant::now();
    let mut ready = make_ready(request, listener)?;
    note_seconds(started, listener);
    listener.begin();
    let fitted = fit(
        FitRequest {
            method: request.method,
            points: &ready.prepared.points,
            input: ready.input.clone(),
            given: std::mem::take(&mut ready.given),
            choices: ready.prepared.choices.clone(),
        },
        listener,
    );
    listener.finish();
    let mut fitted = fitted.map_err(|error| error.of_table(&request.input))?;
    fitted.model.reading = ready.reading.clone();
    let labels = ready.labels.first().map(|labels| labels.values.as_slice());
    fitted.model.criteria = Some(fitted.criteria(&ready.prepared.points, labels)?);
    let refused_root = match find_roots(&request.root, &fitted, &ready, listener) {
        Ok(roots) => {
            fitted.model = fitted.model.rooted(roots)?;
            None
        }
        Err(error) => Some(error),
    };
    let seconds = started.elapsed().as_secs_f64();
    fitted.model.run = Some(Run::new(request.command.clone(), Some(seconds)));
    let summary = summarize(&fitted.model)?;
    save_fit(&fitted, &summary, &ready, request, listener)?;
    let roots = match fitted.model.root[..] {
        [] => None,
        _ => Some(summarize_roots(&fitted.model, fitted.projection()?)?),
    };
    let FitResult { model, choices, end, .. } = fitted;
    let seconds = started.elapsed().as_secs_f64();
    Ok(FittedTable { model, summary, choices, end, roots, refused_root, seconds })
}

/// Checks data, settings and the output directory; learns and writes nothing.
pub fn check_fit(request: &TableFit<'_>, listener: &mut dyn Listener) -> Result<()> {
    let started = Instant::now();
    let ready = make_ready(request, listener)?;
    note_seconds(started, listener);
    let (points, given) = (&ready.prepared.points, ready.given.borrow());
    let fit = request.method.fit(points, given, &mut StopAtOnce);
    fit.map(drop).map_err(|error| Error::from(with_remedy(error)).of_table(&request.input))
}

fn note_seconds(started: Instant, listener: &mut dyn Listener) {
    let seconds = started.elapsed().as_secs_f64();
    listener.detail(&format!("read and prepared in {seconds:.1} s"));
}

/// Checks a request and reads everything that it names.
fn make_ready(request: &TableFit<'_>, listener: &mut dyn Listener) -> Result<Ready> {
    check(request, listener)?;
    let opened = open_checked_table(&request.input, &request.options, listener)?;
    let OpenTable { table, mut reading, .. } = opened;
    let Table { points, features, labels, .. } = table;
    let (rows, columns) = (points.len(), points.dims());
    let root_columns = columns_of(&request.root, &points, &features);
    let how = PrepareRequest {
        preparation: request.preparation,
        features: &features,
        max_memory: request.max_memory,
        advise: true,
    };
    let prepared = prepare(&how, points, listener);
    let prepared = prepared.map_err(|error| error.of_table(&request.input))?;
    reading.notes.extend(prepared.notes.iter().cloned());
    let given = read_given(&request.given, request.entry.start_graph, &features, &prepared)?;
    let file = request.input.display().to_string();
    let input = Input { file, rows, columns, features, prepare: prepared.transform.clone() };
    Ok(Ready { prepared, input, reading, given, labels, root_columns })
}

/// Refuses what can be refused before any file is read.
fn check(request: &TableFit<'_>, listener: &dyn Listener) -> Result<()> {
    if !request.root.is_empty() {
        let root = (listener.wording().setting)("root");
        let refused = require_lines(request.method.kind(), request.entry.name, &root);
        refused.map_err(|error| Error::usage(error.to_string()))?;
    }
    refuse_results(&request.input)?;
    if !request.force {
        refuse_results_of_another(&request.input, &request.output)?;
    }
    Ok(check_directory(&request.output, request.force)?)
}

/// Tables of one name in different directories would share their results' default name.
fn refuse_results_of_another(input: &Path, output: &Path) -> Result<()> {
    match Model::read(output) {
        Ok(model) if Path::new(&model.input.file) != input => Err(Error::usage(format!(
            "{}: holds the results of {}, not of {}; name another directory, or pass force = true to \
             replace them",
            output.display(),
            shown(Path::new(&model.input.file)),
            shown(input)
        ))),
        _ => Ok(()),
    }
}

/// The columns of the table that roots are chosen by.
fn columns_of(
    locations: &[Location],
    points: &Points<'_>,
    features: &[String],
) -> BTreeMap<String, Vec<f64>> {
    let named = locations.iter().filter_map(Location::column);
    let at = |name: &str| features.iter().position(|feature| feature == name);
    named.filter_map(|name| Some((name.to_owned(), column_of(points, at(name)?)))).collect()
}

/// The nodes where the graph begins; columns of the table go before prepared ones.
fn find_roots(
    locations: &[Location],
    fitted: &FitResult,
    ready: &Ready,
    listener: &mut dyn Listener,
) -> Result<Vec<usize>> {
    if locations.is_empty() {
        return Ok(Vec::new());
    }
    let Ready { prepared, labels, root_columns, .. } = ready;
    let points = &prepared.points;
    let feature = |name: &str| {
        let of_prepared = || prepared.features.iter().position(|feature| feature == name);
        Ok(match (root_columns.get(name), of_prepared()) {
            (Some(values), _) => values.clone(),
            (None, Some(at)) => column_of(points, at),
            (None, None) => vec![f64::NAN; points.len()],
        })
    };
    let made = prepared.features.iter().filter(|name| !root_columns.contains_key(*name));
    let feature_names: Vec<String> = root_columns.keys().chain(made).cloned().collect();
    let on_graph = PointsOnGraph {
        graph: fitted.model.graph()?,
        projection: fitted.projection()?,
        ids: points.ids(),
        labels,
        feature_names: &feature_names,
        features: &feature,
    };
    locations.iter().map(|location| locate(&on_graph, location, "root", listener)).collect()
}

fn save_fit(
    fitted: &FitResult,
    summary: &Summary,
    ready: &Ready,
    request: &TableFit<'_>,
    listener: &dyn Listener,
) -> Result<()> {
    let points = ResultPoints {
        table: ready.prepared.table.as_ref(),
        ..ResultPoints::new(&ready.prepared.points, &fitted.located, &ready.labels)
    };
    save(&SaveRequest {
        directory: &request.output,
        force: request.force,
        model: &fitted.model,
        summary,
        points: Some(points),
        wording: listener.wording(),
    })
}

/// A dry run lets the method look at everything, but not sweep.
struct StopAtOnce;

impl Observer for StopAtOnce {
    fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
