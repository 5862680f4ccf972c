//! `model.json`: everything that is needed to use a graph again.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::learn::{Choice, Fitted, Latent, Surface, Tuning, method};
use midrib::math::Matrix;
use midrib::measure::{Complexity, complexity, explained};
use midrib::prepare::Transform;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::json::write_json;
use super::latent::LatentKeys;
use super::support::Support;
use crate::error::{Error, Result};
use crate::read::Reading;

/// A learnt graph with its history, as it stands in `model.json`.
///
/// Numbers read back exactly. Keys that this version does not know are ignored.
///
/// ```
/// use midrib::math::Matrix;
/// use midrib_io::{Input, Model};
/// let model = Model {
///     schema: Model::SCHEMA,
///     midrib: "0.1.0".into(),
///     method: "ppt".into(),
///     settings: serde_json::json!({"bandwidth": 0.1}),
///     chosen: serde_json::Map::new(),
///     notes: Vec::new(),
///     input: Input {
///         file: "cells.csv".into(),
///         rows: 2,
///         columns: 1,
///         features: vec!["depth".into()],
///         prepare: serde_json::json!({}),
///         reading: Default::default(),
///     },
///     nodes: Matrix::from_rows(&[[0.0], [1.0]])?,
///     edges: vec![(0, 1, 1.0)],
///     mass: vec![1.0, 1.0],
///     latent: None.into(),
///     explained: Some(0.875),
///     complexity: None,
///     objective: Some(0.5),
///     trace: vec![0.75, 0.5],
///     tuning: None,
///     end: "converged".into(),
///     n_iter: 1,
///     seed: 0,
///     root: Vec::new(),
///     support: None,
/// };
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("model.json");
/// model.write(&path)?;
/// assert_eq!(Model::read(&path)?, model);
/// assert_eq!(model.graph()?.length(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The version of this layout.
    pub schema: u32,
    /// The version of midrib that wrote it.
    pub midrib: String,
    /// The method's name.
    pub method: String,
    /// The method's settings.
    pub settings: Value,
    /// The settings that were left open, as they were chosen.
    #[serde(default)]
    pub chosen: Map<String, Value>,
    /// What else a reader should know, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What it was learnt from.
    pub input: Input,
    /// The places of the nodes, one per row.
    pub nodes: Matrix,
    /// The edges: two nodes and a weight.
    pub edges: Vec<(usize, usize, f64)>,
    /// The mass of points at each node.
    pub mass: Vec<f64>,
    /// Where points and nodes are in fewer dimensions, where the method learns that.
    #[serde(flatten)]
    pub latent: LatentKeys,
    /// The share of the points' variance that the graph explains, where it is known: 1 − mean
    /// squared distance from the graph / variance, in the prepared columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explained: Option<f64>,
    /// Energies and complexity, where the graph is elastic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// The objective at the end, where the method has one.
    pub objective: Option<f64>,
    /// The objective after each sweep.
    pub trace: Vec<f64>,
    /// How the graph changes with the setting that shapes it most, where that was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
    /// Why the method stopped, for example `converged`.
    pub end: String,
    /// The number of sweeps.
    pub n_iter: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The nodes from which pseudotime is counted, where they were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub root: Vec<usize>,
    /// How much of the graph is learnt again from resampled points, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub support: Option<Support>,
}

/// What a model was learnt from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// The file.
    pub file: String,
    /// The number of points.
    pub rows: usize,
    /// The number of features.
    pub columns: usize,
    /// The names of the features.
    pub features: Vec<String>,
    /// How the values were prepared.
    pub prepare: Value,
    /// How the file was read.
    #[serde(default)]
    pub reading: Reading,
}

/// The one key that tells a midrib model, of whatever age.
#[derive(Deserialize)]
struct Head {
    schema: Option<u64>,
}

impl Model {
    /// The layout that this version writes, and the newest that it reads.
    pub const SCHEMA: u32 = 1;

