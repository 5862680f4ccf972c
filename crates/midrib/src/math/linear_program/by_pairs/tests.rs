use faer::Mat;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::mapping::Mapping;
use super::*;

/// Rows along a line, each joined with some of those that follow it within `reach`.
fn line(seed: u64, n_rows: usize, dims: usize, reach: usize, share: f64) -> PairMatrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rows = (0..n_rows * dims).map(|_| rng.random::<f64>() - 0.5).collect();
    let mut pairs = Vec::new();
    for a in 0..n_rows {
        for b in a + 1..(a + 1 + reach).min(n_rows) {
            if rng.random::<f64>() < share {
                pairs.push((a, b));
            }
        }
    }
    PairMatrix::new(n_rows, dims, rows, pairs)
}

/// Diagonals over many orders of magnitude.
fn diagonal(seed: u64, length: usize, orders: f64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..length).map(|_| 10_f64.powf(orders * (rng.random::<f64>() - 0.5))).collect()
}

/// `diag(stiffness) + Mᵀ diag(1/slackness) M`, from the columns of `M`.
fn dense(matrix: &PairMatrix, stiffness: &[f64], slackness: &[f64]) -> Mat<f64> {
    let mut columns = Mat::<f64>::zeros(matrix.rows.len(), stiffness.len());
    for (pair, &(a, b)) in matrix.pairs.iter().enumerate() {
        for d in 0..matrix.dims {
            columns[(a * matrix.dims + d, pair)] = matrix.row(b)[d];
            columns[(b * matrix.dims + d, pair)] = matrix.row(a)[d];
        }
    }
    let weighted =
        Mat::from_fn(columns.nrows(), columns.ncols(), |i, j| columns[(i, j)] / slackness[i]);
    let mut product = columns.transpose() * weighted;
    stiffness.iter().enumerate().for_each(|(j, stiffness)| product[(j, j)] += stiffness);
    product
}

fn diagonals(stiffness: &[f64], slackness: &[f64]) -> Diagonals {
    Diagonals { stiffness: stiffness.to_vec(), slackness: slackness.to_vec() }
}

fn solution(matrix: &PairMatrix, stiffness: &[f64], slackness: &[f64], right: &[f64]) -> Vec<f64> {
    let mut form = ByPairs::new(matrix).unwrap();
    assert!(Steps::factor(&mut form, matrix, &diagonals(stiffness, slackness)));
    let mut solved = right.to_vec();
    form.cholesky.solve(&mut solved);
    solved
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn solves_the_dense_matrix(
        seed in 0_u64..1 << 32,
        n_rows in 2_usize..40,
        dims in 1_usize..6,
        reach in 1_usize..40,
        share in 0.2_f64..1.0,
    ) {
        let matrix = line(seed, n_rows, dims, reach, share);
        let n_pairs = matrix.pairs.len();
        prop_assume!(n_pairs > 0);
        let stiffness = diagonal(seed + 1, n_pairs, 4.0);
        let slackness = diagonal(seed + 2, n_rows * dims, 4.0);
        let x: Vec<f64> = (0..n_pairs).map(|j| (j as f64).cos()).collect();
        let dense = dense(&matrix, &stiffness, &slackness);
        let right: Vec<f64> =
            (0..n_pairs).map(|i| (0..n_pairs).map(|j| dense[(i, j)] * x[j]).sum()).collect();
        let solved = solution(&matrix, &stiffness, &slackness, &right);
        for (found, expected) in solved.iter().zip(&x) {
            prop_assert!((found - expected).abs() < 1e-8, "{} {}", found, expected);
        }
    }
}

/// Values that are not live do not enter the matrix.
#[test]
fn only_live_values_count() {
    let whole = line(3, 30, 4, 6, 0.8);
    let pairs: Vec<usize> = (0..whole.pairs.len()).filter(|pair| pair % 3 != 1).collect();
    let values: Vec<usize> = (0..whole.rows.len()).filter(|value| value % 5 != 2).collect();
    let live = whole.restricted(&pairs, &values);
    let stiffness = diagonal(1, pairs.len(), 2.0);
    let slackness = diagonal(2, values.len(), 2.0);
    let x: Vec<f64> = (0..pairs.len()).map(|j| (j as f64).cos()).collect();
    let rebuilt: Vec<f64> =
        live.rebuild(&x).iter().zip(&slackness).map(|(x, slackness)| x / slackness).collect();
    let mut solved = live.earnings(&rebuilt);
    solved.iter_mut().zip(&stiffness).zip(&x).for_each(|((to, s), x)| *to += s * x);
    let mut form = ByPairs::new(&live).unwrap();
    assert!(Steps::factor(&mut form, &live, &diagonals(&stiffness, &slackness)));
    form.cholesky.solve(&mut solved);
    assert!(solved.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-9));
}

#[test]
fn what_is_not_definite_is_refused_and_spoils_nothing() {
    let matrix = line(5, 800, 2, 8, 0.9);
    let n_pairs = matrix.pairs.len();
    let (stiffness, slackness) = (vec![1.0; n_pairs], vec![1.0; matrix.rows.len()]);
    let mut form = ByPairs::new(&matrix).unwrap();
    let right: Vec<f64> = (0..n_pairs).map(|j| (j as f64).sin()).collect();
    for pair in [0, n_pairs / 3, n_pairs - 1] {
        for stiff in [-1e3, f64::NAN] {
            let mut spoiled = stiffness.clone();
            spoiled[pair] = stiff;
            assert!(!Steps::factor(&mut form, &matrix, &diagonals(&spoiled, &slackness)));
        }
        let mut spoiled = slackness.clone();
        spoiled[pair / 8] = f64::NAN;
        assert!(!Steps::factor(&mut form, &matrix, &diagonals(&stiffness, &spoiled)));
        assert!(Steps::factor(&mut form, &matrix, &diagonals(&stiffness, &slackness)));
        let mut solved = right.clone();
        form.cholesky.solve(&mut solved);
        assert_eq!(solved, solution(&matrix, &stiffness, &slackness, &right));
    }
}
