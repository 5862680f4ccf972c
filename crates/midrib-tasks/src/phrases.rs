//! Phrases about a learned object that both terminals and reports show.

use midrib::learn::{End, method};
use midrib::prepare::Transform;
use midrib_io::{Model, More, Origin};

use crate::listener::Wording;
use crate::text::{count, percent};

/// A graph that explains less of the variance is reported.
const LITTLE: f64 = 0.2;

/// What at least this share of the replicas have is reported.
const MANY: f64 = 0.1;

/// Reports nodes without an edge, if there are any.
pub fn lone_note(lone_nodes: usize) -> Option<String> {
    (lone_nodes > 0)
        .then(|| format!("nodes without an edge, each a component of its own: {lone_nodes}"))
}

/// Reports a graph that explains little.
pub fn little_explained(model: &Model, wording: Wording) -> Option<String> {
    let share = model.explained.filter(|&share| share < LITTLE)?;
    let advice = match model.dims() {
        0..=10 => "other settings".to_owned(),
        _ => format!("a few principal components ({})", (wording.value)("pca", "5")),
    };
    Some(format!(
        "the graph explains only {}: much of the data lies away from it, or has no shape that a \
         graph could follow; {advice} or another {} may show one",
        percent(share),
        (wording.setting)("method"),
    ))
}

/// The variance that shares refer to: that of the columns, or of what was made of these.
pub fn variance(model: &Model) -> String {
    match components(model) {
        _ if has_embedding(model) => "embedding's variance".into(),
        Some((n, _)) => format!("variance of {}", count(n, "component", "components")),
        None if has_kernel(model) => "kernel's variance".into(),
        None => "variance".into(),
    }
}

/// How much of the variance the components hold, where there are some.
pub fn variance_held(model: &Model) -> Option<String> {
    let (n, share) = components(model)?;
    let hold = if n == 1 { "the component holds" } else { "the components hold" };
    let of = if has_kernel(model) { "kernel's" } else { "columns'" };
    Some(format!("{hold} {} of the {of} variance", percent(share)))
}

/// How many principal components were learned from, and the share of the variance that they hold.
pub fn components(model: &Model) -> Option<(usize, f64)> {
    let shares = &model.input.prepare.as_ref()?.pca.as_ref()?.shares;
    Some((shares.len(), shares.iter().sum()))
}

/// What many replicas have that the graph lacks: its support says nothing about that.
pub fn lacking(replicas: usize, more: &More) -> Option<String> {
    let parts = [(more.tips, "tips"), (more.loops, "loops"), (more.components, "components")];
    let found: Vec<String> = parts
        .iter()
        .filter(|(n, _)| *n as f64 >= MANY * replicas as f64 && *n > 0)
        .map(|(n, what)| format!("{n} of {replicas} replicas have more {what}"))
        .collect();
    (!found.is_empty()).then(|| format!("{} than the graph", found.join(", ")))
}

/// The share of the table's variance that prepared points hold, and what that is called: shares of
/// their own components are multiplied by it. An embedding has a variance of its own.
pub fn share_of_table(prepare: Option<&Transform>) -> (f64, &'static str) {
    let held = |transform: &Transform| transform.pca.as_ref().map(|pca| pca.shares.iter().sum());
    match prepare {
        Some(transform) if transform.embed.is_some() => (1.0, "embedding's variance"),
        Some(transform) if transform.kernel.is_some() => {
            (held(transform).unwrap_or(1.0), "kernel's variance")
        }
        transform => (transform.and_then(held).unwrap_or(1.0), "variance"),
    }
}

fn has_embedding(model: &Model) -> bool {
    model.input.prepare.as_ref().is_some_and(|prepare| prepare.embed.is_some())
}

fn has_kernel(model: &Model) -> bool {
    model.input.prepare.as_ref().is_some_and(|prepare| prepare.kernel.is_some())
}

/// How a fit came to its end, as summaries say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// There was no fit: it is the true graph of generated points.
    Truth,
    /// There was no fit: the graph was given.
    Given,
    /// It grew as far as it should.
    Grown,
    /// The objective settled.
    Converged,
    /// All sweeps ran, as the tolerance is 0.
    AllSweeps,
    /// There were not enough sweeps.
    NotConverged,
    /// Rounding stopped it.
    Stalled,
    /// Its ceilings stopped it.
    Ceiling,
    /// The user stopped it.
    Interrupted,
}

impl Ending {
    /// How the fit of a model ended.
    pub fn of(model: &Model) -> Self {
        let grows = step(model) == "step";
        match model.end {
            Origin::Truth => Self::Truth,
            Origin::Given => Self::Given,
            Origin::Learned(End::Converged) if grows => Self::Grown,
            Origin::Learned(End::Converged) => Self::Converged,
            Origin::Learned(End::MaxIter) if !grows && model.settings["tol"] == 0.0 => {
                Self::AllSweeps
            }
            Origin::Learned(End::MaxIter) => Self::NotConverged,
            Origin::Learned(End::Stalled) => Self::Stalled,
            Origin::Learned(End::Ceiling) => Self::Ceiling,
            Origin::Learned(End::Interrupted) => Self::Interrupted,
        }
    }

    /// In two or three words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Truth => "true graph",
            Self::Given => "ended",
            Self::Grown => "grown",
            Self::Converged => "converged",
            Self::AllSweeps => "all sweeps run",
            Self::NotConverged => "not converged",
            Self::Stalled => "stalled by rounding",
            Self::Ceiling => "stopped by its ceilings",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What an iteration of the method is called: `sweep` or `step`.
pub fn step(model: &Model) -> &'static str {
    method(&model.method).map_or("sweep", |entry| entry.step)
}

/// How many iterations the method took.
pub fn steps(model: &Model) -> String {
    count(model.n_iter, step(model), &format!("{}s", step(model)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_replicas_have_beyond_the_graph_is_said() {
        let more = More { tips: 27, loops: 0, components: 1 };
        assert_eq!(
            lacking(40, &more).as_deref(),
            Some("27 of 40 replicas have more tips than the graph")
        );
        assert_eq!(lacking(40, &More { tips: 3, ..more }), None);
    }
}
