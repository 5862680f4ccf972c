//! The metro map.

use midrib::graph::MetroMap;

use super::{Scene, point_radius};
use crate::coloring::{Coloring, range, share};
use crate::frame::Frame;
use crate::labels::Labels;
use crate::palette::{self, GRAY, INK};
use crate::svg::Svg;

/// Graphs of more nodes show their points along the lines in place of discs.
const MOST_DISCS: usize = 400;
/// Graphs of more tips and branch points are drawn without names.
const MOST_NAMES: usize = 60;
/// The radius of a disc at most.
const LARGEST: f64 = 26.0;
/// Discs are not smaller than this, where there is room, nor than a dot anywhere.
const SMALLEST: f64 = 3.0;
const DOT: f64 = 1.5;
/// How much of the way to the next node the smallest discs take at most.
const NEAREST: f64 = 0.4;
/// Smaller discs have no white rim: it would cut the line into dashes.
const RIMMED: f64 = 4.0;
/// Pieces that an arc is drawn in.
const PIECES: usize = 32;

/// Draws the metro map: edges in their true lengths, nodes as discs whose area tells how many
/// points they carry, as pies if the points have classes.
pub fn metro_view(scene: &Scene<'_>) -> midrib::Result<String> {
    let graph = scene.graph;
    let map = graph.metro_map()?;
    let with_discs = graph.nodes().n_rows() <= MOST_DISCS;
    let points = match scene.projection {
        Some(projection) if !with_discs => Some(map.points(graph, projection)?),
        _ => None,
    };
    let (sample, sampled) = scene.sample(points.as_ref().map_or(0, |points| points.n_rows()));
    let lengths = match map.product {
        None => "Lengths along lines are those of the graph.",
        Some(_) => {
            "A map of the one tree at each station of the other; lengths are means of copies."
        }
    };
    let mut caption = format!("{sampled}{lengths}");
    if with_discs {
        caption += " The area of a disc tells how many points it carries, but for the smallest.";
    }
    if !map.closing.is_empty() {
        caption += " Dashed lines close loops; their lengths are not true.";
    }
    let (mut svg, area) = scene.page(&caption, false);
    let arcs: Vec<Vec<[f64; 2]>> = map.closing.iter().map(|&edge| arc(scene, &map, edge)).collect();
    let all = map.nodes.rows().map(|row| [row[0], row[1]]).chain(arcs.iter().flatten().copied());
    let frame = Frame::around(area, all, true);
    for line in &arcs {
        let pixels: Vec<[f64; 2]> = line.iter().map(|place| frame.at(place)).collect();
        svg.line(
            &pixels,
            &format!("stroke=\"{GRAY}\" stroke-width=\"2\" stroke-dasharray=\"6 5\""),
        );
    }
    svg.open(&format!("stroke=\"{INK}\" stroke-width=\"2.4\" stroke-linecap=\"round\""));
    for (index, edge) in graph.edges().iter().enumerate() {
        if map.closing.binary_search(&index).is_err() {
            svg.line(&[frame.at(map.nodes.row(edge.a)), frame.at(map.nodes.row(edge.b))], "");
        }
    }
    svg.close();
    if let Some(points) = points {
        let radius = point_radius(sample.len());
        let color_of = scene.coloring.painter();
        svg.open("fill-opacity=\"0.7\"");
        for i in sample {
            let fill = format!("fill=\"{}\"", color_of(i));
            svg.circle(frame.at(points.row(i)), radius, &fill);
        }
        svg.close();
    }
    let radii = if with_discs { radii(scene, &map, &frame) } else { vec![] };
    let mut labels = Labels::default();
    if with_discs {
        discs(&mut svg, scene, &map, &frame, &radii);
        for (node, radius) in radii.iter().enumerate() {
            labels.avoid(frame.at(map.nodes.row(node)), *radius);
        }
    }
    for line in arcs.iter().flat_map(|line| line.windows(2)) {
        labels.avoid_line(frame.at(&line[0]), frame.at(&line[1]));
    }
    for (index, edge) in graph.edges().iter().enumerate() {
        if map.closing.binary_search(&index).is_err() {
            labels.avoid_line(frame.at(map.nodes.row(edge.a)), frame.at(map.nodes.row(edge.b)));
        }
    }
    // Tips and branch points; of a product, tips of both trees.
    let special = (0..graph.nodes().n_rows())
        .filter(|&node| (graph.degree(node) != 2) != map.product.is_some());
    let special: Vec<usize> = special.collect();
    if special.len() <= MOST_NAMES {
        for node in special {
            let radius = radii.get(node).copied().unwrap_or(3.0);
            labels.write(&mut svg, frame.at(map.nodes.row(node)), radius, &node.to_string());
        }
    }
    Ok(svg.finish())
}

