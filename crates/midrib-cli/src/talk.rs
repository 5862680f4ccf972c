//! Talk goes to stderr, answers to stdout.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use midrib::{Observer, Progress};
use midrib_tasks::{Listener, Wording};

use crate::args::TalkArgs;
use crate::exit::{INTERRUPTED, Outcome};
use crate::flags::{as_flag, note_with_flags};

/// Says things on stderr as loudly as was asked for.
#[derive(Clone, Debug)]
pub struct Talk {
    args: TalkArgs,
}

impl Talk {
    pub fn new(args: &TalkArgs) -> Self {
        Self { args: args.clone() }
    }

    /// For commands that have no answer but what they write.
    pub fn unless(quiet: bool) -> Self {
        Self { args: TalkArgs { quiet, json: false, verbose: false, no_progress: true } }
    }

    pub fn json(&self) -> bool {
        self.args.json
    }

    /// Something the user should know.
    pub fn note(&self, text: impl AsRef<str>) {
        if !self.args.quiet {
            say(text.as_ref());
        }
    }

    /// Something the user may want to know.
    pub fn detail(&self, text: impl AsRef<str>) {
        if self.args.verbose {
            say(text.as_ref());
        }
    }

    /// The answer itself; silent with --quiet unless it is JSON.
    pub fn answer(&self, text: &str) -> Outcome<()> {
        if !self.args.quiet || self.args.json {
            print(text)?;
        }
        Ok(())
    }

    /// Watches a fit: a bar on a terminal, and Ctrl-C.
    pub fn watch(&self) -> Watch {
        let shown = !self.args.quiet && !self.args.no_progress && std::io::stderr().is_terminal();
        Watch {
            bar: shown.then(ProgressBar::no_length),
            stop: on_interrupt(self.clone()),
            verbose: self.args.verbose,
        }
    }
}

/// Writes a line to stderr. Nobody listening is no reason to stop.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// `1 point`, `2 points`.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Writes to stdout; a closed pipe becomes a quiet exit.
pub fn print(text: &str) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Shows progress and passes on Ctrl-C.
pub struct Watch {
    bar: Option<ProgressBar>,
    stop: Arc<AtomicBool>,
    verbose: bool,
}

impl Watch {
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Passes on what a task says; it is too short for a bar.
pub struct Notes<'t>(pub &'t Talk);

impl Observer for Notes<'_> {
    fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Listener for Notes<'_> {
    fn note(&mut self, text: &str) {
        self.0.note(text);
    }

    fn wording(&self) -> Wording {
        Wording {
            setting: |name| format!("--{}", as_flag(name)),
            value: |name, value| format!("--{} {value}", as_flag(name)),
            text: note_with_flags,
        }
    }
}

impl Observer for Watch {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        let objective = progress.objective.map_or_else(String::new, |value| format!("{value:.6e}"));
        if let Some(bar) = &self.bar {
            if bar.length() != Some(progress.of as u64) {
                bar.set_length(progress.of as u64);
                bar.enable_steady_tick(Duration::from_millis(200));
                let style = "{spinner} {prefix}  {pos}/{len}  {msg}  {elapsed}";
                bar.set_style(
                    ProgressStyle::with_template(style)
                        .unwrap_or_else(|_| ProgressStyle::default_bar()),
                );
            }
            bar.set_prefix(progress.stage.to_owned());
            bar.set_position(progress.done as u64);
            bar.set_message(objective);
        } else if self.verbose {
            say(&format!("{}: {} of {}  {objective}", progress.stage, progress.done, progress.of));
        }
        self.go_on()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// A flag that the first Ctrl-C raises; the second one ends the program at once.
fn on_interrupt(talk: Talk) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    let set = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        talk.note("\nstopping after this step; the best result so far is kept (again to quit)");
    });
    if let Err(error) = set {
        say(&format!("Ctrl-C cannot be caught here ({error})"));
    }
    stop
}
