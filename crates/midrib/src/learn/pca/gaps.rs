//! Principal axes of points with missing values, by alternating least squares.
#![allow(non_snake_case)]

use std::borrow::Cow;
use std::ops::Range;

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

use crate::error::{Error, Result};
use crate::learn::descent::{Descent, Limits};
use crate::learn::result::End;
use crate::math::{Matrix, dot, solve_semidefinite};
use crate::object::scores;
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};
use crate::prepare::{Components, Pca, point_forward};

/// A flat through points with missing values, in working coordinates.
pub(super) struct Observed {
    pub center: Vec<f64>,
    pub axes: Matrix,
    pub variances: Vec<f64>,
    /// The squared error of the known values at the start and after each round.
    pub descent: Descent,
    pub end: End,
}

/// Learns `count` axes.
pub(super) fn observed(
    cloud: &Cloud<'_>,
    count: usize,
    limits: Limits,
    watch: &mut dyn Observer,
) -> Result<Observed> {
    let start = Pca::fit(Components::Count(count), &MeanFilled(cloud))?;
    let (mut a_0, mut A) = (start.mean, start.axes);
    let mut sums = regress(cloud, &a_0, &A)?;
    let mut descent = Descent::new("finding the axes", sums.error, cloud.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let (center, axes) = sums.solve(&a_0, &A); // each column given the scores
        let next = regress(cloud, &center, &axes)?; // the scores given the columns
        end = descent.push(next.error, watch);
        if end != Some(End::Stalled) {
            (a_0, A, sums) = (center, axes, next);
        }
    }
    let (center, axes, variances) = sums.principal(&a_0, &A)?;
    Ok(Observed { center, axes, variances, descent, end: end.unwrap_or(End::MaxIter) })
}

/// The points, each missing value replaced by the mean of its column.
struct MeanFilled<'c, 'p>(&'c Cloud<'p>);

impl Blocks for MeanFilled<'_, '_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn dims(&self) -> usize {
        self.0.dims()
    }

    fn read(&self, rows: Range<usize>, into: &mut [f64]) -> Result<()> {
        self.0.read(rows, into)?;
        // The mean of the known values is 0 in working coordinates.
        into.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = 0.0);
        Ok(())
    }

    fn name(&self) -> Cow<'_, str> {
        self.0.name()
    }

    fn weights(&self) -> Option<&[f64]> {
        self.0.weights()
    }

    fn missing_values(&self) -> Option<usize> {
        Some(0)
    }
}

/// Sums over the points: the best scores z given the flat, and with them the normal equations of
/// each column over (1, z).
struct Regression {
    /// The squared error of the known values.
    error: f64,
    /// For each column the sums of (1, z)ᵀ(1, z) over the points that know it.
    products: Vec<f64>,
    /// For each column the sums of (1, z) times its values.
    right: Vec<f64>,
    /// The sums of (1, z)ᵀ(1, z) over all points.
    moments: Vec<f64>,
}

impl Regression {
    fn zeros(dims: usize, d: usize) -> Self {
        let squares = (d + 1) * (d + 1);
        Self {
            error: 0.0,
            products: vec![0.0; dims * squares],
            right: vec![0.0; dims * (d + 1)],
            moments: vec![0.0; squares],
        }
    }

