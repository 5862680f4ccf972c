//! The map between the nodes of a net: projections onto its cells, and the density of the points.

use std::ops::Range;

use rayon::prelude::*;

use super::simplex::{CORNERS, Simplex};
use crate::connect::{Cell, Net, NetShape};
use crate::error::{Error, Result};
use crate::math::{Matrix, dot, observed_squared_distance, squared_distance};
use crate::points::{Blocks, CHUNK_ROWS, Chunk, update_chunks};

/// A net in the data space with the cells between its nodes, continued straight on beyond its border.
///
/// ```
/// use midrib::Points;
/// use midrib::connect::{Net, NetShape};
/// use midrib::object::Surface;
/// use midrib::math::Matrix;
/// let net = Net::new(NetShape::Rectangle, &[2, 2])?;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0], [2.0, 4.0, 0.0]])?;
/// let points = Points::from_f64(vec![0.5, 3.0, 7.0, -1.0, 1.0, 0.0], 3)?;
/// let projected = Surface::new(net.clone(), &nodes, 0)?.project(&points)?;
/// assert_eq!(projected.coordinates.row(0), [0.25, 0.75]);
/// assert_eq!(projected.distance, [7.0, 1.0]);
/// let beyond = Surface::new(net, &nodes, 1)?.project(&points)?;
/// assert_eq!(beyond.coordinates.row(1), [-0.5, 0.25]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Surface {
    net: Net,
    margin: usize,
    /// Relative to `origin`, times `scale`; including those of the margin.
    nodes: Matrix,
    origin: Vec<f64>,
    /// A power of two that keeps squares in range.
    scale: f64,
    cells: Vec<BoundedCell>,
}

/// A cell in the data space.
#[derive(Clone, Debug)]
struct BoundedCell {
    cell: Cell,
    simplex: Simplex,
    middle: Vec<f64>,
    /// The largest distance from its middle.
    radius: f64,
}

/// Points on an object with inner coordinates: a net or affine pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerProjection {
    /// Inner coordinates of each point (N×d): steps of the grid on a net, scores on axes.
    pub coordinates: Matrix,
    /// The distance of each point from the object, over its observed values.
    pub distance: Vec<f64>,
}

impl Surface {
    /// The surface of a net with these nodes, continued by `margin` steps beyond an open border.
    pub fn new(net: Net, nodes: &Matrix, margin: usize) -> Result<Self> {
        if nodes.n_rows() != net.len() {
            return Err(Error::shape("nodes of the net", net.len(), nodes.n_rows()));
        }
        let (origin, scale) = unit(nodes);
        let mut nodes = nodes.clone();
        for node in 0..nodes.n_rows() {
            let row = nodes.row_mut(node).iter_mut();
            row.zip(&origin).for_each(|(x, origin)| *x = (*x - origin) * scale);
        }
        let (wider, nodes) = widened(&net, nodes, margin)?;
        let cells = wider.cells.into_iter().map(|cell| BoundedCell::new(cell, &nodes)).collect();
        Ok(Self { net, margin, nodes, origin, scale, cells })
    }

    /// How many steps it goes on beyond an open border.
    pub fn margin(&self) -> usize {
        self.margin
    }

