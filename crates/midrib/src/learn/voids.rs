//! Which edges of a graph cross a void: they have fewer points than the edges around them suggest.
//!
//! A single edge may be empty by chance, but not a path of several, so paths are judged as a whole:
//! of all sections of an unbranched path, the one with the largest likelihood ratio (Kulldorff1997).
//! The outer quarters of its end edges do not count: they hold the points of the end nodes. Unlike in
//! the paper, the probability is that of each section alone, not that of the emptiest of many.

use crate::assign::Rows;
use crate::connect::Topology;
use crate::math::{Matrix, squared_distance};

/// The number of expected points comes from edges up to this many steps away.
const AROUND: usize = 6;
/// The share of the expected points that a supported edge has in its middle half, at least.
const SUPPORTED: f64 = 0.4;
/// The share of the expected points that a void has, at most,
const SPARSE: f64 = 0.2;
/// and the largest probability of so few points by chance.
const RARE: f64 = 0.001;
/// The length of a bridge in median edges, at least,
const LONG: f64 = 3.0;
/// and the largest probability of so few points by chance: few edges are that long.
const UNLIKELY: f64 = 0.01;
/// The same for a bridge that continues a curve, which may be the widest gap of the curve.
const UNLIKELY_GAP: f64 = 3e-4;
/// The smallest cosine of the turns at both ends of such a bridge.
const STRAIGHT: f64 = 0.85;
/// Sums of weights are exact up to this.
const ROUNDING: f64 = 1e-6;

/// The points along the edges of a graph, and the expected number of them.
pub(super) struct Voids<'g> {
    topology: &'g Topology,
    nodes: &'g Matrix,
    edges: Vec<(usize, usize)>,
    counts: Vec<Count>,
    /// Per edge, from the edges around it.
    expected: Vec<f64>,
}

/// The weight of the points projected onto an edge, in units of the mean weight: in the quarter at
/// its first node, in the middle half and in the quarter at its second node.
#[derive(Clone, Copy, Default)]
struct Count {
    first: f64,
    middle: f64,
    second: f64,
}

impl Count {
    fn whole(self) -> f64 {
        self.first + self.middle + self.second
    }

    fn add(&mut self, share: f64, weight: f64) {
        let part = match share {
            ..0.25 => &mut self.first,
            0.25..=0.75 => &mut self.middle,
            _ => &mut self.second,
        };
        *part += weight;
    }
}

impl<'g> Voids<'g> {
    /// Projects the rows onto the edges.
    pub fn new(topology: &'g Topology, nodes: &'g Matrix, rows: &Rows) -> Self {
        let edges: Vec<(usize, usize)> = topology.edges().collect();
        let counts = counts(nodes, &edges, rows);
        Self::with(topology, nodes, edges, counts)
    }

    /// From projected points: the number of the edge in ascending order, the position on it and the
    /// weight of each point, whose mean is 1.
    pub fn of_projection(
        topology: &'g Topology,
        nodes: &'g Matrix,
        projected: impl Iterator<Item = (usize, f64, f64)>,
    ) -> Self {
        let edges: Vec<(usize, usize)> = topology.edges().collect();
        let mut counts = vec![Count::default(); edges.len()];
        projected.for_each(|(edge, share, weight)| counts[edge].add(share, weight));
        Self::with(topology, nodes, edges, counts)
    }

    fn with(
        topology: &'g Topology,
        nodes: &'g Matrix,
        edges: Vec<(usize, usize)>,
        counts: Vec<Count>,
    ) -> Self {
        let around = Around { topology, nodes, edges: &edges, counts: &counts };
        let expected = (0..edges.len()).map(|edge| around.expected(edge)).collect();
        Self { topology, nodes, edges, counts, expected }
    }

    /// Whether the middle of an edge has about as many points as expected.
    pub fn has_points(&self, edge: (usize, usize)) -> bool {
        self.edges
            .binary_search(&edge)
            .is_ok_and(|edge| self.counts[edge].middle >= SUPPORTED * 0.5 * self.expected[edge])
    }

