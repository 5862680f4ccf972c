//! New points on a learned object.

use std::path::Path;

use midrib::Points;
use midrib::assign;
use midrib::assign::Responsibilities;
use midrib::graph::Projection;
use midrib::math::Matrix;
use midrib::object::{Located, Mixture, Object};
use midrib_io::{
    Labels, Model, PointRows, ReadOptions, match_columns, read, write_file, write_points,
    write_values,
};

use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::prepare::{prepare_like, refuse_large_transform};

/// A table of new points, and what to project them onto.
#[derive(Clone, Debug)]
pub struct ProjectRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// The table.
    pub table: &'a Path,
    /// How it is read.
    pub options: ReadOptions,
    /// The most memory that a kernel matrix may take.
    pub max_memory: Memory,
}

/// Points with their projections onto an object.
#[derive(Clone, Debug)]
pub struct Projected {
    /// The prepared points.
    pub points: Points<'static>,
    /// Their labels.
    pub labels: Vec<Labels>,
    /// What was learned.
    pub model: Model,
    /// Their projections onto it; none where there is nothing to project onto.
    pub projection: Option<Projection>,
    /// Their coordinates in the embedding or on the map, where there is one.
    pub latent: Option<Matrix>,
    /// Their pseudotime, where the model has roots.
    pub pseudotime: Option<Vec<f64>>,
}

/// Projects a table of new points onto a learned object.
pub fn project(request: &ProjectRequest<'_>) -> Result<Projected> {
    let model = Model::read(request.results)?;
    let default_rep = model.reading.use_rep.clone();
    let options = ReadOptions { default_rep, ..request.options.clone() };
    let table = request.table;
    let read = match_columns(table, read(table, &options)?, &model.input.features)?;
    if let Some(transform) = &model.input.prepare {
        refuse_large_transform(transform, read.points.len(), request.max_memory)?;
    }
    let of_table = |error: Error| error.of_table(table);
    let of_engine = |error: midrib::Error| of_table(error.into());
    let points = prepare_like(&model, read.points).map_err(of_table)?;
    let Located { projection, inner, .. } = model.object.locate(&points).map_err(of_engine)?;
    let latent = match inner {
        Some(inner) => Some(inner),
        None => model.object.embed(&points).map_err(of_engine)?,
    };
    let pseudotime = match (&model.root[..], &projection) {
        ([], _) | (_, None) => None,
        (root, Some(projection)) => Some(model.graph()?.root(root)?.pseudotime(projection)?),
    };
    let labels = read.labels;
    Ok(Projected { points, labels, model, projection, latent, pseudotime })
}

/// Writes projected points like `points.csv`; `-` is stdout.
pub fn write_projected(projected: &Projected, output: &Path, force: bool) -> Result<()> {
    let Projected { points, labels, model, projection, latent, pseudotime } = projected;
    let rows = PointRows {
        latent: latent.as_ref(),
        pseudotime: pseudotime.as_deref(),
        ..PointRows::of(model.object.graph(), projection.as_ref())
    };
    Ok(write_file(output, force, |path| {
        write_points(path, points.ids(), points.len(), &rows, labels)
    })?)
}

/// Writes the points, in the columns of their table, with the values that they miss taken from their
/// projections; `-` is stdout. Refused unless affine pieces were learned.
pub fn write_imputed(projected: &Projected, output: &Path, force: bool) -> Result<()> {
    let Projected { points, model, .. } = projected;
    let Object::Flats(flats) = &model.object else {
        let what = model.object.kind().description();
        return Err(Error::data(format!(
            "missing values are filled in from principal axes; this is {what}: use pca or local-pca"
        )));
    };
    let mut filled = flats.impute(points)?;
    if let Some(transform) = &model.input.prepare {
        filled = transform.invert(&filled)?;
    }
    let columns = filled.n_cols();
    let filled = Points::from_f64(filled.into_vec(), columns)?;
    Ok(write_file(output, force, |path| write_values(path, &filled, &model.input.features))?)
}

/// The shares of prepared points in the nodes, soft where the method has a bandwidth; in the
/// embedding, where the nodes were learned in one.
pub fn responsibilities(model: &Model, points: &Points<'_>) -> Result<Responsibilities> {
    let of_mixture = model.object.mixture().map(Mixture::bandwidth);
    let bandwidth = model.bandwidth().or(of_mixture);
    let latent = model.object.embedding().and_then(|embedding| embedding.nodes.as_ref());
    if let (Some(nodes), Some(_), Some(z)) = (latent, bandwidth, model.object.embed(points)?) {
        let z = Points::from_f64(z.as_slice(), z.n_cols())?;
        return Ok(assign::responsibilities(&z, nodes, bandwidth)?);
    }
    Ok(assign::responsibilities(points, model.graph()?.nodes(), bandwidth)?)
}
