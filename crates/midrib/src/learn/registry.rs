//! All methods by name: command line, Python, tests and docs follow from this table.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::elastic_map::Surface;
use super::fitted::{Fitted, Latent};
use super::given::Given;
use super::papers::{self, Paper};
use super::{
    Cubic, DdrTree, DrTree, ElasticCurve, ElasticGraph, ElasticMap, ElasticRing, ElasticTree, Rpg,
    SimplePpt, Spl,
};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::place::Springs;
use crate::points::Points;
use crate::words::nearest_word;

/// Every method that can be asked for by name.
pub const METHODS: &[Entry] = &[
    entry::<SimplePpt>(),
    entry::<Rpg>(),
    entry::<DrTree>(),
    entry::<DdrTree>(),
    entry::<Spl>(),
    entry::<ElasticCurve>(),
    entry::<ElasticRing>(),
    entry::<ElasticTree>(),
    entry::<ElasticGraph>(),
    entry::<ElasticMap>(),
    entry::<Cubic>(),
];

/// What holds for every result of a method; the common test suite tests the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// The objective never rises.
    pub cost_falls: bool,
    /// Moving and rotating the points moves and rotates the graph.
    pub rigid_motions: bool,
    /// Scaling the points scales the graph.
    pub scaling: bool,
    /// Shuffling the rows changes nothing.
    pub any_row_order: bool,
    /// A point of weight 2 counts like two equal rows, the number of nodes being given.
    pub weights_as_repeats: bool,
    /// The graph is a tree.
    pub tree: bool,
}

/// A way to learn a principal graph: a settings struct that knows how to fit.
pub trait Method: Default + Serialize + DeserializeOwned + JsonSchema {
    /// The name on the command line.
    const NAME: &'static str;
    /// One line that tells a scientist when to use it.
    const SUMMARY: &'static str;
    /// Key in papers.bib and place.
    const CITATION: &'static str;

    /// Sweeps before the first entry of the trace: 1 where there is no objective at the start.
    const UNTRACED: usize = 0;

    /// Whether points may have gaps.
    const GAPS: bool = false;
    /// Whether points may have weights.
    const WEIGHTS: bool = true;
    /// Whether starting nodes may come with their edges, see [`StartGraph`](super::StartGraph).
    const START_GRAPH: bool = false;
    /// What an entry of the trace stands for: `sweep`, or `step` where graphs grow.
    const STEP: &'static str = "sweep";

    /// What holds for every result with these settings.
    fn promises(&self) -> Promises;

    /// Refuses values that no fit can use.
    fn check(&self) -> Result<()>;

    /// Learns a graph from the points, and from what else is given.
    fn fit(
        &self,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fitted>;

    /// The places of new points in an embedding that was learnt with these settings: their
    /// projection on its basis, unless the method has a rule of its own.
    fn transform(
        &self,
        _: &PrincipalGraph,
        latent: &Latent,
        points: &Points<'_>,
    ) -> Result<Matrix> {
        latent.project(points)
    }

    /// How many dimensions has what is learnt: 1 for curves, trees and graphs, 2 for sheets, 3 for
    /// boxes.
    fn inner_dims(&self) -> usize {
        1
    }

    /// The surface that a graph, learnt with these settings and what was chosen, is the net of; none
    /// where it is no net.
    fn surface(&self, _: &PrincipalGraph) -> Result<Option<Surface>> {
        Ok(None)
    }

    /// The springs that hold a graph, learnt with these settings and what was chosen; none where it
    /// is not elastic.
    fn springs(&self, _: &PrincipalGraph) -> Result<Option<Springs>> {
        Ok(None)
    }
}

/// A method as data.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// When to use it.
    pub summary: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    /// Sweeps before the first entry of the trace.
    pub untraced: usize,
    /// Whether points may have gaps.
    pub gaps: bool,
    /// Whether points may have weights.
    pub weights: bool,
    /// Whether starting nodes may come with their edges.
    pub start_graph: bool,
    /// What an entry of the trace stands for.
    pub step: &'static str,
    defaults: fn() -> Value,
    schema: fn() -> Value,
    settled: fn(&Value, &Chosen) -> Result<Value>,
    promises: fn(&Value) -> Result<Promises>,
    inner_dims: fn(&Value) -> Result<usize>,
    check: fn(&Value) -> Result<()>,
    fit: FitFromJson,
    transform: TransformFromJson,
    surface: SurfaceFromJson,
    springs: SpringsFromJson,
}

