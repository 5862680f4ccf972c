//! The trait of every method, and a method as data.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::given::Given;
use super::papers::{self, Paper};
use super::result::Fit;
use crate::distances::Distances;
use crate::error::{Error, Result};
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

/// What holds for every result of a method; the common test suite checks the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promises {
    /// The objective never rises.
    pub cost_falls: bool,
    /// Moving and rotating the points moves and rotates the result.
    pub rigid_motions: bool,
    /// Scaling the points scales the result.
    pub scaling: bool,
    /// Shuffling the rows changes nothing.
    pub any_row_order: bool,
    /// A point of weight 2 counts like two equal rows, for a given number of nodes.
    pub weights_as_repeats: bool,
    /// The graph is a tree.
    pub tree: bool,
}

impl Promises {
    /// Everything holds.
    pub const ALL: Self = Self {
        cost_falls: true,
        rigid_motions: true,
        scaling: true,
        any_row_order: true,
        weights_as_repeats: true,
        tree: true,
    };
}

/// A way to learn an object: a settings struct that knows how to fit.
///
/// Implement it for one struct, list that struct in [`METHODS`](super::METHODS), and the command
/// line, Python, the docs and the common test suite follow.
pub trait Method: Default + Serialize + DeserializeOwned + JsonSchema {
    /// The name on the command line.
    const NAME: &'static str;
    /// The name of the Python estimator.
    const CLASS: &'static str;
    /// When to use it, in one line.
    const SUMMARY: &'static str;
    /// A key of papers.bib, and where in that paper.
    const CITATION: &'static str;

    /// Whether points may have missing values.
    const GAPS: bool = false;
    /// Whether points may have weights.
    const WEIGHTS: bool = true;
    /// Whether it can start from given nodes.
    const START: bool = true;
    /// Whether starting nodes may come with edges, see [`StartGraph`](super::StartGraph).
    const START_GRAPH: bool = false;
    /// Whether it takes links: edges that must or cannot be in the graph.
    const LINKS: bool = false;
    /// Whether it takes pairs of points: the only ones that an edge may join.
    const PAIRS: bool = false;
    /// Whether it learns from pairwise distances instead of points.
    const DISTANCES: bool = false;
    /// Whether the object has coordinates of its own for points, see
    /// [`Object::embed`](crate::object::Object::embed).
    const EMBEDS: bool = false;
    /// What an entry of the trace counts: `sweep`, or `step` where graphs grow.
    const STEP: &'static str = "sweep";

    /// What these settings learn.
    fn kind(&self) -> Kind {
        Kind::Graph
    }

    /// What holds for every result with these settings.
    fn promises(&self) -> Promises;

    /// The fewest columns that a fit with these settings needs.
    fn min_columns(&self) -> usize {
        1
    }

    /// Whether a fit with these settings needs all rows in memory at once. Others read a source
    /// chunk by chunk, except that points with missing values are always read whole.
    fn needs_all_rows(&self) -> bool {
        false
    }

    /// Refuses values that no fit can use.
    fn check(&self) -> Result<()>;

    /// Refuses what the method declares no use for.
    fn check_given(given: &Given<'_>) -> Result<()> {
        let refuse = |what: &str| Err(Error::data(format!("{} takes {what}", Self::NAME)));
        if !Self::PAIRS && given.pairs.is_some() {
            return refuse(
                "no pairs of points: leave them out, or use spl, or rpg with structure = l1",
            );
        }
        if !Self::START_GRAPH && given.start_graph.is_some() {
            return refuse(
                "only the positions of starting nodes: leave out their edges, pins and moduli, or \
                 use elastic-curve, elastic-ring, elastic-tree or elastic-graph",
            );
        }
        if !Self::LINKS && !given.links.is_empty() {
            return refuse("no links: leave them out, or use ppt or rpg");
        }
        if !Self::START && given.start.is_some() {
            return refuse("no starting nodes: leave them out");
        }
        Ok(())
    }

    /// Learns from points, and from what else is given.
    fn fit(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer) -> Result<Fit>;

    /// Learns from pairwise distances, if [`Method::DISTANCES`] says so.
    fn fit_distances(&self, _: &Distances, _: Given<'_>, _: &mut dyn Observer) -> Result<Fit> {
        Err(Error::data(format!("{} needs points, not their distances", Self::NAME)))
    }
}

/// A method as data.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its Python estimator.
    pub class: &'static str,
    /// When to use it.
    pub summary: &'static str,
    /// Where it was published.
    pub citation: &'static str,
    /// Whether points may have missing values.
    pub gaps: bool,
    /// Whether points may have weights.
    pub weights: bool,
    /// Whether it can start from given nodes.
    pub start: bool,
    /// Whether starting nodes may come with edges.
    pub start_graph: bool,
    /// Whether it takes links.
    pub links: bool,
    /// Whether it takes pairs of points.
    pub pairs: bool,
    /// Whether it learns from pairwise distances.
    pub distances: bool,
    /// Whether the object has coordinates of its own for points.
    pub embeds: bool,
    /// What an entry of the trace counts.
    pub step: &'static str,
    defaults: fn() -> Value,
    schema: fn() -> Value,
    settled: fn(&Value, &Chosen) -> Result<Value>,
    promises: fn(&Value) -> Result<Promises>,
    kind: fn(&Value) -> Result<Kind>,
    min_columns: fn(&Value) -> Result<usize>,
    needs_all_rows: fn(&Value) -> Result<bool>,
    check: fn(&Value) -> Result<()>,
    fit: FitPoints,
    fit_distances: FitDistances,
}

