//! Metric scaling: coordinates whose distances have the least stress (SMACOF, deLeeuw1977), beyond
//! 5,000 rows those of landmarks, to which the others are added one by one.

use rayon::prelude::*;

use super::Embedded;
use super::centered::signs;
use super::kernel_pca::{Kernel, KernelPca, kernel_pca};
use super::rule::{By, Rule};
use super::source::Source;
use super::stress::{Anchors, guttman};
use crate::error::Result;
use crate::math::Matrix;

/// Embeds rows or distances, starting with classical scaling. `enough` is given the stress, as the root
/// of its share of the squared distances, before each step.
pub(crate) fn metric_mds(
    source: &Source<'_>,
    n_components: usize,
    enough: &mut dyn FnMut(f64) -> bool,
) -> Result<Embedded> {
    source.check_components(n_components)?;
    let landmarks = source.landmarks();
    let weights = vec![1.0; source.len()];
    let start = KernelPca { n_components, kernel: Kernel::Linear, weights: &weights };
    let mut placed = kernel_pca(source, start)?.coordinates;
    let unit = source.unit();
    placed.as_mut_slice().iter_mut().for_each(|z| *z /= unit);
    let mut coordinates = placed.select_rows(landmarks.iter().copied());
    let mut distances = Matrix::zeros(landmarks.len(), landmarks.len());
    let rows = distances.as_mut_slice().par_chunks_exact_mut(landmarks.len());
    rows.zip(&landmarks).for_each(|(out, &i)| measure(source, i, &landmarks, out));
    let all: f64 = distances.as_slice().iter().map(|d| d * d).sum();
    loop {
        let (stress, next) = guttman(&distances, &coordinates);
        if enough((stress / all).sqrt()) {
            break;
        }
        coordinates = next;
    }
    for (j, sign) in signs(&coordinates).into_iter().enumerate() {
        (0..landmarks.len()).for_each(|i| coordinates.row_mut(i)[j] *= sign);
    }
    if landmarks.len() == source.len() {
        placed = coordinates.clone();
    } else {
        let anchors = Anchors::new(&coordinates);
        let rows = placed.as_mut_slice().par_chunks_exact_mut(n_components).enumerate();
        rows.for_each_init(
            || vec![0.0; landmarks.len()],
            |distances, (i, out)| match landmarks.binary_search(&i) {
                Ok(at) => out.copy_from_slice(coordinates.row(at)),
                Err(_) => {
                    measure(source, i, &landmarks, distances);
                    out.copy_from_slice(&anchors.add(distances));
                }
            },
        );
    }
    placed.as_mut_slice().iter_mut().for_each(|z| *z *= unit);
    let rule = source.rows().map(|(rows, frame)| Rule {
        frame: frame.clone(),
        reference: rows.select_rows(landmarks),
        by: By::Stress { coordinates },
    });
    Ok(Embedded { coordinates: placed, kept: None, rule, chosen: None, notes: Vec::new() })
}

/// The distances of a row from others.
fn measure(source: &Source<'_>, row: usize, others: &[usize], out: &mut [f64]) {
    out.iter_mut().zip(others).for_each(|(d, &other)| *d = source.distance(row, other));
}
