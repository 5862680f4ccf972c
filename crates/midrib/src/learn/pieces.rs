//! Affine pieces in working coordinates, flats or segments, and sums over the points nearest to each.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

use crate::error::{Error, Result};
use crate::math::{Matrix, dot};
use crate::object::scores;
use crate::points::Cloud;
use crate::prepare::point_forward;

/// An affine piece.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub center: Vec<f64>,
    /// Orthonormal rows; zero rows at the start.
    pub axes: Matrix,
    pub variances: Vec<f64>,
    /// The variance of its points across it.
    pub rest: f64,
    /// How far it extends from its center, in standard deviations along each axis; without end if
    /// this is none.
    pub reach: Option<f64>,
}

impl Piece {
    /// A single position.
    pub fn at(center: &[f64], inner: usize, reach: Option<f64>) -> Self {
        let axes = Matrix::zeros(inner, center.len());
        let variances = vec![0.0; inner];
        Self { center: center.to_vec(), axes, variances, rest: 0.0, reach }
    }

    /// The squared distance of a point from it.
    pub fn squared_distance(&self, x: &[f64], rest: &mut [f64]) -> f64 {
        for (rest, (x, c)) in rest.iter_mut().zip(x.iter().zip(&self.center)) {
            *rest = x - c;
        }
        let scores = scores(rest, &self.axes);
        for ((score, axis), variance) in scores.iter().zip(self.axes.rows()).zip(&self.variances) {
            let score = self.reach.map_or(*score, |reach| {
                let end = reach * variance.sqrt();
                score.clamp(-end, end)
            });
            rest.iter_mut().zip(axis).for_each(|(rest, a)| *rest -= score * a);
        }
        dot(rest, rest)
    }
}

/// The points of a piece: sums relative to its center.
#[derive(Clone)]
pub(super) struct Share {
    pub mass: f64,
    sum: Vec<f64>,
    /// The lower triangle of the sum of squares and products, row by row.
    squares: Vec<f64>,
}

impl Share {
    /// No points.
    pub fn zeros(dims: usize) -> Self {
        Self { mass: 0.0, sum: vec![0.0; dims], squares: vec![0.0; dims * dims] }
    }

    /// Adds a point, relative to the center of the piece.
    pub fn add(&mut self, offset: &[f64], weight: f64) {
        self.mass += weight;
        for (i, x) in offset.iter().enumerate() {
            self.sum[i] += weight * x;
            let row = &mut self.squares[i * offset.len()..][..=i];
            row.iter_mut().zip(offset).for_each(|(to, y)| *to += weight * x * y);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.mass += other.mass;
        self.sum.iter_mut().zip(&other.sum).for_each(|(to, x)| *to += x);
        self.squares.iter_mut().zip(&other.squares).for_each(|(to, x)| *to += x);
    }

    /// The principal flat of these points, which are relative to `before`.
    pub fn principal(&self, before: &Piece) -> Result<Piece> {
        let (dims, inner) = (self.sum.len(), before.axes.n_rows());
        let mean: Vec<f64> = self.sum.iter().map(|sum| sum / self.mass).collect();
        let covariance = Mat::from_fn(dims, dims, |i, j| {
            self.squares[i.max(j) * dims + i.min(j)] / self.mass - mean[i] * mean[j]
        });
        let eigen = SelfAdjointEigen::new(covariance.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the axes of a piece did not converge".into()))?;
        let mut axes = Matrix::zeros(inner, dims);
        for axis in 0..inner {
            let row = axes.row_mut(axis);
            row.iter_mut().enumerate().for_each(|(d, x)| *x = eigen.U()[(d, dims - 1 - axis)]);
            point_forward(row);
        }
        let variance = |axis: usize| eigen.S()[dims - 1 - axis].max(0.0);
        Ok(Piece {
            center: before.center.iter().zip(&mean).map(|(c, m)| c + m).collect(),
            axes,
            variances: (0..inner).map(variance).collect(),
            rest: (inner..dims).map(variance).sum(),
            reach: before.reach,
        })
    }

    /// Adds the points of another piece; `apart` leads from the center of this one to that one.
    pub fn join(&mut self, other: &Self, apart: &[f64]) {
        let dims = apart.len();
        for i in 0..dims {
            for j in 0..=i {
                self.squares[i * dims + j] += other.squares[i * dims + j]
                    + other.sum[i] * apart[j]
                    + apart[i] * (other.sum[j] + other.mass * apart[j]);
            }
        }
        let sums = self.sum.iter_mut().zip(&other.sum).zip(apart);
        sums.for_each(|((to, sum), d)| *to += sum + other.mass * d);
        self.mass += other.mass;
    }
}

/// An assignment of the points to their nearest pieces.
#[derive(Clone)]
pub(super) struct Shares {
    pub of_piece: Vec<Share>,
    pub cost: f64,
    /// The point farthest from its piece, and its squared distance.
    pub farthest: (f64, usize),
}

impl Shares {
    fn zeros(pieces: usize, dims: usize) -> Self {
        Self { of_piece: vec![Share::zeros(dims); pieces], cost: 0.0, farthest: (0.0, 0) }
    }

    fn merge(&mut self, other: &Self) {
        self.of_piece.iter_mut().zip(&other.of_piece).for_each(|(to, share)| to.merge(share));
        self.cost += other.cost;
        if other.farthest.0 > self.farthest.0 {
            self.farthest = other.farthest;
        }
    }

    /// Assigns every point to its nearest piece, of equally near ones to the first.
    pub fn of(cloud: &Cloud<'_>, pieces: &[Piece]) -> Result<Self> {
        let zeros = || Self::zeros(pieces.len(), cloud.dims());
        let mut total = zeros();
        let of_chunk = |chunk: &crate::points::WorkingChunk<'_>| {
            let blocks = chunk.per_block(|rows| {
                let mut shares = zeros();
                let (mut x, mut rest) = (vec![0.0; chunk.dims()], vec![0.0; chunk.dims()]);
                for i in rows.filter(|&i| chunk.weight(i) > 0.0) {
                    chunk.copy_row(i, &mut x);
                    let (squared, number) = nearest(pieces, &x, &mut rest);
                    shares.cost += chunk.weight(i) * squared;
                    if squared > shares.farthest.0 {
                        shares.farthest = (squared, i);
                    }
                    x.iter_mut().zip(&pieces[number].center).for_each(|(x, c)| *x -= c);
                    shares.of_piece[number].add(&x, chunk.weight(i));
                }
                shares
            });
            let mut sum = zeros();
            blocks.iter().for_each(|block| sum.merge(block));
            sum
        };
        cloud.per_chunk(of_chunk, |part| total.merge(&part))?;
        Ok(total)
    }
}

/// The squared distance of a point from its nearest piece, of equally near ones the first, and the
/// number of that piece. `rest` is scratch of the same length.
pub(super) fn nearest(pieces: &[Piece], x: &[f64], rest: &mut [f64]) -> (f64, usize) {
    let mut best = (f64::INFINITY, 0);
    for (number, piece) in pieces.iter().enumerate() {
        let squared = piece.squared_distance(x, rest);
        if squared < best.0 {
            best = (squared, number);
        }
    }
    best
}
