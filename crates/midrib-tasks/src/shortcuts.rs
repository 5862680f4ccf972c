//! Whether a curve takes shortcuts: it may explain nearly all of the variance and still leave the
//! points on one side of a void and come back on the other.

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::{Matrix, squared_distance};

use crate::text::percent;

/// Distances are compared among at most this many points.
const SAMPLE: usize = 1000;
/// The nearest points that are looked at.
const NEIGHBORS: usize = 3;
/// Neighbors are torn apart if they are farther from each other along the curve than this share of
/// its length,
const SHARE: f64 = 0.1;
/// and this times their distance.
const TIMES: f64 = 4.0;
/// More points with such a neighbor are reported; good curves have at most 0.5 %, and a ring that is cut
/// has two or three.
const MOST: f64 = 0.0075;
const FEWEST: usize = 5;

/// A note about a curve that tears neighbors apart; none for other graphs, nor where values are
/// missing.
pub fn note_shortcuts(
    graph: &PrincipalGraph,
    points: &Points<'_>,
    projection: &Projection,
) -> Option<String> {
    let is_curve = graph.tips().len() == 2 && graph.branches().len() == 1;
    if !is_curve || points.missing_values() > 0 {
        return None;
    }
    let torn = torn(graph, points, projection)?;
    (torn > MOST).then(|| {
        format!(
            "{} of the points have near neighbors that are far away along the curve: it may take \
             shortcuts; learn a tree with method = ppt and start from its results with init = DIR",
            percent(torn)
        )
    })
}

/// The share of the points with a neighbor that is far away along the curve, if there are some.
fn torn(graph: &PrincipalGraph, points: &Points<'_>, projection: &Projection) -> Option<f64> {
    let time = graph.root(&graph.tips()[..1]).ok()?.pseudotime(projection).ok()?;
    let step = points.len().div_ceil(SAMPLE);
    let sample: Vec<usize> = (0..points.len()).step_by(step).collect();
    let mut rows = Matrix::zeros(sample.len(), points.dims());
    sample.iter().enumerate().for_each(|(at, &i)| points.copy_row(i, rows.row_mut(at)));
    let far = SHARE * graph.length();
    let is_torn = |&i: &usize| {
        let others = (0..sample.len()).filter(|&j| j != i);
        let mut near: Vec<(f64, usize)> =
            others.map(|j| (squared_distance(rows.row(i), rows.row(j)), j)).collect();
        let k = NEIGHBORS.min(near.len());
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near[..k].iter().any(|&(squared, j)| {
            let along = (time[sample[i]] - time[sample[j]]).abs();
            along > far && along > TIMES * squared.sqrt()
        })
    };
    let torn = (0..sample.len()).filter(|i| is_torn(i)).count();
    (torn >= FEWEST).then(|| torn as f64 / sample.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points along two turns of a spiral, and the note about a curve through the positions at some
    /// angles.
    fn note(angles: impl Iterator<Item = f64>) -> Option<String> {
        let at = |t: f64| [(1.0 + t) * t.cos(), (1.0 + t) * t.sin()];
        let values: Vec<f64> = (0..600).flat_map(|i| at(f64::from(i) / 50.0)).collect();
        let points = Points::from_f64(values, 2).unwrap();
        let nodes: Vec<[f64; 2]> = angles.map(at).collect();
        let edges: Vec<_> = (1..nodes.len()).map(|i| (i - 1, i, 1.0)).collect();
        let mass = vec![1.0; nodes.len()];
        let graph = PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, mass).unwrap();
        let projection = graph.project(&points).unwrap();
        note_shortcuts(&graph, &points, &projection)
    }

    #[test]
    fn a_curve_that_skips_a_part_of_a_turn_is_reported() {
        assert_eq!(note((0..120).map(|i| f64::from(i) / 10.0)), None);
        let skips = (0..120).map(|i| f64::from(i) / 10.0).filter(|t| !(4.0..8.0).contains(t));
        let note = note(skips).unwrap();
        assert!(
            note.contains("far away along the curve") && note.contains("method = ppt"),
            "{note}"
        );
    }
}
