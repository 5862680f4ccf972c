//! The dendrogram of a rooted graph.

use midrib::graph::{PrincipalGraph, Rooted};

use super::{Scene, point_radius};
use crate::labels::Labels;
use crate::palette::{GRAY, INK};
use crate::plot_area::{PlotArea, shown, ticks};
use crate::svg::{Anchor, Svg};

/// Draws a rooted graph with pseudotime upward and the points next to their branches.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib_report::{Coloring, Scene, dendrogram_view};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, -3.0]])?;
/// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
/// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
/// let scene = Scene { graph: &graph, projection: None, coloring: &Coloring::Plain, title: "Y" };
/// assert!(dendrogram_view(&scene, &graph.root(&[0])?)?.contains("pseudotime"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn dendrogram_view(scene: &Scene<'_>, rooted: &Rooted<'_>) -> midrib::Result<String> {
    let drawing = rooted.dendrogram();
    let points = match scene.projection {
        Some(projection) => Some(drawing.points(rooted, projection)?),
        None => None,
    };
    let (sample, sampled) = scene.sample(points.as_ref().map_or(0, |points| points.n_rows()));
    let roots: Vec<String> = rooted.roots().iter().map(usize::to_string).collect();
    let unreached = drawing.nodes.rows().filter(|row| row[0].is_nan()).count();
    let mut caption = format!("{sampled}Rooted at node {}.", roots.join(", "));
    if unreached > 0 {
        caption += &format!(" {unreached} nodes in components without a root are left out.");
    }
    let closing = closing_edges(scene.graph, rooted);
    if !closing.is_empty() {
        caption += " Dashed lines close loops and are not to scale.";
    }
    let (mut svg, area) = scene.page(&caption, true);
    let all = || drawing.nodes.rows().map(|row| [row[0], row[1]]);
    let columns = all().map(|[x, _]| x).filter(|x| x.is_finite()).fold(0.0, f64::max);
    // A margin of half a branch on either side.
    let top = all().map(|[_, y]| y).filter(|y| y.is_finite()).fold(0.0, f64::max);
    let margin = [[-0.5, 0.0], [columns + 0.5, top]];
    let plot = PlotArea::around(area, all().chain(margin), false);
    draw_time_axis(&mut svg, &plot, top);
    let mut labels = Labels::default();
    if let Some(points) = points {
        let radius = point_radius(sample.len());
        let color_of = scene.coloring.painter();
        svg.open("fill-opacity=\"0.6\"");
        for i in sample.into_iter().filter(|&i| points.row(i).iter().all(|x| x.is_finite())) {
            let fill = format!("fill=\"{}\"", color_of(i));
            let position = plot.at(points.row(i));
            svg.circle(position, radius, &fill);
            labels.avoid_dots([position].into_iter());
        }
        svg.close();
    }
    for (a, b) in closing {
        let line = [a, b].map(|node| plot.at(drawing.nodes.row(node)));
        svg.line(&line, &format!("stroke=\"{GRAY}\" stroke-width=\"2\" stroke-dasharray=\"6 5\""));
        labels.avoid_line(line[0], line[1]);
    }
    svg.open(&format!("stroke=\"{INK}\" stroke-width=\"2\" stroke-linecap=\"round\""));
    for node in 0..drawing.nodes.n_rows() {
        if let Some(parent) = rooted.parent(node) {
            let (from, to) = (drawing.nodes.row(parent), drawing.nodes.row(node));
            let line = [plot.at(&[to[0], from[1]]), plot.at(to)];
            svg.line(&line, "");
            labels.avoid_line(line[0], line[1]);
        }
    }
    for [low, high, y] in &drawing.bars {
        let line = [plot.at(&[*low, *y]), plot.at(&[*high, *y])];
        svg.line(&line, "");
        labels.avoid_line(line[0], line[1]);
    }
    svg.close();
    for &root in rooted.roots() {
        labels.write(&mut svg, plot.at(drawing.nodes.row(root)), 2.0, &format!("root {root}"));
    }
    let lineages = rooted.lineages();
    if lineages.len() <= 60 {
        let tips = lineages.iter().filter_map(|lineage| lineage.nodes.last());
        for tip in tips.filter(|tip| !rooted.roots().contains(tip)) {
            labels.write(&mut svg, plot.at(drawing.nodes.row(*tip)), 2.0, &tip.to_string());
        }
    }
    Ok(svg.finish())
}

/// Draws horizontal lines at round values of pseudotime, from 0 to `top`.
fn draw_time_axis(svg: &mut Svg, plot: &PlotArea, top: f64) {
    let area = plot.area;
    svg.open("font-size=\"11\" fill=\"#555555\"");
    for tick in ticks((0.0, top), 6) {
        let y = plot.at(&[0.0, tick])[1];
        svg.line(&[[area.left, y], [area.right, y]], "stroke=\"#eeeeee\"");
        svg.text([area.left - 7.0, y + 4.0], Anchor::End, &shown(tick), "");
    }
    svg.close();
    let middle = 0.5 * (area.top + area.bottom);
    let turn = format!("transform=\"rotate(-90 26 {middle:.1})\"");
    svg.text([26.0, middle], Anchor::Middle, "pseudotime", &turn);
}

/// The edges between reachable nodes that are not on a shortest path from a root.
fn closing_edges(graph: &PrincipalGraph, rooted: &Rooted<'_>) -> Vec<(usize, usize)> {
    let on_path = |a: usize, b: usize| rooted.parent(a) == Some(b) || rooted.parent(b) == Some(a);
    let is_reached = |node: usize| rooted.parent(node).is_some() || rooted.roots().contains(&node);
    let edges = graph.edges().iter().map(|edge| (edge.a, edge.b));
    edges.filter(|&(a, b)| is_reached(a) && is_reached(b) && !on_path(a, b)).collect()
}

#[cfg(test)]
mod tests {
    use midrib::math::Matrix;

    use super::*;
    use crate::coloring::Coloring;

    #[test]
    fn loops_are_closed_by_dashed_lines_and_the_root_is_labeled() {
        let nodes = [[0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [2.0, 0.0], [9.0, 9.0], [9.0, 8.0]];
        let nodes = Matrix::from_rows(&nodes).unwrap();
        let ring = [(0, 1, 1.0), (1, 3, 1.0), (0, 2, 1.0), (2, 3, 1.0), (4, 5, 1.0)];
        let graph = PrincipalGraph::new(nodes, &ring, vec![1.0; 6]).unwrap();
        let rooted = graph.root(&[0]).unwrap();
        assert_eq!(closing_edges(&graph, &rooted).len(), 1);
        let scene =
            Scene { graph: &graph, projection: None, coloring: &Coloring::Plain, title: "" };
        let drawn = dendrogram_view(&scene, &rooted).unwrap();
        assert!(drawn.contains("Dashed lines close loops") && drawn.contains(">root 0<"));
        assert_eq!(drawn.matches("stroke-dasharray").count(), 1);
    }
}
