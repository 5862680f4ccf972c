//! Results that were written before: the model, its graph and the places of its points.

use std::path::{Path, PathBuf};

use midrib::graph::PrincipalGraph;
use midrib_io::{Model, Places, ReadOptions, match_columns, read, read_places};

use crate::exit::{Failure, Outcome, shown};
use crate::spot::{Landscape, Spot};
use crate::talk::Talk;

/// The content of a directory of results.
pub struct Results {
    pub path: PathBuf,
    pub model: Model,
    pub graph: PrincipalGraph,
    pub places: Places,
}

impl Results {
    pub fn read(path: &Path) -> Outcome<Self> {
        let model = Model::read(path)?;
        let graph = model.graph()?;
        let places = read_places(path, &model)?;
        Ok(Self { path: path.into(), model, graph, places })
    }

    /// The nodes that are meant by these places.
    pub fn find(&self, spots: &[Spot], flag: &str, talk: &Talk) -> Outcome<Vec<usize>> {
        self.with_landscape(|landscape| {
            spots.iter().map(|spot| landscape.find(spot, flag, talk)).collect()
        })
    }

    /// A column of numbers, from the labels or the table.
    pub fn values(&self, column: &str, asked: &str) -> Outcome<Vec<f64>> {
        self.with_landscape(|landscape| landscape.values(column, asked))
    }

    fn with_landscape<T>(&self, ask: impl FnOnce(&Landscape<'_>) -> Outcome<T>) -> Outcome<T> {
        ask(&Landscape {
            graph: &self.graph,
            projection: &self.places.projection,
            ids: Some(&self.places.ids),
            labels: &self.places.labels,
            feature_names: &self.model.input.features,
            features: &|column| self.feature(column),
        })
    }

    /// A feature as the table holds it.
    fn feature(&self, column: &str) -> Outcome<Vec<f64>> {
        let path = Path::new(&self.model.input.file);
        let default_rep = self.model.representation().map(Into::into);
        let ignore_empty = self.model.ignores_empty();
        let options =
            ReadOptions { gaps: true, ignore_empty, default_rep, ..ReadOptions::default() };
        let table = read(path, &options).map_err(|error| {
            let why = Failure::from(error);
            Failure::bad_data(format!(
                "{column} is a column of the table that the graph was learnt from, which is not \
                 there ({})",
                why.message()
            ))
        })?;
        let points = match_columns(path, table, &[column.to_owned()])?.points;
        if points.len() != self.places.ids.len() {
            return Err(Failure::bad_data(format!(
                "{}: has {} rows, the model was learnt from {}",
                shown(path),
                points.len(),
                self.places.ids.len()
            )));
        }
        let mut value = [0.0];
        let values = (0..points.len()).map(|i| {
            points.copy_row(i, &mut value);
            value[0]
        });
        Ok(values.collect())
    }
}
