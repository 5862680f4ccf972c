//! The keys of `model.json` that hold the object.

use midrib::connect::{Net, NetShape};
use midrib::embed::Rule;
use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib::object::{
    Embedding, EmbeddingObject, EmbeddingRule, Flats, GraphObject, Mixture, NetForm, NetObject,
    Object, Surface, TreeProduct,
};
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ObjectName {
    Graph,
    Net,
    Flats,
    Centers,
    Embedding,
}

/// An object as keys of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ObjectKeys {
    pub object: ObjectName,
    pub nodes: Matrix,
    pub edges: Vec<(usize, usize, f64)>,
    pub mass: Vec<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    net: Option<NetKeys>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    flats: Option<Flats>,
    /// Subtracted from a point before it is projected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<Vec<f64>>,
    /// Orthonormal columns to project onto.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    basis: Option<Matrix>,
    /// Latent coordinates of the training points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    embedding: Option<Matrix>,
    /// Latent coordinates of the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    latent_nodes: Option<Matrix>,
    /// How new rows are embedded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<RuleKeys>,
    /// The embedded rows and what new rows need to get coordinates from them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reference: Option<Rule>,
}

/// A net: its shape, or the edges of the two trees whose product it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct NetKeys {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shape: Option<NetShape>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sides: Vec<usize>,
    #[serde(default)]
    margin: usize,
    inner_dims: usize,
    /// The Gaussians around the nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mixture: Option<Mixture>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    product: Option<TreeProduct>,
}

/// How new rows are embedded, beside `center` and `basis`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RuleKeys {
    Linear,
    Similarity { n_neighbors: usize, noise_weight: f64 },
    Reference,
    TrainingOnly,
}

impl From<&Object> for ObjectKeys {
    fn from(object: &Object) -> Self {
        let name = match object {
            Object::Graph(_) => ObjectName::Graph,
            Object::Net(_) => ObjectName::Net,
            Object::Flats(_) => ObjectName::Flats,
            Object::Centers(_) => ObjectName::Centers,
            Object::Embedding(_) => ObjectName::Embedding,
        };
        let graph = object.graph();
        let edges = graph.map_or(&[][..], PrincipalGraph::edges).iter();
        let embedding = object.embedding();
        Self {
            object: name,
            nodes: graph.map_or_else(|| Matrix::zeros(0, 0), |graph| graph.nodes().clone()),
            edges: edges.map(|edge| (edge.a, edge.b, edge.weight)).collect(),
            mass: graph.map_or_else(Vec::new, |graph| graph.mass().to_vec()),
            net: match object {
                Object::Net(net) => Some(NetKeys::from(net)),
                _ => None,
            },
            flats: match object {
                Object::Flats(flats) => Some(flats.clone()),
                _ => None,
            },
            center: embedding.and_then(|embedding| Some(embedding.center()?.to_vec())),
            basis: embedding.and_then(|embedding| embedding.basis().cloned()),
            latent_nodes: embedding.and_then(|embedding| embedding.nodes.clone()),
            rule: embedding.map(|embedding| RuleKeys::from(&embedding.rule)),
            reference: embedding.and_then(|embedding| match &embedding.rule {
                EmbeddingRule::Reference(rule) => Some((**rule).clone()),
                _ => None,
            }),
            embedding: embedding.map(|embedding| embedding.coordinates.clone()),
        }
    }
}

impl From<&NetObject> for NetKeys {
    fn from(object: &NetObject) -> Self {
        let surface = object.surface();
        Self {
            shape: surface.map(|surface| surface.net().shape),
            sides: surface.map_or_else(Vec::new, |surface| surface.net().sides.clone()),
            margin: surface.map_or(0, Surface::margin),
            inner_dims: object.inner_dims(),
            product: match &object.form {
                NetForm::Product(product) => Some(product.clone()),
                NetForm::Surface(_) | NetForm::Edges { .. } => None,
            },
            mixture: object.mixture,
        }
    }
}

