//! Comparing methods, and measuring a result by the same criteria.

use std::path::PathBuf;
use std::time::Duration;

use midrib::measure::{Criteria, criteria};
use midrib_io::{write_file, write_text};
use midrib_tasks::{
    ComparePoints, ComparedMethod, ComparisonView, Contender, Error, compare_points,
    comparison_html,
};
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::arrays::{Rows, Values};
use crate::error::Result;
use crate::json::Json;
use crate::model::Model;
use crate::run::{Execution, run};

/// A name or `NAME:SETTING=VALUE`, and settings.
type Named = (String, Json<Map<String, Value>>);

/// Points, their weights, the names of their columns, and the name and values of their labels.
type Labeled<'py> = (Rows<'py>, Option<Values<'py>>, Vec<String>, Option<(String, Vec<String>)>);

/// Fits each method to the points and measures it; also writes the page, if it has a path.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    points: Labeled<'_>,
    methods: Vec<Named>,
    time_limit: Option<f64>,
    page: Option<PathBuf>,
    execution: Execution,
) -> Result<Json<Vec<ComparedMethod>>> {
    let methods: Vec<Contender> = methods.into_iter().map(contender).collect();
    let (rows, weights, features, label) = points;
    let points = rows.points(weights.as_ref())?;
    let time_limit = time_limit.map(seconds).transpose()?;
    let rows = run(py, execution, |watch| {
        let label = label.as_ref().map(|(name, values)| (name.as_str(), values.as_slice()));
        let labels = label.map(|(_, values)| values);
        let request = ComparePoints { points: &points, methods: &methods, labels, time_limit };
        let rows = compare_points(&request, watch);
        if let Some(path) = &page {
            let html = comparison_html(&ComparisonView {
                points: &points,
                features: &features,
                prepare: None,
                label,
                axes: None,
                methods: &rows,
                title: "Methods compared",
                axes_setting: "axes".into(),
            })?;
            write_file(path, true, |staging| write_text(staging, &html))?;
        }
        midrib_tasks::Result::Ok(rows)
    })??;
    Ok(Json(rows))
}

fn contender((name, Json(settings)): Named) -> Contender {
    let mut named = Contender::parse(&name);
    named.settings.extend(settings);
    named
}

fn seconds(limit: f64) -> Result<Duration> {
    match Duration::try_from_secs_f64(limit) {
        Ok(limit) if !limit.is_zero() => Ok(limit),
        _ => {
            let remedy = "give a number of seconds above 0";
            Err(Error::from(midrib::Error::setting("time_limit", limit, remedy)).into())
        }
    }
}

#[pymethods]
impl Model {
    /// How well it represents points; labels are classes.
    #[pyo3(signature = (rows, weights=None, labels=None))]
    fn criteria(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        weights: Option<Values<'_>>,
        labels: Option<Vec<String>>,
    ) -> Result<Json<Criteria>> {
        let points = rows.points(weights.as_ref())?;
        let found = self.with_points(py, points, (None, None), |learned, points, _| {
            Ok(criteria(&learned.object, points, labels.as_deref())?)
        });
        found.map(Json)
    }
}
