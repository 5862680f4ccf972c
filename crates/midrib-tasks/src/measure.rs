//! How close a graph comes to a known truth, and how well labels separate.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use midrib::Points;
use midrib::measure::{Trajectory, against_truth, one_nn};
use midrib_io::{
    DYNVERSE, Labels, Model, ReadOptions, Table, Truth, read, read_dynverse, read_projected_points,
};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::summary::summarize;
use crate::text::{first_names, shown};

/// How close a learned graph comes to the true one.
#[derive(Clone, Debug, Serialize)]
pub struct TruthAgreement {
    /// The correlation of the distances along the graphs.
    pub correlation: f64,
    /// The Hamming-Ipsen-Mikhailov similarity of the graphs.
    pub him: f64,
    /// The F1 score of the branches.
    pub f1_branches: f64,
    /// The F1 score of the milestones.
    pub f1_milestones: f64,
    /// Whether the graphs have the same topology.
    pub same_topology: bool,
    /// The number of points that were compared.
    pub points: usize,
}

/// How well labels separate.
#[derive(Clone, Debug, Serialize)]
pub struct LabelAgreement {
    /// The share of the points whose nearest other point has the same label.
    pub one_nn_accuracy: f64,
    /// The number of these points.
    pub right: usize,
    /// The number of points.
    pub points: usize,
    /// The number of classes.
    pub classes: usize,
    /// The columns that distances were measured in.
    pub columns: Vec<String>,
    /// The name of the labels.
    #[serde(skip)]
    pub label: String,
}

/// Compares a learned graph with the true one: results of `midrib synth`, or dynverse's tables.
pub fn measure_truth(
    results: &Path,
    truth: &Path,
    listener: &mut dyn Listener,
) -> Result<TruthAgreement> {
    let model = Model::read(results)?;
    if let Some(hint) = summarize(&model)?.hint(results) {
        listener.note(&hint);
    }
    let (ids, found) = trajectory(results)?;
    let truth = read_truth(truth)?;
    let rows = match_points(results, &ids, &truth)?;
    if rows.len() < truth.ids.len() {
        let missing = truth.ids.len() - rows.len();
        listener.note(&format!(
            "{missing} points of the truth are not in the results and do not count"
        ));
    }
    let agreement = against_truth(&found, &truth.trajectory.select(&rows)?)?;
    Ok(TruthAgreement {
        correlation: agreement.correlation,
        him: agreement.him,
        f1_branches: agreement.branches.f1(),
        f1_milestones: agreement.milestones.f1(),
        same_topology: agreement.same_topology,
        points: rows.len(),
    })
}

/// The names and the trajectory of a directory of results.
fn trajectory(path: &Path) -> Result<(Vec<String>, Trajectory)> {
    let model = Model::read(path)?;
    model.require_lines("a comparison with a truth")?;
    let points = read_projected_points(path, &model)?;
    let trajectory = Trajectory::of(model.graph()?, points.onto_graph()?)?;
    Ok((points.ids, trajectory))
}

fn read_truth(path: &Path) -> Result<Truth> {
    if path.is_dir() && path.join(DYNVERSE).is_file() {
        return Ok(read_dynverse(path)?);
    }
    let (ids, trajectory) = trajectory(path)?;
    Ok(Truth { ids, trajectory, in_order: true })
}

/// The row in the truth of each point: by name, or in order where the points have no names.
fn match_points(path: &Path, ids: &[String], truth: &Truth) -> Result<Vec<usize>> {
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
    Err(Error::data(format!(
        "{}: {} of the {} points are not among the {} of the truth: {}{}; use the same names for \
         the points (fit --id), or give both in the same order and number",
        path.display(),
        unknown.len(),
        ids.len(),
        truth.ids.len(),
        unknown[..unknown.len().min(SHOWN)].join(", "),
        if unknown.len() > SHOWN { ", …" } else { "" }
    )))
}