    /// The key of `chosen` that names the representation of a `.h5ad` file.
    pub const REPRESENTATION: &str = "use_rep";

    /// The key of `chosen` that tells whether points of which nothing is known were left out.
    pub const EMPTY_POINTS: &str = "empty_points";

    /// The model of a fit. `choices` are those of the fit and of what came before it.
    pub fn new(fitted: &Fitted, choices: &[Choice], input: Input) -> Self {
        let Fitted { method, graph, trace, tuning, end, settings, latent, notes, .. } = fitted;
        let chosen = choices.iter().map(|choice| (choice.setting.to_owned(), choice.value.clone()));
        Self {
            schema: Self::SCHEMA,
            midrib: env!("CARGO_PKG_VERSION").into(),
            method: (*method).into(),
            settings: settings.clone(),
            chosen: chosen.collect(),
            notes: notes.clone(),
            input,
            nodes: graph.nodes().clone(),
            edges: graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect(),
            mass: graph.mass().to_vec(),
            latent: latent.clone().into(),
            explained: None,
            complexity: None,
            objective: trace.last().copied(),
            trace: trace.clone(),
            tuning: tuning.clone(),
            end: end.as_str().into(),
            n_iter: fitted.n_iter(),
            seed: settings["seed"].as_u64().unwrap_or_default(),
            root: Vec::new(),
            support: None,
        }
    }

    /// The model of a graph that was not learnt; `origin` stands for its method, and for its end.
    pub fn of_graph(origin: &str, graph: &PrincipalGraph, features: Vec<String>) -> Self {
        let columns = features.len();
        let (file, rows, prepare) = (String::new(), 0, Value::Object(Map::new()));
        Self {
            schema: Self::SCHEMA,
            midrib: env!("CARGO_PKG_VERSION").into(),
            method: origin.into(),
            settings: Value::Object(Map::new()),
            chosen: Map::new(),
            notes: Vec::new(),
            input: Input { file, rows, columns, features, prepare, reading: Reading::default() },
            nodes: graph.nodes().clone(),
            edges: graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect(),
            mass: graph.mass().to_vec(),
            latent: None.into(),
            explained: None,
            complexity: None,
            objective: None,
            trace: Vec::new(),
            tuning: None,
            end: origin.into(),
            n_iter: 0,
            seed: 0,
            root: Vec::new(),
            support: None,
        }
    }

