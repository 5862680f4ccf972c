//! What one asks of a graph.

use midrib::Points;
use midrib::graph::{Branch, Length, Lineage, Path, Rooted, Simplify, TipRule};
use midrib::math::Matrix;
use midrib::tune::{Bootstrap, Counts};
use midrib_io::{Error, Labels, Landscape, LearntGraph, Model, Spot};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{Array, Floats, Ints, Placed, Places, Rows, Table, Values, placed};
use crate::error::Raise;
use crate::graph::Graph;
use crate::run::run;

/// Nodes and edges of a way through the graph, and its length.
type Way = (Ints, Ints, f64);
/// From, to, length and whether directed, of links; link, place on it and nearest milestone, of
/// points.
type Network = (Ints, Ints, Floats, Vec<bool>, Ints, Floats, Ints);

impl Graph {
    fn rooted(&self) -> PyResult<Rooted<'_>> {
        self.0.graph.root(&self.0.model.root).raise()
    }

    /// Asks something of prepared points, on all threads unless told otherwise.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        rows: &Rows<'_>,
        weights: Option<&Values<'_>>,
        n_jobs: Option<usize>,
        question: impl FnOnce(&LearntGraph, &Points<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let points = rows.points(weights)?;
        run(py, n_jobs, None, |_| question(&self.0, &self.0.prepared(points)?))?.raise()
    }
}

fn way(nodes: Vec<usize>, edges: Vec<usize>, length: f64) -> Way {
    (nodes.into_iter().collect(), edges.into_iter().collect(), length)
}

/// A place in words: "node", "point", "equal" or "extreme", and the column that it asks for.
#[pyfunction]
pub fn spot(text: &str) -> PyResult<(&'static str, Option<String>)> {
    let spot = parsed(text)?;
    let kind = match &spot {
        Spot::Node(_) => "node",
        Spot::Point(_) => "point",
        Spot::Equal { .. } => "equal",
        Spot::Extreme { .. } => "extreme",
    };
    Ok((kind, spot.column().map(Into::into)))
}

fn parsed(text: &str) -> PyResult<Spot> {
    text.parse().map_err(|reason| PyValueError::new_err(format!("{text}: {reason}")))
}

#[pymethods]
impl Graph {
    /// Points as the graph knows them; none where nothing is done to them.
    fn prepared(&self, py: Python<'_>, rows: Rows<'_>) -> PyResult<Option<Table>> {
        if self.0.transform.is_none() {
            return Ok(None);
        }
        let prepared = self.ask(py, &rows, None, None, |_, points| {
            let mut values = Matrix::zeros(points.len(), points.dims());
            (0..points.len()).for_each(|i| points.copy_row(i, values.row_mut(i)));
            Ok(values)
        })?;
        Ok(Some(Table(prepared)))
    }

    /// The nearest places of points.
    #[pyo3(signature = (rows, n_jobs=None))]
    fn project(&self, py: Python<'_>, rows: Rows<'_>, n_jobs: Option<usize>) -> PyResult<Placed> {
        let project =
            |learnt: &LearntGraph, points: &Points<'_>| Ok(learnt.graph.project(points)?);
        Ok(placed(self.ask(py, &rows, None, n_jobs, project)?, &self.0.graph))
    }

    /// Places with the branch and the component of each.
    fn placed(&self, places: Places<'_>) -> PyResult<Placed> {
        let projection = places.projection()?;
        self.0.graph.check_places(&projection).raise()?;
        Ok(placed(projection, &self.0.graph))
    }

    /// The coordinates of places.
    fn coordinates(&self, places: Places<'_>) -> PyResult<Table> {
        let (graph, projection) = (&self.0.graph, places.projection()?);
        graph.check_places(&projection).raise()?;
        let mut found = Matrix::zeros(projection.node.len(), graph.nodes().n_cols());
        for i in 0..projection.node.len() {
            found.row_mut(i).copy_from_slice(&projection.place(graph, i));
        }
        Ok(Table(found))
    }

    /// The places of points in the learnt embedding or on the map; none where there is neither.
    fn embed(&self, py: Python<'_>, rows: Rows<'_>) -> PyResult<Option<Table>> {
        Ok(self.ask(py, &rows, None, None, LearntGraph::embed)?.map(Table))
    }

    /// The places of points on the map that the graph is the net of, and their distances from it.
    fn on_map(&self, py: Python<'_>, rows: Rows<'_>) -> PyResult<Option<(Table, Floats)>> {
        let places = self.ask(py, &rows, None, None, LearntGraph::on_map)?;
        Ok(places.map(|places| (Table(places.inner), Array(places.distance))))
    }

    /// The mean squared distance of points from the graph, or from the map that it is the net of.
    #[pyo3(signature = (rows, weights=None))]
    fn mean_squared_distance(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        weights: Option<Values<'_>>,
    ) -> PyResult<f64> {
        self.ask(py, &rows, weights.as_ref(), None, LearntGraph::mean_squared_distance)
    }

