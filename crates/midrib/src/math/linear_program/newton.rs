//! The linear system of one Newton step, in the cheaper of its two forms.

use super::by_pairs::ByPairs;
use super::by_rows::ByRows;
use super::condensed::{Changes, Diagonals, On, Steps, System};
use super::pair_matrix::PairMatrix;
use crate::error::Result;
use crate::math::SparseCholesky;

/// If one form has this many times the entries of the other, its factor is not computed.
const CLEARLY_LARGER: usize = 3;
/// With this many times the entries the other form is no help.
const FAR_LARGER: usize = 50;

/// The form in which the whole program's steps are solved.
pub(super) enum Newton {
    Pairs(ByPairs),
    Rows(ByRows),
}

impl Newton {
    /// Chooses the form whose factor is cheaper; this depends on the pattern alone.
    pub fn new(matrix: &PairMatrix) -> Result<Self> {
        let (by_pairs, by_rows) = (ByPairs::entries(matrix), ByRows::entries(matrix));
        if by_rows / CLEARLY_LARGER > by_pairs {
            return Self::of_form(matrix, true);
        }
        if by_pairs / CLEARLY_LARGER > by_rows {
            return Self::of_form(matrix, false);
        }
        let (pairs, rows) = (Self::of_form(matrix, true)?, Self::of_form(matrix, false)?);
        let rows_win = rows.cholesky().work() < pairs.cholesky().work();
        Ok(if rows_win { rows } else { pairs })
    }

    /// The other form, for programs so degenerate that this one fails; none if it is far larger.
    pub fn other_form(&self, matrix: &PairMatrix) -> Result<Option<Self>> {
        let (by_pairs, by_rows) = (ByPairs::entries(matrix), ByRows::entries(matrix));
        let on_pairs = !self.is_by_pairs();
        let (own, other) = if on_pairs { (by_rows, by_pairs) } else { (by_pairs, by_rows) };
        if other > FAR_LARGER * own { Ok(None) } else { Self::of_form(matrix, on_pairs).map(Some) }
    }

    /// The form on the pairs, or on the rows.
    pub fn of_form(matrix: &PairMatrix, on_pairs: bool) -> Result<Self> {
        Ok(match on_pairs {
            true => Self::Pairs(ByPairs::new(matrix)?),
            false => Self::Rows(ByRows::new(matrix)?),
        })
    }

    /// Whether it is condensed on the pairs.
    pub fn is_by_pairs(&self) -> bool {
        matches!(self, Self::Pairs(_))
    }

    fn cholesky(&self) -> &SparseCholesky {
        match self {
            Self::Pairs(form) => &form.cholesky,
            Self::Rows(form) => &form.cholesky,
        }
    }
}

impl Steps<PairMatrix> for Newton {
    fn factor(&mut self, matrix: &PairMatrix, diagonals: &Diagonals) -> bool {
        match self {
            Self::Pairs(form) => form.factor(matrix, diagonals),
            Self::Rows(form) => form.factor(matrix, diagonals),
        }
    }

    fn solve(&mut self, system: System<'_, PairMatrix>, accuracy: f64, changes: &mut Changes) {
        match self {
            Self::Pairs(form) => form.solve(system, accuracy, changes),
            Self::Rows(form) => system.solve_on(On::Rows, &mut form.cholesky, accuracy, changes),
        }
    }

    fn factor_per_solve(&self) -> f64 {
        self.cholesky().factor_per_solve()
    }
}
