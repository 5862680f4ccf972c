//! The k-nearest-neighbor graph of points.

use rayon::prelude::*;

use super::point_graph::PointGraph;
use super::similarities::Similarities;
use crate::error::Result;

/// Connects each point to its `k` most similar other points, with the similarity as the weight (half
/// of it if only one of the two has the other among its neighbors). Similarities that are not
/// positive, which a linear kernel may have, give no edge.
///
/// ```
/// use midrib::connect::{Similarities, knn};
/// use midrib::Points;
/// let points = Points::from_f64(vec![0.0, 1.0, 3.0], 1)?;
/// let graph = knn(&Similarities::new(&points, "gaussian:1".parse()?)?, 1)?;
/// let e = std::f64::consts::E;
/// assert!((graph.edges[0].2 - 1.0 / e).abs() < 1e-12);
/// assert!((graph.edges[1].2 - e.powi(-4) / 2.0).abs() < 1e-12);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn knn(similarities: &Similarities, k: usize) -> Result<PointGraph> {
    let given: Vec<Vec<(usize, f64)>> = similarities
        .neighbors(k)?
        .par_iter()
        .enumerate()
        .map(|(i, near)| {
            near.iter().map(|&j| (j as usize, similarities.entry(i, j as usize))).collect()
        })
        .collect();
    Ok(PointGraph::symmetrized(&given, None))
}
