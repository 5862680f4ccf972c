//! The first principal axes, on which elastic objects start.

use crate::error::Result;
use crate::math::dot;
use crate::points::Cloud;
use crate::prepare::{Components, Pca};

/// The first principal axes of complete points, in working coordinates.
pub(super) struct PrincipalAxes {
    /// One per entry; zero if the points have fewer.
    axes: Vec<Vec<f64>>,
    /// The standard deviation along each.
    pub deviation: Vec<f64>,
    /// The smallest and the largest score of a point of positive weight.
    pub span: Vec<(f64, f64)>,
    /// The share of the variance that the axes up to this one leave unexplained.
    pub unexplained: Vec<f64>,
}

impl PrincipalAxes {
    pub fn new(cloud: &Cloud<'_>, count: usize) -> Result<Self> {
        let points = cloud.source();
        let most = count.min(cloud.dims()).min(cloud.len() - 1).max(1);
        let pca = Pca::fit(Components::Count(most), points)?;
        let variance = cloud.spread() / points.total_weight();
        let mut found = Self {
            axes: Vec::new(),
            deviation: Vec::new(),
            span: Vec::new(),
            unexplained: Vec::new(),
        };
        let mut left = 1.0;
        for axis in 0..count {
            let Some(&share) = pca.shares.get(axis) else {
                found.axes.push(vec![0.0; cloud.dims()]);
                found.deviation.push(0.0);
                found.span.push((0.0, 0.0));
                found.unexplained.push(left);
                continue;
            };
            // The longer tail gives an axis its direction.
            let plain = pca.axes.row(axis);
            let skew = cloud.total(|row, weight| weight * dot(row, plain).powi(3))?;
            let forward: Vec<f64> = plain.iter().map(|x| x * skew.signum()).collect();
            found.span.push(extremes(cloud, |row| dot(row, &forward))?);
            found.deviation.push((share * variance).sqrt());
            found.axes.push(forward);
            left = (left - share).max(0.0);
            found.unexplained.push(left);
        }
        Ok(found)
    }

    /// The position with these scores along the first axes, in working coordinates.
    pub fn at(&self, scores: &[f64]) -> Vec<f64> {
        let mut position = vec![0.0; self.axes[0].len()];
        for (score, axis) in scores.iter().zip(&self.axes) {
            position.iter_mut().zip(axis).for_each(|(x, a)| *x += score * a);
        }
        position
    }
}

/// The smallest and the largest value of a point of positive weight.
fn extremes(cloud: &Cloud<'_>, value: impl Fn(&[f64]) -> f64 + Sync) -> Result<(f64, f64)> {
    let blocks = cloud.per_block(|chunk, rows| {
        let mut row = vec![0.0; chunk.dims()];
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for i in rows.filter(|&i| chunk.weight(i) > 0.0) {
            chunk.copy_row(i, &mut row);
            let value = value(&row);
            ends = (ends.0.min(value), ends.1.max(value));
        }
        ends
    })?;
    let join = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    Ok(blocks.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), join))
}
