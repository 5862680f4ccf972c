//! The result of an assignment: all that the other two moves need.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::math::Matrix;

/// Sufficient statistics of an assignment. Sums over disjoint sets of points merge by adding, so
/// the same code serves one block, all cores and many machines.
///
/// ```
/// use midrib::assign::Sums;
/// let mut left = Sums::zeros(2, 3);
/// left.cost = 1.5;
/// let mut right = Sums::zeros(2, 3);
/// right.cost = 2.0;
/// left.merge(&right);
/// assert_eq!(left.cost, 3.5);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// Weight of the points assigned to each node (K).
    pub mass: Vec<f64>,
    /// Weighted sum of the points assigned to each node (K×D).
    pub weighted: Matrix,
    /// The objective's data part.
    pub cost: f64,
    /// Weight of all points.
    pub weight: f64,
}

impl Sums {
    /// The sums of no points.
    pub fn zeros(nodes: usize, dims: usize) -> Self {
        Self {
            mass: vec![0.0; nodes],
            weighted: Matrix::zeros(nodes, dims),
            cost: 0.0,
            weight: 0.0,
        }
    }

    /// The sums of these points and of others; refused unless they are over the same nodes.
    ///
    /// ```
    /// use midrib::assign::Sums;
    /// assert_eq!(Sums::zeros(2, 3).plus(&Sums::zeros(2, 3))?, Sums::zeros(2, 3));
    /// assert!(Sums::zeros(2, 3).plus(&Sums::zeros(1, 3)).is_err());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn plus(&self, other: &Self) -> Result<Self> {
        let shape = |sums: &Self| [sums.mass.len(), sums.weighted.n_rows(), sums.weighted.n_cols()];
        let (ours, theirs) = (shape(self), shape(other));
        if ours != theirs {
            let reason = format!("sums over {ours:?} cannot be added to sums over {theirs:?}");
            return Err(Error::data(reason));
        }
        let mut sum = self.clone();
        sum.merge(other);
        Ok(sum)
    }

    /// The mean of each node's points; nodes without points stay where they are in `before`.
    pub(crate) fn means(&self, before: &Matrix) -> Matrix {
        let mut means = self.weighted.clone();
        for (node, &mass) in self.mass.iter().enumerate() {
            if mass > 0.0 {
                means.row_mut(node).iter_mut().for_each(|x| *x /= mass);
            } else {
                means.row_mut(node).copy_from_slice(before.row(node));
            }
        }
        means
    }

    /// `total` with some parts added in order.
    pub(super) fn merged(mut total: Self, parts: &[Self]) -> Self {
        parts.iter().for_each(|part| total.merge(part));
        total
    }

    /// Adds the sums of other points over the same nodes.
    pub fn merge(&mut self, other: &Self) {
        add(&mut self.mass, &other.mass);
        add(self.weighted.as_mut_slice(), other.weighted.as_slice());
        self.cost += other.cost;
        self.weight += other.weight;
    }
}

fn add(to: &mut [f64], from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}
