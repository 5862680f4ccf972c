//! Placement on a graph with weighted edges: `(diag(mass) + stiffness · Laplacian) Y = S`.

use crate::error::{Error, Result};
use crate::math::{Matrix, Sets, SparseCholesky, laplacian_apply, transposed};

/// A component stays where it is if its mass is below this share of the stiffness of its edges:
/// it has no points to attract it, and rounding would decide where it goes.
const NO_MASS: f64 = 1e-13;
/// Solves with the same factor, each for the residual of the last one.
const ROUNDS: usize = 3;

/// Solves `(diag(mass) + stiffness · L) Y = sums`, L the Laplacian of the weighted `edges`, for
/// all components that have mass; the nodes of the others stay at `nodes`.
///
/// ```
/// use midrib::math::Matrix;
/// use midrib::place::place_weighted;
/// let nodes = Matrix::from_rows(&[[1.0], [1.0], [7.0]])?;
/// let sums = Matrix::from_rows(&[[0.0], [8.0], [0.0]])?;
/// let placed = place_weighted(&[(0, 1, 0.5)], 2.0, &[2.0, 2.0, 0.0], &sums, &nodes)?;
/// let expected = [1.0, 3.0, 7.0]; // 3a − b = 0, 3b − a = 8; the third has no mass
/// assert!(placed.as_slice().iter().zip(expected).all(|(y, z)| (y - z).abs() < 1e-14));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn place_weighted(
    edges: &[(usize, usize, f64)],
    stiffness: f64,
    mass: &[f64],
    sums: &Matrix,
    nodes: &Matrix,
) -> Result<Matrix> {
    let n = nodes.n_rows();
    if mass.len() != n || sums.n_rows() != n {
        return Err(Error::shape(
            "weighted placement",
            n,
            format!("{}, {}", mass.len(), sums.n_rows()),
        ));
    }
    let moves = components_with_mass(edges, stiffness, mass);
    let pulls: Vec<(usize, usize, f64)> = edges
        .iter()
        .filter(|(a, _, _)| moves[*a])
        .map(|&(a, b, weight)| (a, b, stiffness * weight))
        .collect();
    let held: Vec<f64> = (0..n).map(|node| if moves[node] { mass[node] } else { 1.0 }).collect();
    let matrix = factored(&pulls, &held)?;

    // Solve for how far the nodes move: near convergence this is small, and so is its rounding error.
    let mut placed = nodes.clone();
    for _ in 0..ROUNDS {
        let mut left = laplacian_apply(&pulls, &held, placed.as_slice());
        for (node, left) in left.chunks_exact_mut(nodes.n_cols()).enumerate() {
            for (left, sum) in left.iter_mut().zip(sums.row(node)) {
                *left = if moves[node] { sum - *left } else { 0.0 };
            }
        }
        let mut columns = transposed(&Matrix::new(n, nodes.n_cols(), left)?);
        matrix.solve(columns.as_mut_slice());
        for (d, column) in columns.rows().enumerate() {
            for (node, by) in column.iter().enumerate() {
                placed.row_mut(node)[d] += by;
            }
        }
    }
    if placed.as_slice().iter().any(|x| !x.is_finite()) {
        return Err(Error::Numerical(
            "the nodes could not be placed: the result is not finite".into(),
        ));
    }
    Ok(placed)
}

/// For each node whether its component has mass.
fn components_with_mass(edges: &[(usize, usize, f64)], stiffness: f64, mass: &[f64]) -> Vec<bool> {
    let mut sets = Sets::new(mass.len());
    for &(a, b, _) in edges {
        sets.join(a, b);
    }
    let mut held = vec![(0.0, f64::MIN_POSITIVE); mass.len()];
    for (node, &mass) in mass.iter().enumerate() {
        held[sets.find(node)].0 += mass;
    }
    for &(a, _, weight) in edges {
        let (_, stiffest) = &mut held[sets.find(a)];
        *stiffest = stiffest.max(stiffness * weight * NO_MASS);
    }
    (0..mass.len())
        .map(|node| {
            let (mass, least) = held[sets.find(node)];
            mass > least
        })
        .collect()
}

/// The factor of `diag(mass) + L`.
fn factored(pulls: &[(usize, usize, f64)], mass: &[f64]) -> Result<SparseCholesky> {
    let pairs: Vec<(usize, usize)> = pulls.iter().map(|&(a, b, _)| (a, b)).collect();
    let mut matrix = SparseCholesky::of_pairs(mass.len(), &pairs)?;
    let mut add = |a: usize, b: usize, value: f64| {
        let index = matrix.index(a, b);
        matrix.values_mut()[index] += value;
    };
    mass.iter().enumerate().for_each(|(node, mass)| add(node, node, *mass));
    for &(a, b, pull) in pulls {
        add(a, a, pull);
        add(b, b, pull);
        add(a, b, -pull);
    }
    if matrix.factor_regularized() {
        Ok(matrix)
    } else {
        Err(Error::Numerical(
            "the nodes cannot be placed: their edges outweigh the points beyond all proportion; \
             raise data_weight"
                .into(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::tree_solve;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_tree_solve(
            n in 2_usize..60,
            log_stiffness in -6.0_f64..4.0,
            seed in 0.0_f64..100.0,
        ) {
            let value = |i: usize| (seed + 1.7 * i as f64 + (i * i % 31) as f64).sin();
            let tree: Vec<(usize, usize)> = (1..n).map(|i| ((i * 7919) % i, i)).collect();
            let weighted: Vec<_> = tree.iter().map(|&(a, b)| (a, b, 1.0)).collect();
            let mass: Vec<f64> = (0..n).map(|i| value(i + 3).abs() + 0.01).collect();
            let sums = Matrix::new(n, 2, (0..2 * n).map(value).collect()).unwrap();
            let stiffness = 10_f64.powf(log_stiffness);
            let expected = tree_solve(&tree, stiffness, &mass, &sums).unwrap();
            let placed = place_weighted(&weighted, stiffness, &mass, &sums, &Matrix::zeros(n, 2)).unwrap();
            for (a, b) in placed.as_slice().iter().zip(expected.as_slice()) {
                prop_assert!((a - b).abs() < 1e-10 * (1.0 + b.abs()), "{a} {b}");
            }
        }
    }

    #[test]
    fn a_component_without_mass_stays() {
        let nodes = Matrix::from_rows(&[[0.0], [1.0], [5.0], [6.0]]).unwrap();
        let sums = Matrix::from_rows(&[[2.0], [2.0], [1e-300], [0.0]]).unwrap();
        let edges = [(0, 1, 1.0), (2, 3, 1.0)];
        let placed = place_weighted(&edges, 1.0, &[1.0, 1.0, 1e-300, 0.0], &sums, &nodes).unwrap();
        assert_eq!(placed.as_slice()[2..], [5.0, 6.0]);
        assert!((placed.as_slice()[0] - 2.0).abs() < 1e-12);
    }
}
