//! Skeletons with a fixed shape: polylines in the plane, a helix and the center line of a Swiss roll.

use std::f64::consts::{PI, TAU};

/// The number of edges per turn of a circle.
const EDGES_PER_TURN: usize = 64;

/// Nodes and edges.
pub(super) struct Skeleton {
    pub nodes: Vec<Vec<f64>>,
    pub edges: Vec<(usize, usize)>,
    /// The vector from the skeleton to the border of a sheet; `None` if points are on the skeleton.
    pub breadth: Option<Vec<f64>>,
}

impl Skeleton {
    fn new() -> Self {
        Self { nodes: Vec::new(), edges: Vec::new(), breadth: None }
    }

    /// Adds a chain of nodes.
    fn line(mut self, nodes: impl IntoIterator<Item = Vec<f64>>) -> Self {
        let first = self.nodes.len();
        self.nodes.extend(nodes);
        self.edges.extend((first + 1..self.nodes.len()).map(|node| (node - 1, node)));
        self
    }

    /// Joins the last node to the first.
    fn close(mut self) -> Self {
        self.edges.push((0, self.nodes.len() - 1));
        self
    }
}

/// Two arcs of three quarters of a circle.
pub(super) fn s() -> Skeleton {
    Skeleton::new()
        .line(curve(-1.5 * PI, 1.5 * PI, |t| vec![t.sin(), t.signum() * (1.0 - t.cos())]))
}

/// Two turns, 1 apart.
pub(super) fn spiral() -> Skeleton {
    Skeleton::new().line(curve(0.0, 2.0 * TAU, |t| {
        let radius = 0.3 + t / TAU;
        vec![radius * t.cos(), radius * t.sin()]
    }))
}

/// Radius 1.
pub(super) fn circle() -> Skeleton {
    let step = TAU / EDGES_PER_TURN as f64;
    Skeleton::new().line(curve(0.0, TAU - step, |t| vec![t.cos(), t.sin()])).close()
}

/// Two interlocking half circles of radius 1.
pub(super) fn two_moons() -> Skeleton {
    Skeleton::new()
        .line(curve(0.0, PI, |t| vec![t.cos(), t.sin()]))
        .line(curve(0.0, PI, |t| vec![1.0 - t.cos(), 0.5 - t.sin()]))
}

/// The corners of a triangle with sides of length 2.
pub(super) fn three_clusters() -> Skeleton {
    Skeleton {
        nodes: vec![vec![0.0, 0.0], vec![2.0, 0.0], vec![1.0, 3_f64.sqrt()]],
        edges: Vec::new(),
        breadth: None,
    }
}

/// Five strokes up and down.
pub(super) fn zigzag() -> Skeleton {
    Skeleton::new().line((0..6).map(|i| vec![0.7 * f64::from(i), f64::from(i % 2) * 1.2]))
}

/// Three turns of radius 1, 0.8 apart.
pub(super) fn helix() -> Skeleton {
    Skeleton::new().line(curve(0.0, 3.0 * TAU, |t| vec![t.cos(), t.sin(), 0.8 * t / TAU]))
}

/// One and a half turns, with radii from 0.47 to 1.41, of a sheet of width 2.1.
pub(super) fn swiss_roll() -> Skeleton {
    let middle = curve(0.75 * TAU, 2.25 * TAU, |t| vec![0.1 * t * t.cos(), 0.1 * t * t.sin(), 0.0]);
    Skeleton { breadth: Some(vec![0.0, 0.0, 1.05]), ..Skeleton::new().line(middle) }
}

/// Nodes along a curve at equal steps of its parameter, an angle.
fn curve(from: f64, to: f64, at: impl Fn(f64) -> Vec<f64>) -> impl Iterator<Item = Vec<f64>> {
    let steps = ((to - from) / TAU * EDGES_PER_TURN as f64).round() as usize;
    (0..=steps).map(move |i| at(from + (to - from) * i as f64 / steps as f64))
}
