//! The centered points of positive weight, in as few coordinates as contain them all.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, MatRef, Par, Side};

use crate::error::{Error, Result};
use crate::learn::start::check_start;
use crate::math::{Matrix, squared_distance, times};
use crate::object::{Embedding, EmbeddingRule};
use crate::points::Cloud;

/// Up to this many points are rotated into the space that they span, if there are more columns.
const FEW_POINTS: usize = 2000;

/// The centered points of positive weight, in working coordinates. If there are more columns than
/// points, they are rotated into the space that they span, which changes no distance.
pub(in crate::learn) struct Centered<'a> {
    cloud: &'a Cloud<'a>,
    /// The rows of positive weight.
    rows: Vec<usize>,
    pub weights: Vec<f64>,
    pub x: Matrix,
    is_rotated: bool,
}

impl<'a> Centered<'a> {
    pub fn new(cloud: &'a Cloud<'a>) -> Result<Self> {
        cloud.require_spread()?;
        let weight = |i: usize| cloud.weight(i);
        let rows: Vec<usize> = (0..cloud.len()).filter(|&i| weight(i) > 0.0).collect();
        let mut x = cloud.read_rows(&rows)?;
        let is_rotated = cloud.dims() > rows.len() && rows.len() <= FEW_POINTS;
        if is_rotated {
            x = rotated(&x)?;
        }
        let weights = rows.iter().map(|&i| weight(i)).collect();
        Ok(Self { cloud, rows, weights, x, is_rotated })
    }

    /// The number of points of positive weight.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of columns of the points.
    pub fn columns(&self) -> usize {
        self.cloud.dims()
    }

    /// The largest number of latent dimensions that these points can have.
    pub fn most_components(&self) -> usize {
        self.cloud.dims().min(self.len().saturating_sub(1)).max(1)
    }

    /// `Σ w ‖x‖²`, in working units.
    pub fn spread(&self) -> f64 {
        self.cloud.spread()
    }

    /// The square of a working unit of length, in the units of the points.
    pub fn square_unit(&self) -> f64 {
        self.cloud.square_unit()
    }

    /// `Σ w ‖x − B z‖²`.
    pub fn residual(&self, axes: &Matrix, z: &Matrix) -> f64 {
        let scores = times(&self.x, axes.as_faer().transpose());
        let along = scores.rows().zip(z.rows()).zip(&self.weights).map(|((y, z), weight)| {
            let squared: f64 = y.iter().map(|y| y * y).sum();
            weight * (squared_distance(y, z) - squared)
        });
        self.spread() + along.sum::<f64>()
    }

    /// Given starting nodes, projected onto principal axes on which the points have these scores.
    pub fn start(
        &self,
        given: Option<&Matrix>,
        axes: &Matrix,
        scores: &Matrix,
    ) -> Result<Option<Matrix>> {
        let Some(given) = given else { return Ok(None) };
        check_start(given, self.cloud.dims())?;
        let basis = self.basis(axes, scores)?;
        Ok(Some(times(&self.cloud.to_working(given.clone()), basis.as_faer())))
    }

    /// The embedding, and the nodes in the coordinates of the points. Points without weight are
    /// projected.
    pub fn to_data(
        &self,
        axes: &Matrix,
        z: &Matrix,
        nodes: &Matrix,
    ) -> Result<(Embedding, Matrix)> {
        let mut basis = self.basis(axes, z)?;
        let signs = fix_signs(&mut basis);
        let flip = |rows: &Matrix| {
            let mut rows = rows.clone();
            for i in 0..rows.n_rows() {
                rows.row_mut(i).iter_mut().zip(&signs).for_each(|(x, sign)| *x *= sign);
            }
            rows
        };
        let (z, nodes) = (flip(z), flip(nodes));
        let unscale = |mut rows: Matrix| {
            rows.as_mut_slice().iter_mut().for_each(|x| *x /= self.cloud.scale());
            rows
        };
        let mut embedding = Matrix::zeros(self.cloud.len(), z.n_cols());
        let mut next = 0;
        let mut x = vec![0.0; self.cloud.dims()];
        for i in 0..self.cloud.len() {
            if self.rows.get(next) == Some(&i) {
                embedding.row_mut(i).copy_from_slice(z.row(next));
                next += 1;
            } else {
                self.cloud.copy_row(i, &mut x)?;
                let x = MatRef::from_row_major_slice(&x, 1, x.len()) * basis.as_faer();
                embedding.row_mut(i).iter_mut().enumerate().for_each(|(d, z)| *z = x[(0, d)]);
            }
        }
        let in_data = self.cloud.to_data(times(&nodes, basis.as_faer().transpose()));
        let center = self.cloud.to_data(Matrix::zeros(1, self.cloud.dims())).row(0).to_vec();
        let (embedding, nodes) = (unscale(embedding), unscale(nodes));
        let rule = EmbeddingRule::Linear { center, basis };
        Ok((Embedding { coordinates: embedding, nodes: Some(nodes), rule }, in_data))
    }

