//! Numbers computed one by one from several long vectors.

/// Sets a vector to `f` of the numbers at each index.
pub(super) fn each<const N: usize>(
    to: &mut Vec<f64>,
    from: [&[f64]; N],
    f: impl Fn([f64; N]) -> f64,
) {
    to.resize(from[0].len(), 0.0);
    update(to, from, |_, numbers| f(numbers));
}

/// Sets each number of a vector to `f` of it and of the others' numbers at its index.
pub(super) fn update<const N: usize>(
    to: &mut [f64],
    from: [&[f64]; N],
    f: impl Fn(f64, [f64; N]) -> f64,
) {
    let from = from.map(|from| &from[..to.len()]);
    for (i, to) in to.iter_mut().enumerate() {
        *to = f(*to, from.map(|from| from[i]));
    }
}

/// Adds a multiple of a change.
pub(super) fn advance(at: &mut [f64], change: &[f64], length: f64) {
    update(at, [change], |x, [dx]| x + length * dx);
}

/// The sum of `f` of the numbers at each index.
pub(super) fn sum_of<const N: usize>(from: [&[f64]; N], f: impl Fn([f64; N]) -> f64) -> f64 {
    let from = from.map(|numbers| &numbers[..from[0].len()]);
    (0..from[0].len()).map(|i| f(from.map(|from| from[i]))).sum()
}

/// The largest `f` of the numbers at each index, if it is above 0. NaN does not count.
pub(super) fn most_of<const N: usize>(from: [&[f64]; N], f: impl Fn([f64; N]) -> f64) -> f64 {
    let from = from.map(|numbers| &numbers[..from[0].len()]);
    (0..from[0].len()).fold(0.0, |most, i| {
        let x = f(from.map(|from| from[i]));
        if x > most { x } else { most }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_plain_loops_find() {
        for n in [0, 1, 7, 8, 100] {
            let a: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
            let b: Vec<f64> = (0..n).map(|i| (i as f64 * 1.3).cos() + 1.5).collect();
            let f = |[a, b]: [f64; 2]| a / b;
            let plain: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a / b).collect();
            // Used vectors, longer and shorter than needed.
            for used in [0, n / 2, 2 * n] {
                let mut found = vec![f64::NAN; used];
                each(&mut found, [&a, &b], f);
                assert_eq!(found, plain);
                update(&mut found, [&b], |x, [b]| x * b);
                let products: Vec<f64> = plain.iter().zip(&b).map(|(x, b)| x * b).collect();
                assert_eq!(found, products);
            }
            assert_eq!(most_of([&a, &b], f), plain.iter().copied().fold(0.0, f64::max));
            let total: f64 = plain.iter().sum();
            assert!((sum_of([&a, &b], f) - total).abs() < 1e-12 * (1.0 + n as f64));
        }
        assert_eq!(most_of([&[-1.0, f64::NAN, -2.0]], |[x]| x), 0.0);
    }
}
