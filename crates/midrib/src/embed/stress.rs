//! Stress, the sum of squared differences between distances given and distances embedded, and the step
//! that lowers it (deLeeuw1977): the Guttman transform.

use rayon::prelude::*;

use crate::math::simd::{Work, dispatch, sum};
use crate::math::{Matrix, Nearest, squared_distance};

/// Numbers that are worked on together.
const LANES: usize = 8;
/// Rows that one task works off.
const ROWS: usize = 64;
/// A single point has settled when it moves by less than this share of the mean distance.
const SETTLED: f64 = 1e-9;
/// At most this many steps of a single point.
const STEPS: usize = 1000;

/// The stress of coordinates, once for each ordered pair, and what the Guttman transform makes of
/// them.
pub(super) fn guttman(distances: &Matrix, coordinates: &Matrix) -> (f64, Matrix) {
    let (n, d) = (coordinates.n_rows(), coordinates.n_cols());
    let columns = Columns::new(coordinates);
    let mut next = Matrix::zeros(n, d);
    let tasks = next.as_mut_slice().par_chunks_mut(ROWS * d).enumerate();
    let stress: Vec<f64> = tasks
        .map(|(task, next)| {
            let rows = next.chunks_exact_mut(d).enumerate().map(|(at, next)| {
                let i = task * ROWS + at;
                let x = coordinates.row(i);
                dispatch(Step { columns: &columns, distances: distances.row(i), x, next })
            });
            rows.sum::<f64>()
        })
        .collect();
    (stress.into_iter().sum(), next)
}

/// Rows that stay where they are while others are added.
pub(super) struct Anchors<'a> {
    coordinates: &'a Matrix,
    columns: Columns,
}

impl<'a> Anchors<'a> {
    pub fn new(coordinates: &'a Matrix) -> Self {
        Self { coordinates, columns: Columns::new(coordinates) }
    }

    /// The coordinates with the least stress of one more row with these distances from the anchors,
    /// starting from its nearest anchors; those of an anchor at distance 0.
    pub fn add(&self, distances: &[f64]) -> Vec<f64> {
        let d = self.coordinates.n_cols();
        let mut nearest = Nearest::new(d + 1);
        (0_u32..).zip(distances).for_each(|(j, distance)| nearest.offer(*distance, j));
        let (kept, n) = (nearest.kept, distances.len() as f64);
        if kept[0].squared == 0.0 {
            return self.coordinates.row(kept[0].item as usize).to_vec();
        }
        let mut x = vec![0.0; d];
        for near in &kept {
            let z = self.coordinates.row(near.item as usize);
            x.iter_mut().zip(z).for_each(|(x, z)| *x += z / kept.len() as f64);
        }
        let settled = SETTLED * distances.iter().sum::<f64>() / n;
        let mut next = x.clone();
        for _ in 0..STEPS {
            dispatch(Step { columns: &self.columns, distances, x: &x, next: &mut next });
            next.iter_mut().zip(&self.columns.mean).for_each(|(x, mean)| *x += mean);
            let moved = squared_distance(&x, &next);
            std::mem::swap(&mut x, &mut next);
            if moved <= settled * settled {
                break;
            }
        }
        x
    }
}

/// Coordinates column after column.
struct Columns {
    columns: Vec<Vec<f64>>,
    mean: Vec<f64>,
}

impl Columns {
    fn new(coordinates: &Matrix) -> Self {
        let column = |j: usize| coordinates.rows().map(|row| row[j]).collect();
        let columns: Vec<Vec<f64>> = (0..coordinates.n_cols()).map(column).collect();
        let n = coordinates.n_rows() as f64;
        Self { mean: columns.iter().map(|x| x.iter().sum::<f64>() / n).collect(), columns }
    }
}

/// Writes `Σⱼ (δⱼ / ‖x − xⱼ‖) (x − xⱼ) / n` to `next`; returns the stress of `x`.
struct Step<'a> {
    columns: &'a Columns,
    distances: &'a [f64],
    x: &'a [f64],
    next: &'a mut [f64],
}

impl Work for Step<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> f64 {
        let Self { columns: Columns { columns, .. }, distances, x, next } = self;
        let n = distances.len();
        let mut stress = [0.0; LANES];
        let mut pulls = vec![[0.0; LANES]; x.len()];
        for start in (0..n).step_by(LANES) {
            let width = LANES.min(n - start);
            let mut squared = [0.0; LANES];
            for (x, column) in x.iter().zip(columns) {
                for (squared, y) in squared.iter_mut().zip(&column[start..start + width]) {
                    *squared += (x - y) * (x - y);
                }
            }
            let mut ratio = [0.0; LANES];
            for lane in 0..width {
                let (given, embedded) = (distances[start + lane], squared[lane].sqrt());
                stress[lane] += (given - embedded) * (given - embedded);
                ratio[lane] = if embedded > 0.0 { given / embedded } else { 0.0 };
            }
            for ((x, column), pull) in x.iter().zip(columns).zip(&mut pulls) {
                let others = &column[start..start + width];
                for ((pull, ratio), y) in pull.iter_mut().zip(&ratio).zip(others) {
                    *pull += ratio * (x - y);
                }
            }
        }
        for (next, pull) in next.iter_mut().zip(&pulls) {
            *next = sum(pull) / n as f64;
        }
        sum(&stress)
    }
}
