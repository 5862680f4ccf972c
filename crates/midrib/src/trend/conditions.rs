//! Conditions: do features, and the density of points, differ between groups of samples?
//!
//! Points of one sample are not independent, so samples are permuted, not points. Sums of each sample
//! are all that a permutation needs.

use std::collections::BTreeSet;

use faer::Mat;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::association::{Along, Status, columns_of, n_present, report};
use super::basis::Basis;
use super::design::{Design, Products, Rows, Sums};
use super::discovery::false_discovery_rates;
use super::domain::{Domain, Position, Region};
use super::table::{Column, FeatureTable};
use crate::error::{Error, Result};
use crate::math::{Matrix, solve_semidefinite};
use crate::observe::Observer;

/// Samples that each condition needs for a p-value.
const SAMPLES: usize = 3;

/// Compares conditions, each of several samples.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Where.
    pub region: Region,
    /// The condition of each point.
    pub conditions: Vec<String>,
    /// The sample of each point; all points of a sample have the same condition.
    pub samples: Vec<String>,
    /// Permutations at most; all of them where there are fewer.
    pub permutations: usize,
    /// The seed of the permutations.
    pub seed: u64,
}

/// How a feature differs between conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionTrend {
    /// Points where it is not 0.
    pub n_nonzero: usize,
    /// The mean in each condition.
    pub means: Vec<f64>,
    /// The share of the variance around the common curve that a curve for each condition explains.
    pub explained: f64,
    /// The largest difference between the curves of two conditions.
    pub difference: f64,
    /// The share of permutations of the samples that explain as much; NaN without enough samples.
    pub p: f64,
    /// The false discovery rate at which it is a discovery; NaN without p-values.
    pub q: f64,
    /// Whether it was compared, or why not.
    pub status: Status,
}

/// How conditions differ.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionTrends {
    /// The conditions, in order of their names.
    pub names: Vec<String>,
    /// The number of samples of each.
    pub n_samples: Vec<usize>,
    /// One per feature.
    pub features: Vec<ConditionTrend>,
    /// The number of permutations; 0 where a condition has too few samples.
    pub permutations: usize,
    /// The branches of the graph that the region covers.
    pub branches: Vec<usize>,
    /// For each of these, the mean share of the points of a sample that are on it, by condition.
    pub shares: Matrix,
    /// For each of these, the share of permutations whose shares differ as much; NaN without enough
    /// samples.
    pub share_p: Vec<f64>,
}

impl Conditions {
    /// Compares all features, and the shares of points on each branch.
    pub fn test(
        &self,
        along: &Along<'_>,
        features: &FeatureTable<'_>,
        watch: &mut dyn Observer,
    ) -> Result<ConditionTrends> {
        along.check(features)?;
        let domain = along.domain(&self.region)?;
        domain.refuse_empty()?;
        let groups = Groups::of(self, &domain)?;
        let basis = Basis::of(&domain)?;
        let functions = basis.first(basis.tested);
        let beside_mean = basis.beside_mean();
        let rows = Rows::new(&domain.rows, domain.nodes.len(), along.covariates)?;
        let permutations = match groups.n_samples.iter().all(|&n| n >= SAMPLES) {
            true => permutations(&groups.of_sample, self.permutations, self.seed),
            false => Permutations { orders: vec![groups.of_sample.clone()] },
        };
        let tester =
            Tester::new(&domain, &rows, [&functions, &beside_mean], &groups, &permutations)?;
        let mut found: Vec<ConditionTrend> = Vec::with_capacity(features.n_columns());
        features.each_block(|block| {
            let of = (0..block.len()).into_par_iter().map(|at| tester.test(block.column(at)));
            found.extend(of.collect::<Vec<_>>());
            report(watch, found.len(), features.n_columns())
        })?;
        let log_p = |trend: &ConditionTrend| trend.p.ln();
        let rates = false_discovery_rates(&found.iter().map(log_p).collect::<Vec<_>>());
        found.iter_mut().zip(rates).for_each(|(trend, rate)| trend.q = rate);
        let (branches, shares, share_p) = tester.shares();
        Ok(ConditionTrends {
            features: found,
            permutations: if permutations.orders.len() > 1 { permutations.orders.len() } else { 0 },
            branches,
            shares,
            share_p,
            names: groups.names,
            n_samples: groups.n_samples,
        })
    }
}

/// Points by sample, samples by condition.
struct Groups {
    /// The conditions.
    names: Vec<String>,
    n_samples: Vec<usize>,
    /// The condition of each sample.
    of_sample: Vec<usize>,
    /// The sample of each point.
    of_point: Vec<usize>,
}

