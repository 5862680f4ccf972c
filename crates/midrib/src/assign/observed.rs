//! Hard assignment of points with missing values: distances over the observed ones.

use super::sums::Sums;
use crate::error::Result;
use crate::math::{Matrix, observed_squared_distance};
use crate::points::{Cloud, WorkingChunk};

/// The sums of points with missing values at their nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObservedSums {
    /// The weighted sums are those of the observed values.
    pub sums: Sums,
    /// The weight of each node's points whose value is observed in each coordinate (K×D).
    pub observed: Matrix,
}

impl ObservedSums {
    fn zeros(k: usize, dims: usize) -> Self {
        Self { sums: Sums::zeros(k, dims), observed: Matrix::zeros(k, dims) }
    }

    fn merge(&mut self, other: &Self) {
        self.sums.merge(&other.sums);
        let observed = self.observed.as_mut_slice().iter_mut();
        observed.zip(other.observed.as_slice()).for_each(|(to, from)| *to += from);
    }

    /// Adds a point at the nearest node, or at none if that is farther than the root of `farthest`.
    fn count(&mut self, x: &[f64], weight: f64, nodes: &Matrix, farthest: f64) {
        let (mut node, mut squared) = (0, f64::INFINITY);
        for (other, y) in nodes.rows().enumerate() {
            let distance = observed_squared_distance(x, y);
            if distance < squared {
                (node, squared) = (other, distance);
            }
        }
        self.sums.weight += weight;
        self.sums.cost += weight * squared.min(farthest);
        if squared > farthest {
            return;
        }
        self.sums.mass[node] += weight;
        let sums = self.sums.weighted.row_mut(node).iter_mut();
        for ((sum, observed), x) in sums.zip(self.observed.row_mut(node)).zip(x) {
            if !x.is_nan() {
                *sum += weight * x;
                *observed += weight;
            }
        }
    }
}

/// The sums of the points at the nodes that are nearest over the observed values of each; of equally
/// near nodes the first counts. Points beyond `radius` of every node count with its square and pull
/// none.
pub(crate) fn observed_sums(
    cloud: &Cloud<'_>,
    nodes: &Matrix,
    radius: f64,
) -> Result<ObservedSums> {
    let zeros = || ObservedSums::zeros(nodes.n_rows(), nodes.n_cols());
    let farthest = radius * radius;
    let mut total = zeros();
    let of_chunk = |chunk: &WorkingChunk<'_>| {
        let parts = chunk.per_block(|rows| {
            let mut found = zeros();
            let mut row = vec![0.0; chunk.dims()];
            for i in rows {
                chunk.copy_row(i, &mut row);
                found.count(&row, chunk.weight(i), nodes, farthest);
            }
            found
        });
        let mut sum = zeros();
        parts.iter().for_each(|part| sum.merge(part));
        sum
    };
    cloud.per_chunk(of_chunk, |part| total.merge(&part))?;
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::hard_sums;
    use crate::points::Points;

    #[test]
    fn of_complete_points_they_are_the_usual_sums() {
        let wave = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin();
        let points = Points::from_f64((0..600).map(wave).collect::<Vec<_>>(), 3).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let nodes = Matrix::new(7, 3, (0..21).map(|i| wave(i + 5)).collect()).unwrap();
        for radius in [0.5, f64::INFINITY] {
            let plain = hard_sums(&cloud, &nodes, radius).unwrap();
            let found = observed_sums(&cloud, &nodes, radius).unwrap();
            assert_eq!(plain.mass, found.sums.mass);
            assert!((plain.cost - found.sums.cost).abs() < 1e-12);
            for (node, observed) in found.observed.rows().enumerate() {
                assert!(observed.iter().all(|&observed| observed == plain.mass[node]));
            }
            let pairs = plain.weighted.as_slice().iter().zip(found.sums.weighted.as_slice());
            pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn a_point_belongs_to_the_node_nearest_to_its_known_values() {
        let nan = f64::NAN;
        let points = Points::from_f64(vec![1.0, nan, nan, 9.0, -1.0, -9.0], 2).unwrap();
        let cloud = Cloud::with_missing(&points).unwrap();
        let nodes = Matrix::from_rows(&[[1.0, -9.0], [-1.0, 9.0]]).unwrap();
        let found = observed_sums(&cloud, &cloud.to_working(nodes), f64::INFINITY).unwrap();
        assert_eq!(found.sums.mass, [2.0, 1.0]);
        assert_eq!(found.observed.as_slice(), [2.0, 1.0, 0.0, 1.0]);
    }
}
