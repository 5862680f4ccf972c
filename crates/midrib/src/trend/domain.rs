//! Where features are functions: a whole graph, a path or a branch, as knots joined by segments.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::graph::{Branch, Path, PrincipalGraph, Projection};
use crate::math::Sets;

/// More knots than this add nothing to any curve: nodes between them are left out.
const MOST_KNOTS: usize = 400;
/// Degrees of freedom of the test on a path.
const ON_A_PATH: usize = 5;
/// More of them for each further branch or loop.
const PER_BRANCH: usize = 3;

/// What part of a graph features are followed along.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// All of it.
    Whole,
    /// A path, from its first node to its last.
    Path(Path),
    /// One branch, by its number in [`PrincipalGraph::branches`].
    Branch(usize),
}

/// The knots of curves: where on the graph their values are.
#[derive(Clone, Debug, PartialEq)]
pub struct Knots {
    /// The node of each.
    pub nodes: Vec<usize>,
    /// The branch of each.
    pub branches: Vec<usize>,
    /// The pseudotime of each; NaN where it is not known.
    pub pseudotime: Vec<f64>,
    /// The pairs of knots that are joined.
    pub segments: Vec<(usize, usize)>,
    /// Whether there are points near each.
    pub supported: Vec<bool>,
}

/// A position between two knots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    pub from: usize,
    pub to: usize,
    /// 0 at the first knot, 1 at the second.
    pub share: f64,
}

impl Position {
    fn at(knot: usize) -> Self {
        Self { from: knot, to: knot, share: 0.0 }
    }

    /// The knots and their weights: one or two.
    pub fn weights(&self) -> [(usize, f64); 2] {
        [(self.from, 1.0 - self.share), (self.to, self.share)]
    }

    /// The nearer knot.
    pub fn nearest(&self) -> usize {
        if self.share > 0.5 { self.to } else { self.from }
    }
}

/// A piece of a line between two knots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub from: usize,
    pub to: usize,
    pub length: f64,
}

/// Knots, the segments that join them, and the positions of points on them.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    /// The node of each knot.
    pub nodes: Vec<usize>,
    /// The pseudotime of each knot: the distance along the region from its start; NaN where there is
    /// none.
    pub times: Vec<f64>,
    /// The branch of the graph that holds each knot.
    pub branches: Vec<usize>,
    pub segments: Vec<Segment>,
    /// The branch of each segment; on a path 0.
    pub of_segment: Vec<usize>,
    /// Where each point is; none for points elsewhere.
    pub rows: Vec<Option<Position>>,
    /// Degrees of freedom of the test, the mean included.
    pub degrees: usize,
    /// Functions without bending: one per tip, one for a component without tips.
    pub unbent: usize,
    /// The region in words.
    pub name: String,
}

impl Domain {
    /// The region of a graph; `keep` excludes points.
    pub fn new(
        graph: &PrincipalGraph,
        region: &Region,
        roots: &[usize],
        projection: &Projection,
        keep: Option<&[bool]>,
    ) -> Result<Self> {
        graph.check_projection(projection)?;
        let n = projection.node.len();
        if let Some(keep) = keep.filter(|keep| keep.len() != n) {
            return Err(Error::shape("points to keep", n, keep.len()));
        }
        let (chains, name) = chains_of(graph, region)?;
        let times = times(graph, region, roots)?;
        let mut inside = Inside::new(graph, chains, &times);
        inside.domain.name = name;
        Ok(inside.with_points(graph, projection, keep))
    }

    /// Some branches of a graph.
    pub fn of_branches(
        graph: &PrincipalGraph,
        branches: &[(usize, Branch)],
        roots: &[usize],
        projection: &Projection,
        keep: Option<&[bool]>,
    ) -> Result<Self> {
        graph.check_projection(projection)?;
        let times = times(graph, &Region::Whole, roots)?;
        let inside = Inside::new(graph, branches.to_vec(), &times);
        Ok(inside.with_points(graph, projection, keep))
    }

