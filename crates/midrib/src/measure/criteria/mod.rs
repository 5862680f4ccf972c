//! The four criteria by which Gorban2009, section 6, compares methods: how close the object is to the points, and
//! what is left of their distances, neighborhoods and classes once they are projected onto it.

mod compared;
mod coordinates;
mod record;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::error::{Error, Result};
use crate::object::Object;
use crate::points::Points;

use super::explained;
use compared::Compared;
use coordinates::coordinates;

pub use record::{Coordinates, Criteria};

/// Distances and neighborhoods are compared among at most this many points.
pub const CRITERIA_SAMPLE: usize = 1_000;
/// The number of nearest neighbors whose preservation is measured.
pub const CRITERIA_NEIGHBORS: usize = 10;

/// Measures how well an object represents points, which need not be those that it was learned from.
/// Labels, one per point, are classes, unless they all differ; an empty label is none.
///
/// Takes a projection of all points, and a time that grows with the square of the number of compared
/// points: about 50 ms of one core for 1,000.
///
/// ```
/// use midrib::learn::{ComponentCount, Given, Method, Pca};
/// use midrib::measure::criteria;
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 0.1, 2.0, 0.0, 5.0, 0.1, 6.0, 0.0], 2)?;
/// let line = Pca { n_components: ComponentCount::Exactly(1), ..Pca::default() };
/// let line = line.fit(&points, Given::default(), &mut Silent)?.object;
/// let labels = ["a", "a", "a", "b", "b"].map(String::from);
/// let found = criteria(&line, &points, Some(&labels))?;
/// assert!(found.explained > Some(0.99) && found.distance_correlation > Some(0.99));
/// assert_eq!((found.compared, found.neighbors), (5, 4));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn criteria(
    object: &Object,
    points: &Points<'_>,
    labels: Option<&[String]>,
) -> Result<Criteria> {
    let squared = object.locate(points)?.mean_squared_distance(points)?;
    criteria_at(object, points, labels, squared)
}

/// The same where the mean squared distance of the points from the object is known; none if it has no
/// distance to points.
pub fn criteria_at(
    object: &Object,
    points: &Points<'_>,
    labels: Option<&[String]>,
    mean_squared_distance: Option<f64>,
) -> Result<Criteria> {
    if let Some(labels) = labels
        && labels.len() != points.len()
    {
        return Err(Error::shape("labels", points.len(), labels.len()));
    }
    let mut notes = Vec::new();
    if mean_squared_distance.is_none() {
        notes.push(format!(
            "mean_squared_distance: {} has no distance to points in their own columns",
            object.kind().description()
        ));
    }
    let (rows, incomplete) = sample(points);
    if incomplete > 0 {
        notes.push(format!(
            "distances and neighborhoods are those of the points without missing values; {incomplete} \
             have some"
        ));
    }
    let mut found = Criteria {
        points: points.len(),
        compared: rows.len(),
        coordinates: Coordinates::Projection,
        mean_squared_distance,
        explained: mean_squared_distance.and_then(|squared| explained(squared, points)),
        distance_correlation: None,
        distance_error: None,
        large_distance_correlation: None,
        large_distance_error: None,
        neighbors: CRITERIA_NEIGHBORS.min(rows.len().saturating_sub(1)),
        neighbor_preservation: None,
        class_compactness: None,
        notes,
    };
    if rows.len() < 2 {
        found.notes.push("distances and neighborhoods need at least two points".into());
        return Ok(found);
    }
    let before = subset(points, &rows)?;
    let (after, kind) = coordinates(object, &before, &rows, points.len())?;
    found.coordinates = kind;
    let labels: Option<Vec<&str>> = labels
        .filter(|labels| are_classes(labels))
        .map(|labels| rows.iter().map(|&row| labels[row].as_str()).collect());
    let compared = Compared::new(&before, &after, labels.as_deref(), found.neighbors)?;
    compared.write(&mut found);
    Ok(found)
}

/// Labels that are all different are names, not classes.
fn are_classes(labels: &[String]) -> bool {
    let mut seen = HashSet::new();
    labels.iter().filter(|label| !label.is_empty()).any(|label| !seen.insert(label))
}

/// The rows that are compared, in order, and how many points have missing values.
fn sample(points: &Points<'_>) -> (Vec<usize>, usize) {
    let mut row = vec![0.0; points.dims()];
    let mut incomplete = 0;
    let mut rows: Vec<usize> = (0..points.len())
        .filter(|&i| {
            points.copy_row(i, &mut row);
            let is_complete = !row.iter().any(|x| x.is_nan());
            incomplete += usize::from(!is_complete);
            is_complete && points.weight(i) > 0.0
        })
        .collect();
    if rows.len() > CRITERIA_SAMPLE {
        rows.select_nth_unstable_by_key(CRITERIA_SAMPLE, |&row| (hash(row as u64), row));
        rows.truncate(CRITERIA_SAMPLE);
        rows.sort_unstable();
    }
    (rows, incomplete)
}

/// SplitMix64: spreads row numbers evenly.
fn hash(row: u64) -> u64 {
    let mut z = row.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Some of the points, with their weights.
fn subset(points: &Points<'_>, rows: &[usize]) -> Result<Points<'static>> {
    let mut values = vec![0.0; rows.len() * points.dims()];
    for (&row, to) in rows.iter().zip(values.chunks_exact_mut(points.dims())) {
        points.copy_row(row, to);
    }
    let weights: Vec<f64> = rows.iter().map(|&row| points.weight(row)).collect();
    Points::from_f64(values, points.dims())?.with_weights(weights)
}
