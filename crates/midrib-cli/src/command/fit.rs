//! `midrib fit`: a table in, a directory with the learned graph out.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use midrib::learn::{Entry, StartGraph, require_lines};
use midrib::math::Matrix;
use midrib::prepare::{Kernel, KernelColumns, Preparation, deviations};
use midrib::{Observer, Points, Progress};
use midrib_io::{
    Header, Input, Labels, Model, OwnedGiven, ReadOptions, Reading, Table, check_directory,
    match_columns, read, read_links, read_pairs, read_start_edges, start_of_nodes,
};
use midrib_tasks::{Location, PointsOnGraph, Result, locate};
use serde_json::{Map, Value};

use super::learn::{Learned, Prepared, exit_code, learn, model, prepare, write};
use super::report::{REPORT, run_now};
use super::results::values_of;
use super::root;
use super::summary::Summary;
use crate::args::{EmptyPoints, FitArgs, TableArgs};
use crate::exit::{Failure, Outcome, shown};
use crate::memory::Memory;
use crate::talk::{Notes, Talk, count};

/// As many landmarks as are advised at most.
const LANDMARKS: u64 = 1000;

/// Columns that differ by more than this in spread get a word of advice.
const UNEVEN: f64 = 10.0;

pub fn run(args: FitArgs, entry: &Entry, settings: Map<String, Value>) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    set_threads(args.threads.threads)?;
    let settings = Value::Object(settings);
    entry.check(&settings)?;
    if !args.root.is_empty() {
        let refused = require_lines(entry.kind(&settings)?, entry.name, "--root");
        refused.map_err(|error| Failure::usage(error.to_string()))?;
    }
    let preparation = args.prepare.preparation()?;
    refuse_results(&args.input)?;
    let output = args.output.clone().unwrap_or_else(|| default_output(&args.input, "midrib"));
    if !args.force {
        refuse_results_of_another(&args.input, &output)?;
    }
    check_directory(&output, args.force)?;

    let started = Instant::now();
    let options = read_options(&args.table);
    let table = read(&args.input, &options)?;
    let mut notes = say_what_was_read(&table, &args.input, &talk);
    let mut reading = Reading::of(&options, &table);
    let Table { points, features, labels, .. } = table;
    refuse_kernel(&preparation, points.len(), args.prepare.max_memory)?;
    notes.extend(advise_scaling(&preparation, &points, &features, &talk));
    let input = Input {
        file: args.input.display().to_string(),
        rows: points.len(),
        columns: points.dims(),
        prepare: None,
        features,
    };
    let of_table = |failure: Failure| failure.of_table(&args.input);
    let of_roots = columns_of(&args.root, &points, &input.features);
    let prepared = prepare(preparation, points, &input.features).map_err(of_table)?;
    notes.extend(say_what_was_scaled(&prepared, &input.features, &talk));
    reading.notes = notes;
    let input = Input { prepare: prepared.transform.clone(), ..input };
    let edges = args.init_edges.as_deref();
    let start = args
        .init
        .as_deref()
        .map(|path| start(path, edges, entry.start_graph, &input.features, &prepared));
    let (start, start_graph) = start.transpose()?.unzip();
    let links = match &args.links {
        Some(path) => read_links(path, &prepared.points)?,
        None => Vec::new(),
    };
    let pairs = args.pairs.as_deref().map(|path| read_pairs(path, prepared.points.len()));
    let pairs = pairs.transpose()?;
    let given = OwnedGiven { start, start_graph: start_graph.flatten(), links, pairs };
    talk.detail(format!("read and prepared in {:.1} s", started.elapsed().as_secs_f64()));
    if args.dry_run {
        entry
            .fit(&settings, &prepared.points, given.borrow(), &mut StopAtOnce)
            .map_err(|error| of_table(error.into()))?;
        talk.note(format!(
            "dry run: would learn with {} and write {}",
            entry.name,
            output.display()
        ));
        return Ok(ExitCode::SUCCESS);
    }
    let learned =
        learn(entry, &settings, &prepared.points, given.borrow(), &talk).map_err(of_table)?;
    let choices = [prepared.choices(&preparation), learned.fitted.choices.clone()].concat();
    let mut model = model(&learned, &choices, input, &prepared.points)?;
    model.reading = reading;
    model.given = given;
    let roots = roots(&args.root, &learned, &prepared, &labels, &of_roots, &talk);
    let refused = match roots {
        Ok(roots) => {
            model = model.rooted(roots)?;
            None
        }
        Err(refused) => Some(refused),
    };
    model.run = Some(run_now(Some(started)));
    let summary = Summary::of(&model)?;
    write(&output, args.force, &summary, &learned, &prepared, &labels)?;

    summary.say(&choices, &talk)?;
    if !model.root.is_empty() && !talk.json() {
        let graph = learned.fitted.graph()?;
        let rooted = graph.root(&model.root)?;
        root::say(graph, &rooted, &rooted.pseudotime(&learned.projection)?, &talk)?;
    }
    talk.note(format!(
        "written to {} in {:.1} s; open {} in a browser",
        output.display(),
        started.elapsed().as_secs_f64(),
        output.join(REPORT).display()
    ));
    if let Some(refused) = refused {
        talk.note(format!("without a root: give one with midrib root {} --root", output.display()));
        return Err(refused);
    }
    Ok(exit_code(learned.fitted.end, args.strict))
}

