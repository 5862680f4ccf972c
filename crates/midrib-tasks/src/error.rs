//! Why a task fails, and what kind of failure that is for every door.

use std::path::Path;

use crate::text::shown;

/// Why a task could not give a result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The request is not valid.
    #[error("{0}")]
    Usage(String),
    /// The data or results cannot be used.
    #[error("{0}")]
    Data(String),
    /// Something outside the input went wrong.
    #[error("{0}")]
    Runtime(String),
    /// A location on a graph cannot be found.
    #[error("{location}: {reason}")]
    Location {
        /// The setting that named it, for example `root`; empty where that is not known.
        setting: &'static str,
        /// What was asked for.
        location: String,
        /// Why it cannot be found, and what to do.
        reason: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(midrib_io::Error),
    /// The library refused the values.
    #[error(transparent)]
    Engine(#[from] midrib::Error),
}

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure an error is: the command line has an exit code for each, Python an
/// exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The request is not valid: a wrong setting, a file that is in the way.
    Usage,
    /// The data cannot be used.
    BadData,
    /// The machine or the arithmetic failed.
    Runtime,
    /// An observer stopped the work before there was a result.
    Interrupted,
    /// Whoever reads the output has read enough.
    ClosedPipe,
}

impl From<midrib_io::Error> for Error {
    fn from(error: midrib_io::Error) -> Self {
        match error {
            midrib_io::Error::Engine(error) => Self::Engine(error),
            other => Self::File(other),
        }
    }
}

impl Error {
    /// A request that is not valid.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// Data that cannot be used.
    pub fn data(message: impl Into<String>) -> Self {
        Self::Data(message.into())
    }

    /// The same error, of a location that this setting named.
    pub fn of_setting(self, named: &'static str) -> Self {
        match self {
            Self::Location { location, reason, .. } => {
                Self::Location { setting: named, location, reason }
            }
            other => other,
        }
    }

    /// What kind of failure this is.
    ///
    /// ```
    /// use midrib_tasks::{Error, Kind};
    /// assert_eq!(Error::usage("give a root").kind(), Kind::Usage);
    /// assert_eq!(Error::from(midrib::Error::data("no rows")).kind(), Kind::BadData);
    /// ```
    pub fn kind(&self) -> Kind {
        use midrib::Error as Engine;
        use midrib_io::Error as Io;
        match self {
            Self::Usage(_)
            | Self::Location { .. }
            | Self::File(Io::Exists { .. })
            | Self::Engine(
                Engine::Setting { .. } | Engine::Settings { .. } | Engine::UnknownMethod { .. },
            ) => Kind::Usage,
            Self::File(Io::ClosedPipe) => Kind::ClosedPipe,
            Self::Engine(Engine::Interrupted(_)) => Kind::Interrupted,
            Self::Data(_)
            | Self::Engine(
                Engine::Data(_)
                | Engine::Incomplete(_)
                | Engine::NotTaken { .. }
                | Engine::Shape { .. },
            ) => Kind::BadData,
            Self::File(error) if error.is_bad_data() => Kind::BadData,
            Self::File(_) | Self::Engine(_) | Self::Runtime(_) => Kind::Runtime,
        }
    }

    /// The same failure with what is at fault in front.
    pub fn within(self, what: &str) -> Self {
        let message = format!("{what}: {self}");
        match self.kind() {
            Kind::Usage => Self::Usage(message),
            Kind::BadData => Self::Data(message),
            Kind::Runtime => Self::Runtime(message),
            Kind::Interrupted | Kind::ClosedPipe => self,
        }
    }

    /// The same failure with the table that is at fault in front; other failures as they are.
    pub fn of_table(self, path: &Path) -> Self {
        match self.kind() {
            Kind::BadData => self.within(&shown(path)),
            _ => self,
        }
    }
}
