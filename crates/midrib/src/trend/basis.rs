//! Smooth functions on the graph, from those that bend least.
//!
//! A function has a value at each knot and is linear between them. Its bending is
//! `Σ_c (Σ_l (f_l − f_c) / h_l)² / (Σ_l h_l / 2)` over the knots c with at least two segments to
//! knots l of length `h_l`: the stars of Gorban2009, eq. (4), as second derivatives per length, so
//! that functions that are linear in pseudotime do not bend however far apart the nodes are.

use faer::linalg::solvers::{Llt, SelfAdjointEigen};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Mat, Par, Side};

use super::domain::Domain;
use crate::error::{Error, Result};

/// The bending of functions with so many half waves along the graph weighs as much as its values
/// in the eigenproblem, which is most accurate there.
const WAVES: f64 = 4.0;
/// How much slopes weigh beside bending: enough to decide where neither the points nor bending do.
const SLOPE: f64 = 1e-9;
/// Functions that bend less than this do not bend at all.
const UNBENT: f64 = 1e-5;
/// Functions whose share of the eigenproblem is below this are not seen by any point.
const UNSEEN: f64 = 1e-10;
/// Functions that features with missing values combine.
const PARTIAL: usize = 60;
/// Segments are stiffer than this share of the mean length only in the data.
const SHORTEST: f64 = 0.01;

/// Functions that are orthonormal over the points of a domain, in order of their bending.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    /// The values at the knots, one function per column.
    pub functions: Mat<f64>,
    /// The bending of each; 0 for those that do not bend, which come first.
    pub bending: Vec<f64>,
    /// How many of them do not bend.
    pub unbent: usize,
    /// How many the test uses.
    pub tested: usize,
    /// Their sums over the points: the coefficients that make them add up to 1.
    pub sums: Vec<f64>,
}

impl Basis {
    /// Solves `points · f = μ (points + bending) · f` over the knots.
    pub fn of(domain: &Domain) -> Result<Self> {
        let n = domain.n_points();
        let products = products_of_points(domain);
        let points = products.clone();
        let length = domain.length().max(f64::MIN_POSITIVE);
        let wave = WAVES * std::f64::consts::PI / length;
        let unit = n as f64 / length;
        let mut both = bending(domain, unit / wave.powi(4), SLOPE * unit / wave.powi(2));
        both += &points;
        let supported = domain.components();
        let mut is_active = vec![false; domain.nodes.len()];
        supported.iter().flatten().for_each(|&knot| is_active[knot] = true);
        for knot in (0..is_active.len()).filter(|&knot| !is_active[knot]) {
            both[(knot, knot)] += 1.0;
        }
        let (functions, bending) = solve(points, both)?;
        let tested = domain.degrees.min(bending.len());
        let ones = vec![1.0; domain.nodes.len()];
        Ok(Self::sorted(functions, bending, tested, &sums_over(&products, &ones)))
    }

    /// The same for some of the points, whose products of hat functions are given, from the first
    /// functions.
    pub fn over(&self, products: &Mat<f64>) -> Result<Self> {
        let count = self.len().min(PARTIAL);
        let knots = self.functions.nrows();
        let first = self.first(count);
        let points = first.transpose() * (products.as_ref().submatrix(0, 0, knots, knots) * &first);
        let mut both = points.clone();
        for (j, bending) in self.bending.iter().take(count).enumerate() {
            both[(j, j)] += bending.max(SLOPE);
        }
        let (combinations, bending) = solve(points, both)?;
        let tested = self.tested.min(bending.len());
        let ones = vec![1.0; knots];
        Ok(Self::sorted(first * combinations, bending, tested, &sums_over(products, &ones)))
    }

    /// `weights` are the sums of the weights of the knots over the points.
    fn sorted(functions: Mat<f64>, mut bending: Vec<f64>, tested: usize, weights: &[f64]) -> Self {
        let unbent = bending.iter().take_while(|&&bending| bending < UNBENT).count();
        bending[..unbent].fill(0.0);
        let sum = |j| functions.col_as_slice(j).iter().zip(weights).map(|(u, w)| u * w).sum();
        let sums = (0..functions.ncols()).map(sum).collect();
        Self { functions, bending, unbent, tested, sums }
    }

    /// The first functions.
    pub fn first(&self, count: usize) -> Mat<f64> {
        self.functions.as_ref().subcols(0, count).to_owned()
    }

    /// The functions of the test but for the mean: orthonormal combinations of them that add up to 0
    /// over the points.
    pub fn beside_mean(&self) -> Mat<f64> {
        // A reflection takes the coefficients of 1 to a multiple of the first unit vector.
        let mut mirror = self.sums[..self.tested].to_vec();
        let length = mirror.iter().map(|x| x * x).sum::<f64>().sqrt();
        mirror[0] += if mirror[0] < 0.0 { -length } else { length };
        let square: f64 = mirror.iter().map(|x| x * x).sum();
        let rest = self.tested.saturating_sub(1);
        let mut combined = self.functions.as_ref().subcols(1, rest).to_owned();
        for knot in 0..self.functions.nrows() {
            let along = (0..self.tested).map(|j| self.functions[(knot, j)] * mirror[j]);
            let twice = 2.0 * along.sum::<f64>() / square;
            for j in 0..rest {
                combined[(knot, j)] -= twice * mirror[j + 1];
            }
        }
        combined
    }

    /// The number of functions.
    pub fn len(&self) -> usize {
        self.bending.len()
    }
}

