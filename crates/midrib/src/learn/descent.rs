//! The trace of an objective that must not rise, and when to stop.

use std::ops::ControlFlow;

use super::result::End;
use crate::error::{Error, Result};
use crate::observe::{Observer, Progress};

/// When sweeps stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    pub max_iter: usize,
    pub tol: f64,
}

impl Limits {
    pub fn check(&self) -> Result<()> {
        if !(self.tol >= 0.0 && self.tol.is_finite()) {
            return Err(Error::setting("tol", self.tol, "must be 0 (run all sweeps) or positive"));
        }
        Ok(())
    }

    /// The same for methods that have neither an objective nor a result before their first sweep.
    pub fn check_at_least_one(&self) -> Result<()> {
        if self.max_iter == 0 {
            let remedy = "must be at least 1: the first sweep finds the basis";
            return Err(Error::setting("max_iter", 0, remedy));
        }
        self.check()
    }
}

/// A rise of the objective up to this share of its scale is rounding.
const ROUNDING: f64 = 1e-11;

/// Objectives so far, starting with that of the initial nodes.
///
/// The papers stop on the change of J relative to J, which is ill-posed because J passes through
/// zero. Here the change is relative to `scale`, the weighted sum of squared distances of the
/// points from their mean, which vanishes only if all points are equal.
pub(super) struct Descent {
    pub trace: Vec<f64>,
    /// Sweeps so far, rejected ones included.
    pub iterations: usize,
    limits: Limits,
    scale: f64,
    stage: &'static str,
}

impl Descent {
    pub fn new(stage: &'static str, first: f64, scale: f64, limits: Limits) -> Self {
        Self { trace: vec![first], iterations: 0, limits, scale, stage }
    }

    /// Records the objective after a sweep; returns why to stop, if at all.
    pub fn push(&mut self, objective: f64, watch: &mut dyn Observer) -> Option<End> {
        let fall = self.last() - objective;
        if fall < -ROUNDING * (self.scale + objective.abs()) {
            return Some(End::Stalled);
        }
        self.iterations += 1;
        self.trace.push(objective);
        if self.limits.tol > 0.0 && fall <= self.limits.tol * self.scale {
            return Some(End::Converged);
        }
        self.ask(watch)
    }

    /// Records a sweep whose nodes were rejected.
    pub fn push_rejected(&mut self, watch: &mut dyn Observer) -> Option<End> {
        self.iterations += 1;
        self.trace.push(self.last());
        self.ask(watch)
    }

    /// Whether the observer or the limit stops here.
    pub fn ask(&self, watch: &mut dyn Observer) -> Option<End> {
        let progress = Progress {
            stage: self.stage,
            done: self.iterations,
            of: self.limits.max_iter,
            objective: Some(self.last()),
        };
        if watch.progress(progress) == ControlFlow::Break(()) {
            return Some(End::Interrupted);
        }
        (progress.done >= progress.of).then_some(End::MaxIter)
    }

    fn last(&self) -> f64 {
        self.trace[self.trace.len() - 1]
    }
}
