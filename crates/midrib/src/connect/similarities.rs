//! Similarities between points: the entries of a kernel matrix, computed on demand.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::simd::{Work, dispatch};
use crate::math::{Matrix, Nearest, dot, exp_in_place, squared_distance};
use crate::neighbors::neighbors;
use crate::points::{Cloud, Points};
use crate::prepare::{KernelFunction, KernelWidth, sample};

/// The median distance is taken over the pairs among this many points.
const MEDIAN_OF: usize = 1000;
/// The number of points whose products with all others are computed at once.
const TILE: usize = 128;
/// Up to this many columns distances are computed one by one; beyond, a matrix product is faster.
const FEW_COLUMNS: usize = 32;
/// Entries that differ by at most this share of the largest are equal.
const SAME: f64 = 1e-9;

/// The similarities between points, and the most similar neighbors of each.
///
/// Only the points are stored, unless a whole matrix was given.
///
/// ```
/// use midrib::Points;
/// use midrib::connect::Similarities;
/// let points = Points::from_f64(vec![0.0, 1.0, 3.0], 1)?;
/// let similarities = Similarities::new(&points, "gaussian:2".parse()?)?;
/// assert!((similarities.entry(0, 2) - (-4.5_f64).exp()).abs() < 1e-15);
/// assert_eq!(similarities.neighbors(1)?, [[1], [0], [1]]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Similarities {
    /// The points, in working coordinates for the Gaussian; or the matrix.
    rows: Matrix,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// In working units, and in the caller's.
    Gaussian {
        working: f64,
        beta: f64,
    },
    Linear,
    Given,
}

impl Similarities {
    /// The similarities by a kernel. The automatic `beta` of a Gaussian kernel is the median squared
    /// distance between two points, in a sample of at most 1000.
    pub fn new(points: &Points<'_>, kernel: KernelFunction) -> Result<Self> {
        points.require_complete("a kernel")?;
        match kernel {
            KernelFunction::Linear => Self::linear(points),
            KernelFunction::Gaussian(width) => Self::gaussian(points, width),
        }
    }

    /// The similarities in a matrix, which must be square, symmetric and finite.
    pub fn precomputed(matrix: Matrix) -> Result<Self> {
        let (n, columns) = (matrix.n_rows(), matrix.n_cols());
        if n != columns {
            return Err(Error::shape(
                "kernel matrix",
                "as many columns as rows",
                format!("{n} rows and {columns} columns"),
            ));
        }
        if let Some(at) = matrix.as_slice().iter().position(|x| !x.is_finite()) {
            return Err(Error::data(format!(
                "kernel matrix: row {}, column {} is {}, not a finite number",
                at / n + 1,
                at % n + 1,
                matrix.as_slice()[at]
            )));
        }
        let largest = matrix.as_slice().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for i in 0..n {
            for j in 0..i {
                let (a, b) = (matrix.row(i)[j], matrix.row(j)[i]);
                if (a - b).abs() > SAME * largest {
                    return Err(Error::data(format!(
                        "kernel matrix: not symmetric: {a} in row {}, column {}, but {b} in row {}, \
                         column {}; use (K + K')/2 if that is intended",
                        i + 1,
                        j + 1,
                        j + 1,
                        i + 1
                    )));
                }
            }
        }
        Ok(Self { rows: matrix, kind: Kind::Given })
    }

    fn linear(points: &Points<'_>) -> Result<Self> {
        let mut rows = Matrix::zeros(points.len(), points.dims());
        for i in 0..points.len() {
            let row = rows.row_mut(i);
            points.copy_row(i, row);
            let squared = dot(row, row);
            if squared == 0.0 {
                return Err(Error::data(format!(
                    "point {} is 0 in every column, so a linear kernel gives it no similar points: \
                     leave it out, shift the points or use a gaussian kernel",
                    points.id(i)
                )));
            }
            if !squared.is_normal() {
                return Err(Error::data(format!(
                    "point {} is so large or so small that its square is out of range: rescale the \
                     points",
                    points.id(i)
                )));
            }
        }
        Ok(Self { rows, kind: Kind::Linear })
    }

