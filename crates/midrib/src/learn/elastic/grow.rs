//! The growth: which change of the graph lowers its energy most.
#![allow(non_snake_case)]

use std::sync::Arc;

use rayon::prelude::*;

use super::frame::Frame;
use super::moduli::Moduli;
use super::settings::Search;
use crate::assign::{Cells, Rows, Tally};
use crate::connect::{Ceilings, Proposal, Rule, Topology};
use crate::learn::descent::Limits;
use crate::math::Matrix;

/// Changes are all placed in full where their number times that of the points is at most this.
pub(super) const FEW: usize = 15_000;
/// Of more changes, these are placed in full after all have been placed once.
const FINALISTS: usize = 8;
/// One of them is given up once it is behind the best by this many times what its last sweep
/// gained.
const PATIENCE: f64 = 4.0;

/// Energies that differ by less than this part of the variance are equal.
const ROUNDING: f64 = 1e-11;

/// A graph among the points it grows on.
#[derive(Clone)]
pub(super) struct Grown {
    pub topology: Topology,
    /// In working units.
    pub nodes: Matrix,
    /// Its energy.
    pub U: f64,
    /// The energy by which it is compared to others.
    pub compared: f64,
    cells: Cells,
}

/// How graphs grow.
pub(super) struct Growth {
    pub moduli: Moduli,
    pub ceilings: Ceilings,
    pub search: Search,
    /// Changes are all placed in full where their number times that of the points is no more.
    pub few: usize,
    /// As how many the points count, up to those that every search takes.
    pub points: usize,
    /// Of the points, in working units of squared length.
    pub variance: f64,
    /// Of a placement; `tol` in working units of squared length.
    pub limits: Limits,
}

/// A change that is being placed.
struct Tried {
    proposal: Proposal,
    frame: Frame,
    nodes: Matrix,
    tally: Tally,
    U: f64,
    compared: f64,
    /// What the last sweep gained.
    fall: f64,
    /// Where the next sweep places the nodes, if that is known.
    next: Option<Matrix>,
    sweeps: usize,
    settled: bool,
}

impl Growth {
    /// Places a graph among the points.
    pub fn start(&self, topology: Topology, nodes: Matrix, rows: &Arc<Rows>) -> Grown {
        let cells = Cells::new(rows, &nodes);
        let from = (0..nodes.n_rows()).map(Some).collect();
        let mut tried = self.tried(&cells, Proposal { topology, nodes, from });
        while !tried.settled {
            self.sweep(&cells, &mut tried);
        }
        tried.take(&cells)
    }

    /// The best graph that one change leads to; none if there is no change.
    pub fn step(&self, here: &Grown, rule: Rule) -> Option<Grown> {
        // On a thread of the pool, so that no round of the race has to go there.
        rayon::join(|| self.best_change(here, rule), || ()).0
    }

    fn best_change(&self, here: &Grown, rule: Rule) -> Option<Grown> {
        let mean = |node: usize| here.cells.tally().mean(node);
        let changes = here.topology.changes(rule, self.ceilings, &here.nodes);
        let work = changes.len() * self.points;
        let races = self.search == Search::Fast && work > self.few && changes.len() > FINALISTS;
        let mut tried: Vec<Tried> = changes
            .into_par_iter()
            .map(|change| self.tried(&here.cells, here.topology.changed(change, &here.nodes, mean)))
            .collect();
        if races {
            self.screen(&mut tried);
        }
        while tried.iter().any(|t| !t.settled) {
            tried.par_iter_mut().filter(|t| !t.settled).for_each(|t| self.sweep(&here.cells, t));
            if races {
                let best = self.as_good_as_best(&tried);
                tried.retain(|t| t.compared - PATIENCE * t.fall <= best);
            }
        }
        // Changes side by side often lead to the same graph, whose nodes are then numbered in one
        // way, whatever rounding says.
        let best = self.as_good_as_best(&tried);
        let winner = tried.iter().position(|t| t.compared <= best)?;
        Some(tried.swap_remove(winner).take(&here.cells))
    }

    /// Other graphs with the same points, each placed in full.
    pub fn placed(&self, here: &Grown, proposals: Vec<Proposal>) -> Vec<Grown> {
        let settled = proposals.into_par_iter().map(|proposal| {
            let mut tried = self.tried(&here.cells, proposal);
            while !tried.settled {
                self.sweep(&here.cells, &mut tried);
            }
            tried.take(&here.cells)
        });
        settled.collect()
    }

    /// Leaves the changes that look best after one placement with the points where they are: a
    /// bound from above on what placing them in full leads to.
    fn screen(&self, tried: &mut Vec<Tried>) {
        let bounds: Vec<f64> = tried
            .par_iter_mut()
            .map(|t| {
                t.next = t.frame.place(&t.tally, &t.nodes);
                t.next.as_ref().map_or(t.compared, |nodes| {
                    let U = t.frame.energy(nodes, &t.tally);
                    self.compared(&t.proposal.topology, &t.frame, nodes, U)
                })
            })
            .collect();
        let mut sorted = bounds.clone();
        let last = *sorted.select_nth_unstable_by(FINALISTS - 1, f64::total_cmp).1;
        let mut bounds = bounds.iter();
        tried.retain(|_| bounds.next().is_some_and(|&bound| bound <= last + self.rounding()));
    }