/// The line of a closing edge.
fn arc(scene: &Scene<'_>, map: &MetroMap, edge: usize) -> Vec<[f64; 2]> {
    let at = |piece: usize| map.along(scene.graph, edge, piece as f64 / PIECES as f64).0;
    (0..=PIECES).map(at).collect()
}

/// The radius of each node's disc: its area is the node's mass, to a scale at which no two discs
/// overlap; the smallest are drawn larger.
fn radii(scene: &Scene<'_>, map: &MetroMap, frame: &Frame) -> Vec<f64> {
    let graph = scene.graph;
    let mut drawn: Vec<f64> = (0..graph.edges().len())
        .filter(|edge| map.closing.binary_search(edge).is_err())
        .map(|edge| {
            let ends = graph.edges()[edge];
            let (a, b) = (map.nodes.row(ends.a), map.nodes.row(ends.b));
            frame.pixels((a[0] - b[0]).hypot(a[1] - b[1]))
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    // Among the stations of a product, the shorter lines are those of the maps at each.
    let middle = if map.product.is_some() { drawn.len() / 4 } else { drawn.len() / 2 };
    let usual = drawn.get(middle).copied().unwrap_or(40.0);
    // Not by the heaviest, so that a few heavy nodes do not make all others vanish.
    let mut masses: Vec<f64> = graph.mass().iter().copied().filter(|mass| *mass > 0.0).collect();
    masses.sort_by(f64::total_cmp);
    let heavy = masses.get(masses.len() * 9 / 10).copied().unwrap_or(0.0);
    let share = if map.product.is_some() { 0.45 } else { 0.7 };
    let most = (share * usual).clamp(4.0, 18.0);
    let of_mass = |mass: &f64| {
        if heavy > 0.0 { (most * (mass / heavy).max(0.0).sqrt()).clamp(DOT, LARGEST) } else { 3.0 }
    };
    let places: Vec<[f64; 2]> = map.nodes.rows().map(|row| frame.at(row)).collect();
    apart(&places, graph.mass().iter().map(of_mass).collect())
}

/// Makes discs smaller by one factor until they do not overlap. None becomes smaller than can be
/// seen, or than a part of the way to the next node; crowded nodes are dots.
fn apart(places: &[[f64; 2]], mut radii: Vec<f64>) -> Vec<f64> {
    let n = places.len();
    let gap =
        |a: usize, b: usize| f64::hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]);
    let pairs = || (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    let mut least = vec![SMALLEST; n];
    for (a, b) in pairs() {
        for node in [a, b] {
            least[node] = least[node].min(NEAREST * gap(a, b)).max(DOT);
        }
    }
    for node in (0..n).filter(|&node| least[node] == DOT) {
        radii[node] = DOT;
    }
    let factor =
        pairs().filter(|&(a, b)| gap(a, b) >= 2.0 * DOT).fold(1.0_f64, |factor, (a, b)| {
            let gap = gap(a, b);
            let beside = |one: usize, other: usize| (gap - least[other]) / radii[one];
            factor.min(gap / (radii[a] + radii[b])).min(beside(a, b)).min(beside(b, a))
        });
    let sized = radii.iter().zip(&least);
    sized.map(|(radius, least)| (factor * radius).max(*least)).collect()
}

fn discs(svg: &mut Svg, scene: &Scene<'_>, map: &MetroMap, frame: &Frame, radii: &[f64]) {
    let counts = scene.class_counts();
    let means = node_means(scene);
    // As the legend has them.
    let (low, high) = match scene.coloring {
        Coloring::Values { values, .. } => range(values),
        _ => (0.0, 1.0),
    };
    // Small discs on top of large ones.
    let mut order: Vec<usize> = (0..radii.len()).collect();
    order.sort_by(|&a, &b| radii[b].total_cmp(&radii[a]).then(a.cmp(&b)));
    for node in order {
        let (place, radius) = (frame.at(map.nodes.row(node)), radii[node]);
        let rim = if radius > RIMMED { "stroke=\"#ffffff\" stroke-width=\"1.2\"" } else { "" };
        let total: usize = counts.get(node).map_or(0, |counts| counts.iter().sum());
        if total > 0 {
            if radius > RIMMED {
                svg.circle(place, radius + 0.6, &format!("fill=\"#ffffff\" {rim}"));
            }
            pie(svg, place, radius, &counts[node], total);
            continue;
        }
        let fill = match (scene.coloring, means.get(node)) {
            (Coloring::Values { .. }, Some(&mean)) => palette::of_share(share(mean, low, high)),
            (Coloring::Plain, _) => palette::of_class(0).into(),
            _ => palette::NONE.into(),
        };
        svg.circle(place, radius, &format!("fill=\"{fill}\" {rim}"));
    }
}

fn pie(svg: &mut Svg, place: [f64; 2], radius: f64, counts: &[usize], total: usize) {
    let mut before = 0;
    for (class, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let color = palette::of_class(class);
        if count == total {
            svg.circle(place, radius, &format!("fill=\"{color}\""));
        } else {
            let share = |n: usize| n as f64 / total as f64;
            svg.slice(place, radius, share(before), share(before + count), color);
        }
        before += count;
    }
}

/// The mean value of each node's points; NaN where none is known. Empty without values.
fn node_means(scene: &Scene<'_>) -> Vec<f64> {
    let (Some(projection), Coloring::Values { values, .. }) = (scene.projection, scene.coloring)
    else {
        return vec![];
    };
    let mut sums = vec![(0.0, 0.0); scene.graph.nodes().n_rows()];
    for (&node, &value) in projection.node.iter().zip(values) {
        if let (Some(sum), true) = (sums.get_mut(node), value.is_finite()) {
            sum.0 += value;
            sum.1 += 1.0;
        }
    }
    sums.into_iter().map(|(sum, n)| sum / n).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_do_not_overlap() {
        let places: Vec<[f64; 2]> = (0..60_u32)
            .map(|i| [f64::from(i % 10) * 29.0, f64::from(i / 10) * 31.0])
            .chain([[900.0, 0.0], [901.0, 0.0]])
            .collect();
        let wanted: Vec<f64> = (0..62_u32).map(|i| f64::from(2 + i % 20)).collect();
        let radii = apart(&places, wanted.clone());
        for a in 0..places.len() {
            for b in 0..a {
                let gap = f64::hypot(places[a][0] - places[b][0], places[a][1] - places[b][1]);
                let are_dots = radii[a] == DOT && radii[b] == DOT;
                assert!(are_dots || radii[a] + radii[b] <= gap + 1e-9, "{a} {b}");
            }
        }
        assert_eq!(radii[60..], [DOT, DOT]);
        // All larger discs have one scale.
        let scales = radii.iter().zip(&wanted).filter(|(radius, _)| **radius > SMALLEST);
        let scales: Vec<f64> = scales.map(|(radius, wanted)| radius / wanted).collect();
        assert!(scales.len() > 9, "{radii:?}");
        assert!(scales.iter().all(|scale| (scale - scales[0]).abs() < 1e-12), "{scales:?}");
    }

    #[test]
    fn discs_with_room_stay() {
        assert_eq!(apart(&[[0.0, 0.0], [50.0, 0.0]], vec![10.0, 20.0]), [10.0, 20.0]);
    }
}
