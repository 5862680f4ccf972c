//! `model.json` as it stands in the file: schema 2.

use std::path::Path;

use midrib::learn::Tuning;
use midrib::measure::{Complexity, Criteria};
use midrib::prepare::Transform;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::object::ObjectKeys;
use super::{Edit, Input, Model, Origin, OwnedGiven, Reading, Run, Support, schema1};
use crate::error::{Error, Result};

/// All keys, in their order.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Layout {
    schema: u32,
    midrib: String,
    method: String,
    settings: Value,
    #[serde(default)]
    chosen: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<Run>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edits: Vec<Edit>,
    input: InputKeys,
    #[serde(default)]
    reading: Reading,
    #[serde(default, skip_serializing_if = "OwnedGiven::is_empty")]
    given: OwnedGiven,
    #[serde(flatten)]
    object: ObjectKeys,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    explained: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    complexity: Option<Complexity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    criteria: Option<Criteria>,
    objective: Option<f64>,
    trace: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tuning: Option<Tuning>,
    end: Origin,
    n_iter: usize,
    seed: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    root: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    support: Option<Support>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct InputKeys {
    file: String,
    rows: usize,
    columns: usize,
    features: Vec<String>,
    /// A [`Transform`], or `{}`.
    prepare: Value,
}

/// The keys that any version of the layout has.
#[derive(Deserialize)]
struct Head {
    schema: Option<u64>,
    #[serde(default)]
    midrib: Value,
}

/// Reads a model of any schema up to this one.
pub(super) fn read(bytes: &[u8], path: &Path) -> Result<Model> {
    let foreign = || Error::model(path, "is not a midrib model: it has no \"schema\" number");
    if matches!(bytes.trim_ascii_start().first(), Some(start) if *start != b'{') {
        return Err(foreign());
    }
    let head: Head = serde_json::from_slice(bytes)
        .map_err(|error| if error.is_data() { foreign() } else { unreadable(path, &error) })?;
    let schema = head.schema.ok_or_else(foreign)?;
    if schema > u64::from(Model::SCHEMA) {
        let version = head.midrib.as_str().unwrap_or("of that schema");
        return Err(Error::model(
            path,
            format!(
                "was written by a newer midrib (schema {schema}); this version reads up to {}: \
                 install midrib {version} or later",
                Model::SCHEMA
            ),
        ));
    }
    let layout: Layout = match schema {
        0 | 1 => {
            let mut json: Map<String, Value> =
                serde_json::from_slice(bytes).map_err(|error| unreadable(path, &error))?;
            schema1::upgrade(&mut json);
            serde_json::from_value(Value::Object(json))
        }
        _ => serde_json::from_slice(bytes),
    }
    .map_err(|error| unreadable(path, &error))?;
    layout.into_model(path)
}

fn unreadable(path: &Path, error: &serde_json::Error) -> Error {
    let what = if error.is_data() {
        "is not a complete midrib model"
    } else {
        "is not valid JSON; is the file complete?"
    };
    Error::model(path, format!("{what} ({error})"))
}

/// Copies the object once, whatever its size.
impl From<&Model> for Layout {
    fn from(model: &Model) -> Self {
        let Input { file, rows, columns, features, prepare } = model.input.clone();
        let prepare = prepare.map_or_else(|| json!({}), |transform| json!(transform));
        Self {
            schema: Model::SCHEMA,
            midrib: model.midrib.clone(),
            method: model.method.clone(),
            settings: model.settings.clone(),
            chosen: model.chosen.clone(),
            notes: model.notes.clone(),
            run: model.run.clone(),
            edits: model.edits.clone(),
            input: InputKeys { file, rows, columns, features, prepare },
            reading: model.reading.clone(),
            given: model.given.clone(),
            object: ObjectKeys::from(&model.object),
            explained: model.explained,
            complexity: model.complexity.clone(),
            criteria: model.criteria.clone(),
            objective: model.objective,
            trace: model.trace.clone(),
            tuning: model.tuning.clone(),
            end: model.end,
            n_iter: model.n_iter,
            seed: model.seed,
            root: model.root.clone(),
            support: model.support.clone(),
        }
    }
}

impl From<Model> for Layout {
    fn from(model: Model) -> Self {
        Self::from(&model)
    }
}

impl Layout {
    fn into_model(self, path: &Path) -> Result<Model> {
        let contradiction =
            |error: Error| Error::model(path, format!("contradicts itself: {error}"));
        let edges: Vec<(usize, usize)> =
            self.object.edges.iter().map(|&(a, b, _)| (a, b)).collect();
        let object = self.object.read().map_err(contradiction)?;
        if let (Some(support), Some(graph)) = (&self.support, object.graph())
            && let Some(fault) = support.fault(graph, &edges)
        {
            return Err(Error::model(path, fault));
        }
        let prepare = self.input.transform(super::object::dims(&object), path)?;
        let InputKeys { file, rows, columns, features, .. } = self.input;
        Ok(Model {
            midrib: self.midrib,
            method: self.method,
            settings: self.settings,
            chosen: self.chosen,
            notes: self.notes,
            run: self.run,
            edits: self.edits,
            input: Input { file, rows, columns, features, prepare },
            reading: self.reading,
            given: self.given,
            object,
            explained: self.explained,
            complexity: self.complexity,
            criteria: self.criteria,
            objective: self.objective,
            trace: self.trace,
            tuning: self.tuning,
            end: self.end,
            n_iter: self.n_iter,
            seed: self.seed,
            root: self.root,
            support: self.support,
        })
    }

    /// The first number that is not finite.
    pub fn not_finite(&self) -> Option<String> {
        let is_not = |value: Option<f64>| value.is_some_and(|value| !value.is_finite());
        if let Some(key) = self.object.not_finite() {
            return Some(key);
        }
        if is_not(self.explained) {
            return Some("the explained share of the variance".into());
        }
        if let Some(i) = self.trace.iter().position(|value| !value.is_finite()) {
            return Some(format!("trace[{i}]"));
        }
        if self.tuning.as_ref().is_some_and(|tuning| !tuning.is_finite()) {
            return Some("a value of tuning".into());
        }
        is_not(self.objective).then(|| "the objective".into())
    }
}

impl InputKeys {
    /// How points are prepared; none where nothing is done to them. The object has `dims` columns,
    /// if it knows.
    fn transform(&self, dims: Option<usize>, path: &Path) -> Result<Option<Transform>> {
        let contradiction = |reason: String| {
            Error::model(path, format!("contradicts itself: {reason}; learn it again"))
        };
        let transform = match &self.prepare {
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
        let features = self.features.len();
        let (dims_in, dims_out) = match &transform {
            Some(transform) => (transform.dims_in(), transform.dims_out()),
            None => (features, features),
        };
        if dims_in != features {
            return Err(contradiction(format!(
                "input.prepare takes {dims_in} columns, input.features names {features}"
            )));
        }
        if let Some(dims) = dims.filter(|&dims| dims != dims_out) {
            return Err(contradiction(format!(
                "prepared points have {dims_out} columns, the nodes {dims}"
            )));
        }
        Ok(transform)
    }
}