/// The columns of the table that roots are chosen by.
fn columns_of(
    spots: &[Location],
    points: &Points<'_>,
    features: &[String],
) -> BTreeMap<String, Vec<f64>> {
    let named = spots.iter().filter_map(Location::column);
    let at = |name: &str| features.iter().position(|feature| feature == name);
    named.filter_map(|name| Some((name.to_owned(), values_of(points, at(name)?)))).collect()
}

/// The nodes where the graph begins; columns of the table go before prepared ones.
fn roots(
    spots: &[Location],
    learned: &Learned,
    prepared: &Prepared,
    labels: &[Labels],
    of_table: &BTreeMap<String, Vec<f64>>,
    talk: &Talk,
) -> Outcome<Vec<usize>> {
    if spots.is_empty() {
        return Ok(Vec::new());
    }
    let points = &prepared.points;
    let feature = |name: &str| {
        let of_prepared = || prepared.features.iter().position(|feature| feature == name);
        Ok(match (of_table.get(name), of_prepared()) {
            (Some(values), _) => values.clone(),
            (None, Some(at)) => values_of(points, at),
            (None, None) => vec![f64::NAN; points.len()],
        })
    };
    let made = prepared.features.iter().filter(|name| !of_table.contains_key(*name));
    let feature_names: Vec<String> = of_table.keys().chain(made).cloned().collect();
    let on_graph = PointsOnGraph {
        graph: learned.fitted.graph()?,
        projection: &learned.projection,
        ids: points.ids(),
        labels,
        feature_names: &feature_names,
        features: &feature,
    };
    let mut notes = Notes(talk);
    let nodes = spots.iter().map(|spot| locate(&on_graph, spot, "root", &mut notes));
    Ok(nodes.collect::<Result<_>>()?)
}

/// A dry run lets the method look at everything, but not sweep.
struct StopAtOnce;

