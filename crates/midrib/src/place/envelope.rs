//! Small symmetric positive definite systems on graphs that are almost trees.
//!
//! The grammar of elastic graphs solves thousands of them, each of another pattern: ordering and
//! analyzing them by a general sparse factorization takes longer than solving them.

use crate::math::simd::{Work, dispatch};

/// Right-hand sides that are solved for at once.
const LANES: usize = 4;

/// The lower triangle, each row stored from its first entry on: the factor stays within.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// The position of each unknown in the elimination.
    order: Vec<usize>,
    /// The first column of each row, and where the row starts among the values.
    rows: Vec<(usize, usize)>,
    values: Vec<f64>,
}

impl Envelope {
    /// A matrix of zeros that can have entries on the diagonal and at these pairs. The unknowns are
    /// ordered along the edges of a graph.
    pub fn new(n: usize, edges: &[(usize, usize, f64)], pairs: &[(usize, usize)]) -> Self {
        let order = depth_first(n, edges);
        let mut first: Vec<usize> = (0..n).collect();
        for &(a, b) in pairs {
            let (low, high) = (order[a].min(order[b]), order[a].max(order[b]));
            first[high] = first[high].min(low);
        }
        let mut stored = 0;
        let row = |(row, first): (usize, usize)| {
            stored += row + 1 - first;
            (first, stored - (row + 1 - first))
        };
        let rows = first.into_iter().enumerate().map(row).collect();
        Self { order, rows, values: vec![0.0; stored] }
    }

    /// Adds to the entry of two unknowns.
    pub fn add(&mut self, a: usize, b: usize, value: f64) {
        let (a, b) = (self.order[a], self.order[b]);
        let (first, start) = self.rows[a.max(b)];
        self.values[start + a.min(b) - first] += value;
    }

    /// Replaces the matrix by its factor, with reciprocals on the diagonal; false if it is not
    /// positive definite.
    pub fn factor(&mut self) -> bool {
        for (row, &(first, start)) in self.rows.iter().enumerate() {
            let (before, own) = self.values.split_at_mut(start);
            let own = &mut own[..=row - first];
            for column in first..row {
                let (other_first, other_start) = self.rows[column];
                let from = first.max(other_first);
                let other = &before[other_start + from - other_first..][..=column - from];
                let (known, rest) = own[from - first..].split_at_mut(column - from);
                let left = known.iter().zip(other).fold(rest[0], |left, (a, b)| left - a * b);
                rest[0] = left * other[column - from];
            }
            let (known, diagonal) = own.split_at_mut(row - first);
            let left = known.iter().fold(diagonal[0], |left, x| left - x * x);
            if !(left > 0.0 && left.is_finite()) {
                return false;
            }
            diagonal[0] = 1.0 / left.sqrt();
        }
        true
    }

    /// Solves in place with the factor for several right-hand sides, one after the other.
    pub fn solve(&self, right: &mut [f64]) {
        let n = self.rows.len();
        let mut rows = vec![[0.0; LANES]; n];
        for columns in right.chunks_mut(LANES * n.max(1)) {
            for (lane, column) in columns.chunks_exact(n).enumerate() {
                column.iter().zip(&self.order).for_each(|(x, &at)| rows[at][lane] = *x);
            }
            dispatch(SolveLanes { factor: self, rows: &mut rows });
            for (lane, column) in columns.chunks_exact_mut(n).enumerate() {
                column.iter_mut().zip(&self.order).for_each(|(x, &at)| *x = rows[at][lane]);
            }
        }
    }
}

/// The work of [`Envelope::solve`]: forward through the rows of the factor, and back.
struct SolveLanes<'a> {
    factor: &'a Envelope,
    rows: &'a mut [[f64; LANES]],
}

impl Work for SolveLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { factor, rows } = self;
        for (row, &(first, start)) in factor.rows.iter().enumerate() {
            let (known, diagonal) =
                factor.values[start..=start + row - first].split_at(row - first);
            let mut own = rows[row];
            for (l, other) in known.iter().zip(&rows[first..]) {
                (0..LANES).for_each(|lane| own[lane] -= l * other[lane]);
            }
            rows[row] = own.map(|x| x * diagonal[0]);
        }
        for (row, &(first, start)) in factor.rows.iter().enumerate().rev() {
            let (known, diagonal) =
                factor.values[start..=start + row - first].split_at(row - first);
            let own = rows[row].map(|x| x * diagonal[0]);
            rows[row] = own;
            for (l, other) in known.iter().zip(&mut rows[first..]) {
                (0..LANES).for_each(|lane| other[lane] -= l * own[lane]);
            }
        }
    }
}

/// Positions such that the nodes of a tree come right before the node that they hang on.
fn depth_first(n: usize, edges: &[(usize, usize, f64)]) -> Vec<usize> {
    let mut neighbors = vec![Vec::new(); n];
    for &(a, b, _) in edges {
        neighbors[a].push(b);
        neighbors[b].push(a);
    }
    let mut order = vec![0; n];
    let mut next = n;
    let mut visited = vec![false; n];
    let mut stack = Vec::new();
    for root in 0..n {
        if !std::mem::replace(&mut visited[root], true) {
            stack.push(root);
        }
        while let Some(node) = stack.pop() {
            next -= 1;
            order[node] = next;
            for &other in &neighbors[node] {
                if !std::mem::replace(&mut visited[other], true) {
                    stack.push(other);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn solutions_satisfy_the_equations(
            n in 1_usize..20,
            dims in 1_usize..10,
            seed in 0_usize..1000,
        ) {
            let edges: Vec<_> = (1..n).map(|i| ((i * 7 + seed) % i, i, 1.0)).collect();
            let others = (2..n).map(|i| (i, (i * 5 + seed) % (i - 1)));
            let pairs: Vec<_> = edges.iter().map(|&(a, b, _)| (a, b)).chain(others).collect();
            let mut matrix = Envelope::new(n, &edges, &pairs);
            let mut dense = crate::math::Matrix::zeros(n, n);
            for i in 0..n {
                matrix.add(i, i, 2.0 * n as f64);
                dense.row_mut(i)[i] = 2.0 * n as f64;
            }
            for &(a, b) in &pairs {
                let value = ((seed + a * 13 + b * 29) as f64).sin();
                matrix.add(a, b, value);
                dense.row_mut(a)[b] += value;
                dense.row_mut(b)[a] += value;
            }
            let right: Vec<f64> = (0..dims * n).map(|i| (i as f64).cos()).collect();
            let mut solution = right.clone();
            prop_assert!(matrix.factor());
            matrix.solve(&mut solution);
            for (right, solution) in right.chunks_exact(n).zip(solution.chunks_exact(n)) {
                for (row, right) in dense.rows().zip(right) {
                    let product: f64 = row.iter().zip(solution).map(|(a, x)| a * x).sum();
                    prop_assert!((product - right).abs() < 1e-12);
                }
                // A column alone is solved to the same bits as beside others.
                let mut alone = right.to_vec();
                matrix.solve(&mut alone);
                prop_assert_eq!(&alone, solution);
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        let mut matrix = Envelope::new(2, &[(0, 1, 1.0)], &[(0, 1)]);
        matrix.add(0, 0, 1.0);
        matrix.add(1, 0, 2.0);
        matrix.add(1, 1, 1.0);
        assert!(!matrix.factor());
    }
}
