//! Points and what was learned: projections, coordinates, shares, other graphs.

use midrib::graph::TipRule;
use midrib::math::Matrix;
use midrib::tune::{Bootstrap, Counts};
use midrib::{Observer, Points};
use midrib_io::Model as Learned;
use pyo3::prelude::*;

use crate::arrays::{Column, Rows, Table, Values};
use crate::error::Result;
use crate::model::Model;
use crate::projections::Projections;
use crate::run::run;

/// Positions within a net or on flats, and the distances of the points from them.
#[derive(IntoPyObject)]
struct Inner {
    coordinates: Table<f64>,
    distance: Column<f64>,
}

/// A sparse matrix: the columns and values of row i are those from starts[i] to starts[i + 1].
#[derive(IntoPyObject)]
struct Sparse {
    starts: Column<i64>,
    nodes: Column<i64>,
    shares: Column<f64>,
}

#[derive(IntoPyObject)]
struct Pruned {
    model: Model,
    kept: Column<i64>,
}

#[derive(IntoPyObject)]
struct Replicas {
    model: Model,
    pseudotime_sd: Option<Column<f64>>,
    tips: Column<i64>,
    branch_points: Column<i64>,
    loops: Column<i64>,
    components: Column<i64>,
}

impl Model {
    /// Prepares the points like those of the fit and runs `work` on them, on these threads.
    fn with_points<T: Send>(
        &self,
        py: Python<'_>,
        points: Points<'_>,
        n_jobs: Option<usize>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(&Learned, &Points<'_>, &mut dyn Observer) -> midrib_io::Result<T> + Send,
    ) -> Result<T> {
        let learned = &self.0;
        Ok(run(py, n_jobs, progress, |watch| work(learned, &learned.prepared(points)?, watch))??)
    }
}

#[pymethods]
impl Model {
    /// The points as the fit saw them.
    fn prepared(&self, py: Python<'_>, rows: Rows<'_>) -> Result<Table<f64>> {
        let prepared = self.with_points(py, rows.points(None)?, None, None, |_, points, _| {
            let mut values = Matrix::zeros(points.len(), points.dims());
            (0..points.len()).for_each(|i| points.copy_row(i, values.row_mut(i)));
            Ok(values)
        });
        prepared?.try_into()
    }

    /// Whether points are prepared before they are used: scaled, or turned into components.
    #[getter]
    fn prepares(&self) -> bool {
        self.0.input.prepare.is_some()
    }

    /// The nearest position for each point.
    #[pyo3(signature = (rows, n_jobs=None))]
    fn project(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        n_jobs: Option<usize>,
    ) -> Result<Projections> {
        self.with_points(py, rows.points(None)?, n_jobs, None, |learned, points, _| {
            Ok(Projections::new(learned, learned.object.project(points)?))
        })
    }

    /// The points' own coordinates: in the embedding, within the net, or along the axes.
    fn embed(&self, py: Python<'_>, rows: Rows<'_>) -> Result<Option<Table<f64>>> {
        let points = rows.points(None)?;
        let found = self.with_points(py, points, None, None, |learned, points, _| {
            Ok(learned.object.embed(points)?)
        });
        found?.map(Table::try_from).transpose()
    }

    /// Positions within a net or on flats; none where the object has only nodes and edges.
    fn inner(&self, py: Python<'_>, rows: Rows<'_>) -> Result<Option<Inner>> {
        let points = rows.points(None)?;
        let found = self.with_points(py, points, None, None, |learned, points, _| {
            Ok(learned.object.inner(points)?)
        });
        let Some(inner) = found? else { return Ok(None) };
        let coordinates = inner.coordinates.try_into()?;
        Ok(Some(Inner { coordinates, distance: Column(inner.distance) }))
    }

    /// The mean squared distance of the points.
    #[pyo3(signature = (rows, weights=None))]
    fn mean_squared_distance(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        weights: Option<Values<'_>>,
    ) -> Result<f64> {
        let points = rows.points(weights.as_ref())?;
        self.with_points(py, points, None, None, |learned, points, _| {
            Ok(learned.object.mean_squared_distance(points)?)
        })
    }

    /// The share of each point in each node.
    fn responsibilities(&self, py: Python<'_>, rows: Rows<'_>) -> Result<Sparse> {
        let points = rows.points(None)?;
        let found = self.with_points(py, points, None, None, |learned, points, _| {
            learned.responsibilities(points)
        })?;
        Ok(Sparse {
            starts: found.starts.into(),
            nodes: Column(found.nodes.into_iter().map(i64::from).collect()),
            shares: Column(found.shares),
        })
    }

    /// The graph without weak terminal branches, and the nodes that were kept.
    #[pyo3(signature = (rows, weights=None, *, min_share, min_length, min_support))]
    fn prune(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        weights: Option<Values<'_>>,
        min_share: f64,
        min_length: f64,
        min_support: f64,
    ) -> Result<Pruned> {
        let rule = TipRule { min_share, min_length, min_support, support: None };
        let points = rows.points(weights.as_ref())?;
        let (model, kept) = self.with_points(py, points, None, None, |learned, points, _| {
            learned.prune(&rule, points)
        })?;
        Ok(Pruned { model: Model(model), kept: kept.into() })
    }

    /// Learns the graph again from resampled points.
    #[pyo3(signature = (rows, weights=None, *, replicas, seed, n_jobs=None, progress=None))]
    fn bootstrap(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        weights: Option<Values<'_>>,
        replicas: usize,
        seed: u64,
        n_jobs: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> Result<Replicas> {
        let points = rows.points(weights.as_ref())?;
        let found = self.with_points(py, points, n_jobs, progress, |learned, points, watch| {
            learned.bootstrap(points, &Bootstrap { replicas, seed }, watch)
        })?;
        let mut model = self.0.clone();
        model.support = Some(found.support);
        let counts = found.replicas.counts;
        let count = |of: fn(&Counts) -> usize| counts.iter().map(of).collect::<Vec<_>>().into();
        Ok(Replicas {
            model: Model(model),
            pseudotime_sd: found.pseudotime_sd.map(Column),
            tips: count(|replica| replica.tips),
            branch_points: count(|replica| replica.branch_points),
            loops: count(|replica| replica.loops),
            components: count(|replica| replica.components),
        })
    }
}
