//! Anderson acceleration of sweeps, as a proposal that the loop may reject.

use super::choices::Acceleration;
use crate::error::Result;
use crate::math::{Anderson, Matrix};

/// Plain sweeps before the first accelerated one: the edges must have settled.
const WARM_UP: usize = 30;
/// Steps that the acceleration remembers.
const MEMORY: usize = 3;
/// After several rejections in a row it waits 1, 3, 7 … sweeps, but no more than 2 to this power.
const LONGEST_WAIT: u32 = 5;

/// Proposes nodes ahead of those that a sweep placed.
pub(super) struct Accelerator {
    anderson: Option<Anderson>,
    proposed: Option<Matrix>,
    rejected_in_a_row: u32,
    wait: u32,
}

impl Accelerator {
    pub fn new(acceleration: Acceleration) -> Self {
        let anderson = match acceleration {
            Acceleration::Anderson => Some(Anderson::new(MEMORY)),
            Acceleration::None => None,
        };
        Self { anderson, proposed: None, rejected_in_a_row: 0, wait: 0 }
    }

    /// Nodes ahead of those that sweep number `sweep` moved from `here` to `placed`; none during
    /// the warm-up, and while rejected proposals are waited out. `metric` is the matrix of the
    /// placement times rows.
    pub fn propose(
        &mut self,
        sweep: usize,
        here: &Matrix,
        placed: &Matrix,
        metric: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Result<Option<Matrix>> {
        let Some(anderson) = self.anderson.as_mut().filter(|_| sweep >= WARM_UP) else {
            return Ok(None);
        };
        if let Some(proposed) = self.proposed.take() {
            let rejected = proposed.as_slice() != here.as_slice();
            self.rejected_in_a_row = if rejected { self.rejected_in_a_row + 1 } else { 0 };
            self.wait = (1 << self.rejected_in_a_row.saturating_sub(1).min(LONGEST_WAIT)) - 1;
        }
        let ahead = anderson.propose(here.as_slice(), placed.as_slice(), metric);
        if self.wait > 0 {
            self.wait -= 1;
            return Ok(None);
        }
        self.proposed =
            ahead.map(|ahead| Matrix::new(placed.n_rows(), placed.n_cols(), ahead)).transpose()?;
        Ok(self.proposed.clone())
    }
}
