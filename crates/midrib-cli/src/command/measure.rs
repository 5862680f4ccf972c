//! `midrib measure`: how near a graph comes to the truth, or how well labels fit to places.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use midrib::Points;
use midrib::measure::{Trajectory, against_truth, one_nn};
use midrib_io::{
    DYNVERSE, Labels, Model, ReadOptions, Table, Truth, read, read_dynverse, read_places,
};
use serde_json::json;

use super::fit::read_options;
use super::summary::Summary;
use crate::args::{MeasureArgs, TableArgs};
use crate::exit::{Failure, Outcome};
use crate::talk::{print, say};

pub fn run(args: &MeasureArgs) -> Outcome<ExitCode> {
    match &args.truth {
        Some(truth) => against(args, truth),
        None => labels(args),
    }
}

/// A learned graph beside the true one.
fn against(args: &MeasureArgs, truth: &Path) -> Outcome<ExitCode> {
    if !args.reading.label.is_empty() {
        return Err(Failure::usage("give a truth or --label, not both: they are two measures"));
    }
    refuse_reading(&args.reading)?;
    let model = Model::read(&args.table)?;
    if let Some(hint) = Summary::of(&model)?.hint(&args.table) {
        say(&hint);
    }
    let (ids, found) = learned(&args.table)?;
    let truth = read_truth(truth)?;
    let rows = match_points(&args.table, &ids, &truth)?;
    if rows.len() < truth.ids.len() {
        let missing = truth.ids.len() - rows.len();
        say(&format!("{missing} points of the truth are not in the results and do not count"));
    }
    let agreement = against_truth(&found, &truth.trajectory.select(&rows)?)?;
    print(&if args.json {
        let measured = json!({
            "correlation": agreement.correlation,
            "him": agreement.him,
            "f1_branches": agreement.branches.f1(),
            "f1_milestones": agreement.milestones.f1(),
            "same_topology": agreement.same_topology,
            "points": rows.len(),
        });
        format!("{measured:#}\n")
    } else {
        format!(
            "correlation of distances  {:.4}\n\
             HIM                       {:.4}\n\
             F1 of branches            {:.4}\n\
             F1 of milestones          {:.4}\n\
             topology                  {}\n",
            agreement.correlation,
            agreement.him,
            agreement.branches.f1(),
            agreement.milestones.f1(),
            if agreement.same_topology { "as it is" } else { "another" }
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Results are read in one way only.
fn refuse_reading(reading: &TableArgs) -> Outcome<()> {
    let given = [
        ("--id", reading.id.is_some()),
        ("--labels", reading.labels.is_some()),
        ("--weights", reading.weights.is_some()),
        ("--use-rep", reading.use_rep.is_some()),
        ("--no-header", reading.no_header),
        ("--gaps", reading.gaps),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(format!(
            "{flag}: tells how to read a table, but a truth is compared with results; leave it out"
        ))),
        None => Ok(()),
    }
}

/// The names and the trajectory of a directory of results.
fn learned(path: &Path) -> Outcome<(Vec<String>, Trajectory)> {
    let model = Model::read(path)?;
    model.require_lines("a comparison with a truth")?;
    let places = read_places(path, &model)?;
    Ok((places.ids, Trajectory::of(model.graph()?, &places.projection)?))
}

fn read_truth(path: &Path) -> Outcome<Truth> {
    if path.is_dir() && path.join(DYNVERSE).is_file() {
        return Ok(read_dynverse(path)?);
    }
    let (ids, trajectory) = learned(path)?;
    Ok(Truth { ids, trajectory, in_order: true })
}

/// The row in the truth of each point: by name, or in order where the points have no names.
fn match_points(path: &Path, ids: &[String], truth: &Truth) -> Outcome<Vec<usize>> {
    const SHOWN: usize = 5;
    let rows: HashMap<&str, usize> =
        truth.ids.iter().enumerate().map(|(row, id)| (id.as_str(), row)).collect();
    let found: Vec<usize> = ids.iter().filter_map(|id| rows.get(id.as_str()).copied()).collect();
    if found.len() == ids.len() {
        return Ok(found);
    }
    let are_numbers = ids.iter().enumerate().all(|(i, id)| id.parse() == Ok(i));
    if truth.in_order && are_numbers && ids.len() == truth.ids.len() {
        return Ok((0..ids.len()).collect());
    }
    let unknown: Vec<&str> =
        ids.iter().map(String::as_str).filter(|id| !rows.contains_key(id)).collect();
    let reason = format!(
        "{} of the {} points are not among the {} of the truth: {}{}; name the points alike (fit \
         --id), or give both in the same order and number",
        unknown.len(),
        ids.len(),
        truth.ids.len(),
        unknown[..unknown.len().min(SHOWN)].join(", "),
        if unknown.len() > SHOWN { ", …" } else { "" }
    );
    Err(Failure::bad_data(reason).within(path.display()))
}

/// Labels beside those of the nearest points.
fn labels(args: &MeasureArgs) -> Outcome<ExitCode> {
    if args.reading.label.is_empty() && args.reading.labels.is_none() {
        return Err(which_labels());
    }
    let path = table(&args.table)?;
    let mut options = read_options(&args.reading);
    if options.label_file.is_some() {
        // They are in that file, not among the columns of the table.
        options.labels.clear();
    }
    let table = coordinates(read_embedding(&path, &options)?, &path)?;
    let labels = classes(&table, &args.reading, &path)?;
    let label = &labels.name;
    let of_table = |error: midrib::Error| Failure::from(error).of_table(&path);
    if let Some(row) = labels.values.iter().position(String::is_empty) {
        let reason = format!("point {} has no label in {label}: leave that row out", row + 1);
        return Err(Failure::bad_data(reason).of_table(&path));
    }
    let found = one_nn(&table.points, &labels.values).map_err(of_table)?;
    print(&if args.json {
        let measured = json!({
            "one_nn_accuracy": found.accuracy(),
            "right": found.right,
            "points": found.points,
            "classes": found.classes,
            "columns": table.features,
        });
        format!("{measured:#}\n")
    } else {
        format!(
            "1-NN accuracy {:.4}: the nearest other point has the same {label} for {} of {} \
             points in {} classes\n",
            found.accuracy(),
            found.right,
            found.points,
            found.classes
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The labels that are named, or the only ones of a file of labels.
fn classes<'t>(table: &'t Table, reading: &TableArgs, path: &Path) -> Outcome<&'t Labels> {
    match (&reading.label[..], &table.labels[..]) {
        ([label], all) => all.iter().find(|labels| labels.name == *label).ok_or_else(|| {
            let from = reading.labels.as_deref().unwrap_or(path);
            let known: Vec<&str> = all.iter().map(|labels| labels.name.as_str()).collect();
            let reason = format!("there are no labels {label}; there are {}", known.join(", "));
            Failure::bad_data(reason).within(from.display())
        }),
        ([], [only]) if reading.labels.is_some() => Ok(only),
        _ => Err(which_labels()),
    }
}

fn which_labels() -> Failure {
    Failure::usage("name what is true, or the column with the classes, once: --label COL")
}

/// Of places on a graph, as `midrib project` writes them, the latent coordinates alone.
fn coordinates(table: Table, path: &Path) -> Outcome<Table> {
    const PLACE: [&str; 3] = ["node", "edge", "edge_pos"];
    let is_there = |name: &&str| table.features.iter().any(|feature| feature == name);
    if !PLACE.iter().all(is_there) {
        return Ok(table);
    }
    let is_latent = |name: &str| name.strip_prefix('z').is_some_and(|n| n.parse::<usize>().is_ok());
    let kept: Vec<usize> =
        (0..table.features.len()).filter(|&i| is_latent(&table.features[i])).collect();
    if kept.is_empty() {
        let reason = "holds places on a graph and no coordinates; measure the points themselves, or \
                      results of a method that embeds them, such as ddrtree";
        return Err(Failure::bad_data(reason).of_table(path));
    }
    let mut row = vec![0.0; table.features.len()];
    let mut values = Vec::with_capacity(table.points.len() * kept.len());
    for i in 0..table.points.len() {
        table.points.copy_row(i, &mut row);
        values.extend(kept.iter().map(|&column| row[column]));
    }
    let features: Vec<String> = kept.iter().map(|&i| table.features[i].clone()).collect();
    say(&format!(
        "measured by {} alone: the other columns are places on a graph",
        features.join(", ")
    ));
    Ok(Table { points: Points::from_f64(values, kept.len())?, features, ..table })
}

/// The table itself, or the embedding among results.
fn table(path: &Path) -> Outcome<PathBuf> {
    if !path.is_dir() {
        return Ok(path.into());
    }
    let embedding = path.join("embedding.csv");
    if embedding.is_file() {
        return Ok(embedding);
    }
    let reason = "holds no embedding.csv: name a table, or results of a method that embeds points, \
                  such as ddrtree";
    Err(Failure::bad_data(reason).within(path.display()))
}

/// In an embedding the ids are names, even if they are numbers.
fn read_embedding(path: &Path, options: &ReadOptions) -> Outcome<Table> {
    let table = read(path, options)?;
    let is_embedding = table.features.starts_with(&["id".into(), "z1".into()]);
    if options.id.is_some() || !is_embedding || path == Path::new("-") {
        return Ok(table);
    }
    Ok(read(path, &ReadOptions { id: Some("id".into()), ..options.clone() })?)
}
