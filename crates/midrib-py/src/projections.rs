//! Projections onto what was learned, and what follows from them.

use midrib::graph::Projection;
use midrib::math::Matrix;
use midrib_io::{Labels, Model as Learned};
use midrib_tasks::{Error, Location, PointsOnGraph, rooted_graph};
use pyo3::prelude::*;

use crate::arrays::{Column, Projected, Table, Tuples, Values, slice};
use crate::error::Result;
use crate::model::Model;

/// The nearest position on an object for each point.
#[derive(IntoPyObject)]
pub struct Projections {
    node: Column<i64>,
    edge: Column<i64>,
    edge_pos: Column<f64>,
    distance: Column<f64>,
    branch: Column<i64>,
    component: Column<i64>,
}

/// The links between milestones, and where points are on them.
#[derive(IntoPyObject)]
struct Network {
    start: Column<i64>,
    end: Column<i64>,
    length: Column<f64>,
    directed: Column<bool>,
    of_point: Column<i64>,
    share: Column<f64>,
    nearest: Column<i64>,
}

/// Positions of the nodes, closing edges or bars, and positions of the points.
type Drawing<T> = (Table, T, Option<Table>);

impl Projections {
    /// With the branch and the component of each position; without a graph, the number of the piece
    /// stands for both.
    pub fn new(learned: &Learned, projection: Projection) -> Self {
        let graph = learned.object.graph();
        let node = || projection.node.clone();
        Self {
            branch: graph.map_or_else(node, |graph| projection.branch(graph)).into(),
            component: graph.map_or_else(node, |graph| projection.component(graph)).into(),
            node: projection.node.into(),
            edge: projection.edge.into(),
            edge_pos: Column(projection.edge_pos),
            distance: Column(projection.distance),
        }
    }
}

impl Model {
    /// A projection onto this graph.
    fn checked(&self, projection: &Projected<'_>) -> Result<Projection> {
        let projection = projection.projection()?;
        self.graph()?.check_projection(&projection)?;
        Ok(projection)
    }
}

#[pymethods]
impl Model {
    /// The projection with the branch and the component of each point.
    fn on_branches(&self, projection: Projected<'_>) -> Result<Projections> {
        Ok(Projections::new(&self.0, self.checked(&projection)?))
    }

    /// The coordinates of projected points.
    fn coordinates(&self, projection: Projected<'_>) -> Result<Table> {
        let (graph, projection) = (self.graph()?, self.checked(&projection)?);
        let mut rows = Matrix::zeros(projection.node.len(), graph.nodes().n_cols());
        for i in 0..projection.node.len() {
            rows.row_mut(i).copy_from_slice(&projection.coordinates(graph, i));
        }
        Ok(Table(rows))
    }

    /// The distance of points from the nearest root along the graph.
    fn pseudotime(&self, projection: Projected<'_>) -> Result<Column<f64>> {
        let projection = self.checked(&projection)?;
        Ok(Column(rooted_graph(&self.0)?.pseudotime(&projection)?))
    }

    /// Pseudotime and weight of the points on each lineage.
    fn on_lineages(&self, projection: Projected<'_>) -> Result<Vec<(Column<f64>, Column<f64>)>> {
        let (rooted, projection) = (rooted_graph(&self.0)?, self.checked(&projection)?);
        let lineages = rooted.lineages().into_iter().map(|lineage| {
            let on = rooted.on_lineage(&lineage, &projection)?;
            Ok((Column(on.pseudotime), Column(on.weight)))
        });
        lineages.collect()
    }

    /// The links between milestones, and where points are on them.
    fn milestone_network(&self, projection: Projected<'_>) -> Result<Network> {
        let projection = self.checked(&projection)?;
        let network = self.graph()?.milestone_network(&self.0.root, &projection)?;
        let (links, points) = (network.links(), 0..projection.node.len());
        let (of_point, share): (Vec<usize>, Vec<f64>) =
            points.clone().map(|i| network.progression(i)).unzip();
        Ok(Network {
            start: links.iter().map(|link| link.from).collect::<Vec<_>>().into(),
            end: links.iter().map(|link| link.to).collect::<Vec<_>>().into(),
            length: Column(links.iter().map(|link| link.length).collect()),
            directed: Column(links.iter().map(|link| link.directed).collect()),
            of_point: of_point.into(),
            share: Column(share),
            nearest: points.map(|i| network.nearest(i)).collect::<Vec<_>>().into(),
        })
    }