    fn gaussian(points: &Points<'_>, width: KernelWidth) -> Result<Self> {
        let cloud = Cloud::new(points)?;
        let beta = match width {
            KernelWidth::Fixed(beta) if beta > 0.0 && beta.is_finite() => beta,
            KernelWidth::Fixed(beta) => {
                let remedy = "beta must be a positive number, as in gaussian:2.5";
                return Err(Error::setting("kernel", format!("gaussian:{beta}"), remedy));
            }
            KernelWidth::Auto => median_squared_distance(&cloud)?,
        };
        let rows = cloud.read_rows(&(0..points.len()).collect::<Vec<_>>())?;
        Ok(Self { rows, kind: Kind::Gaussian { working: beta / cloud.square_unit(), beta } })
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.rows.n_rows()
    }

    /// Never true.
    pub fn is_empty(&self) -> bool {
        self.rows.n_rows() == 0
    }

    /// The `beta` of a Gaussian kernel.
    pub fn beta(&self) -> Option<f64> {
        match self.kind {
            Kind::Gaussian { beta, .. } => Some(beta),
            Kind::Linear | Kind::Given => None,
        }
    }

    /// The similarity of two points.
    pub fn entry(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (self.rows.row(i), self.rows.row(j));
        match self.kind {
            Kind::Gaussian { working, .. } => (-squared_distance(a, b) / working).exp(),
            Kind::Linear => dot(a, b),
            Kind::Given => a[j],
        }
    }

    /// The similarities among some points, and of another point to each of them.
    pub(super) fn among(&self, items: &[usize], other: usize) -> (Matrix, Vec<f64>) {
        let rows = || self.rows.select_rows(items.iter().copied());
        match self.kind {
            Kind::Gaussian { working, .. } if self.rows.n_cols() <= FEW_COLUMNS => {
                self.by_differences(&rows(), other, working)
            }
            Kind::Gaussian { working, .. } => {
                let products = self_products(&rows());
                let entry = |a, b| {
                    let squared = products[(a, a)] + products[(b, b)] - 2.0 * products[(a, b)];
                    (-squared.max(0.0) / working).exp()
                };
                (symmetric(items.len(), entry), self.entries(other, items))
            }
            Kind::Linear => {
                let products = self_products(&rows());
                (symmetric(items.len(), |a, b| products[(a, b)]), self.entries(other, items))
            }
            Kind::Given => {
                let entry = |a: usize, b: usize| self.entry(items[a], items[b]);
                (symmetric(items.len(), entry), self.entries(other, items))
            }
        }
    }

    fn entries(&self, i: usize, items: &[usize]) -> Vec<f64> {
        items.iter().map(|&j| self.entry(i, j)).collect()
    }

    /// A Gaussian kernel among rows of few columns, and of another point to them.
    fn by_differences(&self, rows: &Matrix, other: usize, working: f64) -> (Matrix, Vec<f64>) {
        let (k, dims) = (rows.n_rows(), rows.n_cols());
        let mut columns = Matrix::zeros(dims, k);
        for (i, row) in rows.rows().enumerate() {
            row.iter().enumerate().for_each(|(d, x)| columns.row_mut(d)[i] = *x);
        }
        let to_first = |row: &[f64], entries: &mut [f64]| {
            dispatch(SquaredDistances { row, columns: &columns, squared: entries });
            entries.iter_mut().for_each(|squared| *squared /= -working);
            exp_in_place(entries);
        };
        let mut among = Matrix::zeros(k, k);
        for a in 0..k {
            to_first(rows.row(a), &mut among.row_mut(a)[..=a]);
            for b in 0..a {
                among.row_mut(b)[a] = among.row(a)[b];
            }
        }
        let mut to_other = vec![0.0; k];
        to_first(self.rows.row(other), &mut to_other);
        (among, to_other)
    }

    /// The `k` most similar other points of each point, most similar first; ties go to the smaller
    /// index.
    pub fn neighbors(&self, k: usize) -> Result<Vec<Vec<u32>>> {
        let n = self.len();
        if k == 0 || k >= n {
            return Err(Error::setting(
                "k1",
                k,
                format!("must be at least 1 and below the number of points, {n}"),
            ));
        }
        Ok(match self.kind {
            Kind::Gaussian { .. } => self.by_distances(k),
            Kind::Linear => self.by_products(k),
            Kind::Given => (0..n)
                .into_par_iter()
                .map(|i| most_similar(i, self.rows.row(i).iter().copied(), k))
                .collect(),
        })
    }

