//! Locally linear embedding (Roweis2000): each row is nearly a weighted mean of its neighbors, and
//! its coordinates of theirs, with the same weights.

use rayon::prelude::*;

use super::Embedded;
use super::barycenter::{apart, barycenter};
use super::centered::signs;
use super::neighbor_graph::{Pieces, connected};
use super::rule::{By, Rule};
use super::source::{Near, Source};
use crate::error::{Error, Result};
use crate::math::{Matrix, SparseSymmetric, dot, smallest_eigen};

/// The most numbers of a factor: 1.2 GB.
const FACTOR: usize = 150_000_000;

/// Embeds rows or distances.
pub(crate) fn lle(
    source: &Source<'_>,
    n_components: usize,
    n_neighbors: usize,
    reg: f64,
    pieces: Pieces,
) -> Result<Embedded> {
    let found = connected(source, n_neighbors, pieces)?;
    let source = &*found.source;
    source.check_components(n_components)?;
    let n = source.len();
    let of_row = |i: usize| weights(source, &found.near, i, reg);
    let weights: Vec<Vec<f64>> = (0..n).into_par_iter().map(of_row).collect::<Result<_>>()?;
    let matrix = cost(&found.near, &weights);
    let null = vec![1.0 / (n as f64).sqrt(); n];
    let vectors = smallest_eigen(&matrix, &null, n_components, FACTOR)?.ok_or_else(|| {
        Error::Memory(format!(
            "n_neighbors = {n_neighbors}: the factor of the neighbor graph of {n} points takes more \
             than 1.2 GB; use fewer neighbors, or embed a sample and project the others"
        ))
    })?;
    let mut coordinates = Matrix::zeros(n, n_components);
    for (j, vector) in vectors.rows().enumerate() {
        vector.iter().enumerate().for_each(|(i, x)| coordinates.row_mut(i)[j] = *x);
    }
    for (j, sign) in signs(&coordinates).into_iter().enumerate() {
        (0..n).for_each(|i| coordinates.row_mut(i)[j] *= sign);
    }
    let rule = source.rows().map(|(rows, frame)| Rule {
        frame: frame.clone(),
        reference: rows.clone(),
        by: By::Barycenter { n_neighbors, reg, coordinates: coordinates.clone() },
    });
    Ok(Embedded { coordinates, kept: found.kept, rule, chosen: None, notes: found.notes })
}

/// The barycentric weights of the neighbors of row `i`.
fn weights(source: &Source<'_>, near: &Near, i: usize, reg: f64) -> Result<Vec<f64>> {
    let (items, distances) = (near.items(i), near.distances(i));
    match source {
        Source::Rows { rows, .. } => {
            let relative: Vec<Vec<f64>> =
                items.iter().map(|&j| apart(rows.row(j as usize), rows.row(i))).collect();
            barycenter(near.k, reg, |a, b| dot(&relative[a], &relative[b]))
        }
        Source::Distances { .. } => barycenter(near.k, reg, |a, b| {
            let apart = source.distance(items[a] as usize, items[b] as usize);
            0.5 * (distances[a].powi(2) + distances[b].powi(2) - apart * apart)
        }),
    }
}

/// `(1 − W)ᵀ(1 − W)`.
fn cost(near: &Near, weights: &[Vec<f64>]) -> SparseSymmetric {
    let mut entries = Vec::new();
    for (i, weights) in weights.iter().enumerate() {
        let with_self = || {
            let others = near.items(i).iter().zip(weights).map(|(&j, w)| (j as usize, -w));
            others.chain([(i, 1.0)])
        };
        for (a, x) in with_self() {
            entries.extend(
                with_self().filter(|(b, _)| *b <= a).map(|(b, y)| (b as u32, a as u32, x * y)),
            );
        }
    }
    SparseSymmetric::new(weights.len(), entries)
}
