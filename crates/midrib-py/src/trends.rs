//! Features along a graph, and fates.

use midrib::trend::{self, Covariate, FeatureTable, Layout, Numbers};
use midrib_tasks::{Place, PointsOfTrends, TrendSettings, TrendValues, test_features};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arrays::{Column, Projected, Table, slice};
use crate::error::Result;
use crate::model::Model;
use crate::run::{Execution, run};

/// The values of features in one row, in double or single precision.
#[derive(FromPyObject)]
enum Flat<'py> {
    #[pyo3(transparent, annotation = "float32 array")]
    F32(PyReadonlyArray1<'py, f32>),
    #[pyo3(transparent, annotation = "float64 array")]
    F64(PyReadonlyArray1<'py, f64>),
}

/// Where rows or columns of a sparse matrix start, the indices of its values, and whether it is by row.
type Sparse<'py> = (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, u32>, bool);

/// Values, the number of rows, the names of columns, and how they are stored.
type Features<'py> = (Flat<'py>, usize, Vec<String>, Option<Sparse<'py>>);

/// "whole", "path", "branch" or "fork", with nodes or a branch.
type Where = (String, Vec<usize>);

/// Groups by name, or numbers.
type Adjusted = (Option<Vec<String>>, Option<Vec<f64>>);

/// Whether features are counts, covariates, conditions and samples, and the seed.
type Options = (bool, Vec<Adjusted>, Option<(Vec<String>, Vec<String>)>, usize, u64);

/// A column of a table.
#[derive(IntoPyObject)]
enum Values {
    #[pyo3(transparent)]
    Text(Vec<String>),
    #[pyo3(transparent)]
    Numbers(Column<f64>),
    #[pyo3(transparent)]
    Whole(Column<i64>),
}

/// Features with what was found about them.
#[derive(IntoPyObject)]
struct Found {
    columns: Vec<(String, Values)>,
    notes: Vec<String>,
    /// Node, branch and pseudotime of the knots of curves.
    knots: Option<(Column<i64>, Column<i64>, Column<f64>)>,
    /// Feature, values and errors.
    curves: Vec<(usize, Column<f64>, Column<f64>)>,
}

/// Tips, probabilities by node and by point, entropy.
type Fates = (Column<i64>, Table, Table, Column<f64>);

#[pymethods]
impl Model {
    /// Tests features of projected points.
    fn trends(
        &self,
        py: Python<'_>,
        projection: Projected<'_>,
        features: Features<'_>,
        wanted: (Where, Options),
        execution: Execution,
    ) -> Result<Found> {
        let (place, options) = wanted;
        let projection = projection.projection()?;
        let (values, rows, names, sparse) = &features;
        let values = match values {
            Flat::F32(values) => Numbers::Single(slice(values.as_slice())?),
            Flat::F64(values) => Numbers::Double(slice(values.as_slice())?),
        };
        let layout = match sparse {
            None => Layout::Dense,
            Some((starts, indices, by_row)) => {
                let (starts, indices) = (slice(starts.as_slice())?, slice(indices.as_slice())?);
                match by_row {
                    true => Layout::Rows { starts, indices },
                    false => Layout::Columns { starts, indices },
                }
            }
        };
        let table = FeatureTable::new(*rows, names.len(), layout, values)?;
        let (counts, covariates, conditions, n_curves, seed) = options;
        let covariates: Vec<Covariate> = covariates.into_iter().map(covariate).collect();
        let settings = TrendSettings { counts, n_curves, seed, ..TrendSettings::default() };
        let place = match (place.0.as_str(), &place.1[..]) {
            ("path", [from, to]) => Place::Path(*from, *to),
            ("branch", [branch]) => Place::Branch(*branch),
            ("fork", [node]) => Place::Fork(*node),
            _ => Place::Whole,
        };
        let found = run(py, execution, |watch| {
            let points = PointsOfTrends {
                model: &self.0,
                projection: &projection,
                keep: None,
                covariates: &covariates,
                conditions,
            };
            test_features(&points, &place, (&table, names), &settings, watch)
        })??;
        let notes = found.notes();
        let knots = found
            .knots
            .map(|knots| (knots.nodes.into(), knots.branches.into(), Column(knots.pseudotime)));
        let curve = |(feature, curve): (usize, trend::Curve)| {
            (feature, Column(curve.values), Column(curve.errors))
        };
        let column = |column: midrib_tasks::TrendColumn| {
            let values = match column.values {
                TrendValues::Text(values) => Values::Text(values),
                TrendValues::Numbers(values) => Values::Numbers(Column(values)),
                TrendValues::Whole(values) => Values::Whole(values.into()),
            };
            (column.name, values)
        };
        Ok(Found {
            columns: found.columns.into_iter().map(column).collect(),
            notes,
            knots,
            curves: found.curves.into_iter().map(curve).collect(),
        })
    }

    /// The probability of every tip that is not a root.
    fn fates(&self, projection: Projected<'_>) -> Result<Fates> {
        let found = trend::fates(self.graph()?, &self.0.root, &projection.projection()?)?;
        Ok((
            found.tips.into(),
            Table(found.of_nodes),
            Table(found.of_points),
            Column(found.entropy),
        ))
    }
}

fn covariate((groups, numbers): Adjusted) -> Covariate {
    match groups {
        Some(groups) => Covariate::from_labels(&groups),
        None => Covariate::Numbers(numbers.unwrap_or_default()),
    }
}
