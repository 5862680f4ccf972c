//! What stands for an object in drawings: nodes and edges, and coordinates in few dimensions.

use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib::object::{Embedding, EmbeddingRule, Object};

use crate::error::Result;

/// The nodes and edges that stand for an object in drawings: the centers of flats.
pub fn drawn_graph(object: &Object) -> Result<PrincipalGraph> {
    let Object::Flats(flats) = object else {
        return Ok(object.require_graph("a drawing")?.clone());
    };
    let centers: Vec<&[f64]> = flats.flats().iter().map(|flat| &flat.center[..]).collect();
    let mass = flats.flats().iter().map(|flat| flat.mass).collect();
    Ok(PrincipalGraph::new(Matrix::from_rows(&centers)?, &[], mass)?)
}

/// The coordinates that an object has for its points in few dimensions: those that were learned,
/// or scores on axes.
pub fn drawn_embedding(object: &Object, points: Option<&Points<'_>>) -> Result<Option<Embedding>> {
    let (Object::Flats(flats), Some(points)) = (object, points) else {
        return Ok(object.embedding().cloned());
    };
    let flat = &flats.flats()[0];
    let n_axes = flats.inner_dims();
    let columns = (0..flats.dims()).flat_map(|d| flat.axes.rows().map(move |axis| axis[d]));
    let basis = Matrix::new(flats.dims(), n_axes, columns.collect())?;
    Ok(Some(Embedding {
        coordinates: flats.project(points)?.coordinates,
        nodes: Some(Matrix::zeros(flats.flats().len(), n_axes)),
        rule: EmbeddingRule::Linear { center: flat.center.clone(), basis },
    }))
}
