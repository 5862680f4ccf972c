//! The page of a comparison: a small picture of every method over the same points, the figures, and
//! what they mean. Plain HTML and SVG: no script, nothing from the network.

mod figures;
mod panel;
mod picture;

use std::fmt::Write;

use crate::coloring::Coloring;
use crate::palette;
use crate::svg::escaped;
use figures::{COLUMNS, Column, table, value};
use picture::{Frame, picture, shared_points};

pub use panel::{ComparisonFigure, ComparisonPage, ComparisonPanel};

const STYLE: &str = include_str!("comparison.css");

/// The whole page.
pub fn comparison_page(page: &ComparisonPage<'_>) -> String {
    let mut html = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    html += "<meta charset=\"utf-8\">\n";
    html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    html += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'\">\n";
    let title = escaped(page.title);
    let _ = writeln!(html, "<title>{title}</title>\n<style>{STYLE}{}</style>", class_colors());
    html += "</head>\n<body>\n";
    let _ = writeln!(html, "<header><h1>{title}</h1><p>{}</p></header>", escaped(page.subtitle));
    html += &legend(page.coloring);
    let frame = Frame::around(page.points);
    html += &shared_points(page, &frame);
    html += "<main class=\"pictures\">\n";
    for panel in page.panels {
        html += &picture(page, panel, &frame);
    }
    html += "</main>\n";
    html += &table(page.panels);
    html += &meanings(page);
    html += "<footer>Made by midrib. This page is self-contained and makes no network \
             requests.</footer>\n</body>\n</html>\n";
    html
}

fn class_colors() -> String {
    let color = |class: usize| format!(".c{class}{{--c:{}}}", palette::of_class(class));
    (0..=palette::MAX_CLASSES).map(color).collect()
}

fn legend(coloring: &Coloring) -> String {
    let Coloring::Classes { title, names, of_point } = coloring else { return String::new() };
    let mut html = format!("<ul class=\"legend\"><li><b>{}</b></li>", escaped(title));
    for (class, name) in names.iter().enumerate() {
        let class = class.min(palette::MAX_CLASSES);
        let _ = write!(html, "<li><i class=\"c{class}\"></i>{}</li>", escaped(name));
    }
    if of_point.contains(&None) {
        html += "<li><i class=\"none\"></i>no label</li>";
    }
    html + "</ul>\n"
}

fn meanings(page: &ComparisonPage<'_>) -> String {
    let mut html = String::from("<section class=\"meanings\"><h2>How to read this</h2>\n<p>");
    html += "Every picture shows the same points in the same colors";
    match (page.axes[0].as_str(), page.axes[1].as_str()) {
        (x, "") => {
            let _ = write!(html, " along {}", escaped(x));
        }
        (x, y) => {
            let _ = write!(html, ": {} to the right, {} upward", escaped(x), escaped(y));
        }
    }
    html += ". A method whose result has no position among the points is drawn in its own first two \
             coordinates. All methods learned from the same prepared points. After projection, a \
             point is at its coordinates within the object (embedding, map, axes), or else at the \
             position of its projection among the points. The best figure of each column is bold; \
             no method is best for every purpose.</p>\n<dl>";
    let used = |at: &usize| page.panels.iter().any(|panel| value(panel, *at).is_some());
    for at in (0..COLUMNS.len()).filter(used) {
        let Column { name, meaning, .. } = COLUMNS[at];
        let _ = write!(html, "<div><dt>{name}</dt><dd>{meaning}</dd></div>");
    }
    html + "</dl></section>\n"
}

#[cfg(test)]
mod tests {
    use midrib::math::Matrix;

    use super::*;

    fn panel(name: &str, figure: ComparisonFigure, explained: Option<f64>) -> ComparisonPanel {
        let mut values = vec![None; 8];
        values[0] = explained;
        let reason = explained.is_none().then(|| "no <luck>".to_owned());
        let (object, time) = ("2 nodes, 2 tips".into(), "0.1 s".into());
        let is_every_point = false;
        ComparisonPanel {
            name: name.into(),
            object,
            is_every_point,
            figure,
            values,
            time,
            memory: None,
            reason,
        }
    }

    #[test]
    fn the_points_are_written_once_and_the_best_figure_is_bold() {
        let rows = Matrix::from_rows(&[[0.0, 0.0], [1e300, 1.0], [f64::NAN, 1.0]]).unwrap();
        let figure = ComparisonFigure::Graph { nodes: rows.clone(), edges: vec![(0, 1)] };
        let panels = [
            panel("ppt", figure, Some(0.9)),
            panel("pca", ComparisonFigure::Lines(vec![rows.clone()]), Some(0.5)),
            panel("<b>", ComparisonFigure::None, None),
        ];
        let coloring = Coloring::by_class("kind", &["a", "b", ""]);
        let html = comparison_page(&ComparisonPage {
            title: "Methods <compared>",
            subtitle: "3 points",
            axes: &["x".into(), "y".into()],
            points: &rows,
            coloring: &coloring,
            panels: &panels,
        });
        assert_eq!(html.matches("id=\"points\"").count(), 1);
        assert_eq!(html.matches("href=\"#points\"").count(), 3);
        assert_eq!(html.matches("class=\"c0\"").count(), 2, "one point, one entry of the legend");
        assert!(
            html.contains("<td class=\"best\">90.0 %</td>") && html.contains("<td>50.0 %</td>")
        );
        assert!(html.contains("no &lt;luck&gt;") && !html.contains("<b>\""));
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
        assert!(!html.contains("http") || html.matches("http").count() == 1, "nothing is loaded");
    }
}
