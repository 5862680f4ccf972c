//! The metro map.

use midrib::graph::MetroMap;

use super::stations::Stations;
use super::{Scene, point_radius};
use crate::coloring::{Coloring, range, share};
use crate::labels::Labels;
use crate::palette::{self, GRAY, INK};
use crate::plot_area::PlotArea;
use crate::svg::Svg;

/// Graphs with more nodes show their points along the lines instead of discs.
const MAX_DISCS: usize = 400;
/// Graphs with more tips and branch points are drawn without labels.
const MAX_NAMES: usize = 60;
/// The maximum radius of a disc.
const LARGEST: f64 = 26.0;
/// The minimum radius of a disc if there is space; crowded discs shrink to a dot.
const SMALLEST: f64 = 3.0;
const DOT: f64 = 1.5;
/// The maximum share of the distance between them that two discs cover; the rest shows the line.
const TAKEN: f64 = 0.8;
/// The share of the discs that may be drawn smaller than their mass, so that the others need not be.
const CROWDED: f64 = 0.1;
/// Smaller discs have no white rim, which would cut the line into dashes.
const RIMMED: f64 = 4.0;
/// The number of segments of an arc.
const SEGMENTS: usize = 32;

/// Draws the metro map: edges with their true lengths, and nodes as discs whose areas show how many
/// points they have, as pies if the points have classes. If there are many nodes, several share
/// a disc.
pub fn metro_view(scene: &Scene<'_>) -> midrib::Result<String> {
    let graph = scene.graph;
    let map = graph.metro_map()?;
    let with_discs = graph.nodes().n_rows() <= MAX_DISCS;
    let points = match scene.projection {
        Some(projection) if !with_discs => Some(map.points(graph, projection)?),
        _ => None,
    };
    let (sample, sampled) = scene.sample(points.as_ref().map_or(0, |points| points.n_rows()));
    let (mut svg, area) = scene.page(&caption(&map, &sampled, with_discs), false);
    let arcs: Vec<Vec<[f64; 2]>> = map.closing.iter().map(|&edge| arc(scene, &map, edge)).collect();
    let all = map.nodes.rows().map(|row| [row[0], row[1]]).chain(arcs.iter().flatten().copied());
    let plot = PlotArea::around(area, all, true);
    let mut labels = Labels::default();
    draw_lines(&mut svg, &mut labels, scene, &map, &arcs, &plot);
    if let Some(points) = points {
        let radius = point_radius(sample.len());
        let color_of = scene.coloring.painter();
        svg.open("fill-opacity=\"0.7\"");
        for i in sample {
            let fill = format!("fill=\"{}\"", color_of(i));
            svg.circle(plot.at(points.row(i)), radius, &fill);
        }
        svg.close();
    }
    let mut radius_at = vec![3.0; graph.nodes().n_rows()];
    if with_discs {
        let stations = Stations::of(graph, &map, &plot);
        let radii = radii(scene, &map, &stations);
        discs(&mut svg, scene, &stations, &radii);
        for (position, radius) in stations.positions.iter().zip(&radii) {
            labels.avoid(*position, *radius);
        }
        radius_at = stations.of_node.iter().map(|&station| radii[station]).collect();
    }
    // Tips and branch points; for a product, the tips of both trees.
    let special = (0..graph.nodes().n_rows())
        .filter(|&node| (graph.degree(node) != 2) != map.product.is_some());
    let special: Vec<usize> = special.collect();
    if special.len() <= MAX_NAMES {
        for node in special {
            let position = plot.at(map.nodes.row(node));
            labels.write(&mut svg, position, radius_at[node], &node.to_string());
        }
    }
    Ok(svg.finish())
}

fn caption(map: &MetroMap, sampled: &str, with_discs: bool) -> String {
    let lengths = match map.product {
        None => "Lines have the lengths of the graph's edges.",
        Some(_) => {
            "A map of one tree at each node of the other; lengths are means over the copies."
        }
    };
    let mut caption = format!("{sampled}{lengths}");
    if with_discs {
        caption += " The area of a disc shows how many points the nodes around it have, unless the \
                    disc is small or crowded.";
    }
    if !map.closing.is_empty() {
        caption += " Dashed lines close loops and are not to scale.";
    }
    caption
}