    /// The edges that cross a void.
    pub fn empty_edges(&self) -> Vec<(usize, usize)> {
        let mut empty = Vec::new();
        let mut paths = self.paths();
        while let Some(path) = paths.pop() {
            if let Some((first, last)) = self.emptiest_section(&path) {
                empty.extend(path[first..=last].iter().map(|step| self.edges[step.edge]));
                paths.extend([path[..first].to_vec(), path[last + 1..].to_vec()]);
            }
        }
        empty.sort_unstable();
        empty
    }

    /// Long edges between inner nodes that cross a void.
    pub fn bridges(&self) -> Vec<(usize, usize)> {
        let length = |&(a, b): &(usize, usize)| distance(self.nodes.row(a), self.nodes.row(b));
        let mut lengths: Vec<f64> = self.edges.iter().map(length).collect();
        lengths.sort_by(f64::total_cmp);
        let long = lengths.get(lengths.len() / 2).map_or(0.0, |median| LONG * median);
        let is_inner = |node: usize| self.topology.neighbors(node).len() > 1;
        let is_empty = |edge: usize| {
            let (count, expected) = (self.counts[edge].middle, 0.5 * self.expected[edge]);
            let is_gap = self.continues_curve(self.edges[edge]);
            let rare = if is_gap { UNLIKELY_GAP } else { UNLIKELY };
            count < SPARSE * expected && chance_of_at_most(count, expected) < rare
        };
        let all = self.edges.iter().enumerate();
        let bridges = all.filter(|(number, edge)| {
            length(edge) >= long && is_inner(edge.0) && is_inner(edge.1) && is_empty(*number)
        });
        bridges.map(|(_, edge)| *edge).collect()
    }

    /// Whether an edge continues the unbranched paths at both of its nodes: it may be the widest gap of
    /// a curve.
    fn continues_curve(&self, (a, b): (usize, usize)) -> bool {
        let along = difference(self.nodes.row(b), self.nodes.row(a));
        let directions = [self.direction_to(a, b), self.direction_to(b, a)];
        let [Some(there), Some(back)] = directions else { return false };
        cosine(&there, &along) > STRAIGHT && cosine(&back, &along) < -STRAIGHT
    }

    /// The direction in which the unbranched path on the side away from `other` arrives at a node, over
    /// the distance of the two; none without such a path.
    fn direction_to(&self, node: usize, other: usize) -> Option<Vec<f64>> {
        let reach = distance(self.nodes.row(node), self.nodes.row(other));
        let (mut last, mut at) = (other, node);
        while let [p, q] = *self.topology.neighbors(at) {
            (last, at) = (at, if p == last { q } else { p });
            if at == other || distance(self.nodes.row(at), self.nodes.row(node)) >= reach {
                break;
            }
        }
        (at != node).then(|| difference(self.nodes.row(node), self.nodes.row(at)))
    }

    /// The unbranched paths. A ring starts at its fullest edge.
    fn paths(&self) -> Vec<Vec<Step>> {
        let ends = self.edges.iter().enumerate().flat_map(|(edge, &(a, b))| {
            let ends = [a, b].into_iter().filter(|&end| self.topology.neighbors(end).len() != 2);
            ends.map(move |end| (edge, end))
        });
        let mut on_rings: Vec<usize> = (0..self.edges.len()).collect();
        on_rings.sort_by(|&a, &b| self.counts[b].whole().total_cmp(&self.counts[a].whole()));
        let on_rings = on_rings.into_iter().map(|edge| (edge, self.edges[edge].0));
        let mut seen = vec![false; self.edges.len()];
        ends.chain(on_rings).map(|(edge, from)| self.path(edge, from, &mut seen)).collect()
    }

    /// The path that enters an edge at one of its nodes, up to the next tip, branch point or seen
    /// edge.
    fn path(&self, edge: usize, from: usize, seen: &mut [bool]) -> Vec<Step> {
        let mut path = Vec::new();
        let mut next = Some((edge, from));
        while let Some((edge, from)) = next.filter(|&(edge, _)| !seen[edge]) {
            seen[edge] = true;
            let (a, b) = self.edges[edge];
            let Count { first, middle, second } = self.counts[edge];
            let (to, first, second) =
                if from == a { (b, first, second) } else { (a, second, first) };
            path.push(Step { edge, count: Count { first, middle, second } });
            next = match self.topology.neighbors(to) {
                [p, q] => {
                    let onward = if *p == from { *q } else { *p };
                    let pair = (to.min(onward), to.max(onward));
                    self.edges.binary_search(&pair).ok().map(|edge| (edge, to))
                }
                _ => None,
            };
        }
        path
    }

