//! What a fit returns, whatever the method.

use serde::Serialize;
use serde_json::{Map, Value};

use super::choices::ComponentCount;
use super::tuning::Tuning;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::object::Object;

/// Why a fit stopped. Not converged is a result, not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The objective fell by less than the tolerance.
    Converged,
    /// `max_iter` sweeps were done.
    MaxIter,
    /// The objective rose, which only rounding can cause: the nodes before that are kept.
    Stalled,
    /// A limit on the graph allowed no further change before it had all its nodes.
    Ceiling,
    /// The observer asked for a stop: this is the best so far.
    Interrupted,
}

impl End {
    /// Its name in model.json.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::MaxIter => "max_iter",
            Self::Stalled => "stalled",
            Self::Ceiling => "ceiling",
            Self::Interrupted => "interrupted",
        }
    }

    /// The end of this name.
    ///
    /// ```
    /// use midrib::learn::End;
    /// assert_eq!(End::named("max_iter"), Some(End::MaxIter));
    /// assert_eq!(End::named("tired"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Converged, Self::MaxIter, Self::Stalled, Self::Ceiling, Self::Interrupted];
        all.into_iter().find(|end| end.as_str() == name)
    }
}

/// A value that midrib chose, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// The setting that overrides it.
    pub setting: &'static str,
    /// What was chosen.
    pub value: Value,
    /// Why this value, for a sentence.
    pub reason: String,
}

/// A number rounded to four digits, for a sentence.
pub(super) fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

impl Choice {
    /// A value for a setting that was left open.
    pub fn new(setting: &'static str, value: impl Into<Value>, reason: impl Into<String>) -> Self {
        Self { setting, value: value.into(), reason: reason.into() }
    }

    /// The number of nodes: the method's default, or a third of the points if that is less.
    pub(super) fn of_nodes(count: usize, default: usize, points: usize) -> Self {
        let reason = match count == default {
            true => "the default".into(),
            false => format!("a third of the {points} points"),
        };
        Self::new("n_nodes", count, reason)
    }

    /// The number of latent dimensions, where it was left open or given as a share.
    pub(super) fn of_components(wanted: ComponentCount, found: usize) -> Option<Self> {
        let reason = match wanted {
            ComponentCount::Auto => "latent dimensions of the embedding".into(),
            ComponentCount::Share(share) => {
                format!("principal components that hold {share} of the variance")
            }
            ComponentCount::Exactly(_) => return None,
        };
        Some(Self::new("n_components", found, reason))
    }
}

/// What was learned, and how.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The method's name.
    pub method: &'static str,
    /// What was learned, in the coordinates of the points.
    pub object: Object,
    /// The objective at the start and after each iteration, before tips are tidied; from the first
    /// iteration on where there is none at the start; empty for methods without an objective.
    pub trace: Vec<f64>,
    /// The number of sweeps, steps or rounds.
    pub iterations: usize,
    /// Why the fit stopped.
    pub end: End,
    /// The settings as given, with defaults filled in.
    pub settings: Value,
    /// What was chosen automatically.
    pub choices: Vec<Choice>,
    /// How the graph changes with the setting that shapes it most, where that was scanned.
    pub tuning: Option<Tuning>,
    /// What else the reader of the result should know, in sentences.
    pub notes: Vec<String>,
}

impl Fit {
    /// The objective after the last iteration; NaN for methods without one.
    pub fn objective(&self) -> f64 {
        self.trace.last().copied().unwrap_or(f64::NAN)
    }

    /// The nodes and edges; refused where the object has none.
    pub fn graph(&self) -> Result<&PrincipalGraph> {
        self.object.require_graph("this")
    }

    /// The seed of the random numbers; 0 for methods that draw none.
    pub fn seed(&self) -> u64 {
        self.settings["seed"].as_u64().unwrap_or_default()
    }

    /// What was chosen automatically, by the name of the setting.
    pub fn chosen(&self) -> Map<String, Value> {
        let choices = self.choices.iter();
        choices.map(|choice| (choice.setting.to_owned(), choice.value.clone())).collect()
    }
}
