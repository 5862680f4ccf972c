//! The points that all others are compared with.

use super::KernelColumns;
use crate::error::Result;
use crate::math::{Matrix, RowProducts, TILE};
use crate::points::{Cloud, Points};
use crate::prepare::{landmarks, sample};
use rayon::prelude::*;

/// Landmarks are looked for among so many of the points, or so many for each landmark.
const SAMPLE: usize = 20_000;
const SAMPLE_EACH: usize = 20;
/// Rounds of k-means: more hardly move the landmarks.
const ROUNDS: usize = 10;
/// Seed of the first landmarks. The result depends on it little, and on nothing else.
const SEED: u64 = 0;

pub(super) struct Reference {
    pub points: Matrix,
    /// None where all are 1.
    pub weights: Vec<f64>,
}

pub(super) fn reference(columns: KernelColumns, scaled: &Points<'_>) -> Result<Reference> {
    match columns {
        KernelColumns::Landmarks(count) if count < scaled.len() => spread(count, scaled),
        _ => Ok(all(scaled)),
    }
}

/// Every point that counts.
fn all(scaled: &Points<'_>) -> Reference {
    let counting: Vec<usize> = (0..scaled.len()).filter(|&i| scaled.weight(i) > 0.0).collect();
    let mut points = Matrix::zeros(counting.len(), scaled.dims());
    for (to, &i) in counting.iter().enumerate() {
        scaled.copy_row(i, points.row_mut(to));
    }
    let weights = counting.iter().map(|&i| scaled.weight(i)).collect();
    Reference { points, weights: unless_one(weights) }
}

/// The means of k-means clusters, with the weights of all points that are nearest to each.
fn spread(count: usize, scaled: &Points<'_>) -> Result<Reference> {
    let some = sample(&Cloud::new(scaled)?, SAMPLE.max(SAMPLE_EACH * count))?;
    let cloud = Cloud::new(&some)?;
    let mut means = cloud.to_data(landmarks(&cloud, count, SEED)?);
    for _ in 0..ROUNDS {
        means = move_to_means(means, &some);
    }
    let mut weights = vec![0.0; means.n_rows()];
    for (i, landmark) in nearest(scaled, &means).into_iter().enumerate() {
        weights[landmark] += scaled.weight(i);
    }
    let used: Vec<usize> = (0..weights.len()).filter(|&j| weights[j] > 0.0).collect();
    let points = means.select_rows(used.iter().copied());
    let weights = used.iter().map(|&j| weights[j]).collect();
    Ok(Reference { points, weights: unless_one(weights) })
}

/// Each landmark at the mean of the points that are nearest to it.
fn move_to_means(landmarks: Matrix, points: &Points<'_>) -> Matrix {
    let mut sums = Matrix::zeros(landmarks.n_rows(), landmarks.n_cols());
    let mut weights = vec![0.0; landmarks.n_rows()];
    let mut row = vec![0.0; points.dims()];
    for (i, landmark) in nearest(points, &landmarks).into_iter().enumerate() {
        points.copy_row(i, &mut row);
        let weight = points.weight(i);
        weights[landmark] += weight;
        for (sum, x) in sums.row_mut(landmark).iter_mut().zip(&row) {
            *sum += weight * x;
        }
    }
    for (landmark, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            sums.row_mut(landmark).iter_mut().for_each(|x| *x /= weight);
        } else {
            sums.row_mut(landmark).copy_from_slice(landmarks.row(landmark));
        }
    }
    sums
}

/// The landmark nearest to each point, the first of those that are equally near.
fn nearest(points: &Points<'_>, landmarks: &Matrix) -> Vec<usize> {
    let (m, dims) = (landmarks.n_rows(), landmarks.n_cols());
    let against = RowProducts::new(landmarks);
    let mut nearest = vec![0; points.len()];
    nearest.par_chunks_mut(TILE).enumerate().for_each(|(tile, nearest)| {
        let mut x = vec![0.0; nearest.len() * dims];
        for (at, row) in x.chunks_exact_mut(dims).enumerate() {
            points.copy_row(tile * TILE + at, row);
        }
        let mut products = vec![0.0; nearest.len() * m];
        let x_squared = against.multiply(&mut x, &mut products);
        for (at, nearest) in nearest.iter_mut().enumerate() {
            let x = &x[at * dims..][..dims];
            let distance =
                |j: usize| against.squared_distance(x, x_squared[at], j, products[at * m + j]);
            *nearest = (0..m)
                .map(|j| (distance(j), j))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map_or(0, |(_, j)| j);
        }
    });
    nearest
}

fn unless_one(weights: Vec<f64>) -> Vec<f64> {
    if weights.iter().all(|&w| w == 1.0) { Vec::new() } else { weights }
}