    /// The same with what there is to measure of a fit: the share of the variance of its points
    /// that is explained, and the complexity of an elastic graph.
    pub fn measured(
        mut self,
        fitted: &Fitted,
        mean_squared_distance: f64,
        points: &Points<'_>,
    ) -> Result<Self> {
        self.explained = explained(mean_squared_distance, points);
        self.complexity = match fitted.springs()? {
            Some(springs) => Some(complexity(&fitted.graph, &springs, points)?),
            None => None,
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
        let foreign = || Error::model(path, "is not a midrib model: it has no \"schema\" number");
        if matches!(bytes.trim_ascii_start().first(), Some(start) if *start != b'{') {
            return Err(foreign());
        }
        let head: Head = serde_json::from_slice(bytes)
            .map_err(|error| if error.is_data() { foreign() } else { unreadable(path, &error) })?;
        let schema = head.schema.ok_or_else(foreign)?;
        if schema > u64::from(Self::SCHEMA) {
            return Err(Error::model(
                path,
                format!(
                    "was written by a newer midrib, schema {schema}; this version reads up to \
                     {}: update midrib",
                    Self::SCHEMA
                ),
            ));
        }
        let model: Self =
            serde_json::from_slice(bytes).map_err(|error| unreadable(path, &error))?;
        if model.nodes.n_rows() == 0 {
            return Err(Error::model(path, "has no nodes"));
        }
        let contradiction = |error| Error::model(path, format!("contradicts itself: {error}"));
        let graph = model.graph().map_err(contradiction)?;
        if !model.root.is_empty() {
            graph.root(&model.root).map_err(|error| contradiction(error.into()))?;
        }
        model.latent().map_err(contradiction)?;
        if let Some(support) = &model.support {
            let fault = support.fault(&graph, &model.edges);
            fault.map_or(Ok(()), |fault| Err(Error::model(path, fault)))?;
        }
        Ok(model)
    }

    /// Writes the model. Numbers that are not finite are refused, since JSON has none.
    pub fn write(&self, path: &Path) -> Result<()> {
        if let Some(place) = self.not_finite() {
            return Err(midrib::Error::Numerical(format!(
                "the model cannot be written: {place} is not a finite number"
            ))
            .into());
        }
        write_json(path, self)
    }

    /// The setting that tells a model of a skeleton.
    pub const SIMPLIFIED: &str = "simplify";

    /// The setting that tells a model whose weak branches were removed.
    pub const PRUNED: &str = "prune";

    /// What may have been done to a graph since it was learnt.
    const EDITS: [&str; 2] = [Self::SIMPLIFIED, Self::PRUNED];

    /// Whether the graph was changed since it was learnt.
    pub fn is_edited(&self) -> bool {
        Self::EDITS.iter().any(|edit| self.settings.get(edit).is_some())
    }

    /// The support of each edge, where it is known.
    pub fn edge_support(&self) -> Option<&[f64]> {
        self.support.as_ref().map(|support| &support.edges[..])
    }

    /// The settings of the fit alone: what was done afterwards is no setting of a method.
    pub fn fit_settings(&self) -> Value {
        let mut settings = self.settings.clone();
        if let Some(settings) = settings.as_object_mut() {
            settings.retain(|name, _| !Self::EDITS.contains(&name.as_str()));
        }
        settings
    }

    /// The same model with another graph in place of its own, and beside its settings how that was
    /// made. `kept` are the old numbers of its nodes; roots that are gone are forgotten. So is what
    /// was measured, and the support of the edges if one of them is new.
    pub fn edited(
        mut self,
        graph: &PrincipalGraph,
        kept: &[usize],
        edit: &str,
        how: Value,
    ) -> Result<Self> {
        self.support = self.support.take().and_then(|old| old.kept(&self.edges, graph, kept));
        let now = |old: &usize| kept.iter().position(|node| node == old);
        let root = self.root.iter().filter_map(now).collect();
        if let Some(latent) = self.latent()? {
            let nodes = Points::from_f64(graph.nodes().as_slice(), graph.nodes().n_cols())?;
            let mut places = latent.project(&nodes)?;
            // Nodes that stay where they were have their latent places already.
            for (node, &old) in kept.iter().enumerate() {
                if graph.nodes().row(node) == self.nodes.row(old) {
                    places.row_mut(node).copy_from_slice(latent.nodes.row(old));
                }
            }
            self.latent.latent_nodes = Some(places);
        }
        if let Value::Object(settings) = &mut self.settings {
            settings.insert(edit.into(), how);
        }
        Ok(Self {
            nodes: graph.nodes().clone(),
            edges: graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect(),
            mass: graph.mass().to_vec(),
            explained: None,
            complexity: None,
            objective: None,
            root,
            ..self
        })
    }

    /// Refuses a task that is for curves, trees and graphs if the model is a sheet; see
    /// [`Entry::require_lines`](midrib::learn::Entry::require_lines). What was edited since, or was
    /// not learnt by a method of this version, is a graph.
    ///
    /// ```
    /// use midrib::{graph::PrincipalGraph, math::Matrix};
    /// use midrib_io::Model;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
    /// let mut model = Model::of_graph("given", &graph, vec!["depth".into()]);
    /// assert!(model.require_lines("a root").is_ok());
    /// model.method = "elastic-map".into();
    /// assert!(model.require_lines("a root").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_lines(&self, task: &str) -> Result<()> {
        match method(&self.method) {
            Ok(entry) if !self.is_edited() => Ok(entry.require_lines(&self.settings, task)?),
            _ => Ok(()),
        }
    }

