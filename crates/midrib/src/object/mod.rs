//! What methods learn, and what can be done with it.
//!
//! Callers ask the object, never the method: points can be ordered along an object with lines, drawn
//! on a map if it has inner coordinates, and embedded if it has an embedding.
//!
//! | object | learned by | answers |
//! |---|---|---|
//! | [`Object::Graph`] | curves, trees, graphs | projection, roots, branches |
//! | [`Object::Net`] | elastic, self-organizing and generative maps, products of trees | projection, inner coordinates, density |
//! | [`Object::Flats`] | principal components | scores, explained variance |
//! | [`Object::Centers`] | k-means | labels |
//! | [`Object::Embedding`] | structured projection learning | coordinates of old and new rows |

mod embedding;
mod flats;
mod located;
mod map_errors;
mod mixture;
mod net;
mod simplex;
mod surface;

pub use embedding::{Embedding, EmbeddingRule};
pub(crate) use flats::scores;
pub use flats::{Flat, Flats};
pub use located::Located;
pub use map_errors::{MapErrors, u_matrix};
pub use mixture::{LatentPosition, Mixture};
pub use net::{NetForm, NetObject, TreeProduct};
pub use surface::{InnerProjection, Surface};

use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::Matrix;
use crate::place::Springs;
use crate::points::Points;

/// What a fit learned.
#[derive(Clone, Debug)]
pub enum Object {
    /// A curve, a tree or a graph.
    Graph(GraphObject),
    /// A net of nodes with cells between them, such as a sheet or a sphere.
    Net(NetObject),
    /// One or several affine pieces.
    Flats(Flats),
    /// Centers without edges between them: a graph of isolated nodes.
    Centers(PrincipalGraph),
    /// Rows in few dimensions.
    Embedding(EmbeddingObject),
}

/// A curve, a tree or a graph.
#[derive(Clone, Debug)]
pub struct GraphObject {
    /// Nodes and edges in the coordinates of the points.
    pub graph: PrincipalGraph,
    /// The points and nodes in few dimensions, where the method learns them too.
    pub embedding: Option<Embedding>,
    /// What holds the nodes of an elastic graph together.
    pub springs: Option<Springs>,
}

/// Rows in few dimensions.
#[derive(Clone, Debug)]
pub struct EmbeddingObject {
    /// The coordinates and the rule for new rows.
    pub embedding: Embedding,
    /// The graph of similar points, where the method learns one.
    pub graph: Option<PrincipalGraph>,
}

/// What kind of object a method learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A curve, a tree or a graph.
    Graph,
    /// A net with this many inner dimensions.
    Net {
        /// 1 for a chain or a ring, 2 for a sheet, 3 for a box.
        inner_dims: usize,
    },
    /// Affine pieces.
    Flats,
    /// Centers without edges.
    Centers,
    /// Rows in few dimensions.
    Embedding {
        /// Whether a graph of similar points comes with them.
        with_graph: bool,
    },
}

impl Kind {
    /// Its name in `model.json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Graph => "graph",
            Self::Net { .. } => "net",
            Self::Flats => "flats",
            Self::Centers => "centers",
            Self::Embedding { .. } => "embedding",
        }
    }

    /// Whether it has nodes.
    pub fn has_nodes(self) -> bool {
        match self {
            Self::Graph | Self::Net { .. } | Self::Centers => true,
            Self::Embedding { with_graph } => with_graph,
            Self::Flats => false,
        }
    }

    /// Whether points can be ordered along it: it has edges, and nothing but edges.
    pub fn has_lines(self) -> bool {
        match self {
            Self::Graph | Self::Net { inner_dims: 1 } => true,
            Self::Embedding { with_graph } => with_graph,
            Self::Net { .. } | Self::Flats | Self::Centers => false,
        }
    }

    /// What it is, for a sentence: "a set of centers".
    pub fn description(self) -> &'static str {
        match self {
            Self::Graph => "a graph",
            Self::Net { inner_dims: 1 } => "a chain or a ring",
            Self::Net { inner_dims: 2 } => "a surface",
            Self::Net { .. } => "a box",
            Self::Flats => "a set of principal axes",
            Self::Centers => "a set of centers",
            Self::Embedding { .. } => "an embedding",
        }
    }
}