    /// The section of a path that is most clearly a void, as the indices of its first and last edge.
    fn emptiest_section(&self, path: &[Step]) -> Option<(usize, usize)> {
        let mut clearest = (0.0, None);
        for (first, start) in path.iter().enumerate() {
            let mut count = -start.count.first;
            let mut expected = -0.25 * self.expected[start.edge];
            for (last, step) in path.iter().enumerate().skip(first) {
                count += step.count.whole();
                expected += self.expected[step.edge];
                let count = count - step.count.second;
                let expected = expected - 0.25 * self.expected[step.edge];
                let ratio = likelihood_ratio(count, expected);
                if count < SPARSE * expected
                    && chance_of_at_most(count, expected) < RARE
                    && ratio > clearest.0
                {
                    clearest = (ratio, Some((first, last)));
                }
            }
        }
        clearest.1
    }
}

/// An edge of a path, with its count in the direction of the path.
#[derive(Clone)]
struct Step {
    edge: usize,
    count: Count,
}

fn counts(nodes: &Matrix, edges: &[(usize, usize)], rows: &Rows) -> Vec<Count> {
    let mut counts = vec![Count::default(); edges.len()];
    let mean = rows.weights.iter().sum::<f64>() / rows.weights.len() as f64;
    for (x, weight) in rows.values.rows().zip(&rows.weights) {
        let mut best = (f64::INFINITY, 0, 0.0);
        for (edge, &(a, b)) in edges.iter().enumerate() {
            let (squared, share) = on_edge(x, nodes.row(a), nodes.row(b));
            if squared < best.0 {
                best = (squared, edge, share);
            }
        }
        let (squared, edge, share) = best;
        if squared.sqrt() <= rows.radius
            && let Some(count) = counts.get_mut(edge)
        {
            count.add(share, weight / mean);
        }
    }
    counts
}

/// The squared distance to an edge, skipping missing values, and the position of the projection.
fn on_edge(x: &[f64], a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut along, mut square) = (0.0, 0.0);
    for ((x, a), b) in x.iter().zip(a).zip(b).filter(|((x, _), _)| !x.is_nan()) {
        along += (x - a) * (b - a);
        square += (b - a) * (b - a);
    }
    let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    // Exactly at the second node: rounding must not decide which of two edges a point at their shared
    // node belongs to.
    let on = |(a, b): (&f64, &f64)| if share == 1.0 { *b } else { a + share * (b - a) };
    let projection = a.iter().zip(b).map(on);
    let known = x.iter().zip(projection).filter(|(x, _)| !x.is_nan());
    (known.map(|(x, p)| (x - p).powi(2)).sum(), share)
}

/// The edges around an edge.
struct Around<'g> {
    topology: &'g Topology,
    nodes: &'g Matrix,
    edges: &'g [(usize, usize)],
    counts: &'g [Count],
}

impl Around<'_> {
    fn length(&self, edge: usize) -> f64 {
        let (a, b) = self.edges[edge];
        distance(self.nodes.row(a), self.nodes.row(b))
    }

    /// The expected number of points, from the edges on the sparser side.
    fn expected(&self, edge: usize) -> f64 {
        let (a, b) = self.edges[edge];
        let density = self.density(a, b).min(self.density(b, a));
        if density.is_finite() { density * self.length(edge) } else { 0.0 }
    }

    /// Points per unit of length beyond one node of an edge. Edges without any points are skipped in
    /// favor of those behind them.
    fn density(&self, from: usize, not: usize) -> f64 {
        let mut ring = vec![from];
        let mut seen = vec![false; self.topology.len()];
        (seen[from], seen[not]) = (true, true);
        let mut densities = Vec::new();
        let mut steps = 0;
        while steps < AROUND && !ring.is_empty() {
            let known = densities.len();
            for node in std::mem::take(&mut ring) {
                for &next in self.topology.neighbors(node).iter().filter(|&&next| !seen[next]) {
                    let pair = (node.min(next), node.max(next));
                    if let Ok(edge) = self.edges.binary_search(&pair)
                        && self.counts[edge].whole() > 0.0
                    {
                        densities.push(self.counts[edge].whole() / self.length(edge));
                    }
                    ring.push(next);
                }
            }
            ring.iter().for_each(|&node| seen[node] = true);
            steps += usize::from(densities.len() > known);
        }
        match densities.len() {
            0 => f64::INFINITY,
            n => *densities.select_nth_unstable_by((n - 1) / 2, f64::total_cmp).1,
        }
    }
}

