//! A net as a map: the points at their inner coordinates, over the cells around the nodes.

use std::collections::HashMap;
use std::fmt::Write;

use midrib::Error;
use midrib::connect::{Net, NetShape};
use midrib::math::Matrix;

use super::{LEGEND, Scene, point_radius};
use crate::coloring::{range, share};
use crate::plot_area::{PlotArea, shown};
use crate::svg::{Anchor, Svg};

/// How far points at the same position are spread, in steps of the grid.
const SPREAD: f64 = 0.38;
/// The angle between points that are spread one after the other.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
/// The shade of the smallest and of the largest value of the background.
const SHADES: [[u8; 3]; 2] = [[255, 255, 255], [120, 132, 150]];

/// What a map shows besides the scene.
#[derive(Clone, Copy, Debug)]
pub struct MapLayout<'a> {
    /// The net.
    pub net: &'a Net,
    /// The inner coordinates of the points (N×2, or N×1 for a chain or a ring).
    pub coordinates: &'a Matrix,
    /// The distances of the points from the net: the height over a chain or a ring.
    pub distance: &'a [f64],
    /// What shades the cells, from 0 on: a name and one value per node.
    pub background: Option<(&'a str, &'a [f64])>,
}

/// Draws a net of one or two inner dimensions as a map. A chain or a ring is drawn as a line from
/// left to right, with the points at their distances above it.
pub fn map_view(scene: &Scene<'_>, map: &MapLayout<'_>) -> midrib::Result<String> {
    let MapLayout { net, coordinates, distance, background } = *map;
    let dims = net.shape.dims();
    if dims > 2 {
        let reason = format!("has {dims} inner dimensions; a map has 1 or 2");
        return Err(Error::setting("net", net.shape.name(), reason));
    }
    for (what, expected, found) in [
        ("inner coordinates", dims, coordinates.n_cols()),
        ("distances of the points", coordinates.n_rows(), distance.len()),
        ("shades of the cells", net.len(), background.map_or(net.len(), |(_, v)| v.len())),
    ] {
        if expected != found {
            return Err(Error::shape(what, expected, found));
        }
    }
    let positions = positions(net, coordinates, distance);
    let (sample, sampled) = scene.sample(positions.len());
    let caption = format!("{sampled}{}", caption(net, background.map(|(name, _)| name)));
    let (mut svg, area) = scene.page(&caption, true);
    let cells: Vec<Vec<[f64; 2]>> = match dims {
        2 => (0..net.len()).map(|node| cell(net, node)).collect(),
        _ => (0..net.len()).map(|node| bar(net, node, &positions)).collect(),
    };
    let all = cells.iter().flatten().chain(&positions).copied();
    let plot = PlotArea::around(area, all, dims == 2);
    plot.axes(&mut svg, if dims == 2 { ["z1", "z2"] } else { ["z1", "distance"] });
    draw_cells(&mut svg, &plot, &cells, background);
    let radius = point_radius(sample.len());
    let color_of = scene.coloring.painter();
    svg.open("fill-opacity=\"0.75\" stroke=\"#ffffff\" stroke-width=\"0.3\"");
    for &i in &sample {
        svg.circle(plot.at(&positions[i]), radius, &format!("fill=\"{}\"", color_of(i)));
    }
    svg.close();
    Ok(svg.finish())
}

fn caption(net: &Net, background: Option<&str>) -> String {
    let closed = (net.shape.closed().iter().enumerate())
        .filter(|(_, closed)| **closed)
        .map(|(axis, _)| format!("; the map continues across the ends of z{}", axis + 1));
    let closed: String = closed.collect();
    let shade = background.map_or(String::new(), |name| format!("; shade: {name}"));
    format!("{} nodes{shade}{closed}", net.len())
}

/// Where the points are drawn. Those at the same position are spread around it.
fn positions(net: &Net, coordinates: &Matrix, distance: &[f64]) -> Vec<[f64; 2]> {
    let unrolled = |axis: usize, u: f64| match net.period(axis) {
        // Half of the first cell lies before its node.
        Some(period) if u >= period - 0.5 => u - period,
        _ => u,
    };
    if net.shape.dims() == 1 {
        let rows = coordinates.rows().zip(distance);
        return rows.map(|(row, distance)| [unrolled(0, row[0]), *distance]).collect();
    }
    let at: Vec<[f64; 2]> =
        coordinates.rows().map(|row| [unrolled(0, row[0]), unrolled(1, row[1])]).collect();
    let key = |[x, y]: &[f64; 2]| [(x + 0.0).to_bits(), (y + 0.0).to_bits()];
    let mut shared: HashMap<[u64; 2], (usize, usize)> = HashMap::new();
    at.iter().for_each(|position| shared.entry(key(position)).or_default().0 += 1);
    at.iter()
        .map(|position| {
            let Some((count, seen)) = shared.get_mut(&key(position)).filter(|(n, _)| *n > 1) else {
                return *position;
            };
            // A sunflower, wider for more points.
            let wide = SPREAD * (*count as f64 / 50.0).sqrt().min(1.0);
            let radius = wide * ((*seen as f64 + 0.5) / *count as f64).sqrt();
            let (sin, cos) = (*seen as f64 * GOLDEN_ANGLE).sin_cos();
            *seen += 1;
            [position[0] + radius * cos, position[1] + radius * sin]
        })
        .collect()
}

