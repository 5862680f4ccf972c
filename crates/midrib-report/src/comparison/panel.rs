//! What the page shows.

use midrib::math::Matrix;

use crate::coloring::Coloring;

/// A comparison to show.
pub struct ComparisonPage<'a> {
    /// The heading.
    pub title: &'a str,
    /// What was compared on.
    pub subtitle: &'a str,
    /// What the two directions of the pictures show.
    pub axes: &'a [String; 2],
    /// The positions of the drawn points.
    pub points: &'a Matrix,
    /// Their colors.
    pub coloring: &'a Coloring,
    /// The methods.
    pub panels: &'a [ComparisonPanel],
}

/// A method of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonPanel {
    /// How it was named.
    pub name: String,
    /// What it learned, in words.
    pub object: String,
    /// Whether every point is a node of its own, so that there is no distance to speak of.
    pub is_every_point: bool,
    /// What is drawn of it.
    pub figure: ComparisonFigure,
    /// The figures, in the order of the columns of the table.
    pub values: Vec<Option<f64>>,
    /// How long it took.
    pub time: String,
    /// How much memory it took, if that is known.
    pub memory: Option<String>,
    /// Why there is no result, or not the final one.
    pub reason: Option<String>,
}

/// What is drawn of an object, in the plane of the points.
#[derive(Clone, Debug)]
pub enum ComparisonFigure {
    /// Nothing but the points.
    None,
    /// Nodes and edges.
    Graph {
        /// The positions of the nodes.
        nodes: Matrix,
        /// The two nodes of each edge.
        edges: Vec<(usize, usize)>,
    },
    /// Lines with two ends each.
    Lines(Vec<Matrix>),
    /// The drawn points in coordinates of the object's own, since it has no position among them.
    Own(Matrix),
}
