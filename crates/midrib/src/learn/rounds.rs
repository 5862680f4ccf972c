//! The trace of an objective that may rise, and when to stop.

use std::ops::ControlFlow;

use super::descent::Limits;
use super::result::End;
use crate::observe::{Observer, Progress};

/// The objective of every round so far.
pub(super) struct Rounds {
    pub trace: Vec<f64>,
    limits: Limits,
    stage: &'static str,
}

impl Rounds {
    pub fn new(stage: &'static str, limits: Limits) -> Self {
        Self { trace: Vec::new(), limits, stage }
    }

    /// Records the objective of a round; returns why to stop, if at all. `tol` is a share of the
    /// objective of the round before.
    pub fn push(&mut self, objective: f64, watch: &mut dyn Observer) -> Option<End> {
        let before = self.trace.last().copied();
        self.trace.push(objective);
        let progress = Progress {
            stage: self.stage,
            done: self.trace.len(),
            of: self.limits.max_iter,
            objective: Some(objective),
        };
        if watch.progress(progress) == ControlFlow::Break(()) {
            return Some(End::Interrupted);
        }
        let stands = |before: f64| (before - objective).abs() <= self.limits.tol * before.abs();
        if self.limits.tol > 0.0 && before.is_some_and(stands) {
            return Some(End::Converged);
        }
        (progress.done >= progress.of).then_some(End::MaxIter)
    }
}
