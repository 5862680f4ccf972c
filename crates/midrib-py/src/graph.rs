//! The nodes and edges of what was learned: its shape, its paths, its roots.

use midrib::graph::{Length, Simplify};
use midrib_io::graphml;
use pyo3::prelude::*;

use crate::arrays::{Column, Table};
use crate::error::Result;
use crate::model::Model;

/// Nodes in a row between two tips or branch points.
#[derive(IntoPyObject)]
struct Branch {
    nodes: Column<i64>,
    edges: Column<i64>,
    length: f64,
    closed: bool,
    name: String,
}

/// Nodes in a row, and the edges between them.
#[derive(IntoPyObject)]
struct Path {
    nodes: Column<i64>,
    edges: Column<i64>,
    length: f64,
}

impl From<midrib::graph::Path> for Path {
    fn from(path: midrib::graph::Path) -> Self {
        Self { nodes: path.nodes.into(), edges: path.edges.into(), length: path.length }
    }
}

#[pymethods]
impl Model {
    #[getter]
    fn nodes(&self) -> Result<Table<f64>> {
        self.graph()?.nodes().clone().try_into()
    }

    #[getter]
    fn edges(&self) -> Result<Table<i64>> {
        let ends: Vec<_> = self.graph()?.edges().iter().map(|edge| (edge.a, edge.b)).collect();
        Ok(ends.into())
    }

    #[getter]
    fn edge_weights(&self) -> Result<Column<f64>> {
        Ok(Column(self.graph()?.edges().iter().map(|edge| edge.weight).collect()))
    }

    #[getter]
    fn edge_lengths(&self) -> Result<Column<f64>> {
        Ok(Column(self.graph()?.edges().iter().map(|edge| edge.length).collect()))
    }

    #[getter]
    fn mass(&self) -> Result<Column<f64>> {
        Ok(Column(self.graph()?.mass().to_vec()))
    }

    #[getter]
    fn support(&self) -> Option<Column<f64>> {
        self.0.edge_support().map(|support| Column(support.to_vec()))
    }

    #[getter]
    fn tips(&self) -> Result<Column<i64>> {
        Ok(self.graph()?.tips().into())
    }

    #[getter]
    fn branch_points(&self) -> Result<Column<i64>> {
        Ok(self.graph()?.branch_points().into())
    }

    #[getter]
    fn n_loops(&self) -> Result<usize> {
        Ok(self.graph()?.loops())
    }

    #[getter]
    fn component(&self) -> Result<Column<i64>> {
        Ok(self.graph()?.components().of_node.into())
    }

    /// The branches.
    fn branches(&self) -> Result<Vec<Branch>> {
        let milestones = self.graph()?.milestones();
        let names = milestones.branch_names().into_iter();
        let branches = milestones.branches().iter().zip(milestones.lengths()).zip(names);
        let branch = |((branch, &length), name): ((&midrib::graph::Branch, _), _)| Branch {
            nodes: branch.nodes.clone().into(),
            edges: branch.edges.clone().into(),
            length,
            closed: branch.closed,
            name,
        };
        Ok(branches.map(branch).collect())
    }

    /// The shortest path between two nodes.
    fn path(&self, start: usize, end: usize) -> Result<Option<Path>> {
        Ok(self.graph()?.path(start, end)?.map(Path::from))
    }

    /// The longest of the shortest paths.
    fn longest_path(&self) -> Result<Option<Path>> {
        Ok(self.graph()?.longest_path()?.map(Path::from))
    }

    #[getter]
    fn roots(&self) -> Vec<usize> {
        self.0.root.clone()
    }

    /// The same with these roots.
    fn root(&self, nodes: Vec<usize>) -> Result<Self> {
        Ok(Self(self.0.clone().rooted(nodes)?))
    }

    /// The distance of each node from the nearest root.
    fn node_pseudotime(&self) -> Result<Column<f64>> {
        Ok(Column(self.0.rooted_graph()?.node_pseudotime()))
    }

    /// The paths from the roots to every tip.
    fn lineages(&self) -> Result<Vec<Path>> {
        let lineages = self.0.rooted_graph()?.lineages().into_iter();
        let graph = self.graph()?;
        Ok(lineages
            .map(|lineage| Path {
                length: lineage.length(graph),
                nodes: lineage.nodes.into(),
                edges: lineage.edges.into(),
            })
            .collect())
    }

    /// The skeleton of the graph; lengths that are left out are automatic.
    fn simplify(
        &self,
        drop_below: f64,
        min_loop: Option<f64>,
        min_tip: Option<f64>,
        merge_chains: bool,
    ) -> Result<Self> {
        let length = |given: Option<f64>| given.map_or(Length::Auto, Length::Fixed);
        let (min_loop, min_tip) = (length(min_loop), length(min_tip));
        Ok(Self(self.0.simplify(&Simplify { drop_below, min_loop, min_tip, merge_chains })?))
    }

    /// The graph as GraphML.
    fn graphml(&self) -> Result<String> {
        Ok(graphml(self.graph()?, &self.0.node_columns()?, self.0.edge_support())?)
    }
}
