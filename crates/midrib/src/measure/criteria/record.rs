//! The figures of the criteria.

use serde::{Deserialize, Serialize};

/// How well an object represents points: comparable between methods that learn different objects.
///
/// Distances, neighborhoods and classes are those of the points before and after they are projected.
/// After projection, a point has its coordinates within the object, where the object has them: in an
/// embedding, on an open net, along the axes of a single flat. Otherwise (graphs, centers, closed
/// nets, several flats) it has the position of its projection in the data space.
///
/// Beyond [`CRITERIA_SAMPLE`](super::CRITERIA_SAMPLE) points, these three are measured among that many of them, chosen by a
/// hash of the row number. Points with missing values do not take part in them. Weights count in every
/// mean; equal points make no pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Criteria {
    /// The number of points.
    pub points: usize,
    /// The number of points among which distances and neighborhoods are compared.
    pub compared: usize,
    /// Where points are after projection.
    pub coordinates: Coordinates,
    /// The mean squared distance from the object; none where it has no distance to points, as in an
    /// embedding without a graph.
    pub mean_squared_distance: Option<f64>,
    /// 1 − mean squared distance / total variance of the points.
    pub explained: Option<f64>,
    /// The correlation of the distances of two points before and after projection, over all pairs.
    pub distance_correlation: Option<f64>,
    /// The mean of |s·after − before| / before over all pairs, where s is the factor with which
    /// the squared differences add up to the least: inner coordinates have units of their own.
    pub distance_error: Option<f64>,
    /// The correlation over the largest quarter of the distances before projection.
    pub large_distance_correlation: Option<f64>,
    /// The relative error over the largest quarter, with the same factor s.
    pub large_distance_error: Option<f64>,
    /// The number of nearest neighbors, k.
    pub neighbors: usize,
    /// The mean share of a point's k nearest neighbors that are the same before and after projection.
    pub neighbor_preservation: Option<f64>,
    /// The mean share of a point's k nearest neighbors after projection that have the same label.
    pub class_compactness: Option<f64>,
    /// Why a criterion is absent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Where points are after projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coordinates {
    /// In coordinates of the object: an embedding, a net or axes.
    Inner,
    /// At the position of their projection in the data space.
    Projection,
}
