//! The trace of an objective that may only fall, and the rule that ends it.

use std::ops::ControlFlow;

use super::fitted::End;
use crate::error::{Error, Result};
use crate::observe::{Observer, Progress};

/// When sweeps end.
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
}

/// A rise of the objective up to this part of its scale is rounding.
const ROUNDING: f64 = 1e-11;

/// Objectives so far, starting with that of the initial nodes.
///
/// The papers stop on the change of J relative to J, which is ill posed because J passes
/// through zero. Here the change is measured against `scale`, the weighted sum of squared
/// distances of the points from their mean, which vanishes only if all points are equal.
pub(super) struct Descent {
    pub trace: Vec<f64>,
    limits: Limits,
    scale: f64,
    stage: &'static str,
}

impl Descent {
    pub fn new(stage: &'static str, first: f64, scale: f64, limits: Limits) -> Self {
        Self { trace: vec![first], limits, scale, stage }
    }

    /// Notes the objective after a sweep; tells whether to end, and how.
    pub fn push(&mut self, objective: f64, watch: &mut dyn Observer) -> Option<End> {
        let fall = self.last() - objective;
        if fall < -ROUNDING * (self.scale + objective.abs()) {
            return Some(End::Stalled);
        }
        self.trace.push(objective);
        if self.limits.tol > 0.0 && fall <= self.limits.tol * self.scale {
            return Some(End::Converged);
        }
        self.ask(watch)
    }

    /// Notes a sweep whose nodes were not taken.
    pub fn push_rejected(&mut self, watch: &mut dyn Observer) -> Option<End> {
        self.trace.push(self.last());
        self.ask(watch)
    }

    /// Whether the observer or the limit ends it here.
    pub fn ask(&self, watch: &mut dyn Observer) -> Option<End> {
        let progress = Progress {
            stage: self.stage,
            done: self.trace.len() - 1,
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