/// Vectors with `points · f = μ both · f` of which `f · points · f` is 1, one per column, and
/// `(1 − μ) / μ`, from the largest μ down to those that the points do not see.
fn solve(points: Mat<f64>, both: Mat<f64>) -> Result<(Mat<f64>, Vec<f64>)> {
    // In parallel the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    let failed = || Error::Numerical("the smooth functions on the graph were not found".into());
    let factor = Llt::new(both.as_ref(), Side::Lower).map_err(|_| failed())?;
    let mut reduced = points;
    solve_lower_triangular_in_place(factor.L(), reduced.as_mut(), Par::Seq);
    let mut reduced = reduced.transpose().to_owned();
    solve_lower_triangular_in_place(factor.L(), reduced.as_mut(), Par::Seq);
    let eigen = SelfAdjointEigen::new(reduced.as_ref(), Side::Lower).map_err(|_| failed())?;
    let n = reduced.nrows();
    let shares: Vec<f64> = (0..n).rev().map(|i| eigen.S()[i]).collect();
    let kept = shares.iter().take_while(|&&share| share > UNSEEN).count();
    let mut vectors = Mat::from_fn(n, kept, |i, j| eigen.U()[(i, n - 1 - j)]);
    solve_upper_triangular_in_place(factor.L().transpose(), vectors.as_mut(), Par::Seq);
    for (j, share) in shares.iter().take(kept).enumerate() {
        vectors.col_mut(j).iter_mut().for_each(|value| *value /= share.sqrt());
    }
    Ok((vectors, shares.iter().take(kept).map(|share| (1.0 - share) / share).collect()))
}

/// The products of a matrix with a vector that may be shorter.
fn sums_over(products: &Mat<f64>, values: &[f64]) -> Vec<f64> {
    let of_row = |i: usize| values.iter().enumerate().map(|(j, x)| products[(i, j)] * x).sum();
    (0..values.len()).map(of_row).collect()
}

/// The products of the hat functions of the knots, summed over the points.
fn products_of_points(domain: &Domain) -> Mat<f64> {
    let n = domain.nodes.len();
    let mut sum = Mat::zeros(n, n);
    for row in domain.rows.iter().flatten() {
        let weights = row.weights();
        for (a, weight) in weights {
            for (b, other) in weights {
                sum[(a, b)] += weight * other;
            }
        }
    }
    sum
}

/// The matrix of the bending and, much weaker, of the slopes.
fn bending(domain: &Domain, weight: f64, slope: f64) -> Mat<f64> {
    let n = domain.nodes.len();
    let mean = domain.length() / domain.segments.len().max(1) as f64;
    let shortest = (SHORTEST * mean).max(f64::MIN_POSITIVE);
    let mut stars: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    let mut sum = Mat::zeros(n, n);
    for segment in &domain.segments {
        let length = segment.length.max(shortest);
        let (a, b) = (segment.from, segment.to);
        stars[a].push((b, length));
        stars[b].push((a, length));
        let stiffness = slope / length;
        for (i, j, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            sum[(i, j)] += sign * stiffness;
        }
    }
    for (center, leaves) in stars.iter().enumerate().filter(|(_, leaves)| leaves.len() > 1) {
        let around: f64 = leaves.iter().map(|(_, length)| 0.5 * length).sum();
        let total: f64 = leaves.iter().map(|(_, length)| 1.0 / length).sum();
        let mut curvature = vec![(center, -total)];
        curvature.extend(leaves.iter().map(|&(leaf, length)| (leaf, 1.0 / length)));
        for &(i, x) in &curvature {
            for &(j, y) in &curvature {
                sum[(i, j)] += weight * x * y / around;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_a_path(n: usize) -> Domain {
        let at = |i: usize| Some((i as f64 + 0.5) / n as f64 * 3.0);
        Domain::straight(3.0, 40, &(0..n).map(at).collect::<Vec<_>>())
    }

    #[test]
    fn functions_are_orthonormal_over_the_points() {
        let domain = on_a_path(500);
        let basis = Basis::of(&domain).unwrap();
        assert_eq!((basis.unbent, basis.tested), (2, 5));
        let products = products_of_points(&domain);
        let product = basis.functions.transpose() * products * &basis.functions;
        for i in 0..basis.len() {
            for j in 0..basis.len() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product[(i, j)] - expected).abs() < 1e-8, "{i} {j}: {}", product[(i, j)]);
            }
        }
    }

    #[test]
    fn functions_beside_the_mean_add_up_to_nothing() {
        let domain = on_a_path(90);
        let basis = Basis::of(&domain).unwrap();
        let beside = basis.beside_mean();
        assert_eq!(beside.ncols(), 4);
        let products = products_of_points(&domain);
        let product = beside.transpose() * &products * &beside;
        let ones = Mat::from_fn(domain.nodes.len(), 1, |_, _| 1.0);
        let sums = beside.transpose() * &products * &ones;
        for i in 0..4 {
            assert!(sums[(i, 0)].abs() < 1e-9, "{}", sums[(i, 0)]);
            for j in 0..4 {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product[(i, j)] - expected).abs() < 1e-8);
            }
        }
    }

    /// The free vibrations of a beam: (kL)⁴ with cos(kL) cosh(kL) = 1.
    #[test]
    fn bending_is_that_of_a_beam() {
        let basis = Basis::of(&on_a_path(4000)).unwrap();
        let wave = WAVES * std::f64::consts::PI;
        for (mode, root) in [4.730_04, 7.853_20, 10.995_61].into_iter().enumerate() {
            let expected = (root / wave).powi(4);
            let found = basis.bending[2 + mode];
            assert!((found / expected - 1.0).abs() < 0.02, "{mode}: {found} {expected}");
        }
    }
}
