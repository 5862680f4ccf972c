//! Branches that are moved to where they lower the energy.

use super::growth::{Grown, Growth};
use crate::connect::Rule;

/// A change of a grown graph must lower the energy by at least this share.
pub(super) const WORTH_MOVING: f64 = 1e-4;

/// The tree with a branch moved, if that lowers its energy; once a branch was `moved`, single nodes
/// may also be better off elsewhere.
pub(super) fn moved_branch(growth: &Growth, here: &Grown, moved: bool) -> Option<Grown> {
    let better = |next: Grown, here: &Grown| {
        (next.compared < (1.0 - WORTH_MOVING) * here.compared).then_some(next)
    };
    let rewired = |here: &Grown| better(growth.step(here, Rule::Rewire)?, here);
    if let Some(next) = rewired(here) {
        return Some(next);
    }
    if !moved {
        return None;
    }
    let elsewhere = growth.step(&growth.step(here, Rule::Grow)?, Rule::Shrink)?;
    better(rewired(&elsewhere).unwrap_or(elsewhere), here)
}