    /// A path of equal segments with points at these distances from its start.
    pub fn straight(length: f64, segments: usize, distances: &[Option<f64>]) -> Self {
        let step = length / segments as f64;
        let position = |distance: f64| {
            let at = (distance / step).clamp(0.0, segments as f64);
            let from = (at as usize).min(segments - 1);
            Position { from, to: from + 1, share: (at - from as f64).clamp(0.0, 1.0) }
        };
        let joined = |from| Segment { from, to: from + 1, length: step };
        Self {
            nodes: (0..=segments).collect(),
            times: (0..=segments).map(|knot| knot as f64 * step).collect(),
            branches: vec![0; segments + 1],
            segments: (0..segments).map(joined).collect(),
            of_segment: vec![0; segments],
            rows: distances.iter().map(|distance| distance.map(position)).collect(),
            degrees: ON_A_PATH,
            unbent: 2,
            name: "a path".into(),
        }
    }

    /// Refuses a region without points.
    pub fn refuse_empty(&self) -> Result<()> {
        if self.rows.iter().any(Option::is_some) {
            return Ok(());
        }
        Err(Error::data(format!(
            "no points are on {}: choose one with points, or the whole graph",
            self.name
        )))
    }

    /// The number of points on it.
    pub fn n_points(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// The total length of its segments.
    pub fn length(&self) -> f64 {
        self.segments.iter().map(|segment| segment.length).sum()
    }

    /// For each knot whether there are points on a segment that it ends.
    pub fn supported(&self) -> Vec<bool> {
        let mut supported = vec![false; self.nodes.len()];
        for row in self.rows.iter().flatten() {
            supported[row.from] = true;
            supported[row.to] = true;
        }
        supported
    }

    /// Where the values of curves are.
    pub fn knots(&self) -> Knots {
        Knots {
            nodes: self.nodes.clone(),
            branches: self.branches.clone(),
            pseudotime: self.times.clone(),
            segments: self.segments.iter().map(|segment| (segment.from, segment.to)).collect(),
            supported: self.supported(),
        }
    }

    /// The branch of a position.
    pub fn branch_of(&self, position: &Position) -> usize {
        let joins = |segment: &Segment| (segment.from, segment.to) == (position.from, position.to);
        let at = self.segments.iter().position(joins);
        at.map_or(self.branches[position.from], |segment| self.of_segment[segment])
    }

    /// Degrees of freedom of the test, and functions without bending, of the components with points.
    fn count_degrees(&mut self) {
        let components = self.components();
        let mut at_knot = vec![0_usize; self.nodes.len()];
        for segment in &self.segments {
            at_knot[segment.from] += 1;
            at_knot[segment.to] += 1;
        }
        for component in components {
            let tips = component.iter().filter(|&&knot| at_knot[knot] == 1).count();
            let edges = component.iter().map(|&knot| at_knot[knot]).sum::<usize>() / 2;
            if edges == 0 {
                self.degrees += 1;
                self.unbent += 1;
                continue;
            }
            let loops = edges + 1 - component.len();
            self.degrees += ON_A_PATH + PER_BRANCH * (tips.saturating_sub(2) + loops);
            self.unbent += tips.max(1);
        }
    }

    /// The knots of each component that has points.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut sets = Sets::new(self.nodes.len());
        for segment in &self.segments {
            sets.join(segment.from, segment.to);
        }
        let supported = self.supported();
        let mut of_set: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for knot in 0..self.nodes.len() {
            of_set.entry(sets.find(knot)).or_default().push(knot);
        }
        let with_points = |knots: &Vec<usize>| knots.iter().any(|&knot| supported[knot]);
        of_set.into_values().filter(with_points).collect()
    }
}

