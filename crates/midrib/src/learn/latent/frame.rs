//! The points that count, in as few coordinates as hold all of them.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, MatRef, Par, Side};

use crate::cloud::Cloud;
use crate::error::{Error, Result};
use crate::learn::fitted::Latent;
use crate::learn::ppt::check_start;
use crate::math::{Matrix, squared_distance, times};

/// Fewer points than columns are turned into as many coordinates if they are at most this many.
const FEW_POINTS: usize = 2000;

/// Points of positive weight in working coordinates, centred. Where there are more columns than
/// points, these are turned into the space that the points span, which changes no distance.
pub(in crate::learn) struct Frame<'a> {
    cloud: &'a Cloud<'a>,
    /// The points that count.
    rows: Vec<usize>,
    pub weights: Vec<f64>,
    pub x: Matrix,
    is_turned: bool,
}

impl<'a> Frame<'a> {
    pub fn new(cloud: &'a Cloud<'a>) -> Result<Self> {
        if cloud.spread() == 0.0 {
            return Err(Error::data(match cloud.len() {
                1 => "there is a single point: give at least two that differ".into(),
                n => format!("all {n} points are equal: there is nothing to learn"),
            }));
        }
        let weight = |i: usize| cloud.points().weight(i);
        let rows: Vec<usize> = (0..cloud.len()).filter(|&i| weight(i) > 0.0).collect();
        let mut x = Matrix::zeros(rows.len(), cloud.dims());
        for (to, &i) in rows.iter().enumerate() {
            cloud.copy_row(i, x.row_mut(to));
        }
        let is_turned = cloud.dims() > rows.len() && rows.len() <= FEW_POINTS;
        if is_turned {
            x = turned(&x)?;
        }
        let weights = rows.iter().map(|&i| weight(i)).collect();
        Ok(Self { cloud, rows, weights, x, is_turned })
    }

    /// The number of points that count.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The number of columns of the points.
    pub fn columns(&self) -> usize {
        self.cloud.dims()
    }

    /// The most latent dimensions that these points can fill.
    pub fn most_components(&self) -> usize {
        self.cloud.dims().min(self.len().saturating_sub(1)).max(1)
    }

    /// `Σ w ‖x‖²`, in working units.
    pub fn spread(&self) -> f64 {
        self.cloud.spread()
    }

    /// One working unit of squared distance, in the caller's units.
    pub fn square_unit(&self) -> f64 {
        self.cloud.square_unit()
    }

    /// `Σ w ‖x − B z‖²`: what is off the axes, and the rest along them.
    pub fn residual(&self, axes: &Matrix, z: &Matrix) -> f64 {
        let scores = times(&self.x, axes.as_faer().transpose());
        let along = scores.rows().zip(z.rows()).zip(&self.weights).map(|((y, z), weight)| {
            let squared: f64 = y.iter().map(|y| y * y).sum();
            weight * (squared_distance(y, z) - squared)
        });
        self.spread() + along.sum::<f64>()
    }

    /// Nodes to start from, given in the caller's coordinates, on the principal axes `axes`, along
    /// which the points lie at `scores`.
    pub fn start(
        &self,
        given: Option<&Matrix>,
        axes: &Matrix,
        scores: &Matrix,
    ) -> Result<Option<Matrix>> {
        let Some(given) = given else { return Ok(None) };
        check_start(given, self.cloud.dims())?;
        let basis = self.basis(axes, scores);
        Ok(Some(times(&self.cloud.to_working(given.clone()), basis.as_faer())))
    }

    /// The result in the caller's coordinates: basis, embedding and nodes, and the nodes in data
    /// space. Points that do not count are projected.
    pub fn to_data(&self, axes: &Matrix, z: &Matrix, nodes: &Matrix) -> (Latent, Matrix) {
        let mut basis = self.basis(axes, z);
        let signs = forward(&mut basis);
        let turn = |rows: &Matrix| {
            let mut rows = rows.clone();
            for i in 0..rows.n_rows() {
                rows.row_mut(i).iter_mut().zip(&signs).for_each(|(x, sign)| *x *= sign);
            }
            rows
        };
        let (z, nodes) = (turn(z), turn(nodes));
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
                self.cloud.copy_row(i, &mut x);
                let x = MatRef::from_row_major_slice(&x, 1, x.len()) * basis.as_faer();
                embedding.row_mut(i).iter_mut().enumerate().for_each(|(d, z)| *z = x[(0, d)]);
            }
        }
        let in_data = self.cloud.to_data(times(&nodes, basis.as_faer().transpose()));
        let center = self.cloud.to_data(Matrix::zeros(1, self.cloud.dims())).row(0).to_vec();
        let (embedding, nodes) = (unscale(embedding), unscale(nodes));
        (Latent { center, basis, embedding, nodes }, in_data)
    }

    /// The axes as orthonormal columns in the coordinates of the points. Where the frame is
    /// turned they come from `XᵀWZ = B Λ`, Λ the eigenvalues that belong to B.
    fn basis(&self, axes: &Matrix, z: &Matrix) -> Matrix {
        let (dims, count) = (self.cloud.dims(), axes.n_rows());
        let mut directions = Matrix::zeros(count, dims);
        if self.is_turned {
            let mut x = vec![0.0; dims];
            for ((&i, weight), z) in self.rows.iter().zip(&self.weights).zip(z.rows()) {
                self.cloud.copy_row(i, &mut x);
                for (axis, z) in z.iter().enumerate() {
                    for (to, x) in directions.row_mut(axis).iter_mut().zip(&x) {
                        *to += weight * z * x;
                    }
                }
            }
            orthonormalise(&mut directions);
        } else {
            directions = axes.clone();
        }
        let mut basis = Matrix::zeros(dims, count);
        for (axis, direction) in directions.rows().enumerate() {
            for (d, x) in direction.iter().enumerate() {
                basis.row_mut(d)[axis] = *x;
            }
        }
        basis
    }
}

/// The points on their own principal axes: U √Λ of `XXᵀ = U Λ Uᵀ`.
fn turned(x: &Matrix) -> Result<Matrix> {
    let n = x.n_rows();
    let gram = times(x, x.as_faer().transpose());
    let (values, vectors) = symmetric_eigen(gram.as_faer())?;
    let least = values[0] * n as f64 * f64::EPSILON;
    let rank = values.iter().take_while(|value| **value > least).count();
    let mut turned = Matrix::zeros(n, rank);
    for i in 0..n {
        for (j, to) in turned.row_mut(i).iter_mut().enumerate() {
            *to = vectors.row(j)[i] * values[j].sqrt();
        }
    }
    Ok(turned)
}

/// All eigenvalues, largest first, and their vectors, one a row.
pub(super) fn symmetric_eigen(matrix: MatRef<'_, f64>) -> Result<(Vec<f64>, Matrix)> {
    // In parallel the order of sums would follow the threads.
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

/// The sign of an axis is free: its largest entry is made positive. The signs that did it.
fn forward(basis: &mut Matrix) -> Vec<f64> {
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

/// Gram and Schmidt, twice; a row that nothing is left of becomes a direction beside the others.
fn orthonormalise(rows: &mut Matrix) {
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