/// The corners of the cell around a node: a square, a hexagon, or the strip of a pole.
fn cell(net: &Net, node: usize) -> Vec<[f64; 2]> {
    let [x, y] = [net.inner.row(node)[0], net.inner.row(node)[1]];
    if net.shape.has_shifted_rows() {
        let radius = 1.0 / 3.0_f64.sqrt();
        let corner = |k: usize| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / 6.0).sin_cos();
            [x + radius * cos, y + radius * sin]
        };
        return (0..6).map(corner).collect();
    }
    let is_pole = net.shape == NetShape::Sphere && (node == 0 || node + 1 == net.len());
    let (low, high) = match is_pole {
        true => (-0.5, net.sides[1] as f64 - 0.5),
        false => (y - 0.5, y + 0.5),
    };
    vec![[x - 0.5, low], [x + 0.5, low], [x + 0.5, high], [x - 0.5, high]]
}

/// The strip above a node of a line, up to the farthest point.
fn bar(net: &Net, node: usize, positions: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let x = net.inner.row(node)[0];
    let high = positions.iter().map(|p| p[1]).filter(|y| y.is_finite()).fold(0.0, f64::max);
    vec![[x - 0.5, 0.0], [x + 0.5, 0.0], [x + 0.5, high], [x - 0.5, high]]
}

fn draw_cells(
    svg: &mut Svg,
    plot: &PlotArea,
    cells: &[Vec<[f64; 2]>],
    background: Option<(&str, &[f64])>,
) {
    let high = background.map_or(1.0, |(_, values)| range(values).1);
    svg.open("stroke=\"#d8dce2\" stroke-width=\"0.6\"");
    for (node, corners) in cells.iter().enumerate() {
        let fill = match background {
            Some((_, values)) => shade(share(values[node], 0.0, high)),
            None => "#ffffff".into(),
        };
        let mut path = String::new();
        for (at, corner) in corners.iter().enumerate() {
            let [x, y] = plot.at(corner);
            let _ = write!(path, "{}{x:.2} {y:.2}", if at == 0 { "M" } else { "L" });
        }
        svg.path(&(path + "Z"), &format!("fill=\"{fill}\""));
    }
    svg.close();
    if let Some((name, _)) = background {
        shade_legend(svg, name, high);
    }
}

/// From white to a bluish gray.
fn shade(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let mix = |c: usize| {
        let [a, b] = SHADES.map(|shade| f64::from(shade[c]));
        (a + share * (b - a)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The scale of the background, above the map.
fn shade_legend(svg: &mut Svg, name: &str, high: f64) {
    const STEPS: usize = 24;
    let (width, right, y) = (96.0, LEGEND - 80.0, 37.0);
    let left = right - width;
    svg.text([left - 8.0, y + 8.0], Anchor::End, &format!("{name}  0"), "font-size=\"11\"");
    for step in 0..STEPS {
        let x = left + width * step as f64 / STEPS as f64;
        let fill = format!("fill=\"{}\"", shade((step as f64 + 0.5) / STEPS as f64));
        svg.rect([x, y], [width / STEPS as f64 + 0.4, 9.0], &fill);
    }
    svg.rect([left, y], [width, 9.0], "fill=\"none\" stroke=\"#b8b8b8\" stroke-width=\"0.6\"");
    svg.text([right + 6.0, y + 8.0], Anchor::Start, &shown(high), "font-size=\"11\"");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coloring;
    use midrib::graph::PrincipalGraph;

    fn drawn(shape: NetShape, sides: &[usize], at: &[f64]) -> String {
        let net = Net::new(shape, sides).unwrap();
        let nodes = Matrix::zeros(net.len(), 2);
        let graph = PrincipalGraph::new(nodes, &[], vec![1.0; net.len()]).unwrap();
        let coordinates = Matrix::new(at.len() / shape.dims(), shape.dims(), at.to_vec()).unwrap();
        let distance = vec![0.5; coordinates.n_rows()];
        let values: Vec<f64> = (0..net.len()).map(|node| node as f64).collect();
        let background = Some(("density", values.as_slice()));
        let map =
            MapLayout { net: &net, coordinates: &coordinates, distance: &distance, background };
        let coloring = Coloring::by_class("side", &["a", "b", "a"]);
        let scene = Scene { graph: &graph, projection: None, coloring: &coloring, title: "map" };
        map_view(&scene, &map).unwrap()
    }

    #[test]
    fn every_point_and_cell_is_drawn() {
        let at = [0.2, 0.4, 1.7, 2.9, 1.0, 1.0];
        for (shape, sides, cells) in [
            (NetShape::Rectangle, vec![3, 4], 12),
            (NetShape::Hexagonal, vec![3, 4], 12),
            (NetShape::Torus, vec![3, 4], 12),
            (NetShape::Sphere, vec![3, 4], 14),
        ] {
            let svg = drawn(shape, &sides, &at);
            assert_eq!(svg.matches("Z\"").count(), cells, "{shape:?}");
            // Three points and two entries of the legend.
            assert_eq!(svg.matches("<circle").count(), 5, "{shape:?}");
        }
        let line = drawn(NetShape::Ring, &[5], &[0.2, 3.0, 4.8]);
        assert_eq!(line.matches("Z\"").count(), 5);
        assert!(line.contains("continues across the ends of z1"));
    }

    #[test]
    fn points_at_one_position_are_spread_and_closed_axes_begin_with_half_a_cell() {
        let net = Net::new(NetShape::Torus, &[4, 4]).unwrap();
        let at = Matrix::new(3, 2, vec![3.75, 1.0, 2.0, 2.0, 2.0, 2.0]).unwrap();
        let found = positions(&net, &at, &[0.0; 3]);
        assert_eq!(found[0], [-0.25, 1.0]);
        assert!(found[1] != found[2]);
        let near = |p: [f64; 2]| (p[0] - 2.0).hypot(p[1] - 2.0) < SPREAD;
        assert!(near(found[1]) && near(found[2]));
    }
}