impl Groups {
    fn of(settings: &Conditions, domain: &Domain) -> Result<Self> {
        let Conditions { conditions, samples, .. } = settings;
        let n = domain.rows.len();
        for (what, found) in [("conditions", conditions.len()), ("samples", samples.len())] {
            if found != n {
                return Err(Error::shape(&format!("{what} of the points"), n, found));
            }
        }
        let inside = || (0..n).filter(|&i| domain.rows[i].is_some());
        let sorted = |of: &[String]| -> Vec<String> {
            inside().map(|i| of[i].clone()).collect::<BTreeSet<_>>().into_iter().collect()
        };
        let (names, sample_names) = (sorted(conditions), sorted(samples));
        if names.len() < 2 {
            return Err(Error::data(format!(
                "all points on {} have the same condition ({}): there is nothing to compare",
                domain.name,
                names.first().map_or("none", String::as_str)
            )));
        }
        let number = |of: &[String], name: &String| of.binary_search(name).unwrap_or_default();
        let mut of_sample = vec![usize::MAX; sample_names.len()];
        let mut of_point = vec![0; n];
        for i in inside() {
            let sample = number(&sample_names, &samples[i]);
            let condition = number(&names, &conditions[i]);
            of_point[i] = sample;
            if of_sample[sample] != usize::MAX && of_sample[sample] != condition {
                return Err(Error::data(format!(
                    "sample {} has points of the conditions {} and {}: a sample has one condition",
                    samples[i], names[of_sample[sample]], names[condition]
                )));
            }
            of_sample[sample] = condition;
        }
        let mut n_samples = vec![0; names.len()];
        of_sample.iter().for_each(|&condition| n_samples[condition] += 1);
        Ok(Self { names, n_samples, of_sample, of_point })
    }
}

/// The conditions of samples, permuted; the first is as it was observed.
struct Permutations {
    orders: Vec<Vec<usize>>,
}

fn permutations(of_sample: &[usize], most: usize, seed: u64) -> Permutations {
    let mut orders = vec![of_sample.to_vec()];
    let mut next = of_sample.to_vec();
    next.sort_unstable();
    loop {
        if next != of_sample {
            orders.push(next.clone());
        }
        if !next_order(&mut next) {
            return Permutations { orders };
        }
        if orders.len() > most {
            break;
        }
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    orders.truncate(1);
    for _ in 0..most {
        next.shuffle(&mut random);
        orders.push(next.clone());
    }
    Permutations { orders }
}

/// The next order of the numbers, in the order of words; false after the last.
fn next_order(order: &mut [usize]) -> bool {
    let Some(at) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) else { return false };
    if let Some(other) = (at..order.len()).rev().find(|&i| order[i] > order[at - 1]) {
        order.swap(at - 1, other);
    }
    order[at..].reverse();
    true
}

impl Permutations {
    /// The share of permutations with a statistic as large as the observed one, which comes first.
    fn p(&self, statistics: &[f64]) -> f64 {
        if statistics.len() < 2 {
            return f64::NAN;
        }
        // Permutations that only rename conditions of equal sizes give the same but for rounding.
        let reached = |x: &&f64| **x >= statistics[0] * (1.0 - 1e-9);
        statistics.iter().filter(reached).count() as f64 / statistics.len() as f64
    }
}

/// Compares one feature after the other.
struct Tester<'a> {
    domain: &'a Domain,
    rows: &'a Rows<'a>,
    functions: &'a Mat<f64>,
    /// Those that add up to 0 over the points.
    beside_mean: &'a Mat<f64>,
    groups: &'a Groups,
    permutations: &'a Permutations,
    all: Products,
    n_present: usize,
    /// For each sample the products of the functions over its points, row after row, ...
    products: Vec<Vec<f64>>,
    /// ... and of functions with slots.
    of_slots: Vec<Mat<f64>>,
    supported: Vec<bool>,
}