    /// The net without its margin.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The projection of each point onto the surface. Missing values are skipped.
    pub fn project(&self, points: &dyn Blocks) -> Result<InnerProjection> {
        let dims = self.nodes.n_cols();
        if points.dims() != dims {
            let expected = format!("{dims} as the nodes have");
            return Err(Error::shape("columns of the points", expected, points.dims()));
        }
        let inner_dims = self.net.shape.dims();
        let mut inner = Matrix::zeros(points.len(), inner_dims);
        let mut distance = vec![0.0; points.len()];
        let mut of_chunks: Vec<(&mut [f64], &mut [f64])> = inner
            .as_mut_slice()
            .chunks_mut(CHUNK_ROWS * inner_dims)
            .zip(distance.chunks_mut(CHUNK_ROWS))
            .collect();
        let project = |chunk: &Chunk<'_>, (inner, distance): &mut (&mut [f64], &mut [f64])| {
            let block_size = chunk.block_size();
            let inner = inner.par_chunks_mut(block_size * inner_dims);
            let blocks = inner.zip(distance.par_chunks_mut(block_size)).zip(chunk.blocks());
            let of_block = |((inner, distance), rows): ((&mut [f64], &mut [f64]), _)| {
                let mut row = vec![0.0; dims];
                let rows = Range::into_iter(rows).zip(inner.chunks_exact_mut(inner_dims));
                for ((i, inner), distance) in rows.zip(distance) {
                    chunk.copy_row(i, &mut row);
                    points.refuse_empty_row(i, &row)?;
                    let to = row.iter_mut().zip(&self.origin);
                    to.for_each(|(x, origin)| *x = (*x - origin) * self.scale);
                    *distance = self.nearest(&row, inner) / self.scale;
                }
                Ok(())
            };
            blocks.map(of_block).collect()
        };
        let mut done: Result<()> = Ok(());
        update_chunks(points, &mut of_chunks, project, |of_chunk: Result<()>| {
            if done.is_ok() {
                done = of_chunk;
            }
        })?;
        done?;
        Ok(InnerProjection { coordinates: inner, distance })
    }

    /// Finds the nearest position to `x` and returns its distance; the first one of ties.
    fn nearest(&self, x: &[f64], inner: &mut [f64]) -> f64 {
        let complete = !x.iter().any(|x| x.is_nan());
        let mut best = (f64::INFINITY, usize::MAX, [0.0; CORNERS]);
        for (at, bounded) in self.cells.iter().enumerate() {
            if complete {
                let reach = best.0.sqrt() + bounded.radius;
                if squared_distance(x, &bounded.middle) > reach * reach * (1.0 + 1e-12) {
                    continue;
                }
            }
            let (squared, shares) = bounded.nearest(&self.nodes, x, complete);
            if squared < best.0 {
                best = (squared, at, shares);
            }
        }
        let (squared, at, shares) = best;
        if let Some(bounded) = self.cells.get(at) {
            for (axis, to) in inner.iter_mut().enumerate() {
                let corners = bounded.cell.inner.iter().zip(&shares);
                *to = corners.map(|(corner, share)| share * corner[axis]).sum();
                if let Some(period) = self.net.period(axis) {
                    *to = to.rem_euclid(period);
                }
            }
        }
        squared.sqrt()
    }

    /// The density of the projected points at each node of the net: the share of all points per unit
    /// of the grid, smoothed over one step.
    pub fn density(&self, points: &dyn Blocks, projected: &Matrix) -> Result<Vec<f64>> {
        let found = projected.n_rows();
        if found != points.len() {
            return Err(Error::shape("projected points", points.len(), found));
        }
        let dims = self.net.shape.dims();
        let height = std::f64::consts::TAU.powf(-0.5 * dims as f64) / points.total_weight();
        // The poles of a sphere lie on all meridians: take the mean over these.
        let is_sphere = self.net.shape == NetShape::Sphere;
        let is_pole = |node: usize| is_sphere && (node == 0 || node + 1 == self.net.len());
        let at = |node: usize| -> f64 {
            let inner = self.net.inner.row(node);
            let kernel = |i: usize| {
                let mut squared = 0.0;
                let mut factor = points.weight(i);
                for (axis, (x, node_x)) in projected.row(i).iter().zip(inner).enumerate() {
                    let period = self.net.period(axis);
                    if let (Some(period), true) = (period, is_pole(node)) {
                        factor *= std::f64::consts::TAU.sqrt() / period;
                        continue;
                    }
                    let d = (x - node_x).abs();
                    let d = period.map_or(d, |period| d.min(period - d));
                    squared += d * d;
                }
                factor * (-0.5 * squared).exp()
            };
            height * (0..points.len()).map(kernel).sum::<f64>()
        };
        Ok((0..self.net.len()).into_par_iter().map(at).collect())
    }
}

impl InnerProjection {
    /// The mean of the squared distances, weighted as the points are.
    pub fn mean_squared_distance(&self, points: &dyn Blocks) -> Result<f64> {
        if self.distance.len() != points.len() {
            return Err(Error::shape("projected points", self.distance.len(), points.len()));
        }
        let largest = self.distance.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let square = |(i, d): (usize, &f64)| points.weight(i) * (d / largest) * (d / largest);
        let sum: f64 = self.distance.iter().enumerate().map(square).sum();
        Ok(sum / points.total_weight() * largest * largest)
    }
}

