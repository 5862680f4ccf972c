//! Nets: grids of nodes in the shape of a line, sheet, tube, torus, sphere or box.

use std::f64::consts::TAU;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::math::Matrix;

/// The shape of a net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NetShape {
    /// A line with two ends.
    Chain,
    /// A closed line.
    Ring,
    /// A sheet of squares.
    #[default]
    Rectangle,
    /// A sheet of triangles, with ribs in three directions.
    Triangular,
    /// The same sheet as a map of hexagons: each node is the center of one.
    Hexagonal,
    /// A sheet whose second axis is closed.
    Cylinder,
    /// A sheet with two closed axes.
    Torus,
    /// Rings of nodes between two poles.
    Sphere,
    /// A box with three axes.
    Box,
}

impl NetShape {
    /// The number of inner dimensions, which is also the number of sides.
    pub fn dims(self) -> usize {
        match self {
            Self::Chain | Self::Ring => 1,
            Self::Rectangle | Self::Triangular | Self::Hexagonal => 2,
            Self::Cylinder | Self::Torus | Self::Sphere => 2,
            Self::Box => 3,
        }
    }

    /// The minimum number of dimensions that it can be embedded in.
    pub fn min_dims(self) -> usize {
        match self {
            Self::Chain => 1,
            Self::Ring | Self::Rectangle | Self::Triangular | Self::Hexagonal => 2,
            Self::Cylinder | Self::Torus | Self::Sphere | Self::Box => 3,
        }
    }

    /// Whether each axis is closed.
    pub fn closed(self) -> &'static [bool] {
        match self {
            Self::Chain => &[false],
            Self::Ring => &[true],
            Self::Rectangle | Self::Triangular | Self::Hexagonal => &[false, false],
            Self::Cylinder | Self::Sphere => &[false, true],
            Self::Torus => &[true, true],
            Self::Box => &[false, false, false],
        }
    }

    /// Whether every second row is shifted by half a step, so that cells are triangles.
    pub fn has_shifted_rows(self) -> bool {
        matches!(self, Self::Triangular | Self::Hexagonal)
    }

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Ring => "ring",
            Self::Rectangle => "rectangle",
            Self::Triangular => "triangular",
            Self::Hexagonal => "hexagonal",
            Self::Cylinder => "cylinder",
            Self::Torus => "torus",
            Self::Sphere => "sphere",
            Self::Box => "box",
        }
    }

    /// The minimum number of nodes along an axis.
    pub fn min_nodes(self, axis: usize) -> usize {
        if self.closed()[axis] { 3 } else { 2 }
    }

    /// Checks that the sides are valid for this shape.
    pub fn check(self, sides: &[usize]) -> Result<()> {
        let shown = || sides.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
        if sides.len() != self.dims() {
            let axes = if self.dims() == 1 { "1 side" } else { &format!("{} sides", self.dims()) };
            let reason = format!("a {} net has {axes}", self.name());
            return Err(Error::setting("sides", shown(), reason));
        }
        for (axis, &side) in sides.iter().enumerate() {
            let least = self.min_nodes(axis);
            if side < least {
                let kind = if self.closed()[axis] { "closed" } else { "open" };
                let reason =
                    format!("side {} is {kind} and needs at least {least} nodes", axis + 1);
                return Err(Error::setting("sides", shown(), reason));
            }
        }
        let nodes = sides.iter().try_fold(1_usize, |nodes, &side| nodes.checked_mul(side));
        if nodes.is_none_or(|nodes| nodes > MAX_NODES) {
            let reason = format!("a net may have at most {MAX_NODES} nodes");
            return Err(Error::setting("sides", shown(), reason));
        }
        Ok(())
    }
}

/// More nodes than any map needs, and few enough for memory.
const MAX_NODES: usize = 1_000_000;

/// A cell of a net between adjacent nodes: a segment, triangle or tetrahedron.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its corners.
    pub nodes: Vec<usize>,
    /// Their inner coordinates, one row per corner; on a closed axis they continue past its end.
    pub inner: Vec<Vec<f64>>,
}

/// Nodes in a grid, with edges, ribs that resist bending, and cells between them.
///
/// ```
/// use midrib::connect::{Net, NetShape};
/// let net = Net::new(NetShape::Rectangle, &[3, 4])?;
/// assert_eq!((net.len(), net.edges.len(), net.ribs.len()), (12, 17, 10));
/// assert_eq!(net.cells.len(), 2 * 6);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// Its shape.
    pub shape: NetShape,
    /// The number of nodes along each axis; of a sphere, its rings and the nodes of each.
    pub sides: Vec<usize>,
    /// Two nodes and the relative stiffness of the edge.
    pub edges: Vec<(usize, usize, f64)>,
    /// A node and the nodes whose mean it is pulled to.
    pub ribs: Vec<(usize, Vec<usize>)>,
    /// The cells between the nodes.
    pub cells: Vec<Cell>,
    /// The inner coordinates of the nodes, in steps of the grid.
    pub inner: Matrix,
}

