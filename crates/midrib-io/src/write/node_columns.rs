//! The columns that describe nodes in tables and graph files.

use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;

use super::names;
use crate::error::Result;
use crate::model::Model;

/// Columns that describe the nodes: one row per node, one named column per value.
///
/// That is the node's own coordinates, or those in the units of the table it was learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeColumns {
    names: Vec<String>,
    values: Matrix,
}

impl NodeColumns {
    /// Columns of these names.
    pub fn new(names: Vec<String>, values: Matrix) -> Result<Self> {
        if names.len() != values.n_cols() {
            return Err(midrib::Error::shape("names", values.n_cols(), names.len()).into());
        }
        Ok(Self { names, values })
    }

    /// The nodes' own coordinates.
    pub fn of(graph: &PrincipalGraph, features: &[String]) -> Result<Self> {
        Self::new(features.to_vec(), graph.nodes().clone())
    }

    /// Where the nodes of a model are in the columns and units of the table that was learned from;
    /// behind them their components, where those were learned from. From a kernel or an embedding
    /// there is no way back: there the prepared columns stand alone.
    pub fn of_model(model: &Model) -> Result<Self> {
        Self::of_table(model, model.in_table(model.graph()?.nodes())?)
    }

    /// The same, once it is known where the nodes are in the table; see [`Model::in_table`].
    pub fn of_table(model: &Model, in_table: Option<Matrix>) -> Result<Self> {
        let prepared = Self::of(model.graph()?, &model.feature_names())?;
        match (&model.input.prepare, in_table) {
            (Some(transform), Some(nodes)) => {
                let columns = Self::new(model.input.features.clone(), nodes)?;
                if transform.pca.is_some() { columns.and(&prepared) } else { Ok(columns) }
            }
            _ => Ok(prepared),
        }
    }

    /// These columns and then others; names that are taken get a `prepared_` in front.
    pub fn and(mut self, more: &Self) -> Result<Self> {
        let rows = self.values.rows().zip(more.values.rows());
        let joined: Vec<Vec<f64>> = rows.map(|(a, b)| [a, b].concat()).collect();
        let taken: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let names = names::beside(&taken, &more.names, "prepared_");
        self.names.extend(names);
        Self::new(self.names, Matrix::from_rows(&joined)?)
    }

    /// The names, none of them among those that are `taken`.
    pub(super) fn names(&self, taken: &[&str]) -> Vec<String> {
        names::beside(taken, &self.names, "feature_")
    }

    /// The rows, for the nodes of this graph.
    pub(super) fn rows(
        &self,
        graph: &PrincipalGraph,
    ) -> Result<impl ExactSizeIterator<Item = &[f64]>> {
        let n = graph.nodes().n_rows();
        if self.values.n_rows() != n {
            return Err(midrib::Error::shape("rows for nodes", n, self.values.n_rows()).into());
        }
        Ok(self.values.rows())
    }
}
