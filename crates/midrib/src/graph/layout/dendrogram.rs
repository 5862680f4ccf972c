//! The dendrogram: a rooted graph with pseudotime upwards and the branches side by side.

use super::stars::{Star, stars};
use crate::error::Result;
use crate::graph::{Projection, Rooted};
use crate::math::Matrix;

/// Points are drawn at most this far from their branch; neighbouring branches are 1 apart.
const FARTHEST: f64 = 0.3;

/// A drawing of a rooted graph: x tells the branch, y the pseudotime.
#[derive(Clone, Debug, PartialEq)]
pub struct Dendrogram {
    /// The place of each node; NaN where no root reaches.
    pub nodes: Matrix,
    /// Horizontal lines at the branch points: from x, to x, y.
    pub bars: Vec<[f64; 3]>,
}

impl Rooted<'_> {
    /// Draws the graph as a dendrogram.
    ///
    /// Every branch is a vertical line from the pseudotime of its beginning to that of its end;
    /// a horizontal bar joins it to the branch that it comes from. Branches with more ends behind
    /// them stand further left. Loops are cut opposite the root.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, -3.0]])?;
    /// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
    /// let drawing = graph.root(&[0])?.dendrogram();
    /// assert_eq!(drawing.nodes.row(0), [0.5, 0.0]);
    /// assert_eq!(drawing.nodes.row(2), [1.0, 3.0]);
    /// assert_eq!(drawing.nodes.row(3), [0.0, 5.0]);
    /// assert_eq!(drawing.bars, [[0.0, 1.0, 2.0]]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn dendrogram(&self) -> Dendrogram {
        let time = self.node_pseudotime();
        let stars = stars(self.graph(), self.reach());
        let ends = ends_behind(&stars);
        let deepest = deepest_behind(&stars, &time);
        let mut column = vec![0.0; stars.len()];
        let mut next = 0.0;
        // Ends from left to right, by a walk that enters the larger branch first.
        let mut open: Vec<usize> =
            (0..stars.len()).filter(|&s| stars[s].parent.is_none()).rev().collect();
        while let Some(star) = open.pop() {
            let mut children = stars[star].children.clone();
            if children.is_empty() {
                column[star] = next;
                next += 1.0;
            }
            children.sort_by(|&a, &b| {
                let larger = ends[b].cmp(&ends[a]);
                larger.then(deepest[b].total_cmp(&deepest[a])).then(a.cmp(&b))
            });
            open.extend(children.into_iter().rev());
        }
        let mut bars = Vec::new();
        for (s, star) in
            stars.iter().enumerate().rev().filter(|(_, star)| !star.children.is_empty())
        {
            let over = || star.children.iter().map(|&child| column[child]);
            let (low, high) =
                (over().fold(f64::INFINITY, f64::min), over().fold(f64::NEG_INFINITY, f64::max));
            column[s] = 0.5 * (low + high);
            if high > low {
                bars.push([low, high, time[star.node]]);
            }
        }
        bars.reverse();
        let mut nodes = Matrix::zeros(time.len(), 2);
        nodes.as_mut_slice().fill(f64::NAN);
        for (s, star) in stars.iter().enumerate() {
            for &node in star.chain.iter().chain([&star.node]) {
                nodes.row_mut(node).copy_from_slice(&[column[s], time[node]]);
            }
        }
        Dendrogram { nodes, bars }
    }
}

/// How many ends lie behind each star.
fn ends_behind(stars: &[Star]) -> Vec<usize> {
    let mut ends = vec![0_usize; stars.len()];
    for (s, star) in stars.iter().enumerate().rev() {
        ends[s] = ends[s].max(1);
        if let Some(parent) = star.parent {
            ends[parent] += ends[s];
        }
    }
    ends
}

/// The largest pseudotime behind each star.
fn deepest_behind(stars: &[Star], time: &[f64]) -> Vec<f64> {
    let mut deepest: Vec<f64> = stars.iter().map(|star| time[star.node]).collect();
    for (s, star) in stars.iter().enumerate().rev() {
        if let Some(parent) = star.parent {
            deepest[parent] = deepest[parent].max(deepest[s]);
        }
    }
    deepest
}

impl Dendrogram {
    /// A place for every point: at its pseudotime, beside the line of its branch, to either side
    /// in turn, from the nearest to the farthest from the graph. NaN where no root reaches.
    pub fn points(&self, rooted: &Rooted<'_>, projection: &Projection) -> Result<Matrix> {
        let time = rooted.pseudotime(projection)?;
        let distances = || projection.distance.iter().copied();
        let nearest = distances().fold(f64::INFINITY, f64::min);
        let range = distances().fold(0.0, f64::max) - nearest;
        let mut places = Matrix::zeros(time.len(), 2);
        for (i, &time) in time.iter().enumerate() {
            let side = if i % 2 == 0 { FARTHEST } else { -FARTHEST };
            let away = (projection.distance[i] - nearest) / range;
            let away = if away.is_finite() { away } else { 0.0 };
            let column = self.nodes.row(rooted.node_ahead(projection, i))[0];
            places.row_mut(i).copy_from_slice(&[column + side * away, time]);
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::graph::random::{places, random_graph};

    proptest! {
        #[test]
        fn lines_rise_with_pseudotime_and_stand_apart(
            graph in random_graph(14, 24),
            seeds in proptest::collection::vec((0_usize..1000, 0.0..1.0_f64), 0..8),
            root in 0_usize..14,
        ) {
            let rooted = graph.root(&[root % graph.nodes().n_rows()]).unwrap();
            let time = rooted.node_pseudotime();
            let drawing = rooted.dendrogram();
            for (node, place) in drawing.nodes.rows().enumerate() {
                prop_assert_eq!(place[0].is_nan(), time[node].is_nan());
                prop_assert!(time[node].is_nan() || place[1] == time[node]);
            }
            // Ends take the columns 0, 1, 2, ... without a gap.
            let mut ends: Vec<f64> = rooted
                .lineages()
                .iter()
                .map(|lineage| drawing.nodes.row(lineage.nodes[lineage.nodes.len() - 1])[0])
                .collect();
            ends.sort_by(f64::total_cmp);
            prop_assert_eq!(&ends, &(0..ends.len()).map(|i| i as f64).collect::<Vec<_>>());
            // A branch stands under the middle of those that it leads to.
            for [low, high, _] in &drawing.bars {
                prop_assert!(low < high && *low >= 0.0 && *high < ends.len() as f64);
            }
            let projection = places(&graph, &seeds);
            let points = drawing.points(&rooted, &projection).unwrap();
            let times = rooted.pseudotime(&projection).unwrap();
            for (place, time) in points.rows().zip(times) {
                prop_assert!(place[1] == time || (place[0].is_nan() && time.is_nan()));
            }
        }
    }
}
