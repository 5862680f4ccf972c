//! The coordinates of new rows, from those that were embedded.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::barycenter::{apart, barycenter};
use super::centered::Axes;
use super::geodesic::{Geodesic, similarity};
use super::kernel::similarities;
use super::neighbor_graph::NeighborGraph;
use super::stress::Anchors;
use crate::error::{Error, Result};
use crate::math::{Matrix, Nearest, RowProducts, TILE, dot, packed};
use crate::points::{Points, WorkingFrame};

/// Rows that are read at once.
const HELD: usize = 4096;
/// Nyström's formula divides by an eigenvalue: smaller ones count as this.
const LEAST_EIGENVALUE: f64 = 0.1;

/// How new rows get their coordinates from the rows that were embedded. A row equal to one of these
/// gets the same coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub(super) frame: WorkingFrame,
    /// The embedded rows in working coordinates.
    #[serde(with = "packed")]
    pub(super) reference: Matrix,
    pub(super) by: By,
}

/// What the coordinates come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum By {
    /// Nyström's formula for kernel PCA and classical scaling: `(k(x) − mean) · projection`.
    Kernel {
        /// None for the linear kernel.
        gamma: Option<f64>,
        mean: Vec<f64>,
        #[serde(with = "packed")]
        projection: Matrix,
    },
    /// The same with minus half the squared lengths of paths to the landmarks.
    Geodesic {
        n_neighbors: usize,
        graph: NeighborGraph,
        landmarks: Vec<usize>,
        mean: Vec<f64>,
        #[serde(with = "packed")]
        projection: Matrix,
        #[serde(with = "packed")]
        coordinates: Matrix,
    },
    /// Nyström's formula for a random walk: the mean after one step, over the eigenvalue.
    Walk {
        n_neighbors: usize,
        gamma: f64,
        density: Vec<f64>,
        eigenvalues: Vec<f64>,
        #[serde(with = "packed")]
        coordinates: Matrix,
    },
    /// The weighted mean of the neighbors' coordinates that reproduces the row from the neighbors.
    Barycenter {
        n_neighbors: usize,
        reg: f64,
        #[serde(with = "packed")]
        coordinates: Matrix,
    },
    /// The least stress to the reference rows, whose coordinates are in working units.
    Stress {
        #[serde(with = "packed")]
        coordinates: Matrix,
    },
}

impl By {
    /// The coordinates of the reference rows, or what yields them: its columns are the components.
    fn columns(&self) -> &Matrix {
        match self {
            Self::Kernel { projection, .. } => projection,
            Self::Geodesic { coordinates, .. }
            | Self::Walk { coordinates, .. }
            | Self::Barycenter { coordinates, .. }
            | Self::Stress { coordinates } => coordinates,
        }
    }
}

impl Rule {
    /// The number of columns of the rows.
    pub fn dims_in(&self) -> usize {
        self.reference.n_cols()
    }

    /// The number of coordinates.
    pub fn dims_out(&self) -> usize {
        self.by.columns().n_cols()
    }

    /// The coordinates of new rows.
    pub fn transform(&self, points: &Points<'_>) -> Result<Matrix> {
        points.require_complete("an embedding")?;
        if points.dims() != self.dims_in() {
            return Err(Error::shape("columns of the points", self.dims_in(), points.dims()));
        }
        let (n, d) = (points.len(), self.dims_out());
        let against = RowProducts::new(&self.reference);
        let mut coordinates = Matrix::zeros(n, d);
        for (block, out) in coordinates.as_mut_slice().chunks_mut(HELD * d).enumerate() {
            let mut rows = Matrix::zeros(out.len() / d, points.dims());
            for i in 0..rows.n_rows() {
                points.copy_row(block * HELD + i, rows.row_mut(i));
            }
            let rows = self.frame.to_working(rows);
            out.copy_from_slice(self.of_working(&against, &rows)?.as_slice());
            if let Some(at) = out.iter().position(|z| !z.is_finite()) {
                let row = block * HELD + at / d;
                return Err(Error::data(format!(
                    "row {} (id {}) is out of proportion to the embedded rows",
                    row + 1,
                    points.id(row)
                )));
            }
        }
        Ok(coordinates)
    }

