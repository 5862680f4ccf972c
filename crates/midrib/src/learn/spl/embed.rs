//! The embedding and the basis of learned similarities.

use faer::Par;

use super::objective::Objective;
use crate::error::{Error, Result};
use crate::math::{Matrix, few_top_eigen, times, transposed};

/// The embedding, one point per row, and the basis, one axis per row, in units of the prior.
/// The similarities are the last ones of `objective`.
pub(super) fn embed(objective: &Objective) -> Result<(Matrix, Matrix)> {
    if objective.model.gamma > 0.0 {
        return Ok((transposed(&objective.embedding()), objective.axes().clone()));
    }
    let rows = kernel_components(objective)?;
    let axes = nearest_axes(&times(&rows, objective.model.X.as_faer()))?;
    Ok((transposed(&rows), axes))
}

/// γ = 0: centered kernel PCA of `(4L + I)⁻¹ = (4Q)⁻¹`, one component per row. The kernel itself is
/// not formed; its trivial constant vector is removed by centering.
fn kernel_components(objective: &Objective) -> Result<Matrix> {
    let (n, d) = (objective.model.X.n_rows(), objective.model.d);
    let kernel = |rows: &Matrix| {
        let mut images = rows.clone();
        center_rows(&mut images);
        objective.solve(&mut images);
        images.as_mut_slice().iter_mut().for_each(|x| *x /= 4.0);
        center_rows(&mut images);
        images
    };
    let top = few_top_eigen(d, n, kernel)?;
    let mut components = top.vectors;
    for (i, value) in top.values.iter().enumerate() {
        let row = components.row_mut(i);
        let largest = row.iter().fold(0.0_f64, |max, &x| if x.abs() > max.abs() { x } else { max });
        let factor = value.sqrt() * largest.signum();
        row.iter_mut().for_each(|x| *x *= factor);
    }
    Ok(components)
}

fn center_rows(rows: &mut Matrix) {
    let n = rows.n_cols() as f64;
    for i in 0..rows.n_rows() {
        let row = rows.row_mut(i);
        let mean = row.iter().sum::<f64>() / n;
        row.iter_mut().for_each(|x| *x -= mean);
    }
}

/// The orthonormal rows nearest to these, by their polar decomposition.
fn nearest_axes(rows: &Matrix) -> Result<Matrix> {
    // In parallel the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    let svd = rows
        .as_faer()
        .thin_svd()
        .map_err(|_| Error::Numerical("the axes of the embedding did not converge".into()))?;
    let polar = svd.U() * svd.V().transpose();
    let mut axes = Matrix::zeros(rows.n_rows(), rows.n_cols());
    for i in 0..axes.n_rows() {
        axes.row_mut(i).iter_mut().enumerate().for_each(|(j, to)| *to = polar[(i, j)]);
    }
    Ok(axes)
}
