//! The history of the growth: the energy after each step, and the graph of each size.

use std::collections::BTreeMap;

use super::growth::Grown;
use super::moduli::Moduli;
use crate::learn::tuning::{Scale, Tuning, TuningPoint};
use crate::math::squared_distance;

/// The growth so far, in working units.
pub(super) struct History {
    moduli: Moduli,
    /// The energy at the start and after each step.
    pub trace: Vec<f64>,
    /// The last graph of each size.
    by_size: BTreeMap<usize, TuningPoint>,
}

impl History {
    /// Starts with the first graph.
    pub fn new(moduli: Moduli, start: &Grown) -> Self {
        let mut history = Self { moduli, trace: Vec::new(), by_size: BTreeMap::new() };
        history.push(start);
        history
    }

    /// Records the graph after a step.
    pub fn push(&mut self, graph: &Grown) {
        self.trace.push(graph.U);
        let Grown { topology, nodes, .. } = graph;
        let (stretching, bending) = self.moduli.springs(topology).energies(nodes);
        let length = |(a, b)| squared_distance(nodes.row(a), nodes.row(b)).sqrt();
        let is_tip = |node: &usize| topology.neighbors(*node).len() == 1;
        let kept = TuningPoint {
            value: topology.len() as f64,
            energy: Some(graph.U),
            mean_squared_distance: (graph.U - stretching - bending).max(0.0),
            length: topology.edges().map(length).sum(),
            tips: (0..topology.len()).filter(is_tip).count(),
        };
        self.by_size.insert(topology.len(), kept);
    }

    /// The curve over the number of nodes, which is `chosen` in the end. `rest` is the variance
    /// outside the subspace of the growth, `unit` the square of a working unit of length.
    pub fn tuning(&self, chosen: usize, points: usize, rest: f64, unit: f64) -> Tuning {
        let square = |value: f64| (value + rest) * unit;
        let in_data = |graph: &TuningPoint| TuningPoint {
            energy: graph.energy.map(square),
            mean_squared_distance: square(graph.mean_squared_distance),
            length: graph.length * unit.sqrt(),
            ..*graph
        };
        Tuning {
            setting: "n_nodes".into(),
            chosen: chosen as f64,
            scale: Scale::Linear,
            points,
            pilot: Vec::new(),
            curve: self.by_size.values().map(in_data).collect(),
        }
    }
}
