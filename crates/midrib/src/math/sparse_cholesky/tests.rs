use super::SparseCholesky;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A diagonally dominant matrix with few entries far from the diagonal: column starts and entries of
/// its lower triangle.
fn random(seed: u64, size: usize, density: f64) -> (Vec<usize>, Vec<(usize, usize, f64)>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut starts, mut entries) = (vec![0], Vec::new());
    for column in 0..size {
        for row in column..size {
            let near = density / (1.0 + (row - column) as f64 / 8.0);
            if row == column || rng.random::<f64>() < near {
                let value = if row == column { size as f64 } else { rng.random::<f64>() - 0.5 };
                entries.push((row, column, value));
            }
        }
        starts.push(entries.len());
    }
    (starts, entries)
}

fn multiply(entries: &[(usize, usize, f64)], x: &[f64]) -> Vec<f64> {
    let mut product = vec![0.0; x.len()];
    for &(row, column, value) in entries {
        product[row] += value * x[column];
        if row != column {
            product[column] += value * x[row];
        }
    }
    product
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn solves_what_it_factors(seed in 0_u64..1 << 32, size in 1_usize..260, density in 0.0_f64..1.2) {
        let (starts, entries) = random(seed, size, density);
        let rows: Vec<usize> = entries.iter().map(|entry| entry.0).collect();
        let x: Vec<f64> = (0..size).map(|i| (i as f64).cos()).collect();
        let products = multiply(&entries, &x);
        let mut cholesky = SparseCholesky::new(starts, rows).unwrap();
        for _ in 0..2 {
            cholesky.values_mut().iter_mut().zip(&entries).for_each(|(to, entry)| *to = entry.2);
            prop_assert!(cholesky.factor_regularized());
            let mut solved = products.clone();
            cholesky.solve(&mut solved);
            for (found, expected) in solved.iter().zip(&x) {
                prop_assert!((found - expected).abs() < 1e-11, "{} {}", found, expected);
            }
        }
    }
}

#[test]
fn an_indefinite_matrix_is_refused() {
    let mut cholesky = SparseCholesky::new(vec![0, 2, 3], vec![0, 1, 1]).unwrap();
    cholesky.values_mut().copy_from_slice(&[1.0, 2.0, 1.0]);
    assert!(!cholesky.factor_regularized());
    cholesky.values_mut().copy_from_slice(&[1.0, f64::NAN, 1.0]);
    assert!(!cholesky.factor_regularized());
}

#[test]
fn a_refused_matrix_spoils_nothing() {
    let (starts, entries) = random(1, 900, 0.3);
    let rows = entries.iter().map(|entry| entry.0).collect();
    let x: Vec<f64> = (0..starts.len() - 1).map(|i| (i as f64).cos()).collect();
    let mut cholesky = SparseCholesky::new(starts, rows).unwrap();
    let fill = |cholesky: &mut SparseCholesky| {
        cholesky.values_mut().iter_mut().zip(&entries).for_each(|(to, entry)| *to = entry.2);
    };
    fill(&mut cholesky);
    cholesky.values_mut()[1] = 1e4;
    assert!(!cholesky.factor_regularized());
    fill(&mut cholesky);
    assert!(cholesky.factor_regularized());
    let mut solved = multiply(&entries, &x);
    solved.extend(multiply(&entries, &x));
    cholesky.solve(&mut solved);
    assert!(solved.iter().zip(x.iter().chain(&x)).all(|(found, x)| (found - x).abs() < 1e-11));
}

#[test]
fn rounding_is_regularized_on_request() {
    // Singular: two nodes joined by a spring that nothing holds.
    let mut cholesky = SparseCholesky::of_pairs(2, &[(1, 0), (0, 1)]).unwrap();
    let spring = [1.0, -1.0, 1.0];
    cholesky.values_mut().copy_from_slice(&spring);
    assert!(!cholesky.factor());
    cholesky.values_mut().copy_from_slice(&spring);
    assert!(cholesky.factor_regularized());
    assert_eq!([cholesky.index(0, 0), cholesky.index(1, 0), cholesky.index(1, 1)], [0, 1, 2]);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let (starts, entries) = random(2, 900, 0.6);
    let rows: Vec<usize> = entries.iter().map(|entry| entry.0).collect();
    let solved_by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut cholesky = SparseCholesky::new(starts.clone(), rows.clone()).unwrap();
            cholesky.values_mut().iter_mut().zip(&entries).for_each(|(to, entry)| *to = entry.2);
            assert!(cholesky.factor());
            let mut solved: Vec<f64> = (0..900).map(|i| (i as f64).cos()).collect();
            cholesky.solve(&mut solved);
            solved
        })
    };
    assert_eq!(solved_by(1), solved_by(3));
}