    /// Shares of points in the nodes, as a sparse table: starts, nodes, shares.
    fn responsibilities(&self, py: Python<'_>, rows: Rows<'_>) -> PyResult<(Ints, Ints, Floats)> {
        let found = self.ask(py, &rows, None, None, LearntGraph::responsibilities)?;
        let nodes = found.nodes.into_iter().map(|node| node as usize).collect();
        Ok((found.starts.into_iter().collect(), nodes, Array(found.shares)))
    }

    /// Branches: nodes, edges, length, whether closed, name.
    fn branches(&self) -> Vec<(Ints, Ints, f64, bool, String)> {
        let milestones = self.0.graph.milestones();
        let branch = |(branch, name): (&Branch, String)| {
            let length = branch.length(&self.0.graph);
            let (nodes, edges, length) = way(branch.nodes.clone(), branch.edges.clone(), length);
            (nodes, edges, length, branch.closed, name)
        };
        milestones.branches().iter().zip(milestones.branch_names()).map(branch).collect()
    }

    /// The links between milestones, roots among them, and places on them.
    fn network(&self, places: Places<'_>) -> PyResult<Network> {
        let projection = places.projection()?;
        let network = self.0.graph.milestone_network(&self.0.model.root, &projection).raise()?;
        let (links, points) = (network.links(), 0..projection.node.len());
        Ok((
            links.iter().map(|link| link.from).collect(),
            links.iter().map(|link| link.to).collect(),
            links.iter().map(|link| link.length).collect(),
            links.iter().map(|link| link.directed).collect(),
            points.clone().map(|i| network.progression(i).0).collect(),
            points.clone().map(|i| network.progression(i).1).collect(),
            points.map(|i| network.nearest(i)).collect(),
        ))
    }

    /// The milestones about places: point, milestone and how near it is.
    fn percentages(&self, places: Places<'_>) -> PyResult<(Ints, Ints, Floats)> {
        let projection = places.projection()?;
        let network = self.0.graph.milestone_network(&self.0.model.root, &projection).raise()?;
        let about = |i: usize| network.percentages(i).into_iter().map(move |(m, s)| (i, m, s));
        let all: Vec<_> = (0..projection.node.len()).flat_map(about).collect();
        Ok((
            all.iter().map(|row| row.0).collect(),
            all.iter().map(|row| row.1).collect(),
            all.iter().map(|row| row.2).collect(),
        ))
    }

