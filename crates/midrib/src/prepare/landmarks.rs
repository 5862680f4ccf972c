//! Well spread starting nodes: k-means++ seeding.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cloud::Cloud;
use crate::math::{Matrix, squared_distance};

/// Up to `count` of the points, in working coordinates, each drawn with a probability
/// proportional to its squared distance from those before it (Arthur and Vassilvitskii 2007).
/// There are fewer only if fewer points differ.
///
/// Draws go by cumulated weight along the order of the points: use it on a
/// [`sample`](super::sample), whose order does not depend on that of the rows.
///
/// ```
/// use midrib::{Cloud, Points, prepare::landmarks};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 1.0, 9.0], 1)?;
/// let nodes = landmarks(&Cloud::new(&points)?, 4, 0);
/// assert_eq!(nodes.n_rows(), 3);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn landmarks(cloud: &Cloud<'_>, count: usize, seed: u64) -> Matrix {
    let dims = cloud.dims();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen: Vec<f64> = Vec::with_capacity(count * dims);
    let mut row = vec![0.0; dims];
    // Per block, so that they can be updated in parallel and added up in a fixed order.
    let mut squared: Vec<Vec<f64>> = cloud.per_block(|rows| vec![1.0; rows.len()]);
    while chosen.len() < count * dims {
        let Some(i) = draw(cloud, &squared, rng.random()) else {
            break;
        };
        cloud.copy_row(i, &mut row);
        let first = chosen.is_empty();
        chosen.extend_from_slice(&row);
        let blocks = std::mem::take(&mut squared);
        squared = cloud.per_block(|rows| {
            let mut x = vec![0.0; dims];
            let before = &blocks[rows.start / blocks[0].len()];
            rows.zip(before)
                .map(|(i, &before)| {
                    cloud.copy_row(i, &mut x);
                    let squared = squared_distance(&x, &row);
                    if first { squared } else { before.min(squared) }
                })
                .collect()
        });
    }
    let count = chosen.len() / dims;
    let mut nodes = Matrix::zeros(count, dims);
    nodes.as_mut_slice().copy_from_slice(&chosen);
    nodes
}

/// The point at the share `quantile` of the summed weight × squared distance; none if that is 0.
fn draw(cloud: &Cloud<'_>, squared: &[Vec<f64>], quantile: f64) -> Option<usize> {
    let weighted = |i: usize, squared: f64| cloud.points().weight(i) * squared;
    let each = || squared.iter().flatten().enumerate().map(|(i, &s)| (i, weighted(i, s)));
    let total: f64 = each().map(|(_, value)| value).sum();
    let target = quantile * total;
    let mut passed = 0.0;
    let mut last = None;
    for (i, value) in each().filter(|(_, value)| *value > 0.0) {
        passed += value;
        last = Some(i);
        if passed > target {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    #[test]
    fn separated_clusters_each_get_a_landmark() {
        let values: Vec<f64> =
            (0..300).map(|i| f64::from(i % 3) * 100.0 + f64::from(i) * 1e-3).collect();
        let points = Points::from_f64(values, 1).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        for seed in 0..20 {
            let nodes = cloud.to_data(landmarks(&cloud, 3, seed));
            let mut clusters: Vec<i64> =
                nodes.as_slice().iter().map(|x| (x / 100.0) as i64).collect();
            clusters.sort_unstable();
            assert_eq!(clusters, [0, 1, 2]);
        }
    }
}
