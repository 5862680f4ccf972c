//! What embeddings without a graph share: from points or distances to the result.

use std::ops::ControlFlow;

use serde_json::Value;

use super::choices::NodeCount;
use super::equal_weights::rows_with_equal_weight;
use super::result::{Choice, End, Fit};
use crate::distances::Distances;
use crate::embed::{Embedded, NEIGHBORS, Source};
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::object::{Embedding, EmbeddingObject, EmbeddingRule, Object};
use crate::observe::{Observer, Progress};
use crate::points::{Cloud, Points};

/// A method as its result names it.
pub(super) struct Named {
    pub method: &'static str,
    pub settings: Value,
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

/// Embeds the points of positive weight; the others get their coordinates like new points. `embed`
/// gets the weights; methods without weights refuse those that differ.
pub(super) fn of_points(
    named: Named,
    weighted: bool,
    points: &Points<'_>,
    embed: impl FnOnce(&Source<'_>, &[f64]) -> Result<Learned>,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let rows = match weighted {
        true => (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect(),
        false => rows_with_equal_weight(&cloud, named.method)?,
    };
    let weights: Vec<f64> = match weighted {
        true => rows.iter().map(|&i| points.weight(i)).collect(),
        false => vec![1.0; rows.len()],
    };
    let learned = embed(&Source::of_rows(&cloud, &rows)?, &weights)?;
    let kept: Vec<usize> = match &learned.embedded.kept {
        Some(kept) => kept.iter().map(|&at| rows[at]).collect(),
        None => rows,
    };
    let Some(rule) = &learned.embedded.rule else {
        return Err(Error::Numerical(format!("{} has no rule for new points", named.method)));
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
    Ok(fit(named, learned, coordinates))
}

/// Embeds distances.
pub(super) fn of_distances(
    named: Named,
    distances: &Distances,
    embed: impl FnOnce(&Source<'_>, &[f64]) -> Result<Learned>,
) -> Result<Fit> {
    let source = Source::of_distances(distances)?;
    let mut learned = embed(&source, &vec![1.0; distances.len()])?;
    let coordinates = std::mem::replace(&mut learned.embedded.coordinates, Matrix::zeros(0, 0));
    Ok(fit(named, learned, coordinates))
}

fn fit(named: Named, learned: Learned, coordinates: Matrix) -> Fit {
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
        method: named.method,
        object: Object::Embedding(EmbeddingObject { embedding, graph: None }),
        trace,
        iterations,
        end,
        settings: named.settings,
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
pub(super) fn check_columns(n_components: usize, least: usize, columns: usize) -> Result<()> {
    if columns >= least {
        return Ok(());
    }
    let columns = if columns == 1 { "1 column".into() } else { format!("{columns} columns") };
    let reason = format!("the points have only {columns}: give at most that many components");
    Err(Error::setting("n_components", n_components, reason))
}
