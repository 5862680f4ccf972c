//! Rows or distances in working units.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{LANDMARKS, WHOLE};
use crate::distances::Distances;
use crate::error::{Error, Result};
use crate::math::{Matrix, Nearest, squared_distance};
use crate::neighbors::neighbors;
use crate::points::{Cloud, WorkingFrame};

/// What is embedded, in working units.
#[derive(Clone)]
pub(crate) enum Source<'a> {
    /// Rows in working coordinates.
    Rows {
        /// The rows.
        rows: Matrix,
        /// From the caller's coordinates to working coordinates.
        frame: WorkingFrame,
    },
    /// Distances, which are divided by `unit`.
    Distances {
        /// The distances in the caller's units.
        distances: &'a Distances,
        /// A power of two.
        unit: f64,
    },
}

/// The nearest other rows of each row, nearest first.
pub(crate) struct Near {
    pub k: usize,
    pub items: Vec<u32>,
    pub distances: Vec<f64>,
}

impl Near {
    /// The nearest rows of row `i`.
    pub fn items(&self, i: usize) -> &[u32] {
        &self.items[i * self.k..(i + 1) * self.k]
    }

    /// Their distances.
    pub fn distances(&self, i: usize) -> &[f64] {
        &self.distances[i * self.k..(i + 1) * self.k]
    }
}

impl<'a> Source<'a> {
    /// These rows of a cloud, of which at least two differ.
    pub fn of_rows(cloud: &Cloud<'_>, rows: &[usize]) -> Result<Self> {
        cloud.require_spread()?;
        Ok(Self::Rows { rows: cloud.read_rows(rows)?, frame: cloud.frame().clone() })
    }

    /// Distances, of which at least one is not 0.
    pub fn of_distances(distances: &'a Distances) -> Result<Self> {
        let largest = distances.largest();
        match distances.len() {
            1 => Err(Error::data("there is a single point: give at least two that differ")),
            n if largest == 0.0 => {
                Err(Error::data(format!("all {n} points are equal: there is nothing to learn")))
            }
            _ => Ok(Self::Distances { distances, unit: 2.0_f64.powi(largest.log2() as i32) }),
        }
    }

    /// Some of the rows; none for distances.
    pub fn select(&self, chosen: &[usize]) -> Option<Self> {
        let (rows, frame) = self.rows()?;
        let rows = rows.select_rows(chosen.iter().copied());
        Some(Self::Rows { rows, frame: frame.clone() })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Rows { rows, .. } => rows.n_rows(),
            Self::Distances { distances, .. } => distances.len(),
        }
    }

    /// One working unit of length, in the caller's units.
    pub fn unit(&self) -> f64 {
        match self {
            Self::Rows { frame, .. } => 1.0 / frame.scale,
            Self::Distances { unit, .. } => *unit,
        }
    }

    /// The distance of two rows.
    pub fn distance(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Rows { rows, .. } => squared_distance(rows.row(a), rows.row(b)).sqrt(),
            Self::Distances { distances, unit } => distances.get(a, b) / unit,
        }
    }

    /// Refuses more components than the rows can have.
    pub fn check_components(&self, n_components: usize) -> Result<()> {
        let n = self.len();
        if n_components >= n {
            let remedy = format!("must be below the number of points; there are {n} points");
            return Err(Error::setting("n_components", n_components, remedy));
        }
        Ok(())
    }

    /// The `k` nearest other rows of each row; ties go to the smaller index.
    pub fn nearest(&self, k: usize) -> Result<Near> {
        let n = self.len();
        if k == 0 || k >= n {
            let remedy =
                format!("must be at least 1 and below the number of points; there are {n} points");
            return Err(Error::setting("n_neighbors", k, remedy));
        }
        let sorted = |i: usize, items: &mut dyn Iterator<Item = (u32, f64)>| {
            let mut nearest = Nearest::new(k);
            items.filter(|(j, _)| *j as usize != i).for_each(|(j, d)| nearest.offer(d, j));
            nearest.kept
        };
        let found: Vec<_> = match self {
            Self::Rows { rows, .. } => {
                let near = neighbors(rows, k);
                let squared =
                    |i: usize, j: u32| squared_distance(rows.row(i), rows.row(j as usize));
                let sort = |(i, near): (usize, &[u32])| {
                    sorted(i, &mut near.iter().map(|&j| (j, squared(i, j).sqrt())))
                };
                near.par_chunks_exact(k).enumerate().map(sort).collect()
            }
            Self::Distances { .. } => (0..n)
                .into_par_iter()
                .map(|i| sorted(i, &mut (0..n as u32).map(|j| (j, self.distance(i, j as usize)))))
                .collect(),
        };
        let all = || found.iter().flatten();
        let items = all().map(|best| best.item).collect();
        Ok(Near { k, items, distances: all().map(|best| best.squared).collect() })
    }

    /// Rows that stand for all: every row up to [`WHOLE`], else a random sample, in ascending order.
    pub fn landmarks(&self) -> Vec<usize> {
        let n = self.len();
        if n <= WHOLE {
            return (0..n).collect();
        }
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut chosen = index::sample(&mut rng, n, LANDMARKS).into_vec();
        chosen.sort_unstable();
        chosen
    }

    /// The rows and their frame, for a rule; none for distances.
    pub fn rows(&self) -> Option<(&Matrix, &WorkingFrame)> {
        match self {
            Self::Rows { rows, frame } => Some((rows, frame)),
            Self::Distances { .. } => None,
        }
    }
}