    /// The node that words mean. `labels` are columns of words, empty where they are missing,
    /// `features` columns of numbers, `names` what there is to ask for.
    #[pyo3(signature = (places, text, *, ids=None, labels=Vec::new(), features=Vec::new(), names=Vec::new()))]
    fn find(
        &self,
        places: Places<'_>,
        text: &str,
        ids: Option<Vec<String>>,
        labels: Vec<(String, Vec<String>)>,
        features: Vec<(String, Values<'_>)>,
        names: Vec<String>,
    ) -> PyResult<usize> {
        let given = features.iter().map(|(name, values)| Ok((name, values.as_slice()?.to_vec())));
        let given = given.collect::<PyResult<Vec<_>>>()?;
        let values = |column: &str| {
            let found = given.iter().find(|(name, _)| *name == column);
            let (spot, reason) = (column.to_owned(), "no numbers were given".to_owned());
            found.map(|(_, values)| values.clone()).ok_or(Error::Spot { spot, reason })
        };
        let labels: Vec<Labels> =
            labels.into_iter().map(|(name, values)| Labels { name, values }).collect();
        let landscape = Landscape {
            graph: &self.0.graph,
            projection: &places.projection()?,
            ids: ids.as_deref(),
            labels: &labels,
            feature_names: &names,
            features: &values,
        };
        Ok(landscape.find(&parsed(text)?).raise()?.node)
    }

    fn components(&self) -> Ints {
        self.0.graph.components().of_node.into_iter().collect()
    }

    fn tips(&self) -> Ints {
        self.0.graph.tips().into_iter().collect()
    }

    fn branch_points(&self) -> Ints {
        self.0.graph.branch_points().into_iter().collect()
    }

    fn n_loops(&self) -> usize {
        self.0.graph.loops()
    }

    /// The distance of each node from the roots; NaN where no root leads.
    fn node_pseudotime(&self) -> PyResult<Floats> {
        Ok(Array(self.rooted()?.node_pseudotime()))
    }

    /// The distance of places from the roots; NaN where no root leads.
    fn pseudotime(&self, places: Places<'_>) -> PyResult<Floats> {
        Ok(Array(self.rooted()?.pseudotime(&places.projection()?).raise()?))
    }

    /// The ways from the roots to every end.
    fn lineages(&self) -> PyResult<Vec<Way>> {
        let found = |lineage: Lineage| {
            let length = lineage.length(&self.0.graph);
            way(lineage.nodes, lineage.edges, length)
        };
        Ok(self.rooted()?.lineages().into_iter().map(found).collect())
    }

    /// For each lineage the pseudotime and the weight of the places on it.
    fn on_lineages(&self, places: Places<'_>) -> PyResult<Vec<(Floats, Floats)>> {
        let (rooted, projection) = (self.rooted()?, places.projection()?);
        let seen = rooted.lineages().into_iter().map(|lineage| {
            let seen = rooted.on_lineage(&lineage, &projection).raise()?;
            Ok((Array(seen.pseudotime), Array(seen.weight)))
        });
        seen.collect()
    }

    /// The shortest way between two nodes, if there is one.
    fn path(&self, a: usize, b: usize) -> PyResult<Option<Way>> {
        let path = self.0.graph.path(a, b).raise()?;
        Ok(path.map(|Path { nodes, edges, length }| way(nodes, edges, length)))
    }

    /// The longest of the shortest ways.
    fn longest_path(&self) -> PyResult<Option<Way>> {
        let path = self.0.graph.longest_path().raise()?;
        Ok(path.map(|Path { nodes, edges, length }| way(nodes, edges, length)))
    }

    /// The graph without weak and empty branches, and the numbers of the nodes that are kept.
    #[pyo3(signature = (rows, min_share, min_length, min_support, weights=None))]
    fn prune(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        min_share: f64,
        min_length: f64,
        min_support: f64,
        weights: Option<Values<'_>>,
    ) -> PyResult<(Self, Ints)> {
        let support = self.0.model.edge_support();
        let rule = TipRule { min_share, min_length, min_support, support };
        let pruned =
            self.ask(py, &rows, weights.as_ref(), None, |LearntGraph { graph, .. }, points| {
                Ok(graph.prune(&rule, points)?)
            })?;
        let how =
            json!({"min_share": min_share, "min_length": min_length, "min_support": min_support});
        let edited = self.0.edited(&pruned.graph, &pruned.kept, Model::PRUNED, how).raise()?;
        Ok((Self(edited), pruned.kept.into_iter().collect()))
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
        let (min_loop, min_tip) = (length(min_loop), length(min_tip));
        let settings = Simplify { drop_below, min_loop, min_tip, merge_chains };
        let simplified = run(py, None, None, |_| {
            settings.check()?;
            self.0.graph.simplify(&settings)
        })?;
        let simplified = simplified.raise()?;
        let how = json!({
            "drop_below": drop_below, "min_loop": simplified.min_loop,
            "min_tip": simplified.min_tip, "merge_chains": merge_chains,
        });
        let (graph, kept) = (&simplified.graph, &simplified.kept);
        Ok(Self(self.0.edited(graph, kept, Model::SIMPLIFIED, how).raise()?))
    }

    /// The graph with its support by resampling, the spread of pseudotime if it has a root, and the
    /// tips, branch points, loops and components of each replica.
    #[pyo3(signature = (rows, replicas, seed, *, weights=None, n_jobs=None, progress=None))]
    #[allow(clippy::too_many_arguments)]
    fn bootstrap(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        replicas: usize,
        seed: u64,
        weights: Option<Values<'_>>,
        n_jobs: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Self, Option<Floats>, Vec<[usize; 4]>)> {
        let (points, how) = (rows.points(weights.as_ref())?, Bootstrap { replicas, seed });
        let found = run(py, n_jobs, progress, |watch| {
            self.0.bootstrap(&self.0.prepared(points)?, &how, watch)
        })?;
        let found = found.raise()?;
        let mut supported = self.0.clone();
        supported.model.support = Some(found.support);
        let counts = found.replicas.counts.into_iter();
        let counts = counts.map(|c: Counts| [c.tips, c.branch_points, c.loops, c.components]);
        Ok((Self(supported), found.pseudotime_sd.map(Array), counts.collect()))
    }

    /// The metro map: places of the nodes, closing edges, places of the points.
    fn metro_map(&self, places: Option<Places<'_>>) -> PyResult<(Table, Ints, Option<Table>)> {
        let map = self.0.graph.metro_map().raise()?;
        let points = places.map(|places| {
            Ok::<_, PyErr>(Table(map.points(&self.0.graph, &places.projection()?).raise()?))
        });
        let points = points.transpose()?;
        Ok((Table(map.nodes), map.closing.into_iter().collect(), points))
    }

    /// The dendrogram: places of the nodes, bars, places of the points.
    fn dendrogram(
        &self,
        places: Option<Places<'_>>,
    ) -> PyResult<(Table, Vec<[f64; 3]>, Option<Table>)> {
        let rooted = self.rooted()?;
        let drawing = rooted.dendrogram();
        let points = places.map(|places| {
            Ok::<_, PyErr>(Table(drawing.points(&rooted, &places.projection()?).raise()?))
        });
        let points = points.transpose()?;
        Ok((Table(drawing.nodes), drawing.bars, points))
    }
}
