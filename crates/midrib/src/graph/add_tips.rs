//! New tips: a node beyond each tip, among the points beyond it.

use super::length::length_of;
use super::members::Members;
use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};
use crate::math::{Matrix, squared_distance};
use crate::points::Blocks;

/// Which of the points beyond a tip determine the new node. Albergante2020, "extending leaves".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NewTip {
    /// All of them, each by this power of its distance from the tip; 0 gives the plain mean, large
    /// powers the farthest point.
    Centroid {
        /// 0 or more.
        power: f64,
    },
    /// Those that are at least as far from the tip as this share of them, in equal parts.
    Quantile {
        /// From 0 (all) to 1 (the farthest).
        share: f64,
    },
}

impl NewTip {
    fn check(self) -> Result<()> {
        match self {
            Self::Centroid { power } if !(power >= 0.0 && power.is_finite()) => {
                Err(Error::setting("power", power, "must be 0 or positive"))
            }
            Self::Quantile { share } if !(0.0..=1.0).contains(&share) => {
                Err(Error::setting("share", share, "must be between 0 and 1"))
            }
            _ => Ok(()),
        }
    }
}

impl PrincipalGraph {
    /// Adds a node to each tip beyond which there are points (their nearest position is the tip
    /// itself), at the mean of those that `end` selects. The mass of points that are nearer to the
    /// new node than to the tip goes to the new node. Unlike [`PrincipalGraph::extend_tips`],
    /// nothing moves, and the new edge need not continue straight on. `projection` is that of `points` onto this graph.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::{NewTip, PrincipalGraph};
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![0.0, 2.0])?;
    /// let points = Points::from_f64(vec![2.0, 0.0, 4.0, 1.0], 2)?;
    /// let projection = graph.project(&points)?;
    /// let longer = graph.add_tips(NewTip::Centroid { power: 0.0 }, &points, &projection)?;
    /// assert_eq!(longer.nodes().row(2), [3.0, 0.5]);
    /// let longest = graph.add_tips(NewTip::Quantile { share: 1.0 }, &points, &projection)?;
    /// assert_eq!(longest.nodes().row(2), [4.0, 1.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn add_tips(
        &self,
        end: NewTip,
        points: &dyn Blocks,
        projection: &Projection,
    ) -> Result<Self> {
        end.check()?;
        self.check_projection_of(points, projection)?;
        let mut beyond = vec![Vec::new(); self.nodes().n_rows()];
        for i in (0..points.len()).filter(|&i| points.weight(i) > 0.0) {
            let Some(edge) = projection.edge[i].map(|edge| self.edges()[edge]) else { continue };
            match projection.edge_pos[i] {
                0.0 if self.degree(edge.a) == 1 => beyond[edge.a].push(i),
                1.0 if self.degree(edge.b) == 1 => beyond[edge.b].push(i),
                _ => {}
            }
        }
        let mut rows: Vec<Vec<f64>> = self.nodes().rows().map(<[f64]>::to_vec).collect();
        let mut edges: Vec<_> = self.edges().iter().map(|e| (e.a, e.b, e.weight)).collect();
        let mut mass = self.mass().to_vec();
        for tip in self.tips() {
            let members = Members::new(points, &beyond[tip])?;
            let Some(added) = self.new_tip(tip, &members, end) else { continue };
            let mut row = vec![0.0; points.dims()];
            let mut nearer = 0.0;
            for at in 0..members.len() {
                members.copy_row(at, &mut row);
                let apart = |y: &[f64]| squared_distance(&row, y);
                if apart(&added) < apart(self.nodes().row(tip)) {
                    nearer += members.weight(at);
                }
            }
            let moved = nearer.min(mass[tip]);
            mass[tip] -= moved;
            mass.push(moved);
            edges.push((tip, rows.len(), 1.0));
            rows.push(added);
        }
        Self::new(Matrix::from_rows(&rows)?, &edges, mass)
    }

    /// The new node of a tip, from the points beyond it; none if no point is farther out.
    fn new_tip(&self, tip: usize, members: &Members<'_>, end: NewTip) -> Option<Vec<f64>> {
        let from = self.nodes().row(tip);
        let mut row = vec![0.0; from.len()];
        let mut far: Vec<(f64, usize)> = (0..members.len())
            .map(|at| {
                members.copy_row(at, &mut row);
                (length_of(row.iter().zip(from).map(|(x, y)| x - y)), at)
            })
            .collect();
        far.sort_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let &(farthest, _) = far.last()?;
        if farthest <= 0.0 {
            return None;
        }
        let total: f64 = (0..members.len()).map(|at| members.weight(at)).sum();
        let mut before = 0.0;
        let mut mean = vec![0.0; from.len()];
        let mut shares = 0.0;
        for (at, &(distance, i)) in far.iter().enumerate() {
            let weight = members.weight(i);
            before += weight;
            let share = match end {
                NewTip::Centroid { power } => weight * (distance / farthest).powf(power),
                NewTip::Quantile { share } if before < share * total && at + 1 < far.len() => 0.0,
                NewTip::Quantile { .. } => weight,
            };
            members.copy_row(i, &mut row);
            mean.iter_mut().zip(&row).for_each(|(m, x)| *m += share * x);
            shares += share;
        }
        Some(mean.iter().map(|m| m / shares).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    fn line() -> (PrincipalGraph, Points<'static>) {
        let nodes = Matrix::from_rows(&[[0.0], [10.0]]).unwrap();
        let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![0.0, 5.0]).unwrap();
        let points = Points::from_f64(vec![11.0, 12.0, 13.0, 14.0, 5.0], 1).unwrap();
        (graph, points.with_weights(vec![1.0, 1.0, 1.0, 2.0, 7.0]).unwrap())
    }

    #[test]
    fn tips_lie_among_their_points() {
        let (graph, points) = line();
        let projection = graph.project(&points).unwrap();
        let added = |end: NewTip| {
            let longer = graph.add_tips(end, &points, &projection).unwrap();
            // Nothing lies beyond the other tip.
            assert_eq!((longer.nodes().n_rows(), longer.edges().len()), (3, 2));
            longer.nodes().row(2)[0]
        };
        assert_eq!(added(NewTip::Centroid { power: 0.0 }), 64.0 / 5.0);
        let linear = (11.0 + 2.0 * 12.0 + 3.0 * 13.0 + 8.0 * 14.0) / 14.0;
        assert!((added(NewTip::Centroid { power: 1.0 }) - linear).abs() < 1e-12);
        assert_eq!(added(NewTip::Quantile { share: 0.0 }), 64.0 / 5.0);
        assert_eq!(added(NewTip::Quantile { share: 0.6 }), (13.0 + 28.0) / 3.0);
        assert_eq!(added(NewTip::Quantile { share: 1.0 }), 14.0);
    }

    #[test]
    fn mass_goes_to_the_tip_where_that_is_nearer() {
        let (graph, points) = line();
        let projection = graph.project(&points).unwrap();
        let end = NewTip::Quantile { share: 1.0 };
        let longer = graph.add_tips(end, &points, &projection).unwrap();
        assert_eq!(longer.mass(), [0.0, 2.0, 3.0]);
    }

    #[test]
    fn parameters_out_of_range_are_named() {
        let (graph, points) = line();
        let projection = graph.project(&points).unwrap();
        for (end, message) in [
            (NewTip::Centroid { power: -1.0 }, "power = -1: must be 0 or positive"),
            (NewTip::Quantile { share: 2.0 }, "share = 2: must be between 0 and 1"),
        ] {
            let error = graph.add_tips(end, &points, &projection).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
