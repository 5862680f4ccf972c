//! What a user hears while a task runs, and how settings are named to that user.

use midrib::{Observer, Silent};

/// Watches a task: progress and cancellation, and what the user should know.
///
/// ```
/// use std::ops::ControlFlow;
/// use midrib::{Observer, Progress};
/// use midrib_tasks::Listener;
/// #[derive(Default)]
/// struct Notes(Vec<String>);
/// impl Observer for Notes {
///     fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> { ControlFlow::Continue(()) }
/// }
/// impl Listener for Notes {
///     fn note(&mut self, text: &str) { self.0.push(text.to_owned()); }
/// }
/// let mut notes = Notes::default();
/// notes.note("3 points in 2 columns");
/// assert_eq!(notes.0.len(), 1);
/// ```
pub trait Listener: Observer {
    /// Something the user should know.
    fn note(&mut self, text: &str);

    /// Something the user may want to know.
    fn detail(&mut self, text: &str) {
        let _ = text;
    }

    /// A long step begins: progress follows.
    fn begin(&mut self) {}

    /// The long step is over.
    fn finish(&mut self) {}

    /// How settings are named in sentences.
    fn wording(&self) -> Wording {
        Wording::NAMES
    }
}

impl Listener for Silent {
    fn note(&mut self, _: &str) {}
}

/// How sentences name settings: `max_iter` in Rust and Python, `--max-iter` on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Wording {
    /// A setting on its own.
    pub setting: fn(&str) -> String,
    /// A setting with its value.
    pub value: fn(&str, &str) -> String,
    /// A sentence that names settings.
    pub text: fn(&str) -> String,
}

impl Wording {
    /// The settings' own names.
    pub const NAMES: Self = Self {
        setting: str::to_owned,
        value: |setting, value| format!("{setting} = {value}"),
        text: str::to_owned,
    };
}
