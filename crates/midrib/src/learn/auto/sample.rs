//! The points from which a structure is read: a sample, in the components that hold structure.

use crate::error::Result;
use crate::math::{Matrix, Sets, dot};
use crate::neighbors::neighbors;
use crate::points::{Blocks, Cloud, Points};
use crate::prepare::{Components, Pca, sample};

/// The most points of the sample.
const POINTS: usize = 3_000;
/// Components beyond these are noise.
const MOST_COMPONENTS: usize = 60;
/// The fewest components, and those beyond the last one that stands out of the noise.
const FEWEST_COMPONENTS: usize = 3;
const SPARE_COMPONENTS: usize = 2;
/// A component stands out where its variance exceeds that of noise alone (Marchenko1967) by this.
const ABOVE_NOISE: f64 = 1.15;
/// Neighbors in addition to the logarithm of the number of points, for groups.
const NEIGHBORS: usize = 10;
/// Groups with a smaller share of the points do not count.
const SMALLEST_GROUP: f64 = 0.03;
/// The fewest points of a group.
const FEWEST_POINTS: usize = 8;

/// Distinct points with weights whose mean is 1.
pub(super) struct Sample {
    /// In working coordinates, or their components.
    pub x: Matrix,
    pub weights: Vec<f64>,
}

impl Sample {
    /// A sample of the points, whichever order they have, and the components in which they are.
    pub fn new(cloud: &Cloud<'_>) -> Result<(Self, Axes)> {
        let points = sample(cloud, POINTS)?;
        let rows: Vec<usize> = (0..points.len()).collect();
        let axes = Axes::new(&points)?;
        let x = axes.scores(cloud.to_working((&points as &dyn Blocks).read_rows(&rows)?));
        let mean = points.total_weight() / points.len() as f64;
        let weights = rows.iter().map(|&i| points.weight(i) / mean).collect();
        Ok((Self { x, weights }, axes))
    }

    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// The sum of the weights.
    pub fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The same as points of their own.
    pub fn points(&self) -> Result<Points<'_>> {
        Points::from_f64(self.x.as_slice(), self.x.n_cols())?.with_weights(&self.weights[..])
    }

    /// Groups of points that are connected by mutual nearest neighbors, the largest part of the
    /// points; isolated ones are left out.
    pub fn groups(&self) -> Vec<Self> {
        let n = self.len();
        let k = ((n as f64).log2().ceil() as usize + NEIGHBORS).min(n - 1);
        let near = neighbors(&self.x, k);
        let of = |i: usize| &near[i * k..(i + 1) * k];
        let mut sets = Sets::new(n);
        for i in 0..n {
            for &j in of(i) {
                if of(j as usize).contains(&(i as u32)) {
                    sets.join(i, j as usize);
                }
            }
        }
        let mut members = vec![Vec::new(); n];
        for i in 0..n {
            members[sets.find(i)].push(i);
        }
        let fewest = ((SMALLEST_GROUP * n as f64) as usize).max(FEWEST_POINTS);
        members.retain(|group| group.len() >= fewest);
        let part = |rows: &Vec<usize>| Self {
            x: self.x.select_rows(rows.iter().copied()),
            weights: rows.iter().map(|&i| self.weights[i]).collect(),
        };
        members.iter().map(part).collect()
    }
}

/// The components that stand out of the noise; none where all columns stay as they are.
pub(super) struct Axes(Option<Matrix>);

impl Axes {
    fn new(points: &Points<'_>) -> Result<Self> {
        let (n, dims) = (points.len(), points.dims());
        if dims.min(n) <= FEWEST_COMPONENTS + 1 {
            return Ok(Self(None));
        }
        let full = dims.min(n - 1);
        let pca = Pca::fit(Components::Count(full.min(MOST_COMPONENTS)), points)?;
        let kept = components(&pca.shares, full, (dims as f64 / n as f64).sqrt());
        Ok(Self((kept < dims).then(|| pca.axes.select_rows(0..kept))))
    }

    /// Rows in working coordinates as scores.
    pub fn scores(&self, rows: Matrix) -> Matrix {
        let Some(axes) = &self.0 else { return rows };
        let mut scores = Matrix::zeros(rows.n_rows(), axes.n_rows());
        for (i, row) in rows.rows().enumerate() {
            for (score, axis) in scores.row_mut(i).iter_mut().zip(axes.rows()) {
                *score = dot(row, axis);
            }
        }
        scores
    }
}

/// How many components stand out of the noise that the others show.
fn components(shares: &[f64], dims: usize, aspect: f64) -> usize {
    let edge = ABOVE_NOISE * (1.0 + aspect).powi(2);
    let mut rest = (1.0 - shares.iter().sum::<f64>()).max(0.0);
    let mut kept = shares.len();
    while kept > FEWEST_COMPONENTS {
        let beyond = (dims - kept) as f64;
        let bulk = (rest + shares[kept - 1]) / (beyond + 1.0);
        if beyond >= 2.0 && shares[kept - 1] > edge * bulk {
            break;
        }
        rest += shares[kept - 1];
        kept -= 1;
    }
    (kept + SPARE_COMPONENTS).min(shares.len())
}
