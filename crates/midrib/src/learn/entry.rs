//! A method as data, and its settings once they are parsed.

use serde_json::{Map, Value, json};

use super::given::Given;
use super::method::{Method, Promises, to_value};
use super::papers::{self, Paper};
use super::result::Fit;
use crate::distances::Distances;
use crate::error::{Error, Result};
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

/// A method with its settings: [`Entry::parse`] makes one from JSON.
pub trait Configured: Send + Sync {
    /// Refuses values that no fit can use.
    fn check(&self) -> Result<()>;

    /// What these settings learn.
    fn kind(&self) -> Kind;

    /// What holds for every result with these settings.
    fn promises(&self) -> Promises;

    /// The fewest columns that a fit needs.
    fn min_columns(&self) -> usize;

    /// Whether a fit needs all rows in memory at once.
    fn needs_all_rows(&self) -> bool;

    /// The settings as a JSON object, defaults included.
    fn settings(&self) -> Value;

    /// The settings with the values that a fit chose for those left open: a fit with these
    /// settings chooses nothing itself. A chosen value that is not valid for its setting is skipped,
    /// such as the factor behind spl's automatic scaling.
    ///
    /// ```
    /// use serde_json::{Map, json};
    /// let ppt = midrib::learn::method("ppt")?.parse(&json!({"bandwidth": "auto"}))?;
    /// let chosen = Map::from_iter([("bandwidth".to_owned(), json!(0.5))]);
    /// assert_eq!(ppt.settled(&chosen)["bandwidth"], 0.5);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    fn settled(&self, chosen: &Map<String, Value>) -> Value;

    /// Learns from points, and from what else is given.
    fn fit(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer) -> Result<Fit>;

    /// Learns from pairwise distances; refused by methods that need points.
    fn fit_distances(
        &self,
        distances: &Distances,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit>;
}

/// The settings of one method.
struct Settings<M>(M);

impl<M: Method> Configured for Settings<M> {
    fn check(&self) -> Result<()> {
        self.0.check()
    }

    fn kind(&self) -> Kind {
        self.0.kind()
    }

    fn promises(&self) -> Promises {
        self.0.promises()
    }

    fn min_columns(&self) -> usize {
        self.0.min_columns()
    }

    fn needs_all_rows(&self) -> bool {
        self.0.needs_all_rows()
    }

    fn settings(&self) -> Value {
        to_value(&self.0)
    }

    fn settled(&self, chosen: &Map<String, Value>) -> Value {
        let mut settings = self.settings();
        for (name, value) in chosen {
            if settings.get(name).is_none() {
                continue;
            }
            let mut replaced = settings.clone();
            replaced[name] = value.clone();
            if let Ok(valid) = from_json::<M>(&replaced) {
                settings = to_value(&valid);
            }
        }
        settings
    }

    fn fit(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        self.0.fit(points, given, watch)
    }

    fn fit_distances(
        &self,
        distances: &Distances,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        self.0.fit_distances(distances, given, watch)
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
    kind: fn() -> Kind,
    needs_all_rows: fn() -> bool,
    read: fn(&Value) -> Result<Box<dyn Configured>>,
}

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
            kind: || M::default().kind(),
            needs_all_rows: || M::default().needs_all_rows(),
            read: |settings| Ok(Box::new(Settings(from_json::<M>(settings)?))),
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

    /// The settings given as a JSON object, checked; missing ones take their defaults. Parse them
    /// once and use the result for everything else.
    ///
    /// ```
    /// use midrib::{Points, Silent};
    /// use midrib::learn::{Given, method};
    /// use serde_json::json;
    /// let k_means = method("kmeans")?.parse(&json!({"n_clusters": 2}))?;
    /// assert!(!k_means.needs_all_rows());
    /// let points = Points::from_f64(vec![0.0, 0.1, 7.0, 7.1], 1)?;
    /// let fit = k_means.fit(&points, Given::default(), &mut Silent)?;
    /// assert_eq!(fit.object.kind(), k_means.kind());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn parse(&self, settings: &Value) -> Result<Box<dyn Configured>> {
        let configured = (self.read)(settings)?;
        configured.check()?;
        Ok(configured)
    }

    /// What it learns with its default settings.
    pub fn kind(&self) -> Kind {
        (self.kind)()
    }

    /// Whether a fit with the default settings needs all rows in memory at once.
    pub fn needs_all_rows(&self) -> bool {
        (self.needs_all_rows)()
    }

    /// The paper that its citation names.
    pub fn paper(&self) -> Option<&'static Paper> {
        papers::cited(self.citation)
    }

    /// Everything about it, as JSON: `name`, `class`, `summary`, `citation`, `paper`, what it can
    /// take (`gaps`, `weights`, `start`, `start_graph`, `links`, `pairs`, `distances`), whether the
    /// object `embeds` points, what a `step` is called, the `kind` of object that it learns by
    /// default and whether it `has_nodes`, the `defaults` of the settings and their `schema`.
    ///
    /// ```
    /// let ppt = midrib::learn::method("ppt")?.description();
    /// assert_eq!(ppt["name"], "ppt");
    /// assert!(ppt["schema"]["properties"]["bandwidth"].is_object());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn description(&self) -> Value {
        let kind = self.kind();
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
            "kind": kind.as_str(),
            "has_nodes": kind.has_nodes(),
            "defaults": self.defaults(),
            "schema": self.schema(),
        })
    }
}

fn from_json<M: Method>(settings: &Value) -> Result<M> {
    serde_json::from_value(settings.clone())
        .map_err(|error| Error::Settings { method: M::NAME.into(), reason: error.to_string() })
}