    fn add(&mut self, x: &[f64], weight: f64, a_0: &[f64], A: &Matrix) {
        let mut rest: Vec<f64> = x.iter().zip(a_0).map(|(x, a)| x - a).collect();
        let mut row = vec![1.0];
        row.extend(scores(&rest, A));
        for (z, a) in row[1..].iter().zip(A.rows()) {
            rest.iter_mut().zip(a).for_each(|(rest, a)| *rest -= z * a);
        }
        let width = row.len();
        let add_squares = |to: &mut [f64]| {
            for (to, z) in to.chunks_exact_mut(width).zip(&row) {
                to.iter_mut().zip(&row).for_each(|(to, y)| *to += weight * z * y);
            }
        };
        add_squares(&mut self.moments);
        for (j, rest) in rest.iter().enumerate().filter(|(_, rest)| !rest.is_nan()) {
            self.error += weight * rest * rest;
            add_squares(&mut self.products[j * width * width..(j + 1) * width * width]);
            let right = &mut self.right[j * width..(j + 1) * width];
            right.iter_mut().zip(&row).for_each(|(to, z)| *to += weight * z * x[j]);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.error += other.error;
        let lists = [
            (&mut self.products, &other.products),
            (&mut self.right, &other.right),
            (&mut self.moments, &other.moments),
        ];
        for (to, from) in lists {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        }
    }

    /// The best flat given the scores, with orthonormal axes.
    fn solve(&self, a_0: &[f64], A: &Matrix) -> (Vec<f64>, Matrix) {
        let width = A.n_rows() + 1;
        let (mut center, mut axes) = (a_0.to_vec(), A.clone());
        for (j, right) in self.right.chunks_exact(width).enumerate() {
            let mut products = self.products[j * width * width..(j + 1) * width * width].to_vec();
            let mut solution = right.to_vec();
            solve_semidefinite(&mut products, &mut solution);
            center[j] = solution[0];
            solution[1..].iter().enumerate().for_each(|(axis, x)| axes.row_mut(axis)[j] = *x);
        }
        orthonormalize(&mut axes, A);
        (center, axes)
    }

    /// The same flat with the mean of the projections as its center and their principal axes.
    fn principal(&self, a_0: &[f64], A: &Matrix) -> Result<(Vec<f64>, Matrix, Vec<f64>)> {
        let (d, width) = (A.n_rows(), A.n_rows() + 1);
        let weight = self.moments[0];
        let mean: Vec<f64> = self.moments[1..width].iter().map(|sum| sum / weight).collect();
        let covariance = Mat::from_fn(d, d, |i, j| {
            self.moments[(i + 1) * width + j + 1] / weight - mean[i] * mean[j]
        });
        let eigen = SelfAdjointEigen::new(covariance.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the principal components did not converge".into()))?;
        let mut center = a_0.to_vec();
        let mut axes = Matrix::zeros(d, a_0.len());
        for (z, a) in mean.iter().zip(A.rows()) {
            center.iter_mut().zip(a).for_each(|(x, a)| *x += z * a);
        }
        for to in 0..d {
            let axis = axes.row_mut(to);
            for (from, a) in A.rows().enumerate() {
                let share = eigen.U()[(from, d - 1 - to)];
                axis.iter_mut().zip(a).for_each(|(x, a)| *x += share * a);
            }
            point_forward(axis);
        }
        let variances = (0..d).rev().map(|i| eigen.S()[i].max(0.0)).collect();
        Ok((center, axes, variances))
    }
}

/// Makes the rows orthonormal without changing what they span; a row that depends on those before it
/// is replaced by what is left of one in `spare`.
fn orthonormalize(axes: &mut Matrix, spare: &Matrix) {
    for axis in 0..axes.n_rows() {
        let candidates = std::iter::once(axes.row(axis).to_vec());
        let mut best = (0.0, Vec::new());
        for mut row in candidates.chain(spare.rows().map(<[f64]>::to_vec)) {
            let before = dot(&row, &row).sqrt();
            for _ in 0..2 {
                for other in 0..axis {
                    let share = dot(&row, axes.row(other));
                    row.iter_mut().zip(axes.row(other)).for_each(|(x, a)| *x -= share * a);
                }
            }
            let left = dot(&row, &row).sqrt() / before;
            if left > best.0 {
                best = (left, row);
            }
            if best.0 > 1e-8 {
                break;
            }
        }
        let norm = dot(&best.1, &best.1).sqrt();
        if norm > 0.0 {
            axes.row_mut(axis).iter_mut().zip(&best.1).for_each(|(to, x)| *to = x / norm);
        }
    }
}

fn regress(cloud: &Cloud<'_>, a_0: &[f64], A: &Matrix) -> Result<Regression> {
    let zeros = || Regression::zeros(cloud.dims(), A.n_rows());
    let blocks = cloud.per_block(|chunk, rows| {
        let mut sums = zeros();
        let mut row = vec![0.0; chunk.dims()];
        for i in rows {
            chunk.copy_row(i, &mut row);
            sums.add(&row, chunk.weight(i), a_0, A);
        }
        sums
    })?;
    let mut total = zeros();
    blocks.iter().for_each(|block| total.merge(block));
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::points::Points;

    #[test]
    fn of_complete_points_they_are_the_usual_axes() {
        let wave = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin() / (i % 5 + 1) as f64;
        let points = Points::from_f64((0..1000).map(wave).collect::<Vec<_>>(), 5).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let limits = Limits { max_iter: 1000, tol: 1e-15 };
        let found = observed(&cloud, 2, limits, &mut Silent).unwrap();
        let whole = Pca::fit(Components::Count(2), &cloud).unwrap();
        let pairs = found.axes.as_slice().iter().zip(whole.axes.as_slice());
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-10, "{a} {b}"));
        found.center.iter().zip(&whole.mean).for_each(|(a, b)| assert!((a - b).abs() < 1e-10));
    }
}
