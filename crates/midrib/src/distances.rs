//! Pairwise distances, for methods that need no coordinates.

use crate::error::{Error, Result};
use crate::math::Matrix;

/// The distances between N points: a symmetric matrix with a zero diagonal.
///
/// ```
/// use midrib::{Distances, math::Matrix};
/// let distances = Distances::new(Matrix::from_rows(&[[0.0, 3.0], [3.0, 0.0]])?)?;
/// assert_eq!((distances.len(), distances.get(0, 1)), (2, 3.0));
/// assert!(Distances::new(Matrix::from_rows(&[[0.0, 3.0], [2.0, 0.0]])?).is_err());
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Distances {
    matrix: Matrix,
}

/// Two halves of a matrix may differ by this share, as rounding does.
const ROUNDING: f64 = 1e-9;

impl Distances {
    /// Distances given as a square matrix. It must be symmetric, finite and non-negative with a
    /// zero diagonal; the first entry that is not is named.
    pub fn new(matrix: Matrix) -> Result<Self> {
        let n = matrix.n_rows();
        if n == 0 {
            return Err(Error::data("the distance matrix is empty"));
        }
        if matrix.n_cols() != n {
            let found = format!("{n} x {}", matrix.n_cols());
            return Err(Error::shape("distance matrix", "as many columns as rows", found));
        }
        for i in 0..n {
            for j in 0..=i {
                let (d, mirrored) = (matrix.row(i)[j], matrix.row(j)[i]);
                let entry = format!("distance matrix, row {}, column {}", i + 1, j + 1);
                if !(d >= 0.0 && d.is_finite()) {
                    return Err(Error::data(format!("{entry}: {d} is not a distance")));
                }
                if i == j && d != 0.0 {
                    return Err(Error::data(format!("{entry}: {d} on the diagonal must be 0")));
                }
                if (d - mirrored).abs() > ROUNDING * d.max(mirrored) {
                    let reason = format!("{d} differs from {mirrored} on the other side");
                    return Err(Error::data(format!("{entry}: {reason}; it must be symmetric")));
                }
            }
        }
        Ok(Self { matrix })
    }

    /// Distances given as the upper triangle of the matrix, row after row without the diagonal, as
    /// SciPy's `pdist` returns them.
    ///
    /// ```
    /// use midrib::Distances;
    /// let distances = Distances::from_condensed(&[3.0, 5.0, 4.0])?;
    /// assert_eq!((distances.len(), distances.get(2, 1)), (3, 4.0));
    /// assert!(Distances::from_condensed(&[3.0, 5.0]).is_err());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn from_condensed(values: &[f64]) -> Result<Self> {
        let n = ((1.0 + 8.0 * values.len() as f64).sqrt() as usize).div_ceil(2);
        if values.is_empty() || n * (n - 1) / 2 != values.len() {
            let found = format!("{} values", values.len());
            return Err(Error::shape("condensed distances", "N(N-1)/2 values for N points", found));
        }
        let mut matrix = Matrix::zeros(n, n);
        let mut values = values.iter();
        for i in 0..n {
            for (j, &d) in (i + 1..n).zip(&mut values) {
                matrix.row_mut(i)[j] = d;
                matrix.row_mut(j)[i] = d;
            }
        }
        Self::new(matrix)
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.matrix.n_rows()
    }

    /// Never true: there is at least one point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The largest distance.
    pub(crate) fn largest(&self) -> f64 {
        self.matrix.as_slice().iter().copied().fold(0.0, f64::max)
    }

    /// The distance between two points.
    pub fn get(&self, a: usize, b: usize) -> f64 {
        self.matrix.row(a)[b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_matrices_are_named() {
        for (rows, expected) in [
            ([[0.0, 1.0], [2.0, 0.0]], "row 2, column 1: 2 differs from 1"),
            ([[0.0, -1.0], [-1.0, 0.0]], "row 2, column 1: -1 is not a distance"),
            ([[0.0, f64::NAN], [f64::NAN, 0.0]], "row 2, column 1: NaN is not a distance"),
            ([[0.5, 1.0], [1.0, 0.0]], "row 1, column 1: 0.5 on the diagonal"),
        ] {
            let error = Distances::new(Matrix::from_rows(&rows).unwrap()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let error = Distances::new(Matrix::zeros(2, 3)).unwrap_err().to_string();
        assert!(error.contains("2 x 3"), "{error}");
    }
}
