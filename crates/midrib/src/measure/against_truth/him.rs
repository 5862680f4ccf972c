//! The Hamming-Ipsen-Mikhailov (HIM) distance between two networks, Jurman2015.

use faer::{Mat, Side};

use super::network::Network;
use crate::error::{Error, Result};

/// The half width of the Lorentz peaks around eigenvalues, as in dyneval.
const GAMMA: f64 = 0.1;
/// Up to this many nodes, all orders are tried.
const ALL_ORDERS: usize = 7;
/// Spectra that differ by less than this share differ only by rounding.
const ROUNDING: f64 = 1e-13;
/// The approximate number of steps spent on improving the order.
const STEPS: usize = 200_000_000;

/// 1 − HIM distance: 1 for equal networks, 0 if one has length 0.
pub(super) fn him(one: &Network, other: &Network) -> Result<f64> {
    if !(one.length() > 0.0 && other.length() > 0.0) {
        return Ok(0.0);
    }
    let n = one.n.max(other.n);
    let (a, b) = (adjacency(one, n), adjacency(other, n));
    let hamming = hamming(&a, &b);
    let spectral = ipsen_mikhailov(&frequencies(&a)?, &frequencies(&b)?);
    Ok((1.0 - ((hamming * hamming + spectral * spectral) / 2.0).sqrt()).max(0.0))
}

/// The lengths as weights that sum to 1; nodes that the network does not have are isolated.
fn adjacency(network: &Network, n: usize) -> Mat<f64> {
    let mut weights = Mat::zeros(n, n);
    let total = 2.0 * network.length();
    for &(a, b, length) in &network.edges {
        weights[(a, b)] += length / total;
        weights[(b, a)] += length / total;
    }
    weights
}

/// The square roots of the eigenvalues of the Laplacian, without the smallest.
fn frequencies(weights: &Mat<f64>) -> Result<Vec<f64>> {
    let n = weights.nrows();
    let degree: Vec<f64> = (0..n).map(|i| (0..n).map(|j| weights[(i, j)]).sum()).collect();
    let entry = |i: usize, j: usize| if i == j { degree[i] } else { -weights[(i, j)] };
    let laplacian = Mat::from_fn(n, n, entry);
    let mut values = laplacian.self_adjoint_eigenvalues(Side::Lower).map_err(|error| {
        Error::Numerical(format!(
            "the eigenvalues of a network of {n} milestones were not found: {error:?}"
        ))
    })?;
    values.sort_by(f64::total_cmp);
    Ok(values.into_iter().skip(1).map(|value| value.max(0.0).sqrt()).collect())
}

/// The distance between two spectra, as sums of Lorentz peaks around the frequencies; each sum has
/// integral 1 over the frequencies from 0.
fn ipsen_mikhailov(one: &[f64], other: &[f64]) -> f64 {
    let height = |frequencies: &[f64]| {
        let area = |f: &f64| std::f64::consts::FRAC_PI_2 + (f / GAMMA).atan();
        1.0 / frequencies.iter().map(area).sum::<f64>()
    };
    let product = |a: &[f64], b: &[f64]| {
        let sum: f64 = a.iter().flat_map(|&f| b.iter().map(move |&g| overlap(f, g))).sum();
        sum * GAMMA * GAMMA * height(a) * height(b)
    };
    let own = product(one, one) + product(other, other);
    let square = own - 2.0 * product(one, other);
    if square > ROUNDING * own { square.sqrt() } else { 0.0 }
}

/// The integral from 0 of 1 / ((x − f)² + γ²) / ((x − g)² + γ²).
fn overlap(f: f64, g: f64) -> f64 {
    let square = GAMMA * GAMMA;
    let apart = f - g;
    // log((f² + γ²) / (g² + γ²)) / (f − g), accurate also if the two are close.
    let change = apart * (f + g) / (g * g + square);
    let slope = if change.abs() < 1e-300 {
        (f + g) / (g * g + square)
    } else {
        change.ln_1p() / change * (f + g) / (g * g + square)
    };
    let angles = std::f64::consts::PI + (f / GAMMA).atan() + (g / GAMMA).atan();
    (slope + angles / GAMMA) / (4.0 * square + apart * apart)
}

