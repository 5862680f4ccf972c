//! Counts in two independent halves, one to learn a graph from, the other to test.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::table::{Column, FeatureTable};
use crate::error::{Error, Result};

/// Counts of features in one half: by column, as a sparse matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Half {
    /// Where columns start, and the end.
    pub starts: Vec<u64>,
    /// The row of each count.
    pub indices: Vec<u32>,
    /// The counts, none of them 0.
    pub values: Vec<f64>,
}

/// Divides counts at random into two halves that are independent of each other: of Poisson counts each
/// is a fair binomial draw, of counts that vary more a beta-binomial one, with the dispersion of each
/// feature (Neufeld2023).
///
/// The dispersion is that of a negative binomial distribution around the mean of the feature times the
/// size of the point. Variation along the graph adds to it, so the halves of a feature that changes
/// are less dependent than they could be, never more.
pub fn thin(table: &FeatureTable<'_>, sizes: &[f64], seed: u64) -> Result<(Half, Half)> {
    let n = table.n_rows();
    if sizes.len() != n {
        return Err(Error::shape("sizes of the points", n, sizes.len()));
    }
    let empty = Half { starts: vec![0], ..Half::default() };
    let mut halves = (empty.clone(), empty);
    table.each_block(|block| {
        for at in 0..block.len() {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream((block.first + at) as u64);
            let column = block.column(at);
            let size = inverse_dispersion(column, sizes);
            let mut counts: Vec<(usize, f64)> = Vec::new();
            column.each(|row, count| {
                if count > 0.0 {
                    counts.push((row, count));
                }
            });
            for (row, count) in counts {
                let first = half_of(count, size, &mut random);
                for (half, count) in [(&mut halves.0, first), (&mut halves.1, count - first)] {
                    if count > 0.0 {
                        half.indices.push(row as u32);
                        half.values.push(count);
                    }
                }
            }
            halves.0.starts.push(halves.0.values.len() as u64);
            halves.1.starts.push(halves.1.values.len() as u64);
        }
        Ok(())
    })?;
    Ok(halves)
}

/// The first value that is not a count, as its row, its column and itself.
pub fn first_fraction(table: &FeatureTable<'_>) -> Result<Option<(usize, usize, f64)>> {
    let mut found = None;
    table.each_block(|block| {
        for at in 0..block.len() {
            block.column(at).each(|row, value| {
                let is_count = value >= 0.0 && value.fract() == 0.0 && value.is_finite();
                if !is_count && found.is_none() {
                    found = Some((row, block.first + at, value));
                }
            });
        }
        Ok(())
    })?;
    Ok(found)
}

/// The b of a negative binomial distribution with variance m + m² / b around means m in proportion to
/// sizes, by moments; infinite where counts vary no more than Poisson's.
fn inverse_dispersion(column: Column<'_>, sizes: &[f64]) -> f64 {
    let (mut sum, mut squares, mut cross) = (0.0, 0.0, 0.0);
    column.each(|row, count| {
        sum += count;
        squares += count * count;
        cross += count * sizes[row];
    });
    let total: f64 = sizes.iter().sum();
    let of_sizes: f64 = sizes.iter().map(|size| size * size).sum();
    let rate = sum / total;
    // Σ (y − m)² against Σ m + Σ m² / b.
    let beyond = squares - 2.0 * rate * cross + rate * rate * of_sizes - sum;
    if beyond > 0.0 { rate * rate * of_sizes / beyond } else { f64::INFINITY }
}

/// A draw for one half of a count: binomial with a share that is ½, or from Beta(b/2, b/2).
fn half_of(count: f64, b: f64, random: &mut ChaCha8Rng) -> f64 {
    let share = match b.is_finite() {
        true => {
            let (one, other) = (gamma(0.5 * b, random), gamma(0.5 * b, random));
            if one + other > 0.0 { one / (one + other) } else { random.random_range(0..2).into() }
        }
        false => 0.5,
    };
    let below = |random: &mut ChaCha8Rng| random.random::<f64>() < share;
    (0..count as u64).filter(|_| below(random)).count() as f64
}

/// A gamma variate of this shape (Marsaglia2000).
fn gamma(shape: f64, random: &mut ChaCha8Rng) -> f64 {
    if shape < 1.0 {
        let unit: f64 = random.random();
        return gamma(shape + 1.0, random) * unit.powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = gaussian(random);
        let v = (1.0 + c * x).powi(3);
        let unit: f64 = random.random();
        if v > 0.0 && unit.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A Gaussian variate, by Marsaglia's polar method.
fn gaussian(random: &mut ChaCha8Rng) -> f64 {
    loop {
        let (u, v) = (2.0 * random.random::<f64>() - 1.0, 2.0 * random.random::<f64>() - 1.0);
        let square = u * u + v * v;
        if square > 0.0 && square < 1.0 {
            return u * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trend::{Layout, Numbers};

    /// Negative binomial counts, half of them overdispersed; dense, with 400 rows.
    fn counts(features: usize) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut values = vec![0.0; 400 * features];
        for (at, value) in values.iter_mut().enumerate() {
            let b = if at % 2 == 0 { 2.0 } else { 1e6 };
            let rate = 6.0 * gamma(b, &mut random) / b;
            // Poisson by waiting times.
            let mut time = -random.random::<f64>().ln() / rate;
            while time < 1.0 {
                *value += 1.0;
                time -= random.random::<f64>().ln() / rate;
            }
        }
        values
    }

    #[test]
    fn halves_add_up_and_are_independent() {
        let values = counts(200);
        let table = FeatureTable::new(400, 200, Layout::Dense, Numbers::Double(&values)).unwrap();
        assert_eq!(first_fraction(&table).unwrap(), None);
        let (one, other) = thin(&table, &[1.0; 400], 3).unwrap();
        let dense = |half: &Half| {
            let mut dense = vec![0.0; values.len()];
            for column in 0..200 {
                for at in half.starts[column] as usize..half.starts[column + 1] as usize {
                    dense[half.indices[at] as usize * 200 + column] = half.values[at];
                }
            }
            dense
        };
        let (one, other) = (dense(&one), dense(&other));
        for (at, value) in values.iter().enumerate() {
            assert_eq!(one[at] + other[at], *value);
        }
        // The mean correlation of the halves; 0.6 or so for half of the features if all were drawn
        // as Poisson counts are.
        for parity in [0, 1] {
            let mut sum = 0.0;
            for column in (parity..200).step_by(2) {
                let of = |values: &[f64]| -> Vec<f64> {
                    let all: Vec<f64> = (0..400).map(|row| values[row * 200 + column]).collect();
                    let mean = all.iter().sum::<f64>() / 400.0;
                    all.iter().map(|x| x - mean).collect()
                };
                let (a, b) = (of(&one), of(&other));
                let product =
                    |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                sum += product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
            }
            assert!((sum / 100.0).abs() < 0.03, "{parity}: {}", sum / 100.0);
        }
        assert_eq!(thin(&table, &[1.0; 400], 3).unwrap(), thin(&table, &[1.0; 400], 3).unwrap());
    }

    #[test]
    fn fractions_are_found() {
        let values = [1.0, 2.0, 0.0, 0.5];
        let table = FeatureTable::new(2, 2, Layout::Dense, Numbers::Double(&values)).unwrap();
        assert_eq!(first_fraction(&table).unwrap(), Some((1, 1, 0.5)));
    }
}
