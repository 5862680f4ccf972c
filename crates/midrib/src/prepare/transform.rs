//! Centring, scaling and principal components, fitted once and applied to new points alike.

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Accum, Mat, MatRef, Par, Side};
use serde::{Deserialize, Serialize};

use crate::cloud::per_block;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Points;

/// How columns are brought to a common scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Not at all.
    #[default]
    None,
    /// Divided by the standard deviation.
    Unit,
    /// From the smallest to the largest value, 0 to 1.
    Minmax,
    /// Relative to the median, in interquartile ranges.
    Robust,
}

/// How many principal components to keep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Components {
    /// This many.
    Count(usize),
    /// As many as hold this share of the variance.
    Share(f64),
}

/// What to do to the points before anything is learnt from them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Preparation {
    /// Subtract the mean of each column, also where the scale would subtract something else.
    pub center: bool,
    /// Bring the columns to a common scale.
    pub scale: Scale,
    /// Keep principal components only.
    pub pca: Option<Components>,
}

/// A fitted preparation: `x ↦ ((x − offset) · factor − mean) · basis`.
///
/// ```
/// use midrib::Points;
/// use midrib::prepare::{Preparation, Scale, Transform};
/// let points = Points::from_f64(vec![0.0, 5.0, 10.0, 5.0], 2)?;
/// let minmax = Preparation { scale: Scale::Minmax, ..Preparation::default() };
/// let transform = Transform::fit(minmax, &points)?;
/// let mut row = [0.0; 2];
/// transform.apply(&points)?.copy_row(1, &mut row);
/// assert_eq!(row, [1.0, 0.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Subtracted from each column first.
    pub offset: Vec<f64>,
    /// Multiplied with each column then.
    pub factor: Vec<f64>,
    /// Principal components, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pca: Option<Pca>,
}

/// Principal axes and what they hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pca {
    /// The mean of the scaled points.
    pub mean: Vec<f64>,
    /// One principal axis a row.
    pub axes: Matrix,
    /// The share of the variance along each axis.
    pub shares: Vec<f64>,
}

impl Preparation {
    /// Whether nothing is to be done.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Transform {
    /// Learns offsets, factors and axes from the points. Weights count, gaps do not.
    pub fn fit(preparation: Preparation, points: &Points<'_>) -> Result<Self> {
        let dims = points.dims();
        let moments = Moments::of(points);
        let (mut offset, mut factor) = (vec![0.0; dims], vec![1.0; dims]);
        let inverse = |spread: f64| if spread > 0.0 { 1.0 / spread } else { 1.0 };
        match preparation.scale {
            Scale::None => {}
            Scale::Unit => factor = moments.deviation.iter().map(|&d| inverse(d)).collect(),
            Scale::Minmax => {
                offset.clone_from(&moments.smallest);
                let range = moments.largest.iter().zip(&moments.smallest);
                factor = range.map(|(high, low)| inverse(high - low)).collect();
            }
            Scale::Robust => {
                for column in 0..dims {
                    let [low, median, high] = quartiles(points, column);
                    offset[column] = median;
                    factor[column] = inverse(high - low);
                }
            }
        }
        if preparation.center {
            offset.clone_from(&moments.mean);
        }
        let mut transform = Self { offset, factor, pca: None };
        if let Some(components) = preparation.pca {
            let scaled = transform.apply(points)?;
            transform.pca = Some(Pca::fit(components, &scaled)?);
        }
        Ok(transform)
    }

    /// The number of columns that it takes.
    pub fn dims_in(&self) -> usize {
        self.offset.len()
    }

