use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// Rows of noise, and two differences.
fn matrix(rng: &mut ChaCha8Rng) -> DenseMatrix {
    let rows = (0..7 * 9).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
    DenseMatrix { n_columns: 9, rows, differences: vec![(0, 4, 0.5), (2, 3, 0.7)] }
}

/// The entry of `G` of a met value and a column of the support.
fn entry(matrix: &DenseMatrix, value: usize, column: usize) -> f64 {
    let mut image = vec![0.0; matrix.n_values()];
    matrix.copy_column(column, &mut image);
    image[value]
}

/// How far the inverse times `G` is from the unit matrix, at most.
fn error(support: &Support, matrix: &DenseMatrix) -> f64 {
    let n = support.len();
    let product = |a: usize, b: usize| -> f64 {
        let of = |met: usize| entry(matrix, support.met[met], support.columns[b]);
        (0..n).map(|met| support.row(a)[met] * of(met)).sum()
    };
    let off = |a: usize, b: usize| (product(a, b) - f64::from(u8::from(a == b))).abs();
    (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).map(|(a, b)| off(a, b)).fold(0.0, f64::max)
}

fn largest_of_inverse(support: &Support) -> f64 {
    let entries = (0..support.len()).flat_map(|place| support.row(place));
    entries.fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// One that is not among those given.
fn another(rng: &mut ChaCha8Rng, known: &[usize], of: usize) -> usize {
    loop {
        let number = rng.random_range(0..of);
        if !known.contains(&number) {
            return number;
        }
    }
}

#[test]
fn every_exchange_keeps_the_inverse() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut exchanges = [0; 4];
    for _ in 0..100 {
        let matrix = matrix(&mut rng);
        let mut support = Support::default();
        support.clear(9, 9);
        for _ in 0..20 {
            let n = support.len();
            let column = another(&mut rng, &support.columns, 10);
            let value = another(&mut rng, &support.met, 10);
            let (place, met) = (rng.random_range(0..n.max(1)), rng.random_range(0..n.max(1)));
            let sign = if rng.random() { 1.0 } else { -1.0 };
            let entering = Entry { column, sign, weight: sign };
            let kind = rng.random_range(0..4);
            let possible = match kind {
                0 => column < 9 && value < 9,
                1 => n > 0 && column < 9,
                2 => n > 0 && value < 9,
                _ => n > 0,
            };
            if !possible {
                continue;
            }
            if kind < 2 {
                support.open_column::<false>(&matrix, column, sign);
            }
            let done = match kind {
                0 => support.grow::<false>(&entering, value),
                1 => support.replace_column::<false>(place, &entering),
                2 => support.replace_met::<false>(met, value),
                _ => support.shrink::<false>(place, met),
            };
            let largest = largest_of_inverse(&support);
            // Random choices come near a singular matrix, of which no inverse is exact.
            if done.is_none() || largest > 1e4 {
                break;
            }
            let off = error(&support, &matrix);
            assert!(off < 1e-11 * (1.0 + largest).powi(2), "exchange {kind}: {off}, {largest}");
            exchanges[kind] += 1;
            let sizes = [support.columns.len(), support.weights.len(), support.signs.len()];
            assert_eq!(sizes, [support.met.len(); 3]);
            assert_eq!(support.images().count(), support.met.len());
        }
        if support.invert().is_some() {
            let largest = largest_of_inverse(&support);
            assert!(error(&support, &matrix) < 1e-13 * (1.0 + largest).powi(2));
        }
    }
    assert!(exchanges.iter().all(|&count| count > 30), "{exchanges:?}");
}
