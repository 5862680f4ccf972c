//! What the page of a comparison shows: every object in the same plane.

use midrib::Points;
use midrib::math::Matrix;
use midrib::object::Object;
use midrib::prepare::{Components, Preparation, Transform, deviations};
use midrib_report::{Coloring, ComparisonFigure, ComparisonPage, ComparisonPanel, comparison_page};

use crate::columns::{column_of, on_a_line, rows_of, two_columns};
use crate::compare::{ComparedMethod, Status};
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::phrases::share_of_table;
use crate::text::{duration, percent};

/// At most this many points are drawn: enough to see their shape.
const MOST_DRAWN: usize = 3_000;
/// Principal axes are drawn to this many standard deviations on both sides.
const DEVIATIONS: f64 = 2.0;

/// A comparison to show.
pub struct ComparisonView<'a> {
    /// The prepared points.
    pub points: &'a Points<'a>,
    /// The names of their columns.
    pub features: &'a [String],
    /// What they were prepared by: shares of the variance are those of the table.
    pub prepare: Option<&'a Transform>,
    /// The name and the values of the labels that color them.
    pub label: Option<(&'a str, &'a [String])>,
    /// The two columns to draw over; the first two principal components if not given.
    pub axes: Option<&'a [String; 2]>,
    /// What was compared.
    pub methods: &'a [ComparedMethod],
    /// The heading.
    pub title: &'a str,
    /// How to name the two columns, for errors.
    pub axes_setting: String,
}

/// The page with a picture of each method, the figures and what they mean.
pub fn comparison_html(view: &ComparisonView<'_>) -> Result<String> {
    let plane = ViewPlane::new(view)?;
    let step = view.points.len().div_ceil(MOST_DRAWN).max(1);
    let drawn: Vec<usize> = (0..view.points.len()).step_by(step).collect();
    let positions = plane.positions(rows_of(view.points))?;
    let coloring = match view.label {
        Some((name, values)) => {
            let values: Vec<&str> = drawn.iter().map(|&i| values[i].as_str()).collect();
            Coloring::by_class(name, &values)
        }
        None => Coloring::Plain,
    };
    let panels = view.methods.iter().map(|row| panel(row, &plane, view.points, &drawn));
    let panels = panels.collect::<Result<Vec<_>>>()?;
    Ok(comparison_page(&ComparisonPage {
        title: view.title,
        subtitle: &subtitle(view, drawn.len()),
        axes: &plane.axes,
        points: &positions.select_rows(drawn),
        coloring: &coloring,
        panels: &panels,
    }))
}

fn subtitle(view: &ComparisonView<'_>, drawn: usize) -> String {
    let n = view.points.len();
    let mut text = format!("{n} points in {} columns", view.points.dims());
    if drawn < n {
        text += &format!(", {drawn} of them drawn");
    }
    let compared = view.methods.iter().find_map(|row| Some(row.criteria.as_ref()?.compared));
    if let Some(compared) = compared.filter(|&compared| compared < n) {
        text += &format!("; distances and neighborhoods among {compared} of them");
    }
    text
}

fn panel(
    row: &ComparedMethod,
    plane: &ViewPlane,
    points: &Points<'_>,
    drawn: &[usize],
) -> Result<ComparisonPanel> {
    let figure = match &row.learned {
        Some(object) if row.status != Status::Failed => figure(object, plane, points, drawn)?,
        _ => ComparisonFigure::None,
    };
    Ok(ComparisonPanel {
        name: row.name.clone(),
        object: row.object.clone().unwrap_or_default(),
        is_every_point: row.is_every_point,
        figure,
        values: comparison_values(row),
        time: duration(row.seconds),
        memory: row.peak_memory.map(|bytes| Memory(bytes).to_string()),
        reason: row.reason.clone(),
    })
}

/// The figures of a method, in the order of [`CRITERIA_NAMES`].
pub fn comparison_values(row: &ComparedMethod) -> Vec<Option<f64>> {
    let Some(found) = &row.criteria else { return vec![None; CRITERIA_NAMES.len()] };
    vec![
        found.explained,
        found.mean_squared_distance,
        found.distance_correlation,
        found.distance_error,
        found.large_distance_correlation,
        found.large_distance_error,
        found.neighbor_preservation,
        found.class_compactness,
    ]
}

/// The criteria in the order in which they are shown: the keys of JSON and CSV.
pub const CRITERIA_NAMES: [&str; 8] = [
    "explained",
    "mean_squared_distance",
    "distance_correlation",
    "distance_error",
    "large_distance_correlation",
    "large_distance_error",
    "neighbor_preservation",
    "class_compactness",
];

