//! Opening a directory of results, and the table that it was learned from.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib_io::{Labels, Model, ProjectedPoints, ReadOptions, read_again, read_projected_points};
use midrib_report::DrawnTable;

use crate::columns::column_of;
use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::locate::{PointsOnGraph, locate};
use crate::location::Location;
use crate::memory::Memory;
use crate::prepare::{prepare_like, refuse_large_transform};
use crate::text::shown;

/// The content of a directory of results.
#[derive(Clone, Debug)]
pub struct Results {
    /// The directory, or its `model.json`.
    pub path: PathBuf,
    /// What was learned.
    pub model: Model,
    /// Its points.
    pub points: ProjectedPoints,
}

/// Opens results of a fit: the directory or its `model.json`.
pub fn open_results(path: &Path) -> Result<Results> {
    let model = Model::read(path)?;
    let points = read_projected_points(path, &model)?;
    Ok(Results { path: path.into(), model, points })
}

/// The directory that holds a model.
pub fn directory_of(model: &Path) -> PathBuf {
    if model.is_dir() {
        return model.into();
    }
    let parent = model.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or_else(|| ".".into(), Path::to_path_buf)
}

impl Results {
    /// The nodes that these locations mean; `setting` is the one that named them.
    pub fn nodes(
        &self,
        locations: &[Location],
        setting: &'static str,
        listener: &mut dyn Listener,
    ) -> Result<Vec<usize>> {
        self.with_points(|points| {
            locations.iter().map(|location| locate(points, location, setting, listener)).collect()
        })
    }

    /// The roots that these locations mean; sheets have none.
    pub fn roots(&self, locations: &[Location], listener: &mut dyn Listener) -> Result<Vec<usize>> {
        let task = (listener.wording().setting)("root");
        self.model.require_lines(&task)?;
        self.nodes(locations, "root", listener)
    }

    /// A column of numbers, from the labels, the table or the prepared points.
    pub fn values(&self, column: &str) -> Result<Vec<f64>> {
        self.with_points(|points| points.values(column))
    }

    fn with_points<T>(&self, ask: impl FnOnce(&PointsOnGraph<'_>) -> Result<T>) -> Result<T> {
        let features = &self.model.input.features;
        let prepared = self.model.feature_names();
        let made = prepared.iter().filter(|name| !features.contains(name));
        let all: Vec<String> = features.iter().chain(made).cloned().collect();
        ask(&PointsOnGraph {
            graph: self.model.graph()?,
            projection: self.points.onto_graph()?,
            ids: Some(&self.points.ids),
            labels: &self.points.labels,
            feature_names: &all,
            features: &|name| self.feature(name, &prepared),
        })
    }

    /// A column as the table holds it, or one that was made of them.
    fn feature(&self, name: &str, prepared: &[String]) -> Result<Vec<f64>> {
        let path = Path::new(&self.model.input.file);
        let (_, table) = read_again(&self.path, &self.model, None, &ReadOptions::default())
            .map_err(|error| {
                Error::data(format!(
                    "{}: the graph was learned from it, but its column {name} cannot be read \
                     ({error})",
                    shown(path)
                ))
            })?;
        let at = |names: &[String]| names.iter().position(|other| other == name);
        match (at(&self.model.input.features), at(prepared)) {
            (Some(column), _) => Ok(column_of(&table.points, column)),
            (None, Some(column)) => {
                Ok(column_of(&prepare_like(&self.model, table.points)?, column))
            }
            (None, None) => Ok(vec![f64::NAN; table.points.len()]),
        }
    }
}

/// Where the table that a model was learned from is, and how it is read.
#[derive(Clone, Debug)]
pub struct TrainingRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// The table, where it is not the file that the model names.
    pub table: Option<&'a Path>,
    /// How it is read; what is left open is as it was for the fit.
    pub options: ReadOptions,
    /// The most memory that a kernel matrix may take.
    pub max_memory: Memory,
}

/// Points as they were learned from, and what else their table holds.
#[derive(Clone, Debug)]
pub struct TrainingTable {
    /// The file.
    pub path: PathBuf,
    /// Prepared as for the fit.
    pub points: Points<'static>,
    /// The labels of the points.
    pub labels: Vec<Labels>,
    /// The columns as they are in the table.
    pub drawn: DrawnTable,
}

/// Reads the table that a model was learned from, in the same way.
pub fn open_training_table(request: &TrainingRequest<'_>, model: &Model) -> Result<TrainingTable> {
    let TrainingRequest { results, table, options, max_memory } = request;
    let (path, read) = read_again(results, model, *table, options)?;
    let drawn = DrawnTable::of(&read.points, &model.input.features);
    if let Some(transform) = &model.input.prepare {
        refuse_large_transform(transform, read.points.len(), *max_memory)?;
    }
    let points = prepare_like(model, read.points).map_err(|error| error.of_table(&path))?;
    Ok(TrainingTable { path, points, labels: read.labels, drawn })
}

impl TrainingTable {
    /// Refuses a table with another number of rows than the results have points.
    pub fn of_rows(self, n: usize) -> Result<Self> {
        match self.points.len() {
            rows if rows == n => Ok(self),
            rows => Err(Error::data(format!(
                "{}: has {rows} rows, the model was learned from {n}",
                shown(&self.path)
            ))),
        }
    }
}
