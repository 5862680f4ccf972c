//! A complex among points, and its best next step.
#![allow(non_snake_case)]

use rayon::prelude::*;

use super::factors::{Changed, Factors};
use super::settings::Cubic;
use crate::assign::{Sums, hard_sums};
use crate::connect::{Ceilings, Change, Rule};
use crate::error::Result;
use crate::math::Matrix;
use crate::place::{SpringSystem, Springs};
use crate::points::Cloud;

/// Sweeps after which steps are compared.
const COMPARED: usize = 4;
/// Energies that differ by less than this share of the variance are equal.
const ROUNDING: f64 = 1e-11;

/// A placed complex.
#[derive(Clone)]
pub(super) struct Complex {
    pub factors: Factors,
    pub nodes: Matrix,
    pub sums: Sums,
    /// Its energy.
    pub U: f64,
    /// Whether the energy converged within the sweeps that are allowed.
    pub converged: bool,
}

/// How complexes are placed on points.
pub(super) struct Placement<'c> {
    cloud: &'c Cloud<'c>,
    λ: f64,
    μ: f64,
    radius: f64,
    ceilings: Ceilings,
    max_iter: usize,
    /// Of the energy, in working units.
    tol: f64,
}

impl<'c> Placement<'c> {
    /// The radius is in the units of the points.
    pub fn new(settings: &Cubic, cloud: &'c Cloud<'c>, radius: f64) -> Self {
        Self {
            cloud,
            λ: settings.stretching,
            μ: settings.bending,
            radius: radius * cloud.scale(),
            ceilings: settings.ceilings(),
            max_iter: settings.max_iter,
            tol: settings.tol * cloud.spread() / cloud.total_weight(),
        }
    }

    /// Sets the trimming radius, in the units of the points.
    pub fn trim(&mut self, radius: f64) {
        self.radius = radius * self.cloud.scale();
    }

    /// Assigns and places until the energy converges.
    pub fn settle(&self, changed: Changed) -> Result<Complex> {
        self.sweeps(changed, self.max_iter)
    }

    fn sweeps(&self, Changed { factors, mut nodes }: Changed, most: usize) -> Result<Complex> {
        let springs = factors.springs(self.λ, self.μ);
        let mut system = SpringSystem::new(springs.clone(), factors.len(), Vec::new());
        let mut sums = hard_sums(self.cloud, &nodes, self.radius)?;
        let mut U = energy(&springs, &sums, &nodes);
        let mut converged = false;
        for _ in 0..most {
            let Some(placed) = system.place(&sums, None, &nodes) else { break };
            let next_sums = hard_sums(self.cloud, &placed, self.radius)?;
            let next = energy(&springs, &next_sums, &placed);
            let fall = U - next;
            (nodes, sums, U) = (placed, next_sums, next);
            if fall <= self.tol {
                converged = true;
                break;
            }
        }
        Ok(Complex { factors, nodes, sums, U, converged })
    }

    /// The best complex after one change of one tree; none if no change is possible.
    pub fn step(&self, here: &Complex, rule: Rule) -> Result<Option<Complex>> {
        let mean = |node: usize| {
            let mass = here.sums.mass[node];
            let sum = here.sums.weighted.row(node);
            (mass > 0.0).then(|| sum.iter().map(|sum| sum / mass).collect())
        };
        let means: Vec<Option<Vec<f64>>> = (0..here.factors.len()).map(mean).collect();
        let changes: Vec<(usize, Change)> = (0..2)
            .flat_map(|factor| {
                let changes = here.factors.0[factor].changes(rule, self.ceilings, &here.nodes);
                changes.into_iter().map(move |change| (factor, change))
            })
            .collect();
        let compared: Vec<Complex> = changes
            .into_par_iter()
            .map(|(factor, change)| {
                let changed = here.factors.changed(factor, change, &here.nodes, &means);
                self.sweeps(changed, COMPARED)
            })
            .collect::<Result<_>>()?;
        let variance = self.cloud.spread() / self.cloud.total_weight();
        let least = compared.iter().map(|complex| complex.U).fold(f64::INFINITY, f64::min);
        // The first of those that are equal up to rounding.
        let as_good = |complex: &Complex| complex.U <= least + ROUNDING * variance;
        let best = compared.into_iter().find(as_good);
        let settle = |Complex { factors, nodes, .. }| self.settle(Changed { factors, nodes });
        best.map(settle).transpose()
    }
}

fn energy(springs: &Springs, sums: &Sums, nodes: &Matrix) -> f64 {
    let (stretching, bending) = springs.energies(nodes);
    sums.cost / sums.weight + stretching + bending
}