impl Observer for StopAtOnce {
    fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// The results of a fit are no table.
pub fn refuse_results(input: &Path) -> Outcome<()> {
    if !input.join("model.json").is_file() {
        return Ok(());
    }
    let reason = format!(
        "is a directory of results; `midrib info {}` shows them, and a fit needs the table of \
         points",
        input.display()
    );
    Err(Failure::bad_data(reason).within(input.display()))
}

/// Tables of one name in different directories would share their results' default name.
fn refuse_results_of_another(input: &Path, output: &Path) -> Outcome<()> {
    match Model::read(output) {
        Ok(model) if Path::new(&model.input.file) != input => {
            let reason = format!(
                "holds the results of {}, not of {}; pass -o to name another directory, or \
                 --force to replace them",
                shown(Path::new(&model.input.file)),
                shown(input)
            );
            Err(Failure::usage(reason).within(output.display()))
        }
        _ => Ok(()),
    }
}

/// A kernel matrix must fit into memory: say how large it is and what to do.
fn refuse_kernel(preparation: &Preparation, n: usize, most: Memory) -> Outcome<()> {
    let Some(kernel) = &preparation.kernel else {
        return Ok(());
    };
    let bytes = Memory(kernel.bytes(n));
    if bytes <= most {
        return Ok(());
    }
    let (what, fewer) = match kernel.columns {
        KernelColumns::Landmarks(m) if m < n => {
            (format!("the kernel matrix of {n} points and {m} landmarks"), "fewer of them with")
        }
        _ => (format!("the kernel matrix of {n} points"), "only the columns of landmarks with"),
    };
    let each = Kernel { columns: KernelColumns::Landmarks(1), ..*kernel }.bytes(n);
    let fit = most.0 / each.max(1);
    let advice = match fit {
        0 => String::new(),
        _ => format!(", or {fewer} --kernel-columns {}", fit.min(LANDMARKS)),
    };
    Err(Failure::usage(format!(
        "--max-memory {most}: {what} would take {bytes}; pass --max-memory {} if there is as much, \
         give fewer rows{advice}",
        bytes.rounded_up()
    )))
}

pub fn read_options(args: &TableArgs) -> ReadOptions {
    ReadOptions {
        id: args.id.clone(),
        labels: args.label.clone(),
        label_file: args.labels.clone(),
        weights: args.weights.clone(),
        header: if args.no_header { Header::Absent } else { Header::Auto },
        gaps: args.gaps,
        ignore_empty: args.empty_points == EmptyPoints::Ignore,
        use_rep: args.use_rep.clone(),
        default_rep: None,
        format: None,
    }
}

/// Works with this many threads, or one per core.
pub fn set_threads(threads: Option<usize>) -> Outcome<()> {
    // The main thread works too: waking a pool for each of thousands of short steps costs more.
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .use_current_thread()
        .build_global()
        .map_err(|error| match threads {
            Some(threads) => Failure::usage(format!("--threads {threads}: {error}")),
            None => Failure::usage(format!("threads: {error}; give --threads 1")),
        })
}

/// `cells.csv.gz` gives `cells` and this ending.
pub fn default_output(input: &Path, ending: &str) -> PathBuf {
    if input == Path::new("-") {
        return PathBuf::from(format!("stdin.{ending}"));
    }
    let name = input.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
    let stem =
        Path::new(unpacked).file_stem().map_or_else(String::new, |s| s.to_string_lossy().into());
    PathBuf::from(format!("{stem}.{ending}"))
}

/// Says what a table holds; what must be known of its values is given back too.
pub fn say_what_was_read(table: &Table, input: &Path, talk: &Talk) -> Vec<String> {
    let points = &table.points;
    talk.note(format!(
        "{}: {} in {}",
        shown(input),
        count(points.len(), "point", "points"),
        count(points.dims(), "column", "columns")
    ));
    if let Some(representation) = &table.representation {
        let others = match &representation.others[..] {
            [] => String::new(),
            others => format!(" (--use-rep names another: {})", others.join(", ")),
        };
        talk.note(format!("read {}{others}", representation.name));
    }
    if !table.set_aside.is_empty() {
        talk.note(format!(
            "text columns set aside as labels: {} (--label names them)",
            table.set_aside.join(", ")
        ));
    }
    let mut notes = Vec::new();
    if !table.left_out.is_empty() {
        const SHOWN: usize = 5;
        let mut ids = table.left_out.clone();
        if ids.len() > SHOWN {
            ids.truncate(SHOWN);
            ids.push(format!("{} more", table.left_out.len() - SHOWN));
        }
        notes.push(format!(
            "{} without any value left out: {}",
            count(table.left_out.len(), "point", "points"),
            ids.join(", ")
        ));
    }
    if points.missing_values() > 0 {
        notes.push(gaps(points, &table.features));
    }
    notes.iter().for_each(|note| talk.note(note));
    notes
}

/// How many gaps there are, and where most of them are.
fn gaps(points: &Points<'_>, features: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut by_column: Vec<(usize, &str)> = features.iter().map(|f| (0, f.as_str())).collect();
    let mut rows = 0;
    let mut row = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        rows += usize::from(row.iter().any(|x| x.is_nan()));
        for (column, x) in by_column.iter_mut().zip(&row) {
            column.0 += usize::from(x.is_nan());
        }
    }
    by_column.retain(|(gaps, _)| *gaps > 0);
    by_column.sort_by_key(|(gaps, _)| std::cmp::Reverse(*gaps));
    let mut columns: Vec<String> =
        by_column.iter().take(SHOWN).map(|(gaps, name)| format!("{name} {gaps}")).collect();
    if by_column.len() > SHOWN {
        columns.push(format!("{} more columns", by_column.len() - SHOWN));
    }
    format!(
        "{} in {}: {}",
        count(points.missing_values(), "gap", "gaps"),
        count(rows, "row", "rows"),
        columns.join(", ")
    )
}

