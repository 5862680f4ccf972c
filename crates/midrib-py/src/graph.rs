//! The nodes and edges of what was learned: its shape, its paths, its roots.

use midrib::graph::{Length, Lineage, Simplify};
use midrib_io::{NodeColumns, graphml};
use midrib_tasks::rooted_graph;
use pyo3::prelude::*;

use crate::arrays::{Column, Table, Tuples};
use crate::error::Result;
use crate::model::Model;

/// The nodes, the edges and the shape of a graph.
#[derive(IntoPyObject)]
struct Shape {
    nodes: Table,
    edges: Tuples<i64, 2>,
    edge_weights: Column<f64>,
    edge_lengths: Column<f64>,
    mass: Column<f64>,
    support: Option<Column<f64>>,
    tips: Column<i64>,
    branch_points: Column<i64>,
    n_loops: usize,
    component: Column<i64>,
}

/// Nodes, edges, length, whether it is closed, and name.
type Branch = (Column<i64>, Column<i64>, f64, bool, String);
/// Nodes, edges and length.
type Path = (Column<i64>, Column<i64>, f64);

fn path(path: midrib::graph::Path) -> Path {
    (path.nodes.into(), path.edges.into(), path.length)
}

#[pymethods]
impl Model {
    /// The nodes, the edges and the shape of the graph.
    fn shape(&self) -> Result<Shape> {
        let graph = self.graph()?;
        let edges = graph.edges();
        Ok(Shape {
            nodes: Table(graph.nodes().clone()),
            edges: edges.iter().map(|edge| (edge.a, edge.b)).collect::<Vec<_>>().into(),
            edge_weights: Column(edges.iter().map(|edge| edge.weight).collect()),
            edge_lengths: Column(edges.iter().map(|edge| edge.length).collect()),
            mass: Column(graph.mass().to_vec()),
            support: self.0.edge_support().map(|support| Column(support.to_vec())),
            tips: graph.tips().into(),
            branch_points: graph.branch_points().into(),
            n_loops: graph.loops(),
            component: graph.components().of_node.into(),
        })
    }

    /// The branches.
    fn branches(&self) -> Result<Vec<Branch>> {
        let milestones = self.graph()?.milestones();
        let names = milestones.branch_names().into_iter();
        let branches = milestones.branches().iter().zip(milestones.lengths()).zip(names);
        let branch = |((branch, &length), name): ((&midrib::graph::Branch, _), _)| {
            (branch.nodes.clone().into(), branch.edges.clone().into(), length, branch.closed, name)
        };
        Ok(branches.map(branch).collect())
    }

    /// The shortest path between two nodes.
    fn path(&self, start: usize, end: usize) -> Result<Option<Path>> {
        Ok(self.graph()?.path(start, end)?.map(path))
    }

    /// The longest of the shortest paths.
    fn longest_path(&self) -> Result<Option<Path>> {
        Ok(self.graph()?.longest_path()?.map(path))
    }

    /// The same with these roots.
    fn root(&self, nodes: Vec<usize>) -> Result<Self> {
        Ok(Self(self.0.clone().rooted(nodes)?))
    }

    /// The distance of each node from the nearest root.
    fn node_pseudotime(&self) -> Result<Column<f64>> {
        Ok(Column(rooted_graph(&self.0)?.node_pseudotime()))
    }

    /// The paths from the roots to every tip.
    fn lineages(&self) -> Result<Vec<Path>> {
        let lineages = rooted_graph(&self.0)?.lineages().into_iter();
        let graph = self.graph()?;
        let path = |lineage: Lineage| {
            let length = lineage.length(graph);
            (lineage.nodes.into(), lineage.edges.into(), length)
        };
        Ok(lineages.map(path).collect())
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
        let settings = Simplify { drop_below, min_loop, min_tip, merge_chains };
        Ok(Self(midrib_tasks::simplify(&self.0, &settings)?.model))
    }

    /// The graph as GraphML.
    fn graphml(&self) -> Result<String> {
        Ok(graphml(self.graph()?, &NodeColumns::of_model(&self.0)?, self.0.edge_support())?)
    }
}