impl<'a> Tester<'a> {
    fn new(
        domain: &'a Domain,
        rows: &'a Rows<'a>,
        [functions, beside_mean]: [&'a Mat<f64>; 2],
        groups: &'a Groups,
        permutations: &'a Permutations,
    ) -> Result<Self> {
        let p = functions.ncols();
        let padded = Mat::from_fn(rows.n_slots(), p, |slot, j| {
            if slot < rows.n_positions { functions[(slot, j)] } else { 0.0 }
        });
        let (mut products, mut of_slots) = (Vec::new(), Vec::new());
        for sample in 0..groups.of_sample.len() {
            let own = rows.products(|point| groups.of_point[point] == sample);
            let with_slots = padded.transpose() * &own.products;
            let gram = &with_slots * &padded;
            products.push((0..p * p).map(|at| gram[(at / p, at % p)]).collect());
            of_slots.push(with_slots);
        }
        let all = rows.products(|_| true);
        let needed = p * groups.names.len() + rows.n_slots() - rows.n_positions;
        if all.n <= needed {
            return Err(Error::data(format!(
                "{} points are on {}, and a curve for each of {} conditions needs more than \
                 {needed}: choose a longer path, or the whole graph",
                all.n,
                domain.name,
                groups.names.len()
            )));
        }
        let n_present = n_present(all.n);
        let supported = domain.supported();
        Ok(Self {
            domain,
            rows,
            functions,
            beside_mean,
            groups,
            permutations,
            all,
            n_present,
            products,
            of_slots,
            supported,
        })
    }

    fn test(&self, column: Column<'_>) -> ConditionTrend {
        let sums = Sums::of(self.rows, column, &self.all);
        let conditions = self.groups.names.len();
        let mut trend = ConditionTrend {
            n_nonzero: sums.n_nonzero,
            means: vec![f64::NAN; conditions],
            explained: f64::NAN,
            difference: f64::NAN,
            p: f64::NAN,
            q: f64::NAN,
            // Sums of samples have no room for missing values.
            status: if sums.n_missing > 0 { Status::Missing } else { sums.status(self.n_present) },
        };
        if trend.status != Status::Tested {
            return trend;
        }
        trend.means = self.means(column);
        let scores = self.scores(column, &sums);
        let orders = &self.permutations.orders;
        let explained: Vec<f64> =
            orders.iter().map(|order| self.explained(order, &scores)).collect();
        let common = self.explained(&vec![0; scores.len()], &scores);
        trend.explained = (explained[0] - common) / (sums.squares - common);
        let gains: Vec<f64> = explained.iter().map(|explained| explained - common).collect();
        trend.p = self.permutations.p(&gains);
        trend.difference = self.difference(&scores);
        trend
    }

    /// The mean of each condition.
    fn means(&self, column: Column<'_>) -> Vec<f64> {
        let conditions = self.groups.names.len();
        let (mut sums, mut counts) = (vec![0.0; conditions], vec![0.0; conditions]);
        let of = |point: usize| self.groups.of_sample[self.groups.of_point[point]];
        column.each(|point, value| {
            if self.domain.rows[point].is_some() {
                sums[of(point)] += value;
            }
        });
        for point in (0..self.domain.rows.len()).filter(|&i| self.domain.rows[i].is_some()) {
            counts[of(point)] += 1.0;
        }
        sums.iter().zip(&counts).map(|(sum, count)| sum / count).collect()
    }

    /// For each sample the products of the functions with the feature, less its mean and what the
    /// common model attributes to covariates.
    fn scores(&self, column: Column<'_>, sums: &Sums) -> Vec<Vec<f64>> {
        let mut effect = vec![0.0; self.rows.n_slots()];
        if self.rows.n_slots() > self.rows.n_positions {
            let (columns, n_smaller) = columns_of(self.rows, self.beside_mean);
            let design = Design::new(columns, n_smaller, &self.all);
            effect = design.coefficients(sums, &self.all);
            effect[..self.rows.n_positions].fill(0.0);
        }
        effect[..self.rows.n_positions].iter_mut().for_each(|slot| *slot += sums.mean);
        let p = self.functions.ncols();
        let mut scores = vec![vec![0.0; p]; self.products.len()];
        column.each(|point, value| {
            let Some(position) = &self.domain.rows[point] else { return };
            let own = &mut scores[self.groups.of_point[point]];
            for (knot, weight) in position.weights() {
                for (j, score) in own.iter_mut().enumerate() {
                    *score += weight * value * self.functions[(knot, j)];
                }
            }
        });
        for (own, of_slots) in scores.iter_mut().zip(&self.of_slots) {
            for (j, score) in own.iter_mut().enumerate() {
                *score -= (0..effect.len()).map(|s| of_slots[(j, s)] * effect[s]).sum::<f64>();
            }
        }
        scores
    }

    /// The squares that a curve for each condition explains, with the samples in these conditions.
    fn explained(&self, of_sample: &[usize], scores: &[Vec<f64>]) -> f64 {
        let mut explained = 0.0;
        for condition in 0..self.groups.names.len() {
            let (coefficients, own) = self.coefficients(condition, of_sample, scores);
            explained += coefficients.iter().zip(&own).map(|(b, v)| b * v).sum::<f64>();
        }
        explained
    }

    /// The coefficients of the curve of a condition, and the sum of its samples' scores.
    fn coefficients(
        &self,
        condition: usize,
        of_sample: &[usize],
        scores: &[Vec<f64>],
    ) -> (Vec<f64>, Vec<f64>) {
        let p = self.functions.ncols();
        let (mut gram, mut own) = (vec![0.0; p * p], vec![0.0; p]);
        for sample in (0..of_sample.len()).filter(|&sample| of_sample[sample] == condition) {
            gram.iter_mut().zip(&self.products[sample]).for_each(|(sum, x)| *sum += x);
            own.iter_mut().zip(&scores[sample]).for_each(|(sum, x)| *sum += x);
        }
        let mut coefficients = own.clone();
        solve_semidefinite(&mut gram, &mut coefficients);
        (coefficients, own)
    }

    /// The largest difference between the curves of two conditions where both have points.
    fn difference(&self, scores: &[Vec<f64>]) -> f64 {
        let curve = |condition: usize| -> Vec<f64> {
            let (coefficients, _) = self.coefficients(condition, &self.groups.of_sample, scores);
            let at = |knot: usize| {
                coefficients.iter().enumerate().map(|(j, b)| b * self.functions[(knot, j)]).sum()
            };
            (0..self.functions.nrows()).map(at).collect()
        };
        let curves: Vec<Vec<f64>> = (0..self.groups.names.len()).map(curve).collect();
        let mut most = 0.0_f64;
        for knot in (0..self.supported.len()).filter(|&knot| self.supported[knot]) {
            let values = || curves.iter().map(|curve| curve[knot]);
            let (high, low) =
                (values().fold(f64::MIN, f64::max), values().fold(f64::MAX, f64::min));
            most = most.max(high - low);
        }
        most
    }

    /// The branches, the mean share of a sample's points on each by condition, and p-values.
    fn shares(&self) -> (Vec<usize>, Matrix, Vec<f64>) {
        let samples = self.groups.of_sample.len();
        let branch_of = |row: &Position| self.domain.branch_of(row);
        let found: BTreeSet<usize> = self.domain.rows.iter().flatten().map(branch_of).collect();
        let branches: Vec<usize> = found.into_iter().collect();
        let mut counts = Matrix::zeros(samples, branches.len());
        for (point, row) in self.domain.rows.iter().enumerate() {
            if let Some(row) = row {
                let branch = branches.binary_search(&branch_of(row)).unwrap_or_default();
                counts.row_mut(self.groups.of_point[point])[branch] += 1.0;
            }
        }
        for sample in 0..samples {
            let total: f64 = counts.row(sample).iter().sum();
            counts.row_mut(sample).iter_mut().for_each(|count| *count /= total);
        }
        let means = |order: &[usize]| {
            let conditions = self.groups.names.len();
            let mut means = Matrix::zeros(branches.len(), conditions);
            for (sample, &condition) in order.iter().enumerate() {
                let share = 1.0 / self.groups.n_samples[condition] as f64;
                for branch in 0..branches.len() {
                    means.row_mut(branch)[condition] += share * counts.row(sample)[branch];
                }
            }
            means
        };
        let spread = |means: &Matrix, branch: usize| {
            let row = means.row(branch);
            let sizes = self.groups.n_samples.iter().map(|&n| n as f64);
            let center =
                row.iter().zip(sizes.clone()).map(|(x, n)| n * x).sum::<f64>() / samples as f64;
            row.iter().zip(sizes).map(|(x, n)| n * (x - center) * (x - center)).sum::<f64>()
        };
        let of_orders: Vec<Matrix> =
            self.permutations.orders.iter().map(|order| means(order)).collect();
        let p = |branch: usize| {
            let all: Vec<f64> = of_orders.iter().map(|means| spread(means, branch)).collect();
            self.permutations.p(&all)
        };
        let share_p = (0..branches.len()).map(p).collect();
        let observed = means(&self.groups.of_sample);
        (branches, observed, share_p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sets_of_samples_are_permuted_completely() {
        let found = permutations(&[0, 1, 0, 1, 1, 0], 100, 1);
        assert_eq!(found.orders.len(), 20);
        assert_eq!(found.orders[0], [0, 1, 0, 1, 1, 0]);
        let distinct: BTreeSet<&Vec<usize>> = found.orders.iter().collect();
        assert_eq!(distinct.len(), 20);
        let some = permutations(&[0, 1, 0, 1, 1, 0], 7, 1);
        assert_eq!(some.orders.len(), 8);
    }
}
