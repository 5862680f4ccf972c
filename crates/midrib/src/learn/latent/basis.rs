//! The best basis and embedding for a given smoother.

use super::centered::{Centered, symmetric_eigen};
use crate::error::{Error, Result};
use crate::learn::choices::ComponentCount;
use crate::math::{Matrix, times, top_eigen, transposed_times};

/// With more coordinates than this, only the leading axes are computed.
const WIDE: usize = 300;

/// A smoother applied to some columns: `Q` times them, and the nodes that go with it.
pub(in crate::learn) struct Embedded {
    /// N×m.
    pub z: Matrix,
    /// K×m.
    pub nodes: Matrix,
}

/// The best basis for a smoother.
pub(in crate::learn) struct Basis {
    /// One per row.
    pub axes: Matrix,
    /// Embedding and nodes on these axes.
    pub on_axes: Embedded,
    /// The nodes for all coordinates, if there are few.
    pub nodes: Option<Matrix>,
}

/// The axes that minimize the objective, with the embedding and the nodes on them.
pub(in crate::learn) fn embed(
    centered: &Centered<'_>,
    count: usize,
    smooth: impl Fn(&Matrix) -> Embedded,
) -> Result<Basis> {
    let (x, weights) = (&centered.x, &centered.weights);
    let dims = x.n_cols();
    if dims <= WIDE {
        let whole = smooth(x);
        let form = transposed_times(x, weights, &whole.z);
        let (_, vectors) = symmetric_eigen(form.as_ref())?;
        let axes = padded(&vectors, count);
        let z = times(&whole.z, axes.as_faer().transpose());
        let nodes = times(&whole.nodes, axes.as_faer().transpose());
        return Ok(Basis { axes, on_axes: Embedded { z, nodes }, nodes: Some(whole.nodes) });
    }
    let smoothed = |scores: &Matrix| smooth(scores).z;
    let top = top_eigen(dims, |rows| through(centered, rows, smoothed), |_| Some(count.min(dims)))?;
    let axes = padded(&top.vectors, count);
    let on_axes = smooth(&times(x, axes.as_faer().transpose()));
    Ok(Basis { axes, on_axes, nodes: None })
}

/// As many principal axes as wanted, and the scores of the points on them.
pub(in crate::learn) fn principal(
    centered: &Centered<'_>,
    wanted: ComponentCount,
) -> Result<(Matrix, Matrix)> {
    let (n, dims, most) = (centered.len(), centered.x.n_cols(), centered.most_components());
    let fixed = match wanted {
        ComponentCount::Exactly(count) if count == 0 || count > most => {
            return Err(Error::setting(
                "n_components",
                count,
                format!("{n} points in {} columns have 1 to {most} components", centered.columns()),
            ));
        }
        ComponentCount::Share(share) if !(share > 0.0 && share < 1.0) => {
            let remedy = "must be a whole number, or a share of the variance between 0 and 1";
            return Err(Error::setting("n_components", share, remedy));
        }
        ComponentCount::Exactly(count) => Some(count),
        ComponentCount::Auto => Some(most.min(2)),
        ComponentCount::Share(_) => None,
    };
    let enough = |values: &[f64]| {
        let ComponentCount::Share(share) = wanted else { return fixed };
        let mut held = 0.0;
        let reached = values.iter().take(most).position(|value| {
            held += value;
            held >= share * centered.spread()
        });
        reached.map(|at| at + 1)
    };
    let (values, vectors) = if dims <= WIDE {
        let form = transposed_times(&centered.x, &centered.weights, &centered.x);
        symmetric_eigen(form.as_ref())?
    } else {
        let plain = |scores: &Matrix| scores.clone();
        let enough = |values: &[f64]| enough(values).map(|count| count.min(dims));
        let top = top_eigen(dims, |rows| through(centered, rows, plain), enough)?;
        (top.values, top.vectors)
    };
    let count = enough(&values).unwrap_or(most);
    let axes = padded(&vectors, count);
    let scores = times(&centered.x, axes.as_faer().transpose());
    Ok((axes, scores))
}

/// `rows · XᵀQᵀWX`.
fn through(centered: &Centered<'_>, rows: &Matrix, smooth: impl Fn(&Matrix) -> Matrix) -> Matrix {
    let smoothed = smooth(&times(&centered.x, rows.as_faer().transpose()));
    let product = transposed_times(&smoothed, &centered.weights, &centered.x);
    let mut rows = Matrix::zeros(product.nrows(), product.ncols());
    for i in 0..product.nrows() {
        rows.row_mut(i).iter_mut().enumerate().for_each(|(j, to)| *to = product[(i, j)]);
    }
    rows
}

/// Fills missing axes with zeros, if the points span fewer.
fn padded(vectors: &Matrix, count: usize) -> Matrix {
    let mut axes = Matrix::zeros(count, vectors.n_cols());
    for (i, vector) in vectors.rows().take(count).enumerate() {
        axes.row_mut(i).copy_from_slice(vector);
    }
    axes
}
