//! Leave-one-out accuracy of the nearest neighbor.

use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::neighbors::neighbors;
use crate::points::Points;

/// How often the nearest neighbor of a point has the same label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneNn {
    /// The number of points whose nearest neighbor has the same label.
    pub right: usize,
    /// The number of points.
    pub points: usize,
    /// The number of different labels.
    pub classes: usize,
}

impl OneNn {
    /// The share of points whose nearest neighbor has the same label.
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.points as f64
    }
}

/// Compares each point's label with that of its exact nearest neighbor; ties go to the first point.
/// Weights are not used.
///
/// ```
/// use midrib::{Points, measure::one_nn};
/// let points = Points::from_f64(vec![0.0, 0.1, 1.0, 1.1, 0.3], 1)?;
/// let found = one_nn(&points, &["a", "a", "b", "b", "b"])?;
/// assert_eq!((found.right, found.classes), (4, 2));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn one_nn(points: &Points<'_>, labels: &[impl AsRef<str>]) -> Result<OneNn> {
    points.require_complete("a nearest neighbor")?;
    let n = points.len();
    if labels.len() != n {
        return Err(Error::shape("labels", n, labels.len()));
    }
    if n < 2 {
        return Err(Error::data("there is only one point, so it has no neighbor"));
    }
    let label = |i: usize| labels[i].as_ref();
    let mut names: Vec<&str> = (0..n).map(label).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 {
        return Err(Error::data(format!(
            "all {n} points have the label {:?}: accuracy needs at least two classes",
            names[0]
        )));
    }
    let mut rows = Matrix::zeros(n, points.dims());
    for i in 0..n {
        points.copy_row(i, rows.row_mut(i));
    }
    let nearest = neighbors(&rows, 1);
    let right = (0..n).filter(|&i| label(i) == label(nearest[i] as usize)).count();
    Ok(OneNn { right, points: n, classes: names.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_input_is_an_error() {
        let points = Points::from_f64(vec![0.0, 1.0], 1).unwrap();
        let message = one_nn(&points, &["a"]).unwrap_err().to_string();
        assert_eq!(message, "labels: expected 2, found 1");
        let message = one_nn(&points, &["a", "a"]).unwrap_err().to_string();
        assert!(message.contains("all 2 points have the label \"a\""), "{message}");
        let one = Points::from_f64(vec![0.0], 1).unwrap();
        assert!(one_nn(&one, &["a"]).unwrap_err().to_string().contains("only one point"));
    }

    #[test]
    fn equal_points_do_not_count_as_their_own_neighbors() {
        let points = Points::from_f64(vec![0.0, 0.0, 5.0, 5.0], 1).unwrap();
        assert_eq!(one_nn(&points, &["a", "b", "c", "c"]).unwrap().right, 2);
    }
}
