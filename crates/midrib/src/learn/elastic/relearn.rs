//! Components that are learned again, each from its own points.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::components::{Component, components};
use super::growth::{Grown, Growth};
use super::join_or_cut::penalized;
use super::plan::Task;
use super::rewire::WORTH_MOVING;
use crate::assign::Rows;
use crate::connect::Topology;
use crate::learn::descent::Limits;
use crate::math::Matrix;
use crate::observe::{Observer, Progress};

/// The observer asked to stop.
pub(super) struct Stopped;

/// Learns the components of a graph again.
pub(super) struct Relearning<'g> {
    /// Of the whole graph.
    pub growth: &'g Growth,
    pub rows: &'g Arc<Rows>,
    pub price: f64,
    /// The tolerance of a placement, as a share of the variance.
    pub tol: f64,
}

impl Relearning<'_> {
    /// The components, each learned by `learn` from its own points: nodes that used to bridge them
    /// may still lie between them. None if that is no better, or there is only one component.
    pub fn better(
        &self,
        here: &Grown,
        mut learn: impl FnMut(Task) -> Result<(Topology, Matrix), Stopped>,
    ) -> Result<Option<Grown>, Stopped> {
        let Self { growth, rows, price, .. } = *self;
        let components = components(&here.topology, &here.nodes, rows);
        if components.len() == 1 {
            return Ok(None);
        }
        let (mut values, mut edges) = (Vec::new(), Vec::new());
        let (mut n, dims) = (0, here.nodes.n_cols());
        for component in components {
            let (topology, nodes) = match component.is_small() {
                true => (component.topology, component.nodes),
                false => learn(self.task_of(component))?,
            };
            edges.extend(topology.edges().map(|(a, b)| (n + a, n + b)));
            values.extend_from_slice(nodes.as_slice());
            n += topology.len();
        }
        let mut nodes = Matrix::zeros(n, dims);
        nodes.as_mut_slice().copy_from_slice(&values);
        let relearned = growth.start(Topology::new(n, &edges), nodes, rows);
        let most = (1.0 - WORTH_MOVING) * penalized(here, rows, price);
        Ok((penalized(&relearned, rows, price) < most).then_some(relearned))
    }

    /// Energies are weighted as in the whole graph, of whose points the component has a share.
    fn task_of(&self, component: Component) -> Task {
        let whole = self.growth;
        let (variance, count) = (component.variance(), component.count);
        let limits = Limits { tol: self.tol * variance, ..whole.limits };
        let moduli = whole.moduli.times(1.0 / component.share);
        let growth = Growth { moduli, variance, limits, ..*whole };
        let (topology, nodes) = (Topology::new(2, &[(0, 1)]), component.farthest_nodes());
        let price = Some(self.price / component.share);
        Task { rows: component.rows, topology, nodes, count, growth, price }
    }
}

/// Reports the progress of a component, without its energy.
pub(super) struct OfComponent<'w>(pub &'w mut dyn Observer);

impl Observer for OfComponent<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        let stage = "learning components again";
        self.0.progress(Progress { stage, objective: None, ..progress })
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        self.0.go_on()
    }
}
