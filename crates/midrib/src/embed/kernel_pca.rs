//! Components of a centered kernel matrix (Schoelkopf1998). With the linear kernel, and with minus
//! half the squared distances in its place, it is classical scaling (Torgerson1952).

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Par, Side};
use rayon::prelude::*;

use super::centered::{Axes, require_positive};
use super::kernel::similarities;
use super::rule::{By, Rule};
use super::source::Source;
use super::{Embedded, WHOLE};
use crate::error::{Error, Result};
use crate::math::{
    Matrix, RowProducts, exp_in_place, few_top_eigen, times, transposed, transposed_times,
};
use crate::points::WorkingFrame;

/// Rows whose similarities to the landmarks are held at once.
const HELD: usize = 4096;
/// Eigenvalues of the landmarks' kernel below this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// Which kernel, and how many components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelPca<'w> {
    pub n_components: usize,
    pub kernel: Kernel,
    /// How often each row counts.
    pub weights: &'w [f64],
}

/// The kernel of two rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kernel {
    /// `x·y`.
    Linear,
    /// `exp(−γ ‖x − y‖²)`; γ in the caller's units, or one over half the mean squared distance.
    Gaussian(Option<f64>),
}

/// Embeds rows or distances.
pub(crate) fn kernel_pca(source: &Source<'_>, settings: KernelPca<'_>) -> Result<Embedded> {
    let KernelPca { n_components, kernel, weights } = settings;
    source.check_components(n_components)?;
    let (gamma, chosen) = match kernel {
        Kernel::Linear => (None, None),
        Kernel::Gaussian(Some(gamma)) => (Some(gamma * source.unit() * source.unit()), None),
        Kernel::Gaussian(None) => {
            let gamma = typical_gamma(source, weights);
            (Some(gamma), Some(("gamma", gamma / source.unit() / source.unit())))
        }
    };
    let unit = if gamma.is_none() { source.unit() } else { 1.0 };
    let Source::Rows { rows, frame } = source else {
        return of_distances(source, gamma, settings, chosen, unit);
    };
    let (reference, mut axes) = match rows.n_rows() {
        n if n <= WHOLE => {
            let similar = similarities(&RowProducts::new(rows), gamma, rows);
            (rows.clone(), Axes::of_similarities(similar, weights, n_components)?)
        }
        _ => {
            let landmarks = rows.select_rows(source.landmarks());
            let axes = nystroem(rows, &landmarks, gamma, settings)?;
            (landmarks, axes)
        }
    };
    let coordinates = placed(&axes, &reference, gamma, rows);
    let coordinates = axes.oriented(coordinates, unit);
    let rule = rule(frame, reference, gamma, axes);
    Ok(Embedded { coordinates, kept: None, rule: Some(rule), chosen, notes: Vec::new() })
}

/// Embeds distances, whose matrix is stored anyway.
fn of_distances(
    source: &Source<'_>,
    gamma: Option<f64>,
    settings: KernelPca<'_>,
    chosen: Option<(&'static str, f64)>,
    unit: f64,
) -> Result<Embedded> {
    let landmarks = source.landmarks();
    let weights: Vec<f64> = landmarks.iter().map(|&i| settings.weights[i]).collect();
    let similar = |rows: &[usize]| {
        let mut similar = Matrix::zeros(rows.len(), landmarks.len());
        let out = similar.as_mut_slice().par_chunks_exact_mut(landmarks.len());
        out.zip(rows).for_each(|(out, &i)| {
            for (s, &j) in out.iter_mut().zip(&landmarks) {
                *s = source.distance(i, j).powi(2) * -gamma.unwrap_or(0.5);
            }
            if gamma.is_some() {
                exp_in_place(out);
            }
        });
        similar
    };
    let mut axes = Axes::of_similarities(similar(&landmarks), &weights, settings.n_components)?;
    let all: Vec<usize> = (0..source.len()).collect();
    let coordinates = axes.place(similar(&all));
    let coordinates = axes.oriented(coordinates, unit);
    Ok(Embedded { coordinates, kept: None, rule: None, chosen, notes: Vec::new() })
}

/// One over half the mean squared distance of two rows.
fn typical_gamma(source: &Source<'_>, weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    match source {
        Source::Rows { frame, .. } => total / frame.spread,
        Source::Distances { .. } => {
            let of_row = |i: usize| -> f64 {
                let squares = (0..source.len()).map(|j| weights[j] * source.distance(i, j).powi(2));
                weights[i] * squares.sum::<f64>()
            };
            let sums: Vec<f64> = (0..source.len()).into_par_iter().map(of_row).collect();
            2.0 * total * total / sums.iter().sum::<f64>()
        }
    }
}

