//! Columns on a common scale.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::moments::Moments;
use crate::points::Points;

/// How columns are brought to a common scale. A constant column is never divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Not at all.
    #[default]
    None,
    /// Divided by the standard deviation.
    Unit,
    /// From the smallest to the largest value, 0 to 1.
    Minmax,
    /// Relative to the median, in interquartile ranges. A column whose interquartile range is 0 is
    /// divided by its standard deviation.
    Robust,
}

/// What a scale does to each column: `x ↦ (x − offset) · factor`.
pub(super) struct Scaling {
    pub offset: Vec<f64>,
    pub factor: Vec<f64>,
    /// The columns that a robust scale had to divide by their standard deviation.
    pub by_deviation: Vec<usize>,
}

impl Scaling {
    pub fn fit(scale: Scale, points: &Points<'_>, moments: &Moments) -> Self {
        let dims = points.dims();
        let (mut offset, mut factor) = (vec![0.0; dims], vec![1.0; dims]);
        let mut by_deviation = Vec::new();
        match scale {
            Scale::None => {}
            Scale::Unit => factor = moments.deviation.iter().map(|&d| inverse(d)).collect(),
            Scale::Minmax => {
                offset.clone_from(&moments.smallest);
                let range = moments.largest.iter().zip(&moments.smallest);
                factor = range.map(|(high, low)| inverse(high - low)).collect();
            }
            Scale::Robust => {
                let of_column = |column: usize| quartiles(points, column);
                let quartiles: Vec<_> = (0..dims).into_par_iter().map(of_column).collect();
                for (column, [low, median, high]) in quartiles.into_iter().enumerate() {
                    offset[column] = median;
                    let deviation = moments.deviation[column];
                    factor[column] = inverse(if high > low { high - low } else { deviation });
                    if high <= low && deviation > 0.0 {
                        by_deviation.push(column);
                    }
                }
            }
        }
        Self { offset, factor, by_deviation }
    }
}

/// 1 / spread, where that is a number.
fn inverse(spread: f64) -> f64 {
    if spread.is_normal() { 1.0 / spread } else { 1.0 }
}

/// Lower quartile, median and upper quartile of a column's observed values, by weight.
fn quartiles(points: &Points<'_>, column: usize) -> [f64; 3] {
    let mut values: Vec<(f64, f64)> = (0..points.len())
        .map(|i| (points.value(i, column), points.weight(i)))
        .filter(|(x, weight)| x.is_finite() && *weight > 0.0)
        .collect();
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    [0.25, 0.5, 0.75].map(|share| {
        let mut passed = 0.0;
        let reached = values.iter().find(|(_, weight)| {
            passed += weight;
            passed >= share * total
        });
        reached.or(values.last()).map_or(0.0, |(x, _)| *x)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(scale: Scale, values: Vec<f64>, dims: usize) -> Scaling {
        let points = Points::from_f64(values, dims).unwrap();
        Scaling::fit(scale, &points, &Moments::of(&points).unwrap())
    }

    #[test]
    fn robust_scales_by_the_middle_half() {
        let scaling = fit(Scale::Robust, (0..101).map(f64::from).chain([1e9]).collect(), 1);
        assert_eq!(scaling.offset, [50.0]);
        assert!((1.0 / scaling.factor[0] - 51.0).abs() < 1.0 + 1e-12);
        assert!(scaling.by_deviation.is_empty());
    }

    #[test]
    fn a_column_without_a_middle_half_is_divided_by_its_deviation() {
        // Mostly zeros, as counts are; and a constant.
        let values = (0..100).flat_map(|i| [f64::from(i % 10 / 9), 7.0, f64::from(i)]).collect();
        let scaling = fit(Scale::Robust, values, 3);
        assert_eq!(scaling.by_deviation, [0]);
        assert!((scaling.factor[0] - 1.0 / 0.3).abs() < 1e-9, "{}", scaling.factor[0]);
        assert_eq!(scaling.factor[1], 1.0);
    }

    #[test]
    fn spreads_that_have_no_inverse_change_nothing() {
        let subnormal = fit(Scale::Minmax, vec![0.0, 5e-324], 1);
        assert_eq!(subnormal.factor, [1.0]);
        let overflowing = fit(Scale::Minmax, vec![-1.5e308, 1.5e308], 1);
        assert_eq!(overflowing.factor, [1.0]);
    }
}
