//! The likelihood of points around a graph: a mixture of its edges, each uniform along its length with
//! Gaussian noise s around it, and a share of outliers.

use rayon::prelude::*;

use super::sample::Sample;
use crate::graph::PrincipalGraph;
use crate::math::dot;

/// Rounds of expectation maximization of the edges' weights: few, so that the density stays smooth.
const ROUNDS: usize = 5;
/// The share of outliers.
const OUTLIERS: f64 = 0.01;
/// An outlier is less likely under every edge than most points: by this many nats, beyond four times
/// the difference between the median and the 84th percentile.
const FAR: f64 = 6.0;

/// The density of every point under every edge, and the edges' weights.
pub(super) struct Mixture {
    /// Weights of the edges; they add up to 1.
    pub weights: Vec<f64>,
    /// Points × edges, each row relative to its largest.
    densities: Vec<f32>,
    /// Of the whole graph, relative to the largest.
    whole: Vec<f64>,
    /// Of outliers, relative to the largest.
    outlier: Vec<f64>,
}

impl Mixture {
    pub fn new(graph: &PrincipalGraph, sample: &Sample, noise: f64) -> Self {
        let (n, m) = (sample.len(), graph.edges().len());
        let mut densities = vec![0.0_f32; n * m];
        let rows = densities.par_chunks_exact_mut(m).enumerate();
        let found: Vec<(f64, usize)> = rows
            .map(|(i, row)| {
                let mut logs = vec![0.0; m];
                for (edge, log) in graph.edges().iter().zip(&mut logs) {
                    let ends = [edge.a, edge.b].map(|node| graph.nodes().row(node));
                    *log = log_density(sample.x.row(i), ends, noise);
                }
                let best =
                    (0..m).fold(0, |best, edge| if logs[edge] > logs[best] { edge } else { best });
                for (density, log) in row.iter_mut().zip(&logs) {
                    *density = (log - logs[best]).exp() as f32;
                }
                (logs[best], best)
            })
            .collect();
        let length = graph.length();
        let mut weights: Vec<f64> =
            graph.edges().iter().map(|edge| 0.01 * sample.total() * edge.length / length).collect();
        for (&(_, edge), weight) in found.iter().zip(&sample.weights) {
            weights[edge] += weight;
        }
        let largest: Vec<f64> = found.into_iter().map(|(log, _)| log).collect();
        let limit = far(&largest);
        let outlier = largest.iter().map(|log| OUTLIERS * (limit - log).min(50.0).exp()).collect();
        let mut mixture = Self { weights, densities, whole: vec![0.0; n], outlier };
        mixture.fit(sample);
        mixture
    }

    /// The weights of the edges, by expectation maximization.
    fn fit(&mut self, sample: &Sample) {
        let m = self.weights.len();
        for round in 0..=ROUNDS {
            let total: f64 = self.weights.iter().sum();
            self.weights.iter_mut().for_each(|weight| *weight /= total);
            let mut next = vec![0.0; m];
            for (i, row) in self.densities.chunks_exact(m).enumerate() {
                let whole: f64 =
                    row.iter().zip(&self.weights).map(|(p, w)| f64::from(*p) * w).sum();
                self.whole[i] = whole;
                let share = sample.weights[i] / (whole + self.outlier[i]);
                for ((next, p), w) in next.iter_mut().zip(row).zip(&self.weights) {
                    *next += share * w * f64::from(*p);
                }
            }
            if round < ROUNDS {
                self.weights = next;
            }
        }
    }

    fn row(&self, point: usize) -> &[f32] {
        let m = self.weights.len();
        &self.densities[point * m..(point + 1) * m]
    }