/// Distances are ruled by the widest columns: say so where that is likely an accident.
pub fn advise_scaling(
    preparation: &Preparation,
    points: &Points<'_>,
    features: &[String],
    talk: &Talk,
) -> Option<String> {
    let without_kernel = Preparation { kernel: None, ..*preparation };
    if !without_kernel.is_nothing() || points.dims() < 2 {
        return None;
    }
    let spread = deviations(points).ok()?;
    let by_spread = |a: &usize, b: &usize| spread[*a].total_cmp(&spread[*b]);
    let widest = (0..spread.len()).max_by(by_spread);
    let narrowest = (0..spread.len()).filter(|&d| spread[d] > 0.0).min_by(by_spread);
    let (Some(high), Some(low)) = (widest, narrowest) else { return None };
    if spread[high] <= UNEVEN * spread[low] {
        return None;
    }
    let note = format!(
        "the columns differ in spread by a factor of {:.0} ({}: {:.3}, {}: {:.3}), and wide ones \
         rule the distances; --scale unit evens them out",
        spread[high] / spread[low],
        features[high],
        spread[high],
        features[low],
        spread[low]
    );
    talk.note(&note);
    Some(note)
}

/// A robust scale needs quartiles that differ: say where it did not find them.
fn say_what_was_scaled(prepared: &Prepared, features: &[String], talk: &Talk) -> Option<String> {
    const SHOWN: usize = 5;
    let transform = prepared.transform.as_ref()?;
    let mut columns: Vec<String> =
        transform.by_deviation.iter().take(SHOWN).map(|&d| features[d].clone()).collect();
    if transform.by_deviation.len() > SHOWN {
        columns.push(format!("{} more columns", transform.by_deviation.len() - SHOWN));
    }
    if columns.is_empty() {
        return None;
    }
    let note = format!(
        "half of the values are equal, so the standard deviation is used in place of the \
         interquartile range: {}",
        columns.join(", ")
    );
    talk.note(&note);
    Some(note)
}

/// Starting nodes, in the columns of the table or in those that were made of them, and what else
/// is known about them. Methods that `take_edges` get those of former results.
fn start(
    path: &Path,
    edges: Option<&Path>,
    take_edges: bool,
    features: &[String],
    prepared: &Prepared,
) -> Outcome<(Matrix, Option<StartGraph>)> {
    let results = path.is_dir();
    let file = if results { path.join("nodes.csv") } else { path.to_owned() };
    let path = file.as_path();
    let of_results = results && take_edges;
    let of_results = of_results.then(|| path.with_file_name("edges.csv"));
    let edges = edges.or(of_results.as_deref());
    // Only in the columns of moduli, as is found out below.
    let mut table = read(path, &ReadOptions { gaps: true, ..ReadOptions::default() })?;
    let wanted = [features, &prepared.features].concat();
    let own = start_of_nodes(path, &table, &wanted)?;
    if table.points.missing_values() > 0 && own.as_ref().is_none_or(|own| own.bending.is_empty()) {
        table = read(path, &ReadOptions::default())?;
    }
    let edges = edges.map(|edges| read_start_edges(edges, table.points.len())).transpose()?;
    let graph = match (own, edges) {
        (Some(own), Some(edges)) => {
            Some(StartGraph { pinned: own.pinned, bending: own.bending, ..edges })
        }
        (own, edges) => own.or(edges),
    };
    let has = |wanted: &[String]| wanted.iter().all(|name| table.features.contains(name));
    let is_prepared = !has(features) && has(&prepared.features);
    let wanted = if is_prepared { &prepared.features } else { features };
    let nodes = match_columns(path, table, wanted)?.points;
    let nodes = match &prepared.transform {
        Some(transform) if !is_prepared => {
            transform.apply(&nodes).map_err(|error| Failure::from(error).of_table(path))?
        }
        _ => nodes,
    };
    let mut matrix = Matrix::zeros(nodes.len(), nodes.dims());
    for i in 0..nodes.len() {
        nodes.copy_row(i, matrix.row_mut(i));
    }
    Ok((matrix, graph))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_named_after_the_table() {
        for (input, output) in [
            ("cells.csv", "cells.midrib"),
            ("a/b/cells.v2.csv.gz", "cells.v2.midrib"),
            ("cells", "cells.midrib"),
            (".cells.csv", ".cells.midrib"),
            ("-", "stdin.midrib"),
        ] {
            assert_eq!(default_output(Path::new(input), "midrib"), Path::new(output));
        }
    }
}
