//! The placement step on a tree: `(diag(mass) + penalty · Laplacian) Y = S` in O(K·D).

use super::matrix::Matrix;
use crate::error::{Error, Result};

/// Solves `(diag(mass) + penalty · L) Y = sums`, L the Laplacian of a spanning tree.
///
/// Leaves are eliminated toward a root. A subtree of mass m that hangs on an edge of
/// conductance c pulls its parent like the mass m·c/(m + c): only sums, products and
/// quotients of nonnegative numbers occur, so nothing cancels, whatever the ratio of
/// penalty to mass. Nodes without mass are placed by their neighbors.
///
/// `edges` must form a spanning tree of the rows of `sums`.
///
/// ```
/// use midrib::math::{Matrix, tree_solve};
/// let sums = Matrix::from_rows(&[[0.0], [8.0]])?;
/// let placed = tree_solve(&[(0, 1)], 1.0, &[2.0, 2.0], &sums)?;
/// assert_eq!(placed.as_slice(), [1.0, 3.0]); // 3a − b = 0, 3b − a = 8
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn tree_solve(
    edges: &[(usize, usize)],
    penalty: f64,
    mass: &[f64],
    sums: &Matrix,
) -> Result<Matrix> {
    if mass.len() != sums.n_rows() {
        return Err(Error::shape("tree placement", sums.n_rows(), mass.len()));
    }
    Ok(TreeFactor::new(edges, penalty, mass)?.solve(sums))
}

/// The matrix of a placement on a tree with its leaves eliminated, for many right sides.
pub(crate) struct TreeFactor {
    order: Vec<Step>,
    penalty: f64,
    /// What pulls each node, that of its subtree included.
    pull: Vec<f64>,
}

impl TreeFactor {
    pub fn new(edges: &[(usize, usize)], penalty: f64, mass: &[f64]) -> Result<Self> {
        let n = mass.len();
        if edges.len() + 1 != n {
            let expected = format!("{} edges for {n} nodes", n.saturating_sub(1));
            return Err(Error::shape("tree placement", expected, edges.len()));
        }
        let order = leaves_last(n, edges)?;
        let mut pull = mass.to_vec();
        for step in order[1..].iter().rev() {
            pull[step.parent] += share(penalty, pull[step.node]) * pull[step.node];
        }
        let root = pull[order[0].node];
        if root.is_nan() || root <= 0.0 {
            return Err(Error::Numerical(
                "no point is assigned to any node: increase the bandwidth".into(),
            ));
        }
        Ok(Self { order, penalty, pull })
    }

    pub fn solve(&self, sums: &Matrix) -> Matrix {
        let Self { order, penalty, pull } = self;
        let mut placed = sums.clone();
        let dims = sums.n_cols();
        for step in order[1..].iter().rev() {
            let share = share(*penalty, pull[step.node]);
            let (node, parent) = two_rows(placed.as_mut_slice(), dims, step.node, step.parent);
            for (to, from) in parent.iter_mut().zip(node) {
                *to += share * *from;
            }
        }
        let root = order[0].node;
        for value in placed.row_mut(root) {
            *value /= pull[root];
        }
        for step in &order[1..] {
            let stiffness = pull[step.node] + penalty;
            let (node, parent) = two_rows(placed.as_mut_slice(), dims, step.node, step.parent);
            for (to, from) in node.iter_mut().zip(parent) {
                *to = if stiffness > 0.0 { (*to + penalty * *from) / stiffness } else { *from };
            }
        }
        placed
    }
}

/// The part of a node's pull that reaches its parent.
fn share(penalty: f64, pull: f64) -> f64 {
    let stiffness = pull + penalty;
    if stiffness > 0.0 { penalty / stiffness } else { 0.0 }
}

#[derive(Clone, Copy)]
pub(super) struct Step {
    pub node: usize,
    pub parent: usize,
}

