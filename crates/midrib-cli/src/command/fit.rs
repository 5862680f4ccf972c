//! `midrib fit`: a table in, a directory with the learnt graph out.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use midrib::learn::{End, Entry};
use midrib::math::Matrix;
use midrib::prepare::{Preparation, deviations};
use midrib_io::{Header, Input, ReadOptions, Table, check_directory, match_columns, read};
use serde_json::{Map, Value};

use super::learn::{Prepared, learn, model, prepare, write};
use super::summary::Summary;
use crate::args::{FitArgs, TableArgs};
use crate::exit::{Failure, INTERRUPTED, NOT_CONVERGED, Outcome};
use crate::talk::Talk;

/// Columns that differ by more than this in spread get a word of advice.
const UNEVEN: f64 = 10.0;

pub fn run(args: FitArgs, entry: &Entry, settings: Map<String, Value>) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    if let Some(threads) = args.threads {
        set_threads(threads)?;
    }
    let output = args.output.clone().unwrap_or_else(|| default_output(&args.input));
    if !args.dry_run {
        check_directory(&output, args.force)?;
    }
    let settings = Value::Object(settings);
    entry.check(&settings)?;

    let started = Instant::now();
    let table = read(&args.input, &read_options(&args.table))?;
    say_what_was_read(&table, &args, &talk);
    let start = args.init.as_deref().map(|path| read_start(path, &table)).transpose()?;
    let preparation = Preparation {
        center: args.prepare.center,
        scale: args.prepare.scale.into(),
        pca: args.prepare.pca,
    };
    let Table { points, features, labels, .. } = table;
    advise_scaling(&preparation, &points, &features, &talk);
    let input = Input {
        file: args.input.display().to_string(),
        rows: points.len(),
        columns: points.dims(),
        prepare: Value::Null,
        features,
    };
    let prepared = prepare(preparation, points, &input.features)?;
    let input = Input { prepare: prepared.recipe.clone(), ..input };
    talk.detail(format!("read and prepared in {:.1} s", started.elapsed().as_secs_f64()));
    if args.dry_run {
        talk.note(format!(
            "dry run: would learn with {} and write {}",
            entry.name,
            output.display()
        ));
        return Ok(ExitCode::SUCCESS);
    }
    let start = start.map(|nodes| prepared_start(nodes, &prepared)).transpose()?;
    let learnt = learn(entry, &settings, &prepared.points, start.as_ref(), &talk)?;
    let model = model(&learnt, input);
    write(&output, args.force, &model, &learnt, &prepared, &labels)?;

    let summary = Summary::of(&model, Some((&learnt.projection, &prepared.points)))?;
    summary.say(&learnt.fitted.choices, &talk)?;
    talk.note(format!(
        "written to {} in {:.1} s; `midrib info {}` shows it again",
        output.display(),
        started.elapsed().as_secs_f64(),
        output.display()
    ));
    Ok(ExitCode::from(match learnt.fitted.end {
        End::Interrupted => INTERRUPTED,
        End::MaxIter | End::Stalled if args.strict => NOT_CONVERGED,
        _ => 0,
    }))
}

pub fn read_options(args: &TableArgs) -> ReadOptions {
    ReadOptions {
        id: args.id.clone(),
        labels: args.label.clone(),
        weights: args.weights.clone(),
        header: if args.no_header { Header::Absent } else { Header::Auto },
        gaps: args.gaps,
        format: None,
    }
}

fn set_threads(threads: usize) -> Outcome<()> {
    if threads == 0 {
        return Err(Failure::usage("--threads 0: give at least 1"));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|error| Failure::usage(format!("--threads {threads}: {error}")))
}

/// `cells.csv.gz` gives `cells.midrib`.
fn default_output(input: &Path) -> PathBuf {
    let name = input.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let stem = name.split('.').find(|part| !part.is_empty() && *part != "-").unwrap_or("stdin");
    PathBuf::from(format!("{stem}.midrib"))
}

fn say_what_was_read(table: &Table, args: &FitArgs, talk: &Talk) {
    talk.note(format!(
        "{}: {} points in {} columns",
        args.input.display(),
        table.points.len(),
        table.points.dims()
    ));
    if !table.set_aside.is_empty() {
        talk.note(format!(
            "text columns set aside as labels: {} (--label names them)",
            table.set_aside.join(", ")
        ));
    }
    if table.points.gaps() > 0 {
        talk.note(format!("{} values are gaps", table.points.gaps()));
    }
}

/// Distances are ruled by the widest columns: say so where that is likely an accident.
fn advise_scaling(
    preparation: &Preparation,
    points: &midrib::Points<'_>,
    features: &[String],
    talk: &Talk,
) {
    if !preparation.is_nothing() || points.dims() < 2 {
        return;
    }
    let spread = deviations(points);
    let by_spread = |a: &usize, b: &usize| spread[*a].total_cmp(&spread[*b]);
    let widest = (0..spread.len()).max_by(by_spread);
    let narrowest = (0..spread.len()).filter(|&d| spread[d] > 0.0).min_by(by_spread);
    if let (Some(high), Some(low)) = (widest, narrowest)
        && spread[high] > UNEVEN * spread[low]
    {
        talk.note(format!(
            "the columns differ in spread by a factor of {:.0} ({}: {:.3}, {}: {:.3}), and wide \
             ones rule the distances; --scale unit evens them out",
            spread[high] / spread[low],
            features[high],
            spread[high],
            features[low],
            spread[low]
        ));
    }
}

/// Starting nodes, with the columns of the table.
fn read_start(path: &Path, table: &Table) -> Outcome<midrib::Points<'static>> {
    let options = ReadOptions::default();
    let nodes = match_columns(path, read(path, &options)?, &table.features)?;
    Ok(nodes.points)
}

/// Starting nodes are given like the points, and prepared like them.
fn prepared_start(nodes: midrib::Points<'static>, prepared: &Prepared) -> Outcome<Matrix> {
    let nodes = if prepared.recipe == serde_json::json!({}) {
        nodes
    } else {
        super::project::transform(&prepared.recipe)?.apply(&nodes)?
    };
    let mut matrix = Matrix::zeros(nodes.len(), nodes.dims());
    for i in 0..nodes.len() {
        nodes.copy_row(i, matrix.row_mut(i));
    }
    Ok(matrix)
}
