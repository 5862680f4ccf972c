//! The discs of a metro map; nodes that are too close together share one.

use std::f64::consts::{PI, TAU};

use midrib::graph::{MetroMap, PrincipalGraph};

use crate::plot_area::PlotArea;

/// Nodes have their own discs if the median line is at least this long, in pixels.
const MIN_LENGTH: f64 = 15.0;
/// The minimum distance of shared discs along a line.
const SPACING: f64 = 34.0;
/// A node without a disc yet.
const UNSET: usize = usize::MAX;

/// The positions of the discs, and the disc of each node.
pub struct Stations {
    pub of_node: Vec<usize>,
    /// In pixels.
    pub positions: Vec<[f64; 2]>,
}

impl Stations {
    /// One disc per tip and branch point, and others evenly between them; one per node if there is
    /// space, or on the map of a product.
    pub fn of(graph: &PrincipalGraph, map: &MetroMap, plot: &PlotArea) -> Self {
        let nodes: Vec<[f64; 2]> = map.nodes.rows().map(|row| plot.at(row)).collect();
        let drawn =
            (0..graph.edges().len()).filter(|edge| map.closing.binary_search(edge).is_err());
        let drawn: Vec<(usize, usize)> =
            drawn.map(|edge| (graph.edges()[edge].a, graph.edges()[edge].b)).collect();
        let mut lengths: Vec<f64> =
            drawn.iter().map(|&(a, b)| distance(nodes[a], nodes[b])).collect();
        lengths.sort_by(f64::total_cmp);
        let median = lengths.get(lengths.len() / 2).copied().unwrap_or(MIN_LENGTH);
        if map.product.is_some() || median >= MIN_LENGTH {
            return Self { of_node: (0..nodes.len()).collect(), positions: nodes };
        }
        let mut adjacent = vec![Vec::new(); nodes.len()];
        for &(a, b) in &drawn {
            adjacent[a].push(b);
            adjacent[b].push(a);
        }
        let is_terminus = |node: usize| graph.degree(node) != 2 || adjacent[node].len() != 2;
        let termini: Vec<usize> = (0..nodes.len()).filter(|&node| is_terminus(node)).collect();
        let mut stations = Self {
            of_node: vec![UNSET; nodes.len()],
            positions: termini.iter().map(|&node| nodes[node]).collect(),
        };
        for (station, &terminus) in termini.iter().enumerate() {
            stations.of_node[terminus] = station;
        }
        for &terminus in &termini {
            for &next in &adjacent[terminus] {
                let line = line(terminus, next, &adjacent, &is_terminus);
                // Each line is visited from both of its ends.
                if line.first() < line.last() {
                    stations.share(&line, &nodes);
                }
            }
        }
        for start in 0..nodes.len() {
            if stations.of_node[start] == UNSET {
                stations.share_ring(
                    &line(start, adjacent[start][0], &adjacent, &|at| {
                        at == start || is_terminus(at)
                    }),
                    &nodes,
                );
            }
        }
        stations
    }

    /// Assigns the nodes of a ring, which is drawn as a circle, to the nearest of evenly spaced
    /// stations.
    fn share_ring(&mut self, ring: &[usize], nodes: &[[f64; 2]]) {
        let count = ring.len() as f64;
        let mean = |axis: usize| ring.iter().map(|&node| nodes[node][axis]).sum::<f64>() / count;
        let first = nodes[ring[0]];
        // The first node is there twice.
        let center = [0, 1].map(|axis| (mean(axis) * count - first[axis]) / (count - 1.0));
        let radius = distance(center, first);
        let angle = |[x, y]: [f64; 2]| (y - center[1]).atan2(x - center[0]);
        let parts = (PI / (SPACING / (2.0 * radius)).clamp(0.0, 1.0).asin()).floor().max(3.0);
        let mut around = vec![None; parts as usize];
        for &node in ring {
            let turn = (angle(nodes[node]) - angle(first)).rem_euclid(TAU) / TAU;
            let part = (turn * parts).round() as usize % around.len();
            self.of_node[node] = *around[part].get_or_insert_with(|| {
                let (sin, cos) = (angle(first) + TAU * part as f64 / parts).sin_cos();
                self.positions.push([center[0] + radius * cos, center[1] + radius * sin]);
                self.positions.len() - 1
            });
        }
    }

    /// Assigns the inner nodes of a straight line to the nearest of evenly spaced stations.
    fn share(&mut self, line: &[usize], nodes: &[[f64; 2]]) {
        let [.., last] = line else { return };
        let (from, to) = (nodes[line[0]], nodes[*last]);
        let length = distance(from, to);
        let parts = (length / SPACING).floor().max(1.0);
        let mut inside = vec![None; parts as usize];
        inside[0] = Some(self.of_node[line[0]]);
        for &node in &line[1..line.len() - 1] {
            let part = (parts * distance(from, nodes[node]) / length).round();
            if part >= parts {
                self.of_node[node] = self.of_node[*last];
                continue;
            }
            let share = part / parts;
            self.of_node[node] = *inside[part as usize].get_or_insert_with(|| {
                let along = |axis: usize| from[axis] + share * (to[axis] - from[axis]);
                self.positions.push([along(0), along(1)]);
                self.positions.len() - 1
            });
        }
    }

    /// The sums of node values at each station.
    pub fn sums(&self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.positions.len()];
        self.of_node.iter().zip(values).for_each(|(&station, value)| sums[station] += value);
        sums
    }
}

/// The nodes of a line: from a terminus through `next` to the next terminus.
fn line(
    terminus: usize,
    next: usize,
    adjacent: &[Vec<usize>],
    is_terminus: &impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut line = vec![terminus, next];
    let (mut before, mut last) = (terminus, next);
    while !is_terminus(last)
        && let Some(&further) = adjacent[last].iter().find(|&&node| node != before)
    {
        line.push(further);
        (before, last) = (last, further);
    }
    line
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    f64::hypot(a[0] - b[0], a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use midrib::math::Matrix;

    use super::*;
    use crate::plot_area::Area;

    /// Three arms of `n` nodes each around node 0, or a ring of `3 n`.
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
        let plot = PlotArea::around(area, map.nodes.rows().map(|row| [row[0], row[1]]), true);
        let stations = Stations::of(&graph, &map, &plot);
        (graph, stations)
    }

    #[test]
    fn every_node_counts_once_and_stations_keep_their_distance() {
        for ring in [false, true] {
            let (graph, stations) = stations(60, ring);
            assert!(stations.positions.len() < 60, "{}", stations.positions.len());
            let sums = stations.sums(graph.mass().iter().copied());
            assert_eq!(sums.iter().sum::<f64>(), graph.mass().iter().sum::<f64>());
            assert!(sums.iter().all(|sum| *sum >= 1.0), "{sums:?}");
            let positions = &stations.positions;
            for (i, &a) in positions.iter().enumerate() {
                for &b in &positions[..i] {
                    assert!(distance(a, b) > SPACING - 1e-9, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn nodes_with_enough_space_have_their_own_station() {
        let (_, stations) = stations(5, false);
        assert_eq!(stations.of_node, (0..16).collect::<Vec<_>>());
    }
}
