//! The metro map: a flat drawing with true lengths. Gorban2009, section on metro maps.

use super::draw::draw_components;
use super::map::MetroMap;
use super::product::product_map;
use crate::error::Result;
use crate::graph::PrincipalGraph;

impl PrincipalGraph {
    /// Draws the graph as a metro map.
    ///
    /// Branches are straight, and edges are proportional to their lengths. The branches around a
    /// branch point are drawn at equal angles, ordered as in its own principal plane, and mirrored
    /// or swapped to avoid crossings. If that is not enough, all orders are tried: trees with up to
    /// about a dozen branch points are drawn at equal angles without a crossing whenever such a
    /// drawing exists.
    ///
    /// For bushy trees no drawing has equal angles, true lengths and no crossings, so the angles
    /// give way. First, branches that lead away from the middle are drawn closer together, still at
    /// equal angles except next to the branch toward the middle. If branches still cross, the whole
    /// component is drawn as a fan within a half turn: the part of the tree beyond each branch has
    /// its own range of headings, so nothing can cross. The ranges at a branch point are equal if
    /// the resulting angles are distinguishable, otherwise proportional to the number of tips.
    ///
    /// A component that is nothing but a ring is drawn as a circle. Other loops are cut opposite the
    /// middle, and the edges that close them are drawn as arcs.
    /// Components are drawn side by side, largest first. For a product of two trees, such as a
    /// cubic complex or a rectangular net, a map of the simpler tree is drawn at each node of the
    /// other.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = [[0.0, 0.0], [1.0, 0.1], [2.0, 1.0], [2.0, -2.0]];
    /// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(Matrix::from_rows(&nodes)?, &fork, vec![1.0; 4])?;
    /// let map = graph.metro_map()?;
    /// for edge in graph.edges() {
    ///     let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
    ///     let drawn = f64::hypot(a[0] - b[0], a[1] - b[1]);
    ///     assert!((drawn - edge.length).abs() < 1e-12);
    /// }
    /// assert_eq!(map.crossings, 0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn metro_map(&self) -> Result<MetroMap> {
        match product_map(self)? {
            Some(map) => Ok(map),
            None => draw_components(self),
        }
    }
}

#[cfg(test)]
mod tests;
