use super::Cholesky;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A diagonally dominant matrix in which distant columns meet rarely: where columns start, and all
/// entries of its lower triangle.
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
        for mut cholesky in [
            Cholesky::new(starts.clone(), rows.clone()).unwrap(),
            Cholesky::new(starts, rows).unwrap().by_loops_if_small(),
        ] {
            cholesky.values_mut().iter_mut().zip(&entries).for_each(|(to, entry)| *to = entry.2);
            prop_assert!(cholesky.factor());
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
    let mut cholesky = Cholesky::new(vec![0, 2, 3], vec![0, 1, 1]).unwrap();
    cholesky.values_mut().copy_from_slice(&[1.0, 2.0, 1.0]);
    assert!(!cholesky.factor());
    cholesky.values_mut().copy_from_slice(&[1.0, f64::NAN, 1.0]);
    assert!(!cholesky.factor());
}

/// The neighbours in a rectangle of 80 columns, or in as many pieces of it as rows are a multiple of
/// the given number.
fn rectangle(n_rows: usize, rows_of_piece: usize) -> (Vec<usize>, Vec<(usize, usize, f64)>) {
    const SIDE: usize = 80;
    let (mut starts, mut entries) = (vec![0], Vec::new());
    for column in 0..SIDE * n_rows {
        let pull = |step: usize| ((column * step) as f64).sin();
        let is_last = (column / SIDE + 1).is_multiple_of(rows_of_piece);
        entries.push((column, column, 5.0));
        entries.extend((column % SIDE + 1 < SIDE).then(|| (column + 1, column, pull(1))));
        entries.extend((!is_last).then(|| (column + SIDE, column, pull(SIDE))));
        starts.push(entries.len());
    }
    (starts, entries)
}

#[test]
fn a_refused_part_spoils_nothing() {
    let (starts, entries) = rectangle(600, 30);
    let rows = entries.iter().map(|entry| entry.0).collect();
    let x: Vec<f64> = (0..starts.len() - 1).map(|i| (i as f64).cos()).collect();
    let mut cholesky = Cholesky::new(starts, rows).unwrap().by_loops_if_small();
    assert!(cholesky.small.as_ref().unwrap().n_parts() > 4);
    let fill = |cholesky: &mut Cholesky| {
        cholesky.values_mut().iter_mut().zip(&entries).for_each(|(to, entry)| *to = entry.2);
    };
    fill(&mut cholesky);
    cholesky.values_mut()[1] = 10.0;
    assert!(!cholesky.factor());
    fill(&mut cholesky);
    assert!(cholesky.factor());
    let mut solved = multiply(&entries, &x);
    cholesky.solve(&mut solved);
    assert!(solved.iter().zip(&x).all(|(found, x)| (found - x).abs() < 1e-11));
}

/// A matrix large enough for several parts.
#[test]
fn parts_solve_what_they_factor_with_the_same_bits_on_any_number_of_threads() {
    let (starts, entries) = rectangle(80, 80);
    let rows: Vec<usize> = entries.iter().map(|entry| entry.0).collect();
    let x: Vec<f64> = (0..starts.len() - 1).map(|i| (i as f64).cos()).collect();
    let products = multiply(&entries, &x);
    let solved_by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut cholesky =
                Cholesky::new(starts.clone(), rows.clone()).unwrap().by_loops_if_small();
            assert!(cholesky.small.as_ref().unwrap().n_parts() > 4);
            cholesky.values_mut().iter_mut().zip(&entries).for_each(|(to, entry)| *to = entry.2);
            assert!(cholesky.factor());
            let mut solved = products.clone();
            cholesky.solve(&mut solved);
            (cholesky.numbers().to_vec(), solved)
        })
    };
    let (factor, solved) = solved_by(1);
    assert_eq!((factor, solved.clone()), solved_by(3));
    let off = solved.iter().zip(&x).map(|(found, x)| (found - x).abs()).fold(0.0, f64::max);
    assert!(off < 1e-11, "{off}");
}