    fn of_working(&self, against: &RowProducts, rows: &Matrix) -> Result<Matrix> {
        let (n_neighbors, coordinates) = match &self.by {
            By::Kernel { gamma, mean, projection } => {
                let axes = Axes { mean: mean.clone(), projection: projection.clone() };
                return Ok(axes.place(similarities(against, *gamma, rows)));
            }
            By::Stress { coordinates } => {
                let mut placed = least_stress(against, rows, coordinates);
                placed.as_mut_slice().iter_mut().for_each(|z| *z /= self.frame.scale);
                return Ok(placed);
            }
            By::Geodesic { n_neighbors, coordinates, .. }
            | By::Walk { n_neighbors, coordinates, .. }
            | By::Barycenter { n_neighbors, coordinates, .. } => (*n_neighbors, coordinates),
        };
        let d = coordinates.n_cols();
        let mut out = Matrix::zeros(rows.n_rows(), d);
        let tiles = out.as_mut_slice().par_chunks_mut(TILE * d).enumerate();
        tiles.try_for_each_init(Geodesic::default, |search, (tile, out)| {
            let first = tile * TILE;
            let near = nearest(against, rows, first..first + out.len() / d, n_neighbors);
            for ((at, out), near) in out.chunks_exact_mut(d).enumerate().zip(&near) {
                let (item, distance) = near[0];
                let found = match distance {
                    0.0 => coordinates.row(item).to_vec(),
                    _ => self.of_new(rows.row(first + at), near, search)?,
                };
                out.copy_from_slice(&found);
            }
            Ok::<(), Error>(())
        })?;
        Ok(out)
    }

    /// The coordinates of a row with these neighbors, none of which is equal to it.
    fn of_new(&self, x: &[f64], near: &[(usize, f64)], search: &mut Geodesic) -> Result<Vec<f64>> {
        let (weights, coordinates): (Vec<f64>, &Matrix) = match &self.by {
            By::Kernel { .. } | By::Stress { .. } => return Ok(Vec::new()),
            By::Geodesic { graph, landmarks, mean, projection, .. } => {
                search.search(graph, near.iter().copied());
                let mut z = vec![0.0; projection.n_cols()];
                for ((&at, mean), axes) in landmarks.iter().zip(mean).zip(projection.rows()) {
                    let relative = similarity(search.lengths[at]) - mean;
                    z.iter_mut().zip(axes).for_each(|(z, axis)| *z += relative * axis);
                }
                return Ok(z);
            }
            By::Walk { gamma, density, coordinates, .. } => {
                // Relative to the nearest, so that no sum is 0.
                let relative = |distance: f64| -gamma * (distance.powi(2) - near[0].1.powi(2));
                let weight =
                    |&(item, distance): &(usize, f64)| density[item] * relative(distance).exp();
                let weights: Vec<f64> = near.iter().map(weight).collect();
                let total: f64 = weights.iter().sum();
                (weights.iter().map(|weight| weight / total).collect(), coordinates)
            }
            By::Barycenter { reg, coordinates, .. } => {
                let relative: Vec<Vec<f64>> =
                    near.iter().map(|(item, _)| apart(self.reference.row(*item), x)).collect();
                let gram = |a: usize, b: usize| dot(&relative[a], &relative[b]);
                (barycenter(near.len(), *reg, gram)?, coordinates)
            }
        };
        let mut z = vec![0.0; coordinates.n_cols()];
        for (weight, (item, _)) in weights.iter().zip(near) {
            z.iter_mut().zip(coordinates.row(*item)).for_each(|(z, at)| *z += weight * at);
        }
        if let By::Walk { eigenvalues, .. } = &self.by {
            let divide = |(z, value): (&mut f64, &f64)| *z /= value.max(LEAST_EIGENVALUE);
            z.iter_mut().zip(eigenvalues).for_each(divide);
        }
        Ok(z)
    }

