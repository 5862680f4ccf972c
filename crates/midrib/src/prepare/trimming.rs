//! How far from a graph a point must be to be an outlier.

use rayon::prelude::*;

use super::sample::sample;
use crate::error::{Error, Result};
use crate::math::squared_distance;
use crate::points::{Blocks, Cloud, Points};

/// The most points that are examined.
const EXAMINED: usize = 1000;
/// The radius in units of the usual distance of as many neighbors as a node will have.
const REACH: f64 = 2.0;
/// Shares of the weight that differ by less are equal.
const ROUNDING: f64 = 1e-9;

/// A trimming radius for a graph of so many nodes: twice the median, over the points, of the radius
/// of the ball that holds more points than a node will have on average.
///
/// Points that belong to a node are then well within the radius, and a point that has no such
/// company lies beyond it. The median is robust to outliers, even if they are a third of the points.
/// At most 1,000 points are examined, which [`sample`] picks.
///
/// ```
/// use midrib::Points;
/// use midrib::prepare::trimming_radius;
/// let mut values: Vec<f64> = (0..101).map(f64::from).collect();
/// values.push(5000.0);
/// let points = Points::from_f64(values, 1)?;
/// assert!((trimming_radius(&points, 10)? - 10.0).abs() < 1e-9);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn trimming_radius(points: &dyn Blocks, n_nodes: usize) -> Result<f64> {
    Balls::new(points)?.radius(n_nodes)
}

/// The balls around some of the points, however many points they hold.
pub(crate) struct Balls {
    few: Points<'static>,
    /// For each of them the distances of all, in ascending order, and the share of the weight up to
    /// there.
    around: Vec<Vec<(f64, f64)>>,
    /// The share of each.
    shares: Vec<f64>,
}

impl Balls {
    /// Of complete points.
    pub fn new(points: &dyn Blocks) -> Result<Self> {
        let cloud = Cloud::new(points)?;
        if cloud.spread() == 0.0 {
            return Err(Error::data("all points are equal: there is nothing to trim"));
        }
        let few = sample(&cloud, EXAMINED)?;
        let (rows, unit) = {
            let few = Cloud::new(&few)?;
            let all: Vec<usize> = (0..few.len()).collect();
            (few.read_rows(&all)?, 1.0 / few.scale())
        };
        let total = few.total_weight();
        let shares: Vec<f64> = (0..few.len()).map(|i| few.weight(i) / total).collect();
        let around = (0..few.len())
            .into_par_iter()
            .map(|i| {
                let distance = |row: &[f64]| unit * squared_distance(row, rows.row(i)).sqrt();
                let mut around: Vec<(f64, f64)> =
                    rows.rows().map(distance).zip(shares.iter().copied()).collect();
                around.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
                let mut passed = 0.0;
                for (_, share) in &mut around {
                    passed += *share;
                    *share = passed;
                }
                around
            })
            .collect();
        Ok(Self { few, around, shares })
    }

    /// The trimming radius for so many nodes.
    pub fn radius(&self, n_nodes: usize) -> Result<f64> {
        if n_nodes == 0 {
            return Err(Error::setting("n_nodes", n_nodes, "give at least 1"));
        }
        let mut radii: Vec<(f64, f64)> =
            self.radii(n_nodes).into_iter().zip(self.shares.iter().copied()).collect();
        radii.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut passed = 0.0;
        let median = radii.iter().find_map(|&(radius, share)| {
            passed += share;
            (passed >= 0.5 - ROUNDING).then_some(radius)
        });
        match median.map(|median| REACH * median) {
            Some(radius) if radius > 0.0 => Ok(radius),
            _ => Err(Error::data(
                "more than half of the points are repeated: no trimming radius can be estimated \
                 from them; give a number, or inf",
            )),
        }
    }

    /// For each point the radius of the ball that holds more than one node's share.
    fn radii(&self, n_nodes: usize) -> Vec<f64> {
        let share = 1.0 / n_nodes as f64 + ROUNDING;
        let radius = |around: &Vec<(f64, f64)>| {
            let holds = around.partition_point(|&(_, passed)| passed <= share);
            around[holds.min(around.len() - 1)].0
        };
        self.around.iter().map(radius).collect()
    }

