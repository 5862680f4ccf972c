//! Isomap: classical scaling of distances along the neighbor graph (Tenenbaum2000), beyond 5,000 rows
//! of the distances from landmarks (deSilva2003).

use rayon::prelude::*;

use super::Embedded;
use super::centered::Axes;
use super::geodesic::{Geodesic, similarity};
use super::neighbor_graph::{NeighborGraph, Pieces, connected};
use super::rule::{By, Rule};
use super::source::Source;
use crate::error::Result;
use crate::math::Matrix;

/// Embeds rows or distances.
pub(crate) fn isomap(
    source: &Source<'_>,
    n_components: usize,
    n_neighbors: usize,
    pieces: Pieces,
) -> Result<Embedded> {
    let found = connected(source, n_neighbors, pieces)?;
    let source = &*found.source;
    source.check_components(n_components)?;
    let graph = NeighborGraph::new(&found.near);
    let (n, landmarks) = (source.len(), source.landmarks());
    let m = landmarks.len();
    let mut similar = Matrix::zeros(m, n);
    let rows = similar.as_mut_slice().par_chunks_exact_mut(n);
    rows.zip(&landmarks).for_each_init(Geodesic::default, |search, (out, &from)| {
        search.search(&graph, std::iter::once((from, 0.0)));
        out.iter_mut().zip(&search.lengths).for_each(|(s, length)| *s = similarity(*length));
    });
    let weights = vec![1.0; m];
    let (mut axes, coordinates) = if m == n {
        let axes = Axes::of_similarities(similar.clone(), &weights, n_components)?;
        let coordinates = axes.place(similar);
        (axes, coordinates)
    } else {
        let mut own = Matrix::zeros(m, m);
        let mut all = Matrix::zeros(n, m);
        for (j, row) in similar.rows().enumerate() {
            row.iter().enumerate().for_each(|(i, s)| all.row_mut(i)[j] = *s);
            let out = own.row_mut(j);
            out.iter_mut().zip(&landmarks).for_each(|(s, &i)| *s = row[i]);
        }
        let axes = Axes::of_similarities(own, &weights, n_components)?;
        let coordinates = axes.place(all);
        (axes, coordinates)
    };
    let coordinates = axes.oriented(coordinates, source.unit());
    let rule = source.rows().map(|(rows, frame)| Rule {
        frame: frame.clone(),
        reference: rows.clone(),
        by: By::Geodesic {
            n_neighbors,
            coordinates: coordinates.clone(),
            graph: NeighborGraph { mutual: Vec::new(), ..graph },
            landmarks,
            mean: axes.mean,
            projection: axes.projection,
        },
    });
    Ok(Embedded { coordinates, kept: found.kept, rule, chosen: None, notes: found.notes })
}