impl From<&EmbeddingRule> for RuleKeys {
    fn from(rule: &EmbeddingRule) -> Self {
        match *rule {
            EmbeddingRule::Linear { .. } => Self::Linear,
            EmbeddingRule::Similarity { n_neighbors, noise_weight, .. } => {
                Self::Similarity { n_neighbors, noise_weight }
            }
            EmbeddingRule::Reference(_) => Self::Reference,
            EmbeddingRule::TrainingOnly => Self::TrainingOnly,
        }
    }
}

impl ObjectKeys {
    /// The object that they describe.
    pub fn read(mut self) -> Result<Object> {
        if self.object == ObjectName::Flats {
            let missing =
                || midrib::Error::data("the object is flats, but the key flats is missing");
            let flats = self.flats.take().ok_or_else(missing)?;
            return Ok(Object::Flats(Flats::new(flats.flats().to_vec())?));
        }
        let embedding = self.embedding()?;
        if let (ObjectName::Embedding, Some(embedding), 0) =
            (self.object, &embedding, self.nodes.n_rows())
        {
            let embedding = embedding.clone();
            return Ok(Object::Embedding(EmbeddingObject { embedding, graph: None }));
        }
        if self.nodes.n_rows() == 0 {
            return Err(midrib::Error::data("there are no nodes").into());
        }
        let graph = PrincipalGraph::new(self.nodes, &self.edges, self.mass)?;
        Ok(match (self.object, embedding) {
            (ObjectName::Centers, _) => Object::Centers(graph),
            (ObjectName::Net, _) => Object::Net(net(self.net, graph)?),
            (ObjectName::Embedding, Some(embedding)) => {
                Object::Embedding(EmbeddingObject { embedding, graph: Some(graph) })
            }
            (ObjectName::Embedding, None) => {
                return Err(midrib::Error::data("the embedding is missing").into());
            }
            (_, embedding) => Object::Graph(GraphObject { graph, embedding, springs: None }),
        })
    }

    /// The embedding; its keys are all there or none of them.
    fn embedding(&mut self) -> Result<Option<Embedding>> {
        if let (Some(RuleKeys::TrainingOnly), Some(coordinates)) =
            (self.rule, self.embedding.take_if(|_| self.rule == Some(RuleKeys::TrainingOnly)))
        {
            let (nodes, rule) = (self.latent_nodes.take(), EmbeddingRule::TrainingOnly);
            return Ok(Some(Embedding { coordinates, nodes, rule }));
        }
        if let (Some(RuleKeys::Reference), Some(coordinates)) =
            (self.rule, self.embedding.take_if(|_| self.rule == Some(RuleKeys::Reference)))
        {
            let missing = || midrib::Error::data("the reference of the embedding is missing");
            let rule = self.reference.take().ok_or_else(missing)?;
            rule.check()?;
            if rule.dims_out() != coordinates.n_cols() {
                let (expected, found) = (rule.dims_out(), coordinates.n_cols());
                return Err(midrib::Error::shape("embedding", expected, found).into());
            }
            let (nodes, rule) =
                (self.latent_nodes.take(), EmbeddingRule::Reference(Box::new(rule)));
            return Ok(Some(Embedding { coordinates, nodes, rule }));
        }
        let keys = (self.center.take(), self.basis.take(), self.embedding.take());
        let (center, basis, coordinates) = match keys {
            (Some(center), Some(basis), Some(coordinates)) => (center, basis, coordinates),
            (None, None, None) if self.latent_nodes.is_none() => return Ok(None),
            _ => {
                return Err(midrib::Error::data(
                    "center, basis, embedding and latent_nodes belong together, and one is missing",
                )
                .into());
            }
        };
        let (d, dims) = (basis.n_cols(), basis.n_rows());
        let has_nodes = self.nodes.n_rows() > 0;
        let columns = if has_nodes { self.nodes.n_cols() } else { dims };
        let mut sizes = vec![
            ("center", "", columns, center.len()),
            ("basis", " rows", columns, dims),
            ("embedding", " columns", d, coordinates.n_cols()),
        ];
        let nodes = self.latent_nodes.take();
        if let Some(nodes) = &nodes {
            sizes.push(("latent_nodes", " columns", d, nodes.n_cols()));
            sizes.push(("latent_nodes", " rows", self.nodes.n_rows(), nodes.n_rows()));
        } else if has_nodes {
            return Err(midrib::Error::data("latent_nodes are missing").into());
        }
        for (name, unit, expected, found) in sizes {
            if expected != found {
                return Err(midrib::Error::shape(name, format!("{expected}{unit}"), found).into());
            }
        }
        let rule = match self.rule {
            Some(RuleKeys::Similarity { n_neighbors, noise_weight }) => {
                EmbeddingRule::Similarity { center, basis, n_neighbors, noise_weight }
            }
            Some(RuleKeys::Linear | RuleKeys::Reference | RuleKeys::TrainingOnly) | None => {
                EmbeddingRule::Linear { center, basis }
            }
        };
        Ok(Some(Embedding { coordinates, nodes, rule }))
    }