/// The mean absolute difference of the weights over all pairs, minimized over the order of the
/// nodes, which has no meaning. Beyond a few nodes, pairs are swapped as long as that helps.
fn hamming(a: &Mat<f64>, b: &Mat<f64>) -> f64 {
    let n = a.nrows();
    let mut order: Vec<usize> = vec![0; n];
    let by_weight = |weights: &Mat<f64>| {
        let degree = |i: &usize| (0..n).map(|j| weights[(*i, j)]).sum::<f64>();
        let mut nodes: Vec<usize> = (0..n).collect();
        nodes.sort_by(|x, y| degree(y).total_cmp(&degree(x)));
        nodes
    };
    for (&x, y) in by_weight(a).iter().zip(by_weight(b)) {
        order[x] = y;
    }
    let pairs = (n * (n - 1)) as f64;
    if n <= ALL_ORDERS {
        return least_of_all_orders(a, b, &mut order, 0) / pairs;
    }
    let mut least = difference(a, b, &order);
    for _ in 0..(STEPS / (n * n * n)).max(1) {
        let before = least;
        for x in 0..n {
            for y in x + 1..n {
                let gain = gain_of_swap(a, b, &order, x, y);
                if gain > 1e-15 {
                    order.swap(x, y);
                    least -= gain;
                }
            }
        }
        if least >= before {
            break;
        }
    }
    difference(a, b, &order) / pairs
}

fn difference(a: &Mat<f64>, b: &Mat<f64>, order: &[usize]) -> f64 {
    let n = order.len();
    let row = |i: usize| (0..n).map(|j| (a[(i, j)] - b[(order[i], order[j])]).abs()).sum::<f64>();
    (0..n).map(row).sum()
}

fn least_of_all_orders(a: &Mat<f64>, b: &Mat<f64>, order: &mut [usize], fixed: usize) -> f64 {
    if fixed == order.len() {
        return difference(a, b, order);
    }
    let mut least = f64::INFINITY;
    for next in fixed..order.len() {
        order.swap(fixed, next);
        least = least.min(least_of_all_orders(a, b, order, fixed + 1));
        order.swap(fixed, next);
    }
    least
}