    /// A change before its first placement.
    fn tried(&self, cells: &Cells, proposal: Proposal) -> Tried {
        let frame = Frame::new(&self.moduli, &proposal.topology);
        let nodes = proposal.nodes.clone();
        let tally = self.tally(cells, &nodes, &proposal);
        let U = frame.energy(&nodes, &tally);
        Tried {
            compared: self.compared(&proposal.topology, &frame, &nodes, U),
            proposal,
            frame,
            nodes,
            tally,
            U,
            fall: f64::INFINITY,
            next: None,
            sweeps: 0,
            settled: self.limits.max_iter == 0,
        }
    }

    /// Places and assigns once.
    fn sweep(&self, cells: &Cells, t: &mut Tried) {
        let next = t.next.take().or_else(|| t.frame.place(&t.tally, &t.nodes));
        let Some(placed) = next else {
            t.settled = true;
            return;
        };
        t.tally = self.tally(cells, &placed, &t.proposal);
        let U = t.frame.energy(&placed, &t.tally);
        t.fall = t.U - U;
        (t.nodes, t.U) = (placed, U);
        t.compared = self.compared(&t.proposal.topology, &t.frame, &t.nodes, U);
        t.sweeps += 1;
        t.settled = t.fall <= self.limits.tol || t.sweeps == self.limits.max_iter;
    }

    /// The points by their nearest nodes: of those that may have another one now, or of all.
    fn tally(&self, cells: &Cells, nodes: &Matrix, proposal: &Proposal) -> Tally {
        match self.search {
            Search::Fast => cells.moved(nodes, &proposal.from),
            Search::Exact => cells.afresh(nodes),
        }
    }

    /// The least energy of changes that are being placed, and what rounding may add to it.
    fn as_good_as_best(&self, tried: &[Tried]) -> f64 {
        tried.iter().map(|t| t.compared).fold(f64::INFINITY, f64::min) + self.rounding()
    }

    /// Far above what rounding does to an energy and far below any difference that matters.
    fn rounding(&self) -> f64 {
        ROUNDING * self.variance
    }

    /// The energy by which a graph is compared to others.
    fn compared(&self, topology: &Topology, frame: &Frame, nodes: &Matrix, U: f64) -> f64 {
        if !self.moduli.penalises() {
            return U;
        }
        let total = |(stretching, bending): (f64, f64)| stretching + bending;
        let penalised = self.moduli.penalised(topology);
        U - total(frame.springs.energies(nodes)) + total(penalised.energies(nodes))
    }
}

impl Tried {
    fn take(self, cells: &Cells) -> Grown {
        let cells = cells.around(&self.nodes, &self.proposal.from);
        let Self { proposal, nodes, U, compared, .. } = self;
        Grown { topology: proposal.topology, nodes, U, compared, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::Cloud;
    use crate::learn::elastic::sample::rows;
    use crate::learn::elastic::settings::ElasticTree;
    use crate::synth::{Shape, Synth};

    /// Step by step from the same graph, on 50 sets: the winner of the screen beside the best of
    /// all changes, each of which is placed in full.
    #[test]
    fn screening_seldom_misses_the_winner_and_then_loses_little() {
        let (mut steps, mut missed, mut lost) = (0, 0, 0.0);
        for seed in 0..50_u64 {
            let shape = Shape::Tree { branch_points: (seed % 4) as usize };
            let (n, dims) = (200 + 40 * (seed % 7) as usize, 2 + (seed % 3) as usize);
            let points = Synth { shape, n, dims, noise: 0.05, seed }.generate().unwrap().points;
            let cloud = Cloud::new(&points).unwrap();
            let variance = cloud.spread() / n as f64;
            let plan = ElasticTree::default().plan();
            let with = |few| Growth {
                moduli: plan.moduli,
                ceilings: plan.ceilings,
                search: Search::Fast,
                few,
                points: n,
                variance,
                limits: Limits { max_iter: 100, tol: 1e-5 * variance },
            };
            let (screened, full) = (with(0), with(usize::MAX));
            let rows = Arc::new(rows(&cloud, Search::Exact, 25, f64::INFINITY).unwrap());
            let ends = rows.values.select_rows([0, rows.values.n_rows() - 1]);
            let mut here = full.start(Topology::new(2, &[(0, 1)]), ends, &rows);
            for step in 0..60 {
                let rule = [Rule::Grow, Rule::Grow, Rule::Shrink][step % 3];
                let many = here.topology.changes(rule, plan.ceilings, &here.nodes).len();
                let Some(best) = full.step(&here, rule) else { continue };
                if many > FINALISTS {
                    let found = screened.step(&here, rule).unwrap();
                    let loss = found.compared / best.compared - 1.0;
                    assert!(loss > -1e-9, "seed {seed}, step {step}: {loss}");
                    steps += 1;
                    missed += usize::from(loss > 1e-9);
                    lost += loss;
                }
                here = best;
            }
        }
        let lost = lost / f64::from(steps);
        assert!(steps > 2000, "{steps}");
        assert!(5 * missed < steps as usize, "{missed} of {steps} winners missed");
        assert!(lost < 0.001, "{lost}");
    }
}