    /// The key that holds a number that is not finite.
    pub fn not_finite(&self) -> Option<String> {
        let first = |values: &[f64]| values.iter().position(|value| !value.is_finite());
        if let Some(i) = first(self.nodes.as_slice()) {
            return Some(format!("a coordinate of node {}", i / self.nodes.n_cols()));
        }
        if let Some(i) = first(&self.mass) {
            return Some(format!("the mass of node {i}"));
        }
        let weight = self.edges.iter().find(|(_, _, weight)| !weight.is_finite());
        if let Some((a, b, _)) = weight {
            return Some(format!("the weight of edge {a}-{b}"));
        }
        let matrices = [
            ("basis", &self.basis),
            ("embedding", &self.embedding),
            ("latent_nodes", &self.latent_nodes),
        ];
        let matrices = matrices.iter().filter_map(|(key, rows)| Some((*key, rows.as_ref()?)));
        let values = matrices.map(|(key, rows)| (key, rows.as_slice()));
        let center = self.center.iter().map(|center| ("center", center.as_slice()));
        let flats = self.flats.iter().flat_map(Flats::flats).flat_map(|flat| {
            [
                ("flats", &flat.center[..]),
                ("flats", flat.axes.as_slice()),
                ("flats", &flat.variances),
            ]
        });
        let mut all = values.chain(center).chain(flats);
        all.find(|(_, values)| first(values).is_some()).map(|(key, _)| format!("a value of {key}"))
    }
}

fn net(keys: Option<NetKeys>, graph: PrincipalGraph) -> Result<NetObject> {
    let keys =
        keys.ok_or_else(|| midrib::Error::data("the object is a net, but the key net is missing"))?;
    let form = match (keys.shape, keys.product) {
        (Some(shape), _) => {
            let net = Net::new(shape, &keys.sides)?;
            NetForm::Surface(Box::new(Surface::new(net, graph.nodes(), keys.margin)?))
        }
        (None, Some(product)) => {
            let [a, b] = product.sides();
            if a.saturating_mul(b) != graph.nodes().n_rows() {
                let expected = format!("{a} x {b}");
                let found = graph.nodes().n_rows();
                return Err(midrib::Error::shape("nodes of the product", expected, found).into());
            }
            NetForm::Product(product)
        }
        (None, None) => NetForm::Edges { inner_dims: keys.inner_dims },
    };
    if let Some(mixture) = &keys.mixture
        && !(mixture.precision > 0.0 && mixture.precision.is_finite())
    {
        let precision = mixture.precision;
        return Err(midrib::Error::setting("precision", precision, "must be positive").into());
    }
    Ok(NetObject { graph, form, springs: None, mixture: keys.mixture })
}

/// The number of columns of the points that an object was learned from; none where the object does
/// not know, as an embedding of the training points alone.
pub(super) fn dims(object: &Object) -> Option<usize> {
    match (object, object.graph(), object.embedding()) {
        (Object::Flats(flats), ..) => Some(flats.dims()),
        (_, Some(graph), _) => Some(graph.nodes().n_cols()),
        (_, None, embedding) => embedding?.center().map(<[f64]>::len),
    }
}