/// The decrease of the difference if nodes `x` and `y` are swapped.
fn gain_of_swap(a: &Mat<f64>, b: &Mat<f64>, order: &[usize], x: usize, y: usize) -> f64 {
    let mut gain = 0.0;
    for j in (0..order.len()).filter(|&j| j != x && j != y) {
        let (ax, ay) = (a[(x, j)], a[(y, j)]);
        let (bx, by) = (b[(order[x], order[j])], b[(order[y], order[j])]);
        gain += (ax - bx).abs() + (ay - by).abs() - (ax - by).abs() - (ay - bx).abs();
    }
    2.0 * gain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(n: usize, edges: &[(usize, usize, f64)]) -> Network {
        Network { n, edges: edges.to_vec(), isolated: 0 }
    }

    fn fork() -> Network {
        network(4, &[(0, 1, 0.9), (1, 2, 1.0), (1, 3, 0.7)])
    }

    fn chain() -> Network {
        network(3, &[(0, 1, 0.5), (1, 2, 0.5)])
    }

    /// Eigenvalues by Jacobi rotations.
    fn jacobi(mut m: Vec<Vec<f64>>) -> Vec<f64> {
        let n = m.len();
        for _ in 0..100 {
            for p in 0..n {
                for q in p + 1..n {
                    if m[p][q].abs() < 1e-300 {
                        continue;
                    }
                    let angle = 0.5 * (2.0 * m[p][q]).atan2(m[q][q] - m[p][p]);
                    let (s, c) = angle.sin_cos();
                    let turned = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
                    let pair = m[p].iter().zip(&m[q]).map(|(&x, &y)| turned(x, y));
                    (m[p], m[q]) = pair.unzip();
                    for row in &mut m {
                        let (x, y) = (row[p], row[q]);
                        (row[p], row[q]) = turned(x, y);
                    }
                }
            }
        }
        (0..n).map(|i| m[i][i]).collect()
    }

    /// The distance between the spectra as in netdist: eigenvalues by Jacobi rotations, integrals by
    /// Simpson's rule on x = t / (1 − t).
    fn by_integration(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
        const STEPS: usize = 400_000;
        let n = a.len();
        let frequencies = |m: &[Vec<f64>]| {
            let entry = |i: usize, j: usize| if i == j { m[i].iter().sum() } else { -m[i][j] };
            let laplacian = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            let mut values = jacobi(laplacian);
            values.sort_by(f64::total_cmp);
            values[1..].iter().map(|v| v.abs().sqrt()).collect::<Vec<f64>>()
        };
        // `limit` is the limit of x² f(x).
        let integral = |f: &dyn Fn(f64) -> f64, limit: f64| {
            let at = |i: usize| {
                let t = i as f64 / STEPS as f64;
                if i == STEPS { limit } else { f(t / (1.0 - t)) / ((1.0 - t) * (1.0 - t)) }
            };
            let weight = |i: usize| match i {
                0 | STEPS => 1.0,
                _ if i % 2 == 1 => 4.0,
                _ => 2.0,
            };
            (0..=STEPS).map(|i| weight(i) * at(i)).sum::<f64>() / (3.0 * STEPS as f64)
        };
        let peaks =
            |f: &[f64], x: f64| -> f64 { f.iter().map(|w| 0.1 / ((x - w) * (x - w) + 0.01)).sum() };
        let (f, g) = (frequencies(a), frequencies(b));
        let height = |f: &[f64]| 1.0 / integral(&|x| peaks(f, x), f.len() as f64 * 0.1);
        let (kf, kg) = (height(&f), height(&g));
        integral(&|x| (kf * peaks(&f, x) - kg * peaks(&g, x)).powi(2), 0.0).sqrt()
    }

    fn dense(network: &Network, n: usize) -> Vec<Vec<f64>> {
        let total: f64 = network.edges.iter().map(|edge| edge.2).sum();
        let mut weights = vec![vec![0.0; n]; n];
        for &(a, b, length) in &network.edges {
            weights[a][b] = length / total / 2.0;
            weights[b][a] = length / total / 2.0;
        }
        weights
    }

    #[test]
    fn the_closed_form_agrees_with_integration() {
        let ring = network(3, &[(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)]);
        let edges = [(0, 1, 2.0), (1, 2, 0.5), (2, 3, 1.0), (1, 4, 0.2), (2, 5, 0.9), (3, 6, 1.0)];
        let caterpillar = network(7, &edges);
        for (one, other) in
            [(&chain(), &fork()), (&ring, &fork()), (&ring, &chain()), (&caterpillar, &fork())]
        {
            let n = one.n.max(other.n);
            let (a, b) = (dense(one, n), dense(other, n));
            let spectral = by_integration(&a, &b);
            let hamming = permuted(&b).into_iter().map(|b| {
                let cells = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
                cells.map(|(i, j)| (a[i][j] - b[i][j]).abs()).sum::<f64>()
            });
            let hamming = hamming.fold(f64::INFINITY, f64::min) / (n * (n - 1)) as f64;
            let expected = 1.0 - ((hamming * hamming + spectral * spectral) / 2.0).sqrt();
            let found = him(one, other).unwrap();
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
            assert!((found - him(other, one).unwrap()).abs() < 1e-12);
        }
    }

    /// The matrix in every order of its nodes (Heap's algorithm).
    fn permuted(m: &[Vec<f64>]) -> Vec<Vec<Vec<f64>>> {
        let n = m.len();
        let mut order: Vec<usize> = (0..n).collect();
        let mut all = vec![m.to_vec()];
        let mut counts = vec![0; n];
        let mut i = 0;
        while i < n {
            if counts[i] < i {
                if i % 2 == 0 {
                    order.swap(0, i)
                } else {
                    order.swap(counts[i], i)
                }
                let row = |&x: &usize| order.iter().map(|&y| m[x][y]).collect();
                all.push(order.iter().map(row).collect());
                counts[i] += 1;
                i = 0;
            } else {
                counts[i] = 0;
                i += 1;
            }
        }
        all
    }

    #[test]
    fn equal_networks_agree_in_any_order() {
        let turned = network(4, &[(3, 2, 0.9), (3, 0, 1.0), (3, 1, 0.7)]);
        assert!((him(&fork(), &turned).unwrap() - 1.0).abs() < 1e-9);
        let n = 12;
        let path: Vec<_> = (1..n).map(|i| (i - 1, i, i as f64)).collect();
        let back: Vec<_> = (1..n).map(|i| (n - i, n - i - 1, i as f64)).collect();
        assert!(him(&network(n, &path), &network(n, &back)).unwrap() > 0.99);
        assert_eq!(him(&fork(), &network(2, &[(0, 1, 0.0)])).unwrap(), 0.0);
        assert_eq!(him(&fork(), &network(0, &[])).unwrap(), 0.0);
    }
}
