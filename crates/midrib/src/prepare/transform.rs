//! Centering, scaling, kernel, principal components and an embedding, fitted once and applied to any points.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::kernel::{Kernel, KernelMap};
use super::moments::Moments;
use super::pca::{Components, Pca};
use super::scale::{Scale, Scaling};
use crate::embed::{EmbedStep, Rule};
use crate::error::{Error, Result};
use crate::math::{Matrix, TILE};
use crate::points::{CHUNK_ROWS, Chunk, Points, update_chunks};

/// How to prepare the points before a fit, in the order of the fields.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Preparation {
    /// Subtract the mean of each column, also where the scale would subtract something else.
    pub center: bool,
    /// Bring the columns to a common scale.
    pub scale: Scale,
    /// Replace the points by rows of a kernel matrix.
    pub kernel: Option<Kernel>,
    /// Keep principal components only.
    pub pca: Option<Components>,
    /// Replace the points by their coordinates in few dimensions.
    pub embed: Option<EmbedStep>,
}

/// A fitted preparation: `x ↦ (k((x − offset) · factor) − mean) · basis`, where `k` is the row of
/// similarities to the reference points of a kernel, or nothing; then the coordinates in an
/// embedding, where one was asked for.
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
    /// The columns that a robust scale had to divide by their standard deviation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_deviation: Vec<usize>,
    /// The kernel, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<KernelMap>,
    /// Principal components, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pca: Option<Pca>,
    /// The embedding, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embed: Option<EmbedMap>,
}