impl Net {
    /// A net with the given numbers of nodes along its sides.
    pub fn new(shape: NetShape, sides: &[usize]) -> Result<Self> {
        shape.check(sides)?;
        Ok(match shape {
            NetShape::Triangular | NetShape::Hexagonal => triangular(shape, sides),
            NetShape::Sphere => sphere(sides),
            _ => grid(shape, sides),
        })
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.inner.n_rows()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stretching and bending moduli of each edge and rib for which nets of any resolution have
    /// the given moduli as a whole.
    ///
    /// Gorban2009: λ = λ₀·s^((2−d)/d) for s edges in d dimensions. The paper prints the same power
    /// for μ; the power that preserves the bending energy of a surface is (4−d)/d.
    pub fn moduli(&self, stretching: f64, bending: f64) -> (f64, f64) {
        let dims = self.shape.dims() as f64;
        let (edges, ribs) = (self.edges.len() as f64, self.ribs.len() as f64);
        (
            stretching * edges.powf((2.0 - dims) / dims),
            bending * ribs.max(1.0).powf((4.0 - dims) / dims),
        )
    }

    /// The squared distance of two nodes in steps of the grid: straight, around closed axes where
    /// that is shorter; on a sphere along a great circle, in steps along a meridian.
    pub fn squared_steps(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.inner.row(a), self.inner.row(b));
        if self.shape == NetShape::Sphere {
            let step = 0.5 * TAU / (self.sides[0] + 1) as f64;
            let around = TAU * (a[1] - b[1]) / self.sides[1] as f64;
            // The haversine keeps its digits where the angle is small.
            let haversine = (0.5 * step * (a[0] - b[0])).sin().powi(2)
                + (step * a[0]).sin() * (step * b[0]).sin() * (0.5 * around).sin().powi(2);
            return (2.0 * haversine.clamp(0.0, 1.0).sqrt().asin() / step).powi(2);
        }
        let square = |axis: usize| {
            let d = (a[axis] - b[axis]).abs();
            self.period(axis).map_or(d, |period| d.min(period - d)).powi(2)
        };
        (0..a.len()).map(square).sum()
    }

    /// The period of the inner coordinates along a closed axis; `None` for an open one.
    pub fn period(&self, axis: usize) -> Option<f64> {
        self.shape.closed()[axis].then_some(self.sides[axis] as f64)
    }
}

/// A grid whose axes may be closed. The last axis runs fastest.
fn grid(shape: NetShape, sides: &[usize]) -> Net {
    let closed = shape.closed();
    let dims = sides.len();
    let strides: Vec<usize> = (0..dims).map(|axis| sides[axis + 1..].iter().product()).collect();
    let n: usize = sides.iter().product();
    let at = |node: usize, axis: usize| node / strides[axis] % sides[axis];
    // The next node along an axis.
    let next = |node: usize, axis: usize| {
        let here = at(node, axis);
        if here + 1 < sides[axis] {
            Some(node + strides[axis])
        } else {
            closed[axis].then(|| node - here * strides[axis])
        }
    };
    let mut inner = Matrix::zeros(n, dims);
    let (mut edges, mut ribs, mut cells) = (Vec::new(), Vec::new(), Vec::new());
    let orders = orders(dims);
    for node in 0..n {
        for axis in 0..dims {
            inner.row_mut(node)[axis] = at(node, axis) as f64;
            let Some(second) = next(node, axis) else { continue };
            edges.push((node.min(second), node.max(second), 1.0));
            if let Some(third) = next(second, axis) {
                ribs.push((second, vec![node, third]));
            }
        }
        // Divide the cube with this lowest corner into one simplex per order of its axes.
        for order in &orders {
            let mut nodes = vec![node];
            let mut coordinates = vec![inner.row(node).to_vec()];
            let (mut corner, mut at) = (node, inner.row(node).to_vec());
            for &axis in order {
                let Some(on) = next(corner, axis) else { break };
                corner = on;
                at[axis] += 1.0;
                nodes.push(corner);
                coordinates.push(at.clone());
            }
            if nodes.len() == dims + 1 {
                cells.push(Cell { nodes, inner: coordinates });
            }
        }
    }
    Net { shape, sides: sides.to_vec(), edges, ribs, cells, inner }
}