impl BoundedCell {
    fn new(cell: Cell, nodes: &Matrix) -> Self {
        let corner = |at: usize| nodes.row(cell.nodes[at]);
        let edges: Vec<Vec<f64>> = (1..cell.nodes.len())
            .map(|at| corner(at).iter().zip(corner(0)).map(|(a, b)| a - b).collect())
            .collect();
        let share = 1.0 / cell.nodes.len() as f64;
        let mut middle = vec![0.0; nodes.n_cols()];
        for &node in &cell.nodes {
            middle.iter_mut().zip(nodes.row(node)).for_each(|(m, x)| *m += share * x);
        }
        let far = |&node: &usize| squared_distance(&middle, nodes.row(node)).sqrt();
        let radius = cell.nodes.iter().map(far).fold(0.0, f64::max);
        Self { simplex: Simplex::new(&edges), middle, radius, cell }
    }

    /// The squared distance of the nearest position, and its shares of the corners.
    fn nearest(&self, nodes: &Matrix, x: &[f64], complete: bool) -> (f64, [f64; CORNERS]) {
        let first = nodes.row(self.cell.nodes[0]);
        let mut along = [0.0; CORNERS];
        let shares = if complete {
            for (at, &node) in self.cell.nodes.iter().enumerate().skip(1) {
                let edge = nodes.row(node).iter().zip(first);
                let offset = x.iter().zip(first);
                along[at] = edge.zip(offset).map(|((b, a), (x, y))| (b - a) * (x - y)).sum();
            }
            self.simplex.nearest(&along).shares
        } else {
            let known = |row: &[f64]| -> Vec<f64> {
                let all = row.iter().zip(first).zip(x);
                all.filter(|(_, x)| !x.is_nan()).map(|((b, a), _)| b - a).collect()
            };
            let offset = known(x);
            let edges: Vec<Vec<f64>> =
                self.cell.nodes[1..].iter().map(|&node| known(nodes.row(node))).collect();
            for (at, edge) in edges.iter().enumerate() {
                along[at + 1] = dot(edge, &offset);
            }
            Simplex::new(&edges).nearest(&along).shares
        };
        let mut position = vec![0.0; x.len()];
        for (&node, share) in self.cell.nodes.iter().zip(&shares) {
            position.iter_mut().zip(nodes.row(node)).for_each(|(p, y)| *p += share * y);
        }
        (observed_squared_distance(x, &position), shares)
    }
}

/// The mean of the nodes, and the power of two that scales them to about 1.
fn unit(nodes: &Matrix) -> (Vec<f64>, f64) {
    let share = 1.0 / nodes.n_rows() as f64;
    let mut origin = vec![0.0; nodes.n_cols()];
    for row in nodes.rows() {
        origin.iter_mut().zip(row).for_each(|(origin, x)| *origin += share * x);
    }
    let mut extent: f64 = 0.0;
    for row in nodes.rows() {
        extent = row.iter().zip(&origin).fold(extent, |most, (x, at)| most.max((x - at).abs()));
    }
    let usable = extent > 0.0 && extent.is_finite();
    (origin, if usable { (-extent.log2().ceil()).exp2() } else { 1.0 })
}

