//! The distances, neighborhoods and classes of points before and after projection.

use rayon::prelude::*;

use super::record::Criteria;
use crate::error::Result;
use crate::math::{Matrix, squared_distance};
use crate::points::{Cloud, Points};

/// A variance below this share of the squared mean is rounding.
const CONSTANT: f64 = 1e-24;
/// Pairs at the larger distances: one out of this many.
const LARGE: f64 = 4.0;

/// Two points: their distances before and after projection, and the product of their weights.
#[derive(Clone, Copy)]
struct Pair {
    before: f64,
    after: f64,
    weight: f64,
}

/// What is found at one point.
struct AtPoint {
    /// With all later points.
    pairs: Vec<Pair>,
    /// The number of neighbors that are the same before and after.
    kept: f64,
    /// The number of neighbors after projection with the same label.
    alike: f64,
}

/// The same points before and after projection.
pub(super) struct Compared {
    k: usize,
    weights: Vec<f64>,
    labeled: Vec<bool>,
    found: Vec<AtPoint>,
}

impl Compared {
    /// Compares all pairs of these points, which must be at least two, and their `k` nearest.
    pub fn new(
        before: &Points<'_>,
        after: &Matrix,
        labels: Option<&[&str]>,
        k: usize,
    ) -> Result<Self> {
        let n = before.len();
        let (before_rows, after_rows) = (working(before)?, working_rows(after)?);
        let weights: Vec<f64> = (0..n).map(|i| before.weight(i)).collect();
        let label = |i: usize| labels.map_or("", |labels| labels[i]);
        let at_point = |i: usize| {
            let distances = |rows: &Matrix| -> Vec<f64> {
                rows.rows().map(|row| squared_distance(row, rows.row(i)).sqrt()).collect()
            };
            let (before, after) = (distances(&before_rows), distances(&after_rows));
            let near = (shares(&before, i, k), shares(&after, i, k));
            let kept = near.0.iter().zip(&near.1).map(|(a, b)| a.min(*b)).sum();
            let is_alike = |j: &usize| label(*j) == label(i);
            let alike = (0..n).filter(is_alike).map(|j| near.1[j]).sum();
            let pair = |j: usize| Pair {
                before: before[j],
                after: after[j],
                weight: weights[i] * weights[j],
            };
            let pairs = (i + 1..n).filter(|&j| before[j] > 0.0).map(pair).collect();
            AtPoint { pairs, kept, alike }
        };
        let found = (0..n).into_par_iter().map(at_point).collect();
        let labeled = (0..n).map(|i| !label(i).is_empty()).collect();
        Ok(Self { k, weights, labeled, found })
    }

    /// Writes what was found into `criteria`.
    pub fn write(mut self, criteria: &mut Criteria) {
        let kept = |i: usize| Some(self.found[i].kept);
        criteria.neighbor_preservation = self.mean_share(kept);
        let alike = |i: usize| self.labeled[i].then_some(self.found[i].alike);
        criteria.class_compactness = self.mean_share(alike);
        let pairs = self.found.iter_mut().flat_map(|at| std::mem::take(&mut at.pairs));
        let mut pairs: Vec<Pair> = pairs.collect();
        if pairs.is_empty() {
            criteria.notes.push("distances: all points are equal".into());
            return;
        }
        let factor = factor(&pairs);
        criteria.distance_correlation = correlation(&pairs);
        criteria.distance_error = Some(relative_error(&pairs, factor));
        let large = large(&mut pairs);
        criteria.large_distance_correlation = correlation(large);
        criteria.large_distance_error = Some(relative_error(large, factor));
        if criteria.distance_correlation.is_none() {
            criteria.notes.push("correlations: all distances are equal".into());
        }
    }

    /// The weighted mean of a number of neighbors, as a share of `k`, over the points that have it.
    fn mean_share(&self, number: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        let numbers = (0..self.weights.len()).filter_map(|i| Some((self.weights[i], number(i)?)));
        let (sum, weight) = numbers.fold((0.0, 0.0), |(sum, total), (weight, number)| {
            (sum + weight * number / self.k as f64, total + weight)
        });
        (weight > 0.0).then(|| sum / weight)
    }
}

