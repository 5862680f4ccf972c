//! Which change of the graph lowers its energy most. Gorban2009, Algorithm for estimating the elastic
//! principal graph, steps 3 to 6.
#![allow(non_snake_case)]

use std::sync::Arc;

use rayon::prelude::*;

use super::moduli::Moduli;
use super::placer::Placer;
use super::search::Search;
use crate::assign::{Cells, Followed, Rows};
use crate::connect::{Ceilings, Proposal, Rule, Topology};
use crate::learn::descent::Limits;
use crate::math::Matrix;

/// Energies that differ by less than this share of the variance are equal.
const ROUNDING: f64 = 1e-11;

/// A placed graph with the assignment of the points.
#[derive(Clone)]
pub(super) struct Grown {
    pub topology: Topology,
    /// In working units.
    pub nodes: Matrix,
    /// Its energy.
    pub U: f64,
    /// The energy by which it is compared with others.
    pub compared: f64,
    cells: Cells,
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

/// A changed graph, placed until it converged.
struct Tried {
    proposal: Proposal,
    nodes: Matrix,
    /// The energy of its springs.
    tension: f64,
    /// With the assignment before the last placement.
    U: f64,
    compared: f64,
}

impl Growth {
    /// The same with another tolerance of a placement.
    pub fn with_tol(&self, tol: f64) -> Self {
        Self { limits: Limits { tol, ..self.limits }, ..*self }
    }

    /// Places a graph among the points.
    pub fn start(&self, topology: Topology, nodes: Matrix, rows: &Arc<Rows>) -> Grown {
        let cells = Cells::new(rows, &nodes);
        let from = (0..nodes.n_rows()).map(Some).collect();
        self.tried(&cells, Proposal { topology, nodes, from }).take(&cells)
    }

    /// The best graph after one change; none if no change is possible.
    pub fn step(&self, here: &Grown, rule: Rule) -> Option<Grown> {
        let mean = |node: usize| here.cells.tally().mean(node);
        let changes = here.topology.changes(rule, self.ceilings, &here.nodes);
        let mut tried: Vec<Tried> = changes
            .into_par_iter()
            .map(|change| self.tried(&here.cells, here.topology.changed(change, &here.nodes, mean)))
            .collect();
        // Adjacent changes often lead to the same graph: the first one numbers its nodes, whatever
        // the rounding.
        let best = self.as_good_as_best(&tried);
        let winner = tried.iter().position(|t| t.compared <= best)?;
        Some(tried.swap_remove(winner).take(&here.cells))
    }

    /// Other graphs over the same points, each placed until it converges.
    pub fn placed(&self, here: &Grown, proposals: Vec<Proposal>) -> Vec<Grown> {
        let tried = |proposal| self.tried(&here.cells, proposal).take(&here.cells);
        proposals.into_par_iter().map(tried).collect()
    }

    /// Places and assigns until a placement lowers the energy no further. Gorban2009, Optimization
    /// of the elastic graph.
    fn tried(&self, cells: &Cells, proposal: Proposal) -> Tried {
        let mut placer = Placer::new(&self.moduli, &proposal.topology);
        let mut nodes = proposal.nodes.clone();
        let mut followed = cells.follow(&proposal.from);
        self.assign(cells, &nodes, &proposal, &mut followed);
        let mut tension = placer.tension(&nodes);
        let mut U = followed.tally.mean_square(&nodes) + tension;
        for _ in 0..self.limits.max_iter {
            let Some(placed) = placer.place(&followed.tally, &nodes) else { break };
            nodes = placed;
            tension = placer.tension(&nodes);
            let before = U;
            U = followed.tally.mean_square(&nodes) + tension;
            if before - U <= self.limits.tol {
                break;
            }
            self.assign(cells, &nodes, &proposal, &mut followed);
            U = followed.tally.mean_square(&nodes) + tension;
        }
        let compared = self.compared(&proposal.topology, &placer, &nodes, U);
        Tried { proposal, nodes, tension, U, compared }
    }

    /// Reassigns the points whose nearest node may have changed, or all of them.
    fn assign(&self, cells: &Cells, nodes: &Matrix, proposal: &Proposal, followed: &mut Followed) {
        match self.search {
            Search::Fast => cells.keep_up(followed, nodes, &proposal.from),
            Search::Exact => followed.tally = cells.afresh(nodes),
        }
    }

    /// The least energy of the changes, plus rounding.
    fn as_good_as_best(&self, tried: &[Tried]) -> f64 {
        tried.iter().map(|t| t.compared).fold(f64::INFINITY, f64::min) + self.rounding()
    }

    /// Far above the rounding of an energy and far below any relevant difference.
    fn rounding(&self) -> f64 {
        ROUNDING * self.variance
    }

    /// The energy by which a graph is compared with others.
    fn compared(&self, topology: &Topology, placer: &Placer, nodes: &Matrix, U: f64) -> f64 {
        if !self.moduli.penalizes() {
            return U;
        }
        let (stretching, bending) = self.moduli.penalized(topology).energies(nodes);
        U - placer.tension(nodes) + stretching + bending
    }
}

impl Tried {
    fn take(self, cells: &Cells) -> Grown {
        let cells = cells.around(&self.nodes, &self.proposal.from);
        let Self { proposal, nodes, tension, U: before, compared } = self;
        let U = cells.tally().mean_square(&nodes) + tension;
        let compared = compared + (U - before);
        Grown { topology: proposal.topology, nodes, U, compared, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::elastic::growth_sample::growth_rows;
    use crate::learn::elastic::settings::ElasticTree;
    use crate::points::Cloud;
    use crate::synth::{Shape, Synth};

    /// Step by step from the same graph, on 100 sets: the change that a fast search takes against
    /// that of an exact search. Every other set is placed ten times more precisely than elastic
    /// trees are by default.
    #[test]
    fn a_fast_search_takes_the_change_that_an_exact_one_takes() {
        let mut steps = 0;
        for seed in 0..100_u64 {
            let shape = Shape::Tree { branch_points: (seed % 4) as usize };
            let (n, dims) = (200 + 40 * (seed % 7) as usize, 2 + (seed % 3) as usize);
            let points = Synth { shape, n, dims, noise: 0.05, seed }.generate().unwrap().points;
            let cloud = Cloud::new(&points).unwrap();
            let variance = cloud.spread() / n as f64;
            let plan = ElasticTree::default().recipe();
            let with = |search| Growth {
                moduli: plan.moduli,
                ceilings: plan.ceilings,
                search,
                variance,
                limits: Limits { max_iter: 100, tol: [1e-4, 1e-5][seed as usize % 2] * variance },
            };
            let (fast, exact) = (with(Search::Fast), with(Search::Exact));
            let rows = Arc::new(growth_rows(&cloud, Search::Exact, 25, f64::INFINITY).unwrap());
            let ends = rows.values.select_rows([0, rows.values.n_rows() - 1]);
            let mut here = exact.start(Topology::new(2, &[(0, 1)]), ends, &rows);
            for step in 0..60 {
                let rule = [Rule::Grow, Rule::Grow, Rule::Shrink][step % 3];
                let Some(best) = exact.step(&here, rule) else { continue };
                let found = fast.step(&here, rule).unwrap();
                let loss = found.compared / best.compared - 1.0;
                assert!(loss.abs() < 1e-9, "seed {seed}, step {step}: {loss}");
                steps += 1;
                here = best;
            }
        }
        assert!(steps > 5000, "{steps}");
    }
}
