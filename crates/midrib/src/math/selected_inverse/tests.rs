use faer::Side;
use faer::linalg::solvers::{DenseSolveCore, Llt};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Adds an edge to a graph's Laplacian.
fn draw_together(dense: &mut Mat<f64>, row: usize, column: usize, pull: f64) {
    dense[(row, column)] = -pull;
    dense[(column, row)] = -pull;
    dense[(row, row)] += pull;
    dense[(column, column)] += pull;
}

/// In compressed columns, the diagonal first in each: their starts, rows and values.
fn lower_triangle(dense: &Mat<f64>) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
    let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in 0..dense.ncols() {
        for row in column..dense.nrows() {
            if dense[(row, column)] != 0.0 {
                rows.push(row);
                values.push(dense[(row, column)]);
            }
        }
        starts.push(rows.len());
    }
    (starts, rows, values)
}

/// `diag + Laplacian` of a random graph: values of the lower triangle, diagonal first.
fn random(seed: u64, size: usize, density: f64) -> (SparseCholesky, Mat<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut dense = Mat::<f64>::zeros(size, size);
    for column in 0..size {
        dense[(column, column)] += 0.1 + rng.random::<f64>();
        for row in column + 1..size {
            let near = density / (1.0 + (row - column) as f64 / 16.0);
            if row == 1 || rng.random::<f64>() < near {
                draw_together(&mut dense, row, column, rng.random::<f64>());
            }
        }
    }
    let (starts, rows, values) = lower_triangle(&dense);
    let mut matrix = SparseCholesky::new(starts, rows).unwrap();
    matrix.values_mut().copy_from_slice(&values);
    assert!(matrix.factor());
    (matrix, dense)
}

fn check(matrix: &SparseCholesky, dense: &Mat<f64>) {
    let mut found = vec![0.0; matrix.row_indices().len()];
    let mut selected = SelectedInverse::new(matrix);
    // Twice, since the second time starts from what the first left.
    selected.of(matrix, &mut found);
    selected.of(matrix, &mut found);
    let llt = Llt::new(dense.as_ref(), Side::Lower).unwrap();
    let inverse = llt.inverse();
    let mut at = found.iter();
    for (column, ends) in matrix.column_starts().windows(2).enumerate() {
        for &row in &matrix.row_indices()[ends[0]..ends[1]] {
            let (found, expected) = (*at.next().unwrap(), inverse[(row, column)]);
            let size = (inverse[(row, row)] * inverse[(column, column)]).sqrt();
            assert!((found - expected).abs() < 1e-12 * size, "{found} {expected}");
        }
    }
    let lower = llt.L();
    let expected: f64 = (0..dense.nrows()).map(|i| 2.0 * lower[(i, i)].ln()).sum();
    assert!((matrix.log_determinant() - expected).abs() < 1e-11 * (1.0 + expected.abs()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn entries_are_those_of_the_dense_inverse(
        seed in 0_u64..1 << 32,
        size in 1_usize..260,
        density in 0.0_f64..0.8,
    ) {
        let (matrix, dense) = random(seed, size, density);
        check(&matrix, &dense);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (matrix, _) = random(1, 700, 0.6);
    let of = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut found = vec![0.0; matrix.row_indices().len()];
            SelectedInverse::new(&matrix).of(&matrix, &mut found);
            found
        })
    };
    assert_eq!(of(1), of(3));
}

/// Supernodes of every size, and a tree, whose factor has no supernodes at all.
#[test]
fn dense_and_tree_like_matrices_are_inverted() {
    for density in [0.0, 8.0, 40.0] {
        let (matrix, dense) = random(7, 400, density);
        check(&matrix, &dense);
    }
}