/// The coordinates of rows, some of them at a time.
pub(super) fn placed(axes: &Axes, reference: &Matrix, gamma: Option<f64>, rows: &Matrix) -> Matrix {
    let against = RowProducts::new(reference);
    let mut coordinates = Matrix::zeros(rows.n_rows(), axes.projection.n_cols());
    let d = coordinates.n_cols();
    for (block, out) in coordinates.as_mut_slice().chunks_mut(HELD * d).enumerate() {
        let rows = rows.select_rows(block * HELD..block * HELD + out.len() / d);
        out.copy_from_slice(axes.place(similarities(&against, gamma, &rows)).as_slice());
    }
    coordinates
}

fn rule(frame: &WorkingFrame, reference: Matrix, gamma: Option<f64>, axes: Axes) -> Rule {
    let Axes { mean, projection } = axes;
    Rule { frame: frame.clone(), reference, by: By::Kernel { gamma, mean, projection } }
}

/// The components of all rows in the space that the landmarks span: the kernel is approximated by
/// `C W⁻¹ Cᵀ`, C the kernel of all rows with the landmarks, W that of the landmarks.
fn nystroem(
    rows: &Matrix,
    landmarks: &Matrix,
    gamma: Option<f64>,
    settings: KernelPca<'_>,
) -> Result<Axes> {
    let KernelPca { n_components, weights, .. } = settings;
    let against = RowProducts::new(landmarks);
    let own = similarities(&against, gamma, landmarks);
    let m = landmarks.n_rows();
    let mut offset = vec![0.0; m];
    own.rows()
        .for_each(|row| offset.iter_mut().zip(row).for_each(|(mean, s)| *mean += s / m as f64));
    let root = inverse_root(&own)?;
    let mut products: Mat<f64> = Mat::zeros(m, m);
    let mut sums = vec![0.0; m];
    for first in (0..rows.n_rows()).step_by(HELD) {
        let held = first..(first + HELD).min(rows.n_rows());
        let weights = &weights[held.clone()];
        let mut similar = similarities(&against, gamma, &rows.select_rows(held));
        for (i, weight) in weights.iter().enumerate() {
            for ((s, offset), sum) in similar.row_mut(i).iter_mut().zip(&offset).zip(&mut sums) {
                *s -= offset;
                *sum += weight * *s;
            }
        }
        products += transposed_times(&similar, weights, &similar);
    }
    let total: f64 = weights.iter().sum();
    let centered = Mat::from_fn(m, m, |i, j| products[(i, j)] - sums[i] * sums[j] / total);
    let mixed = root.transpose() * &centered * &root;
    let rank = mixed.nrows();
    let dense =
        Matrix::new(rank, rank, (0..rank * rank).map(|i| mixed[(i / rank, i % rank)]).collect())?;
    let product = |block: &Matrix| transposed(&times(&dense, block.as_faer().transpose()));
    let top = few_top_eigen(n_components.min(rank), rank, product)?;
    let mut values = top.values;
    values.resize(n_components, 0.0);
    require_positive(&values)?;
    let found = &root * top.vectors.as_faer().transpose();
    let projection = (0..m * n_components).map(|i| found[(i / n_components, i % n_components)]);
    let projection = Matrix::new(m, n_components, projection.collect())?;
    let mean = offset.iter().zip(&sums).map(|(offset, sum)| offset + sum / total).collect();
    Ok(Axes { mean, projection })
}

/// A matrix R with `RᵀWR = 1`, one column per eigenvalue that is not rounding.
fn inverse_root(kernel: &Matrix) -> Result<Mat<f64>> {
    // In parallel the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    let eigen = SelfAdjointEigen::new(kernel.as_faer(), Side::Lower)
        .map_err(|_| Error::Numerical("the kernel's eigenvalues did not converge".into()))?;
    let n = kernel.n_rows();
    let least = ROUNDING * eigen.S()[n - 1].max(0.0);
    let first = (0..n).find(|&i| eigen.S()[i] > least).unwrap_or(n);
    let rank = n - first;
    Ok(Mat::from_fn(n, rank, |i, j| eigen.U()[(i, first + j)] / eigen.S()[first + j].sqrt()))
}