/// The branches of a region, with their numbers, and its name. A path counts as one branch.
fn chains_of(graph: &PrincipalGraph, region: &Region) -> Result<(Vec<(usize, Branch)>, String)> {
    match region {
        Region::Whole => {
            Ok((graph.branches().into_iter().enumerate().collect(), "the graph".into()))
        }
        Region::Path(path) => {
            let (n, n_edges) = (graph.nodes().n_rows(), graph.edges().len());
            let inside = path.nodes.iter().all(|&node| node < n)
                && path.edges.iter().all(|&edge| edge < n_edges);
            let ends = path.nodes.first().zip(path.nodes.last());
            let Some((first, last)) = ends.filter(|_| inside) else {
                return Err(Error::data("the path has nodes that the graph does not have"));
            };
            let name = format!("the path from node {first} to node {last}");
            let (nodes, edges) = (path.nodes.clone(), path.edges.clone());
            Ok((vec![(0, Branch { nodes, edges, closed: false })], name))
        }
        Region::Branch(number) => {
            let mut branches = graph.branches();
            if *number >= branches.len() {
                let last = branches.len().saturating_sub(1);
                return Err(Error::data(format!(
                    "branch {number}: there is no such branch, the graph has {} (0 to {last})",
                    branches.len()
                )));
            }
            let branch = branches.swap_remove(*number);
            Ok((vec![(*number, branch)], format!("branch {number}")))
        }
    }
}

/// The pseudotime of the nodes: along a path the distance from its start, elsewhere from the roots;
/// on a branch without a root from its first node.
fn times(graph: &PrincipalGraph, region: &Region, roots: &[usize]) -> Result<Vec<f64>> {
    let along = |nodes: &[usize], edges: &[usize]| {
        let mut times = vec![f64::NAN; graph.nodes().n_rows()];
        let mut time = 0.0;
        for (at, &node) in nodes.iter().enumerate() {
            // A closed branch meets its first node again.
            times[node] = if times[node].is_nan() { time } else { times[node] };
            time += edges.get(at).map_or(0.0, |&edge| graph.edges()[edge].length);
        }
        times
    };
    Ok(match region {
        Region::Path(path) => along(&path.nodes, &path.edges),
        _ if !roots.is_empty() => graph.root(roots)?.node_pseudotime(),
        Region::Whole => vec![f64::NAN; graph.nodes().n_rows()],
        Region::Branch(number) => {
            let branch = &graph.branches()[*number];
            along(&branch.nodes, &branch.edges)
        }
    })
}

/// An edge between two knots: where its own ends are.
#[derive(Clone, Copy, Debug)]
struct OnEdge {
    from: usize,
    to: usize,
    start: f64,
    end: f64,
}

impl OnEdge {
    fn at(&self, share: f64) -> Position {
        let share = self.start + share * (self.end - self.start);
        Position { from: self.from, to: self.to, share: share.clamp(0.0, 1.0) }
    }
}

/// A region, and where the edges and nodes of the graph are on it.
struct Inside {
    domain: Domain,
    on_edge: Vec<Option<OnEdge>>,
    at_node: Vec<Option<Position>>,
}

impl Inside {
    /// Chooses knots among the nodes of these branches.
    fn new(graph: &PrincipalGraph, branches: Vec<(usize, Branch)>, times: &[f64]) -> Self {
        let domain = Domain {
            nodes: Vec::new(),
            times: Vec::new(),
            branches: Vec::new(),
            segments: Vec::new(),
            of_segment: Vec::new(),
            rows: Vec::new(),
            degrees: 0,
            unbent: 0,
            name: "the branches".into(),
        };
        let n = graph.nodes().n_rows();
        let on_edge = vec![None; graph.edges().len()];
        let mut inside = Self { domain, on_edge, at_node: vec![None; n] };
        let of_node = branch_of_node(graph);
        let mut knot_of = vec![None; n];
        let mut knot = |node: usize, domain: &mut Domain| {
            *knot_of[node].get_or_insert_with(|| {
                domain.nodes.push(node);
                domain.times.push(times[node]);
                domain.branches.push(of_node[node]);
                domain.nodes.len() - 1
            })
        };
        let total: f64 = branches.iter().map(|(_, branch)| branch.length(graph)).sum();
        let spacing = total / MOST_KNOTS as f64;
        for (number, branch) in &branches {
            if branch.edges.is_empty() {
                let only = knot(branch.nodes[0], &mut inside.domain);
                inside.at_node[branch.nodes[0]] = Some(Position::at(only));
            } else {
                inside.divide(graph, (*number, branch), spacing, &mut knot);
            }
        }
        inside
    }

