//! Pictures and reports: the same as those of the command line.

use std::path::PathBuf;

use midrib_io::{Labels, write_file, write_text};
use midrib_report::DrawnTable;
use midrib_tasks::{
    Background, PictureSettings, ReportRequest, ResultPoints, View, Wording, directory_of,
    draw_points, nodes_in_table, prepare_like, summarize,
};
use pyo3::prelude::*;

use crate::arrays::Rows;
use crate::error::Result;
use crate::model::Model;
use crate::run::run;

/// The name and the values of each label.
type LabelColumns = Vec<(String, Vec<String>)>;

fn labels(columns: LabelColumns) -> Vec<Labels> {
    columns.into_iter().map(|(name, values)| Labels { name, values }).collect()
}

/// How a picture looks.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Look {
    view: String,
    /// The name of a label or a column, or "branch", "component", "distance" or "pseudotime".
    color: Option<String>,
    axes: Option<[String; 2]>,
    /// What shades the cells of a map.
    background: Option<String>,
    projections: bool,
}

#[pymethods]
impl Model {
    /// A picture as SVG.
    #[pyo3(signature = (rows, *, look, labels=Vec::new()))]
    fn draw(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        look: Look,
        labels: LabelColumns,
    ) -> Result<String> {
        let settings = PictureSettings {
            view: View::named(&look.view)?,
            color: look.color,
            axes: look.axes,
            background: look.background.as_deref().map(Background::named).transpose()?,
            projections: look.projections,
        };
        let (points, labels) = (rows.points(None)?, self::labels(labels));
        self.with_points(py, points, (None, None), |model, points, _| {
            draw_points(model, points, &labels, &settings, Wording::NAMES)
        })
    }

    /// Writes the report, an HTML page.
    #[pyo3(signature = (path, rows, *, ids=None, labels=Vec::new()))]
    fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        rows: Rows<'_>,
        ids: Option<Vec<String>>,
        labels: LabelColumns,
    ) -> Result<()> {
        let (model, points, labels) = (&self.0, rows.points(None)?, self::labels(labels));
        let directory = &directory_of(&path);
        let page = run(py, (None, None), |_| {
            let is_prepared = model.input.prepare.is_some();
            let table = is_prepared.then(|| DrawnTable::of(&points, &model.input.features));
            let points = prepare_like(model, points)?;
            let located = model.object.locate(&points)?;
            let points = ResultPoints {
                ids: ids.as_deref(),
                table: table.as_ref(),
                ..ResultPoints::new(&points, &located, &labels)
            };
            midrib_tasks::report(&ReportRequest {
                model,
                summary: &summarize(model)?,
                points: Some(points),
                directory,
                table_nodes: nodes_in_table(model)?.as_ref(),
                warnings: &[],
                wording: Wording::NAMES,
            })
        })??;
        Ok(write_file(&path, true, |staging| write_text(staging, &page))?)
    }
}

/// Writes a picture as SVG or PNG, by the ending of the file name.
#[pyfunction]
pub fn write_picture(svg: String, path: PathBuf) -> Result<()> {
    Ok(midrib_tasks::write_picture(svg, &path, true)?)
}