/// The net with a margin beyond its open borders, where each line of nodes continues straight on.
fn widened(net: &Net, nodes: Matrix, margin: usize) -> Result<(Net, Matrix)> {
    if margin == 0 || net.shape == NetShape::Sphere {
        return Ok((net.clone(), nodes));
    }
    if net.shape == NetShape::Triangular {
        return widened_triangles(net, &nodes, margin);
    }
    let mut sides = net.sides.clone();
    let mut rows = nodes;
    for axis in 0..sides.len() {
        if net.shape.closed()[axis] {
            continue;
        }
        let outer: usize = sides[..axis].iter().product();
        let stride: usize = sides[axis + 1..].iter().product();
        let (old, new) = (sides[axis], sides[axis] + 2 * margin);
        let mut wider = Matrix::zeros(outer * new * stride, rows.n_cols());
        for line in 0..outer * stride {
            let (block, offset) = (line / stride, line % stride);
            for at in 0..new {
                // From two adjacent nodes of the old line, or the last two beyond its end.
                let from = at.saturating_sub(margin).min(old - 2);
                let by = at as f64 - margin as f64 - from as f64;
                let node = |at: usize| rows.row((block * old + at) * stride + offset);
                let to = wider.row_mut((block * new + at) * stride + offset).iter_mut();
                let ends = node(from).iter().zip(node(from + 1));
                to.zip(ends).for_each(|(to, (a, b))| *to = a + by * (b - a));
            }
        }
        sides[axis] = new;
        rows = wider;
    }
    let mut wider = Net::new(net.shape, &sides)?;
    let shift: Vec<f64> =
        net.shape.closed().iter().map(|&closed| if closed { 0.0 } else { margin as f64 }).collect();
    shifted(&mut wider, &shift);
    Ok((wider, rows))
}

/// The same for a sheet of triangles; an even number of rows keeps the offsets of the others.
fn widened_triangles(net: &Net, nodes: &Matrix, margin: usize) -> Result<(Net, Matrix)> {
    let up = margin.next_multiple_of(2);
    let (rows, columns) = (net.sides[0], net.sides[1]);
    let sides = [rows + 2 * up, columns + 2 * margin];
    let mut wider = Net::new(NetShape::Triangular, &sides)?;
    let mut nodes_found: Vec<Option<Vec<f64>>> = vec![None; wider.len()];
    let number = |row: usize, column: usize| row * sides[1] + column;
    let onward = |a: &[f64], b: &[f64], by: f64| -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| a + by * (b - a)).collect()
    };
    for row in 0..rows {
        for column in 0..sides[1] {
            let from = column.saturating_sub(margin).min(columns - 2);
            let by = column as f64 - margin as f64 - from as f64;
            let at = row * columns + from;
            nodes_found[number(row + up, column)] =
                Some(onward(nodes.row(at), nodes.row(at + 1), by));
        }
    }
    // Each outer row continues the two rows inside it, along either slanting line.
    let inward = |row: usize, column: usize, down: bool, right: bool| -> Option<(usize, usize)> {
        let column = match (row % 2, right) {
            (1, true) => column + 1,
            (0, false) => column.checked_sub(1)?,
            _ => column,
        };
        let row = if down { row + 1 } else { row.checked_sub(1)? };
        (row < sides[0] && column < sides[1]).then_some((row, column))
    };
    let outside = (0..up).rev().map(|row| (row, true));
    for (row, down) in outside.chain((rows + up..sides[0]).map(|row| (row, false))) {
        for column in 0..sides[1] {
            let mut beyond = Vec::new();
            for right in [false, true] {
                let near = inward(row, column, down, right);
                let far = near.and_then(|(row, column)| inward(row, column, down, right));
                let node = |at: Option<(usize, usize)>| {
                    at.and_then(|(row, column)| nodes_found[number(row, column)].clone())
                };
                if let (Some(near), Some(far)) = (node(near), node(far)) {
                    beyond.push(onward(&far, &near, 2.0));
                }
            }
            nodes_found[number(row, column)] = match beyond.as_slice() {
                [one, other] => Some(onward(one, other, 0.5)),
                _ => beyond.pop(),
            };
        }
    }
    let rows: Option<Vec<Vec<f64>>> = nodes_found.into_iter().collect();
    let rows = rows
        .ok_or_else(|| Error::Numerical("the margin of the net could not be constructed".into()))?;
    shifted(&mut wider, &[0.75_f64.sqrt() * up as f64, margin as f64]);
    Ok((wider, Matrix::from_rows(&rows)?))
}

/// Shifts the origin of inner coordinates.
fn shifted(net: &mut Net, by: &[f64]) {
    let shift = |row: &mut [f64]| row.iter_mut().zip(by).for_each(|(x, by)| *x -= by);
    net.cells.iter_mut().flat_map(|cell| &mut cell.inner).for_each(|corner| shift(corner));
}
