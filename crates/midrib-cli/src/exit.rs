//! Exit codes, and the message on the way out.

use std::fmt::Display;
use std::process::ExitCode;

use clap::error::ErrorKind;
use midrib_tasks::{Error, Kind};

use crate::spelling::{flag, with_flags};

/// Everything went well.
pub const OK: u8 = 0;
/// Something outside the input went wrong: a full disk, numbers that break down.
pub const RUNTIME: u8 = 1;
/// The command line is not valid.
pub const USAGE: u8 = 2;
/// The data cannot be used.
pub const BAD_DATA: u8 = 3;
/// `--strict` and not converged.
pub const NOT_CONVERGED: u8 = 4;
/// Stopped by Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Why a command ends early.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
    /// Whether settings in the message are to be spelled as flags.
    names_settings: bool,
}

pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into(), names_settings: false }
    }

    fn silent(code: u8) -> Self {
        Self { code, message: String::new(), names_settings: false }
    }

    /// Prints the message, if there is one, to stderr, in the form of wrong arguments; `spell` writes
    /// its settings as flags.
    pub fn report(self, spell: fn(&str) -> String) -> ExitCode {
        if !self.message.is_empty() {
            let message = if self.names_settings { spell(&self.message) } else { self.message };
            let message = format!("{message}\n");
            let _ = clap::Error::raw(ErrorKind::Io, message).print();
        }
        ExitCode::from(self.code)
    }

    /// The same failure, with what is at fault in front.
    pub fn within(self, what: impl Display) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            Kind::Usage => USAGE,
            Kind::BadData => BAD_DATA,
            Kind::Runtime => RUNTIME,
            Kind::Interrupted => INTERRUPTED,
            Kind::ClosedPipe => return Self::silent(OK),
        };
        let message = match &error {
            Error::Engine(midrib::Error::Setting { name, value, remedy }) => {
                format!("{} {value}: {}", flag(name), with_flags(remedy, name))
            }
            Error::Location { setting, location, reason } => {
                format!("{} {location}: {reason}", flag(setting))
            }
            _ => error.to_string(),
        };
        Self { code, message, names_settings: true }
    }
}

impl From<midrib::Error> for Failure {
    fn from(error: midrib::Error) -> Self {
        Error::from(error).into()
    }
}

impl From<midrib_io::Error> for Failure {
    fn from(error: midrib_io::Error) -> Self {
        Error::from(error).into()
    }
}

/// Help and version are answers.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let _ = error.print();
        let code = if error.use_stderr() { USAGE } else { OK };
        Self::silent(code)
    }
}

/// Answers that stdout did not take; a reader that closed the pipe has read enough.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return Self::silent(OK);
        }
        let message = format!("standard output: cannot be written: {error}");
        Self { code: RUNTIME, message, names_settings: false }
    }
}
