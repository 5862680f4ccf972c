//! Hard assignment of points with gaps: distances over what is known.

use super::sums::Sums;
use crate::cloud::Cloud;
use crate::math::{Matrix, known_squared_distance};

/// What points with gaps leave behind at their nodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KnownSums {
    /// The weighted sums are those of the known values.
    pub sums: Sums,
    /// The weight of the points of each node that know each coordinate (K×D).
    pub known: Matrix,
}

/// The sums of the points at the nodes that are nearest over what is known of each; of equally near
/// nodes the first counts. Points beyond `radius` of every node count with its square and pull none.
pub(crate) fn known_sums(cloud: &Cloud<'_>, nodes: &Matrix, radius: f64) -> KnownSums {
    let (k, dims) = (nodes.n_rows(), nodes.n_cols());
    let none = || KnownSums { sums: Sums::zeros(k, dims), known: Matrix::zeros(k, dims) };
    let farthest = radius * radius;
    let mut total = none();
    for block in cloud.per_block(|rows| {
        let mut found = none();
        let mut row = vec![0.0; dims];
        for i in rows {
            cloud.copy_row(i, &mut row);
            let weight = cloud.points().weight(i);
            let (mut node, mut squared) = (0, f64::INFINITY);
            for (other, y) in nodes.rows().enumerate() {
                let distance = known_squared_distance(&row, y);
                if distance < squared {
                    (node, squared) = (other, distance);
                }
            }
            found.sums.weight += weight;
            found.sums.cost += weight * squared.min(farthest);
            if squared > farthest {
                continue;
            }
            found.sums.mass[node] += weight;
            let sums = found.sums.weighted.row_mut(node).iter_mut();
            for ((sum, known), x) in sums.zip(found.known.row_mut(node)).zip(&row) {
                if !x.is_nan() {
                    *sum += weight * x;
                    *known += weight;
                }
            }
        }
        found
    }) {
        total.sums.merge(&block.sums);
        let known = total.known.as_mut_slice().iter_mut();
        known.zip(block.known.as_slice()).for_each(|(to, from)| *to += from);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::hard_sums;
    use crate::points::Points;

    #[test]
    fn without_gaps_they_are_the_usual_sums() {
        let wave = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin();
        let points = Points::from_f64((0..600).map(wave).collect::<Vec<_>>(), 3).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let nodes = Matrix::new(7, 3, (0..21).map(|i| wave(i + 5)).collect()).unwrap();
        for radius in [0.5, f64::INFINITY] {
            let (plain, found) =
                (hard_sums(&cloud, &nodes, radius), known_sums(&cloud, &nodes, radius));
            assert_eq!(plain.mass, found.sums.mass);
            assert!((plain.cost - found.sums.cost).abs() < 1e-12);
            for (node, known) in found.known.rows().enumerate() {
                assert!(known.iter().all(|&known| known == plain.mass[node]));
            }
            let pairs = plain.weighted.as_slice().iter().zip(found.sums.weighted.as_slice());
            pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn a_point_belongs_where_what_is_known_of_it_lies() {
        let nan = f64::NAN;
        let points = Points::from_f64(vec![1.0, nan, nan, 9.0, -1.0, -9.0], 2).unwrap();
        let cloud = Cloud::with_gaps(&points).unwrap();
        let nodes = Matrix::from_rows(&[[1.0, -9.0], [-1.0, 9.0]]).unwrap();
        let found = known_sums(&cloud, &cloud.to_working(nodes), f64::INFINITY);
        assert_eq!(found.sums.mass, [2.0, 1.0]);
        assert_eq!(found.known.as_slice(), [2.0, 1.0, 0.0, 1.0]);
    }
}
