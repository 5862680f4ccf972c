//! The linear system of one Newton step on the undecided part, condensed on the pairs.

use super::by_pairs::ByPairs;
use super::live_matrix::LiveMatrix;
use super::mapping::Steps;
use super::newton::{Changes, Parts, Sides, factor_per_solve};
use super::spare::Spare;
use crate::error::Result;

/// As [`super::newton::Newton`].
pub(super) struct LiveNewton {
    form: ByPairs,
    stiffness: Vec<f64>,
    slackness: Vec<f64>,
}

impl LiveNewton {
    pub fn new(matrix: &LiveMatrix, spare: &mut Spare) -> Result<Self> {
        Ok(Self {
            form: ByPairs::new(matrix, spare)?,
            stiffness: Vec::new(),
            slackness: Vec::new(),
        })
    }

    /// Gives the room back.
    pub fn leave(self, spare: &mut Spare) {
        self.form.leave(spare);
    }
}

impl Steps<LiveMatrix> for LiveNewton {
    fn factor(&mut self, matrix: &LiveMatrix, stiffness: Vec<f64>, slackness: Vec<f64>) -> bool {
        self.stiffness = stiffness;
        self.slackness = slackness;
        self.form.factor(matrix, &self.stiffness, &self.slackness)
    }

    fn solve(
        &mut self,
        matrix: &LiveMatrix,
        right: &Sides,
        weights: &[f64],
        accuracy: f64,
    ) -> Changes {
        let parts = Parts { matrix, stiffness: &self.stiffness, slackness: &self.slackness };
        parts.solve_on_pairs(&mut self.form, right, weights, accuracy)
    }

    fn factor_per_solve(&self) -> f64 {
        factor_per_solve((self.form.work(), self.form.stored()))
    }
}