    /// The axes as orthonormal columns in the coordinates of the points. If these are rotated, the
    /// axes come from `XᵀWZ = B Λ`, Λ the eigenvalues of B.
    fn basis(&self, axes: &Matrix, z: &Matrix) -> Result<Matrix> {
        let (dims, count) = (self.cloud.dims(), axes.n_rows());
        let mut directions = Matrix::zeros(count, dims);
        if self.is_rotated {
            let mut x = vec![0.0; dims];
            for ((&i, weight), z) in self.rows.iter().zip(&self.weights).zip(z.rows()) {
                self.cloud.copy_row(i, &mut x)?;
                for (axis, z) in z.iter().enumerate() {
                    for (to, x) in directions.row_mut(axis).iter_mut().zip(&x) {
                        *to += weight * z * x;
                    }
                }
            }
            orthonormalize(&mut directions);
        } else {
            directions = axes.clone();
        }
        let mut basis = Matrix::zeros(dims, count);
        for (axis, direction) in directions.rows().enumerate() {
            for (d, x) in direction.iter().enumerate() {
                basis.row_mut(d)[axis] = *x;
            }
        }
        Ok(basis)
    }
}

/// The points on their own principal axes: U √Λ of `XXᵀ = U Λ Uᵀ`.
fn rotated(x: &Matrix) -> Result<Matrix> {
    let n = x.n_rows();
    let gram = times(x, x.as_faer().transpose());
    let (values, vectors) = symmetric_eigen(gram.as_faer())?;
    let least = values[0] * n as f64 * f64::EPSILON;
    let rank = values.iter().take_while(|value| **value > least).count();
    let mut rotated = Matrix::zeros(n, rank);
    for i in 0..n {
        for (j, to) in rotated.row_mut(i).iter_mut().enumerate() {
            *to = vectors.row(j)[i] * values[j].sqrt();
        }
    }
    Ok(rotated)
}

/// All eigenvalues, largest first, and their vectors, one per row.
pub(super) fn symmetric_eigen(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Matrix)> {
    // In parallel, the order of sums would depend on the number of threads.
    faer::set_global_parallelism(Par::Seq);
    let eigen = SelfAdjointEigen::new(matrix, Side::Lower)
        .map_err(|_| Error::Numerical("the eigenvectors did not converge".into()))?;
    let n = matrix.nrows();
    let values = (0..n).rev().map(|i| eigen.S()[i]).collect();
    let mut vectors = Matrix::zeros(n, n);
    let columns: Mat<f64> = eigen.U().to_owned();
    for i in 0..n {
        for (d, x) in vectors.row_mut(i).iter_mut().enumerate() {
            *x = columns[(d, n - 1 - i)];
        }
    }
    Ok((values, vectors))
}

/// Makes the largest entry of each axis positive, since its sign is arbitrary; returns the factors.
fn fix_signs(basis: &mut Matrix) -> Vec<f64> {
    let mut largest = vec![0.0_f64; basis.n_cols()];
    for row in basis.rows() {
        for (largest, &x) in largest.iter_mut().zip(row) {
            *largest = if x.abs() > largest.abs() { x } else { *largest };
        }
    }
    let signs: Vec<f64> = largest.iter().map(|x| if *x < 0.0 { -1.0 } else { 1.0 }).collect();
    for d in 0..basis.n_rows() {
        basis.row_mut(d).iter_mut().zip(&signs).for_each(|(x, sign)| *x *= sign);
    }
    signs
}

/// Gram–Schmidt, twice; a row that depends on those before it becomes another direction.
fn orthonormalize(rows: &mut Matrix) {
    let norm = |row: &[f64]| row.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut unit = 0;
    for at in 0..rows.n_rows() {
        let mut row = rows.row(at).to_vec();
        let mut before = norm(&row);
        loop {
            for _ in 0..2 {
                for other in 0..at {
                    let dot: f64 = rows.row(other).iter().zip(&row).map(|(a, b)| a * b).sum();
                    row.iter_mut().zip(rows.row(other)).for_each(|(x, y)| *x -= dot * y);
                }
            }
            let left = norm(&row);
            if left > 1e-8 * before && left > f64::MIN_POSITIVE {
                row.iter_mut().for_each(|x| *x /= left);
                break;
            }
            row.fill(0.0);
            row[unit] = 1.0;
            before = 1.0;
            unit += 1;
        }
        rows.row_mut(at).copy_from_slice(&row);
    }
}
