//! The dendrogram: a rooted graph with pseudotime on the y axis and branches side by side.

use super::stars::{Star, stars};
use crate::error::Result;
use crate::graph::{Projection, Rooted};
use crate::math::Matrix;

/// The largest distance at which points are drawn from their branch; adjacent branches are 1 apart.
const MAX_OFFSET: f64 = 0.3;

/// A drawing of a rooted graph: x is the branch, y the pseudotime.
#[derive(Clone, Debug, PartialEq)]
pub struct Dendrogram {
    /// The position of each node; NaN in components without a root.
    pub nodes: Matrix,
    /// Horizontal lines at the branch points: left x, right x, y.
    pub bars: Vec<[f64; 3]>,
}

impl Rooted<'_> {
    /// Draws the graph as a dendrogram.
    ///
    /// Every branch is a vertical line from the pseudotime of its start to that of its end; a
    /// horizontal bar connects it to its parent branch. Branches that lead to more tips are further
    /// left. Loops are cut opposite the root.
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
        let tips = tips_below(&stars);
        let latest = latest_below(&stars, &time);
        let mut column = vec![0.0; stars.len()];
        let mut next = 0.0;
        // Tips from left to right, in a depth-first walk that enters the larger branch first.
        let mut open: Vec<usize> =
            (0..stars.len()).filter(|&s| stars[s].parent.is_none()).rev().collect();
        while let Some(star) = open.pop() {
            let mut children = stars[star].children.clone();
            if children.is_empty() {
                column[star] = next;
                next += 1.0;
            }
            children.sort_by(|&a, &b| {
                let larger = tips[b].cmp(&tips[a]);
                larger.then(latest[b].total_cmp(&latest[a])).then(a.cmp(&b))
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

/// The number of tips below each star.
fn tips_below(stars: &[Star]) -> Vec<usize> {
    let mut tips = vec![0_usize; stars.len()];
    for (s, star) in stars.iter().enumerate().rev() {
        tips[s] = tips[s].max(1);
        if let Some(parent) = star.parent {
            tips[parent] += tips[s];
        }
    }
    tips
}

/// The largest pseudotime below each star.
fn latest_below(stars: &[Star], time: &[f64]) -> Vec<f64> {
    let mut latest: Vec<f64> = stars.iter().map(|star| time[star.node]).collect();
    for (s, star) in stars.iter().enumerate().rev() {
        if let Some(parent) = star.parent {
            latest[parent] = latest[parent].max(latest[s]);
        }
    }
    latest
}

impl Dendrogram {
    /// The position of each point: at its pseudotime, next to the line of its branch, on alternating
    /// sides, at an offset that grows with its distance from the graph. NaN in components without
    /// a root.
    pub fn points(&self, rooted: &Rooted<'_>, projection: &Projection) -> Result<Matrix> {
        let time = rooted.pseudotime(projection)?;
        let distances = || projection.distance.iter().copied();
        let nearest = distances().fold(f64::INFINITY, f64::min);
        let range = distances().fold(0.0, f64::max) - nearest;
        let mut positions = Matrix::zeros(time.len(), 2);
        for (i, &time) in time.iter().enumerate() {
            let side = if i % 2 == 0 { MAX_OFFSET } else { -MAX_OFFSET };
            let away = (projection.distance[i] - nearest) / range;
            let away = if away.is_finite() { away } else { 0.0 };
            let column = self.nodes.row(rooted.node_ahead(projection, i))[0];
            positions.row_mut(i).copy_from_slice(&[column + side * away, time]);
        }
        Ok(positions)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::graph::random::{projection_at, random_graph};

    proptest! {
        #[test]
        fn y_is_pseudotime_and_tips_have_their_own_columns(
            graph in random_graph(14, 24),
            seeds in proptest::collection::vec((0_usize..1000, 0.0..1.0_f64), 0..8),
            root in 0_usize..14,
        ) {
            let rooted = graph.root(&[root % graph.nodes().n_rows()]).unwrap();
            let time = rooted.node_pseudotime();
            let drawing = rooted.dendrogram();
            for (node, position) in drawing.nodes.rows().enumerate() {
                prop_assert_eq!(position[0].is_nan(), time[node].is_nan());
                prop_assert!(time[node].is_nan() || position[1] == time[node]);
            }
            // Tips take the columns 0, 1, 2, ... without gaps.
            let mut tips: Vec<f64> = rooted
                .lineages()
                .iter()
                .map(|lineage| drawing.nodes.row(lineage.nodes[lineage.nodes.len() - 1])[0])
                .collect();
            tips.sort_by(f64::total_cmp);
            prop_assert_eq!(&tips, &(0..tips.len()).map(|i| i as f64).collect::<Vec<_>>());
            // Bars stay within the columns of the tips.
            for [low, high, _] in &drawing.bars {
                prop_assert!(low < high && *low >= 0.0 && *high < tips.len() as f64);
            }
            let projection = projection_at(&graph, &seeds);
            let points = drawing.points(&rooted, &projection).unwrap();
            let times = rooted.pseudotime(&projection).unwrap();
            for (position, time) in points.rows().zip(times) {
                prop_assert!(position[1] == time || (position[0].is_nan() && time.is_nan()));
            }
        }
    }
}
