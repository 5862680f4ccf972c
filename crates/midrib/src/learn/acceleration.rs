//! Anderson acceleration of sweeps, as a proposal that the loop may reject.

use super::choices::Acceleration;
use crate::error::Result;
use crate::math::{Anderson, Matrix};

/// Plain sweeps before the first accelerated one: the edges must have settled.
const WARM_UP: usize = 30;
/// Steps that the acceleration remembers.
const MEMORY: usize = 3;

/// Proposes nodes ahead of those that a sweep placed.
pub(super) struct Accelerator {
    anderson: Option<Anderson>,
}

impl Accelerator {
    pub fn new(acceleration: Acceleration) -> Self {
        let anderson = match acceleration {
            Acceleration::Anderson => Some(Anderson::new(MEMORY)),
            Acceleration::None => None,
        };
        Self { anderson }
    }

    /// Nodes ahead of those that sweep number `sweep` moved from `here` to `placed`; none during
    /// the warm-up. `metric` is the matrix of the placement times rows.
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
        let ahead = anderson.propose(here.as_slice(), placed.as_slice(), metric);
        ahead.map(|ahead| Matrix::new(placed.n_rows(), placed.n_cols(), ahead)).transpose()
    }
}
