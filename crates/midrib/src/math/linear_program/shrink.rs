//! Work on what is undecided: pairs that clearly vanish and values that are clearly missed are
//! fixed long before the gap closes, and the interior point goes on without them.
//!
//! At the optimum about half of the pairs have a weight, and only as many values are met; a
//! missed value has multiplier 1 or −1 and merely adds a constant to the cost of each pair.
//! After each step the whole program's certificate is taken, and what turns out to be fixed
//! wrongly is put back. If the gap is not solved by all this, the whole program goes on
//! from the point that it was left at.

use super::certificate::{SOLVED, Scaled};
use super::condensed::Steps;
use super::interior_point::{Found, Search};
use super::newton::Newton;
use super::pair_matrix::PairMatrix;
use super::part::Part;
use super::undecided::{Shrinking, Undecided, n_undecided};
use crate::error::Result;

/// As [`super::interior_point::solve`].
pub(super) fn solve(
    program: &Scaled<'_, PairMatrix>,
    newton: &mut Newton,
    shrinking: Shrinking,
) -> Result<Found> {
    let mut search = Search::new(program);
    let n_pairs = program.costs.len();
    let mut may_shrink = n_pairs >= shrinking.least_pairs;
    while search.advance(newton) {
        if !(may_shrink && newton.is_by_pairs()) {
            continue;
        }
        let n_undecided = n_undecided(&search.at, program.column_sizes);
        if shrinking.is_worth(n_undecided, n_pairs, newton.factor_per_solve()) {
            may_shrink = false;
            let left_at = search.at.clone();
            let undecided = Undecided::at(&search.at, program.column_sizes);
            close_on_parts(program, &mut search, undecided, shrinking)?;
            if search.found.relative_gap() <= SOLVED {
                break;
            }
            search.go_back_to(left_at);
        }
    }
    Ok(search.found)
}

/// Works on one part after the other until the gap is closed or this leads no further.
pub(super) fn close_on_parts(
    program: &Scaled<'_, PairMatrix>,
    search: &mut Search<'_, PairMatrix>,
    mut undecided: Undecided,
    shrinking: Shrinking,
) -> Result<()> {
    loop {
        let part = Part::new(program, &undecided, &search.at);
        if part.is_empty() {
            return Ok(());
        }
        match part.search(search, shrinking)? {
            Some(next) => undecided = next,
            None => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
