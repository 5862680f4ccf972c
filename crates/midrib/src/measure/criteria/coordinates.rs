//! Where points are once they are projected onto an object.

use super::record::Coordinates;
use crate::error::Result;
use crate::math::Matrix;
use crate::object::{EmbeddingRule, Object};
use crate::points::Points;

/// The coordinates of `points` after projection: the rows `rows` of `n` points.
pub(super) fn coordinates(
    object: &Object,
    points: &Points<'_>,
    rows: &[usize],
    n: usize,
) -> Result<(Matrix, Coordinates)> {
    if let Some(embedding) = object.embedding()
        && embedding.rule == EmbeddingRule::TrainingOnly
        && embedding.coordinates.n_rows() == n
    {
        let trained = embedding.coordinates.select_rows(rows.iter().copied());
        return Ok((trained, Coordinates::Inner));
    }
    if has_coordinates(object)
        && let Some(inner) = object.embed(points)?
    {
        return Ok((inner, Coordinates::Inner));
    }
    Ok((positions(object, points)?, Coordinates::Projection))
}

/// Whether distances between its inner coordinates mean something: they start again on each of
/// several flats, and on closed nets they jump.
fn has_coordinates(object: &Object) -> bool {
    let is_closed = |axes: &[bool]| axes.iter().any(|closed| *closed);
    match object {
        Object::Flats(flats) => flats.flats().len() == 1,
        _ => !object.surface().is_some_and(|surface| is_closed(surface.net().shape.closed())),
    }
}

/// The positions of the projections in the data space.
fn positions(object: &Object, points: &Points<'_>) -> Result<Matrix> {
    let projection = object.project(points)?;
    let mut positions = Matrix::zeros(points.len(), points.dims());
    if let Object::Flats(flats) = object {
        let scores = flats.project(points)?.coordinates;
        for (i, &flat) in projection.node.iter().enumerate() {
            positions.row_mut(i).copy_from_slice(&flats.restore(flat, scores.row(i)));
        }
        return Ok(positions);
    }
    let graph = object.require_graph("a projection")?;
    for i in 0..points.len() {
        positions.row_mut(i).copy_from_slice(&projection.coordinates(graph, i));
    }
    Ok(positions)
}
