//! Symmetric positive definite systems of which only products are known.

use super::matrix::Matrix;

/// The residual, in the norm of the preconditioner, that counts as none.
const PRECISION: f64 = 1e-13;
/// Far more steps than a preconditioner worth its name needs.
const MOST_STEPS: usize = 1000;

/// Solves `A Y = right`, all columns at once, each with steps of its own. `product` multiplies with
/// A, `precondition` solves with a matrix near A, `start` is a guess.
pub(crate) fn conjugate_gradients(
    right: &Matrix,
    start: Option<&Matrix>,
    product: impl Fn(&Matrix) -> Matrix,
    precondition: impl Fn(&Matrix) -> Matrix,
) -> Matrix {
    let mut solution = Matrix::zeros(right.n_rows(), right.n_cols());
    let mut residual = right.clone();
    let mut direction = precondition(&residual);
    let mut rest = dots(&residual, &direction);
    let allowed: Vec<f64> = rest.iter().map(|rest| PRECISION * PRECISION * rest).collect();
    if let Some(start) = start {
        solution.clone_from(start);
        add(&mut residual, &vec![-1.0; right.n_cols()], &product(start));
        direction = precondition(&residual);
        rest = dots(&residual, &direction);
    }
    for _ in 0..MOST_STEPS {
        let image = product(&direction);
        let curvature = dots(&direction, &image);
        let step = quotients(&rest, &curvature);
        add(&mut solution, &step, &direction);
        let back: Vec<f64> = step.iter().map(|step| -step).collect();
        add(&mut residual, &back, &image);
        let preconditioned = precondition(&residual);
        let next = dots(&residual, &preconditioned);
        if next.iter().zip(&allowed).all(|(next, allowed)| next <= allowed) {
            break;
        }
        let keep = quotients(&next, &rest);
        let turned = direction.as_mut_slice().chunks_exact_mut(keep.len());
        for (to, from) in turned.zip(preconditioned.rows()) {
            for ((to, from), keep) in to.iter_mut().zip(from).zip(&keep) {
                *to = from + keep * *to;
            }
        }
        rest = next;
    }
    solution
}

/// The inner product of each column with its like.
fn dots(left: &Matrix, right: &Matrix) -> Vec<f64> {
    let mut sums = vec![0.0; left.n_cols()];
    for (left, right) in left.rows().zip(right.rows()) {
        for ((sum, x), y) in sums.iter_mut().zip(left).zip(right) {
            *sum += x * y;
        }
    }
    sums
}

/// 0 where a column is solved already.
fn quotients(over: &[f64], under: &[f64]) -> Vec<f64> {
    over.iter().zip(under).map(|(x, y)| if *y > 0.0 { x / y } else { 0.0 }).collect()
}

fn add(to: &mut Matrix, factors: &[f64], from: &Matrix) {
    for (to, from) in to.as_mut_slice().chunks_exact_mut(factors.len()).zip(from.rows()) {
        for ((to, from), factor) in to.iter_mut().zip(from).zip(factors) {
            *to += factor * from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_solved_each_at_its_own_pace() {
        let n = 40;
        let apply = |v: &Matrix| {
            let mut out = v.clone();
            for i in 0..n {
                for d in 0..v.n_cols() {
                    let side = |j: usize| v.row(j)[d];
                    out.row_mut(i)[d] = 2.1 * v.row(i)[d]
                        - if i > 0 { side(i - 1) } else { 0.0 }
                        - if i + 1 < n { side(i + 1) } else { 0.0 };
                }
            }
            out
        };
        let mut right = Matrix::zeros(n, 3);
        for i in 0..n {
            right.row_mut(i).copy_from_slice(&[(1.3 * i as f64).sin(), 0.0, 1e6]);
        }
        let solution = conjugate_gradients(&right, None, apply, Matrix::clone);
        let again = conjugate_gradients(&right, Some(&solution), apply, Matrix::clone);
        for found in [&solution, &again] {
            for (a, b) in apply(found).as_slice().iter().zip(right.as_slice()) {
                assert!((a - b).abs() <= 1e-9 * b.abs().max(1.0), "{a} {b}");
            }
        }
    }
}