/// What stands for an object in the plane.
fn figure(
    object: &Object,
    plane: &ViewPlane,
    points: &Points<'_>,
    drawn: &[usize],
) -> Result<ComparisonFigure> {
    if let Object::Flats(flats) = object {
        let mut lines = Vec::new();
        for flat in flats.flats() {
            for (axis, variance) in flat.axes.rows().zip(&flat.variances).take(2) {
                let reach = DEVIATIONS * variance.max(0.0).sqrt();
                let end = |by: f64| -> Vec<f64> {
                    flat.center.iter().zip(axis).map(|(c, a)| c + by * a).collect()
                };
                lines.push(plane.positions(Matrix::from_rows(&[end(-reach), end(reach)])?)?);
            }
        }
        return Ok(ComparisonFigure::Lines(lines));
    }
    if let (Some(graph), false) = (object.graph(), matches!(object, Object::Embedding(_))) {
        let nodes = plane.positions(graph.nodes().clone())?;
        let edges = graph.edges().iter().map(|edge| (edge.a, edge.b)).collect();
        return Ok(ComparisonFigure::Graph { nodes, edges });
    }
    let coordinates = match object.embedding() {
        Some(embedding) if embedding.coordinates.n_rows() == points.len() => {
            Some(embedding.coordinates.clone())
        }
        _ => object.embed(points)?,
    };
    Ok(match coordinates {
        Some(coordinates) => {
            let drawn = coordinates.select_rows(drawn.iter().copied());
            let own = match drawn.n_cols() {
                0 | 1 => on_a_line(&drawn),
                _ => two_columns(drawn.rows(), [0, 1]),
            };
            ComparisonFigure::Own(own)
        }
        None => ComparisonFigure::None,
    })
}

/// The plane of all pictures.
struct ViewPlane {
    /// Makes principal components, where these are drawn.
    components: Option<Transform>,
    /// The columns that are drawn otherwise: one or two.
    columns: Vec<usize>,
    axes: [String; 2],
}

impl ViewPlane {
    /// The columns that are named, or the only two, or the first two principal components; the two
    /// columns that vary most where values are missing.
    fn new(view: &ComparisonView<'_>) -> Result<Self> {
        let (points, features) = (view.points, view.features);
        let of_columns = |columns: Vec<usize>| {
            let name = |at: usize| columns.get(at).map_or("", |&column| &features[column]);
            Self { components: None, axes: [name(0).into(), name(1).into()], columns }
        };
        if let Some(named) = view.axes {
            let column = |name: &String| {
                features.iter().position(|feature| feature == name).ok_or_else(|| {
                    Error::usage(format!("{}: there is no column {name}", view.axes_setting))
                })
            };
            return Ok(of_columns(vec![column(&named[0])?, column(&named[1])?]));
        }
        let dims = points.dims();
        if dims <= 2 {
            return Ok(of_columns((0..dims).collect()));
        }
        if points.missing_values() > 0 || points.len() < 3 {
            let spread = deviations(points)?;
            let mut columns: Vec<usize> = (0..dims).collect();
            columns.sort_by(|&a, &b| spread[b].total_cmp(&spread[a]).then(a.cmp(&b)));
            columns.truncate(2);
            return Ok(of_columns(columns));
        }
        let pca = Some(Components::Count(2));
        let transform = Transform::fit(Preparation { pca, ..Preparation::default() }, points)?;
        let shares = transform.pca.as_ref().map_or(&[][..], |pca| &pca.shares);
        let (held, variance) = share_of_table(view.prepare);
        let axis = |at: usize| {
            let share = held * shares.get(at).copied().unwrap_or_default();
            format!("PC {} ({} of the {variance})", at + 1, percent(share))
        };
        let axes = [axis(0), axis(1)];
        Ok(Self { components: Some(transform), columns: Vec::new(), axes })
    }

    /// The positions of rows in the plane.
    fn positions(&self, rows: Matrix) -> Result<Matrix> {
        if let Some(transform) = &self.components {
            let points = Points::from_f64(rows.as_slice(), rows.n_cols())?;
            return Ok(rows_of(&transform.apply(&points)?));
        }
        Ok(match self.columns[..] {
            [a, b] => two_columns(rows.rows(), [a, b]),
            _ => {
                let points = Points::from_f64(rows.as_slice(), rows.n_cols())?;
                on_a_line(&Matrix::new(rows.n_rows(), 1, column_of(&points, 0))?)
            }
        })
    }
}
