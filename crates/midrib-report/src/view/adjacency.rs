//! The adjacency matrix in the order of the classes.

use super::Scene;
use crate::coloring::Coloring;
use crate::palette::{self, INK};
use crate::svg::Anchor;

/// The width of the strips that show the classes.
const STRIP: f64 = 8.0;

/// Draws the adjacency matrix. Nodes are sorted by the most frequent class of their points, then by
/// branch; darker cells are edges with larger weights. Nodes without points get the class of the
/// closest node with points, counted in edges.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib_report::{Coloring, Scene, adjacency_view};
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 0.5)], vec![1.0; 3])?;
/// let scene = Scene { graph: &graph, projection: None, coloring: &Coloring::Plain, title: "" };
/// let svg = adjacency_view(&scene)?;
/// assert_eq!(svg.matches("fill-opacity").count(), 4);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn adjacency_view(scene: &Scene<'_>) -> midrib::Result<String> {
    let graph = scene.graph;
    let n = graph.nodes().n_rows();
    let mut classes = node_classes(scene);
    let filled = fill_classes(scene, &mut classes);
    let mut branch = vec![(usize::MAX, 0); n];
    for (number, along) in graph.branches().iter().enumerate() {
        for (at, &node) in along.nodes.iter().enumerate() {
            branch[node] = branch[node].min((number, at));
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&node| (classes[node].unwrap_or(usize::MAX), branch[node], node));
    let mut position = vec![0; n];
    for (at, &node) in order.iter().enumerate() {
        position[node] = at;
    }
    let what = match scene.coloring {
        Coloring::Classes { title, .. } if title != "branch" => format!("{title} and branch"),
        _ => "branch".into(),
    };
    let mut caption = format!("{n} nodes, {} edges; ordered by {what}.", graph.edges().len());
    if filled > 0 {
        caption += &format!(" {filled} nodes without points have the class of their neighbors.");
    }
    if matches!(scene.coloring, Coloring::Classes { .. }) && classes.contains(&None) {
        caption += " Gray: no points nearby.";
    }
    let (mut svg, area) = scene.page(&caption, false);
    let side = (area.right - area.left).min(area.bottom - area.top) - STRIP - 14.0;
    let cell = side / n.max(1) as f64;
    let [left, top] = [area.left + STRIP + 12.0, area.top + STRIP + 12.0];
    svg.rect([left, top], [side, side], "fill=\"#fafafa\" stroke=\"#cccccc\"");
    let heaviest = graph.edges().iter().map(|edge| edge.weight.abs()).fold(0.0, f64::max);
    let drawn = cell.max(1.2);
    svg.open(&format!("fill=\"{INK}\""));
    for edge in graph.edges() {
        let share = if heaviest > 0.0 { edge.weight.abs() / heaviest } else { 1.0 };
        let shade = format!("fill-opacity=\"{:.2}\"", 0.25 + 0.75 * share);
        for (row, column) in [(edge.a, edge.b), (edge.b, edge.a)] {
            let at = [left + cell * position[column] as f64, top + cell * position[row] as f64];
            svg.rect(at, [drawn, drawn], &shade);
        }
    }
    svg.close();
    if matches!(scene.coloring, Coloring::Classes { .. }) {
        let mut start = 0;
        while start < n {
            let class = classes[order[start]];
            let run = order[start..].iter().take_while(|&&node| classes[node] == class).count();
            let color = class.map_or(palette::NONE, palette::of_class);
            let fill = format!("fill=\"{color}\"");
            let (from, length) = (cell * start as f64, cell * run as f64);
            svg.rect([left - STRIP - 3.0, top + from], [STRIP, length], &fill);
            svg.rect([left + from, top - STRIP - 3.0], [length, STRIP], &fill);
            start += run;
        }
    }
    svg.text(
        [left + 0.5 * side, top + side + 16.0],
        Anchor::Middle,
        "nodes",
        "font-size=\"11\" fill=\"#555555\"",
    );
    Ok(svg.finish())
}

/// Gives nodes without a class that of the closest node with one, counted in edges; returns their
/// number.
fn fill_classes(scene: &Scene<'_>, classes: &mut [Option<usize>]) -> usize {
    let mut reached: Vec<usize> = (0..classes.len()).filter(|&k| classes[k].is_some()).collect();
    let before = reached.len();
    let mut next = 0;
    while let Some(&node) = reached.get(next) {
        for &(_, neighbor) in scene.graph.neighbors(node) {
            if classes[neighbor].is_none() {
                classes[neighbor] = classes[node];
                reached.push(neighbor);
            }
        }
        next += 1;
    }
    reached.len() - before
}

/// The most frequent class of each node's points; `None` without points or classes.
fn node_classes(scene: &Scene<'_>) -> Vec<Option<usize>> {
    let counts = scene.class_counts();
    let most = |counts: &Vec<usize>| {
        let best = counts.iter().copied().max().filter(|&most| most > 0)?;
        counts.iter().position(|&count| count == best)
    };
    (0..scene.graph.nodes().n_rows()).map(|node| counts.get(node).and_then(most)).collect()
}

#[cfg(test)]
mod tests {
    use midrib::Points;
    use midrib::graph::PrincipalGraph;
    use midrib::math::Matrix;

    use super::*;

    #[test]
    fn nodes_without_points_have_the_class_of_their_neighbors() {
        let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0], [9.0]]).unwrap();
        let edges = [(0, 1, 1.0), (1, 2, 1.0)];
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
        let points = Points::from_f64(vec![0.1, 0.2], 1).unwrap();
        let projection = graph.project(&points).unwrap();
        let coloring = Coloring::by_class("branch", &["a", "a"]);
        let scene =
            Scene { graph: &graph, projection: Some(&projection), coloring: &coloring, title: "" };
        let mut classes = node_classes(&scene);
        assert_eq!(fill_classes(&scene, &mut classes), 2);
        assert_eq!(classes, [Some(0), Some(0), Some(0), None]);
        let drawn = adjacency_view(&scene).unwrap();
        for text in ["ordered by branch.", "2 nodes without points", "Gray: no points nearby."] {
            assert!(drawn.contains(text), "{text}");
        }
    }
}
