//! Nodes as the centers of a mixture of Gaussians: where points lie between them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::math::{Matrix, observed_squared_distance};

/// Shares below exp(−this) of the largest one are rounding.
const SMALLEST_SHARE: f64 = 40.0;

/// Where a point lies among the nodes that are responsible for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LatentPosition {
    /// At their mean, weighted by their responsibilities.
    #[default]
    Mean,
    /// At the one of the largest responsibility.
    Mode,
}

/// A mixture of Gaussians of equal weight and variance around the nodes of a net.
///
/// A node is responsible for a point in proportion to `exp(−precision/2 · distance²)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    /// The inverse variance β around each node.
    pub precision: f64,
    /// Where points are on the net.
    pub position: LatentPosition,
}

impl Mixture {
    /// The bandwidth with which [`responsibilities`](crate::assign::responsibilities) are those of
    /// the mixture.
    ///
    /// ```
    /// use midrib::object::{LatentPosition, Mixture};
    /// let mixture = Mixture { precision: 8.0, position: LatentPosition::Mean };
    /// assert_eq!(mixture.bandwidth(), 0.25);
    /// ```
    pub fn bandwidth(&self) -> f64 {
        2.0 / self.precision
    }

    /// Writes the inner coordinates of a point and returns its distance from its position among the
    /// nodes; `x`, the nodes and the precision are in the same units.
    pub(super) fn locate(&self, x: &[f64], nodes: &Matrix, at: &Matrix, to: &mut [f64]) -> f64 {
        let squared: Vec<f64> = nodes.rows().map(|y| observed_squared_distance(x, y)).collect();
        let nearest = (0..squared.len()).min_by(|&a, &b| squared[a].total_cmp(&squared[b]));
        let nearest = nearest.unwrap_or(0);
        if self.position == LatentPosition::Mode {
            to.copy_from_slice(at.row(nearest));
            return squared[nearest].sqrt();
        }
        let mut total = 0.0;
        let mut position = vec![0.0; x.len()];
        to.fill(0.0);
        for (node, d) in squared.iter().enumerate() {
            let exponent = 0.5 * self.precision * (d - squared[nearest]);
            if exponent > SMALLEST_SHARE {
                continue;
            }
            let share = (-exponent).exp();
            total += share;
            to.iter_mut().zip(at.row(node)).for_each(|(to, u)| *to += share * u);
            let row = nodes.row(node);
            position.iter_mut().zip(row).for_each(|(to, y)| *to += share * y);
        }
        to.iter_mut().for_each(|u| *u /= total);
        position.iter_mut().for_each(|y| *y /= total);
        observed_squared_distance(x, &position).sqrt()
    }
}
