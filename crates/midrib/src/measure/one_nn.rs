//! Leave-one-out accuracy of the nearest neighbour.

use crate::connect::neighbors;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Points;

/// How often a point's nearest other point has its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneNn {
    /// Points whose nearest other point has the same label.
    pub right: usize,
    /// All points.
    pub points: usize,
    /// Different labels.
    pub classes: usize,
}

impl OneNn {
    /// The share of points whose nearest other point has the same label.
    pub fn accuracy(&self) -> f64 {
        self.right as f64 / self.points as f64
    }
}

/// Compares each point's label with that of its nearest other point, which is found exactly; of
/// equally near ones the first counts. Weights are not used.
///
/// ```
/// use midrib::{Points, measure::one_nn};
/// let points = Points::from_f64(vec![0.0, 0.1, 1.0, 1.1, 0.3], 1)?;
/// let found = one_nn(&points, &["a", "a", "b", "b", "b"])?;
/// assert_eq!((found.right, found.classes), (4, 2));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn one_nn(points: &Points<'_>, labels: &[impl AsRef<str>]) -> Result<OneNn> {
    points.require_complete("a nearest neighbour")?;
    let n = points.len();
    if labels.len() != n {
        return Err(Error::shape("labels", n, labels.len()));
    }
    if n < 2 {
        return Err(Error::data("there is a single point: it has no neighbour"));
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
    fn bad_input_is_named() {
        let points = Points::from_f64(vec![0.0, 1.0], 1).unwrap();
        let message = one_nn(&points, &["a"]).unwrap_err().to_string();
        assert_eq!(message, "labels: expected 2, found 1");
        let message = one_nn(&points, &["a", "a"]).unwrap_err().to_string();
        assert!(message.contains("all 2 points have the label \"a\""), "{message}");
        let one = Points::from_f64(vec![0.0], 1).unwrap();
        assert!(one_nn(&one, &["a"]).unwrap_err().to_string().contains("single point"));
    }

    #[test]
    fn equal_points_do_not_count_as_their_own_neighbours() {
        let points = Points::from_f64(vec![0.0, 0.0, 5.0, 5.0], 1).unwrap();
        assert_eq!(one_nn(&points, &["a", "b", "c", "c"]).unwrap().right, 2);
    }
}