    /// By how much the log-likelihood falls where these edges go and others take their points over.
    pub fn loss_without(&self, edges: &[usize], sample: &Sample) -> f64 {
        let m = self.weights.len();
        let mut stays = vec![true; m];
        edges.iter().for_each(|&edge| stays[edge] = false);
        let mut gained = vec![0.0; m];
        let mut touched = Vec::new();
        for i in 0..sample.len() {
            let row = self.row(i);
            let own: f64 =
                edges.iter().map(|&edge| self.weights[edge] * f64::from(row[edge])).sum();
            if own < 1e-6 * self.whole[i] {
                continue;
            }
            touched.push((i, own));
            let share = sample.weights[i] * own / (self.whole[i] + self.outlier[i]);
            let rest = (self.whole[i] - own).max(0.0) + self.outlier[i];
            for edge in (0..m).filter(|&edge| stays[edge]) {
                gained[edge] +=
                    share * self.weights[edge] * f64::from(row[edge]) / rest.max(1e-300);
            }
        }
        let total = sample.total();
        let loss = |&(i, own): &(usize, f64)| {
            let taken: f64 =
                gained.iter().zip(self.row(i)).map(|(g, p)| g / total * f64::from(*p)).sum();
            let rest = (self.whole[i] - own).max(0.0) + taken + self.outlier[i];
            sample.weights[i] * ((self.whole[i] + self.outlier[i]).ln() - rest.max(1e-300).ln())
        };
        touched.iter().map(loss).sum()
    }

    /// The log odds that consecutive edges carry this share of the points, evenly along their length,
    /// against none.
    pub fn odds(&self, edges: &[usize], lengths: &[f64], share: f64, sample: &Sample) -> f64 {
        let length: f64 = lengths.iter().sum();
        let mut odds = -sample.total() * share;
        for i in 0..sample.len() {
            let row = self.row(i);
            let (mut own, mut even) = (0.0, 0.0);
            for (&edge, part) in edges.iter().zip(lengths) {
                own += self.weights[edge] * f64::from(row[edge]);
                even += f64::from(row[edge]) * part / length;
            }
            let rest = (self.whole[i] - own).max(0.0) + self.outlier[i];
            odds += sample.weights[i] * (share * even / rest.max(1e-300)).ln_1p();
        }
        odds
    }

    /// The share of the points on some edges per length.
    pub fn density(&self, graph: &PrincipalGraph, edges: &[usize]) -> f64 {
        let weight: f64 = edges.iter().map(|&edge| self.weights[edge]).sum();
        weight / edges.iter().map(|&edge| graph.edges()[edge].length).sum::<f64>()
    }
}

/// The log density below which points are outliers.
fn far(largest: &[f64]) -> f64 {
    let mut sorted = largest.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let at = |share: f64| sorted[((share * sorted.len() as f64) as usize).min(sorted.len() - 1)];
    at(0.5) - 4.0 * (at(0.5) - at(0.84)) - FAR
}

/// The logarithm, up to a constant, of the density of `x` where points are even along a segment with
/// Gaussian noise around it.
fn log_density(x: &[f64], [a, b]: [&[f64]; 2], noise: f64) -> f64 {
    let along: Vec<f64> = a.iter().zip(b).map(|(a, b)| b - a).collect();
    let from: Vec<f64> = a.iter().zip(x).map(|(a, x)| x - a).collect();
    let (length, squared) = (dot(&along, &along).sqrt(), dot(&from, &from));
    let narrow = (noise * (2.0 * std::f64::consts::PI).sqrt()).ln();
    let in_noise = |squared: f64| squared / (2.0 * noise * noise);
    if length < 1e-9 * noise {
        return -in_noise(squared) - narrow;
    }
    let at = dot(&along, &from) / length;
    let across = in_noise((squared - at * at).max(0.0));
    let past = (-at).max(at - length);
    if past > 5.0 * noise {
        return -across - in_noise(past * past) - narrow;
    }
    let inside = normal(at / noise) - normal((at - length) / noise);
    -across + (inside.max(1e-9) / length).ln()
}

/// The standard normal distribution function, to 1.5e-7 (Abramowitz1964, 7.1.26).
fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = series.iter().fold(0.0, |sum, c| (sum + c) * t) * (-x * x).exp();
    if z >= 0.0 { 1.0 - 0.5 * tail } else { 0.5 * tail }
}