/// Points in units in which squared distances are neither too large nor too small.
fn working(points: &Points<'_>) -> Result<Matrix> {
    let cloud = Cloud::new(points)?;
    cloud.read_rows(&(0..points.len()).collect::<Vec<_>>())
}

fn working_rows(rows: &Matrix) -> Result<Matrix> {
    working(&Points::from_f64(rows.as_slice(), rows.n_cols())?)
}

/// How much of each point is among the `k` nearest of point `i`: 1 or 0, and a share of what is left
/// where several are equally far.
fn shares(distances: &[f64], i: usize, k: usize) -> Vec<f64> {
    let mut others: Vec<f64> =
        distances.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, d)| *d).collect();
    let (_, &mut farthest, _) = others.select_nth_unstable_by(k - 1, f64::total_cmp);
    let nearer = others.iter().filter(|d| **d < farthest).count();
    let tied = others.iter().filter(|d| **d == farthest).count();
    let of_tied = (k - nearer) as f64 / tied as f64;
    let share = |(j, &distance): (usize, &f64)| match distance.total_cmp(&farthest) {
        _ if j == i => 0.0,
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => of_tied,
        std::cmp::Ordering::Greater => 0.0,
    };
    distances.iter().enumerate().map(share).collect()
}

/// The factor of the distances after projection with the least sum of squared differences.
fn factor(pairs: &[Pair]) -> f64 {
    let sum = |of: fn(&Pair) -> f64| pairs.iter().map(|pair| pair.weight * of(pair)).sum::<f64>();
    let (both, after) = (sum(|pair| pair.before * pair.after), sum(|pair| pair.after * pair.after));
    if after > 0.0 { both / after } else { 0.0 }
}

fn relative_error(pairs: &[Pair], factor: f64) -> f64 {
    let error = |pair: &Pair| (factor * pair.after - pair.before).abs() / pair.before;
    let sum: f64 = pairs.iter().map(|pair| pair.weight * error(pair)).sum();
    sum / pairs.iter().map(|pair| pair.weight).sum::<f64>()
}

/// Pearson's correlation; none if the distances do not vary.
fn correlation(pairs: &[Pair]) -> Option<f64> {
    let weight: f64 = pairs.iter().map(|pair| pair.weight).sum();
    let mean = |of: fn(&Pair) -> f64| {
        pairs.iter().map(|pair| pair.weight * of(pair)).sum::<f64>() / weight
    };
    let (before, after) = (mean(|pair| pair.before), mean(|pair| pair.after));
    let mut moments = [0.0; 3];
    for pair in pairs {
        let (x, y) = (pair.before - before, pair.after - after);
        for (moment, product) in moments.iter_mut().zip([x * x, y * y, x * y]) {
            *moment += pair.weight * product;
        }
    }
    let [xx, yy, xy] = moments.map(|moment| moment / weight);
    let varies = xx > CONSTANT * before * before && yy > CONSTANT * after * after;
    varies.then(|| (xy / xx.sqrt() / yy.sqrt()).clamp(-1.0, 1.0))
}

/// The pairs that hold the largest quarter of the weight, by their distance before projection, and
/// those equally far.
fn large(pairs: &mut [Pair]) -> &[Pair] {
    let order = |a: &Pair, b: &Pair| {
        let far = b.before.total_cmp(&a.before);
        far.then(b.after.total_cmp(&a.after)).then(b.weight.total_cmp(&a.weight))
    };
    pairs.par_sort_unstable_by(order);
    let quarter = pairs.iter().map(|pair| pair.weight).sum::<f64>() / LARGE;
    let mut passed = 0.0;
    let mut last = pairs[0].before;
    let mut count = 0;
    for pair in pairs.iter() {
        if passed >= quarter && pair.before < last {
            break;
        }
        (passed, last, count) = (passed + pair.weight, pair.before, count + 1);
    }
    &pairs[..count]
}