type Chosen = Map<String, Value>;
type SpringsFromJson = fn(&Value, &Chosen, &PrincipalGraph) -> Result<Option<Springs>>;
type SurfaceFromJson = fn(&Value, &Chosen, &PrincipalGraph) -> Result<Option<Surface>>;
type TransformFromJson = fn(&Value, &PrincipalGraph, &Latent, &Points<'_>) -> Result<Matrix>;
type FitFromJson = fn(&Value, &Points<'_>, Given<'_>, &mut dyn Observer) -> Result<Fitted>;

impl Entry {
    /// The settings with their default values.
    pub fn defaults(&self) -> Value {
        (self.defaults)()
    }

    /// The JSON schema of the settings: names, types, help texts, defaults.
    pub fn schema(&self) -> Value {
        (self.schema)()
    }

    /// What holds for every result with these settings.
    pub fn promises(&self, settings: &Value) -> Result<Promises> {
        (self.promises)(settings)
    }

    /// Refuses a task for curves, trees and graphs if what is learnt with these settings is a sheet
    /// or a box: that has no ends, and no line to order points along.
    ///
    /// ```
    /// use serde_json::json;
    /// let map = midrib::learn::method("elastic-map")?;
    /// assert!(map.require_lines(&json!({"net": "ring"}), "pruning").is_ok());
    /// assert!(map.require_lines(&json!({"net": "sphere"}), "pruning").is_err());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn require_lines(&self, settings: &Value, task: &str) -> Result<()> {
        let what = match (self.inner_dims)(settings)? {
            1 => return Ok(()),
            2 => "a sheet",
            _ => "a box",
        };
        Err(Error::data(format!(
            "{task} is for curves, trees and graphs; {} learns {what} here, which has no ends and no \
             line to order points along: learn a graph from the same points, for example with \
             elastic-graph",
            self.name
        )))
    }

    /// Refuses settings that no fit can use, before any work.
    pub fn check(&self, settings: &Value) -> Result<()> {
        (self.check)(settings)
    }

    /// Settings with what was chosen for those that were left open: a fit with these chooses
    /// nothing anew.
    ///
    /// ```
    /// use serde_json::{Map, json};
    /// let chosen = Map::from_iter([("bandwidth".to_owned(), json!(0.5))]);
    /// let settled = midrib::learn::method("ppt")?.settled(&json!({"bandwidth": "auto"}), &chosen)?;
    /// assert_eq!(settled["bandwidth"], 0.5);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn settled(&self, settings: &Value, chosen: &Map<String, Value>) -> Result<Value> {
        (self.settled)(settings, chosen)
    }

    /// The paper that its citation names.
    pub fn paper(&self) -> Option<&'static Paper> {
        papers::cited(self.citation)
    }

    /// What there is to know of it, as JSON: `name`, `summary`, `citation`, `paper`, whether points
    /// may have `gaps`, what a `step` is called, `defaults` of the settings and their `schema`.
    ///
    /// ```
    /// let ppt = midrib::learn::method("ppt")?.described();
    /// assert_eq!(ppt["name"], "ppt");
    /// assert!(ppt["schema"]["properties"]["bandwidth"].is_object());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn described(&self) -> Value {
        json!({
            "name": self.name,
            "summary": self.summary,
            "citation": self.citation,
            "paper": self.paper().map(ToString::to_string),
            "gaps": self.gaps,
            "step": self.step,
            "defaults": self.defaults(),
            "schema": self.schema(),
        })
    }

    /// Fits with settings given as a JSON object; missing ones take their defaults.
    pub fn fit(
        &self,
        settings: &Value,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fitted> {
        (self.fit)(settings, points, given, watch)
    }

    /// The places of new points in an embedding that was learnt with these settings.
    pub fn transform(
        &self,
        settings: &Value,
        graph: &PrincipalGraph,
        latent: &Latent,
        points: &Points<'_>,
    ) -> Result<Matrix> {
        (self.transform)(settings, graph, latent, points)
    }

    /// The surface that a graph is the net of: `settings` are those of its fit, `chosen` those that
    /// were left open. None where it is no net.
    pub fn surface(
        &self,
        settings: &Value,
        chosen: &Map<String, Value>,
        graph: &PrincipalGraph,
    ) -> Result<Option<Surface>> {
        (self.surface)(settings, chosen, graph)
    }

    /// The springs that hold a graph, from the same settings; none where it is not elastic.
    pub fn springs(
        &self,
        settings: &Value,
        chosen: &Map<String, Value>,
        graph: &PrincipalGraph,
    ) -> Result<Option<Springs>> {
        (self.springs)(settings, chosen, graph)
    }
}

