//! A dense row-major matrix: nodes, bases and embeddings are passed around as this.

use faer::MatRef;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// Rows of equal length, stored one after the other.
///
/// ```
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0, 1.0], [2.0, 3.0]])?;
/// assert_eq!(nodes.row(1), [2.0, 3.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Matrix {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// Takes over `data`, which holds the rows one after the other.
    pub fn new(rows: usize, cols: usize, data: Vec<f64>) -> Result<Self> {
        if data.len() != rows * cols {
            return Err(Error::shape("matrix", format!("{rows} x {cols} values"), data.len()));
        }
        Ok(Self { rows, cols, data })
    }

    /// Copies rows of equal length.
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self> {
        let cols = rows.first().map_or(0, |row| row.as_ref().len());
        let mut data = Vec::with_capacity(rows.len() * cols);
        for (i, row) in rows.iter().enumerate() {
            if row.as_ref().len() != cols {
                return Err(Error::shape(
                    &format!("row {i}"),
                    format!("{cols} values"),
                    row.as_ref().len(),
                ));
            }
            data.extend_from_slice(row.as_ref());
        }
        Self::new(rows.len(), cols, data)
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn n_cols(&self) -> usize {
        self.cols
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// Row `i` of a matrix with `D` columns; with any number of columns if that is 0. Loops over rows
    /// whose length the compiler knows are several times as fast.
    #[inline(always)]
    pub(crate) fn row_of<const D: usize>(&self, i: usize) -> &[f64] {
        if D == 0 { self.row(i) } else { &self.data[i * D..][..D] }
    }

    /// The same, to be changed.
    #[inline(always)]
    pub(crate) fn row_mut_of<const D: usize>(&mut self, i: usize) -> &mut [f64] {
        if D == 0 { self.row_mut(i) } else { &mut self.data[i * D..][..D] }
    }

    /// Row `i`, to be changed.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }

    /// All rows in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.rows).map(|i| self.row(i))
    }

    /// All values, row after row.
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// All values, row after row, as they were taken over.
    ///
    /// ```
    /// use midrib::math::Matrix;
    /// assert_eq!(Matrix::from_rows(&[[0.0, 1.0], [2.0, 3.0]])?.into_vec(), [0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn into_vec(self) -> Vec<f64> {
        self.data
    }

    /// All values, row after row, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// The rows named by `indices`, in that order.
    pub fn select_rows(&self, indices: impl IntoIterator<Item = usize>) -> Self {
        let mut data = Vec::new();
        let mut rows = 0;
        for i in indices {
            data.extend_from_slice(self.row(i));
            rows += 1;
        }
        Self { rows, cols: self.cols, data }
    }

    /// The same values as a view of the linear algebra library.
    pub fn as_faer(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(&self.data, self.rows, self.cols)
    }
}

impl Serialize for Matrix {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows())
    }
}

impl<'de> Deserialize<'de> for Matrix {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        let rows = Vec::<Vec<f64>>::deserialize(deserializer)?;
        Self::from_rows(&rows).map_err(serde::de::Error::custom)
    }
}

/// The squared Euclidean distance of two rows.
#[inline]
pub fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The squared distance over the observed coordinates of `x`, which are not NaN.
pub(crate) fn observed_squared_distance(x: &[f64], y: &[f64]) -> f64 {
    let square = |(x, y): (&f64, &f64)| if x.is_nan() { 0.0 } else { (x - y) * (x - y) };
    x.iter().zip(y).map(square).sum()
}

/// The scalar product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
