//! `model.json`: everything that is needed to use a result again.

mod edit;
mod given;
mod layout;
mod object;
mod origin;
mod reading;
mod schema1;
mod support;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use midrib::Blocks;
use midrib::graph::PrincipalGraph;
use midrib::learn::{Choice, Fit, Tuning, require_lines};
use midrib::math::Matrix;
use midrib::measure::{Complexity, Criteria, complexity, explained};
use midrib::object::{Located, Object};
use midrib::prepare::Transform;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::columns::prepared_names;
use crate::error::{Error, Result};
use crate::json::write_json;

pub use edit::Edit;
pub use given::OwnedGiven;
pub use origin::Origin;
pub use reading::Reading;
pub use support::{More, Support};

use layout::Layout;

/// A result with its history, as it stands in `model.json`.
///
/// Numbers read back exactly. Keys that this version does not know are ignored.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// use midrib_io::Model;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let model = Model::of_graph("given", graph, vec!["depth".into()]);
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("model.json");
/// model.write(&path)?;
/// let read = Model::read(&path)?;
/// assert_eq!(read.graph()?.length(), 1.0);
/// assert_eq!(serde_json::to_value(&read)?, serde_json::to_value(&model)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[serde(into = "Layout")]
pub struct Model {
    /// The version of midrib that wrote it.
    pub midrib: String,
    /// The method's name.
    pub method: String,
    /// The method's settings.
    pub settings: Value,
    /// The settings that were left open, as they were chosen.
    pub chosen: Map<String, Value>,
    /// What else a reader should know, in sentences.
    pub notes: Vec<String>,
    /// The run that learned it, where it is known.
    pub run: Option<Run>,
    /// What was done to the result since.
    pub edits: Vec<Edit>,
    /// What it was learned from.
    pub input: Input,
    /// How the table was read.
    pub reading: Reading,
    /// What the fit was given beside points and settings.
    pub given: OwnedGiven,
    /// What was learned.
    pub object: Object,
    /// The share of the points' variance that the object explains, where it is known: 1 − mean
    /// squared distance from the object / variance, in the prepared columns.
    pub explained: Option<f64>,
    /// Energies and complexity of an elastic graph.
    pub complexity: Option<Complexity>,
    /// How well the object represents the points that it was learned from, where that was measured.
    pub criteria: Option<Criteria>,
    /// The objective at the end, where the method has one.
    pub objective: Option<f64>,
    /// The objective after each iteration.
    pub trace: Vec<f64>,
    /// How the graph changes with the setting that shapes it most, where that was examined.
    pub tuning: Option<Tuning>,
    /// Why the method stopped, or that nothing was learned.
    pub end: Origin,
    /// The number of iterations.
    pub n_iter: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The nodes from which pseudotime is counted, where they were chosen.
    pub root: Vec<usize>,
    /// The support of the graph by resampled points, after a bootstrap.
    pub support: Option<Support>,
}

/// What a model was learned from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// The file.
    pub file: String,
    /// The number of points.
    pub rows: usize,
    /// The number of features.
    pub columns: usize,
    /// The names of the features.
    pub features: Vec<String>,
    /// How the values were prepared; none where nothing was done to them.
    pub prepare: Option<Transform>,
}

/// The run that wrote a result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// The command as it was typed; empty if it was not one.
    pub command: String,
    /// How long it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The version of midrib.
    pub version: String,
}

impl Run {
    /// A run of this version.
    pub fn new(command: impl Into<String>, seconds: Option<f64>) -> Self {
        Self { command: command.into(), seconds, version: env!("CARGO_PKG_VERSION").into() }
    }
}

impl Model {
    /// The layout that this version writes, and the newest that it reads.
    pub const SCHEMA: u32 = 2;

    /// The model of a fit. `choices` are those of the fit and of what came before it.
    pub fn new(fit: Fit, choices: &[Choice], input: Input) -> Self {
        let seed = fit.seed();
        let chosen = choices.iter().map(|choice| (choice.setting.to_owned(), choice.value.clone()));
        Self {
            midrib: env!("CARGO_PKG_VERSION").into(),
            method: fit.method.into(),
            settings: fit.settings,
            chosen: chosen.collect(),
            notes: fit.notes,
            run: None,
            edits: Vec::new(),
            input,
            reading: Reading::default(),
            given: OwnedGiven::default(),
            object: fit.object,
            explained: None,
            complexity: None,
            criteria: None,
            objective: fit.trace.last().copied(),
            trace: fit.trace,
            tuning: fit.tuning,
            end: Origin::Learned(fit.end),
            n_iter: fit.iterations,
            seed,
            root: Vec::new(),
            support: None,
        }
    }

