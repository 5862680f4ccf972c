//! Points whose last digits are cut off, for methods that rounding leads to another result: their
//! descents are not convex, or need not converge.

use crate::error::Result;
use crate::math::{Matrix, dot};
use crate::points::{Cloud, Points};

/// Steps per root mean squared distance from the mean: 2^30.
const STEPS: f64 = 1_073_741_824.0;

/// Points that are the same, bit by bit, whatever the unit of length, the order of the rows, and
/// whether equal ones have a weight or are repeated.
pub(super) struct Settled {
    /// Sorted, in units of the root mean squared distance from the mean.
    pub points: Points<'static>,
    /// One unit in working coordinates.
    unit: f64,
}

impl Settled {
    /// The points of positive weight; refused if they are all equal.
    pub fn new(cloud: &Cloud<'_>) -> Result<Self> {
        cloud.require_spread()?;
        let rows: Vec<usize> = (0..cloud.len()).filter(|&i| cloud.weight(i) > 0.0).collect();
        let x = cloud.read_rows(&rows)?;
        let squares: f64 = x.rows().zip(&rows).map(|(x, &i)| cloud.weight(i) * dot(x, x)).sum();
        let unit = (squares / cloud.total_weight()).sqrt();
        let round = |x: &f64| (x / unit * STEPS).round() / STEPS + 0.0;
        let mut settled: Vec<(Vec<f64>, f64)> = x
            .rows()
            .zip(&rows)
            .map(|(x, &i)| (x.iter().map(round).collect(), cloud.weight(i)))
            .collect();
        settled.sort_by(|a, b| {
            let pairs = a.0.iter().zip(&b.0).map(|(a, b)| a.total_cmp(b));
            pairs
                .fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
                .then(a.1.total_cmp(&b.1))
        });
        settled.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        let (rows, weights): (Vec<Vec<f64>>, Vec<f64>) = settled.into_iter().unzip();
        let points = Points::from_f64(rows.concat(), cloud.dims())?.with_weights(weights)?;
        Ok(Self { points, unit })
    }

    /// Positions among these points as positions in the coordinates of the caller.
    pub fn to_data(&self, cloud: &Cloud<'_>, mut nodes: Matrix) -> Matrix {
        nodes.as_mut_slice().iter_mut().for_each(|x| *x *= self.unit);
        cloud.to_data(nodes)
    }

    /// One unit of squared distance, in units of the caller.
    pub fn square_unit(&self, cloud: &Cloud<'_>) -> f64 {
        self.unit * self.unit * cloud.square_unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_order_and_repeats_change_no_bit() {
        let wave = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin();
        let rows: Vec<[f64; 2]> = (0..60).map(|i| [wave(i), wave(3 * i + 1)]).collect();
        let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 3)).collect();
        let points = Points::from_f64(rows.concat(), 2).unwrap().with_weights(weights).unwrap();
        let settled = Settled::new(&Cloud::new(&points).unwrap()).unwrap();
        let repeated: Vec<f64> =
            (0..60).rev().flat_map(|i| rows[i].map(|x| x * 0.3e-7).repeat(i % 3)).collect();
        let points = Points::from_f64(repeated, 2).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let again = Settled::new(&cloud).unwrap();
        assert_eq!(settled.points.len(), 40);
        for i in 0..40 {
            let (mut a, mut b) = ([0.0; 2], [0.0; 2]);
            settled.points.copy_row(i, &mut a);
            again.points.copy_row(i, &mut b);
            assert_eq!((a, settled.points.weight(i)), (b, again.points.weight(i)));
        }
        let mut all = Matrix::zeros(40, 2);
        (0..40).for_each(|i| again.points.copy_row(i, all.row_mut(i)));
        let back = again.to_data(&cloud, all);
        let largest = back.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        assert!((largest / 0.3e-7 - 1.0).abs() < 0.1, "{largest}");
    }
}
