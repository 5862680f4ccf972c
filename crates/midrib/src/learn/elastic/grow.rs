//! The growth: which change of the graph lowers its energy most.
#![allow(non_snake_case)]

use rayon::prelude::*;

use super::moduli::Moduli;
use super::settings::Search;
use crate::assign::{Partition, Rows};
use crate::connect::{Ceilings, Proposal, Rule, Topology};
use crate::learn::descent::Limits;
use crate::math::Matrix;
use crate::place::{Springs, elimination_order};

/// Changes that are placed in full after all have been compared roughly.
const FINALISTS: usize = 12;
/// Sweeps of each rough comparison, and how many changes it leaves.
const ROUNDS: [(usize, usize); 2] = [(32, 2), (FINALISTS, 6)];

/// Energies that differ by less than this part of the variance are equal.
const ROUNDING: f64 = 1e-11;

/// A graph among the points it grows on.
#[derive(Clone)]
pub(super) struct Grown<'r> {
    pub topology: Topology,
    /// In working units.
    pub nodes: Matrix,
    /// Its energy.
    pub U: f64,
    partition: Partition<'r>,
    /// The same on fewer points.
    rough: Partition<'r>,
}

/// How graphs grow.
pub(super) struct Growth {
    pub moduli: Moduli,
    pub ceilings: Ceilings,
    pub search: Search,
    /// Of the points, in working units of squared length.
    pub variance: f64,
    /// Of a placement; `tol` in working units of squared length.
    pub limits: Limits,
}

/// A graph's springs and the order in which its nodes are eliminated.
struct Frame {
    springs: Springs,
    order: Vec<usize>,
}

impl Growth {
    /// Places a graph among the points.
    pub fn start<'r>(
        &self,
        topology: Topology,
        nodes: Matrix,
        rows: &'r Rows,
        fewer: &'r Rows,
    ) -> Grown<'r> {
        let mut partition = Partition::new(rows, &nodes);
        let (nodes, U) = self.settle(&self.frame(&topology), nodes, &mut partition);
        let rough = Partition::new(fewer, &nodes);
        Grown { topology, nodes, U, partition, rough }
    }

    /// The best graph that one change leads to; none if there is no change.
    pub fn step<'r>(&self, here: &Grown<'r>, rule: Rule) -> Option<Grown<'r>> {
        let mean = |node: usize| here.partition.mean(node);
        let changes = here.topology.changes(rule, self.ceilings);
        let mut proposals: Vec<Proposal> = changes
            .into_iter()
            .map(|change| here.topology.changed(change, &here.nodes, mean))
            .collect();
        if self.search == Search::Fast {
            proposals = self.finalists(here, proposals);
        }
        let placed: Vec<(f64, Matrix, f64, Partition<'r>)> = proposals
            .par_iter()
            .map(|Proposal { topology, nodes, from }| {
                let mut partition = here.partition.clone();
                partition.adopt(nodes, from);
                let (nodes, U) = self.settle(&self.frame(topology), nodes.clone(), &mut partition);
                (self.compared(topology, &nodes, U), nodes, U, partition)
            })
            .collect();
        let winner = self.first_best(placed.iter().map(|placed| placed.0))?;
        let Proposal { topology, from, .. } = proposals.swap_remove(winner);
        let (_, nodes, U, mut partition) = placed.into_iter().nth(winner)?;
        partition.recount();
        let mut rough = here.rough.clone();
        rough.adopt(&nodes, &from);
        rough.recount();
        Some(Grown { topology, nodes, U, partition, rough })
    }

    /// The proposals that look best after some sweeps over fewer points: few sweeps for all of
    /// them, more for those that are left.
    fn finalists(&self, here: &Grown<'_>, proposals: Vec<Proposal>) -> Vec<Proposal> {
        struct Tried<'r> {
            proposal: Proposal,
            frame: Frame,
            nodes: Matrix,
            partition: Partition<'r>,
            compared: f64,
        }
        let mut tried: Vec<Tried<'_>> = proposals
            .into_par_iter()
            .map(|proposal| {
                let mut partition = here.rough.clone();
                partition.adopt(&proposal.nodes, &proposal.from);
                let frame = self.frame(&proposal.topology);
                let nodes = proposal.nodes.clone();
                Tried { proposal, frame, nodes, partition, compared: f64::INFINITY }
            })
            .collect();
        for (left, sweeps) in ROUNDS {
            if tried.len() <= FINALISTS {
                break;
            }
            tried.par_iter_mut().for_each(|t| {
                for _ in 0..sweeps {
                    let Some(placed) = t.frame.springs.place(&t.partition.sums, &t.frame.order)
                    else {
                        return;
                    };
                    t.partition.follow(&placed);
                    t.nodes = placed;
                }
                let U = t.frame.energy(&t.nodes, &t.partition);
                t.compared = self.compared(&t.proposal.topology, &t.nodes, U);
            });
            tried.sort_by_key(|t| self.rounded(t.compared));
            tried.truncate(left);
        }
        tried.into_iter().map(|t| t.proposal).collect()
    }

    /// The first of those that have the least energy. Changes side by side often lead to the same
    /// graph, whose nodes are then numbered in one way, whatever rounding says.
    fn first_best(&self, compared: impl Iterator<Item = f64>) -> Option<usize> {
        let rounded = compared.enumerate().map(|(at, U)| (self.rounded(U), at));
        rounded.min().map(|(_, at)| at)
    }

    /// An energy in steps far above rounding and far below any difference that matters.
    fn rounded(&self, U: f64) -> i64 {
        (U / (ROUNDING * self.variance)) as i64
    }

    fn frame(&self, topology: &Topology) -> Frame {
        let edges: Vec<(usize, usize)> = topology.edges().collect();
        let order = elimination_order(topology.len(), &edges);
        Frame { springs: self.moduli.springs(topology), order }
    }

    /// Assigns and places until the energy rests.
    fn settle(
        &self,
        frame: &Frame,
        mut nodes: Matrix,
        partition: &mut Partition<'_>,
    ) -> (Matrix, f64) {
        let mut U = frame.energy(&nodes, partition);
        for _ in 0..self.limits.max_iter {
            let Some(placed) = frame.springs.place(&partition.sums, &frame.order) else { break };
            partition.follow(&placed);
            let next = frame.energy(&placed, partition);
            let fall = U - next;
            (nodes, U) = (placed, next);
            if fall <= self.limits.tol {
                break;
            }
        }
        (nodes, U)
    }

    /// The energy by which a graph is compared to others.
    fn compared(&self, topology: &Topology, nodes: &Matrix, U: f64) -> f64 {
        if !self.moduli.penalises() {
            return U;
        }
        let total = |(stretching, bending): (f64, f64)| stretching + bending;
        let (plain, penalised) = (self.moduli.springs(topology), self.moduli.penalised(topology));
        U - total(plain.energies(nodes)) + total(penalised.energies(nodes))
    }
}

impl Frame {
    fn energy(&self, nodes: &Matrix, partition: &Partition<'_>) -> f64 {
        let (stretching, bending) = self.springs.energies(nodes);
        partition.mean_square(nodes) + stretching + bending
    }
}
