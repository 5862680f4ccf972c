//! The small picture of a method.

use std::fmt::Write;

use midrib::math::Matrix;

use super::figures::{COLUMNS, number, value};
use super::panel::{ComparisonFigure, ComparisonPage, ComparisonPanel};
use crate::coloring::{Coloring, range, share};
use crate::palette;
use crate::svg::escaped;

/// The side of a picture, in its own units.
const SIDE: f64 = 240.0;
/// The margin around the points.
const MARGIN: f64 = 12.0;
/// The least height of a picture, as a share of its width.
const FLATTEST: f64 = 0.45;

/// Where the data plane is in a picture: one scale for both directions, y upward.
pub(super) struct Frame {
    middle: [f64; 2],
    /// Half the longer side.
    reach: f64,
    /// The height of the picture.
    height: f64,
}

impl Frame {
    pub fn around(points: &Matrix) -> Self {
        let side = |axis: usize| range(&points.rows().map(|row| row[axis]).collect::<Vec<_>>());
        let sides = [side(0), side(1)];
        // Halved first, so that nothing overflows.
        let middle = sides.map(|(low, high)| 0.5 * low + 0.5 * high);
        let reach = sides.map(|(low, high)| 0.5 * high - 0.5 * low);
        let longer = reach[0].max(reach[1]).max(f64::MIN_POSITIVE);
        let height = (reach[1] / longer).max(FLATTEST) * (SIDE - 2.0 * MARGIN) + 2.0 * MARGIN;
        Self { middle, reach: longer, height: rounded(height) }
    }

    /// A position in the picture; none where it is not finite.
    fn at(&self, row: &[f64]) -> Option<[f64; 2]> {
        let half = 0.5 * SIDE - MARGIN;
        let along = |axis: usize| {
            // Far outside, a position only has to stay outside.
            ((row[axis] - self.middle[axis]) / self.reach).clamp(-20.0, 20.0) * half
        };
        let place = [0.5 * SIDE + along(0), 0.5 * self.height - along(1)];
        place.iter().all(|x| x.is_finite()).then_some(place)
    }
}

fn rounded(x: f64) -> f64 {
    (x * 10.0).round() / 10.0 + 0.0
}

/// The points as a group that every picture shows again.
pub(super) fn shared_points(page: &ComparisonPage<'_>, frame: &Frame) -> String {
    let mut svg = String::from("<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n");
    svg += "<g id=\"points\">";
    svg += &points(page.points, page.coloring, frame);
    svg += "</g>\n</defs></svg>\n";
    svg
}

/// Points in their colors, fewer pixels each where there are many.
fn points(rows: &Matrix, coloring: &Coloring, frame: &Frame) -> String {
    let radius = match rows.n_rows() {
        0..=300 => 2.2,
        301..=1_000 => 1.7,
        _ => 1.2,
    };
    let mut svg = String::new();
    for (i, [x, y]) in rows.rows().enumerate().filter_map(|(i, row)| Some((i, frame.at(row)?))) {
        let (x, y) = (rounded(x), rounded(y));
        let color = color_of(coloring, i);
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {color}/>");
    }
    svg
}

/// The color of a point as an attribute; classes go by name, so that a dark page can lighten them.
fn color_of(coloring: &Coloring, i: usize) -> String {
    match coloring {
        Coloring::Plain => "class=\"plain\"".into(),
        Coloring::Classes { of_point, .. } => match of_point.get(i).copied().flatten() {
            Some(class) => format!("class=\"c{}\"", class.min(palette::MAX_CLASSES)),
            None => "class=\"none\"".into(),
        },
        Coloring::Values { values, .. } => {
            let (low, high) = range(values);
            let value = values.get(i).copied().unwrap_or(f64::NAN);
            format!("fill=\"{}\"", palette::of_share(share(value, low, high)))
        }
    }
}

/// A method's picture with its figures below.
pub(super) fn picture(page: &ComparisonPage<'_>, panel: &ComparisonPanel, frame: &Frame) -> String {
    let name = escaped(&panel.name);
    let mut html =
        format!("<figure><h2>{name}</h2><p class=\"object\">{}</p>", escaped(&panel.object));
    let own = match &panel.figure {
        ComparisonFigure::Own(rows) => Some((rows, Frame::around(rows))),
        _ => None,
    };
    let height = own.as_ref().map_or(frame.height, |(_, own)| own.height);
    let _ = write!(
        html,
        "<svg viewBox=\"0 0 {SIDE} {height}\" role=\"img\" aria-label=\"{name} over the points\">"
    );
    match &own {
        Some((rows, own)) => html += &points(rows, page.coloring, own),
        None => {
            html += "<use href=\"#points\" class=\"faint\"/>";
            html += &object(&panel.figure, frame);
        }
    }
    html += "</svg>";
    if own.is_some() {
        html += "<p class=\"own\">in its own coordinates</p>";
    }
    if panel.values.iter().any(Option::is_some) {
        html += &key_figures(panel);
    }
    if let Some(reason) = &panel.reason {
        let _ = write!(html, "<p class=\"reason\">{}</p>", escaped(reason));
    }
    html + "</figure>\n"
}

/// The four criteria in short.
fn key_figures(panel: &ComparisonPanel) -> String {
    let shown = |at: usize| number(value(panel, at), &COLUMNS[at]);
    let mut facts = vec![
        ("explained", shown(0)),
        ("distances r", shown(2)),
        ("large r", shown(4)),
        ("neighbors", shown(6)),
    ];
    if value(panel, 7).is_some() {
        facts.push(("classes", shown(7)));
    }
    facts.push(("time", panel.time.clone()));
    let fact =
        |(name, value): (&str, String)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>");
    format!("<dl>{}</dl>", facts.into_iter().map(fact).collect::<String>())
}

fn object(figure: &ComparisonFigure, frame: &Frame) -> String {
    match figure {
        ComparisonFigure::Graph { nodes, edges } => graph(nodes, edges, frame),
        ComparisonFigure::Lines(lines) => {
            let path: String =
                lines.iter().map(|ends| segment(frame, ends.row(0), ends.row(1))).collect();
            format!("<path class=\"edges\" d=\"{path}\"/>")
        }
        ComparisonFigure::None | ComparisonFigure::Own(_) => String::new(),
    }
}

fn segment(frame: &Frame, a: &[f64], b: &[f64]) -> String {
    let (Some([x, y]), Some([u, v])) = (frame.at(a), frame.at(b)) else { return String::new() };
    format!("M{} {}L{} {}", rounded(x), rounded(y), rounded(u), rounded(v))
}

/// Edges with small nodes; centers without edges are large.
fn graph(nodes: &Matrix, edges: &[(usize, usize)], frame: &Frame) -> String {
    let path: String =
        edges.iter().map(|&(a, b)| segment(frame, nodes.row(a), nodes.row(b))).collect();
    let (class, radius) = match (edges.is_empty(), nodes.n_rows()) {
        (true, _) => ("centers", 3.6),
        (false, 0..=100) => ("nodes", 1.9),
        (false, _) => ("nodes", 1.2),
    };
    let lines = if nodes.n_rows() > 150 { "edges thin" } else { "edges" };
    let mut svg = format!("<path class=\"{lines}\" d=\"{path}\"/><g class=\"{class}\">");
    for [x, y] in nodes.rows().filter_map(|row| frame.at(row)) {
        let (x, y) = (rounded(x), rounded(y));
        let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }
    svg + "</g>"
}
