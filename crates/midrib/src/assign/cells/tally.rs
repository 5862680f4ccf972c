//! The sums of an assignment, to which points are added and from which they are taken.

use super::NOBODY;
use crate::assign::Rows;
use crate::assign::Sums;
use crate::math::Matrix;

/// The sums, and what the mean square needs beside them.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub sums: Sums,
    /// If values are missing: the weight of the points at each node whose value is observed, for
    /// each coordinate (K×D).
    pub observed: Option<Matrix>,
    /// The weighted squared norms of the points at each node.
    squares: Vec<f64>,
    /// The weight of the points at no node.
    trimmed: f64,
    radius: f64,
}

impl Tally {
    pub fn zeros(nodes: usize, rows: &Rows) -> Self {
        let mut sums = Sums::zeros(nodes, rows.values.n_cols());
        sums.weight = rows.weights.iter().sum();
        let observed = rows.has_missing.then(|| Matrix::zeros(nodes, rows.values.n_cols()));
        Self { sums, observed, squares: vec![0.0; nodes], trimmed: 0.0, radius: rows.radius }
    }

    /// Adds a point of `D` coordinates, or of any number if that is 0, to a node's sums; with a
    /// negative weight takes it away.
    #[inline(always)]
    pub fn count<const D: usize>(&mut self, x: &[f64], node: u32, weight: f64) {
        if node == NOBODY {
            self.trimmed += weight;
            return;
        }
        let node = node as usize;
        self.sums.mass[node] += weight;
        let mut square = 0.0;
        if let Some(observed) = &mut self.observed {
            let sums = self.sums.weighted.row_mut(node).iter_mut().zip(observed.row_mut(node));
            for ((sum, observed), x) in sums.zip(x).filter(|(_, x)| !x.is_nan()) {
                *sum += weight * x;
                *observed += weight;
                square += x * x;
            }
            self.squares[node] += weight * square;
            return;
        }
        for (sum, x) in self.sums.weighted.row_mut_of::<D>(node).iter_mut().zip(x) {
            *sum += weight * x;
            square += x * x;
        }
        self.squares[node] += weight * square;
    }

    /// The mean squared distance of the points to their nodes, were these at `nodes`; a point
    /// without a node counts the squared radius.
    pub fn mean_square(&self, nodes: &Matrix) -> f64 {
        let mut total = 0.0;
        for (node, y) in nodes.rows().enumerate() {
            let sums = y.iter().zip(self.sums.weighted.row(node));
            if let Some(observed) = &self.observed {
                let held = sums
                    .zip(observed.row(node))
                    .map(|((y, s), observed)| y * (observed * y - 2.0 * s));
                total += self.squares[node] + held.sum::<f64>();
                continue;
            }
            let (product, square) = sums.fold((0.0, 0.0), |(p, q), (y, s)| (p + y * s, q + y * y));
            total += self.squares[node] - 2.0 * product + self.sums.mass[node] * square;
        }
        if self.trimmed > 0.0 {
            total += self.trimmed * self.radius * self.radius;
        }
        total / self.sums.weight
    }

    /// The mean of the points of a node, where they know all coordinates.
    pub fn mean(&self, node: usize) -> Option<Vec<f64>> {
        if let Some(observed) = &self.observed {
            let means = self.sums.weighted.row(node).iter().zip(observed.row(node));
            // What is left of a weight after points were taken away does not count as a point.
            let some =
                |observed: f64| observed > 1e-9 * self.sums.weight / self.sums.mass.len() as f64;
            return means.map(|(sum, &observed)| some(observed).then(|| sum / observed)).collect();
        }
        let mass = self.sums.mass[node];
        (mass > 0.0).then(|| self.sums.weighted.row(node).iter().map(|sum| sum / mass).collect())
    }

    /// The sums under the new numbers; those of nodes that are gone are left out.
    pub fn renumbered(&self, from: &[Option<usize>]) -> Self {
        let Tally { sums, observed, squares, trimmed, radius } = self;
        let dims = sums.weighted.n_cols();
        let mut new = Self {
            sums: Sums::zeros(from.len(), dims),
            observed: observed.as_ref().map(|_| Matrix::zeros(from.len(), dims)),
            squares: vec![0.0; from.len()],
            trimmed: *trimmed,
            radius: *radius,
        };
        new.sums.weight = sums.weight;
        for (to, from) in from.iter().enumerate() {
            if let Some(from) = *from {
                new.sums.mass[to] = sums.mass[from];
                new.sums.weighted.row_mut(to).copy_from_slice(sums.weighted.row(from));
                new.squares[to] = squares[from];
                if let (Some(to_observed), Some(observed)) = (&mut new.observed, observed) {
                    to_observed.row_mut(to).copy_from_slice(observed.row(from));
                }
            }
        }
        new
    }
}
