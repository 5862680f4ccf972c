//! What any weights and multipliers prove about the program, in its own scale.

use super::long_vectors::{each, most_of, sum_of};
use super::mapping::{Entries, Mapping};
use crate::math::simd::dot_in_lanes;

/// A relative gap up to this counts as solved.
pub(super) const SOLVED: f64 = 1e-8;
/// A pair may earn more than its cost by this share of its column: rounding.
const ROUNDING: f64 = 1e-14;
/// Multipliers are repaired at most this often.
const REPAIRS: usize = 6;

/// The program with deviation weight 1 and lower bounds 0.
#[derive(Debug)]
pub(super) struct Scaled<'p, M> {
    pub matrix: &'p M,
    /// What the weights above their bounds have to rebuild.
    pub target: &'p [f64],
    pub column_sizes: &'p [f64],
    pub costs: Vec<f64>,
}

/// Multipliers that satisfy every constraint of the dual, and the value that they prove.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub multipliers: Vec<f64>,
    pub value: f64,
}

impl<M: Mapping> Scaled<'_, M> {
    /// The objective at weights whose rebuilt rows are known: an upper bound of the optimum.
    pub fn value(&self, weights: &[f64], rebuilt: &[f64]) -> f64 {
        let deviation =
            sum_of([self.target, rebuilt], |[target, rebuilt]| (target - rebuilt).abs());
        dot_in_lanes(&self.costs, weights) + deviation
    }

    /// What multipliers, given with what each pair earns at them, prove after they are shrunk
    /// until no pair earns more than it costs; and the share that they are shrunk to.
    pub fn proves(&self, multipliers: &[f64], earnings: &[f64]) -> (f64, f64) {
        let most = most_of([earnings, &self.costs, self.column_sizes], |[earned, cost, size]| {
            if earned > cost + ROUNDING * size { earned / cost } else { 0.0 }
        });
        let largest = most_of([multipliers], |[u]| u.abs());
        let share = 1.0 / most.max(largest).max(1.0);
        (share * dot_in_lanes(self.target, multipliers), share)
    }

    /// The same, with the multipliers.
    pub fn bound(&self, multipliers: &[f64], earnings: &[f64]) -> Bound {
        let (value, share) = self.proves(multipliers, earnings);
        Bound { multipliers: multipliers.iter().map(|u| u * share).collect(), value }
    }
}

impl<M: Entries> Scaled<'_, M> {
    /// A better bound, if there is one, of multipliers at which some pairs earn a little more than
    /// they cost. Shrinking all of them would lose as much everywhere as where it is worst. Here
    /// each pair takes its excess from the multipliers of its own column alone; a few times over,
    /// since those at 1 and −1 may not give way and pairs with a row in common disturb each other.
    pub fn repaired(&self, multipliers: &[f64], earnings: &[f64]) -> Bound {
        let squares = self.matrix.column_sums(|x| x * x);
        let (mut multipliers, mut earnings) = (multipliers.to_vec(), earnings.to_vec());
        let mut best = self.bound(&multipliers, &earnings);
        let mut excess = Vec::new();
        for _ in 0..REPAIRS {
            let from = [&*earnings, &self.costs, self.column_sizes, &squares];
            each(&mut excess, from, |[earned, cost, size, square]| match earned - cost {
                excess if excess > ROUNDING * size => excess / square.max(f64::MIN_POSITIVE),
                _ => 0.0,
            });
            if excess.iter().all(|excess| *excess == 0.0) {
                break;
            }
            for (u, change) in multipliers.iter_mut().zip(self.matrix.rebuild(&excess)) {
                *u = (*u - change).clamp(-1.0, 1.0);
            }
            earnings = self.matrix.earnings(&multipliers);
            let repaired = self.bound(&multipliers, &earnings);
            if repaired.value > best.value {
                best = repaired;
            }
        }
        best
    }
}
