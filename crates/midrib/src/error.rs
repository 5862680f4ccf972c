//! The one error of the library: what was wrong, where, and what to do about it.

use thiserror::Error;

/// Why a call could not give a result.
///
/// Not reaching convergence is not an error: see [`End`](crate::learn::End).
///
/// ```
/// use midrib::Error;
/// let error = Error::setting("bandwidth", -1.0, "must be positive");
/// assert_eq!(error.to_string(), "bandwidth = -1: must be positive");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting has a value that no fit can use.
    #[error("{name} = {value}: {remedy}")]
    Setting {
        /// The setting's public name.
        name: String,
        /// The value that was given.
        value: String,
        /// What it must be instead.
        remedy: String,
    },
    /// The settings as a whole could not be read, for example an unknown key in JSON.
    #[error("settings of {method}: {reason}")]
    Settings {
        /// The method whose settings were read.
        method: String,
        /// What is wrong with them, and what to do.
        reason: String,
    },
    /// No method has this name.
    #[error("unknown method \"{name}\"{}; known methods: {known}", suggestion(.nearest))]
    UnknownMethod {
        /// The requested name.
        name: String,
        /// The nearest known name, if one is near.
        nearest: Option<String>,
        /// All known names.
        known: String,
    },
    /// The points cannot be used as they are.
    #[error("{0}")]
    Data(String),
    /// The points have missing values, and the method takes none.
    #[error("{0}")]
    Incomplete(String),
    /// A method was given what it has no use for.
    #[error("{method} takes {reason}")]
    NotTaken {
        /// The method.
        method: String,
        /// What it does not take.
        what: Extra,
        /// What it takes instead, and what to do.
        reason: String,
    },
    /// Two inputs that belong together have different shapes.
    #[error("{what}: expected {expected}, found {found}")]
    Shape {
        /// What was being matched.
        what: String,
        /// The shape that was needed.
        expected: String,
        /// The shape that was given.
        found: String,
    },
    /// The arithmetic broke down on admissible input.
    #[error("{0}")]
    Numerical(String),
    /// A source of points could not be read.
    #[error("{source_name}: {reason}")]
    Read {
        /// What could not be read, for example a file.
        source_name: String,
        /// Why.
        reason: String,
    },
    /// The rows of a source do not fit in memory all at once.
    #[error("{0}")]
    Memory(String),
    /// An observer stopped what has no result half way.
    #[error("{0}")]
    Interrupted(String),
}

/// What a method can be given beside points and settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// Starting nodes.
    Start,
    /// Starting nodes with edges.
    StartGraph,
    /// Edges that must or cannot be in the graph.
    Links,
    /// The only pairs of points that an edge may join.
    Pairs,
    /// Points that weigh more than others.
    Weights,
}

/// Shorthand for results of this library.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A setting with an unusable value.
    pub fn setting(name: &str, value: impl ToString, remedy: impl Into<String>) -> Self {
        Self::Setting { name: name.into(), value: value.to_string(), remedy: remedy.into() }
    }

    /// Points that cannot be used.
    pub fn data(reason: impl Into<String>) -> Self {
        Self::Data(reason.into())
    }

    /// A source of points that could not be read.
    ///
    /// ```
    /// use midrib::Error;
    /// let error = Error::read("cells.npy", "connection reset");
    /// assert_eq!(error.to_string(), "cells.npy: connection reset");
    /// ```
    pub fn read(source: impl Into<String>, reason: impl ToString) -> Self {
        Self::Read { source_name: source.into(), reason: reason.to_string() }
    }

    /// Inputs whose shapes do not belong together.
    pub fn shape(what: &str, expected: impl ToString, found: impl ToString) -> Self {
        Self::Shape { what: what.into(), expected: expected.to_string(), found: found.to_string() }
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean \"{name}\"?"))
}