    /// Those of the points that have the company of a node's share within the trimming radius.
    pub fn in_company(&self, n_nodes: usize) -> Result<Points<'static>> {
        let radius = self.radius(n_nodes)?;
        let radii = self.radii(n_nodes);
        let weights: Vec<f64> = (0..self.few.len())
            .map(|i| if radii[i] <= radius { self.few.weight(i) } else { 0.0 })
            .collect();
        self.few.clone().with_weights(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_gives_the_disk_that_a_node_has() {
        let side = 30;
        let values: Vec<f64> =
            (0..side * side).flat_map(|i| [f64::from(i % side), f64::from(i / side)]).collect();
        let points = Points::from_f64(values, 2).unwrap();
        let radius = trimming_radius(&points, 9).unwrap();
        // 100 points of a square grid are a disk of radius √(100/π) = 5.6; less at the border.
        assert!((radius / 2.0 - 5.64).abs() < 0.8, "{radius}");
    }

    fn wave(i: usize) -> f64 {
        (1.7 * i as f64 + (i * i % 31) as f64).sin()
    }

    /// By all distances of all points, one of which is written as often as it weighs.
    #[test]
    fn it_is_twice_the_median_of_distances_to_the_right_neighbor() {
        let (n, dims) = (150, 3);
        let values: Vec<f64> = (0..n * dims).map(wave).collect();
        let weights: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
        let copies = |i: usize| std::iter::repeat_n(&values[i * dims..][..dims], i % 3);
        let repeated: Vec<&[f64]> = (0..n).flat_map(copies).collect();
        let points = Points::from_f64(values.clone(), dims).unwrap().with_weights(weights).unwrap();
        for n_nodes in [1, 7, 20, 40] {
            let neighbor = repeated.len() / n_nodes;
            let mut radii: Vec<f64> = repeated
                .iter()
                .map(|x| {
                    let mut all: Vec<f64> =
                        repeated.iter().map(|y| squared_distance(x, y).sqrt()).collect();
                    all.sort_by(f64::total_cmp);
                    all[neighbor.min(all.len() - 1)]
                })
                .collect();
            radii.sort_by(f64::total_cmp);
            let expected = 2.0 * radii[radii.len().div_ceil(2) - 1];
            let found = trimming_radius(&points, n_nodes).unwrap();
            assert!((found - expected).abs() < 1e-9, "{n_nodes}: {found} {expected}");
            let rows = repeated.concat();
            let repeated = Points::from_f64(rows, dims).unwrap();
            assert!((trimming_radius(&repeated, n_nodes).unwrap() - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn order_motion_and_scale_make_no_difference() {
        let (n, dims) = (3000, 2);
        let rows: Vec<f64> = (0..n * dims).map(|i| wave(i) + 0.3 * wave(i / 7)).collect();
        let of = |rows: Vec<f64>| {
            let points = Points::from_f64(rows, dims).unwrap();
            trimming_radius(&points, 25).unwrap()
        };
        let plain = of(rows.clone());
        let reversed = rows.chunks(dims).rev().flatten().copied().collect();
        assert!((of(reversed) / plain - 1.0).abs() < 1e-9);
        let (sin, cos) = 0.7_f64.sin_cos();
        let turn =
            |row: &[f64]| [cos * row[0] - sin * row[1] + 9.0, sin * row[0] + cos * row[1] - 4.0];
        assert!((of(rows.chunks(dims).flat_map(turn).collect()) / plain - 1.0).abs() < 1e-6);
        let scaled = rows.iter().map(|x| 1e-7 * x).collect();
        assert!((of(scaled) / (1e-7 * plain) - 1.0).abs() < 1e-6);
        let twice = rows.iter().chain(&rows).copied().collect();
        assert!((of(twice) / plain - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_has_no_radius_is_refused() {
        let equal = Points::from_f64(vec![1.0; 4], 1).unwrap();
        assert!(trimming_radius(&equal, 2).unwrap_err().to_string().contains("equal"));
        let mut values = vec![1.0; 20];
        values.push(2.0);
        let repeated = Points::from_f64(values, 1).unwrap();
        let message = trimming_radius(&repeated, 10).unwrap_err().to_string();
        assert!(message.contains("repeated"), "{message}");
        let message = trimming_radius(&repeated, 0).unwrap_err().to_string();
        assert_eq!(message, "n_nodes = 0: give at least 1");
    }
}
