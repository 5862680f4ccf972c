//! How far from a graph a point must be to be an outlier.

use rayon::prelude::*;

use super::sample::sample;
use crate::cloud::Cloud;
use crate::error::{Error, Result};
use crate::math::{Matrix, squared_distance};
use crate::points::Points;

/// Points that are looked at, at most.
const LOOKED_AT: usize = 1000;
/// The radius in usual distances of as many neighbours as a node will have.
const REACH: f64 = 2.0;

/// A trimming radius for a graph of so many nodes: twice the median, over the points, of the radius
/// of the ball that holds as many points as a node will have on average.
///
/// Points that belong to a node are then well within the radius, and a point that has no such
/// company lies beyond it. The median does not mind outliers, be it a third of the points.
///
/// ```
/// use midrib::Points;
/// use midrib::prepare::trimming_radius;
/// let mut values: Vec<f64> = (0..101).map(f64::from).collect();
/// values.push(5000.0);
/// let points = Points::from_f64(values, 1)?;
/// assert!((trimming_radius(&points, 10)? - 12.0).abs() < 1e-9);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn trimming_radius(points: &Points<'_>, n_nodes: usize) -> Result<f64> {
    let cloud = Cloud::new(points)?;
    if n_nodes == 0 {
        return Err(Error::setting("n_nodes", n_nodes, "give at least 1"));
    }
    if cloud.spread() == 0.0 {
        return Err(Error::data("all points are equal: there is nothing to trim"));
    }
    let few = sample(&cloud, LOOKED_AT)?;
    let few = Cloud::new(&few)?;
    let mut rows = Matrix::zeros(few.len(), few.dims());
    for i in 0..few.len() {
        few.copy_row(i, rows.row_mut(i));
    }
    let neighbors = few.len().div_ceil(n_nodes).clamp(1, few.len() - 1);
    let mut radii: Vec<f64> = (0..few.len())
        .into_par_iter()
        .map(|i| {
            let mut squares: Vec<f64> =
                rows.rows().map(|row| squared_distance(row, rows.row(i))).collect();
            // The point itself is the first.
            squares.select_nth_unstable_by(neighbors, f64::total_cmp).1.sqrt()
        })
        .collect();
    let middle = radii.len() / 2;
    let median = *radii.select_nth_unstable_by(middle, f64::total_cmp).1;
    let radius = REACH * median / few.scale();
    if radius > 0.0 {
        return Ok(radius);
    }
    Err(Error::data("more than half of the points are repeated: no radius can be told from them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_gives_the_disk_that_a_node_has() {
        let side = 30;
        let values: Vec<f64> =
            (0..side * side).flat_map(|i| [f64::from(i % side), f64::from(i / side)]).collect();
        let points = Points::from_f64(values, 2).unwrap();
        let radius = trimming_radius(&points, 9).unwrap();
        // 100 points of a square grid are a disk of radius √(100/π) = 5.6; less at the border.
        assert!((radius / 2.0 - 5.64).abs() < 0.8, "{radius}");
    }

    #[test]
    fn what_has_no_radius_is_refused() {
        let equal = Points::from_f64(vec![1.0; 4], 1).unwrap();
        assert!(trimming_radius(&equal, 2).unwrap_err().to_string().contains("equal"));
        let mut values = vec![1.0; 20];
        values.push(2.0);
        let repeated = Points::from_f64(values, 1).unwrap();
        let message = trimming_radius(&repeated, 10).unwrap_err().to_string();
        assert!(message.contains("repeated"), "{message}");
        let message = trimming_radius(&repeated, 0).unwrap_err().to_string();
        assert_eq!(message, "n_nodes = 0: give at least 1");
    }
}