impl From<PrincipalGraph> for Object {
    fn from(graph: PrincipalGraph) -> Self {
        Self::Graph(GraphObject { graph, embedding: None, springs: None })
    }
}

impl Object {
    /// What kind of object it is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Graph(_) => Kind::Graph,
            Self::Net(net) => Kind::Net { inner_dims: net.inner_dims() },
            Self::Flats(_) => Kind::Flats,
            Self::Centers(_) => Kind::Centers,
            Self::Embedding(object) => Kind::Embedding { with_graph: object.graph.is_some() },
        }
    }

    /// Its nodes and the edges between them: isolated nodes for centers; none for flats and for
    /// an embedding without a graph.
    pub fn graph(&self) -> Option<&PrincipalGraph> {
        match self {
            Self::Graph(object) => Some(&object.graph),
            Self::Net(net) => Some(&net.graph),
            Self::Flats(_) => None,
            Self::Centers(centers) => Some(centers),
            Self::Embedding(object) => object.graph.as_ref(),
        }
    }

    /// The same as [`Object::graph`], by value.
    pub fn into_graph(self) -> Option<PrincipalGraph> {
        match self {
            Self::Graph(object) => Some(object.graph),
            Self::Net(net) => Some(net.graph),
            Self::Flats(_) => None,
            Self::Centers(centers) => Some(centers),
            Self::Embedding(object) => object.graph,
        }
    }

    /// The nodes and edges, or an error that says what was learned instead.
    ///
    /// ```
    /// use midrib::{graph::PrincipalGraph, math::Matrix, object::Object};
    /// let centers = PrincipalGraph::new(Matrix::from_rows(&[[0.0], [1.0]])?, &[], vec![1.0; 2])?;
    /// let object = Object::Centers(centers);
    /// assert!(object.require_graph("drawing").is_ok());
    /// assert!(!object.kind().has_lines());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn require_graph(&self, task: &str) -> Result<&PrincipalGraph> {
        let what = self.kind().description();
        self.graph().ok_or_else(|| Error::data(format!("{task} needs nodes, but {what} has none")))
    }

    /// The cells of a net that points are projected onto.
    pub fn surface(&self) -> Option<&Surface> {
        match self {
            Self::Net(net) => net.surface(),
            _ => None,
        }
    }

    /// The Gaussians around the nodes of a net, where these are the centers of a mixture.
    pub fn mixture(&self) -> Option<&Mixture> {
        match self {
            Self::Net(net) => net.mixture.as_ref(),
            _ => None,
        }
    }

    /// What holds the nodes of an elastic object together.
    pub fn springs(&self) -> Option<&Springs> {
        match self {
            Self::Graph(object) => object.springs.as_ref(),
            Self::Net(net) => net.springs.as_ref(),
            _ => None,
        }
    }

    /// Coordinates of the points in few dimensions, where they were learned.
    pub fn embedding(&self) -> Option<&Embedding> {
        match self {
            Self::Graph(object) => object.embedding.as_ref(),
            Self::Embedding(object) => Some(&object.embedding),
            _ => None,
        }
    }

    /// Whether [`Object::embed`] has coordinates for points, new ones too.
    pub fn embeds(&self) -> bool {
        self.embedding().is_some_and(Embedding::embeds_new_rows)
            || self.surface().is_some()
            || matches!(self, Self::Flats(_))
    }

    /// Coordinates of these points in the embedding, on the net or along the axes; none where
    /// the object has no coordinates of its own.
    pub fn embed(&self, points: &Points<'_>) -> Result<Option<Matrix>> {
        if let Some(embedding) = self.embedding() {
            return embedding.transform(self.graph(), points).map(Some);
        }
        Ok(match (self, self.surface()) {
            (Self::Flats(flats), _) => Some(flats.project(points)?.coordinates),
            (_, Some(surface)) => Some(self.on_net(surface, points)?.coordinates),
            _ => None,
        })
    }
}
