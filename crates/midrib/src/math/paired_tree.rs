//! Systems on a tree with two values per node.

use super::matrix::Matrix;
use super::tree_solve::{Step, leaves_last};
use crate::error::Result;

/// A positive definite system for two values x, y at each node of a tree, its leaves eliminated:
///
/// ```text
/// A = [ diag(a) + Lₚ   diag(b) ]
///     [ diag(b)   diag(c) + L_q ]
/// ```
///
/// with the Laplacians of the tree for two stiffnesses p and q of its edges. Solves in O(K·D).
///
/// As on a tree with one value per node, a subtree with the pull S that hangs on an edge E = diag(p, q)
/// pulls its parent by `(S⁻¹ + E⁻¹)⁻¹`, which for two by two matrices is
/// `(det E · S + det S · E) / det(S + E)`: a sum of positive matrices, whatever the ratios.
pub(crate) struct PairedTree {
    order: Vec<Step>,
    /// For each step the pull of its subtree and of the edge, inverted; for the root without edge.
    inverses: Vec<Symmetric>,
    /// For each step the stiffness of the edge to the parent.
    edges: Vec<[f64; 2]>,
}

/// The matrix `[a b; b c]`.
#[derive(Clone, Copy)]
pub(crate) struct Symmetric {
    pub a: f64,
    pub b: f64,
    pub c: f64,
}

impl Symmetric {
    fn determinant(self) -> f64 {
        self.a * self.c - self.b * self.b
    }

    fn plus(self, [p, q]: [f64; 2], factor: f64) -> Self {
        Self { a: self.a + factor * p, b: self.b, c: self.c + factor * q }
    }

    /// Zero if it is singular.
    fn inverse(self) -> Self {
        let determinant = self.determinant();
        let over = if determinant > 0.0 { 1.0 / determinant } else { 0.0 };
        Self { a: over * self.c, b: -over * self.b, c: over * self.a }
    }

    fn times(self, x: f64, y: f64) -> (f64, f64) {
        (self.a * x + self.b * y, self.b * x + self.c * y)
    }
}

impl PairedTree {
    /// `pulls` are a, b, c of each node, `stiffness(node, other)` p and q of an edge.
    pub fn new(
        edges: &[(usize, usize)],
        pulls: &[Symmetric],
        stiffness: impl Fn(usize, usize) -> [f64; 2],
    ) -> Result<Self> {
        let order = leaves_last(pulls.len(), edges)?;
        let edges: Vec<[f64; 2]> = order.iter().map(|at| stiffness(at.node, at.parent)).collect();
        let mut pulls = pulls.to_vec();
        let mut inverses = vec![Symmetric { a: 0.0, b: 0.0, c: 0.0 }; order.len()];
        for (at, &Step { node, parent }) in order.iter().enumerate().skip(1).rev() {
            let ([p, q], pull) = (edges[at], pulls[node]);
            inverses[at] = pull.plus(edges[at], 1.0).inverse();
            let over = pull.determinant() + p * q + pull.a * q + pull.c * p;
            if over > 0.0 {
                let (own, whole) = (p * q / over, pull.determinant() / over);
                let to = &mut pulls[parent];
                to.a += own * pull.a + whole * p;
                to.b += own * pull.b;
                to.c += own * pull.c + whole * q;
            }
        }
        inverses[0] = pulls[order[0].node].inverse();
        Ok(Self { order, inverses, edges })
    }

    /// The values x for the right sides `sums` of x, and 0 of y.
    pub fn solve(&self, sums: &Matrix) -> Matrix {
        let dims = sums.n_cols();
        // In the order of the steps, x and y side by side.
        let mut position = vec![0_u32; self.order.len()];
        let mut values = vec![[0.0; 2]; self.order.len() * dims];
        for (at, step) in self.order.iter().enumerate() {
            position[step.node] = at as u32;
            let to = &mut values[at * dims..(at + 1) * dims];
            to.iter_mut().zip(sums.row(step.node)).for_each(|(to, x)| to[0] = *x);
        }
        let mut solution = Matrix::zeros(sums.n_rows(), dims);
        for (at, step) in self.order.iter().enumerate().rev() {
            let (head, own) = values.split_at_mut(at * dims);
            let (inverse, [p, q]) = (self.inverses[at], self.edges[at]);
            let up = position[step.parent] as usize * dims;
            for (d, own) in own[..dims].iter_mut().enumerate() {
                let (x, y) = inverse.times(own[0], own[1]);
                *own = [x, y];
                if at > 0 {
                    head[up + d][0] += p * x;
                    head[up + d][1] += q * y;
                }
            }
        }
        for (at, step) in self.order.iter().enumerate() {
            let (head, own) = values.split_at_mut(at * dims);
            let (inverse, [p, q]) = (self.inverses[at], self.edges[at]);
            let up = position[step.parent] as usize * dims;
            let to = solution.row_mut(step.node);
            for (d, own) in own[..dims].iter_mut().enumerate() {
                if at > 0 {
                    let [above_x, above_y] = head[up + d];
                    let (x, y) = inverse.times(p * above_x, q * above_y);
                    *own = [own[0] + x, own[1] + y];
                }
                to[d] = own[0];
            }
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::linalg::solvers::Solve;
    use faer::{Mat, Side};

    #[test]
    fn agrees_with_dense_cholesky() {
        let n = 30;
        let wave = |i: usize| (1.7 * i as f64).sin().abs();
        let edges: Vec<(usize, usize)> = (1..n).map(|i| (i * 7 % i.min(9), i)).collect();
        let pulls: Vec<Symmetric> = (0..n)
            .map(|i| {
                // Some nodes are held by their neighbors alone.
                let mass = if i % 4 == 1 { 0.0 } else { 0.1 + wave(i) };
                Symmetric { a: 6.0 * mass, b: 5_f64.sqrt() * mass, c: mass }
            })
            .collect();
        for scale in [1e-3, 1.0, 1e4] {
            let stiffness = |a: usize, b: usize| [scale * (1.0 + wave(a * b)), wave(a + b) / scale];
            let mut dense = Mat::<f64>::zeros(2 * n, 2 * n);
            for (i, pull) in pulls.iter().enumerate() {
                for (row, column, x) in
                    [(i, i, pull.a), (i, n + i, pull.b), (n + i, i, pull.b), (n + i, n + i, pull.c)]
                {
                    dense[(row, column)] += x;
                }
            }
            for &(a, b) in &edges {
                for (half, x) in stiffness(a, b).into_iter().enumerate() {
                    let (a, b) = (half * n + a, half * n + b);
                    for (row, column, x) in [(a, a, x), (b, b, x), (a, b, -x), (b, a, -x)] {
                        dense[(row, column)] += x;
                    }
                }
            }
            let mut sums = Matrix::zeros(n, 3);
            let mut right = Mat::<f64>::zeros(2 * n, 3);
            for i in 0..n {
                for d in 0..3 {
                    sums.row_mut(i)[d] = (i as f64 * 0.9 + d as f64).cos();
                    right[(i, d)] = sums.row(i)[d];
                }
            }
            let expected = dense.llt(Side::Lower).unwrap().solve(right);
            let found = PairedTree::new(&edges, &pulls, stiffness).unwrap().solve(&sums);
            for i in 0..n {
                for d in 0..3 {
                    let (found, expected) = (found.row(i)[d], expected[(i, d)]);
                    assert!(
                        (found - expected).abs() < 1e-9 * (1.0 + expected.abs()),
                        "{found} {expected}"
                    );
                }
            }
        }
    }
}
