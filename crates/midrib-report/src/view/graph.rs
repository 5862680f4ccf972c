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

/// Where points and nodes are in the plane.
#[derive(Clone, Copy, Debug)]
pub struct GraphLayout<'a> {
    /// The points.
    pub points: &'a Matrix,
    /// The nodes.
    pub nodes: &'a Matrix,
    /// The names of the two axes.
    pub axes: [&'a str; 2],
}

/// Draws the graph over its points; with `projections`, thin lines lead from these to where they
/// project.
pub fn graph_view(
    scene: &Scene<'_>,
    layout: &GraphLayout<'_>,
    projections: bool,
) -> midrib::Result<String> {
    let GraphLayout { points, nodes, axes } = *layout;
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
    if projections {
        draw_projections(&mut svg, scene, layout, &sample, &plot);
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

/// Draws a line from each point to its projection, in the color of the point.
fn draw_projections(
    svg: &mut Svg,
    scene: &Scene<'_>,
    layout: &GraphLayout<'_>,
    sample: &[usize],
    plot: &PlotArea,
) {
    let Some(projection) = scene.projection else { return };
    let color_of = scene.coloring.painter();
    svg.open("stroke-width=\"0.6\" stroke-opacity=\"0.55\"");
    for &i in sample {
        let on = match projection.edge[i].and_then(|edge| scene.graph.edges().get(edge)) {
            Some(edge) => {
                let (a, b) = (layout.nodes.row(edge.a), layout.nodes.row(edge.b));
                let along = projection.edge_pos[i];
                [0, 1].map(|d| a[d] + along * (b[d] - a[d]))
            }
            None => [0, 1].map(|d| layout.nodes.row(projection.node[i])[d]),
        };
        let stroke = format!("stroke=\"{}\"", color_of(i));
        svg.line(&[plot.at(layout.points.row(i)), plot.at(&on)], &stroke);
    }
    svg.close();
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
