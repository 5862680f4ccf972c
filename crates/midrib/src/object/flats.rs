//! Affine pieces: a center and orthonormal axes each.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::surface::InnerProjection;
use crate::error::{Error, Result};
use crate::graph::Projection;
use crate::math::{Matrix, solve_semidefinite};
use crate::points::{Blocks, Chunk, for_each_chunk};

/// An affine piece: all positions `center + scores · axes`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flat {
    /// A position on it (D).
    pub center: Vec<f64>,
    /// Orthonormal rows (d×D).
    pub axes: Matrix,
    /// The variance of its points along each axis.
    pub variances: Vec<f64>,
    /// The weight of its points.
    pub mass: f64,
}

/// One or several affine pieces of the same dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Flats {
    flats: Vec<Flat>,
}

impl Flats {
    /// Pieces of the same shape; refused if there are none or their shapes differ.
    ///
    /// ```
    /// use midrib::{Points, math::Matrix, object::{Flat, Flats}};
    /// let axes = Matrix::from_rows(&[[1.0, 0.0]])?;
    /// let flat = Flat { center: vec![0.0, 1.0], axes, variances: vec![2.0], mass: 3.0 };
    /// let flats = Flats::new(vec![flat])?;
    /// let inner = flats.project(&Points::from_f64(vec![4.0, 3.0], 2)?)?;
    /// assert_eq!(inner.coordinates.row(0), [4.0]);
    /// assert_eq!(inner.distance, [2.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn new(flats: Vec<Flat>) -> Result<Self> {
        let Some(first) = flats.first() else {
            return Err(Error::data("there are no affine pieces"));
        };
        let (dims, inner) = (first.center.len(), first.axes.n_rows());
        for flat in &flats {
            let shape = (flat.center.len(), flat.axes.n_rows(), flat.axes.n_cols());
            if shape != (dims, inner, dims) || flat.variances.len() != inner {
                return Err(Error::data("the affine pieces have different shapes"));
            }
        }
        Ok(Self { flats })
    }

    /// The pieces.
    pub fn flats(&self) -> &[Flat] {
        &self.flats
    }

    /// The number of coordinates of a point.
    pub fn dims(&self) -> usize {
        self.flats[0].center.len()
    }

    /// The dimension of each piece.
    pub fn inner_dims(&self) -> usize {
        self.flats[0].axes.n_rows()
    }

    /// The scores of each point on its nearest piece, and its distance from it; of a point with
    /// missing values over the coordinates that it has.
    pub fn project(&self, points: &dyn Blocks) -> Result<InnerProjection> {
        let (projection, coordinates) = self.locate(points)?;
        Ok(InnerProjection { coordinates, distance: projection.distance })
    }

    /// The nearest piece of each point, as the node of a projection without edges, and its scores.
    pub(super) fn locate(&self, points: &dyn Blocks) -> Result<(Projection, Matrix)> {
        self.check(points)?;
        let n = points.len();
        let (mut node, mut distance) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut scores = Vec::with_capacity(n * self.inner_dims());
        for_each_chunk(points, |chunk| {
            for foot in self.feet(points, chunk)? {
                node.push(foot.flat);
                distance.push(foot.distance);
                scores.extend(foot.scores);
            }
            Ok(())
        })?;
        let projection = Projection { node, edge: vec![None; n], edge_pos: vec![0.0; n], distance };
        Ok((projection, Matrix::new(n, self.inner_dims(), scores)?))
    }

    /// The position in the data space that has these scores on a piece.
    pub fn restore(&self, flat: usize, scores: &[f64]) -> Vec<f64> {
        let Flat { center, axes, .. } = &self.flats[flat];
        let mut position = center.clone();
        for (score, axis) in scores.iter().zip(axes.rows()) {
            position.iter_mut().zip(axis).for_each(|(x, a)| *x += score * a);
        }
        position
    }

    /// The points, with the values that they miss taken from their projection onto the nearest piece.
    ///
    /// ```
    /// use midrib::{Points, math::Matrix, object::{Flat, Flats}};
    /// let axes = Matrix::from_rows(&[[0.6, 0.8]])?;
    /// let flat = Flat { center: vec![0.0, 1.0], axes, variances: vec![2.0], mass: 3.0 };
    /// let filled = Flats::new(vec![flat])?.impute(&Points::from_f64(vec![3.0, f64::NAN], 2)?)?;
    /// assert!((filled.row(0)[1] - 5.0).abs() < 1e-14);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn impute(&self, points: &dyn Blocks) -> Result<Matrix> {
        self.check(points)?;
        let mut filled = Matrix::zeros(points.len(), points.dims());
        for_each_chunk(points, |chunk| {
            for (i, foot) in chunk.rows().zip(self.feet(points, chunk)?) {
                let row = filled.row_mut(i);
                chunk.copy_row(i, row);
                let projection = self.restore(foot.flat, &foot.scores);
                for (x, restored) in row.iter_mut().zip(projection).filter(|(x, _)| x.is_nan()) {
                    *x = restored;
                }
            }
            Ok(())
        })?;
        Ok(filled)
    }

    fn check(&self, points: &dyn Blocks) -> Result<()> {
        let dims = self.dims();
        if points.dims() != dims {
            return Err(Error::shape("points", format!("{dims} columns"), points.dims()));
        }
        Ok(())
    }

    fn feet(&self, points: &dyn Blocks, chunk: &Chunk<'_>) -> Result<Vec<Foot>> {
        let foot = |i: usize| {
            let mut x = vec![0.0; chunk.dims()];
            chunk.copy_row(i, &mut x);
            points.refuse_empty_row(i, &x)?;
            let mut best = Foot { flat: 0, scores: Vec::new(), distance: f64::INFINITY };
            for (number, flat) in self.flats.iter().enumerate() {
                let (scores, distance) = flat.foot(&x);
                if distance < best.distance || number == 0 {
                    best = Foot { flat: number, scores, distance };
                }
            }
            Ok(best)
        };
        chunk.rows().into_par_iter().map(foot).collect()
    }
}

