//! The best basis and embedding for a given smoother.

use super::frame::{Frame, symmetric_eigen};
use crate::error::{Error, Result};
use crate::learn::choices::ComponentCount;
use crate::math::{Matrix, times, top_eigen, transposed_times};

/// With more coordinates than this only the axes that are kept are looked for.
const WIDE: usize = 300;

/// What a smoother makes of some columns: `Q` times them, and the nodes that belong to it.
pub(in crate::learn) struct Embedded {
    /// N×m.
    pub z: Matrix,
    /// K×m.
    pub nodes: Matrix,
}

/// The best basis for a smoother.
pub(in crate::learn) struct Basis {
    /// One a row.
    pub axes: Matrix,
    /// Embedding and nodes on these axes.
    pub on_axes: Embedded,
    /// The nodes for all coordinates, where those are few.
    pub nodes: Option<Matrix>,
}

/// The axes that minimise the objective, with the embedding and the nodes on them.
pub(in crate::learn) fn embed(
    frame: &Frame<'_>,
    count: usize,
    smooth: impl Fn(&Matrix) -> Embedded,
) -> Result<Basis> {
    let (x, weights) = (&frame.x, &frame.weights);
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
    let top = top_eigen(dims, |rows| through(frame, rows, smoothed), |_| Some(count.min(dims)))?;
    let axes = padded(&top.vectors, count);
    let on_axes = smooth(&times(x, axes.as_faer().transpose()));
    Ok(Basis { axes, on_axes, nodes: None })
}

/// Principal axes and the scores of the points on them, as many as are wanted.
pub(in crate::learn) fn principal(
    frame: &Frame<'_>,
    wanted: ComponentCount,
) -> Result<(Matrix, Matrix)> {
    let (n, dims, most) = (frame.len(), frame.x.n_cols(), frame.most_components());
    let fixed = match wanted {
        ComponentCount::Exactly(count) if count == 0 || count > most => {
            return Err(Error::setting(
                "n_components",
                count,
                format!("{n} points in {} columns have 1 to {most} components", frame.columns()),
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
            held >= share * frame.spread()
        });
        reached.map(|at| at + 1)
    };
    let (values, vectors) = if dims <= WIDE {
        let form = transposed_times(&frame.x, &frame.weights, &frame.x);
        symmetric_eigen(form.as_ref())?
    } else {
        let plain = |scores: &Matrix| scores.clone();
        let enough = |values: &[f64]| enough(values).map(|count| count.min(dims));
        let top = top_eigen(dims, |rows| through(frame, rows, plain), enough)?;
        (top.values, top.vectors)
    };
    let count = enough(&values).unwrap_or(most);
    let axes = padded(&vectors, count);
    let scores = times(&frame.x, axes.as_faer().transpose());
    Ok((axes, scores))
}

/// `rows · XᵀQᵀWX`.
fn through(frame: &Frame<'_>, rows: &Matrix, smooth: impl Fn(&Matrix) -> Matrix) -> Matrix {
    let smoothed = smooth(&times(&frame.x, rows.as_faer().transpose()));
    let product = transposed_times(&smoothed, &frame.weights, &frame.x);
    let mut rows = Matrix::zeros(product.nrows(), product.ncols());
    for i in 0..product.nrows() {
        rows.row_mut(i).iter_mut().enumerate().for_each(|(j, to)| *to = product[(i, j)]);
    }
    rows
}

/// Axes that are missing, since the points span fewer, are zero.
fn padded(vectors: &Matrix, count: usize) -> Matrix {
    let mut axes = Matrix::zeros(count, vectors.n_cols());
    for (i, vector) in vectors.rows().take(count).enumerate() {
        axes.row_mut(i).copy_from_slice(vector);
    }
    axes
}
