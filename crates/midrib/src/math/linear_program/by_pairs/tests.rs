use faer::Mat;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::pair_matrix::PairMatrix;
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
    let mut columns = Mat::<f64>::zeros(matrix.n_values(), stiffness.len());
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
    let mut form = ByPairs::new(matrix, &mut Spare::default()).unwrap();
    assert!(form.factor(matrix, &diagonals(stiffness, slackness)));
    let mut solved = right.to_vec();
    Factor::solve(&mut form, &mut solved);
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

/// Long enough for several parts, wide enough for fronts that threads share.
#[test]
fn parts_and_large_fronts_give_the_same_bits_on_any_number_of_threads() {
    for (n_rows, reach) in [(800, 8), (120, 60)] {
        let matrix = line(1, n_rows, 3, reach, 0.9);
        let n_pairs = matrix.pairs.len();
        let stiffness = diagonal(2, n_pairs, 2.0);
        let slackness = diagonal(3, matrix.n_values(), 2.0);
        let x: Vec<f64> = (0..n_pairs).map(|j| (j as f64).cos()).collect();
        let mut right = matrix.earnings(
            &matrix.rebuild(&x).iter().zip(&slackness).map(|(x, s)| x / s).collect::<Vec<f64>>(),
        );
        right.iter_mut().zip(&stiffness).zip(&x).for_each(|((to, s), x)| *to += s * x);
        let tree = ByPairs::new(&matrix, &mut Spare::default()).unwrap().fronts.tree;
        let is_shared =
            |front: &Front| front.work() > 1e7 && front.width() > 64 && !front.rows.is_empty();
        assert!(tree.parts.len() > 2);
        assert_eq!(tree.fronts.iter().any(is_shared), reach == 60);
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solution(&matrix, &stiffness, &slackness, &right))
        };
        let solved = on(1);
        assert_eq!(solved, on(3));
        let off = solved.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{off}");
    }
}

#[test]
fn what_is_not_definite_is_refused_and_spoils_nothing() {
    let matrix = line(5, 800, 2, 8, 0.9);
    let n_pairs = matrix.pairs.len();
    let (stiffness, slackness) = (vec![1.0; n_pairs], vec![1.0; matrix.n_values()]);
    let mut form = ByPairs::new(&matrix, &mut Spare::default()).unwrap();
    let right: Vec<f64> = (0..n_pairs).map(|j| (j as f64).sin()).collect();
    // A pair of each part, and of the top.
    let wrong: Vec<usize> = form
        .fronts
        .tree
        .parts
        .iter()
        .map(|part| form.fronts.tree.unknowns[part.columns.start] as usize)
        .collect();
    assert!(wrong.len() > 2);
    for pair in wrong {
        for stiff in [-1e3, f64::NAN] {
            let mut spoilt = stiffness.clone();
            spoilt[pair] = stiff;
            assert!(!form.factor(&matrix, &diagonals(&spoilt, &slackness)));
        }
        assert!(form.factor(&matrix, &diagonals(&stiffness, &slackness)));
        let mut solved = right.clone();
        Factor::solve(&mut form, &mut solved);
        assert_eq!(solved, solution(&matrix, &stiffness, &slackness, &right));
    }
}

#[test]
fn room_that_was_used_gives_the_same() {
    let mut spare = Spare::default();
    (0..12).for_each(|_| spare.give(vec![f64::NAN; 1 << 18]));
    let matrix = line(7, 200, 3, 8, 0.9);
    let stiffness = diagonal(8, matrix.pairs.len(), 2.0);
    let slackness = diagonal(9, matrix.n_values(), 2.0);
    let right: Vec<f64> = (0..matrix.pairs.len()).map(|j| (j as f64).sin()).collect();
    let mut form = ByPairs::new(&matrix, &mut spare).unwrap();
    let mut solved = right.clone();
    for _ in 0..2 {
        assert!(form.factor(&matrix, &diagonals(&stiffness, &slackness)));
    }
    Factor::solve(&mut form, &mut solved);
    assert_eq!(solved, solution(&matrix, &stiffness, &slackness, &right));
}