    /// Points, the milestones around them, and their shares.
    fn milestone_percentages(
        &self,
        projection: Projected<'_>,
    ) -> Result<(Column<i64>, Column<i64>, Column<f64>)> {
        let projection = self.checked(&projection)?;
        let network = self.graph()?.milestone_network(&self.0.root, &projection)?;
        let around = |i: usize| network.percentages(i).into_iter().map(move |(m, s)| (i, (m, s)));
        let (point, (milestone, share)): (Vec<usize>, (Vec<usize>, Vec<f64>)) =
            (0..projection.node.len()).flat_map(around).unzip();
        Ok((point.into(), milestone.into(), Column(share)))
    }

    /// The metro map, with projected points if they are given.
    #[pyo3(signature = (projection=None))]
    fn metro_map(&self, projection: Option<Projected<'_>>) -> Result<Drawing<Column<i64>>> {
        let (graph, map) = (self.graph()?, self.graph()?.metro_map()?);
        let projection = projection.map(|projection| self.checked(&projection)).transpose()?;
        let points = projection.map(|projection| map.points(graph, &projection)).transpose()?;
        Ok((Table(map.nodes), map.closing.into(), points.map(Table)))
    }

    /// The dendrogram, with projected points if they are given.
    #[pyo3(signature = (projection=None))]
    fn dendrogram(&self, projection: Option<Projected<'_>>) -> Result<Drawing<Tuples<f64, 3>>> {
        let rooted = rooted_graph(&self.0)?;
        let drawing = rooted.dendrogram();
        let projection = projection.map(|projection| self.checked(&projection)).transpose()?;
        let points = projection.map(|projection| drawing.points(&rooted, &projection));
        Ok((Table(drawing.nodes), Tuples(drawing.bars), points.transpose()?.map(Table)))
    }

    /// The node at a location such as "stage==young" or "age:min". `columns` are the names of all
    /// columns; `labels` or `values` are the column that the location names, `ids` the names of the
    /// points.
    #[pyo3(signature = (
        location, projection, *, ids=None, columns=Vec::new(), labels=None, values=None
    ))]
    fn find(
        &self,
        location: &str,
        projection: Projected<'_>,
        ids: Option<Vec<String>>,
        columns: Vec<String>,
        labels: Option<Vec<String>>,
        values: Option<Values<'_>>,
    ) -> Result<usize> {
        let projection = self.checked(&projection)?;
        let location = Location::read(location, "root")?;
        let name = location.column().unwrap_or_default().to_owned();
        let values = values.as_ref().map(|values| slice(values.as_slice())).transpose()?;
        let labels = labels.map(|values| Labels { name, values });
        let feature = |column: &str| {
            let missing = || Error::data(format!("{column}: no numbers were given"));
            values.map(<[f64]>::to_vec).ok_or_else(missing)
        };
        let points = PointsOnGraph {
            graph: self.graph()?,
            projection: &projection,
            ids: ids.as_deref(),
            labels: labels.as_slice(),
            feature_names: &columns,
            features: &feature,
        };
        Ok(points.locate(&location)?.node)
    }
}

/// What a location names: a "node", a "point", or a value or an extreme of a column.
#[pyfunction]
pub fn location(text: &str) -> Result<(&'static str, Option<String>)> {
    let location = Location::read(text, "root")?;
    let kind = match &location {
        Location::Node(_) => "node",
        Location::Point(_) => "point",
        Location::Equal { .. } => "equal",
        Location::Extreme { .. } => "extreme",
    };
    Ok((kind, location.column().map(str::to_owned)))
}
