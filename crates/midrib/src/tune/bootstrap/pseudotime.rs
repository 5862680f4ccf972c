//! The variation of pseudotime between replicas.

use super::Replicas;
use super::support::check_projection;
use crate::error::Result;
use crate::graph::{PrincipalGraph, Projection};
use crate::math::Matrix;
use crate::points::Points;

impl Replicas {
    /// The standard deviation of each point's pseudotime over the replicas. In each replica,
    /// pseudotime starts at the projections of the roots of the learned graph. `projection` is the
    /// projection of the points onto the learned graph.
    ///
    /// NaN if no root reaches the point on the learned graph, or on at least two replicas.
    pub fn pseudotime_sd(
        &self,
        graph: &PrincipalGraph,
        roots: &[usize],
        points: &Points<'_>,
        projection: &Projection,
    ) -> Result<Vec<f64>> {
        check_projection(points, projection)?;
        let rooted = graph.root(roots)?;
        let roots = graph.nodes().select_rows(rooted.roots().iter().copied());
        let mut spreads = vec![Spread::default(); points.len()];
        for replica in &self.graphs {
            for (spread, time) in spreads.iter_mut().zip(times(replica, &roots, points)?) {
                spread.add(time);
            }
        }
        let pseudotime = rooted.pseudotime(projection)?;
        let sd =
            |(spread, time): (&Spread, &f64)| if time.is_nan() { f64::NAN } else { spread.sd() };
        Ok(spreads.iter().zip(&pseudotime).map(sd).collect())
    }
}

/// The distance along a graph from each point's projection to the nearest projection of a root; NaN
/// if there is no path.
fn times(graph: &PrincipalGraph, roots: &Matrix, points: &Points<'_>) -> Result<Vec<f64>> {
    let on = graph.project(points)?;
    let begin = graph.project(&Points::from_f64(roots.as_slice(), roots.n_cols())?)?;
    let mut times = vec![f64::NAN; points.len()];
    let mut offer = |i: usize, time: f64| {
        // `min` ignores NaN.
        times[i] = times[i].min(time);
    };
    for root in 0..roots.n_rows() {
        let Some(edge) = begin.edge[root] else {
            let time = graph.root(&[begin.node[root]])?.pseudotime(&on)?;
            time.into_iter().enumerate().for_each(|(i, time)| offer(i, time));
            continue;
        };
        let (at, length) = (begin.edge_pos[root], graph.edges()[edge].length);
        // The path passes through one node of the edge or the other, ...
        for (end, share) in [(graph.edges()[edge].a, at), (graph.edges()[edge].b, 1.0 - at)] {
            let time = graph.root(&[end])?.pseudotime(&on)?;
            time.into_iter().enumerate().for_each(|(i, time)| offer(i, share * length + time));
        }
        // ... or stays on it.
        for i in (0..points.len()).filter(|&i| on.edge[i] == Some(edge)) {
            offer(i, (on.edge_pos[i] - at).abs() * length);
        }
    }
    Ok(times)
}

/// A running mean and standard deviation; NaN is ignored.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        if value.is_nan() {
            return;
        }
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    fn sd(&self) -> f64 {
        if self.count < 2.0 { f64::NAN } else { (self.squares / (self.count - 1.0)).sqrt() }
    }
}