/// Draws edges as lines and closing edges as dashed arcs, and keeps labels away from them.
fn draw_lines(
    svg: &mut Svg,
    labels: &mut Labels,
    scene: &Scene<'_>,
    map: &MetroMap,
    arcs: &[Vec<[f64; 2]>],
    plot: &PlotArea,
) {
    for line in arcs {
        let pixels: Vec<[f64; 2]> = line.iter().map(|position| plot.at(position)).collect();
        svg.line(
            &pixels,
            &format!("stroke=\"{GRAY}\" stroke-width=\"2\" stroke-dasharray=\"6 5\""),
        );
        pixels.windows(2).for_each(|pair| labels.avoid_line(pair[0], pair[1]));
    }
    svg.open(&format!("stroke=\"{INK}\" stroke-width=\"2.4\" stroke-linecap=\"round\""));
    for (index, edge) in scene.graph.edges().iter().enumerate() {
        if map.closing.binary_search(&index).is_err() {
            let line = [edge.a, edge.b].map(|node| plot.at(map.nodes.row(node)));
            svg.line(&line, "");
            labels.avoid_line(line[0], line[1]);
        }
    }
    svg.close();
}

/// The polyline of a closing edge.
fn arc(scene: &Scene<'_>, map: &MetroMap, edge: usize) -> Vec<[f64; 2]> {
    let at = |step: usize| map.along(scene.graph, edge, step as f64 / SEGMENTS as f64).0;
    (0..=SEGMENTS).map(at).collect()
}

/// The radius of each disc: its area is proportional to the mass of its nodes, at a scale at which
/// few discs would overlap.
fn radii(scene: &Scene<'_>, map: &MetroMap, stations: &Stations) -> Vec<f64> {
    let masses = stations.sums(scene.graph.mass().iter().copied());
    // Relative to a quantile, so that a few heavy nodes do not make all others tiny.
    let mut sorted: Vec<f64> = masses.iter().copied().filter(|mass| *mass > 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    let heavy = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(0.0);
    // In a product, the inner maps need space between them.
    let most = if map.product.is_some() { 8.0 } else { 18.0 };
    let of_mass = |mass: &f64| match heavy > 0.0 {
        true => (most * (mass / heavy).max(0.0).sqrt()).clamp(SMALLEST, LARGEST),
        false => SMALLEST,
    };
    shrink(&stations.positions, masses.iter().map(of_mass).collect())
}

/// Shrinks discs until they do not overlap: all by one factor, and the most crowded ones further, down
/// to a dot.
fn shrink(positions: &[[f64; 2]], radii: Vec<f64>) -> Vec<f64> {
    let distance = |a: [f64; 2], b: [f64; 2]| f64::hypot(a[0] - b[0], a[1] - b[1]);
    // The factor at which each disc is just far enough from the others.
    let fits = |i: usize, radii: &[f64]| {
        let others = (0..positions.len()).filter(|&j| j != i);
        let factors =
            others.map(|j| TAKEN * distance(positions[i], positions[j]) / (radii[i] + radii[j]));
        factors.fold(1.0_f64, f64::min)
    };
    let mut factors: Vec<f64> = (0..positions.len()).map(|i| fits(i, &radii)).collect();
    factors.sort_by(f64::total_cmp);
    let factor = factors.get((CROWDED * factors.len() as f64) as usize).copied().unwrap_or(1.0);
    let scaled: Vec<f64> = radii.iter().map(|radius| factor * radius).collect();
    (0..positions.len()).map(|i| (fits(i, &scaled) * scaled[i]).max(DOT)).collect()
}

fn discs(svg: &mut Svg, scene: &Scene<'_>, stations: &Stations, radii: &[f64]) {
    let counts = class_counts(scene, stations);
    let means = means(scene, stations);
    // The same range as the legend.
    let (low, high) = match scene.coloring {
        Coloring::Values { values, .. } => range(values),
        _ => (0.0, 1.0),
    };
    // Small discs on top of large ones.
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]).then(a.cmp(&b)));
    for station in order {
        let (position, radius) = (stations.positions[station], radii[station]);
        let rim = if radius > RIMMED { "stroke=\"#ffffff\" stroke-width=\"1.2\"" } else { "" };
        let total: usize = counts.get(station).map_or(0, |counts| counts.iter().sum());
        if total > 0 {
            if radius > RIMMED {
                svg.circle(position, radius + 0.6, &format!("fill=\"#ffffff\" {rim}"));
            }
            pie(svg, position, radius, &counts[station], total);
            continue;
        }
        let fill = match (scene.coloring, means.get(station)) {
            (Coloring::Values { .. }, Some(&mean)) => palette::of_share(share(mean, low, high)),
            (Coloring::Plain, _) => palette::of_class(0).into(),
            _ => palette::NONE.into(),
        };
        svg.circle(position, radius, &format!("fill=\"{fill}\" {rim}"));
    }
}

