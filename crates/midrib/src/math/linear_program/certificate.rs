//! What any weights and multipliers prove about the program, in its own scale.

use super::mapping::Mapping;
use crate::math::simd::dot_in_lanes;

/// A pair may earn more than its cost by this share of its column: rounding.
const ROUNDING: f64 = 1e-14;

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
        let deviation: f64 = self.target.iter().zip(rebuilt).map(|(t, r)| (t - r).abs()).sum();
        dot_in_lanes(&self.costs, weights) + deviation
    }

    /// The value that multipliers, given with what each pair earns at them, prove after they
    /// are shrunk until no pair earns more than it costs; the factor comes along.
    pub fn bound(&self, multipliers: &[f64], earnings: &[f64]) -> (f64, f64) {
        let mut shrink: f64 = 1.0;
        for ((&earned, &cost), &size) in earnings.iter().zip(&self.costs).zip(self.column_sizes) {
            if earned > cost + ROUNDING * size {
                shrink = shrink.min(cost / earned);
            }
        }
        let largest = multipliers.iter().fold(1.0, |most: f64, u| most.max(u.abs()));
        shrink = shrink.min(1.0 / largest);
        (shrink * dot_in_lanes(self.target, multipliers), shrink)
    }
}