    /// The surface that the model's graph is the net of; none where it is no net, or no longer.
    pub fn surface(&self, graph: &PrincipalGraph) -> Result<Option<Surface>> {
        match method(&self.method) {
            Ok(entry) if !self.is_edited() => {
                Ok(entry.surface(&self.settings, &self.chosen, graph)?)
            }
            _ => Ok(None),
        }
    }

    /// Which representation of a `.h5ad` file it was learnt from, where it was one.
    pub fn representation(&self) -> Option<&str> {
        self.chosen.get(Self::REPRESENTATION)?.as_str()
    }

    /// Whether points of which nothing is known were left out.
    pub fn ignores_empty(&self) -> bool {
        self.chosen.get(Self::EMPTY_POINTS).is_some_and(|value| value == "ignore")
    }

    /// The graph that the model describes.
    pub fn graph(&self) -> Result<PrincipalGraph> {
        Ok(PrincipalGraph::new(self.nodes.clone(), &self.edges, self.mass.clone())?)
    }

    /// Points and nodes in fewer dimensions, where the method learnt that.
    pub fn latent(&self) -> Result<Option<Latent>> {
        self.latent.get(&self.nodes)
    }

    /// How new points are to be prepared; none where nothing is done to them.
    ///
    /// `path` is where the model was read from, for errors.
    pub fn transform(&self, path: &Path) -> Result<Option<Transform>> {
        let (features, dims) = (self.input.features.len(), self.nodes.n_cols());
        let contradiction = |reason: String| {
            Error::model(path, format!("contradicts itself: {reason}; learn it again"))
        };
        let transform = match &self.input.prepare {
            Value::Object(recipe) if recipe.is_empty() => None,
            recipe => {
                let transform: Transform =
                    serde_json::from_value(recipe.clone()).map_err(|error| {
                        let reason = "input.prepare is not one that this midrib knows";
                        Error::model(path, format!("{reason} ({error}); learn it again"))
                    })?;
                let check = transform.check();
                check.map_err(|error| contradiction(format!("input.prepare.{error}")))?;
                Some(transform)
            }
        };
        let (dims_in, dims_out) = match &transform {
            Some(transform) => (transform.dims_in(), transform.dims_out()),
            None => (features, features),
        };
        if dims_in != features {
            return Err(contradiction(format!(
                "input.prepare takes {dims_in} columns, input.features names {features}"
            )));
        }
        if dims_out != dims {
            return Err(contradiction(format!(
                "prepared points have {dims_out} columns, the nodes {dims}"
            )));
        }
        Ok(transform)
    }