    /// The points with the smallest distance.
    fn by_distances(&self, k: usize) -> Vec<Vec<u32>> {
        let sorted = |(i, near): (usize, &[u32])| {
            let mut near = near.to_vec();
            // The bits of nonnegative floats have the same order as the floats.
            near.sort_by_cached_key(|&j| {
                (squared_distance(self.rows.row(i), self.rows.row(j as usize)).to_bits(), j)
            });
            near
        };
        neighbors(&self.rows, k).par_chunks_exact(k).enumerate().map(sorted).collect()
    }

    /// The points with the largest scalar product.
    fn by_products(&self, k: usize) -> Vec<Vec<u32>> {
        let (n, dims) = (self.len(), self.rows.n_cols());
        let all = MatRef::from_column_major_slice(self.rows.as_slice(), dims, n);
        (0..n.div_ceil(TILE))
            .into_par_iter()
            .flat_map_iter(|tile| {
                let queries = tile * TILE..((tile + 1) * TILE).min(n);
                let mut products = Mat::<f64>::zeros(n, queries.len());
                let right = all.subcols(queries.start, queries.len());
                matmul(products.as_mut(), Accum::Replace, all.transpose(), right, 1.0, Par::Seq);
                let found = move |i: usize| {
                    let column = products.as_ref().col(i - tile * TILE).iter().copied();
                    most_similar(i, column, k)
                };
                queries.map(found)
            })
            .collect()
    }
}

/// The indices of the `k` largest entries of a row, except the point itself.
fn most_similar(i: usize, row: impl Iterator<Item = f64>, k: usize) -> Vec<u32> {
    let mut nearest = Nearest::new(k);
    for (j, entry) in row.enumerate().filter(|(j, _)| *j != i) {
        nearest.offer(-entry, j as u32);
    }
    nearest.kept.iter().map(|best| best.item).collect()
}

/// Adds the squared distances from a row to the first points, which are stored by column, to
/// `squared`.
struct SquaredDistances<'t> {
    row: &'t [f64],
    columns: &'t Matrix,
    squared: &'t mut [f64],
}

impl Work for SquaredDistances<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (x, column) in self.row.iter().zip(self.columns.rows()) {
            for (squared, y) in self.squared.iter_mut().zip(column) {
                *squared += (x - y) * (x - y);
            }
        }
    }
}

fn symmetric(n: usize, entry: impl Fn(usize, usize) -> f64) -> Matrix {
    let mut matrix = Matrix::zeros(n, n);
    for a in 0..n {
        for b in 0..=a {
            let entry = entry(a, b);
            matrix.row_mut(a)[b] = entry;
            matrix.row_mut(b)[a] = entry;
        }
    }
    matrix
}

/// The products of all rows with each other.
fn self_products(rows: &Matrix) -> Mat<f64> {
    let k = rows.n_rows();
    let mut products = Mat::zeros(k, k);
    let left = rows.as_faer();
    matmul(products.as_mut(), Accum::Replace, left, left.transpose(), 1.0, Par::Seq);
    products
}

