//! Small symmetric systems whose matrix may be singular.

/// A pivot below this share of its diagonal entry is 0.
const SINGULAR: f64 = 1e-12;

/// Solves `a · x = b` in place of `b`, for the lower triangle of a symmetric positive semidefinite
/// `a` (row-major), which is overwritten. Unknowns that those before them leave free are 0, so
/// normal equations give a least squares solution whatever their rank.
pub(crate) fn solve_semidefinite(a: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for j in 0..n {
        let scale = a[j * n + j];
        for i in j..n {
            let known: f64 = (0..j).map(|k| a[i * n + k] * a[j * n + k] * a[k * n + k]).sum();
            a[i * n + j] -= known;
        }
        let pivot = a[j * n + j];
        let is_free = pivot <= SINGULAR * scale;
        a[j * n + j] = if is_free { 0.0 } else { pivot };
        for i in j + 1..n {
            a[i * n + j] = if is_free { 0.0 } else { a[i * n + j] / pivot };
        }
    }
    for i in 0..n {
        b[i] -= (0..i).map(|k| a[i * n + k] * b[k]).sum::<f64>();
    }
    for i in (0..n).rev() {
        let pivot = a[i * n + i];
        let above: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = if pivot > 0.0 { b[i] / pivot - above } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_and_singular_systems() {
        let mut b = [9.0, 8.0];
        solve_semidefinite(&mut [4.0, 0.0, 1.0, 3.0], &mut b);
        assert!((b[0] - 19.0 / 11.0).abs() < 1e-14 && (b[1] - 23.0 / 11.0).abs() < 1e-14);
        // The second unknown is twice the first: any split solves it.
        let mut b = [5.0, 10.0, 3.0];
        solve_semidefinite(&mut [1.0, 0.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 1.0], &mut b);
        assert_eq!(b, [5.0, 0.0, 3.0]);
    }
}