/// Compares the labels of points with those of their nearest points. `table` may be a directory of
/// results with an embedding.
pub fn measure_labels(
    table: &Path,
    options: &ReadOptions,
    listener: &mut dyn Listener,
) -> Result<LabelAgreement> {
    if options.labels.is_empty() && options.label_file.is_none() {
        return Err(which_labels(listener));
    }
    let path = table_or_embedding(table)?;
    let mut of_table = options.clone();
    if of_table.label_file.is_some() {
        // They are in that file, not among the columns of the table.
        of_table.labels.clear();
    }
    let table = coordinates(read_embedding(&path, &of_table)?, &path, listener)?;
    let labels = classes(&table, options, &path, listener)?;
    let label = labels.name.clone();
    if let Some(row) = labels.values.iter().position(String::is_empty) {
        return Err(Error::data(format!(
            "{}: point {} has no label in {label}: leave that row out",
            shown(&path),
            row + 1
        )));
    }
    let found = one_nn(&table.points, &labels.values);
    let found = found.map_err(|error| Error::from(error).of_table(&path))?;
    Ok(LabelAgreement {
        one_nn_accuracy: found.accuracy(),
        right: found.right,
        points: found.points,
        classes: found.classes,
        columns: table.features,
        label,
    })
}

/// The labels that are named, or the only ones of a file of labels.
fn classes<'t>(
    table: &'t Table,
    options: &ReadOptions,
    path: &Path,
    listener: &dyn Listener,
) -> Result<&'t Labels> {
    match (&options.labels[..], &table.labels[..]) {
        ([label], all) => all.iter().find(|labels| labels.name == *label).ok_or_else(|| {
            let from = options.label_file.as_deref().unwrap_or(path);
            let names: Vec<String> = all.iter().map(|labels| labels.name.clone()).collect();
            Error::data(format!(
                "{}: there are no labels {label}; there are {}",
                from.display(),
                first_names(&names, names.len(), "")
            ))
        }),
        ([], [only]) if options.label_file.is_some() => Ok(only),
        _ => Err(which_labels(listener)),
    }
}

fn which_labels(listener: &dyn Listener) -> Error {
    Error::usage(format!(
        "name the truth, or one column with classes: {}",
        (listener.wording().value)("label", "COL")
    ))
}

/// Of a table of projections, as `midrib project` writes it, the latent coordinates alone.
fn coordinates(table: Table, path: &Path, listener: &mut dyn Listener) -> Result<Table> {
    const PROJECTION: [&str; 3] = ["node", "edge", "edge_pos"];
    let is_there = |name: &&str| table.features.iter().any(|feature| feature == name);
    if !PROJECTION.iter().all(is_there) {
        return Ok(table);
    }
    let is_latent = |name: &str| name.strip_prefix('z').is_some_and(|n| n.parse::<usize>().is_ok());
    let kept: Vec<usize> =
        (0..table.features.len()).filter(|&i| is_latent(&table.features[i])).collect();
    if kept.is_empty() {
        return Err(Error::data(format!(
            "{}: holds projections onto a graph and no coordinates; measure the points themselves, \
             or results of a method that embeds them, such as ddrtree",
            shown(path)
        )));
    }
    let mut row = vec![0.0; table.features.len()];
    let mut values = Vec::with_capacity(table.points.len() * kept.len());
    for i in 0..table.points.len() {
        table.points.copy_row(i, &mut row);
        values.extend(kept.iter().map(|&column| row[column]));
    }
    let features: Vec<String> = kept.iter().map(|&i| table.features[i].clone()).collect();
    listener.note(&format!(
        "measured by {} alone: the other columns are projections onto a graph",
        features.join(", ")
    ));
    Ok(Table { points: Points::from_f64(values, kept.len())?, features, ..table })
}

/// The table itself, or the embedding among results.
fn table_or_embedding(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.into());
    }
    let embedding = path.join("embedding.csv");
    if embedding.is_file() {
        return Ok(embedding);
    }
    Err(Error::data(format!(
        "{}: holds no embedding.csv: name a table, or results of a method that embeds points, such \
         as ddrtree",
        path.display()
    )))
}

/// In an embedding the ids are names, even if they are numbers.
fn read_embedding(path: &Path, options: &ReadOptions) -> Result<Table> {
    let table = read(path, options)?;
    let is_embedding = table.features.starts_with(&["id".into(), "z1".into()]);
    if options.id.is_some() || !is_embedding || path == Path::new("-") {
        return Ok(table);
    }
    Ok(read(path, &ReadOptions { id: Some("id".into()), ..options.clone() })?)
}
