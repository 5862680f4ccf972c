//! Watching a long loop from outside: progress out, cancellation in.

use std::ops::ControlFlow;

/// What a fit reports to its observer after each sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// What is being done, as text for a progress bar.
    pub stage: &'a str,
    /// Sweeps done in this stage.
    pub done: usize,
    /// Sweeps that this stage does at most.
    pub of: usize,
    /// The objective at this point, where the stage has one.
    pub objective: Option<f64>,
}

/// Receives progress and may ask a fit to stop.
///
/// A fit that was asked to stop returns its best result so far with
/// [`End::Interrupted`](crate::learn::End::Interrupted).
///
/// ```
/// use std::ops::ControlFlow;
/// use midrib::{Observer, Progress};
///
/// struct StopAfter(usize);
/// impl Observer for StopAfter {
///     fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
///         if progress.done >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
///     }
/// }
/// ```
pub trait Observer: Send {
    /// Called after each sweep; `Break` asks the fit to stop.
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()>;

    /// Called where there is nothing new to report, such as within one of many fits; `Break` asks to
    /// stop. Those who do not answer are heard at the next progress.
    fn go_on(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Watches nothing and never stops a fit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
