//! A learned graph that was changed, written like a fit: what pruning and simplifying share.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib::measure::explained;
use midrib_io::{Model, Run, read_projected_points};

use crate::error::Result;
use crate::listener::Listener;
use crate::open::{TrainingRequest, TrainingTable};
use crate::report::ResultPoints;
use crate::save::{SaveRequest, save};
use crate::summary::{Summary, summarize};

/// Results to change, and where to write them.
#[derive(Clone, Debug)]
pub struct RewriteRequest<'a> {
    /// The results, and the table that they were learned from.
    pub training: TrainingRequest<'a>,
    /// The directory to write.
    pub output: PathBuf,
    /// Whether results that are already there are replaced.
    pub force: bool,
    /// The command that the user typed; empty if there was none.
    pub command: String,
}

/// Results that were changed and written.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The changed model.
    pub model: Model,
    /// Its figures.
    pub summary: Summary,
}

/// Writes a model whose graph was changed; without a table, no points.csv. `before` is the model as
/// it was.
pub fn rewrite(
    request: &RewriteRequest<'_>,
    before: &Model,
    mut model: Model,
    table: Option<&TrainingTable>,
    listener: &mut dyn Listener,
) -> Result<Rewritten> {
    let known = match (table, &before.root[..]) {
        (Some(table), [_, ..]) => former_spread(request.training.results, before, &table.points),
        _ => None,
    };
    let is_same = before.graph()? == model.graph()?;
    let spread = known.as_deref().filter(|_| is_same);
    if known.is_some() && spread.is_none() {
        listener.note("The graph changed; rerun `midrib bootstrap` to update pseudotime_sd.");
    }
    if model.root.len() < before.root.len() {
        listener.note("a root was removed; choose another with `midrib root`");
    }
    if before.support.is_some() && model.support.is_none() {
        listener.note("some edges are new: rerun `midrib bootstrap` to find their support");
    }
    model.run = Some(Run::new(request.command.clone(), None));
    let located = match table {
        Some(table) => Some(model.object.locate(&table.points)?),
        None => None,
    };
    let located = table.zip(located.as_ref());
    model.explained = match located {
        Some((TrainingTable { points, .. }, located)) => {
            let away = located.mean_squared_distance(points)?;
            away.and_then(|away| explained(away, points))
        }
        None => None,
    };
    let points = located.map(|(table, located)| ResultPoints {
        pseudotime_sd: spread,
        table: Some(&table.drawn),
        ..ResultPoints::new(&table.points, located, &table.labels)
    });
    let summary = summarize(&model)?;
    save(&SaveRequest {
        directory: &request.output,
        force: request.force,
        model: &model,
        summary: &summary,
        points,
        wording: listener.wording(),
    })?;
    Ok(Rewritten { model, summary })
}

/// The spread of pseudotime that the results hold for these points, if any.
fn former_spread(results: &Path, model: &Model, points: &Points<'_>) -> Option<Vec<f64>> {
    let before = read_projected_points(results, model).ok()?;
    let are_same = before.ids.len() == points.len()
        && before.ids.iter().enumerate().all(|(i, id)| *id == points.id(i));
    before.pseudotime_sd.filter(|_| are_same)
}