    fn not_finite(&self) -> Option<String> {
        let first = |values: &[f64]| values.iter().position(|value| !value.is_finite());
        if let Some(i) = first(self.nodes.as_slice()) {
            return Some(format!("a coordinate of node {}", i / self.nodes.n_cols()));
        }
        if let Some(i) = first(&self.mass) {
            return Some(format!("the mass of node {i}"));
        }
        if let Some(key) = self.latent.not_finite() {
            return Some(format!("a value of {key}"));
        }
        if self.explained.is_some_and(|value| !value.is_finite()) {
            return Some("the explained share of the variance".into());
        }
        if let Some(i) = first(&self.trace) {
            return Some(format!("trace[{i}]"));
        }
        if self.tuning.as_ref().is_some_and(|tuning| !tuning.is_finite()) {
            return Some("a value of tuning".into());
        }
        if self.objective.is_some_and(|value| !value.is_finite()) {
            return Some("the objective".into());
        }
        self.edges
            .iter()
            .find(|(_, _, weight)| !weight.is_finite())
            .map(|(a, b, _)| format!("the weight of edge {a}-{b}"))
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

fn unreadable(path: &Path, error: &serde_json::Error) -> Error {
    let what = if error.is_data() {
        "is not a complete midrib model"
    } else {
        "is not valid JSON; is the file complete?"
    };
    Error::model(path, format!("{what} ({error})"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn valid() -> Value {
        json!({
            "schema": 1, "midrib": "0.1.0", "method": "ppt", "settings": {"n_nodes": "all"},
            "input": {"file": "a.csv", "rows": 2, "columns": 2, "features": ["a", "b"],
                      "prepare": {}},
            "nodes": [[0.1, 0.2], [1.0, 1.0 / 3.0]], "edges": [[0, 1, 1.0]], "mass": [1.0, 1.0],
            "objective": 0.5, "trace": [1.0, 0.5], "end": "converged", "n_iter": 1, "seed": 7,
        })
    }

    fn read_text(text: &str) -> Result<Model> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.json");
        std::fs::write(path, text).unwrap();
        Model::read(directory.path())
    }

    fn message(change: impl Fn(&mut Value)) -> String {
        let mut model = valid();
        change(&mut model);
        read_text(&model.to_string()).unwrap_err().to_string()
    }

    #[test]
    fn a_directory_or_a_file_is_read_and_unknown_keys_are_ignored() {
        let mut json = valid();
        json["halo"] = json!([[1.0]]);
        let model = read_text(&json.to_string()).unwrap();
        assert_eq!(model.nodes.row(1), [1.0, 1.0 / 3.0]);
        assert_eq!(model.graph().unwrap().edges().len(), 1);
    }

    #[test]
    fn a_truncated_model_is_called_incomplete() {
        let text = valid().to_string();
        let message = read_text(&text[..text.len() / 2]).unwrap_err().to_string();
        assert!(message.contains("is not valid JSON; is the file complete?"), "{message}");
        assert!(message.contains("at line 1 column"), "{message}");
        let empty = read_text("").unwrap_err().to_string();
        assert!(empty.contains("is the file complete?"), "{empty}");
    }

    #[test]
    fn a_newer_schema_asks_for_an_update() {
        let message = message(|model| model["schema"] = json!(2));
        assert!(
            message.ends_with(
                "was written by a newer midrib, schema 2; this version reads up to 1: update midrib"
            ),
            "{message}"
        );
    }

    #[test]
    fn other_json_is_not_a_model() {
        for text in ["{\"a\": 1}", "[1, 2]", "{\"schema\": \"x\"}"] {
            let message = read_text(text).unwrap_err().to_string();
            assert!(message.contains("is not a midrib model"), "{message}");
        }
    }

    #[test]
    fn contradictions_are_named() {
        let edge = message(|model| model["edges"][0][1] = json!(5));
        assert!(edge.contains("contradicts itself: edge 0-5: there is no node 5"), "{edge}");
        let mass = message(|model| model["mass"] = json!([1.0]));
        assert!(mass.contains("mass of the nodes: expected 2, found 1"), "{mass}");
        let ragged = message(|model| model["nodes"][1] = json!([1.0]));
        assert!(ragged.contains("row 1: expected 2 values, found 1"), "{ragged}");
        let missing = message(|model| {
            model.as_object_mut().unwrap().remove("nodes");
        });
        assert!(missing.contains("missing field `nodes`"), "{missing}");
        let none = message(|model| {
            model["nodes"] = json!([]);
            model["edges"] = json!([]);
            model["mass"] = json!([]);
        });
        assert!(none.contains("has no nodes"), "{none}");
    }

    #[test]
    fn a_tuning_curve_is_kept_and_need_not_be_there() {
        assert_eq!(read_text(&valid().to_string()).unwrap().tuning, None);
        let mut json = valid();
        json["tuning"] = json!({
            "setting": "n_nodes", "chosen": 2.0, "scale": "linear", "points": 2,
            "curve": [{"value": 2.0, "energy": 0.5, "mean_squared_distance": 1.0 / 3.0,
                       "length": 1.5, "tips": 2}],
        });
        let mut model = read_text(&json.to_string()).unwrap();
        assert_eq!(serde_json::to_value(&model).unwrap()["tuning"], json["tuning"]);
        let directory = tempfile::tempdir().unwrap();
        if let Some(tuning) = &mut model.tuning {
            tuning.curve[0].length = f64::INFINITY;
        }
        let message = model.write(&directory.path().join("m.json")).unwrap_err().to_string();
        assert!(message.contains("a value of tuning is not a finite number"), "{message}");
    }

    #[test]
    fn damaged_latent_places_are_named() {
        let latent = |model: &mut Value| {
            model["center"] = json!([0.0, 0.5]);
            model["basis"] = json!([[1.0], [0.0]]);
            model["embedding"] = json!([[0.1], [1.0]]);
            model["latent_nodes"] = json!([[0.1], [1.0]]);
        };
        let mut whole = valid();
        latent(&mut whole);
        let model = read_text(&whole.to_string()).unwrap();
        assert_eq!(model.latent().unwrap().unwrap().center, [0.0, 0.5]);
        assert!(serde_json::to_value(&model).unwrap().get("latent_nodes").is_some());
        let none = serde_json::to_value(read_text(&valid().to_string()).unwrap()).unwrap();
        assert!(none.get("basis").is_none());
        let damaged = |key: &str, value: Value| {
            message(|model| {
                latent(model);
                model[key] = value.clone();
            })
        };
        let short = damaged("center", json!([0.0]));
        assert!(short.contains("contradicts itself: center: expected 2, found 1"), "{short}");
        let wide = damaged("embedding", json!([[1.0, 2.0]]));
        assert!(wide.contains("embedding: expected 1 columns, found 2"), "{wide}");
        let few = damaged("latent_nodes", json!([[1.0]]));
        assert!(few.contains("latent_nodes: expected 2 rows, found 1"), "{few}");
        let missing = damaged("basis", Value::Null);
        assert!(missing.contains("center, basis, embedding and latent_nodes"), "{missing}");
    }

    #[test]
    fn support_reads_back_and_is_checked() {
        let with = |edges: Value| {
            move |model: &mut Value| {
                model["support"] = json!({"replicas": 100, "seed": 7, "edges": edges});
            }
        };
        let mut whole = valid();
        with(json!([0.75]))(&mut whole);
        let model = read_text(&whole.to_string()).unwrap();
        assert_eq!(model.support.as_ref().unwrap().edges, [0.75]);
        assert_eq!(serde_json::to_value(&model).unwrap()["support"], whole["support"]);
        let none = serde_json::to_value(read_text(&valid().to_string()).unwrap()).unwrap();
        assert!(none.get("support").is_none());
        let many = message(with(json!([0.75, 1.0])));
        assert!(many.contains("support.edges: tells of 2 edges, there are 1"), "{many}");
        let large = message(with(json!([1.5])));
        assert!(large.contains("support.edges: 1.5 is not between 0 and 1"), "{large}");
        let order = message(|model| {
            model["edges"] = json!([[1, 0, 1.0]]);
            with(json!([1.0]))(model);
        });
        assert!(order.contains("needs edges that are sorted by their ends"), "{order}");
    }

    #[test]
    fn an_edit_keeps_roots_and_the_support_of_edges_that_stay() {
        let mut json = valid();
        json["nodes"] = json!([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
        json["mass"] = json!([1.0, 1.0, 1.0]);
        json["edges"] = json!([[0, 1, 1.0], [1, 2, 1.0]]);
        json["support"] = json!({"replicas": 10, "seed": 0, "edges": [0.5, 0.75]});
        json["root"] = json!([1]);
        let model = read_text(&json.to_string()).unwrap();
        let edited = |kept: &[usize]| {
            let nodes = model.nodes.select_rows(kept.iter().copied());
            let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2]).unwrap();
            model.clone().edited(&graph, kept, Model::PRUNED, json!({})).unwrap()
        };
        let (stays, goes) = (edited(&[1, 2]), edited(&[0, 2]));
        assert_eq!((stays.support.unwrap().edges, stays.root), (vec![0.75], vec![0]));
        assert_eq!((goes.support, goes.root), (None, vec![]));
    }

    #[test]
    fn nodes_that_stay_keep_their_latent_places() {
        let mut json = valid();
        json["center"] = json!([0.0, 0.5]);
        json["basis"] = json!([[1.0], [0.0]]);
        json["embedding"] = json!([[0.1], [1.0]]);
        json["latent_nodes"] = json!([[7.0], [9.0]]);
        let model = read_text(&json.to_string()).unwrap();
        let latent = |nodes: Matrix| {
            let graph = PrincipalGraph::new(nodes, &[], vec![1.0]).unwrap();
            let edited = model.clone().edited(&graph, &[1], Model::PRUNED, json!({})).unwrap();
            edited.latent().unwrap().unwrap().nodes
        };
        assert_eq!(latent(model.nodes.select_rows([1])).as_slice(), [9.0]);
        assert_eq!(latent(Matrix::from_rows(&[[4.0, 0.0]]).unwrap()).as_slice(), [4.0]);
    }

    #[test]
    fn a_damaged_preparation_is_named() {
        let transform = |change: &dyn Fn(&mut Value)| {
            let mut model = valid();
            model["input"]["prepare"] = json!({"offset": [0.0, 1.0], "factor": [1.0, 2.0]});
            change(&mut model);
            read_text(&model.to_string()).unwrap().transform(Path::new("m.json"))
        };
        let message = |change: &dyn Fn(&mut Value)| transform(change).unwrap_err().to_string();
        assert_eq!(transform(&|_| ()).unwrap().unwrap().factor, [1.0, 2.0]);
        assert!(transform(&|model| model["input"]["prepare"] = json!({})).unwrap().is_none());
        assert_eq!(
            message(&|model| model["input"]["prepare"]["factor"] = json!([1.0])),
            "m.json: contradicts itself: input.prepare.factor: expected 2 values, found 1; learn \
             it again"
        );
        let unknown = message(&|model| model["input"]["prepare"] = json!({"log": true}));
        assert!(unknown.contains("input.prepare is not one that this midrib knows"), "{unknown}");
        let features = message(&|model| model["input"]["features"] = json!(["a"]));
        assert!(features.contains("takes 2 columns, input.features names 1"), "{features}");
        let nodes = message(&|model| model["nodes"] = json!([[0.5], [1.0]]));
        assert!(nodes.contains("prepared points have 2 columns, the nodes 1"), "{nodes}");
    }

    #[test]
    fn missing_models_say_what_to_name() {
        let directory = tempfile::tempdir().unwrap();
        let message = Model::read(directory.path()).unwrap_err().to_string();
        assert!(message.contains("holds no model.json"), "{message}");
        let file = directory.path().join("none.json");
        let message = Model::read(&file).unwrap_err().to_string();
        assert!(message.contains("there is no such file"), "{message}");
    }

    #[test]
    fn numbers_that_are_not_finite_are_never_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("model.json");
        let mut model = read_text(&valid().to_string()).unwrap();
        model.trace[1] = f64::NAN;
        let message = model.write(&path).unwrap_err().to_string();
        assert!(message.contains("trace[1] is not a finite number"), "{message}");
        assert!(!path.exists());
        model.trace[1] = 0.5;
        model.nodes.row_mut(1)[0] = f64::INFINITY;
        let message = model.write(&path).unwrap_err().to_string();
        assert!(message.contains("a coordinate of node 1"), "{message}");
    }
}
