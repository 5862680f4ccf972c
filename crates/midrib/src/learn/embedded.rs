//! What embeddings without a graph share: all of [`Method`] but their facts and their step from
//! points or distances to coordinates.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::choices::NodeCount;
use super::equal_weights::rows_with_equal_weight;
use super::given::Given;
use super::method::{Method, Promises, to_value};
use super::result::{Choice, End, Fit};
use crate::distances::Distances;
use crate::embed::{Embedded, NEIGHBORS, Source};
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::object::{Embedding, EmbeddingObject, EmbeddingRule, Kind, Object};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud, Points, all_rows};

/// A method that embeds points or their distances, without a graph.
pub(super) trait Embeds:
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
    /// Whether points may have weights.
    const WEIGHTS: bool = false;
    /// How many numbers it keeps per point, beside the columns.
    const HELD: usize;

    /// The number of coordinates.
    fn n_components(&self) -> usize;

    /// The fewest columns that points need.
    fn min_columns(&self) -> usize {
        1
    }

    /// Refuses values that no fit can use.
    fn check(&self) -> Result<()>;

    /// Embeds what the source holds.
    fn embed(
        &self,
        source: &Source<'_>,
        weights: &[f64],
        watch: &mut dyn Observer,
    ) -> Result<Learned>;
}

impl<E: Embeds> Method for E {
    const NAME: &'static str = E::NAME;
    const CLASS: &'static str = E::CLASS;
    const SUMMARY: &'static str = E::SUMMARY;
    const CITATION: &'static str = E::CITATION;
    const WEIGHTS: bool = E::WEIGHTS;
    const START: bool = false;
    const DISTANCES: bool = true;
    const EMBEDS: bool = true;

    fn kind(&self) -> Kind {
        Kind::Embedding { with_graph: false }
    }

    fn promises(&self) -> Promises {
        // Coordinates do not move with the points, and rows keep their order.
        Promises {
            cost_falls: true,
            any_row_order: false,
            rigid_motions: false,
            scaling: false,
            weights_as_repeats: false,
            tree: false,
        }
    }

    fn check(&self) -> Result<()> {
        Embeds::check(self)
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn min_columns(&self) -> usize {
        Embeds::min_columns(self)
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        check_columns(self.n_components(), Embeds::min_columns(self), points.dims())?;
        let points = all_rows(points, <Self as Method>::NAME, points.dims() + E::HELD)?;
        of_points(self, &points, watch)
    }

    fn learn_distances(
        &self,
        distances: &Distances,
        _: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        of_distances(self, distances, watch)
    }
}

/// An embedding, and how it was found.
pub(super) struct Learned {
    pub embedded: Embedded,
    pub choices: Vec<Choice>,
    pub trace: Vec<f64>,
    pub iterations: usize,
    pub end: End,
}

impl Learned {
    /// An embedding that takes one step, before which the observer may interrupt.
    pub fn at_once(
        watch: &mut dyn Observer,
        choices: Vec<Choice>,
        embed: impl FnOnce() -> Result<Embedded>,
    ) -> Result<Self> {
        let progress = Progress { stage: "embedding", done: 0, of: 1, objective: None };
        let end = match watch.progress(progress) {
            ControlFlow::Continue(()) => End::Converged,
            ControlFlow::Break(()) => End::Interrupted,
        };
        Ok(Self { embedded: embed()?, choices, trace: Vec::new(), iterations: 1, end })
    }
}

/// Embeds the points of positive weight; the others get their coordinates like new points. Methods
/// without weights refuse those that differ.
fn of_points<E: Embeds>(method: &E, points: &Points<'_>, watch: &mut dyn Observer) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let rows = match E::WEIGHTS {
        true => (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect(),
        false => rows_with_equal_weight(&cloud, E::NAME)?,
    };
    let weights: Vec<f64> = match E::WEIGHTS {
        true => rows.iter().map(|&i| points.weight(i)).collect(),
        false => vec![1.0; rows.len()],
    };
    let learned = method.embed(&Source::of_rows(&cloud, &rows)?, &weights, watch)?;
    let kept: Vec<usize> = match &learned.embedded.kept {
        Some(kept) => kept.iter().map(|&at| rows[at]).collect(),
        None => rows,
    };
    let Some(rule) = &learned.embedded.rule else {
        return Err(Error::Numerical(format!("{} has no rule for new points", E::NAME)));
    };
    let mut coordinates = Matrix::zeros(points.len(), learned.embedded.coordinates.n_cols());
    for (&row, z) in kept.iter().zip(learned.embedded.coordinates.rows()) {
        coordinates.row_mut(row).copy_from_slice(z);
    }
    let others: Vec<usize> =
        (0..points.len()).filter(|row| kept.binary_search(row).is_err()).collect();
    if !others.is_empty() {
        let found = rule.transform(&points.select(&others, vec![1.0; others.len()])?)?;
        for (&row, z) in others.iter().zip(found.rows()) {
            coordinates.row_mut(row).copy_from_slice(z);
        }
    }
    Ok(fit(method, learned, coordinates))
}

/// Embeds distances.
fn of_distances<E: Embeds>(
    method: &E,
    distances: &Distances,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let source = Source::of_distances(distances)?;
    let mut learned = method.embed(&source, &vec![1.0; distances.len()], watch)?;
    let coordinates = std::mem::replace(&mut learned.embedded.coordinates, Matrix::zeros(0, 0));
    Ok(fit(method, learned, coordinates))
}

fn fit<E: Embeds>(method: &E, learned: Learned, coordinates: Matrix) -> Fit {
    let Learned { embedded, mut choices, trace, iterations, end } = learned;
    let chosen = embedded.chosen.map(|(setting, value)| {
        Choice::new(setting, value, "one over a typical squared distance of the points")
    });
    choices.extend(chosen);
    let rule = embedded
        .rule
        .map_or(EmbeddingRule::TrainingOnly, |rule| EmbeddingRule::Reference(Box::new(rule)));
    let embedding = Embedding { coordinates, nodes: None, rule };
    Fit {
        method: E::NAME,
        object: Object::Embedding(EmbeddingObject { embedding, graph: None }),
        trace,
        iterations,
        end,
        settings: to_value(method),
        choices,
        tuning: None,
        notes: embedded.notes,
    }
}

/// The number of neighbors among `n` points, and the choice where it was left open.
pub(super) fn n_neighbors(wanted: NodeCount, n: usize) -> (usize, Vec<Choice>) {
    let most = n.saturating_sub(1);
    match wanted {
        NodeCount::Auto => {
            let count = NEIGHBORS.min(most).max(1);
            (count, vec![Choice::new("n_neighbors", count, "neighbors of each point")])
        }
        NodeCount::All => (most, Vec::new()),
        NodeCount::Exactly(count) => (count, Vec::new()),
    }
}

/// Refuses an embedding without coordinates.
pub(super) fn check_components(n_components: usize) -> Result<()> {
    match n_components {
        0 => Err(Error::setting("n_components", 0, "must be at least 1")),
        _ => Ok(()),
    }
}

/// Refuses points in too few columns for so many components.
fn check_columns(n_components: usize, least: usize, columns: usize) -> Result<()> {
    if columns >= least {
        return Ok(());
    }
    let columns = if columns == 1 { "1 column".into() } else { format!("{columns} columns") };
    let reason = format!("the points have only {columns}: give at most that many components");
    Err(Error::setting("n_components", n_components, reason))
}
