//! How much pseudotime varies between replicas.

use super::Replicas;
use super::support::check_places;
use crate::error::Result;
use crate::graph::{PrincipalGraph, Projection};
use crate::math::Matrix;
use crate::points::Points;

impl Replicas {
    /// For each point the standard deviation of its pseudotime over the replicas, counted from the
    /// place on each of them that is nearest to a root of the learnt graph.
    ///
    /// NaN where no root leads on the learnt graph, of which `projection` is that of the points, or
    /// on all replicas but one.
    pub fn pseudotime_sd(
        &self,
        graph: &PrincipalGraph,
        roots: &[usize],
        points: &Points<'_>,
        projection: &Projection,
    ) -> Result<Vec<f64>> {
        check_places(points, projection)?;
        let rooted = graph.root(roots)?;
        let places = graph.nodes().select_rows(rooted.roots().iter().copied());
        let mut spreads = vec![Spread::default(); points.len()];
        for replica in &self.graphs {
            for (spread, time) in spreads.iter_mut().zip(times(replica, &places, points)?) {
                spread.add(time);
            }
        }
        let known = rooted.pseudotime(projection)?;
        let sd =
            |(spread, time): (&Spread, &f64)| if time.is_nan() { f64::NAN } else { spread.sd() };
        Ok(spreads.iter().zip(&known).map(sd).collect())
    }
}

/// The distance of each point's place along a graph from the nearest of the places nearest to the
/// roots; NaN where none leads.
fn times(graph: &PrincipalGraph, roots: &Matrix, points: &Points<'_>) -> Result<Vec<f64>> {
    let on = graph.project(points)?;
    let begin = graph.project(&Points::from_f64(roots.as_slice(), roots.n_cols())?)?;
    let mut times = vec![f64::NAN; points.len()];
    let mut offer = |i: usize, time: f64| {
        // The smaller of the two, and any number rather than NaN.
        times[i] = times[i].min(time);
    };
    for root in 0..roots.n_rows() {
        let Some(edge) = begin.edge[root] else {
            let time = graph.root(&[begin.node[root]])?.pseudotime(&on)?;
            time.into_iter().enumerate().for_each(|(i, time)| offer(i, time));
            continue;
        };
        let (at, length) = (begin.edge_pos[root], graph.edges()[edge].length);
        // The way leads over one end of the edge or the other, ...
        for (end, way) in [(graph.edges()[edge].a, at), (graph.edges()[edge].b, 1.0 - at)] {
            let time = graph.root(&[end])?.pseudotime(&on)?;
            time.into_iter().enumerate().for_each(|(i, time)| offer(i, way * length + time));
        }
        // ... or stays on it.
        for i in (0..points.len()).filter(|&i| on.edge[i] == Some(edge)) {
            offer(i, (on.edge_pos[i] - at).abs() * length);
        }
    }
    Ok(times)
}

/// Mean and spread of numbers as they come in; NaN is passed over.
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
