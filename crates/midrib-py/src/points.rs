//! Points and what was learned: projections, coordinates, shares, other graphs.

use midrib::graph::TipRule;
use midrib::math::Matrix;
use midrib::tune::{Bootstrap, Counts};
use midrib::{Observer, Points};
use midrib_io::Model as Learned;
use midrib_tasks::{Result as TaskResult, prepare_like};
use pyo3::prelude::*;

use crate::arrays::{Column, Rows, Table, Values, Weighted};
use crate::error::Result;
use crate::model::Model;
use crate::projections::Projections;
use crate::run::{Execution, run};

/// A model with support, and what was counted in each replica.
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
    pub fn with_points<T: Send>(
        &self,
        py: Python<'_>,
        points: Points<'_>,
        execution: Execution,
        work: impl FnOnce(&Learned, &Points<'_>, &mut dyn Observer) -> TaskResult<T> + Send,
    ) -> Result<T> {
        let learned = &self.0;
        Ok(run(py, execution, |watch| work(learned, &prepare_like(learned, points)?, watch))??)
    }
}

#[pymethods]
impl Model {
    /// The points as the fit saw them.
    fn prepared(&self, py: Python<'_>, rows: Rows<'_>) -> Result<Table> {
        let prepared = self.with_points(py, rows.points(None)?, (None, None), |_, points, _| {
            let mut values = Matrix::zeros(points.len(), points.dims());
            (0..points.len()).for_each(|i| points.copy_row(i, values.row_mut(i)));
            Ok(values)
        });
        prepared.map(Table)
    }

    /// The nearest position for each point.
    #[pyo3(signature = (rows, n_jobs=None))]
    fn project(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        n_jobs: Option<usize>,
    ) -> Result<Projections> {
        self.with_points(py, rows.points(None)?, (n_jobs, None), |learned, points, _| {
            Ok(Projections::new(learned, learned.object.project(points)?))
        })
    }

    /// The points' own coordinates: in the embedding, within the net, or along the axes.
    fn embed(&self, py: Python<'_>, rows: Rows<'_>) -> Result<Option<Table>> {
        let points = rows.points(None)?;
        let found = self.with_points(py, points, (None, None), |learned, points, _| {
            Ok(learned.object.embed(points)?)
        });
        Ok(found?.map(Table))
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
        self.with_points(py, points, (None, None), |learned, points, _| {
            Ok(learned.object.mean_squared_distance(points)?)
        })
    }

    /// The share of each point in each node, as a sparse matrix: the values, the columns and where
    /// each row starts.
    fn responsibilities(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
    ) -> Result<(Column<f64>, Column<i64>, Column<i64>)> {
        let points = rows.points(None)?;
        let found = self.with_points(py, points, (None, None), |learned, points, _| {
            midrib_tasks::responsibilities(learned, points)
        })?;
        let nodes = found.nodes.into_iter().map(i64::from).collect();
        Ok((Column(found.shares), Column(nodes), found.starts.into()))
    }

    /// The graph without weak terminal branches, and the nodes that were kept.
    #[pyo3(signature = (points, *, min_share, min_length, min_support))]
    fn prune(
        &self,
        py: Python<'_>,
        points: Weighted<'_>,
        min_share: f64,
        min_length: f64,
        min_support: f64,
    ) -> Result<(Self, Column<i64>)> {
        let rule = TipRule { min_share, min_length, min_support, support: None };
        let points = points.0.points(points.1.as_ref())?;
        let pruned = self.with_points(py, points, (None, None), |learned, points, _| {
            midrib_tasks::prune(learned, &rule, points)
        })?;
        Ok((Self(pruned.model), pruned.kept.into()))
    }

    /// Learns the graph again from resampled points.
    #[pyo3(signature = (points, *, replicas, seed, execution))]
    fn bootstrap(
        &self,
        py: Python<'_>,
        points: Weighted<'_>,
        replicas: usize,
        seed: u64,
        execution: Execution,
    ) -> Result<Replicas> {
        let points = points.0.points(points.1.as_ref())?;
        let found = self.with_points(py, points, execution, |learned, points, watch| {
            midrib_tasks::bootstrap(learned, points, &Bootstrap { replicas, seed }, watch)
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
