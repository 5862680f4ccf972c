//! Extending: moves tips, which soft assignment pulls inward, out to the ends of the data.

use super::length::length_of;
use super::members::Members;
use super::{PrincipalGraph, Projection};
use crate::error::Result;
use crate::points::Blocks;

/// The direction of a tip is the chord over at least this many edges ...
const CHORD_EDGES: usize = 3;
/// ... and at least this many times the usual distance of the tip's points from it.
const CHORD_REACH: f64 = 2.0;
/// No tip moves farther than this share of its points reaches.
const END_QUANTILE: f64 = 0.95;

impl PrincipalGraph {
    /// Moves each tip outward, along the direction of its branch, to the end of the data.
    ///
    /// Soft assignment pulls tips inward. The points beyond a tip (their nearest position is the
    /// tip itself) show how far: the tip moves by the length on which the branch, as dense as it is
    /// near the tip, would carry as many points, but no farther than 95 % of them reach. So noise
    /// around a tip that is already right hardly moves it. Tips without such points, and everything
    /// else, stay. `projection` is that of `points` onto this graph.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let points = Points::from_f64((0..=100).map(f64::from).collect::<Vec<_>>(), 1)?;
    /// let nodes = Matrix::from_rows(&[[10.0], [50.0], [100.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let longer = graph.extend_tips(&points, &graph.project(&points)?)?;
    /// assert!(longer.nodes().row(0)[0] < 1.0);
    /// assert_eq!(longer.nodes().row(2)[0], 100.0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn extend_tips(&self, points: &dyn Blocks, projection: &Projection) -> Result<Self> {
        self.check_projection(points, projection)?;
        let mut beyond = vec![Vec::new(); self.nodes().n_rows()];
        let mut edge_weight = vec![0.0; self.edges().len()];
        for i in 0..points.len() {
            let Some(edge) = projection.edge[i] else {
                continue;
            };
            let ends = self.edges()[edge];
            match projection.edge_pos[i] {
                0.0 if self.degree(ends.a) == 1 => beyond[ends.a].push(i),
                1.0 if self.degree(ends.b) == 1 => beyond[ends.b].push(i),
                _ => edge_weight[edge] += points.weight(i),
            }
        }
        let mut nodes = self.nodes().clone();
        for tip in self.tips() {
            let members = Members::new(points, &beyond[tip])?;
            let outside = Beyond { graph: self, tip, members };
            if let Some(position) = outside.end(&edge_weight) {
                nodes.row_mut(tip).copy_from_slice(&position);
            }
        }
        let edges = self.edges().iter();
        let edges: Vec<_> = edges.map(|edge| (edge.a, edge.b, edge.weight)).collect();
        Self::new(nodes, &edges, self.mass().to_vec())
    }
}

/// A tip and the points that lie beyond it.
struct Beyond<'g> {
    graph: &'g PrincipalGraph,
    tip: usize,
    members: Members<'g>,
}

/// The last stretch of a branch before its tip.
struct Stretch {
    edges: Vec<usize>,
    length: f64,
    inner_end: usize,
}

impl Beyond<'_> {
    /// The end of the data beyond the tip; none if the tip stays.
    fn end(&self, edge_weight: &[f64]) -> Option<Vec<f64>> {
        let tip = self.graph.nodes().row(self.tip);
        let reach = self.quantile(0.5, |x| length_of(x.iter().zip(tip).map(|(x, y)| x - y)))?;
        let stretch = self.stretch(CHORD_REACH * reach);
        let outward = self.direction(&stretch)?;
        let farthest = self.quantile(END_QUANTILE, |x| {
            let steps = x.iter().zip(tip).map(|(x, y)| x - y);
            steps.zip(&outward).map(|(step, u)| step * u).sum()
        })?;
        let weight: f64 = (0..self.members.len()).map(|at| self.members.weight(at)).sum();
        let near: f64 = stretch.edges.iter().map(|&edge| edge_weight[edge]).sum();
        let fill = stretch.length * (weight / near);
        let step = farthest.min(fill);
        (step > 0.0).then(|| tip.iter().zip(&outward).map(|(y, u)| y + step * u).collect())
    }

    /// Walks inward from the tip over at least `CHORD_EDGES` edges and `length`, but not past
    /// a branch point.
    fn stretch(&self, length: f64) -> Stretch {
        let mut stretch = Stretch { edges: Vec::new(), length: 0.0, inner_end: self.tip };
        while stretch.edges.len() < CHORD_EDGES || stretch.length < length {
            let node = stretch.inner_end;
            let mut onward = self.graph.neighbors(node).iter();
            let next = onward.find(|(edge, _)| stretch.edges.last() != Some(edge));
            let Some(&(edge, next)) = next.filter(|_| self.graph.degree(node) <= 2) else {
                break;
            };
            stretch.edges.push(edge);
            stretch.length += self.graph.edges()[edge].length;
            stretch.inner_end = next;
        }
        stretch
    }

    /// The unit vector along the stretch's chord, or along the last edge if the chord points
    /// inward.
    fn direction(&self, stretch: &Stretch) -> Option<Vec<f64>> {
        let nodes = self.graph.nodes();
        let outward = |from: usize| -> Option<Vec<f64>> {
            let steps = || nodes.row(self.tip).iter().zip(nodes.row(from)).map(|(b, a)| b - a);
            let length = length_of(steps());
            (length > 0.0).then(|| steps().map(|step| step / length).collect())
        };
        let last = outward(self.graph.neighbors(self.tip).first()?.1);
        let chord = outward(stretch.inner_end);
        match (last, chord) {
            (Some(last), Some(chord)) => {
                let cosine: f64 = last.iter().zip(&chord).map(|(a, b)| a * b).sum();
                Some(if cosine > 0.0 { chord } else { last })
            }
            (None, chord) => chord,
            (last, None) => last,
        }
    }

    /// The weighted quantile of a measure of the points beyond; none without weight.
    fn quantile(&self, share: f64, measure: impl Fn(&[f64]) -> f64) -> Option<f64> {
        let mut row = vec![0.0; self.members.dims()];
        let mut measured: Vec<(f64, f64)> = (0..self.members.len())
            .map(|at| {
                self.members.copy_row(at, &mut row);
                (measure(&row), self.members.weight(at))
            })
            .filter(|(_, weight)| *weight > 0.0)
            .collect();
        measured.sort_by(|p, q| p.0.total_cmp(&q.0));
        let total: f64 = measured.iter().map(|(_, weight)| weight).sum();
        let mut sum = 0.0;
        let reached = measured.iter().find(|(_, weight)| {
            sum += weight;
            sum >= share * total
        });
        reached.or(measured.last()).map(|(value, _)| *value)
    }
}

#[cfg(test)]
mod tests;
