//! U and its slope, eq. (2).

use std::ops::Range;

use rayon::prelude::*;

use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, dot, squared_distance};

/// Points per task.
const TASK: usize = 4096;
/// Segments on either side of its own among which a point chooses between two full projections.
const NEAR: usize = 2;

/// The partition of the points, step 2: the segment of each and where on it.
pub(super) struct Projected {
    pub segment: Vec<u32>,
    pub at: Vec<f64>,
    pub mean_squared: f64,
}

/// Full projection onto the line with these vertices.
pub(super) fn project(rows: &WeightedRows, nodes: &Matrix) -> Result<Projected> {
    let count = nodes.n_rows();
    let edges: Vec<_> = (1..count).map(|b| (b - 1, b, 1.0)).collect();
    let line = PrincipalGraph::new(nodes.clone(), &edges, vec![0.0; count])?;
    let found = line.project(&rows.points()?)?;
    let squares: Vec<f64> = found.distance.iter().map(|d| d * d).collect();
    Ok(Projected {
        segment: found.edge.iter().map(|edge| edge.unwrap_or(0) as u32).collect(),
        at: found.edge_pos,
        mean_squared: rows.mean(&squares),
    })
}

/// U for a given λ and points that stay near their segments.
pub(super) struct Energy<'a> {
    pub rows: &'a WeightedRows,
    pub segment: &'a [u32],
    /// λ/(k+1).
    pub weight: f64,
    /// r².
    pub squared_radius: f64,
}

/// The mean squared distance and its derivatives, of some of the points.
struct Part {
    value: f64,
    slope: Vec<f64>,
}

impl Energy<'_> {
    /// U, and its derivatives, at these vertices.
    pub fn at(&self, nodes: &Matrix) -> (f64, Matrix) {
        let n = self.rows.len();
        let tasks: Vec<Range<usize>> =
            (0..n).step_by(TASK).map(|start| start..(start + TASK).min(n)).collect();
        let parts: Vec<Part> =
            tasks.into_par_iter().map(|task| self.distances(nodes, task)).collect();
        let mut slope = Matrix::zeros(nodes.n_rows(), nodes.n_cols());
        let mut value = 0.0;
        for part in parts {
            value += part.value;
            slope.as_mut_slice().iter_mut().zip(part.slope).for_each(|(to, from)| *to += from);
        }
        value += self.weight * self.penalty(nodes, &mut slope);
        (value, slope)
    }

    fn distances(&self, nodes: &Matrix, points: Range<usize>) -> Part {
        let (dims, last) = (nodes.n_cols(), nodes.n_rows() - 2);
        let mut part = Part { value: 0.0, slope: vec![0.0; nodes.as_slice().len()] };
        for i in points {
            let x = self.rows.x.row(i);
            let own = self.segment[i] as usize;
            let mut best = (f64::INFINITY, 0, 0.0);
            for segment in own.saturating_sub(NEAR)..=(own + NEAR).min(last) {
                let (squared, at) = distance(x, nodes.row(segment), nodes.row(segment + 1));
                if squared < best.0 {
                    best = (squared, segment, at);
                }
            }
            let (squared, segment, at) = best;
            let weight = self.rows.weights[i] / self.rows.total;
            part.value += weight * squared;
            let (a, b) = (nodes.row(segment), nodes.row(segment + 1));
            let start = segment * dims;
            for d in 0..dims {
                let away = 2.0 * weight * (a[d] + at * (b[d] - a[d]) - x[d]);
                part.slope[start + d] += (1.0 - at) * away;
                part.slope[start + dims + d] += at * away;
            }
        }
        part
    }

    /// Σ CP(i); adds its derivatives times λ/(k+1).
    fn penalty(&self, nodes: &Matrix, slope: &mut Matrix) -> f64 {
        let segments = nodes.n_rows() - 1;
        let sides: Vec<Vec<f64>> = (0..segments)
            .map(|s| nodes.row(s + 1).iter().zip(nodes.row(s)).map(|(b, a)| b - a).collect())
            .collect();
        let lengths: Vec<f64> = sides.iter().map(|side| dot(side, side).sqrt()).collect();
        let mut sum = 0.0;
        let mut pull = |segment: usize, factor: f64, along: &[f64]| {
            for (d, along) in along.iter().enumerate() {
                slope.row_mut(segment)[d] -= self.weight * factor * along;
                slope.row_mut(segment + 1)[d] += self.weight * factor * along;
            }
        };
        for end in [0, segments - 1] {
            sum += lengths[end] * lengths[end];
            pull(end, 2.0, &sides[end]);
        }
        for s in 1..segments {
            let (before, after) = (lengths[s - 1], lengths[s]);
            if before == 0.0 || after == 0.0 {
                sum += self.squared_radius;
                continue;
            }
            let turn = dot(&sides[s - 1], &sides[s]) / (before * after); // −cos γ
            sum += self.squared_radius * (1.0 - turn);
            let share = self.squared_radius / (before * after);
            pull(s - 1, -share, &sides[s]);
            pull(s - 1, self.squared_radius * turn / (before * before), &sides[s - 1]);
            pull(s, -share, &sides[s - 1]);
            pull(s, self.squared_radius * turn / (after * after), &sides[s]);
        }
        sum
    }
}

/// The squared distance from a segment, and the nearest position on it.
fn distance(x: &[f64], a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut along, mut length) = (0.0, 0.0);
    for ((x, a), b) in x.iter().zip(a).zip(b) {
        along += (x - a) * (b - a);
        length += (b - a) * (b - a);
    }
    let at = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    if at == 0.0 {
        return (squared_distance(x, a), 0.0);
    }
    let square = |((x, a), b): ((&f64, &f64), &f64)| (a + at * (b - a) - x).powi(2);
    (x.iter().zip(a).zip(b).map(square).sum(), at)
}