/// A fitted embedding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EmbedMap {
    /// The method's name.
    pub name: String,
    /// The coordinates of any points.
    pub rule: Rule,
    /// Sentences for the reader of the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Preparation {
    /// Whether nothing is to be done.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Transform {
    /// Learns offsets, factors and axes from the points. Weights count, missing values do not.
    pub fn fit(preparation: Preparation, points: &Points<'_>) -> Result<Self> {
        let moments = Moments::of(points)?;
        let Scaling { mut offset, factor, by_deviation } =
            Scaling::fit(preparation.scale, points, &moments);
        if preparation.center {
            offset.clone_from(&moments.mean);
        }
        let mut transform =
            Self { offset, factor, by_deviation, kernel: None, pca: None, embed: None };
        if let Some(kernel) = preparation.kernel {
            let scaled = transform.apply(points)?;
            transform.kernel = Some(KernelMap::fit(kernel, &scaled)?);
        }
        if let Some(components) = preparation.pca {
            let whole = transform.apply(points)?;
            transform.pca = Some(Pca::fit(components, &whole)?);
        }
        if let Some(step) = preparation.embed {
            let (rule, notes) = step.fit(&transform.apply(points)?)?;
            let name = step.name.as_str().to_owned();
            transform.embed = Some(EmbedMap { name, rule, notes });
        }
        Ok(transform)
    }

    /// The number of columns that it takes.
    pub fn dims_in(&self) -> usize {
        self.offset.len()
    }

    /// The number of columns that it gives.
    pub fn dims_out(&self) -> usize {
        self.embed.as_ref().map_or(self.dims_components(), |embed| embed.rule.dims_out())
    }

    /// Whether prepared positions can be converted back, see [`Transform::invert`]: not from the
    /// similarities of a kernel, nor from an embedding.
    pub fn has_inverse(&self) -> bool {
        self.kernel.is_none() && self.embed.is_none()
    }

    /// The number of columns before the embedding.
    fn dims_components(&self) -> usize {
        self.pca.as_ref().map_or(self.dims_whole(), |pca| pca.axes.n_rows())
    }

    /// The number of columns before components are taken.
    fn dims_whole(&self) -> usize {
        self.kernel.as_ref().map_or(self.dims_in(), KernelMap::n_columns)
    }

    /// Refuses a transform that was read from a damaged file: parts whose shapes do not match, or
    /// numbers that are not finite.
    pub fn check(&self) -> Result<()> {
        let dims = self.dims_in();
        if let Some(kernel) = &self.kernel {
            kernel.check(dims)?;
        }
        let whole = self.dims_whole();
        let mut parts = vec![("offset", &self.offset[..], dims), ("factor", &self.factor, dims)];
        if let Some(pca) = &self.pca {
            parts.push(("pca.mean", &pca.mean, whole));
            if pca.axes.n_rows() == 0 || pca.axes.n_cols() != whole {
                return Err(Error::shape(
                    "pca.axes",
                    format!("rows of {whole} values"),
                    format!("{} of {}", pca.axes.n_rows(), pca.axes.n_cols()),
                ));
            }
        }
        for (name, values, dims) in parts {
            if values.is_empty() || values.len() != dims {
                return Err(Error::shape(name, format!("{} values", dims.max(1)), values.len()));
            }
            require_finite(name, values)?;
        }
        if let Some(column) = self.factor.iter().position(|factor| *factor == 0.0) {
            return Err(Error::data(format!("factor[{column}] is 0, which is not a valid scale")));
        }
        if let Some(column) = self.by_deviation.iter().find(|column| **column >= dims) {
            return Err(Error::data(format!("by_deviation: there is no column {column}")));
        }
        if let Some(EmbedMap { rule, .. }) = &self.embed {
            rule.check()?;
            if rule.dims_in() != self.dims_components() {
                return Err(Error::shape("embed", self.dims_components(), rule.dims_in()));
            }
        }
        let Some(pca) = &self.pca else {
            return Ok(());
        };
        if pca.shares.len() != pca.axes.n_rows() {
            return Err(Error::shape("pca.shares", pca.axes.n_rows(), pca.shares.len()));
        }
        require_finite("pca.shares", &pca.shares)?;
        require_finite("pca.axes", pca.axes.as_slice())
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
        let mut prepared = match &self.kernel {
            Some(kernel) => self.apply_kernel(kernel, points)?,
            None => {
                let columns = self.dims_components();
                let mut values = vec![0.0; points.len() * columns];
                let mut of_chunks: Vec<&mut [f64]> =
                    values.chunks_mut(CHUNK_ROWS * columns).collect();
                let prepare = |chunk: &Chunk<'_>, values: &mut &mut [f64]| {
                    let of_blocks = values.par_chunks_mut(chunk.block_size() * columns);
                    let blocks = chunk.blocks().into_par_iter();
                    of_blocks.zip(blocks).for_each(|(values, rows)| {
                        values.copy_from_slice(&self.prepared(points, rows));
                    });
                };
                update_chunks(points, &mut of_chunks, prepare, |()| ())?;
                Points::from_f64(values, columns)?
            }
        };
        if let Some(EmbedMap { rule, .. }) = &self.embed {
            prepared = Points::from_f64(rule.transform(&prepared)?.into_vec(), rule.dims_out())?;
        }
        if let Some(weights) = points.weights() {
            prepared = prepared.with_weights(weights.to_vec())?;
        }
        match points.ids() {
            Some(ids) => prepared.with_ids(ids.to_vec()),
            None => Ok(prepared),
        }
    }

    /// The kernel matrix in single precision, or its components, for which it is never stored as a
    /// whole.
    fn apply_kernel(&self, kernel: &KernelMap, points: &Points<'_>) -> Result<Points<'static>> {
        points.require_complete("a kernel")?;
        let (n, rows) = (points.len(), kernel.rows());
        let Some(pca) = &self.pca else {
            let matrix = rows.matrix(n, |tile| self.scaled(points, tile))?;
            return Points::from_f32(matrix, kernel.n_columns());
        };
        let mut scores = vec![0.0; n * self.dims_components()];
        let tiles = scores.par_chunks_mut(TILE * self.dims_components()).enumerate();
        tiles.try_for_each(|(tile, scores)| {
            let tile = tile * TILE..(tile * TILE + TILE).min(n);
            let mut similar = vec![0.0; tile.len() * kernel.n_columns()];
            rows.fill(self.scaled(points, tile), &mut similar)?;
            let similar = similar.into_iter().map(f64::from).collect();
            scores.copy_from_slice(&pca.scores(similar));
            Ok::<(), Error>(())
        })?;
        Points::from_f64(scores, self.dims_components())
    }

    /// Converts prepared positions to the columns and units of the points that it takes. Components
    /// that were dropped count as 0, so positions off the kept axes cannot be restored. A kernel
    /// cannot be inverted at all.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::math::Matrix;
    /// use midrib::prepare::{Preparation, Scale, Transform};
    /// let points = Points::from_f64(vec![0.0, 5.0, 10.0, 5.0], 2)?;
    /// let minmax = Preparation { scale: Scale::Minmax, ..Preparation::default() };
    /// let transform = Transform::fit(minmax, &points)?;
    /// let positions = transform.invert(&Matrix::from_rows(&[[0.5, 0.0]])?)?;
    /// assert_eq!(positions.row(0), [5.0, 5.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn invert(&self, positions: &Matrix) -> Result<Matrix> {
        if positions.n_cols() != self.dims_out() {
            return Err(Error::shape(
                "prepared positions",
                format!("{} columns", self.dims_out()),
                positions.n_cols(),
            ));
        }
        if self.embed.is_some() {
            return Err(Error::data(
                "an embedding cannot be inverted: coordinates do not determine a position",
            ));
        }
        if self.kernel.is_some() {
            return Err(Error::data(
                "a kernel cannot be inverted: similarities do not determine a position",
            ));
        }
        let mut restored = match &self.pca {
            Some(pca) => pca.restore(positions),
            None => positions.clone(),
        };
        for i in 0..restored.n_rows() {
            let row = restored.row_mut(i);
            for ((x, offset), factor) in row.iter_mut().zip(&self.offset).zip(&self.factor) {
                *x = *x / factor + offset;
            }
        }
        Ok(restored)
    }

    fn prepared(&self, points: &Points<'_>, rows: Range<usize>) -> Vec<f64> {
        let values = self.scaled(points, rows);
        match &self.pca {
            Some(pca) => pca.scores(values),
            None => values,
        }
    }

    fn scaled(&self, points: &Points<'_>, rows: Range<usize>) -> Vec<f64> {
        let dims = points.dims();
        let mut values = vec![0.0; rows.len() * dims];
        for (i, row) in rows.zip(values.chunks_exact_mut(dims)) {
            points.copy_row(i, row);
            for ((x, offset), factor) in row.iter_mut().zip(&self.offset).zip(&self.factor) {
                *x = (*x - offset) * factor;
            }
        }
        values
    }
}

