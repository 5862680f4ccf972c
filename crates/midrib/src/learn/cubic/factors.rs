//! Two trees and their product.

use crate::connect::{Change, Topology};
use crate::math::Matrix;
use crate::place::{Springs, Star};

/// Two trees. Node (a, b) of their product has the number a·|second| + b.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Factors(pub [Topology; 2]);

/// A product after a change of one of its trees.
#[derive(Clone)]
pub(super) struct Changed {
    pub factors: Factors,
    pub nodes: Matrix,
}

impl Factors {
    /// The number of nodes of the product.
    pub fn len(&self) -> usize {
        self.0[0].len() * self.0[1].len()
    }

    /// The number of the node that pairs `at` in one tree with `other` in the other one.
    fn number(&self, factor: usize, at: usize, other: usize) -> usize {
        match factor {
            0 => at * self.0[1].len() + other,
            _ => other * self.0[1].len() + at,
        }
    }

    /// The edges of all copies.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for factor in 0..2 {
            for other in 0..self.0[1 - factor].len() {
                let number = |at: usize| self.number(factor, at, other);
                edges.extend(self.0[factor].edges().map(|(a, b)| (number(a), number(b))));
            }
        }
        edges
    }

    /// The springs of all copies.
    pub fn springs(&self, stretching: f64, bending: f64) -> Springs {
        let mut stars = Vec::new();
        for factor in 0..2 {
            let tree = &self.0[factor];
            for other in 0..self.0[1 - factor].len() {
                let number = |at: usize| self.number(factor, at, other);
                let centers = (0..tree.len()).filter(|&node| tree.neighbors(node).len() > 1);
                stars.extend(centers.map(|center| Star {
                    center: number(center),
                    leaves: tree.neighbors(center).iter().map(|&leaf| number(leaf)).collect(),
                    modulus: bending,
                }));
            }
        }
        let edges = self.edges().into_iter().map(|(a, b)| (a, b, stretching)).collect();
        Springs { edges, stars }
    }

    /// The copies of one tree side by side: one row per node, with the positions of that node in all
    /// copies.
    pub fn side_by_side(&self, factor: usize, nodes: &Matrix) -> Matrix {
        let (rows, copies) = (self.0[factor].len(), self.0[1 - factor].len());
        let dims = nodes.n_cols();
        let mut flat = Matrix::zeros(rows, copies * dims);
        for at in 0..rows {
            for other in 0..copies {
                let position = nodes.row(self.number(factor, at, other));
                flat.row_mut(at)[other * dims..][..dims].copy_from_slice(position);
            }
        }
        flat
    }

    /// The product after a change of one tree in all its copies, with its nodes' first positions.
    pub fn changed(
        &self,
        factor: usize,
        change: Change,
        nodes: &Matrix,
        means: &[Option<Vec<f64>>],
    ) -> Changed {
        let copies = self.0[1 - factor].len();
        let dims = nodes.n_cols();
        let mean = |at: usize| -> Option<Vec<f64>> {
            // In a copy without points, the node stays where it is.
            let of_copy = |other: usize| {
                let node = self.number(factor, at, other);
                means[node].clone().unwrap_or_else(|| nodes.row(node).to_vec())
            };
            Some((0..copies).flat_map(of_copy).collect())
        };
        let flat = self.side_by_side(factor, nodes);
        let proposal = self.0[factor].changed(change, &flat, mean);
        let mut factors = self.clone();
        factors.0[factor] = proposal.topology;
        let mut placed = Matrix::zeros(factors.len(), dims);
        for (at, row) in proposal.nodes.rows().enumerate() {
            for (other, position) in row.chunks_exact(dims).enumerate() {
                placed.row_mut(factors.number(factor, at, other)).copy_from_slice(position);
            }
        }
        Changed { factors, nodes: placed }
    }
}
