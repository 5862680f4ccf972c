//! Results that were written before: the model, its graph and the places of its points.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib_io::{Model, Places, ReadOptions, read_again, read_places};
use midrib_tasks::{Error, Location, PointsOnGraph, Result, locate};

use super::summary::Summary;
use crate::exit::{Failure, Outcome};
use crate::talk::{Notes, Talk};

/// The content of a directory of results.
pub struct Results {
    pub path: PathBuf,
    pub model: Model,
    pub places: Places,
}

impl Results {
    pub fn read(path: &Path) -> Outcome<Self> {
        let model = Model::read(path)?;
        let places = read_places(path, &model)?;
        Ok(Self { path: path.into(), model, places })
    }

    /// Notes if the summary describes another graph than that of the model.
    pub fn hint(&self, talk: &Talk) -> Outcome<()> {
        if let Some(hint) = Summary::of(&self.model)?.hint(&self.path) {
            talk.note(hint);
        }
        Ok(())
    }

    /// Whether the summary tells only of the graph's skeleton.
    pub fn is_raw(&self) -> Outcome<bool> {
        Ok(Summary::of(&self.model)?.is_of_raw())
    }

    /// The nodes that are meant by these places.
    pub fn find(
        &self,
        locations: &[Location],
        setting: &'static str,
        talk: &Talk,
    ) -> Outcome<Vec<usize>> {
        let mut notes = Notes(talk);
        self.with_points(|points| {
            let nodes = locations.iter().map(|at| locate(points, at, setting, &mut notes));
            Ok(nodes.collect::<Result<_>>()?)
        })
    }

    /// The roots that are meant by these places; sheets have none.
    pub fn roots(&self, locations: &[Location], talk: &Talk) -> Outcome<Vec<usize>> {
        self.model.require_lines("--root")?;
        self.find(locations, "root", talk)
    }

    /// A column of numbers, from the labels, the table or the prepared points.
    pub fn values(&self, column: &str, asked: &str) -> Outcome<Vec<f64>> {
        self.with_points(|points| {
            points.values(column).map_err(|error| match error {
                Error::Location { reason, .. } => Failure::usage(format!("{asked}: {reason}")),
                other => other.into(),
            })
        })
    }

    fn with_points<T>(&self, ask: impl FnOnce(&PointsOnGraph<'_>) -> Outcome<T>) -> Outcome<T> {
        let features = &self.model.input.features;
        let prepared = self.model.feature_names();
        let made = prepared.iter().filter(|name| !features.contains(name));
        let all: Vec<String> = features.iter().chain(made).cloned().collect();
        ask(&PointsOnGraph {
            graph: self.model.graph()?,
            projection: &self.places.projection,
            ids: Some(&self.places.ids),
            labels: &self.places.labels,
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
                    "{}: the graph was learned from it, but its column {name} is out of reach \
                     ({error})",
                    path.display()
                ))
            })?;
        let at = |names: &[String]| names.iter().position(|known| known == name);
        match (at(&self.model.input.features), &self.model.input.prepare, at(prepared)) {
            (Some(column), ..) => Ok(values_of(&table.points, column)),
            (None, Some(transform), Some(column)) => {
                Ok(values_of(&transform.apply(&table.points)?, column))
            }
            _ => Ok(vec![f64::NAN; table.points.len()]),
        }
    }
}

/// One column of points.
pub fn values_of(points: &Points<'_>, column: usize) -> Vec<f64> {
    let mut row = vec![0.0; points.dims()];
    let values = (0..points.len()).map(|i| {
        points.copy_row(i, &mut row);
        row[column]
    });
    values.collect()
}