    /// The model of a graph that was not learned; `origin` stands for its method: `truth` for that of
    /// generated points.
    pub fn of_graph(origin: &str, graph: PrincipalGraph, features: Vec<String>) -> Self {
        Self {
            midrib: env!("CARGO_PKG_VERSION").into(),
            method: origin.into(),
            settings: Value::Object(Map::new()),
            chosen: Map::new(),
            notes: Vec::new(),
            run: None,
            edits: Vec::new(),
            input: Input { columns: features.len(), features, ..Input::default() },
            reading: Reading::default(),
            given: OwnedGiven::default(),
            object: graph.into(),
            explained: None,
            complexity: None,
            criteria: None,
            objective: None,
            trace: Vec::new(),
            tuning: None,
            end: Origin::of_graph(origin),
            n_iter: 0,
            seed: 0,
            root: Vec::new(),
            support: None,
        }
    }

    /// The same with what can be measured of a fit by where its points are: the share of their
    /// variance that is explained, and the complexity of an elastic graph.
    pub fn measured(mut self, points: &dyn Blocks, located: &Located) -> Result<Self> {
        let away = located.mean_squared_distance(points)?;
        self.explained = away.and_then(|away| explained(away, points));
        let parts = (self.object.graph(), self.object.springs(), located.onto_edges());
        self.complexity = match parts {
            (Some(graph), Some(springs), Some(on)) => {
                Some(complexity(graph, springs, points, &on)?)
            }
            _ => None,
        };
        Ok(self)
    }

    /// Reads a model from its file, or from the directory that holds `model.json`.
    pub fn read(path: &Path) -> Result<Self> {
        let path = &model_file(path)?;
        let bytes = std::fs::read(path).map_err(|error| Error::reading(path, &error))?;
        Self::from_json(&bytes, path)
    }

    /// Reads a model from the content of its file; `path` is where that comes from, for errors.
    pub fn from_json(bytes: &[u8], path: &Path) -> Result<Self> {
        let model = layout::read(bytes, path)?;
        let contradiction =
            |error: Error| Error::model(path, format!("contradicts itself: {error}"));
        if !model.root.is_empty() {
            let rooted = model.graph().and_then(|graph| Ok(graph.root(&model.root).map(drop)?));
            rooted.map_err(contradiction)?;
        }
        Ok(model)
    }

    /// Writes the model. Numbers that are not finite are refused, since JSON has none.
    pub fn write(&self, path: &Path) -> Result<()> {
        let layout = Layout::from(self);
        if let Some(what) = layout.not_finite() {
            return Err(midrib::Error::Numerical(format!(
                "the model cannot be written: {what} is not a finite number"
            ))
            .into());
        }
        write_json(path, &layout)
    }

    /// Its nodes and edges; refused where the object has none.
    pub fn graph(&self) -> Result<&PrincipalGraph> {
        Ok(self.object.require_graph("this")?)
    }

    /// The names of the columns of the prepared points.
    pub fn feature_names(&self) -> Vec<String> {
        prepared_names(self.input.prepare.as_ref(), &self.input.features)
    }

    /// Positions of nodes in the columns and units of the table that was learned from; `None` after
    /// a kernel or an embedding, which have no inverse.
    pub fn in_table(&self, nodes: &Matrix) -> Result<Option<Matrix>> {
        Ok(match &self.input.prepare {
            None => Some(nodes.clone()),
            Some(transform) if !transform.has_inverse() || nodes.n_rows() == 0 => None,
            Some(transform) => Some(transform.invert(nodes)?),
        })
    }

    /// The number of columns of the prepared points.
    pub fn dims(&self) -> usize {
        object::dims(&self.object).unwrap_or_else(|| self.feature_names().len())
    }

    /// The bandwidth of the assignment, given or chosen, if the method has one.
    pub fn bandwidth(&self) -> Option<f64> {
        let given = self.settings["bandwidth"].as_f64();
        given.or_else(|| self.chosen.get("bandwidth")?.as_f64())
    }

    /// The number of iterations before the first entry of the trace.
    pub fn untraced(&self) -> usize {
        (self.n_iter + 1).saturating_sub(self.trace.len().max(1))
    }

    /// The support of each edge, where it is known.
    pub fn edge_support(&self) -> Option<&[f64]> {
        self.support.as_ref().map(|support| &support.edges[..])
    }

    /// Whether the graph is a skeleton that `midrib simplify` made.
    pub fn is_skeleton(&self) -> bool {
        self.edits.iter().any(|edit| matches!(edit, Edit::Simplify { .. }))
    }

    /// Refuses a task that is for curves, trees and graphs if something else was learned.
    ///
    /// ```
    /// use midrib::{graph::PrincipalGraph, math::Matrix, object::Object};
    /// use midrib_io::Model;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[], vec![1.0; 2])?;
    /// let mut model = Model::of_graph("kmeans", graph.clone(), vec!["depth".into()]);
    /// assert!(model.require_lines("a root").is_ok());
    /// model.object = Object::Centers(graph);
    /// assert!(model.require_lines("a root").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_lines(&self, task: &str) -> Result<()> {
        Ok(require_lines(self.object.kind(), &self.method, task)?)
    }
}

fn model_file(path: &Path) -> Result<PathBuf> {
    if !path.is_dir() {
        return Ok(path.into());
    }
    let file = path.join("model.json");
    if file.exists() {
        return Ok(file);
    }
    Err(Error::model(path, "holds no model.json; name a directory that midrib fit has written"))
}
