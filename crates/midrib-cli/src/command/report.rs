//! `midrib report`: the page to explore a learned graph, made again from results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::learn::method;
use midrib::math::Matrix;
use midrib::object::{Embedding, EmbeddingRule, Object};
use midrib::prepare::Transform;
use midrib_io::{Model, ReadOptions, Run, read_places, write_file};
use midrib_report::{DrawnTable, Report, ReportPoints, html};

use super::learn::PlacedPoints;
use super::learned_table::LearnedTable;
use super::summary::{Summary, components};
use super::words::words;
use crate::args::ReportArgs;
use crate::exit::Outcome;
use crate::memory::Memory;
use crate::talk::say;

/// The report among results.
pub const REPORT: &str = "report.html";

/// The command that runs now.
pub fn run_now(started: Option<Instant>) -> Run {
    let arguments = std::env::args_os().skip(1);
    let words: Vec<String> = ["midrib".to_owned()]
        .into_iter()
        .chain(arguments.map(|word| quoted(&word.to_string_lossy())))
        .collect();
    Run::new(words.join(" "), started.map(|at| at.elapsed().as_secs_f64()))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

pub fn run(args: &ReportArgs) -> Outcome<ExitCode> {
    let model = Model::read(&args.model)?;
    let directory = directory_of(&args.model);
    let page = again(&directory, &directory, &args.model, &model, args.points.as_deref())?;
    let (output, force) = match &args.output {
        Some(output) => (output.clone(), args.force),
        None => (directory.join(REPORT), true),
    };
    write_file(&output, force, |path| {
        std::fs::write(path, &page).map_err(|error| midrib_io::Error::writing(path, &error))
    })?;
    if !args.quiet {
        say(&format!("report in {}; open it in a browser", output.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The directory that holds a model.
pub fn directory_of(model: &Path) -> PathBuf {
    if model.is_dir() {
        return model.into();
    }
    let parent = model.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or_else(|| ".".into(), Path::to_path_buf)
}

/// The report of results that were written before, in `directory`; `home` is where the page will be.
pub fn again(
    home: &Path,
    directory: &Path,
    path: &Path,
    model: &Model,
    table: Option<&Path>,
) -> Outcome<String> {
    let summary = Summary::of(model)?;
    if !directory.join("points.csv").exists() {
        let why = "The results hold no places of points, so that the graph stands alone.";
        return page(home, &summary, None, &[why.into()]);
    }
    let places = read_places(path, model)?;
    let found = LearnedTable::read(path, model, table, &ReadOptions::default(), Memory(u64::MAX))
        .and_then(|found| found.of_rows(places.ids.len()));
    let (found, missing) = match found {
        Ok(found) => (Some(found), vec![]),
        // A table that was named has to be there.
        Err(failure) if table.is_some() => return Err(failure),
        Err(failure) => (
            None,
            vec![format!(
                "The table of the points cannot be read ({}), so that they are drawn at their \
                 places on the graph. `midrib report --points TABLE` names it.",
                failure.message()
            )],
        ),
    };
    let placed = PlacedPoints {
        points: found.as_ref().map(|found| &found.points),
        ids: Some(&places.ids),
        projection: &places.projection,
        labels: &places.labels,
        root: &model.root,
        pseudotime_sd: None,
        table: found.as_ref().map(|found| &found.drawn),
        inner: None,
    };
    page(home, &summary, Some(&placed), &missing)
}

/// The nodes and edges that stand for an object in drawings: the centers of flats.
pub fn drawn_graph(object: &Object) -> Outcome<PrincipalGraph> {
    let Object::Flats(flats) = object else {
        return Ok(object.require_graph("a drawing")?.clone());
    };
    let centers: Vec<&[f64]> = flats.flats().iter().map(|flat| &flat.center[..]).collect();
    let mass = flats.flats().iter().map(|flat| flat.mass).collect();
    Ok(PrincipalGraph::new(Matrix::from_rows(&centers)?, &[], mass)?)
}

/// The coordinates that an object has for its points in few dimensions: those that were learned,
/// or scores on axes.
pub fn drawn_embedding(object: &Object, points: Option<&Points<'_>>) -> Outcome<Option<Embedding>> {
    let (Object::Flats(flats), Some(points)) = (object, points) else {
        return Ok(object.embedding().cloned());
    };
    let flat = &flats.flats()[0];
    let n_axes = flats.inner_dims();
    let columns = (0..flats.dims()).flat_map(|d| flat.axes.rows().map(move |axis| axis[d]));
    let basis = Matrix::new(flats.dims(), n_axes, columns.collect())?;
    Ok(Some(Embedding {
        coordinates: flats.project(points)?.coordinates,
        nodes: Some(Matrix::zeros(flats.flats().len(), n_axes)),
        rule: EmbeddingRule::Linear { center: flat.center.clone(), basis },
    }))
}

/// The page of a model; `more` is said before anything else.
pub fn page(
    directory: &Path,
    summary: &Summary<'_>,
    placed: Option<&PlacedPoints<'_>>,
    more: &[String],
) -> Outcome<String> {
    let model = summary.model();
    let transform = model.input.prepare.as_ref();
    let graph = &drawn_graph(&model.object)?;
    let mut words = words(directory, summary);
    words.warnings.splice(0..0, more.iter().cloned());
    let labels: Vec<(&str, &[String])> = placed
        .iter()
        .flat_map(|placed| placed.labels)
        .map(|labels| (labels.name.as_str(), &labels.values[..]))
        .collect();
    let names = model.feature_names();
    let latent = drawn_embedding(&model.object, placed.and_then(|placed| placed.points))?;
    let own: DrawnTable;
    let (table, table_nodes) = match placed.map(|placed| (placed.table, placed.points)) {
        Some((Some(table), _)) => (Some(table), in_table(graph, transform)?),
        Some((None, Some(points))) => {
            own = DrawnTable::of(points, &names);
            (Some(&own), Some(graph.nodes().clone()))
        }
        _ => (None, None),
    };
    let points = placed.map(|placed| ReportPoints {
        projection: placed.projection,
        ids: placed.ids,
        labels: &labels,
        prepared: placed.points.map(|points| (points, &names[..])),
        variance_share: components(model).map_or(1.0, |(_, held)| held),
        table,
        table_nodes: table_nodes.as_ref(),
        latent: latent.as_ref(),
    });
    let step = method(&model.method).map_or("sweep", |entry| entry.step);
    let report = Report {
        graph,
        points,
        root: &model.root,
        trace: &model.trace,
        untraced: model.untraced(),
        step,
        tuning: model.tuning.as_ref(),
        description: &words,
    };
    Ok(html(&report)?)
}

/// Where the nodes are in the columns of the table; none where a kernel leads no way back.
fn in_table(graph: &PrincipalGraph, transform: Option<&Transform>) -> Outcome<Option<Matrix>> {
    Ok(match transform {
        None => Some(graph.nodes().clone()),
        Some(transform) if transform.kernel.is_some() => None,
        Some(transform) => Some(transform.invert(graph.nodes())?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_them_otherwise() {
        for (word, expected) in [
            ("--bandwidth", "--bandwidth"),
            ("a b.csv", "'a b.csv'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
            ("Zellen-ä.csv", "Zellen-ä.csv"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
