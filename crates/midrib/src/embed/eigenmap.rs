//! Laplacian eigenmaps (Belkin2003) and diffusion maps (Coifman2006): the slowest modes of a random walk
//! along the neighbor graph.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Embedded;
use super::centered::signs;
use super::neighbor_graph::{NeighborGraph, Pieces, connected};
use super::rule::{By, Rule};
use super::source::{Near, Source};
use crate::error::{Error, Result};
use crate::math::{Matrix, SparseRows, SparseSymmetric, leading_eigen, smallest_eigen};

/// The most numbers of a factor; beyond it polynomials of the matrix are faster.
const FACTOR: usize = 20_000_000;

/// The settings of an eigenmap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eigenmap {
    pub n_components: usize,
    pub n_neighbors: usize,
    pub affinity: Affinity,
    /// In the caller's units, or one over the mean squared distance of the farthest neighbors.
    pub gamma: Option<f64>,
    pub alpha: f64,
    pub time: f64,
    pub pieces: Pieces,
}

/// How similar neighbors are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Affinity {
    /// All alike; a pair counts half if only one is among the nearest of the other.
    #[default]
    Neighbors,
    /// The closer, the more: exp(−gamma ‖x − y‖²), times the same factor.
    Gaussian,
}

/// Embeds rows or distances.
pub(crate) fn eigenmap(source: &Source<'_>, settings: Eigenmap) -> Result<Embedded> {
    let Eigenmap { n_components, n_neighbors, affinity, alpha, time, pieces, .. } = settings;
    let found = connected(source, n_neighbors, pieces)?;
    let source = &*found.source;
    source.check_components(n_components)?;
    let square_unit = source.unit() * source.unit();
    let (gamma, chosen) = match (affinity, settings.gamma) {
        (Affinity::Neighbors, _) => (0.0, None),
        (Affinity::Gaussian, Some(gamma)) => (gamma * square_unit, None),
        (Affinity::Gaussian, None) => {
            let gamma = typical_gamma(&found.near);
            (gamma, Some(("gamma", gamma / square_unit)))
        }
    };
    let graph = NeighborGraph::new(&found.near);
    let walk = Walk::new(&graph, gamma, alpha)?;
    let vectors = walk.modes(n_components)?;
    let eigenvalues = walk.eigenvalues(&vectors);
    if let Some(at) = eigenvalues.iter().position(|value| *value <= 0.0).filter(|_| time > 0.0) {
        let remedy = format!("only {at} modes decay in time without changing sign: at most {at}");
        return Err(Error::setting("n_components", n_components, remedy));
    }
    let n = graph.len();
    let mut coordinates = Matrix::zeros(n, n_components);
    for i in 0..n {
        let root = walk.degrees[i].sqrt();
        let out = coordinates.row_mut(i).iter_mut();
        for ((z, x), value) in out.zip(vectors.row(i)).zip(&eigenvalues) {
            *z = x / root * if time > 0.0 { value.powf(time) } else { 1.0 };
        }
    }
    for (j, sign) in signs(&coordinates).into_iter().enumerate() {
        (0..n).for_each(|i| coordinates.row_mut(i)[j] *= sign);
    }
    let rule = source.rows().map(|(rows, frame)| Rule {
        frame: frame.clone(),
        reference: rows.clone(),
        by: By::Walk {
            n_neighbors,
            gamma,
            density: walk.density,
            eigenvalues,
            coordinates: coordinates.clone(),
        },
    });
    Ok(Embedded { coordinates, kept: found.kept, rule, chosen, notes: found.notes })
}

/// One over the mean squared distance of the farthest neighbors.
fn typical_gamma(near: &Near) -> f64 {
    let farthest = near.distances.chunks_exact(near.k).map(|of_row| of_row[near.k - 1]);
    let squares: f64 = farthest.map(|distance| distance * distance).sum();
    match squares {
        0.0 => 1.0,
        squares => (near.items.len() / near.k) as f64 / squares,
    }
}

/// A random walk along the neighbor graph.
struct Walk {
    /// `D^{−1/2} W D^{−1/2}`, which has the walk's eigenvalues.
    matrix: SparseRows,
    degrees: Vec<f64>,
    /// What the similarity to each row is multiplied by for its density.
    density: Vec<f64>,
}

impl Walk {
    fn new(graph: &NeighborGraph, gamma: f64, alpha: f64) -> Result<Self> {
        let n = graph.len();
        let similar = |(length, mutual): (&f64, &bool)| {
            (if *mutual { 1.0 } else { 0.5 }) * (-gamma * length * length).exp()
        };
        let mut values: Vec<f64> = graph.lengths.iter().zip(&graph.mutual).map(similar).collect();
        let sums = |values: &[f64]| -> Vec<f64> {
            graph.starts.windows(2).map(|ends| values[ends[0]..ends[1]].iter().sum()).collect()
        };
        let near = sums(&values);
        if let Some(row) = near.iter().position(|sum| *sum < f64::MIN_POSITIVE) {
            let reason = format!("too large: point {row} is not similar to any neighbor");
            return Err(Error::setting("gamma", gamma, reason));
        }
        let density: Vec<f64> = near.iter().map(|sum| sum.powf(-alpha)).collect();
        let scale = |values: &mut [f64], by: &[f64]| {
            for (i, ends) in graph.starts.windows(2).enumerate() {
                for at in ends[0]..ends[1] {
                    values[at] *= by[i] * by[graph.others[at] as usize];
                }
            }
        };
        scale(&mut values, &density);
        let degrees = sums(&values);
        let roots: Vec<f64> = degrees.iter().map(|degree| 1.0 / degree.sqrt()).collect();
        scale(&mut values, &roots);
        let matrix = SparseRows::new(graph.starts.clone(), graph.others.clone(), values, n);
        Ok(Self { matrix, degrees, density })
    }

    /// The slowest modes beside the constant one, one a column.
    fn modes(&self, count: usize) -> Result<Matrix> {
        let n = self.matrix.len();
        let total: f64 = self.degrees.iter().sum();
        let null: Vec<f64> = self.degrees.iter().map(|degree| (degree / total).sqrt()).collect();
        let mut entries: Vec<(u32, u32, f64)> = (0..n as u32).map(|i| (i, i, 1.0)).collect();
        for i in 0..n {
            let above = self.matrix.row(i).filter(|(j, _)| *j > i);
            entries.extend(above.map(|(j, value)| (i as u32, j as u32, -value)));
        }
        let laplacian = SparseSymmetric::new(n, entries);
        let mut modes = Matrix::zeros(n, count);
        if let Some(vectors) = smallest_eigen(&laplacian, &null, count, FACTOR)? {
            for (j, vector) in vectors.rows().enumerate() {
                vector.iter().enumerate().for_each(|(i, x)| modes.row_mut(i)[j] = *x);
            }
        } else {
            let vectors = leading_eigen(&self.matrix, count + 1)?.vectors;
            (0..n).for_each(|i| modes.row_mut(i).copy_from_slice(&vectors.row(i)[1..]));
        }
        Ok(modes)
    }

    /// The eigenvalues of modes.
    fn eigenvalues(&self, modes: &Matrix) -> Vec<f64> {
        let mut values = vec![0.0; modes.n_cols()];
        for (image, mode) in self.matrix.multiply(modes).rows().zip(modes.rows()) {
            values.iter_mut().zip(image).zip(mode).for_each(|((value, a), x)| *value += a * x);
        }
        values
    }
}
