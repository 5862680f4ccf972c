//! What one asks of a graph.

use midrib::graph::{Length, Simplify, TipRule};
use midrib::math::Matrix;
use midrib_io::Model;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{PlacedArrays, Places, Rows, Weights, array2, indices, placed};
use crate::error::Raise;
use crate::graph::Graph;
use crate::run::run;

/// Nodes and edges of a way through the graph, and its length.
type Way<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, f64);
/// Starts, nodes and shares of a sparse table.
type Csr<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl Graph {
    /// The nearest places of points, and their coordinates where asked for.
    #[pyo3(signature = (rows, places, n_jobs=None))]
    fn project<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        places: bool,
        n_jobs: Option<usize>,
    ) -> PyResult<(PlacedArrays<'py>, Option<Bound<'py, PyArray2<f64>>>)> {
        let points = rows.points(None)?;
        let found = run(py, n_jobs, None, |_| {
            let projection = self.0.graph.project(&self.0.prepared(points)?)?;
            let mut coordinates = Matrix::zeros(0, 0);
            if places {
                let (n, dims) = (projection.node.len(), self.0.graph.nodes().n_cols());
                coordinates = Matrix::zeros(n, dims);
                for i in 0..n {
                    coordinates.row_mut(i).copy_from_slice(&projection.place(&self.0.graph, i));
                }
            }
            Ok::<_, midrib_io::Error>((projection, coordinates))
        })?;
        let (projection, coordinates) = found.raise()?;
        let coordinates = places.then(|| array2(py, &coordinates)).transpose()?;
        Ok((placed(py, &projection, &self.0.graph), coordinates))
    }

    /// The mean squared distance of points from the graph, or from the map that it is the net of.
    #[pyo3(signature = (rows, weights=None))]
    fn mean_squared_distance<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        weights: Option<Weights<'py>>,
    ) -> PyResult<f64> {
        let points = rows.points(weights.as_ref())?;
        let measured =
            run(py, None, None, |_| self.0.mean_squared_distance(&self.0.prepared(points)?))?;
        measured.raise()
    }

    /// Shares of points in the nodes, soft where the method has a bandwidth.
    fn responsibilities<'py>(&self, py: Python<'py>, rows: Rows<'py>) -> PyResult<Csr<'py>> {
        let points = rows.points(None)?;
        let found = run(py, None, None, |_| self.0.responsibilities(&self.0.prepared(points)?))?;
        let found = found.raise()?;
        let nodes = indices(py, found.nodes.iter().map(|&node| node as usize));
        Ok((indices(py, found.starts), nodes, found.shares.into_pyarray(py)))
    }

    /// Branches: nodes, edges, length, whether closed, name.
    #[allow(clippy::type_complexity)]
    fn branches<'py>(
        &self,
        py: Python<'py>,
    ) -> Vec<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, f64, bool, String)> {
        let milestones = self.0.graph.milestones();
        let named = milestones.branches().iter().zip(milestones.branch_names());
        let branch = |(branch, name): (&midrib::graph::Branch, String)| {
            let nodes = indices(py, branch.nodes.iter().copied());
            let edges = indices(py, branch.edges.iter().copied());
            (nodes, edges, branch.length(&self.0.graph), branch.closed, name)
        };
        named.map(branch).collect()
    }

    /// What lies between milestones: first and last node and length of each stretch, and for places
    /// the stretch and how far along it. Roots are milestones, too; no stretch is closed, and no
    /// two have the same ends.
    #[allow(clippy::type_complexity)]
    fn stretches<'py>(
        &self,
        py: Python<'py>,
        places: Places<'py>,
    ) -> PyResult<(
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<f64>>,
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<f64>>,
    )> {
        let milestones =
            self.0.graph.milestones().and(&self.0.graph, &self.0.model.root).raise()?;
        let milestones = milestones.simple(&self.0.graph);
        let on = milestones.places(&self.0.graph, &places.projection()?).raise()?;
        let branches = milestones.branches().iter();
        Ok((
            indices(py, branches.clone().filter_map(|branch| branch.nodes.first().copied())),
            indices(py, branches.filter_map(|branch| branch.nodes.last().copied())),
            PyArray1::from_slice(py, milestones.lengths()),
            indices(py, on.iter().map(|place| place.branch)),
            PyArray1::from_iter(py, on.iter().map(|place| place.share)),
        ))
    }

    fn components<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        indices(py, self.0.graph.components().of_node)
    }

    fn tips<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        indices(py, self.0.graph.tips())
    }

    fn branch_points<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        indices(py, self.0.graph.branch_points())
    }

    fn n_loops(&self) -> usize {
        self.0.graph.loops()
    }

    /// The distance of each node from the roots; NaN where no root leads.
    fn node_pseudotime<'py>(
        &self,
        py: Python<'py>,
        roots: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.0.graph.root(&roots).raise()?.node_pseudotime().into_pyarray(py))
    }

    /// The distance of places from the roots; NaN where no root leads.
    fn pseudotime<'py>(
        &self,
        py: Python<'py>,
        roots: Vec<usize>,
        places: Places<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rooted = self.0.graph.root(&roots).raise()?;
        Ok(rooted.pseudotime(&places.projection()?).raise()?.into_pyarray(py))
    }

    /// The ways from the roots to every end.
    fn lineages<'py>(&self, py: Python<'py>, roots: Vec<usize>) -> PyResult<Vec<Way<'py>>> {
        let way = |lineage: midrib::graph::Lineage| {
            let length = lineage.length(&self.0.graph);
            (indices(py, lineage.nodes), indices(py, lineage.edges), length)
        };
        Ok(self.0.graph.root(&roots).raise()?.lineages().into_iter().map(way).collect())
    }

    /// For each lineage the pseudotime and the weight of the places on it.
    #[allow(clippy::type_complexity)]
    fn on_lineages<'py>(
        &self,
        py: Python<'py>,
        roots: Vec<usize>,
        places: Places<'py>,
    ) -> PyResult<Vec<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)>> {
        let rooted = self.0.graph.root(&roots).raise()?;
        let projection = places.projection()?;
        let seen = rooted.lineages().into_iter().map(|lineage| {
            let seen = rooted.on_lineage(&lineage, &projection).raise()?;
            Ok((seen.pseudotime.into_pyarray(py), seen.weight.into_pyarray(py)))
        });
        seen.collect()
    }

    /// The components without a root.
    fn unrooted_components(&self, roots: Vec<usize>) -> PyResult<Vec<usize>> {
        Ok(self.0.graph.root(&roots).raise()?.unrooted_components())
    }

    /// The ends with the mean value and the number of the points about them.
    fn end_means(
        &self,
        places: Places<'_>,
        values: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Vec<(usize, f64, usize)>> {
        let ends = self.0.graph.end_means(&places.projection()?, values.as_slice()?).raise()?;
        Ok(ends.into_iter().map(|end| (end.node, end.mean, end.points)).collect())
    }

    /// The shortest way between two nodes, if there is one.
    fn path<'py>(&self, py: Python<'py>, a: usize, b: usize) -> PyResult<Option<Way<'py>>> {
        let path = self.0.graph.path(a, b).raise()?;
        Ok(path.map(|path| (indices(py, path.nodes), indices(py, path.edges), path.length)))
    }

    /// The longest of the shortest ways.
    fn longest_path<'py>(&self, py: Python<'py>) -> PyResult<Option<Way<'py>>> {
        let path = self.0.graph.longest_path().raise()?;
        Ok(path.map(|path| (indices(py, path.nodes), indices(py, path.edges), path.length)))
    }

    /// The graph without weak terminal branches, and the numbers of the nodes that are kept.
    #[pyo3(signature = (rows, min_share, min_length, weights=None))]
    fn prune<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        min_share: f64,
        min_length: f64,
        weights: Option<Weights<'py>>,
    ) -> PyResult<(Self, Bound<'py, PyArray1<i64>>)> {
        let points = rows.points(weights.as_ref())?;
        let rule = TipRule { min_share, min_length };
        let pruned = run(py, None, None, |_| {
            let points = self.0.prepared(points)?;
            let projection = self.0.graph.project(&points)?;
            Ok::<_, midrib_io::Error>(self.0.graph.prune_tips(&rule, &points, &projection)?)
        })?;
        let pruned = pruned.raise()?;
        let edit = json!({"min_share": min_share, "min_length": min_length});
        let edited = self.0.edited(&pruned.graph, Model::PRUNED, edit).raise()?;
        Ok((Self(edited), indices(py, pruned.kept)))
    }

    /// The skeleton of a graph with many short cycles.
    fn simplify(
        &self,
        py: Python<'_>,
        drop_below: f64,
        min_loop: Option<f64>,
        min_tip: Option<f64>,
        merge_chains: bool,
    ) -> PyResult<Self> {
        let length = |given: Option<f64>| given.map_or(Length::Auto, Length::Fixed);
        let settings = Simplify {
            drop_below,
            min_loop: length(min_loop),
            min_tip: length(min_tip),
            merge_chains,
        };
        let simplified = run(py, None, None, |_| {
            settings.check()?;
            self.0.graph.simplify(&settings)
        })?;
        let simplified = simplified.raise()?;
        let edit = json!({
            "drop_below": drop_below, "min_loop": simplified.min_loop,
            "min_tip": simplified.min_tip, "merge_chains": merge_chains,
        });
        Ok(Self(self.0.edited(&simplified.graph, Model::SIMPLIFIED, edit).raise()?))
    }

    /// The metro map: places of the nodes, closing edges, places of the points.
    #[allow(clippy::type_complexity)]
    fn metro_map<'py>(
        &self,
        py: Python<'py>,
        places: Option<Places<'py>>,
    ) -> PyResult<(
        Bound<'py, PyArray2<f64>>,
        Bound<'py, PyArray1<i64>>,
        Option<Bound<'py, PyArray2<f64>>>,
    )> {
        let map = self.0.graph.metro_map().raise()?;
        let points = places
            .map(|places| array2(py, &map.points(&self.0.graph, &places.projection()?).raise()?));
        Ok((array2(py, &map.nodes)?, indices(py, map.closing), points.transpose()?))
    }

    /// The dendrogram: places of the nodes, bars, places of the points.
    #[allow(clippy::type_complexity)]
    fn dendrogram<'py>(
        &self,
        py: Python<'py>,
        roots: Vec<usize>,
        places: Option<Places<'py>>,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Vec<[f64; 3]>, Option<Bound<'py, PyArray2<f64>>>)>
    {
        let rooted = self.0.graph.root(&roots).raise()?;
        let drawing = rooted.dendrogram();
        let points = places
            .map(|places| array2(py, &drawing.points(&rooted, &places.projection()?).raise()?));
        Ok((array2(py, &drawing.nodes)?, drawing.bars, points.transpose()?))
    }
}
