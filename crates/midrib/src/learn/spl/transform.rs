//! Where new points belong in a learnt embedding: the rule in the module's documentation.

use rayon::prelude::*;

use super::Spl;
use super::fit::n_neighbors;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::fitted::Latent;
use crate::math::{Matrix, Nearest, squared_distance};
use crate::points::Points;

/// The places of new points in an embedding that was learnt with these settings.
pub(super) fn transform(
    settings: &Spl,
    graph: &PrincipalGraph,
    latent: &Latent,
    points: &Points<'_>,
) -> Result<Matrix> {
    points.require_complete("an embedding")?;
    let nodes = graph.nodes();
    if points.dims() != nodes.n_cols() {
        return Err(Error::shape("columns of the points", nodes.n_cols(), points.dims()));
    }
    let k = n_neighbors(settings.n_neighbors, nodes.n_rows());
    let held = graph.edges().iter().map(|edge| edge.weight * edge.length * edge.length);
    let similarity = 2.0 * held.sum::<f64>() / nodes.n_rows() as f64 / k as f64;
    let (pull, prior) = match settings.noise_weight {
        0.0 => (0.0, 0.0),
        noise => (noise / 4.0, (noise + 1.0) / 4.0),
    };
    let d = latent.nodes.n_cols();
    let place = |i: usize| {
        let mut x = vec![0.0; points.dims()];
        points.copy_row(i, &mut x);
        let mut nearest = Nearest::new(k);
        for (node, y) in nodes.rows().enumerate() {
            nearest.offer(squared_distance(&x, y), node as u32);
        }
        let first = nearest.kept[0];
        if first.squared == 0.0 {
            return latent.nodes.row(first.item as usize).to_vec();
        }
        let mut place = vec![0.0; d];
        for ((x, center), axes) in x.iter().zip(&latent.center).zip(latent.basis.rows()) {
            place.iter_mut().zip(axes).for_each(|(e, b)| *e += pull * b * (x - center));
        }
        let mut total = prior;
        for near in &nearest.kept {
            let s = similarity / near.squared;
            total += s;
            let at = latent.nodes.row(near.item as usize);
            place.iter_mut().zip(at).for_each(|(e, at)| *e += s * at);
        }
        place.iter_mut().for_each(|e| *e /= total);
        place
    };
    let places: Vec<f64> = (0..points.len()).into_par_iter().flat_map_iter(place).collect();
    Matrix::new(points.len(), d, places)
}
