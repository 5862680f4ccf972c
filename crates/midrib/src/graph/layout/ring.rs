//! A ring, drawn as one: its nodes on a circle, its edges as chords of their true lengths.

use std::f64::consts::PI;

use crate::graph::PrincipalGraph;

/// Halvings of the interval that holds the radius.
const HALVINGS: usize = 200;

/// All edges but the longest have to be longer than it by this factor.
const LEAST_SLACK: f64 = 1.0 + 1e-6;

/// The nodes of the component that contains `first` around a circle with the center (0, 0), if all of
/// them have two edges. None if one edge is longer than all others together, which no circle allows.
pub(super) fn ring(graph: &PrincipalGraph, first: usize) -> Option<(Vec<usize>, Vec<[f64; 2]>)> {
    let (nodes, lengths) = around(graph, first)?;
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let rest: f64 = lengths.iter().sum::<f64>() - longest;
    if longest <= 0.0 || rest <= LEAST_SLACK * longest {
        return None;
    }
    // Angles of the chords relative to `longest`; the center may lie on the far side of the longest.
    let angle = |length: f64, radius: f64| 2.0 * (0.5 * length / longest / radius).min(1.0).asin();
    let others = |radius: f64| -> f64 {
        let of_longest = angle(longest, radius);
        lengths.iter().map(|&length| angle(length, radius)).sum::<f64>() - of_longest
    };
    let is_beyond = others(0.5) < PI;
    let excess = |radius: f64| {
        let own = angle(longest, radius);
        match is_beyond {
            true => own - others(radius),
            false => others(radius) + own - 2.0 * PI,
        }
    };
    let (mut low, mut high) = (0.5, 0.5 * lengths.len() as f64);
    while is_beyond && excess(high) > 0.0 && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let radius = 0.5 * (low + high);
    let turn = |length: f64| {
        let own = angle(length, radius);
        if is_beyond && length == longest { 2.0 * PI - own } else { own }
    };
    let mut heading = 0.0_f64;
    let mut positions = Vec::with_capacity(nodes.len());
    for &length in &lengths {
        let (sin, cos) = heading.sin_cos();
        positions.push([longest * radius * cos, longest * radius * sin]);
        heading += turn(length);
    }
    Some((nodes, positions))
}

/// The nodes around a ring, each with the length of the edge to the next.
fn around(graph: &PrincipalGraph, first: usize) -> Option<(Vec<usize>, Vec<f64>)> {
    let (mut nodes, mut lengths) = (vec![first], Vec::new());
    let (mut node, mut before) = (first, None);
    loop {
        if graph.degree(node) != 2 {
            return None;
        }
        let mut others = graph.neighbors(node).iter().copied();
        let (edge, next) = others.find(|&(edge, _)| Some(edge) != before)?;
        lengths.push(graph.edges()[edge].length);
        if next == first {
            return Some((nodes, lengths));
        }
        nodes.push(next);
        (node, before) = (next, Some(edge));
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::PrincipalGraph;
    use crate::math::Matrix;

    fn map(nodes: &[[f64; 2]]) -> (PrincipalGraph, crate::graph::MetroMap) {
        let n = nodes.len();
        let edges: Vec<_> = (0..n).map(|i| (i, (i + 1) % n, 1.0)).collect();
        let nodes = Matrix::from_rows(nodes).unwrap();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; n]).unwrap();
        let map = graph.metro_map().unwrap();
        (graph, map)
    }

    #[test]
    fn rings_are_circles_with_true_lengths() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let uneven = [[0.0, 0.0], [9.0, 0.1], [5.0, 0.7], [4.0, 0.2], [2.0, 0.3]];
        let many: Vec<[f64; 2]> = (0..90)
            .map(|i| f64::from(i) / 90.0 * std::f64::consts::TAU)
            .map(|t| [3.0 * t.cos(), t.sin() * (1.0 + 0.2 * (5.0 * t).cos())])
            .collect();
        for nodes in [&square[..], &uneven[..], &many[..]] {
            let (graph, map) = map(nodes);
            assert!(map.closing.is_empty());
            assert_eq!(map.crossings, 0);
            for edge in graph.edges() {
                let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
                let drawn = f64::hypot(a[0] - b[0], a[1] - b[1]);
                assert!((drawn - edge.length).abs() < 1e-9 * graph.length(), "{drawn}");
            }
        }
    }

    #[test]
    fn a_ring_that_fits_no_circle_is_cut() {
        let flat = [[0.0, 0.0], [9.0, 0.0], [5.0, 0.0], [4.0, 0.0]];
        assert_eq!(map(&flat).1.closing.len(), 1);
    }
}
