//! A learnt graph ready for questions: the model, and all that its numbers stand for.

use std::path::Path;

use midrib::Points;
use midrib::assign::{Responsibilities, responsibilities};
use midrib::graph::PrincipalGraph;
use midrib::learn::{Latent, Surface, SurfacePlaces, method};
use midrib::math::Matrix;
use midrib::prepare::Transform;
use serde_json::Value;

use crate::error::Result;
use crate::write::{Model, NodeColumns};

/// A model with its graph, and what else it tells of.
///
/// ```
/// use midrib::{Points, Silent, learn};
/// use midrib_io::LearntGraph;
/// let points = Points::from_f64(vec![0.0, 0.1, 0.9, 1.0], 1)?;
/// let settings = serde_json::json!({"n_nodes": 3, "bandwidth": 0.01});
/// let (entry, names, given) = (learn::method("ppt")?, vec!["depth".into()], Default::default());
/// let fit = LearntGraph::learn(entry, &settings, &points, names, given, &mut Silent)?;
/// let learnt = fit.graph;
/// assert_eq!(learnt.feature_names(), ["depth"]);
/// assert_eq!(learnt.responsibilities(&points)?.starts.len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LearntGraph {
    /// The model.
    pub model: Model,
    /// Its graph.
    pub graph: PrincipalGraph,
    /// Points and nodes in fewer dimensions, where the method learns that.
    pub latent: Option<Latent>,
    /// How points are prepared, where something is done to them.
    pub transform: Option<Transform>,
    /// What the graph is the net of, where it is one.
    pub surface: Option<Surface>,
}

impl LearntGraph {
    /// What a model tells of. `path` is where it was read from, for errors.
    pub fn of(model: Model, path: &Path) -> Result<Self> {
        let graph = model.graph()?;
        Ok(Self {
            surface: model.surface(&graph)?,
            latent: model.latent()?,
            transform: model.transform(path)?,
            graph,
            model,
        })
    }

    /// The same model with another graph in place of its own; see [`Model::edited`].
    pub fn edited(
        &self,
        graph: &PrincipalGraph,
        kept: &[usize],
        edit: &str,
        how: Value,
    ) -> Result<Self> {
        Self::of(self.model.clone().edited(graph, kept, edit, how)?, "the model".as_ref())
    }

    /// Points as the graph knows them: prepared as those that it was learnt from.
    pub fn prepared<'a>(&self, points: Points<'a>) -> Result<Points<'a>> {
        Ok(match &self.transform {
            Some(transform) => transform.apply(&points)?,
            None => points,
        })
    }

    /// The names of the columns of prepared points.
    pub fn feature_names(&self) -> Vec<String> {
        prepared_names(self.transform.as_ref(), &self.model.input.features)
    }

    /// The places of the nodes as tables tell them; see [`NodeColumns::of_table`].
    pub fn node_columns(&self) -> Result<NodeColumns> {
        NodeColumns::of_table(&self.graph, self.transform.as_ref(), &self.model.input.features)
    }

    /// The places of prepared points on the map that the graph is the net of, where it is one.
    pub fn on_map(&self, points: &Points<'_>) -> Result<Option<SurfacePlaces>> {
        Ok(self.surface.as_ref().map(|surface| surface.project(points)).transpose()?)
    }

    /// The places of prepared points in the embedding or on the map; none where there is neither.
    pub fn embed(&self, points: &Points<'_>) -> Result<Option<Matrix>> {
        let Some(latent) = &self.latent else {
            return Ok(self.on_map(points)?.map(|places| places.inner));
        };
        let entry = method(&self.model.method)?;
        Ok(Some(entry.transform(&self.model.fit_settings(), &self.graph, latent, points)?))
    }

    /// The mean squared distance of prepared points from the graph, or from the map that it is
    /// the net of.
    pub fn mean_squared_distance(&self, points: &Points<'_>) -> Result<f64> {
        Ok(match self.on_map(points)? {
            Some(places) => places.mean_squared_distance(points)?,
            None => self.graph.project(points)?.mean_squared_distance(points)?,
        })
    }

    /// The shares of prepared points in the nodes, soft where the method has a bandwidth; in the
    /// embedding, where the nodes were learnt in one.
    pub fn responsibilities(&self, points: &Points<'_>) -> Result<Responsibilities> {
        let Model { settings, chosen, .. } = &self.model;
        let set = settings["bandwidth"].as_f64();
        let bandwidth = set.or_else(|| chosen.get("bandwidth")?.as_f64());
        if let (Some(latent), Some(_), Some(z)) = (&self.latent, bandwidth, self.embed(points)?) {
            let z = Points::from_f64(z.as_slice(), z.n_cols())?;
            return Ok(responsibilities(&z, &latent.nodes, bandwidth)?);
        }
        Ok(responsibilities(points, self.graph.nodes(), bandwidth)?)
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