fn require_finite(name: &str, values: &[f64]) -> Result<()> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Error::data(format!("{name}[{i}] is {}, not a finite number", values[i]))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prepare::deviations;

    fn wave(n: usize, dims: usize) -> Points<'static> {
        let values = (0..n * dims)
            .map(|i| (i % dims + 1) as f64 * (1.3 * i as f64 + (i * i % 17) as f64).sin() + 7.0)
            .collect::<Vec<_>>();
        Points::from_f64(values, dims).unwrap()
    }

    fn fit(center: bool, scale: Scale, pca: Option<Components>) -> (Transform, Points<'static>) {
        let points = wave(400, 5);
        let transform =
            Transform::fit(Preparation { center, scale, kernel: None, pca, embed: None }, &points)
                .unwrap();
        let prepared = transform.apply(&points).unwrap();
        (transform, prepared)
    }

    #[test]
    fn unit_scale_gives_unit_deviations_and_centering_zero_means() {
        let (_, prepared) = fit(true, Scale::Unit, None);
        let moments = Moments::of(&prepared).unwrap();
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
        let deviations = deviations(&prepared).unwrap();
        let total: f64 = deviations.iter().map(|d| d * d).sum();
        assert!((deviations[0] * deviations[0] / total - pca.shares[0]).abs() < 1e-12);

        let (few, _) = fit(false, Scale::None, Some(Components::Share(0.5)));
        let held: f64 = few.pca.unwrap().shares.iter().sum();
        assert!((0.5..1.0).contains(&held));
    }

    #[test]
    fn any_number_of_threads_gives_the_same_components() {
        // More blocks than lanes of the covariance, and many columns.
        for (n, dims) in [(9000, 6), (500, 400)] {
            let points = wave(n, dims);
            let pca = Preparation { pca: Some(Components::Count(3)), ..Preparation::default() };
            let fits = [1, 2, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| Transform::fit(pca, &points).unwrap())
            });
            assert!(fits.iter().all(|fit| *fit == fits[0]));
        }
    }

    #[test]
    fn prepared_points_come_back() {
        let points = wave(400, 5);
        for (center, scale, pca) in [
            (true, Scale::None, None),
            (false, Scale::Robust, None),
            (false, Scale::None, Some(Components::Count(5))),
            (true, Scale::Minmax, Some(Components::Count(5))),
        ] {
            let (transform, prepared) = fit(center, scale, pca);
            let mut positions = Matrix::zeros(prepared.len(), prepared.dims());
            for i in 0..prepared.len() {
                prepared.copy_row(i, positions.row_mut(i));
            }
            let restored = transform.invert(&positions).unwrap();
            let mut row = [0.0; 5];
            for i in 0..points.len() {
                points.copy_row(i, &mut row);
                assert!(row.iter().zip(restored.row(i)).all(|(a, b)| (a - b).abs() < 1e-12));
            }
        }
        let (few, _) = fit(false, Scale::Unit, Some(Components::Count(2)));
        let mean = few.invert(&Matrix::zeros(1, 2)).unwrap();
        let expected = Moments::of(&points).unwrap().mean;
        assert!(mean.row(0).iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
        assert!(few.invert(&Matrix::zeros(1, 5)).is_err());
    }

    #[test]
    fn damage_is_found() {
        let (whole, _) = fit(true, Scale::Unit, Some(Components::Count(2)));
        whole.check().unwrap();
        let message = |damage: &dyn Fn(&mut Transform, &mut Pca)| {
            let mut damaged = whole.clone();
            let mut pca = damaged.pca.take().unwrap();
            damage(&mut damaged, &mut pca);
            damaged.pca = Some(pca);
            damaged.check().unwrap_err().to_string()
        };
        assert_eq!(message(&|t, _| t.factor.truncate(4)), "factor: expected 5 values, found 4");
        assert_eq!(
            message(&|t, _| t.factor[1] = 0.0),
            "factor[1] is 0, which is not a valid scale"
        );
        let nan = message(&|t, _| t.offset[2] = f64::NAN);
        assert_eq!(nan, "offset[2] is NaN, not a finite number");
        let short = message(&|_, pca| pca.mean.truncate(1));
        assert_eq!(short, "pca.mean: expected 5 values, found 1");
        let axes = message(&|_, pca| pca.axes = Matrix::zeros(2, 3));
        assert_eq!(axes, "pca.axes: expected rows of 5 values, found 2 of 3");
        assert!(message(&|_, pca| pca.axes.row_mut(1)[0] = f64::INFINITY).contains("pca.axes[5]"));
        assert_eq!(message(&|_, pca| pca.shares.clear()), "pca.shares: expected 2, found 0");
        assert!(message(&|t, _| t.by_deviation.push(9)).contains("no column 9"));
        let empty = Transform { offset: vec![], factor: vec![], kernel: None, pca: None, ..whole };
        assert!(empty.check().is_err());
    }

    #[test]
    fn impossible_components_are_refused() {
        let points = wave(10, 3);
        for pca in [Components::Count(0), Components::Count(4), Components::Share(1.5)] {
            let preparation = Preparation { pca: Some(pca), ..Preparation::default() };
            assert!(Transform::fit(preparation, &points).is_err());
        }
    }

    #[test]
    fn embeddings_follow_the_components_and_place_new_points() {
        let points = wave(300, 5);
        for text in ["kernel-pca:3", "mds:2", "isomap:3", "lle", "eigenmap:3"] {
            let preparation = Preparation {
                scale: Scale::Unit,
                pca: Some(Components::Count(4)),
                embed: Some(text.parse().unwrap()),
                ..Preparation::default()
            };
            let transform = Transform::fit(preparation, &points).unwrap();
            let prepared = transform.apply(&points).unwrap();
            assert_eq!((prepared.dims(), prepared.len()), (transform.dims_out(), 300));
            assert!(
                !transform.has_inverse()
                    && transform.invert(&Matrix::zeros(1, prepared.dims())).is_err()
            );
            transform.check().unwrap();
            let json = serde_json::to_string(&transform).unwrap();
            let read: Transform = serde_json::from_str(&json).unwrap();
            assert!(read == transform, "{text}");
            let again = read.apply(&wave(300, 5)).unwrap();
            assert!((0..300).all(|i| again.value(i, 0) == prepared.value(i, 0)), "{text}");
        }
        let refused = |text: &str| text.parse::<EmbedStep>().unwrap_err().to_string();
        assert!(refused("isomapp:2").contains("did you mean \"isomap\"?"));
        assert!(refused("lle:0").contains("give a number of components, as in lle:10"));
        let embed = Some("isomap:2".parse().unwrap());
        let two = Points::from_f64(vec![0.0, 1.0], 1).unwrap();
        let error = Transform::fit(Preparation { embed, ..Preparation::default() }, &two);
        assert!(error.unwrap_err().to_string().starts_with("embed = isomap:2: n_components 2"));
    }
}
