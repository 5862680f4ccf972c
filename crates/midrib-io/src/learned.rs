//! A model ready for questions: its points, its names, and where points are on its object.

use midrib::Points;
use midrib::assign::{Responsibilities, responsibilities};
use midrib::graph::Rooted;
use midrib::prepare::Transform;

use crate::error::Result;
use crate::model::Model;
use crate::write::NodeColumns;

impl Model {
    /// Points as the object knows them: prepared like those that it was learned from.
    pub fn prepared<'a>(&self, points: Points<'a>) -> Result<Points<'a>> {
        Ok(match &self.input.prepare {
            Some(transform) => transform.apply(&points)?,
            None => points,
        })
    }

    /// The names of the columns of prepared points.
    pub fn feature_names(&self) -> Vec<String> {
        prepared_names(self.input.prepare.as_ref(), &self.input.features)
    }

    /// The coordinates of the nodes as tables have them; see [`NodeColumns::of_table`].
    pub fn node_columns(&self) -> Result<NodeColumns> {
        NodeColumns::of_table(self.graph()?, self.input.prepare.as_ref(), &self.input.features)
    }

    /// The graph with the roots of the model; refused where it has none.
    pub fn rooted_graph(&self) -> Result<Rooted<'_>> {
        Ok(self.graph()?.root(&self.root)?)
    }

    /// The shares of prepared points in the nodes, soft where the method has a bandwidth; in the
    /// embedding, where the nodes were learned in one.
    pub fn responsibilities(&self, points: &Points<'_>) -> Result<Responsibilities> {
        let set = self.settings["bandwidth"].as_f64();
        let bandwidth = set.or_else(|| self.chosen.get("bandwidth")?.as_f64());
        let latent = self.object.embedding().and_then(|embedding| embedding.nodes.as_ref());
        if let (Some(nodes), Some(_), Some(z)) = (latent, bandwidth, self.object.embed(points)?) {
            let z = Points::from_f64(z.as_slice(), z.n_cols())?;
            return Ok(responsibilities(&z, nodes, bandwidth)?);
        }
        Ok(responsibilities(points, self.graph()?.nodes(), bandwidth)?)
    }
}

/// The names of the columns of prepared points.
pub fn prepared_names(transform: Option<&Transform>, features: &[String]) -> Vec<String> {
    let Some(transform) = transform else { return features.to_vec() };
    let numbered = |name: &str| (1..=transform.dims_out()).map(|i| format!("{name}{i}")).collect();
    match (&transform.pca, &transform.kernel) {
        (Some(_), _) => numbered("pc"),
        (None, Some(_)) => numbered("k"),
        (None, None) => features.to_vec(),
    }
}