/// All permutations of up to three axes.
fn orders(dims: usize) -> Vec<Vec<usize>> {
    match dims {
        1 => vec![vec![0]],
        2 => vec![vec![0, 1], vec![1, 0]],
        _ => [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
            .map(|order| order.to_vec())
            .to_vec(),
    }
}

/// Rows of nodes, every second one shifted by half a step.
fn triangular(shape: NetShape, sides: &[usize]) -> Net {
    let (rows, columns) = (sides[0], sides[1]);
    let number = |row: usize, column: usize| row * columns + column;
    let height = 0.75_f64.sqrt();
    let mut inner = Matrix::zeros(rows * columns, 2);
    let position =
        |row: usize, column: usize| [row as f64 * height, column as f64 + 0.5 * (row % 2) as f64];
    // One step in one of the three directions, if it stays within the net.
    let step = |row: usize, column: usize, direction: usize| {
        let odd = row % 2;
        let (row, column) = match direction {
            0 => (row, Some(column + 1)),
            1 => (row + 1, Some(column + odd)),
            _ => (row + 1, (column + odd).checked_sub(1)),
        };
        column.filter(|&column| row < rows && column < columns).map(|column| (row, column))
    };
    let (mut edges, mut ribs, mut cells) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        for column in 0..columns {
            let node = number(row, column);
            inner.row_mut(node).copy_from_slice(&position(row, column));
            for direction in 0..3 {
                let Some(second) = step(row, column, direction) else { continue };
                edges.push((node, number(second.0, second.1), 1.0));
                if let Some(third) = step(second.0, second.1, direction) {
                    ribs.push((number(second.0, second.1), vec![node, number(third.0, third.1)]));
                }
            }
            let corners = [0, 1, 2].map(|direction| step(row, column, direction));
            for (a, b) in [(corners[0], corners[1]), (corners[1], corners[2])] {
                let (Some(a), Some(b)) = (a, b) else { continue };
                let corners = [(row, column), a, b];
                cells.push(Cell {
                    nodes: corners.iter().map(|&(row, column)| number(row, column)).collect(),
                    inner: corners.iter().map(|&(r, c)| position(r, c).to_vec()).collect(),
                });
            }
        }
    }
    Net { shape, sides: sides.to_vec(), edges, ribs, cells, inner }
}

/// Rings of nodes between two poles, which are the first and the last node. As in the paper, the
/// stiffness of an edge is inversely proportional to its length on a round sphere.
fn sphere(sides: &[usize]) -> Net {
    let (rings, around) = (sides[0], sides[1]);
    let last = rings * around + 1;
    let number = |ring: usize, at: usize| match ring {
        0 => 0,
        ring if ring > rings => last,
        ring => 1 + (ring - 1) * around + at % around,
    };
    let angle = |ring: usize| 0.5 * TAU * ring as f64 / (rings + 1) as f64;
    let meridian = angle(1);
    let parallel = |ring: usize| angle(ring).sin() * TAU / around as f64;
    let mean = (meridian + (1..=rings).map(parallel).sum::<f64>() / rings as f64) / 2.0;
    let mut inner = Matrix::zeros(last + 1, 2);
    inner.row_mut(last)[0] = (rings + 1) as f64;
    let (mut edges, mut ribs, mut cells) = (Vec::new(), Vec::new(), Vec::new());
    for ring in 0..=rings {
        for at in 0..around {
            let (here, below) = (number(ring, at), number(ring + 1, at));
            edges.push((here, below, mean / meridian));
            if ring >= 1 {
                inner.row_mut(here).copy_from_slice(&[ring as f64, at as f64]);
                let (next, beyond) = (number(ring, at + 1), number(ring, at + 2));
                edges.push((here.min(next), here.max(next), mean / parallel(ring)));
                ribs.push((next, vec![here, beyond]));
                ribs.push((here, vec![number(ring - 1, at), below]));
            }
            let corner = |ring: usize, at: f64| (number(ring, at as usize), [ring as f64, at]);
            let (left, right) = (at as f64, (at + 1) as f64);
            let pole = |ring: usize| (number(ring, 0), [ring as f64, 0.5 * (left + right)]);
            let mut add = |corners: [(usize, [f64; 2]); 3]| {
                cells.push(Cell {
                    nodes: corners.iter().map(|corner| corner.0).collect(),
                    inner: corners.iter().map(|corner| corner.1.to_vec()).collect(),
                });
            };
            if ring == 0 {
                add([pole(0), corner(1, left), corner(1, right)]);
            } else if ring == rings {
                add([corner(ring, left), corner(ring, right), pole(ring + 1)]);
            } else {
                add([corner(ring, left), corner(ring + 1, left), corner(ring + 1, right)]);
                add([corner(ring, left), corner(ring, right), corner(ring + 1, right)]);
            }
        }
    }
    for (pole, ring) in [(0, 1), (last, rings)] {
        ribs.push((pole, (0..around).map(|at| number(ring, at)).collect()));
    }
    Net { shape: NetShape::Sphere, sides: sides.to_vec(), edges, ribs, cells, inner }
}

#[cfg(test)]
mod tests;
