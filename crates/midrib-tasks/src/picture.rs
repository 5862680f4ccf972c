//! What stands for an object in drawings: nodes and edges, and coordinates in few dimensions.

use std::borrow::Cow;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use midrib::object::{Embedding, EmbeddingRule, Flats, Object};

use crate::columns::rows_of;
use crate::error::Result;

/// The nodes and edges that stand for an object in drawings: the centers of flats, and nothing for
/// an embedding without a graph.
pub fn drawn_graph(object: &Object) -> Result<Cow<'_, PrincipalGraph>> {
    match (object, object.graph()) {
        (_, Some(graph)) => Ok(Cow::Borrowed(graph)),
        (Object::Flats(flats), None) => Ok(Cow::Owned(centers(flats)?)),
        (_, None) => Ok(Cow::Owned(PrincipalGraph::new(Matrix::zeros(0, 0), &[], Vec::new())?)),
    }
}

fn centers(flats: &Flats) -> Result<PrincipalGraph> {
    let centers: Vec<&[f64]> = flats.flats().iter().map(|flat| &flat.center[..]).collect();
    let mass = flats.flats().iter().map(|flat| flat.mass).collect();
    Ok(PrincipalGraph::new(Matrix::from_rows(&centers)?, &[], mass)?)
}

/// The coordinates that an object has for its points in few dimensions: those that were learned,
/// those of other points by its rule, or scores on axes.
pub fn drawn_embedding<'o>(
    object: &'o Object,
    points: Option<&Points<'_>>,
) -> Result<Option<Cow<'o, Embedding>>> {
    if let (Object::Flats(flats), Some(points)) = (object, points) {
        return Ok(Some(Cow::Owned(scores(flats, points)?)));
    }
    let Some(embedding) = object.embedding() else { return Ok(None) };
    let others = points.filter(|points| points.len() != embedding.coordinates.n_rows());
    Ok(Some(match others {
        None => Cow::Borrowed(embedding),
        Some(points) => {
            let coordinates = embedding.transform(object.graph(), points)?;
            Cow::Owned(Embedding { coordinates, ..embedding.clone() })
        }
    }))
}

/// The scores on the axes of the first piece, as an embedding.
fn scores(flats: &Flats, points: &Points<'_>) -> Result<Embedding> {
    let flat = &flats.flats()[0];
    let n_axes = flats.inner_dims();
    let columns = (0..flats.dims()).flat_map(|d| flat.axes.rows().map(move |axis| axis[d]));
    let basis = Matrix::new(flats.dims(), n_axes, columns.collect())?;
    Ok(Embedding {
        coordinates: flats.project(points)?.coordinates,
        nodes: Some(Matrix::zeros(flats.flats().len(), n_axes)),
        rule: EmbeddingRule::Linear { center: flat.center.clone(), basis },
    })
}

/// What a report draws of an object. Its viewer needs a node for each point, so an embedding
/// without a graph has one node, at its center.
pub struct ReportScene<'o> {
    /// Nodes and edges.
    pub graph: Cow<'o, PrincipalGraph>,
    /// Coordinates in few dimensions.
    pub embedding: Option<Cow<'o, Embedding>>,
    /// The center as the node of all points, without distances, where there is no graph.
    pub projection: Option<Projection>,
}

impl<'o> ReportScene<'o> {
    /// What is drawn of an object with its `n` points, whose values may be known.
    pub fn of(object: &'o Object, n: usize, points: Option<&Points<'_>>) -> Result<Self> {
        let embedding = drawn_embedding(object, points)?;
        match (object, embedding) {
            (Object::Embedding(object), Some(embedding)) if object.graph.is_none() => {
                Self::of_embedding(embedding.into_owned(), n, points)
            }
            (_, embedding) => Ok(Self { graph: drawn_graph(object)?, embedding, projection: None }),
        }
    }

    fn of_embedding(embedding: Embedding, n: usize, points: Option<&Points<'_>>) -> Result<Self> {
        let center = match (embedding.center(), points) {
            (Some(center), _) => Matrix::from_rows(&[center])?,
            (None, Some(points)) => mean(&rows_of(points)),
            (None, None) => mean(&embedding.coordinates),
        };
        let graph = Cow::Owned(PrincipalGraph::new(center, &[], vec![n as f64])?);
        let nodes = Some(mean(&embedding.coordinates));
        let embedding = Some(Cow::Owned(Embedding { nodes, ..embedding }));
        let (node, edge, edge_pos) = (vec![0; n], vec![None; n], vec![0.0; n]);
        let projection = Some(Projection { node, edge, edge_pos, distance: Vec::new() });
        Ok(Self { graph, embedding, projection })
    }
}

/// The mean of some rows, as one row.
fn mean(rows: &Matrix) -> Matrix {
    let share = 1.0 / rows.n_rows().max(1) as f64;
    let mut mean = Matrix::zeros(1, rows.n_cols());
    for row in rows.rows() {
        mean.row_mut(0).iter_mut().zip(row).for_each(|(mean, x)| *mean += share * x);
    }
    mean
}
