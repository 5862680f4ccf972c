//! Coordinates in few dimensions, and the rule for new rows.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::embed::Rule;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::{Matrix, Nearest, squared_distance};
use crate::points::Points;

/// Points in few dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// Latent coordinates of the training points, one per row (N×d).
    pub coordinates: Matrix,
    /// Latent coordinates of the graph's nodes (K×d), where there are nodes.
    pub nodes: Option<Matrix>,
    /// How new rows get their coordinates.
    pub rule: EmbeddingRule,
}

/// How new rows get their coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
pub enum EmbeddingRule {
    /// `(x − center) · basis`.
    Linear {
        /// The mean that is subtracted (D).
        center: Vec<f64>,
        /// Orthonormal columns (D×d).
        basis: Matrix,
    },
    /// A mean of the nearest nodes' coordinates, weighted by similarity, and of the linear
    /// projection: the condition that structured projection learning sets for a new row.
    Similarity {
        /// The mean that is subtracted (D).
        center: Vec<f64>,
        /// Orthonormal columns (D×d).
        basis: Matrix,
        /// How many of the nearest nodes count.
        n_neighbors: usize,
        /// The weight of the linear projection, γ of Wang2016.
        noise_weight: f64,
    },
    /// From the rows that were embedded, as the method of the embedding sets it.
    Reference(Box<Rule>),
    /// None: only the training points have coordinates, as in an embedding of distances.
    TrainingOnly,
}

impl Embedding {
    /// The number of latent dimensions.
    pub fn dims(&self) -> usize {
        self.coordinates.n_cols()
    }

    /// Latent coordinates of new rows. Training points have coordinates of their own, which the
    /// graph has pulled toward itself.
    pub fn transform(&self, graph: Option<&PrincipalGraph>, points: &Points<'_>) -> Result<Matrix> {
        match &self.rule {
            EmbeddingRule::Linear { center, basis } => linear(center, basis, points),
            EmbeddingRule::Reference(rule) => rule.transform(points),
            EmbeddingRule::TrainingOnly => Err(Error::data(
                "this embedding has coordinates for its training points only: fit all points \
                 together, or use a method that embeds new rows, such as pca or spl",
            )),
            EmbeddingRule::Similarity { center, basis, n_neighbors, noise_weight } => {
                let (Some(graph), Some(latent)) = (graph, &self.nodes) else {
                    let reason = "the similarity rule needs the nodes that it was learned from";
                    return Err(Error::data(reason));
                };
                let linear = Linear { center, basis };
                by_similarity(graph, latent, points, &linear, (*n_neighbors, *noise_weight))
            }
        }
    }

    /// Whether new rows get coordinates.
    pub fn embeds_new_rows(&self) -> bool {
        !matches!(self.rule, EmbeddingRule::TrainingOnly)
    }

    /// The plain projection `(x − center) · basis`; refused for embeddings without a rule.
    pub fn project(&self, points: &Points<'_>) -> Result<Matrix> {
        match (self.center(), self.basis()) {
            (Some(center), Some(basis)) => linear(center, basis, points),
            _ => self.transform(None, points),
        }
    }

    /// The mean that is subtracted from a row (D), if new rows are embedded.
    pub fn center(&self) -> Option<&[f64]> {
        match &self.rule {
            EmbeddingRule::Linear { center, .. } | EmbeddingRule::Similarity { center, .. } => {
                Some(center)
            }
            EmbeddingRule::Reference(_) | EmbeddingRule::TrainingOnly => None,
        }
    }

    /// Orthonormal columns (D×d), if new rows are embedded.
    pub fn basis(&self) -> Option<&Matrix> {
        match &self.rule {
            EmbeddingRule::Linear { basis, .. } | EmbeddingRule::Similarity { basis, .. } => {
                Some(basis)
            }
            EmbeddingRule::Reference(_) | EmbeddingRule::TrainingOnly => None,
        }
    }
}

/// The affine part of a rule.
struct Linear<'r> {
    center: &'r [f64],
    basis: &'r Matrix,
}

/// The coordinates of new rows from the `k` nearest nodes and the linear projection, whose weight is
/// `noise`.
fn by_similarity(
    graph: &PrincipalGraph,
    latent: &Matrix,
    points: &Points<'_>,
    linear: &Linear<'_>,
    (k, noise): (usize, f64),
) -> Result<Matrix> {
    points.require_complete("an embedding")?;
    let nodes = graph.nodes();
    if points.dims() != nodes.n_cols() {
        return Err(Error::shape("columns of the points", nodes.n_cols(), points.dims()));
    }
    let held = graph.edges().iter().map(|edge| edge.weight * edge.length * edge.length);
    let similarity = 2.0 * held.sum::<f64>() / nodes.n_rows() as f64 / k as f64;
    let (pull, prior) = match noise {
        0.0 => (0.0, 0.0),
        noise => (noise / 4.0, (noise + 1.0) / 4.0),
    };
    let d = latent.n_cols();
    let embed = |i: usize| {
        let mut x = vec![0.0; points.dims()];
        points.copy_row(i, &mut x);
        let mut nearest = Nearest::new(k);
        for (node, y) in nodes.rows().enumerate() {
            nearest.offer(squared_distance(&x, y), node as u32);
        }
        let first = nearest.kept[0];
        if first.squared == 0.0 {
            return latent.row(first.item as usize).to_vec();
        }
        let mut z = vec![0.0; d];
        for ((x, center), axes) in x.iter().zip(linear.center).zip(linear.basis.rows()) {
            z.iter_mut().zip(axes).for_each(|(z, b)| *z += pull * b * (x - center));
        }
        let mut total = prior;
        for near in &nearest.kept {
            let s = similarity / near.squared;
            total += s;
            let at = latent.row(near.item as usize);
            z.iter_mut().zip(at).for_each(|(z, at)| *z += s * at);
        }
        z.iter_mut().for_each(|z| *z /= total);
        z
    };
    let coordinates: Vec<f64> = (0..points.len()).into_par_iter().flat_map_iter(embed).collect();
    Matrix::new(points.len(), d, coordinates)
}

fn linear(center: &[f64], basis: &Matrix, points: &Points<'_>) -> Result<Matrix> {
    points.require_complete("a projection")?;
    let dims = center.len();
    if points.dims() != dims {
        return Err(Error::shape("points", format!("{dims} columns"), points.dims()));
    }
    let mut projected = Matrix::zeros(points.len(), basis.n_cols());
    let mut x = vec![0.0; dims];
    for i in 0..points.len() {
        points.copy_row(i, &mut x);
        let z = projected.row_mut(i);
        for ((x, center), axes) in x.iter().zip(center).zip(basis.rows()) {
            for (z, axis) in z.iter_mut().zip(axes) {
                *z += (x - center) * axis;
            }
        }
    }
    Ok(projected)
}
