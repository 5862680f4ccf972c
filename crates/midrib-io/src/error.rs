//! What can go wrong with a file: which one, where in it, and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be read or written.
///
/// ```
/// use midrib_io::{ReadOptions, read};
/// let error = read("no-such.csv".as_ref(), &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "no-such.csv: there is no such file; check the path");
/// assert!(error.is_bad_data());
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused: no permission, a full disk, a broken connection.
    #[error("{}: {reason}", shown(.path))]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What happened, and what to do.
        reason: String,
    },
    /// One value of a table cannot be used.
    #[error("{}, {position}: {reason}; {remedy}", shown(.path))]
    Cell {
        /// The table.
        path: PathBuf,
        /// Where the value stands.
        position: CellPosition,
        /// The value, and what is wrong with it.
        reason: String,
        /// What to do.
        remedy: String,
    },
    /// A table cannot be used as it is.
    #[error("{}: {reason}", shown(.path))]
    Data {
        /// The table.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// Whoever reads our output has read enough.
    #[error("the pipe was closed")]
    ClosedPipe,
    /// A result would overwrite something.
    #[error("{}: {reason}", shown(.path))]
    Exists {
        /// The directory that is in the way.
        path: PathBuf,
        /// What it is, and what to do.
        reason: String,
    },
    /// A `model.json` cannot be used.
    #[error("{}: {reason}", shown(.path))]
    Model {
        /// The model.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// The library refused the values.
    #[error(transparent)]
    Engine(#[from] midrib::Error),
}

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The position of one value in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellPosition {
    /// The row of data, counted from 1 without the header.
    pub row: usize,
    /// The line of the file, counted from 1, where files have lines.
    pub line: Option<u64>,
    /// The column's name.
    pub column: String,
}

impl fmt::Display for CellPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}", self.row)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        write!(f, ", column {}", self.column)
    }
}

impl Error {
    /// Whether the given data are at fault, rather than the machine or the call.
    pub fn is_bad_data(&self) -> bool {
        match self {
            Self::Cell { .. } | Self::Data { .. } | Self::Model { .. } => true,
            Self::File { .. } | Self::ClosedPipe | Self::Exists { .. } => false,
            Self::Engine(error) => {
                matches!(
                    error,
                    midrib::Error::Data(_)
                        | midrib::Error::Incomplete(_)
                        | midrib::Error::NotTaken { .. }
                        | midrib::Error::Shape { .. }
                )
            }
        }
    }

    /// A table that cannot be used.
    pub(crate) fn data(path: &Path, reason: impl Into<String>) -> Self {
        Self::Data { path: path.into(), reason: reason.into() }
    }

    /// A model that cannot be used.
    pub(crate) fn model(path: &Path, reason: impl Into<String>) -> Self {
        Self::Model { path: path.into(), reason: reason.into() }
    }

    /// A failed reading of `path`.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                Self::data(path, "there is no such file; check the path")
            }
            io::ErrorKind::IsADirectory => {
                Self::data(path, "is a directory; name the file in it that holds the table")
            }
            io::ErrorKind::UnexpectedEof => {
                Self::data(path, "ends too early; is the file complete?")
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                Self::data(path, format!("is damaged ({error}); is the file complete?"))
            }
            _ => Self::File { path: path.into(), reason: format!("cannot be read: {error}") },
        }
    }

    /// A failed writing of `path`.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::ClosedPipe;
        }
        let path = if path == Path::new("-") { Path::new("standard output") } else { path };
        let remedy = match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => "; free some space or write to another directory",
            io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory => "; choose a directory that you may write to",
            io::ErrorKind::InvalidFilename => "; choose a shorter name",
            _ => "",
        };
        let cause = error.to_string();
        let cause = without_temporary(&cause);
        Self::File { path: path.into(), reason: format!("cannot be written: {cause}{remedy}") }
    }
}

/// What the operating system said, without the name of a temporary file that tempfile puts behind.
fn without_temporary(cause: &str) -> &str {
    cause.split_once(" at path \"").map_or(cause, |(cause, _)| cause)
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}