/// The log-likelihood ratio of a count against the expected one (Poisson).
fn likelihood_ratio(count: f64, expected: f64) -> f64 {
    let known = if count > 0.0 { count * (count / expected).ln() } else { 0.0 };
    known + expected - count
}

/// The probability of at most `count` points if `expected` are expected (Poisson). A count is a sum
/// of weights, so it may be slightly below a whole number.
fn chance_of_at_most(count: f64, expected: f64) -> f64 {
    let mut term = (-expected).exp();
    let mut sum = term;
    for k in 1..=(count + ROUNDING) as usize {
        term *= expected / k as f64;
        sum += term;
    }
    sum
}

pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    squared_distance(a, b).sqrt()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_poisson() {
        assert!((chance_of_at_most(0.0, 3.0) - (-3.0_f64).exp()).abs() < 1e-15);
        let two = (-3.0_f64).exp() * (1.0 + 3.0 + 4.5);
        assert!((chance_of_at_most(2.9, 3.0) - two).abs() < 1e-15);
    }

    /// A line of nodes 0 to 19 with 40 points per unit, but fewer or none in a gap of one or of many
    /// edges; far behind it there are six per unit, which is sparse but not a gap.
    #[test]
    fn edges_across_a_gap_cross_a_void() {
        for (gap, each_in_gap) in [(4..5, None), (4..13, None), (5..9, Some(20))] {
            let nodes = Matrix::new(20, 1, (0..20).map(f64::from).collect()).unwrap();
            let edges: Vec<(usize, usize)> = (1..20).map(|node| (node - 1, node)).collect();
            let dense = (0..600).map(|i| f64::from(i) / 40.0);
            let sparse = (0..24).map(|i| 15.05 + f64::from(i) / 6.0);
            let within = |x: f64| (gap.start as f64..gap.end as f64).contains(&x);
            let values = dense.chain(sparse).enumerate();
            let values: Vec<f64> = values
                .filter(|&(i, x)| !within(x) || each_in_gap.is_some_and(|each| i % each == 7))
                .map(|(_, x)| x)
                .collect();
            let n = values.len();
            let values = Matrix::new(n, 1, values).unwrap();
            let rows = Rows::new(values, vec![1.0; n], f64::INFINITY);
            let topology = Topology::new(20, &edges);
            let expected: Vec<(usize, usize)> = gap.clone().map(|node| edges[node]).collect();
            assert_eq!(Voids::new(&topology, &nodes, &rows).empty_edges(), expected);
            let tenths = Rows::new(rows.values.clone(), vec![0.1; n], f64::INFINITY);
            assert_eq!(Voids::new(&topology, &nodes, &tenths).empty_edges(), expected);
        }
    }

    /// Two rows of ten nodes with ten points per unit, and one long edge between them, with or without
    /// points.
    fn bridges(between: (usize, usize), gap: f64, points: usize) -> Vec<(usize, usize)> {
        let rows = (0..20).map(|i| [f64::from(i % 10), if i < 10 { 0.0 } else { gap }]);
        let nodes: Vec<[f64; 2]> = rows.collect();
        let mut edges: Vec<(usize, usize)> = (1..20).map(|b| (b - 1, b)).collect();
        edges.retain(|edge| *edge != (9, 10));
        edges.push(between);
        edges.sort_unstable();
        let on_rows = (0..90).flat_map(|i| [0.0, gap].map(|y| [f64::from(i) / 10.0, y]));
        let (a, b) = (nodes[between.0], nodes[between.1]);
        let share = |i: usize| (i as f64 + 0.5) / points as f64;
        let on_edge = (0..points).map(|i| [0, 1].map(|d| a[d] + share(i) * (b[d] - a[d])));
        let points: Vec<[f64; 2]> = on_rows.chain(on_edge).collect();
        let weights = vec![1.0; points.len()];
        let rows = Rows::new(Matrix::from_rows(&points).unwrap(), weights, f64::INFINITY);
        let topology = Topology::new(20, &edges);
        Voids::new(&topology, &Matrix::from_rows(&nodes).unwrap(), &rows).bridges()
    }

    #[test]
    fn long_empty_edges_between_inner_nodes_are_bridges() {
        assert_eq!(bridges((5, 15), 4.0, 0), [(5, 15)]);
        // From the end of a row, which would be a tip without the bridge.
        assert_eq!(bridges((9, 15), 4.0, 0), [(9, 15)]);
        // Full of points, or shorter.
        assert!(bridges((5, 15), 4.0, 40).is_empty());
        assert!(bridges((5, 15), 2.9, 0).is_empty());
    }

    /// A line of nodes with five points per unit, but none on one edge of this length.
    fn gap_of_line(long: f64) -> Vec<(usize, usize)> {
        let position = |at: f64| if at > 10.0 { at + long - 1.0 } else { at };
        let nodes: Vec<[f64; 2]> = (0..20).map(|node| [position(f64::from(node)), 0.0]).collect();
        let edges: Vec<(usize, usize)> = (1..20).map(|b| (b - 1, b)).collect();
        let along = (0..=95).map(|i| f64::from(i) / 5.0).filter(|at| !(10.1..10.9).contains(at));
        let points: Vec<[f64; 2]> = along.map(|at| [position(at), 0.0]).collect();
        let weights = vec![1.0; points.len()];
        let rows = Rows::new(Matrix::from_rows(&points).unwrap(), weights, f64::INFINITY);
        let topology = Topology::new(20, &edges);
        Voids::new(&topology, &Matrix::from_rows(&nodes).unwrap(), &rows).bridges()
    }

    #[test]
    fn gaps_of_a_curve_must_be_wider_than_bridges() {
        // Expected in the middle half of the gap: 7.5 points, or 10.
        assert!(gap_of_line(3.0).is_empty());
        assert_eq!(gap_of_line(4.0), [(10, 11)]);
        assert_eq!(bridges((9, 15), 3.1, 0), [(9, 15)]);
    }

    /// Every second point of a ring is missing on three edges, all of them on another three.
    #[test]
    fn voids_of_rings_are_found_wherever_they_start() {
        let n = 24;
        for turn in 0..n {
            let at = |angle: f64| {
                let angle = std::f64::consts::TAU * (angle + f64::from(turn)) / f64::from(n);
                [angle.cos(), angle.sin()]
            };
            let nodes: Vec<[f64; 2]> = (0..n).map(|node| at(f64::from(node - turn))).collect();
            let mut edges: Vec<(usize, usize)> =
                (1..n as usize).map(|node| (node - 1, node)).chain([(0, n as usize - 1)]).collect();
            edges.sort_unstable();
            let points: Vec<[f64; 2]> = (0..n * 10)
                .filter(|i| (30..240).contains(i) && (i % 2 == 0 || !(100..130).contains(i)))
                .map(|i| at(f64::from(i) / 10.0))
                .collect();
            let rows = Rows::new(
                Matrix::from_rows(&points).unwrap(),
                vec![1.0; points.len()],
                f64::INFINITY,
            );
            let topology = Topology::new(n as usize, &edges);
            let nodes = Matrix::from_rows(&nodes).unwrap();
            let found = Voids::new(&topology, &nodes, &rows).empty_edges();
            for edge in &edges {
                let empty = (0..3).any(|k| {
                    let (a, b) = ((turn + k) % n, (turn + k + 1) % n);
                    *edge == (a.min(b) as usize, a.max(b) as usize)
                });
                assert_eq!(found.contains(edge), empty, "{edge:?} of the ring turned by {turn}");
            }
        }
    }
}