    /// The prepared points, with the weights and ids of the others.
    pub fn apply(&self, points: &Points<'_>) -> Result<Points<'static>> {
        if points.dims() != self.dims_in() {
            return Err(Error::shape(
                "prepared points",
                format!("{} columns", self.dims_in()),
                points.dims(),
            ));
        }
        if self.pca.is_some() {
            points.require_complete("a principal component analysis")?;
        }
        let values = per_block(points, |rows| self.block(points, rows)).concat();
        let dims = self.pca.as_ref().map_or(points.dims(), |pca| pca.axes.n_rows());
        let mut prepared = Points::from_f64(values, dims)?;
        if let Some(weights) = points.weights() {
            prepared = prepared.with_weights(weights.to_vec())?;
        }
        match points.ids() {
            Some(ids) => prepared.with_ids(ids.to_vec()),
            None => Ok(prepared),
        }
    }

    fn block(&self, points: &Points<'_>, rows: std::ops::Range<usize>) -> Vec<f64> {
        let dims = points.dims();
        let n = rows.len();
        let mut values = vec![0.0; n * dims];
        for (i, row) in rows.zip(values.chunks_exact_mut(dims)) {
            points.copy_row(i, row);
            for ((x, offset), factor) in row.iter_mut().zip(&self.offset).zip(&self.factor) {
                *x = (*x - offset) * factor;
            }
        }
        let Some(pca) = &self.pca else {
            return values;
        };
        for row in values.chunks_exact_mut(dims) {
            for (x, mean) in row.iter_mut().zip(&pca.mean) {
                *x -= mean;
            }
        }
        let mut scores = vec![0.0; n * pca.axes.n_rows()];
        matmul(
            faer::MatMut::from_row_major_slice_mut(&mut scores, n, pca.axes.n_rows()),
            Accum::Replace,
            MatRef::from_row_major_slice(&values, n, dims),
            pca.axes.as_faer().transpose(),
            1.0,
            Par::Seq,
        );
        scores
    }
}

impl Pca {
    fn fit(components: Components, points: &Points<'_>) -> Result<Self> {
        points.require_complete("a principal component analysis")?;
        let (n, dims) = (points.len(), points.dims());
        let most = dims.min(n.saturating_sub(1)).max(1);
        match components {
            Components::Count(count) if count == 0 || count > most => {
                return Err(Error::setting(
                    "pca",
                    count,
                    format!("{n} points in {dims} columns have 1 to {most} components"),
                ));
            }
            Components::Share(share) if !(share > 0.0 && share < 1.0) => {
                return Err(Error::setting(
                    "pca",
                    share,
                    "must be a whole number of components, or a share of the variance below 1",
                ));
            }
            _ => {}
        }
        let mean = Moments::of(points).mean;
        // Blocks are shared out here; inside faer the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let covariance = covariance(points, &mean);
        let eigen = SelfAdjointEigen::new(covariance.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the principal components did not converge".into()))?;
        // Ascending, so the last come first.
        let variances: Vec<f64> = (0..dims).rev().map(|i| eigen.S()[i].max(0.0)).collect();
        let total: f64 = variances.iter().sum();
        let shares: Vec<f64> = variances.iter().map(|v| v / total).collect();
        let count = match components {
            Components::Count(count) => count,
            Components::Share(share) => {
                let mut held = 0.0;
                1 + shares
                    .iter()
                    .take(most - 1)
                    .take_while(|s| {
                        held += **s;
                        held < share
                    })
                    .count()
            }
        };
        let mut axes = Matrix::zeros(count, dims);
        for axis in 0..count {
            let row = axes.row_mut(axis);
            for (d, x) in row.iter_mut().enumerate() {
                *x = eigen.U()[(d, dims - 1 - axis)];
            }
            point_forward(row);
        }
        Ok(Self { mean, axes, shares: shares[..count].to_vec() })
    }
}

/// The sign of an axis is free: its largest entry is made positive.
fn point_forward(axis: &mut [f64]) {
    let largest = axis.iter().fold(0.0_f64, |max, &x| if x.abs() > max.abs() { x } else { max });
    if largest < 0.0 {
        for x in axis {
            *x = -*x;
        }
    }
}

fn covariance(points: &Points<'_>, mean: &[f64]) -> Mat<f64> {
    let dims = points.dims();
    let parts = per_block(points, |rows| {
        let mut centred = vec![0.0; rows.len() * dims];
        let n = rows.len();
        for (i, row) in rows.zip(centred.chunks_exact_mut(dims)) {
            points.copy_row(i, row);
            let root = points.weight(i).sqrt();
            for (x, mean) in row.iter_mut().zip(mean) {
                *x = (*x - mean) * root;
            }
        }
        let rows = MatRef::from_row_major_slice(&centred, n, dims);
        rows.transpose() * rows
    });
    let weight = points.total_weight();
    parts.into_iter().fold(Mat::zeros(dims, dims), |sum, part| sum + part) / weight
}

/// Per column, over the values that are known.
struct Moments {
    mean: Vec<f64>,
    deviation: Vec<f64>,
    smallest: Vec<f64>,
    largest: Vec<f64>,
}

impl Moments {
    fn of(points: &Points<'_>) -> Self {
        let dims = points.dims();
        let mut moments = Self {
            mean: vec![0.0; dims],
            deviation: vec![0.0; dims],
            smallest: vec![f64::INFINITY; dims],
            largest: vec![f64::NEG_INFINITY; dims],
        };
        let mut weights = vec![0.0; dims];
        let mut row = vec![0.0; dims];
        for i in 0..points.len() {
            points.copy_row(i, &mut row);
            let weight = points.weight(i);
            for (d, &x) in row.iter().enumerate().filter(|(_, x)| x.is_finite()) {
                if weight > 0.0 {
                    moments.smallest[d] = moments.smallest[d].min(x);
                    moments.largest[d] = moments.largest[d].max(x);
                    // Welford's update: exact for shifted data.
                    weights[d] += weight;
                    let step = x - moments.mean[d];
                    moments.mean[d] += step * weight / weights[d];
                    moments.deviation[d] += weight * step * (x - moments.mean[d]);
                }
            }
        }
        for (deviation, weight) in moments.deviation.iter_mut().zip(&weights) {
            *deviation = if *weight > 0.0 { (*deviation / weight).sqrt() } else { 0.0 };
        }
        moments
    }
}

/// The standard deviation of each column.
pub fn deviations(points: &Points<'_>) -> Vec<f64> {
    Moments::of(points).deviation
}

/// Lower quartile, median and upper quartile of a column's known values, by weight.
fn quartiles(points: &Points<'_>, column: usize) -> [f64; 3] {
    let mut row = vec![0.0; points.dims()];
    let mut values: Vec<(f64, f64)> = (0..points.len())
        .map(|i| {
            points.copy_row(i, &mut row);
            (row[column], points.weight(i))
        })
        .filter(|(x, weight)| x.is_finite() && *weight > 0.0)
        .collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = values.iter().map(|(_, weight)| weight).sum();
    [0.25, 0.5, 0.75].map(|share| {
        let mut passed = 0.0;
        let reached = values.iter().find(|(_, weight)| {
            passed += weight;
            passed >= share * total
        });
        reached.or(values.last()).map_or(0.0, |(x, _)| *x)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize, dims: usize) -> Points<'static> {
        let values = (0..n * dims)
            .map(|i| (i % dims + 1) as f64 * (1.3 * i as f64 + (i * i % 17) as f64).sin() + 7.0)
            .collect::<Vec<_>>();
        Points::from_f64(values, dims).unwrap()
    }

    fn fit(center: bool, scale: Scale, pca: Option<Components>) -> (Transform, Points<'static>) {
        let points = wave(400, 5);
        let transform = Transform::fit(Preparation { center, scale, pca }, &points).unwrap();
        let prepared = transform.apply(&points).unwrap();
        (transform, prepared)
    }

    #[test]
    fn unit_scale_gives_unit_deviations_and_centring_zero_means() {
        let (_, prepared) = fit(true, Scale::Unit, None);
        let moments = Moments::of(&prepared);
        assert!(moments.deviation.iter().all(|d| (d - 1.0).abs() < 1e-12));
        assert!(moments.mean.iter().all(|m| m.abs() < 1e-12));
    }

    #[test]
    fn constant_columns_survive_every_scale() {
        let points = Points::from_f64(vec![3.0, 1.0, 3.0, 2.0, 3.0, 5.0], 2).unwrap();
        for scale in [Scale::Unit, Scale::Minmax, Scale::Robust] {
            let preparation = Preparation { scale, ..Preparation::default() };
            let prepared = Transform::fit(preparation, &points).unwrap().apply(&points).unwrap();
            let mut row = [0.0; 2];
            prepared.copy_row(0, &mut row);
            assert!(row.iter().all(|x| x.is_finite()), "{scale:?}");
        }
    }

    #[test]
    fn components_are_orthonormal_and_ordered_and_hold_their_share() {
        let (transform, prepared) = fit(false, Scale::None, Some(Components::Count(5)));
        let pca = transform.pca.unwrap();
        for i in 0..5 {
            for j in 0..5 {
                let dot: f64 =
                    pca.axes.row(i).iter().zip(pca.axes.row(j)).map(|(a, b)| a * b).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
        assert!(pca.shares.windows(2).all(|pair| pair[0] >= pair[1]));
        let deviations = deviations(&prepared);
        let total: f64 = deviations.iter().map(|d| d * d).sum();
        assert!((deviations[0] * deviations[0] / total - pca.shares[0]).abs() < 1e-12);

        let (few, _) = fit(false, Scale::None, Some(Components::Share(0.5)));
        let held: f64 = few.pca.unwrap().shares.iter().sum();
        assert!((0.5..1.0).contains(&held));
    }

    #[test]
    fn any_number_of_threads_gives_the_same_components() {
        let points = wave(500, 400);
        let pca = Preparation { pca: Some(Components::Count(3)), ..Preparation::default() };
        let fits = [1, 2, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Transform::fit(pca, &points).unwrap())
        });
        assert!(fits.iter().all(|fit| *fit == fits[0]));
    }

    #[test]
    fn impossible_components_are_refused() {
        let points = wave(10, 3);
        for pca in [Components::Count(0), Components::Count(4), Components::Share(1.5)] {
            let preparation = Preparation { pca: Some(pca), ..Preparation::default() };
            assert!(Transform::fit(preparation, &points).is_err());
        }
    }
}