fn pie(svg: &mut Svg, position: [f64; 2], radius: f64, counts: &[usize], total: usize) {
    let mut before = 0;
    for (class, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let color = palette::of_class(class);
        if count == total {
            svg.circle(position, radius, &format!("fill=\"{color}\""));
        } else {
            let share = |n: usize| n as f64 / total as f64;
            svg.slice(position, radius, share(before), share(before + count), color);
        }
        before += count;
    }
}

/// The number of points of each class at each station; empty without classes.
fn class_counts(scene: &Scene<'_>, stations: &Stations) -> Vec<Vec<usize>> {
    let of_nodes = scene.class_counts();
    let classes = of_nodes.first().map_or(0, Vec::len);
    let mut counts = vec![vec![0; classes]; if classes > 0 { stations.positions.len() } else { 0 }];
    for (of_node, &station) in of_nodes.iter().zip(&stations.of_node) {
        counts[station].iter_mut().zip(of_node).for_each(|(sum, count)| *sum += count);
    }
    counts
}

/// The mean value of the points at each station; NaN if all are missing. Empty without values.
fn means(scene: &Scene<'_>, stations: &Stations) -> Vec<f64> {
    let (Some(projection), Coloring::Values { values, .. }) = (scene.projection, scene.coloring)
    else {
        return vec![];
    };
    let mut sums = vec![(0.0, 0.0); stations.positions.len()];
    for (&node, &value) in projection.node.iter().zip(values) {
        if let (Some(&station), true) = (stations.of_node.get(node), value.is_finite()) {
            sums[station].0 += value;
            sums[station].1 += 1.0;
        }
    }
    sums.into_iter().map(|(sum, n)| sum / n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_do_not_overlap() {
        let positions: Vec<[f64; 2]> = (0..60_u32)
            .map(|i| [f64::from(i % 10) * 29.0, f64::from(i / 10) * 31.0])
            .chain([[900.0, 0.0], [901.0, 0.0]])
            .collect();
        let wanted: Vec<f64> = (0..62_u32).map(|i| f64::from(4 + i % 18)).collect();
        let radii = shrink(&positions, wanted.clone());
        for a in 0..positions.len() {
            for b in 0..a {
                let distance = f64::hypot(
                    positions[a][0] - positions[b][0],
                    positions[a][1] - positions[b][1],
                );
                let are_dots = radii[a] == DOT && radii[b] == DOT;
                assert!(are_dots || radii[a] + radii[b] <= distance + 1e-9, "{a} {b}");
            }
        }
        assert_eq!(radii[60..], [DOT, DOT]);
        // All but the most crowded have the same scale.
        let mut scales: Vec<f64> =
            radii.iter().zip(&wanted).map(|(r, wanted)| r / wanted).collect();
        scales.sort_by(|a, b| b.total_cmp(a));
        assert!(scales[..54].iter().all(|scale| (scale - scales[0]).abs() < 1e-12), "{scales:?}");
    }

    #[test]
    fn discs_with_enough_space_keep_their_size() {
        assert_eq!(shrink(&[[0.0, 0.0], [50.0, 0.0]], vec![10.0, 20.0]), [10.0, 20.0]);
    }
}
