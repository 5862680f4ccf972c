//! Products with the matrix of a placement.

/// Multiplies `rows`, given row after row, with `diag(mass) + L`, L the Laplacian of the edges
/// `(a, b, stiffness)`.
pub(crate) fn laplacian_apply(
    edges: &[(usize, usize, f64)],
    mass: &[f64],
    rows: &[f64],
) -> Vec<f64> {
    let dims = rows.len() / mass.len();
    let mut product = rows.to_vec();
    for (row, mass) in product.chunks_exact_mut(dims).zip(mass) {
        for x in row {
            *x *= mass;
        }
    }
    for &(a, b, stiffness) in edges {
        for d in 0..dims {
            let pull = stiffness * (rows[a * dims + d] - rows[b * dims + d]);
            product[a * dims + d] += pull;
            product[b * dims + d] -= pull;
        }
    }
    product
}
