//! The steps of a growth: one graph after another, with the history and the observer.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::growth::{Grown, Growth};
use super::history::History;
use super::moduli::Moduli;
use crate::assign::Rows;
use crate::learn::result::End;
use crate::observe::{Observer, Progress};

/// Whether a growth that ended like this has all its nodes, or as many as are allowed.
pub(super) fn is_grown(end: End) -> bool {
    matches!(end, End::Converged | End::Ceiling)
}

/// The current graph, with its history and its observer.
pub(super) struct Steps<'w> {
    pub here: Grown,
    pub history: History,
    /// How many were taken.
    pub count: usize,
    pub watch: &'w mut dyn Observer,
}

impl<'w> Steps<'w> {
    pub fn new(here: Grown, moduli: Moduli, watch: &'w mut dyn Observer) -> Self {
        Self { history: History::new(moduli, &here), here, count: 0, watch }
    }

    pub fn n_nodes(&self) -> usize {
        self.here.topology.len()
    }

    /// Takes the next graph.
    pub fn take(&mut self, next: Grown) {
        self.here = next;
        self.count += 1;
        self.history.push(&self.here);
    }

    /// Places the current graph again, on other points or more precisely.
    pub fn replace(&mut self, growth: &Growth, rows: &Arc<Rows>) {
        self.here = growth.start(self.here.topology.clone(), self.here.nodes.clone(), rows);
    }

    /// Reports the growth from `first` to `count` nodes.
    pub fn is_stopped(&mut self, first: usize, count: usize) -> bool {
        let progress = Progress {
            stage: "growing the graph",
            done: self.n_nodes().saturating_sub(first),
            of: count.saturating_sub(first),
            objective: Some(self.here.U),
        };
        self.watch.progress(progress) == ControlFlow::Break(())
    }

    /// Takes one graph after another as long as there is a next one, or until asked to stop; `next`
    /// also gets whether one was taken.
    pub fn repeat(
        &mut self,
        stage: &str,
        next: impl Fn(&Grown, bool) -> Option<Grown>,
    ) -> Option<End> {
        let mut done = 0;
        while let Some(better) = next(&self.here, done > 0) {
            self.take(better);
            done += 1;
            let progress = Progress { stage, done, of: done, objective: Some(self.here.U) };
            if self.watch.progress(progress) == ControlFlow::Break(()) {
                return Some(End::Interrupted);
            }
        }
        None
    }
}
