//! Resampled points.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::Result;
use crate::points::Points;

/// Draws points with replacement, as many as have positive weight, with probabilities proportional
/// to the weights. The drawn points keep the order of the rows, weighted by how often they were
/// drawn; the total weight stays the same, so penalties keep their meaning. With `unweighted`, each
/// drawn point has weight 1, for methods that do not support weights.
pub(super) fn draw(
    points: &Points<'_>,
    seed: u64,
    replica: usize,
    unweighted: bool,
) -> Result<(Points<'static>, Vec<usize>)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(replica as u64);
    let mut times = vec![0_u32; points.len()];
    let draws = match points.weights() {
        None => {
            (0..points.len()).for_each(|_| times[random.random_range(0..points.len())] += 1);
            points.len()
        }
        Some(weights) => {
            let counting: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] > 0.0).collect();
            let mut sum = 0.0;
            let sums: Vec<f64> = counting
                .iter()
                .map(|&i| {
                    sum += weights[i];
                    sum
                })
                .collect();
            for _ in &counting {
                let at = sum * random.random::<f64>();
                let drawn = sums.partition_point(|&sum| sum <= at).min(counting.len() - 1);
                times[counting[drawn]] += 1;
            }
            counting.len()
        }
    };
    let rows: Vec<usize> = (0..times.len()).filter(|&i| times[i] > 0).collect();
    let each = points.total_weight() / draws as f64;
    let weight = |&i: &usize| if unweighted { 1.0 } else { f64::from(times[i]) * each };
    let weights = rows.iter().map(weight).collect();
    Ok((points.select(&rows, weights)?, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_add_up_and_omit_points() {
        let points = Points::from_f32((0..1000).map(|i| i as f32).collect::<Vec<_>>(), 1).unwrap();
        let drawn = draw(&points, 7, 3, false).unwrap().0;
        assert_eq!(drawn.total_weight(), 1000.0);
        // 1 − 1/e of the points are expected.
        assert!((600..665).contains(&drawn.len()), "{}", drawn.len());
        assert!(drawn.weights().unwrap().iter().all(|weight| weight.fract() == 0.0));
        let unweighted = draw(&points, 7, 3, true).unwrap().0;
        assert_eq!(unweighted.total_weight(), drawn.len() as f64);
        let values = |points: &Points<'_>| (0..points.len()).map(|i| points.value(i, 0)).collect();
        let first: Vec<f64> = values(&drawn);
        assert!(first.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(first, values(&draw(&points, 7, 3, false).unwrap().0));
        assert_ne!(first, values(&draw(&points, 7, 4, false).unwrap().0));
        assert_ne!(first, values(&draw(&points, 8, 3, false).unwrap().0));
    }

    #[test]
    fn weights_are_probabilities() {
        let points = Points::from_f64(vec![0.0, 1.0, 2.0], 1).unwrap();
        let points = points.with_weights(vec![0.0, 0.3, 0.1]).unwrap();
        let mut sums = [0.0; 3];
        for replica in 0..4000 {
            let drawn = draw(&points, 0, replica, false).unwrap().0;
            assert!((drawn.total_weight() - 0.4).abs() < 1e-12);
            (0..drawn.len()).for_each(|i| sums[drawn.value(i, 0) as usize] += drawn.weight(i));
        }
        assert_eq!(sums[0], 0.0);
        assert!((sums[1] / sums[2] - 3.0).abs() < 0.2, "{sums:?}");
    }
}
