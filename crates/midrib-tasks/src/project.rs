//! Points on a learned object.

use midrib::Points;
use midrib::assign;
use midrib::assign::Responsibilities;
use midrib_io::Model;

use crate::error::Result;

/// The shares of prepared points in the nodes, soft where the method has a bandwidth; in the
/// embedding, where the nodes were learned in one.
pub fn responsibilities(model: &Model, points: &Points<'_>) -> Result<Responsibilities> {
    let set = model.settings["bandwidth"].as_f64();
    let bandwidth = set.or_else(|| model.chosen.get("bandwidth")?.as_f64());
    let latent = model.object.embedding().and_then(|embedding| embedding.nodes.as_ref());
    if let (Some(nodes), Some(_), Some(z)) = (latent, bandwidth, model.object.embed(points)?) {
        let z = Points::from_f64(z.as_slice(), z.n_cols())?;
        return Ok(assign::responsibilities(&z, nodes, bandwidth)?);
    }
    Ok(assign::responsibilities(points, model.graph()?.nodes(), bandwidth)?)
}