type Chosen = Map<String, Value>;
type FitPoints = fn(&Value, &dyn Blocks, Given<'_>, &mut dyn Observer) -> Result<Fit>;
type FitDistances = fn(&Value, &Distances, Given<'_>, &mut dyn Observer) -> Result<Fit>;

impl Entry {
    /// The entry of a method.
    pub const fn of<M: Method>() -> Self {
        Self {
            name: M::NAME,
            class: M::CLASS,
            summary: M::SUMMARY,
            citation: M::CITATION,
            gaps: M::GAPS,
            weights: M::WEIGHTS,
            start: M::START,
            start_graph: M::START_GRAPH,
            links: M::LINKS,
            pairs: M::PAIRS,
            distances: M::DISTANCES,
            embeds: M::EMBEDS,
            step: M::STEP,
            defaults: || to_value(&M::default()),
            schema: || schemars::schema_for!(M).to_value(),
            settled: |settings, chosen| Ok(to_value(&settled::<M>(settings, chosen)?)),
            promises: |settings| Ok(from_json::<M>(settings)?.promises()),
            kind: |settings| Ok(from_json::<M>(settings)?.kind()),
            min_columns: |settings| Ok(from_json::<M>(settings)?.min_columns()),
            needs_all_rows: |settings| Ok(from_json::<M>(settings)?.needs_all_rows()),
            check: |settings| from_json::<M>(settings)?.check(),
            fit: |settings, points, given, watch| {
                M::check_given(&given)?;
                from_json::<M>(settings)?.fit(points, given, watch)
            },
            fit_distances: |settings, distances, given, watch| {
                M::check_given(&given)?;
                from_json::<M>(settings)?.fit_distances(distances, given, watch)
            },
        }
    }

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

    /// What these settings learn.
    ///
    /// ```
    /// use serde_json::json;
    /// let map = midrib::learn::method("elastic-map")?;
    /// assert!(map.kind(&json!({"net": "ring"}))?.has_lines());
    /// assert!(!map.kind(&json!({"net": "sphere"}))?.has_lines());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn kind(&self, settings: &Value) -> Result<Kind> {
        (self.kind)(settings)
    }

    /// The fewest columns that a fit with these settings needs.
    ///
    /// ```
    /// use serde_json::json;
    /// let map = midrib::learn::method("elastic-map")?;
    /// assert_eq!(map.min_columns(&json!({"net": "sphere"}))?, 3);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn min_columns(&self, settings: &Value) -> Result<usize> {
        (self.min_columns)(settings)
    }

    /// Whether a fit with these settings needs all rows in memory at once.
    ///
    /// ```
    /// use serde_json::json;
    /// let rpg = midrib::learn::method("rpg")?;
    /// assert!(!rpg.needs_all_rows(&json!({"structure": "tree"}))?);
    /// assert!(rpg.needs_all_rows(&json!({"structure": "l1"}))?);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn needs_all_rows(&self, settings: &Value) -> Result<bool> {
        (self.needs_all_rows)(settings)
    }

    /// Refuses settings that no fit can use, before any work.
    pub fn check(&self, settings: &Value) -> Result<()> {
        (self.check)(settings)
    }

    /// The settings with the values that a fit chose for those left open: a fit with these
    /// settings chooses nothing itself.
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

    /// Everything about it, as JSON: `name`, `class`, `summary`, `citation`, `paper`, what it can
    /// take (`gaps`, `weights`, `start`, `start_graph`, `links`, `pairs`, `distances`), whether the
    /// object `embeds` points, what a `step` is called, the `kind` of object that it learns by
    /// default, the `defaults` of the settings and their `schema`.
    ///
    /// ```
    /// let ppt = midrib::learn::method("ppt")?.description();
    /// assert_eq!(ppt["name"], "ppt");
    /// assert!(ppt["schema"]["properties"]["bandwidth"].is_object());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn description(&self) -> Value {
        let kind = self.kind(&self.defaults()).ok().map(Kind::as_str);
        json!({
            "name": self.name,
            "class": self.class,
            "summary": self.summary,
            "citation": self.citation,
            "paper": self.paper().map(ToString::to_string),
            "gaps": self.gaps,
            "weights": self.weights,
            "start": self.start,
            "start_graph": self.start_graph,
            "links": self.links,
            "pairs": self.pairs,
            "distances": self.distances,
            "embeds": self.embeds,
            "step": self.step,
            "kind": kind,
            "defaults": self.defaults(),
            "schema": self.schema(),
        })
    }

    /// Fits with settings given as a JSON object; missing ones take their defaults.
    pub fn fit(
        &self,
        settings: &Value,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        (self.fit)(settings, points, given, watch)
    }

    /// The same from pairwise distances; refused by methods that need points.
    pub fn fit_distances(
        &self,
        settings: &Value,
        distances: &Distances,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        (self.fit_distances)(settings, distances, given, watch)
    }
}

/// Settings with what was chosen for those left open. A chosen value that is not valid for its
/// setting is skipped, such as the factor behind spl's automatic scaling.
fn settled<M: Method>(settings: &Value, chosen: &Chosen) -> Result<M> {
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

/// Settings as JSON.
pub(super) fn to_value(settings: &impl Serialize) -> Value {
    serde_json::to_value(settings).unwrap_or(Value::Null)
}

/// A setting as a user would type it: words without quotes, whole numbers without a fraction.
pub(super) fn as_typed(settings: &impl Serialize, name: &str) -> String {
    let value = to_value(settings)[name].to_string();
    let value = value.trim_matches('"');
    value.strip_suffix(".0").unwrap_or(value).into()
}
