//! The trait of every method.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::given::Given;
use super::result::Fit;
use crate::distances::Distances;
use crate::error::{Error, Extra, Result};
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
pub trait Method:
    Default + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static
{
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

    /// Refuses whatever the method does not take.
    fn check_given(given: &Given<'_>) -> Result<()> {
        let refuse = |what, reason: &str| {
            Err(Error::NotTaken { method: Self::NAME.into(), what, reason: reason.into() })
        };
        if !Self::PAIRS && given.pairs.is_some() {
            return refuse(Extra::Pairs, "no pairs of points: leave them out");
        }
        if !Self::START_GRAPH && given.start_graph.is_some() {
            return refuse(
                Extra::StartGraph,
                "only the positions of starting nodes: leave out their edges, pins and moduli",
            );
        }
        if !Self::LINKS && !given.links.is_empty() {
            return refuse(Extra::Links, "no links: leave them out");
        }
        if !Self::START && given.start.is_some() {
            return refuse(Extra::Start, "no starting nodes: leave them out");
        }
        Ok(())
    }

    /// Learns from points, and from what else is given: what [`Method::fit`] runs once settings and
    /// whatever is given are checked.
    fn learn(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer)
    -> Result<Fit>;

    /// Learns from pairwise distances, if [`Method::DISTANCES`] says so: what
    /// [`Method::fit_distances`] runs after the same checks.
    fn learn_distances(&self, _: &Distances, _: Given<'_>, _: &mut dyn Observer) -> Result<Fit> {
        Err(Error::data(format!("{} needs points, not their distances", Self::NAME)))
    }

    /// Checks the settings and whatever is given, and learns from points.
    fn fit(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        self.check()?;
        Self::check_given(&given)?;
        self.learn(points, given, watch)
    }

    /// Checks the settings and whatever is given, and learns from pairwise distances.
    fn fit_distances(
        &self,
        distances: &Distances,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        self.check()?;
        Self::check_given(&given)?;
        self.learn_distances(distances, given, watch)
    }
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