/// The nearest position on the pieces.
struct Foot {
    flat: usize,
    scores: Vec<f64>,
    distance: f64,
}

/// The scores of a centered row along orthonormal axes; of one with missing values those that
/// restore its known values best. Scores that these leave open are 0.
pub(crate) fn scores(centered: &[f64], axes: &Matrix) -> Vec<f64> {
    let along = |axis: &[f64], other: &[f64]| -> f64 {
        let known = axis.iter().zip(other).zip(centered).filter(|(_, x)| !x.is_nan());
        known.map(|((a, b), _)| a * b).sum()
    };
    let mut scores: Vec<f64> = axes.rows().map(|axis| along(axis, centered)).collect();
    if centered.iter().any(|x| x.is_nan()) {
        let mut products: Vec<f64> =
            axes.rows().flat_map(|a| axes.rows().map(move |b| along(a, b))).collect();
        solve_semidefinite(&mut products, &mut scores);
    }
    scores
}

impl Flat {
    fn foot(&self, x: &[f64]) -> (Vec<f64>, f64) {
        let mut rest: Vec<f64> = x.iter().zip(&self.center).map(|(x, c)| x - c).collect();
        let scores = scores(&rest, &self.axes);
        for (score, axis) in scores.iter().zip(self.axes.rows()) {
            rest.iter_mut().zip(axis).for_each(|(x, a)| *x -= score * a);
        }
        rest.retain(|x| !x.is_nan());
        let largest = rest.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        if largest == 0.0 {
            return (scores, 0.0);
        }
        let squares: f64 = rest.iter().map(|x| (x / largest) * (x / largest)).sum();
        (scores, largest * squares.sqrt())
    }
}