/// The weighted median of the squared distances, in the caller's units.
fn median_squared_distance(cloud: &Cloud<'_>) -> Result<f64> {
    let some = sample(cloud, MEDIAN_OF)?;
    let n = some.len();
    let mut rows = Matrix::zeros(n, some.dims());
    for i in 0..n {
        some.copy_row(i, rows.row_mut(i));
    }
    let rows = cloud.to_working(rows);
    if cloud.len() < 2 {
        return Err(Error::data("there is only one point: a graph needs at least two"));
    }
    // Repeated points also form pairs with each other.
    let repeated = |i: usize| (0.5 * some.weight(i) * (some.weight(i) - 1.0)).max(0.0);
    let is_whole = n < MEDIAN_OF;
    let alone = (0..n).filter(|_| is_whole).map(|i| (0.0, repeated(i)));
    let mut pairs: Vec<(f64, f64)> = (0..n)
        .into_par_iter()
        .flat_map_iter(|i| (0..i).map(move |j| (i, j)))
        .map(|(i, j)| (squared_distance(rows.row(i), rows.row(j)), some.weight(i) * some.weight(j)))
        .collect();
    pairs.extend(alone);
    pairs.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * pairs.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut passed = 0.0;
    let median = pairs.iter().find(|(_, weight)| {
        passed += weight;
        passed > half
    });
    let median = median.map_or(0.0, |(squared, _)| *squared);
    if median == 0.0 {
        return Err(Error::data(
            "more than half of the pairs of points are equal, so the median distance is 0: set the \
             kernel's beta, as in gaussian:2.5",
        ));
    }
    Ok(median * cloud.square_unit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize, dims: usize) -> Points<'static> {
        let value = |i: usize| (1.3 * i as f64 + (i * i % 17) as f64).sin() + 0.1;
        Points::from_f64((0..n * dims).map(value).collect::<Vec<_>>(), dims).unwrap()
    }

    #[test]
    fn neighbors_are_the_largest_entries_of_every_kernel() {
        let kernels = ["gaussian", "gaussian:0.5", "linear"];
        let wide = FEW_COLUMNS + 3;
        for (dims, kernel) in [5, wide].iter().flat_map(|dims| kernels.map(|name| (*dims, name))) {
            let points = wave(300, dims);
            let similarities = Similarities::new(&points, kernel.parse().unwrap()).unwrap();
            let rows: Vec<Vec<f64>> =
                (0..300).map(|i| (0..300).map(|j| similarities.entry(i, j)).collect()).collect();
            let given = Similarities::precomputed(Matrix::from_rows(&rows).unwrap()).unwrap();
            let found = similarities.neighbors(7).unwrap();
            assert_eq!(found, given.neighbors(7).unwrap());
            for (i, found) in found.iter().enumerate() {
                let mut others: Vec<usize> = (0..300).filter(|&j| j != i).collect();
                others.sort_by(|&a, &b| rows[i][b].total_cmp(&rows[i][a]).then(a.cmp(&b)));
                assert!(found.iter().zip(&others).all(|(&a, &b)| a as usize == b), "{kernel}");
            }
            let items = [3, 299, 40, 41];
            let (some, same) = (similarities.among(&items, 7), given.among(&items, 7));
            let pairs = some.0.as_slice().iter().zip(same.0.as_slice());
            for (a, b) in pairs.chain(some.1.iter().zip(&same.1)) {
                assert!((a - b).abs() < 1e-14, "{a} {b}");
            }
        }
    }

    #[test]
    fn the_median_is_over_all_pairs_and_scales_with_the_points() {
        let points = Points::from_f64(vec![0.0, 1.0, 3.0, 7.0, 15.0], 1).unwrap();
        let beta = |points: &Points<'_>| {
            Similarities::new(points, "gaussian".parse().unwrap()).unwrap().beta().unwrap()
        };
        // Distances 1 2 3 4 6 | 7 8 12 14 15.
        assert!((beta(&points) - 49.0).abs() < 1e-12);
        let far = [0.0, 1.0, 3.0, 7.0, 15.0].map(|x| x * 1e120 + 1e125);
        let scaled = beta(&Points::from_f64(far.to_vec(), 1).unwrap());
        assert!((scaled / 49e240 - 1.0).abs() < 1e-8, "{scaled}");
    }

    #[test]
    fn invalid_input_is_an_error() {
        let message = |rows: &[&[f64]]| {
            Similarities::precomputed(Matrix::from_rows(rows).unwrap()).unwrap_err().to_string()
        };
        assert_eq!(
            message(&[&[1.0, 0.5]]),
            "kernel matrix: expected as many columns as rows, found 1 rows and 2 columns"
        );
        assert!(message(&[&[1.0, f64::NAN], &[0.5, 1.0]]).contains("row 1, column 2 is NaN"));
        assert!(message(&[&[1.0, 0.4], &[0.5, 1.0]]).contains("not symmetric: 0.5 in row 2"));
        let zero = Points::from_f64(vec![1.0, 1.0, 0.0, 0.0], 2).unwrap();
        let error = Similarities::new(&zero, KernelFunction::Linear).unwrap_err().to_string();
        assert!(error.contains("point 1 is 0 in every column"), "{error}");
        let flat = KernelFunction::Gaussian(KernelWidth::Fixed(0.0));
        let error = Similarities::new(&zero, flat).unwrap_err().to_string();
        assert_eq!(
            error,
            "kernel = gaussian:0: beta must be a positive number, as in gaussian:2.5"
        );
        let equal = Points::from_f64(vec![2.0; 5], 1).unwrap();
        let error = Similarities::new(&equal, "gaussian".parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains("median distance is 0"), "{error}");
        let similarities = Similarities::new(&wave(5, 2), "gaussian".parse().unwrap()).unwrap();
        assert_eq!(
            similarities.neighbors(5).unwrap_err().to_string(),
            "k1 = 5: must be at least 1 and below the number of points, 5"
        );
    }
}