    /// Divides a branch at its ends and at nodes at least so far apart.
    fn divide(
        &mut self,
        graph: &PrincipalGraph,
        (number, branch): (usize, &Branch),
        spacing: f64,
        knot: &mut impl FnMut(usize, &mut Domain) -> usize,
    ) {
        let mut positions = vec![0.0];
        for &edge in &branch.edges {
            positions.push(positions[positions.len() - 1] + graph.edges()[edge].length);
        }
        let chosen = divisions(branch, &positions, spacing);
        for ends in chosen.windows(2) {
            let from = knot(branch.nodes[ends[0]], &mut self.domain);
            let to = knot(branch.nodes[ends[1]], &mut self.domain);
            let (start, length) = (positions[ends[0]], positions[ends[1]] - positions[ends[0]]);
            self.domain.segments.push(Segment { from, to, length });
            self.domain.of_segment.push(number);
            let share = |at: usize| match length > 0.0 {
                true => (positions[at] - start) / length,
                false => 0.0,
            };
            for at in ends[0]..=ends[1] {
                self.at_node[branch.nodes[at]] = Some(Position { from, to, share: share(at) });
            }
            for at in ends[0]..ends[1] {
                let edge = branch.edges[at];
                let forward = graph.edges()[edge].a == branch.nodes[at];
                let (start, end) =
                    if forward { (share(at), share(at + 1)) } else { (share(at + 1), share(at)) };
                self.on_edge[edge] = Some(OnEdge { from, to, start, end });
            }
        }
    }

    /// The region with the positions of the points.
    fn with_points(
        mut self,
        graph: &PrincipalGraph,
        projection: &Projection,
        keep: Option<&[bool]>,
    ) -> Domain {
        let row = |i: usize| {
            if keep.is_some_and(|keep| !keep[i]) {
                return None;
            }
            let Some(edge) = projection.edge[i] else {
                return self.at_node[projection.node[i]];
            };
            // A point at a node of the region counts even if its edge leaves the region there.
            match (self.on_edge[edge], projection.edge_pos[i]) {
                (Some(on), share) => Some(on.at(share)),
                (None, 0.0) => self.at_node[graph.edges()[edge].a],
                (None, 1.0) => self.at_node[graph.edges()[edge].b],
                (None, _) => None,
            }
        };
        self.domain.rows = (0..projection.node.len()).map(row).collect();
        self.domain.count_degrees();
        self.domain
    }
}

/// The nodes of a branch, by their order, that become knots: its ends, and inner ones at least so far
/// apart.
fn divisions(branch: &Branch, positions: &[f64], spacing: f64) -> Vec<usize> {
    let last = branch.edges.len();
    // A closed branch needs two knots between its ends, so that no segment joins a knot to itself.
    let needed = |at: usize| branch.closed && (at == last / 3 || at == 2 * last / 3);
    let mut chosen = vec![0];
    for at in 1..last {
        let before = positions[at] - positions[chosen[chosen.len() - 1]];
        let is_apart = before >= spacing && positions[last] - positions[at] >= 0.5 * spacing;
        if is_apart || needed(at) {
            chosen.push(at);
        }
    }
    chosen.push(last);
    chosen
}

/// The branch of each node; a branch point belongs to the first of its branches.
fn branch_of_node(graph: &PrincipalGraph) -> Vec<usize> {
    let mut of_node = vec![0; graph.nodes().n_rows()];
    for (number, branch) in graph.branches().iter().enumerate().rev() {
        branch.nodes.iter().for_each(|&node| of_node[node] = number);
    }
    of_node
}
