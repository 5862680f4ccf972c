//! The graph over its points in a plane.

use midrib::Error;
use midrib::math::Matrix;

use super::{Scene, point_radius};
use crate::labels::Labels;
use crate::palette::INK;
use crate::plot_area::PlotArea;
use crate::svg::Svg;

/// Graphs with more nodes are drawn without discs.
const MAX_DISCS: usize = 200;
/// Graphs with more tips and branch points are drawn without labels.
const MAX_NAMES: usize = 24;

/// Draws the graph over its points. `points` and `nodes` are positions in the plane, `axes` the
/// names of its two axes.
pub fn graph_view(
    scene: &Scene<'_>,
    points: &Matrix,
    nodes: &Matrix,
    axes: [&str; 2],
) -> midrib::Result<String> {
    let graph = scene.graph;
    for (what, expected, found) in [
        ("positions of the nodes", graph.nodes().n_rows(), nodes.n_rows()),
        ("coordinates of nodes", 2, nodes.n_cols()),
        ("coordinates of points", 2, points.n_cols()),
    ] {
        if expected != found {
            return Err(Error::shape(what, expected, found));
        }
    }
    let (sample, sampled) = scene.sample(points.n_rows());
    let caption =
        format!("{sampled}{} nodes, {} edges", graph.nodes().n_rows(), graph.edges().len());
    let (mut svg, area) = scene.page(&caption, true);
    let all = points.rows().chain(nodes.rows()).map(|row| [row[0], row[1]]);
    let plot = PlotArea::around(area, all, true);
    plot.axes(&mut svg, axes);
    // With about one node per point, the graph would hide all points.
    let below = 2 * nodes.n_rows() > points.n_rows();
    if below {
        draw_edges(&mut svg, scene, nodes, &plot, &[(INK, 1.0)]);
    }
    let radius = point_radius(sample.len());
    let color_of = scene.coloring.painter();
    svg.open("fill-opacity=\"0.6\"");
    for &i in &sample {
        let fill = format!("fill=\"{}\"", color_of(i));
        svg.circle(plot.at(points.row(i)), radius, &fill);
    }
    svg.close();
    if !below {
        draw_edges(&mut svg, scene, nodes, &plot, &[("#ffffff", 3.4), (INK, 2.0)]);
    }
    if nodes.n_rows() <= MAX_DISCS && !below {
        svg.open(&format!("fill=\"#ffffff\" stroke=\"{INK}\" stroke-width=\"1.4\""));
        nodes.rows().for_each(|node| svg.circle(plot.at(node), 2.6, ""));
        svg.close();
    }
    let special: Vec<usize> = (0..nodes.n_rows()).filter(|&node| graph.degree(node) != 2).collect();
    if special.len() <= MAX_NAMES {
        let mut labels = Labels::default();
        labels.avoid_dots(sample.iter().map(|&i| plot.at(points.row(i))));
        for edge in graph.edges() {
            labels.avoid_line(plot.at(nodes.row(edge.a)), plot.at(nodes.row(edge.b)));
        }
        for node in special {
            labels.write(&mut svg, plot.at(nodes.row(node)), 4.0, &node.to_string());
        }
    }
    Ok(svg.finish())
}

/// Draws the edges, once for each `(color, width)` stroke.
fn draw_edges(
    svg: &mut Svg,
    scene: &Scene<'_>,
    nodes: &Matrix,
    plot: &PlotArea,
    strokes: &[(&str, f64)],
) {
    for (color, width) in strokes {
        svg.open(&format!("stroke=\"{color}\" stroke-width=\"{width}\" stroke-linecap=\"round\""));
        for edge in scene.graph.edges() {
            svg.line(&[plot.at(nodes.row(edge.a)), plot.at(nodes.row(edge.b))], "");
        }
        svg.close();
    }
}
