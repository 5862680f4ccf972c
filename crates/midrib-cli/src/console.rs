//! Messages go to stderr, answers to stdout.

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use midrib::{Observer, Progress};
use midrib_tasks::{Listener, Wording};

use crate::args::OutputArgs;
use crate::exit::{INTERRUPTED, Outcome};
use crate::wording::FLAGS;

/// Prints messages to stderr, as many as the user wants.
#[derive(Clone, Debug)]
pub struct Console {
    args: OutputArgs,
}

impl Console {
    pub fn new(args: &OutputArgs) -> Self {
        Self { args: args.clone() }
    }

    /// For commands without an answer.
    pub fn unless(quiet: bool) -> Self {
        Self { args: OutputArgs { quiet, json: false, verbose: false, no_progress: true } }
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

    /// Listens to a task: notes, a progress bar on a terminal, and Ctrl-C.
    pub fn listener(&self) -> Terminal {
        Terminal { console: self.clone(), bar: None, stop: None }
    }
}

/// Writes a line to stderr; a closed pipe does not matter.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes to stdout; a closed pipe becomes a quiet exit.
pub fn print(text: &str) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Shows notes and progress, and passes on Ctrl-C.
pub struct Terminal {
    console: Console,
    bar: Option<ProgressBar>,
    /// Raised by Ctrl-C, once a long step has begun.
    stop: Option<Arc<AtomicBool>>,
}

impl Listener for Terminal {
    fn note(&mut self, text: &str) {
        self.console.note(text);
    }

    fn detail(&mut self, text: &str) {
        self.console.detail(text);
    }

    fn begin(&mut self) {
        let args = &self.console.args;
        let is_shown = !args.quiet && !args.no_progress && std::io::stderr().is_terminal();
        self.bar = is_shown.then(ProgressBar::no_length);
        self.stop.get_or_insert_with(|| on_interrupt(self.console.clone()));
    }

    fn finish(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    fn wording(&self) -> Wording {
        FLAGS
    }
}

impl Observer for Terminal {
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
        } else if self.console.args.verbose {
            say(&format!("{}: {} of {}  {objective}", progress.stage, progress.done, progress.of));
        }
        self.go_on()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// A flag that the first Ctrl-C raises; the second one ends the program at once.
fn on_interrupt(console: Console) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    let set = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        console.note("\nstopping after this step; the best result so far is kept (again to quit)");
    });
    if let Err(error) = set {
        say(&format!("Ctrl-C cannot be caught here ({error})"));
    }
    stop
}
