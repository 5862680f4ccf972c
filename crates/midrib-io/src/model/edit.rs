//! What was done to a result since it was learned.

use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::object::{Embedding, EmbeddingObject, GraphObject, Object};
use serde::{Deserialize, Serialize};

use super::Model;
use crate::error::Result;

/// One step that changed a result, with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "edit")]
pub enum Edit {
    /// Weak terminal branches were removed.
    Prune {
        /// Shorter ones.
        min_length: f64,
        /// Those that carry a smaller share of the points.
        min_share: f64,
        /// Those that resampling supports less.
        #[serde(default)]
        min_support: f64,
    },
    /// The graph was replaced by its skeleton.
    Simplify {
        /// The share of the largest weight below which edges were dropped.
        drop_below: f64,
        /// The length up to which cycles were broken.
        min_loop: f64,
        /// The length below which tips were removed.
        min_tip: f64,
        /// Whether each branch became one edge.
        merge_chains: bool,
    },
    /// Roots were chosen.
    Root {
        /// The nodes from which pseudotime is counted.
        nodes: Vec<usize>,
    },
}

impl Model {
    /// The same model with another graph in place of its own, made by this edit. `kept` are the
    /// old numbers of its nodes; roots that are gone are forgotten. So is what was measured, and
    /// the support of the edges if one of them is new.
    pub fn edited(mut self, graph: PrincipalGraph, kept: &[usize], edit: Edit) -> Result<Self> {
        let old = self.graph()?.clone();
        self.support = self.support.take().and_then(|support| support.kept(&old, &graph, kept));
        let now = |old: &usize| kept.iter().position(|node| node == old);
        self.root = self.root.iter().filter_map(now).collect();
        let embedding = match self.object.embedding() {
            Some(embedding) => Some(moved(embedding.clone(), &old, &graph, kept)?),
            None => None,
        };
        self.object = match (&self.object, embedding) {
            (Object::Embedding(_), Some(embedding)) => {
                Object::Embedding(EmbeddingObject { embedding, graph: Some(graph) })
            }
            (_, embedding) => Object::Graph(GraphObject { graph, embedding, springs: None }),
        };
        self.explained = None;
        self.complexity = None;
        self.criteria = None;
        self.objective = None;
        self.edits.push(edit);
        Ok(self)
    }

    /// The same model with these roots; with none, pseudotime is not counted any more.
    pub fn rooted(mut self, nodes: Vec<usize>) -> Result<Self> {
        if !nodes.is_empty() {
            self.require_lines("a root")?;
            self.graph()?.root(&nodes)?;
        }
        self.edits.retain(|edit| !matches!(edit, Edit::Root { .. }));
        if !nodes.is_empty() {
            self.edits.push(Edit::Root { nodes: nodes.clone() });
        }
        self.root = nodes;
        Ok(self)
    }
}

/// The embedding with the nodes of another graph. Nodes that stay where they were keep their
/// latent coordinates.
fn moved(
    mut embedding: Embedding,
    old: &PrincipalGraph,
    graph: &PrincipalGraph,
    kept: &[usize],
) -> Result<Embedding> {
    let Some(before) = embedding.nodes.take() else { return Ok(embedding) };
    let nodes = Points::from_f64(graph.nodes().as_slice(), graph.nodes().n_cols())?;
    let mut latent = embedding.project(&nodes)?;
    for (node, &was) in kept.iter().enumerate() {
        if graph.nodes().row(node) == old.nodes().row(was) {
            latent.row_mut(node).copy_from_slice(before.row(was));
        }
    }
    embedding.nodes = Some(latent);
    Ok(embedding)
}