/// Every node after its parent, from node 0 outward.
pub(super) fn leaves_last(n: usize, edges: &[(usize, usize)]) -> Result<Vec<Step>> {
    let mut first = vec![0_u32; n + 1];
    for &(a, b) in edges {
        first[a + 1] += 1;
        first[b + 1] += 1;
    }
    for i in 0..n {
        first[i + 1] += first[i];
    }
    let mut fill = first.clone();
    let mut neighbors = vec![0_u32; 2 * edges.len()];
    for &(a, b) in edges {
        for (from, to) in [(a, b), (b, a)] {
            neighbors[fill[from] as usize] = to as u32;
            fill[from] += 1;
        }
    }
    let mut reached = vec![false; n];
    let mut order = Vec::with_capacity(n);
    order.push(Step { node: 0, parent: 0 });
    reached[0] = true;
    let mut next = 0;
    while next < order.len() {
        let node = order[next].node;
        for &other in &neighbors[first[node] as usize..first[node + 1] as usize] {
            let other = other as usize;
            if !reached[other] {
                reached[other] = true;
                order.push(Step { node: other, parent: node });
            }
        }
        next += 1;
    }
    if order.len() != n {
        return Err(Error::Numerical("the edges do not form a spanning tree of the nodes".into()));
    }
    Ok(order)
}

fn two_rows(data: &mut [f64], dims: usize, i: usize, j: usize) -> (&mut [f64], &mut [f64]) {
    let (low, high) = (i.min(j), i.max(j));
    let (head, tail) = data.split_at_mut(high * dims);
    let low_row = &mut head[low * dims..(low + 1) * dims];
    let high_row = &mut tail[..dims];
    if i < j { (low_row, high_row) } else { (high_row, low_row) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::linalg::solvers::Solve;
    use faer::{Mat, Side};
    use proptest::prelude::*;

    fn dense(edges: &[(usize, usize)], penalty: f64, mass: &[f64], sums: &Matrix) -> Matrix {
        let n = mass.len();
        let mut system = Mat::<f64>::zeros(n, n);
        for (i, m) in mass.iter().enumerate() {
            system[(i, i)] += m;
        }
        for &(a, b) in edges {
            system[(a, a)] += penalty;
            system[(b, b)] += penalty;
            system[(a, b)] -= penalty;
            system[(b, a)] -= penalty;
        }
        let solved = system.llt(Side::Lower).unwrap().solve(sums.as_faer());
        let data = (0..n)
            .flat_map(|i| (0..sums.n_cols()).map(move |d| (i, d)))
            .map(|at| solved[at])
            .collect();
        Matrix::new(n, sums.n_cols(), data).unwrap()
    }

    proptest! {
        #[test]
        fn agrees_with_dense_cholesky(
            parents in proptest::collection::vec(0.0_f64..1.0, 1..40),
            log_penalty in -6.0_f64..4.0,
            seed in 0.1_f64..9.0,
        ) {
            let n = parents.len() + 1;
            let edges: Vec<_> = parents
                .iter()
                .enumerate()
                .map(|(i, p)| ((p * (i + 1) as f64) as usize, i + 1))
                .collect();
            let mass: Vec<f64> = (0..n).map(|i| (seed * (i + 1) as f64).sin().abs() + 0.05).collect();
            let values = (0..2 * n).map(|i| (seed * 3.0 + i as f64).cos()).collect();
            let sums = Matrix::new(n, 2, values).unwrap();
            let penalty = 10_f64.powf(log_penalty);
            let ours = tree_solve(&edges, penalty, &mass, &sums).unwrap();
            let reference = dense(&edges, penalty, &mass, &sums);
            for (a, b) in ours.as_slice().iter().zip(reference.as_slice()) {
                prop_assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
            }
        }
    }

    #[test]
    fn nodes_without_mass_follow_their_neighbors() {
        let sums = Matrix::from_rows(&[[0.0], [0.0], [6.0]]).unwrap();
        let placed = tree_solve(&[(0, 1), (1, 2)], 1e-300, &[1.0, 0.0, 2.0], &sums).unwrap();
        assert_eq!(placed.as_slice(), [1.5e-300, 1.5, 3.0]);
        let unpenalised = tree_solve(&[(0, 1), (1, 2)], 0.0, &[1.0, 0.0, 2.0], &sums).unwrap();
        assert_eq!(unpenalised.as_slice(), [0.0, 0.0, 3.0]);
    }

    #[test]
    fn cycles_and_missing_mass_are_refused() {
        let sums = Matrix::zeros(3, 1);
        assert!(tree_solve(&[(0, 1), (0, 1)], 1.0, &[1.0; 3], &sums).is_err());
        assert!(tree_solve(&[(0, 1), (1, 2)], 1.0, &[0.0; 3], &sums).is_err());
    }
}