    /// Refuses a rule that was read from a damaged file.
    pub fn check(&self) -> Result<()> {
        let (n, d) = (self.reference.n_rows(), self.dims_out());
        let mut sizes = vec![("origin", self.frame.origin.len(), self.dims_in())];
        let mut values: Vec<&[f64]> =
            vec![self.reference.as_slice(), &self.frame.origin, self.by.columns().as_slice()];
        match &self.by {
            By::Kernel { mean, projection, .. } => {
                sizes.extend([("mean", mean.len(), n), ("projection", projection.n_rows(), n)]);
                values.push(mean);
            }
            By::Geodesic { graph, landmarks, mean, projection, coordinates, .. } => {
                let m = landmarks.len();
                sizes.extend([("mean", mean.len(), m), ("projection", projection.n_rows(), m)]);
                sizes.push(("projection columns", projection.n_cols(), d));
                sizes.extend([("graph", graph.len(), n), ("coordinates", coordinates.n_rows(), n)]);
                values.extend([&mean[..], projection.as_slice(), &graph.lengths]);
                graph.check(n)?;
                if landmarks.iter().any(|&at| at >= n) {
                    return Err(Error::data("a landmark is not one of the embedded rows"));
                }
            }
            By::Walk { density, eigenvalues, coordinates, .. } => {
                sizes
                    .extend([("density", density.len(), n), ("eigenvalues", eigenvalues.len(), d)]);
                sizes.push(("coordinates", coordinates.n_rows(), n));
                values.extend([&density[..], &eigenvalues[..]]);
            }
            By::Barycenter { coordinates, .. } | By::Stress { coordinates } => {
                sizes.push(("coordinates", coordinates.n_rows(), n));
            }
        }
        if n == 0 || d == 0 || !(self.frame.scale > 0.0 && self.frame.scale.is_finite()) {
            return Err(Error::data("the rule of the embedding is empty or without a scale"));
        }
        if let Some((name, found, expected)) = sizes.iter().find(|size| size.1 != size.2) {
            return Err(Error::shape(&format!("{name} of the embedding"), expected, found));
        }
        if values.iter().any(|values| values.iter().any(|x| !x.is_finite())) {
            return Err(Error::data("a value of the embedding's rule is not a finite number"));
        }
        Ok(())
    }
}

/// The coordinates, in working units, of rows with the least stress to the reference rows.
fn least_stress(against: &RowProducts, rows: &Matrix, coordinates: &Matrix) -> Matrix {
    let anchors = Anchors::new(coordinates);
    let d = coordinates.n_cols();
    let mut out = Matrix::zeros(rows.n_rows(), d);
    out.as_mut_slice().par_chunks_mut(TILE * d).enumerate().for_each(|(tile, out)| {
        let chosen = tile * TILE..tile * TILE + out.len() / d;
        let distances = distances(against, rows, chosen);
        let given = distances.chunks_exact(against.n_rows());
        for (out, distances) in out.chunks_exact_mut(d).zip(given) {
            out.copy_from_slice(&anchors.add(distances));
        }
    });
    out
}

/// The distances of some rows from all reference rows.
fn distances(against: &RowProducts, rows: &Matrix, chosen: Range<usize>) -> Vec<f64> {
    let (m, dims) = (against.n_rows(), rows.n_cols());
    let mut x = rows.as_slice()[chosen.start * dims..chosen.end * dims].to_vec();
    let mut distances = vec![0.0; chosen.len() * m];
    let x_squared = against.multiply(&mut x, &mut distances);
    let rows = x.chunks_exact(dims).zip(x_squared).zip(distances.chunks_exact_mut(m));
    for ((x, x_squared), products) in rows {
        for (j, product) in products.iter_mut().enumerate() {
            *product = against.squared_distance(x, x_squared, j, *product).sqrt();
        }
    }
    distances
}

/// The `k` nearest reference rows of some rows and their distances, nearest first.
fn nearest(
    against: &RowProducts,
    rows: &Matrix,
    chosen: Range<usize>,
    k: usize,
) -> Vec<Vec<(usize, f64)>> {
    let of_row = |distances: &[f64]| {
        let mut nearest = Nearest::new(k.min(distances.len()));
        (0_u32..).zip(distances).for_each(|(j, distance)| nearest.offer(*distance, j));
        nearest.kept.iter().map(|best| (best.item as usize, best.squared)).collect()
    };
    distances(against, rows, chosen).chunks_exact(against.n_rows()).map(of_row).collect()
}
