//! The distances, neighborhoods and classes of points before and after projection.

use std::cmp::Ordering;

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
        let at_point = |scratch: &mut Scratch, i: usize| {
            let before =
                Neighborhood::of(&before_rows, i, k, &mut scratch.before, &mut scratch.order);
            let after = Neighborhood::of(&after_rows, i, k, &mut scratch.after, &mut scratch.order);
            let (old, new) = (&scratch.before, &scratch.after);
            let (mut kept, mut alike) = (0.0, 0.0);
            for j in (0..n).filter(|&j| new[j] <= after.farthest && j != i) {
                let share = after.share(new[j]);
                kept += share.min(before.share(old[j]));
                alike += if label(j) == label(i) { share } else { 0.0 };
            }
            let pair = |j: usize| Pair {
                before: old[j].sqrt(),
                after: new[j].sqrt(),
                weight: weights[i] * weights[j],
            };
            let pairs = (i + 1..n).filter(|&j| old[j] > 0.0).map(pair).collect();
            AtPoint { pairs, kept, alike }
        };
        let found = (0..n).into_par_iter().map_init(Scratch::default, at_point).collect();
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
        let pairs: Vec<Pair> = pairs.collect();
        if pairs.is_empty() {
            criteria.notes.push("distances: all points are equal".into());
            return;
        }
        let factor = factor(&pairs);
        criteria.distance_correlation = correlation(&pairs);
        criteria.distance_error = Some(relative_error(&pairs, factor));
        let large = large(&pairs);
        criteria.large_distance_correlation = correlation(&large);
        criteria.large_distance_error = Some(relative_error(&large, factor));
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

/// Reusable memory of a thread.
#[derive(Default)]
struct Scratch {
    /// Squared distances of all points from one, before and after projection.
    before: Vec<f64>,
    after: Vec<f64>,
    order: Vec<f64>,
}

/// The `k` nearest points of a point.
struct Neighborhood {
    /// The squared distance of the farthest of them.
    farthest: f64,
    /// The share of each point at that distance: more than `k` may be equally near.
    of_tied: f64,
}

impl Neighborhood {
    /// Of point `i`; also fills in the squared distances of all points from it.
    fn of(rows: &Matrix, i: usize, k: usize, squared: &mut Vec<f64>, order: &mut Vec<f64>) -> Self {
        let x = rows.row(i);
        squared.clear();
        squared.extend(rows.rows().map(|row| squared_distance(row, x)));
        order.clear();
        order.extend(squared.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, d)| *d));
        let (nearer, &mut farthest, beyond) = order.select_nth_unstable_by(k - 1, f64::total_cmp);
        let tied = |all: &[f64]| all.iter().filter(|d| **d == farthest).count();
        let (inside, outside) = (tied(nearer) + 1, tied(beyond));
        Self { farthest, of_tied: inside as f64 / (inside + outside) as f64 }
    }

    /// How much of a point at this squared distance is among the nearest.
    fn share(&self, squared: f64) -> f64 {
        match squared.total_cmp(&self.farthest) {
            Ordering::Less => 1.0,
            Ordering::Equal => self.of_tied,
            Ordering::Greater => 0.0,
        }
    }
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

/// The pairs at the largest distances before projection: those that hold a quarter of the weight, and
/// all that are equally far.
fn large(pairs: &[Pair]) -> Vec<Pair> {
    let least = if pairs.iter().all(|pair| pair.weight == pairs[0].weight) {
        let mut distances: Vec<f64> = pairs.iter().map(|pair| pair.before).collect();
        let count = (pairs.len() as f64 / LARGE).ceil() as usize;
        *distances.select_nth_unstable_by(pairs.len() - count, f64::total_cmp).1
    } else {
        least_by_weight(pairs)
    };
    pairs.iter().filter(|pair| pair.before >= least).copied().collect()
}

/// The least of the largest distances, where weights differ.
fn least_by_weight(pairs: &[Pair]) -> f64 {
    let mut ordered: Vec<(f64, f64)> =
        pairs.iter().map(|pair| (pair.before, pair.weight)).collect();
    ordered.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    let quarter = ordered.iter().map(|pair| pair.1).sum::<f64>() / LARGE;
    let mut passed = 0.0;
    let reached = ordered.iter().find(|(_, weight)| {
        passed += weight;
        passed >= quarter
    });
    reached.or(ordered.last()).map_or(0.0, |(distance, _)| *distance)
}
