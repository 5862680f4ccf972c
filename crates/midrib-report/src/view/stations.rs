//! The discs of a metro map: nodes that lie too close together share one.

use midrib::graph::{MetroMap, PrincipalGraph};

use crate::frame::Frame;

/// Nodes have discs of their own where lines are usually this long, in pixels.
const ROOM: f64 = 15.0;
/// Shared discs are at least this far apart along a line.
const SPACING: f64 = 34.0;

/// Where discs stand, and which of them is each node's.
pub struct Stations {
    pub of_node: Vec<usize>,
    /// In pixels.
    pub places: Vec<[f64; 2]>,
}

impl Stations {
    /// One for each tip and branch point, others evenly between them; one for each node where
    /// there is room, or on the map of a product.
    pub fn of(graph: &PrincipalGraph, map: &MetroMap, frame: &Frame) -> Self {
        let nodes: Vec<[f64; 2]> = map.nodes.rows().map(|row| frame.at(row)).collect();
        let drawn =
            (0..graph.edges().len()).filter(|edge| map.closing.binary_search(edge).is_err());
        let drawn: Vec<(usize, usize)> =
            drawn.map(|edge| (graph.edges()[edge].a, graph.edges()[edge].b)).collect();
        let mut lengths: Vec<f64> = drawn.iter().map(|&(a, b)| gap(nodes[a], nodes[b])).collect();
        lengths.sort_by(f64::total_cmp);
        let usual = lengths.get(lengths.len() / 2).copied().unwrap_or(ROOM);
        if map.product.is_some() || usual >= ROOM {
            return Self { of_node: (0..nodes.len()).collect(), places: nodes };
        }
        let mut beside = vec![Vec::new(); nodes.len()];
        for &(a, b) in &drawn {
            beside[a].push(b);
            beside[b].push(a);
        }
        let is_end = |node: usize| graph.degree(node) != 2 || beside[node].len() != 2;
        let ends: Vec<usize> = (0..nodes.len()).filter(|&node| is_end(node)).collect();
        let mut stations = Self {
            of_node: vec![0; nodes.len()],
            places: ends.iter().map(|&e| nodes[e]).collect(),
        };
        for (station, &end) in ends.iter().enumerate() {
            stations.of_node[end] = station;
        }
        for &end in &ends {
            for &next in &beside[end] {
                let line = line(end, next, &beside, &is_end);
                // Each line is met from both of its ends.
                if line.first() < line.last() {
                    stations.share(&line, &nodes);
                }
            }
        }
        stations
    }

    /// Gives the nodes inside a straight line to the nearest of stations that part it evenly.
    fn share(&mut self, line: &[usize], nodes: &[[f64; 2]]) {
        let [.., last] = line else { return };
        let (from, to) = (nodes[line[0]], nodes[*last]);
        let length = gap(from, to);
        let parts = (length / SPACING).floor().max(1.0);
        let mut inside = vec![None; parts as usize];
        inside[0] = Some(self.of_node[line[0]]);
        for &node in &line[1..line.len() - 1] {
            let part = (parts * gap(from, nodes[node]) / length).round();
            if part >= parts {
                self.of_node[node] = self.of_node[*last];
                continue;
            }
            let share = part / parts;
            self.of_node[node] = *inside[part as usize].get_or_insert_with(|| {
                let along = |axis: usize| from[axis] + share * (to[axis] - from[axis]);
                self.places.push([along(0), along(1)]);
                self.places.len() - 1
            });
        }
    }

    /// The sums of nodes' values at each station.
    pub fn sums(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.places.len()];
        self.of_node.iter().zip(values).for_each(|(&station, value)| sums[station] += value);
        sums
    }
}

/// The nodes from an end by way of the next node to another end.
fn line(
    end: usize,
    next: usize,
    beside: &[Vec<usize>],
    is_end: &impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut line = vec![end, next];
    let (mut before, mut last) = (end, next);
    while !is_end(last)
        && let Some(&further) = beside[last].iter().find(|&&node| node != before)
    {
        line.push(further);
        (before, last) = (last, further);
    }
    line
}

fn gap(a: [f64; 2], b: [f64; 2]) -> f64 {
    f64::hypot(a[0] - b[0], a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use midrib::math::Matrix;

    use super::*;
    use crate::frame::Area;

    /// Three arms of `n` nodes each about node 0, or a ring of `3 n`.
    fn stations(n: usize, ring: bool) -> (PrincipalGraph, Stations) {
        let (mut nodes, mut edges) = (vec![[0.0, 0.0]], Vec::new());
        for arm in 0..3 {
            let (sin, cos) = (2.1 * f64::from(arm)).sin_cos();
            for i in 1..=n {
                let before = if i == 1 && !ring { 0 } else { nodes.len() - 1 };
                edges.push((before, nodes.len(), 1.0));
                nodes.push([i as f64 * cos, i as f64 * sin]);
            }
        }
        if ring {
            edges.push((0, nodes.len() - 1, 1.0));
        }
        let mass = vec![1.0; nodes.len()];
        let graph = PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, mass).unwrap();
        let map = graph.metro_map().unwrap();
        let area = Area { left: 0.0, top: 0.0, right: 600.0, bottom: 600.0 };
        let frame = Frame::around(area, map.nodes.rows().map(|row| [row[0], row[1]]), true);
        let stations = Stations::of(&graph, &map, &frame);
        (graph, stations)
    }

    #[test]
    fn every_node_is_counted_once_and_stations_stand_apart() {
        for ring in [false, true] {
            let (graph, stations) = stations(60, ring);
            assert!(stations.places.len() < 60, "{}", stations.places.len());
            let sums = stations.sums(graph.mass().iter().copied());
            assert_eq!(sums.iter().sum::<f64>(), graph.mass().iter().sum::<f64>());
            assert!(sums.iter().all(|sum| *sum >= 1.0), "{sums:?}");
            let places = &stations.places;
            for (i, &a) in places.iter().enumerate() {
                for &b in &places[..i] {
                    assert!(gap(a, b) > SPACING - 1e-9, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn nodes_with_room_stay_alone() {
        let (_, stations) = stations(5, false);
        assert_eq!(stations.of_node, (0..16).collect::<Vec<_>>());
    }
}