const fn entry<M: Method>() -> Entry {
    Entry {
        name: M::NAME,
        summary: M::SUMMARY,
        citation: M::CITATION,
        untraced: M::UNTRACED,
        gaps: M::GAPS,
        weights: M::WEIGHTS,
        start_graph: M::START_GRAPH,
        step: M::STEP,
        defaults: || to_value(&M::default()),
        schema: || schemars::schema_for!(M).to_value(),
        settled: |settings, chosen| Ok(to_value(&as_fitted::<M>(settings, chosen)?)),
        promises: |settings| Ok(from_json::<M>(settings)?.promises()),
        inner_dims: |settings| Ok(from_json::<M>(settings)?.inner_dims()),
        check: |settings| from_json::<M>(settings)?.check(),
        fit: |settings, points, given, watch| from_json::<M>(settings)?.fit(points, given, watch),
        transform: |settings, graph, latent, points| {
            from_json::<M>(settings)?.transform(graph, latent, points)
        },
        surface: |settings, chosen, graph| as_fitted::<M>(settings, chosen)?.surface(graph),
        springs: |settings, chosen, graph| as_fitted::<M>(settings, chosen)?.springs(graph),
    }
}

/// Settings with what was chosen for those that were left open. What is no value of its setting is
/// left out, such as the factor that stands for spl's automatic scaling.
fn as_fitted<M: Method>(settings: &Value, chosen: &Chosen) -> Result<M> {
    let mut settings = to_value(&from_json::<M>(settings)?);
    for (name, value) in chosen {
        if settings.get(name).is_none() {
            continue;
        }
        let mut replaced = settings.clone();
        replaced[name] = value.clone();
        if from_json::<M>(&replaced).is_ok() {
            settings = replaced;
        }
    }
    from_json(&settings)
}

fn from_json<M: Method>(settings: &Value) -> Result<M> {
    serde_json::from_value(settings.clone())
        .map_err(|error| Error::Settings { method: M::NAME.into(), reason: error.to_string() })
}

/// Settings are structs of numbers and words, which JSON can always hold.
pub(super) fn to_value(settings: &impl Serialize) -> Value {
    serde_json::to_value(settings).unwrap_or(Value::Null)
}

/// A setting as it would be given: words without quotes, whole numbers without a fraction.
pub(super) fn as_given(settings: &impl Serialize, name: &str) -> String {
    let value = to_value(settings)[name].to_string();
    let value = value.trim_matches('"');
    value.strip_suffix(".0").unwrap_or(value).into()
}

/// The method of this name.
///
/// ```
/// use midrib::learn::method;
/// assert_eq!(method("ppt")?.name, "ppt");
/// assert!(method("pppt").unwrap_err().to_string().contains("did you mean \"ppt\"?"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn method(name: &str) -> Result<&'static Entry> {
    METHODS.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let known: Vec<&str> = METHODS.iter().map(|entry| entry.name).collect();
        Error::UnknownMethod {
            name: name.into(),
            nearest: nearest_word(name, known.iter().copied()).map(Into::into),
            known: known.join(", "),
        }
    })
}
