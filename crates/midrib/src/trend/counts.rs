//! Counts along a graph: quasi-Poisson regression on points binned by their nearest knot.

use std::ops::Range;

use faer::Mat;
use faer::linalg::solvers::Solve;

use super::basis::Basis;
use super::curve::Curve;
use super::design::{Covariate, FTest};
use super::domain::Domain;
use super::poisson::{Bins, factor};
use super::table::Column;
use crate::error::{Error, Result};

/// Curves use this many functions at most.
const FUNCTIONS: usize = 30;
/// Rounds of smoothing at most.
const ROUNDS: usize = 80;
/// Smoothing has converged when it changes the effective degrees of freedom by less than this.
const PRECISION: f64 = 1e-3;
/// The stiffest curve.
const STIFFEST: f64 = 1e12;
/// A function adds to those before it if this share of it is left beside them.
const DEPENDENT: f64 = 1e-8;

/// The models of counts on a region.
#[derive(Clone, Debug)]
pub(super) struct CountModel {
    /// The bin and the size of each point; none for those elsewhere and those of size 0.
    points: Vec<Option<(usize, f64)>>,
    n_points: usize,
    /// The sum of the squares of the sizes of the points of each bin.
    square_sizes: Vec<f64>,
    /// `Σ s² h / Σ s h` over the points, with their sizes s and how much the functions of the test
    /// depend on them, h.
    tested_size: f64,
    /// The mean and the covariates.
    smaller: Bins,
    /// These and the functions of the test.
    larger: Bins,
    /// The covariates and the functions of curves, which contain the mean.
    smooth: Bins,
    /// The bending of the coefficients of the last.
    bending: Vec<f64>,
    /// The values at the knots of the functions of curves.
    functions: Mat<f64>,
    /// The coefficients of these that are 1 everywhere.
    constant: Vec<f64>,
}

/// The sums of a feature.
#[derive(Clone, Debug)]
pub(super) struct CountSums {
    pub n_nonzero: usize,
    pub mean: f64,
    /// Per bin.
    counts: Vec<f64>,
}

/// What the regression of a feature gives.
#[derive(Clone, Debug)]
pub(super) struct CountFit {
    pub test: Option<FTest>,
    pub deviance_explained: f64,
    pub edf: f64,
    /// The expected count at the knots, of a point of mean size.
    pub curve: Curve,
}

impl CountModel {
    /// `sizes` are relative: their mean over the points of the region is taken as 1.
    pub fn new(
        domain: &Domain,
        basis: &Basis,
        covariates: &[Covariate],
        sizes: &[f64],
    ) -> Result<Self> {
        if sizes.len() != domain.rows.len() {
            return Err(Error::shape("sizes of the points", domain.rows.len(), sizes.len()));
        }
        if let Some(at) = sizes.iter().position(|size| !(size.is_finite() && *size >= 0.0)) {
            return Err(Error::data(format!(
                "the size of point {at} is {}: sizes must be numbers of at least 0",
                sizes[at]
            )));
        }
        let groups = Groups::of(covariates)?;
        let inside = |i: &usize| domain.rows[*i].is_some() && sizes[*i] > 0.0;
        let n_points = (0..sizes.len()).filter(inside).count();
        let total: f64 = (0..sizes.len()).filter(inside).map(|i| sizes[i]).sum();
        if n_points == 0 {
            return Err(Error::data("no point has a size above 0: there are no counts"));
        }
        let unit = n_points as f64 / total;
        let knots = domain.nodes.len();
        let n_functions = basis.len().min(FUNCTIONS.max(basis.tested));
        // The functions of curves, then those of the test.
        let beside_mean = basis.beside_mean();
        let functions = |knot: usize, j: usize| match j.checked_sub(n_functions) {
            None => basis.functions[(knot, j)],
            Some(j) => beside_mean[(knot, j)],
        };
        let mut bins = Binned::new(knots * groups.count, n_functions + beside_mean.ncols());
        let points: Vec<Option<(usize, f64)>> = (0..sizes.len())
            .map(|i| {
                let position = domain.rows[i].filter(|_| sizes[i] > 0.0)?;
                let bin = position.nearest() + knots * groups.of_point(i);
                let size = unit * sizes[i];
                bins.add(bin, size, |j| {
                    let weights = position.weights();
                    weights.iter().map(|&(knot, w)| w * functions(knot, j)).sum()
                });
                Some((bin, size))
            })
            .collect();
        let kept = bins.with_points();
        let points: Vec<Option<(usize, f64)>> =
            points.iter().map(|at| at.map(|(bin, size)| (kept.number[bin], size))).collect();
        let mut square_sizes = vec![0.0; kept.bins.len()];
        points.iter().flatten().for_each(|&(bin, size)| square_sizes[bin] += size * size);
        let of_groups = |bin: usize| groups.columns(kept.bins[bin] / knots);
        let n_groups = groups.n_columns;
        let design = |used: Range<usize>| {
            Mat::from_fn(kept.bins.len(), 1 + n_groups + used.len(), |bin, j| match j {
                0 => 1.0,
                j if j <= n_groups => of_groups(bin)[j - 1],
                j => bins.mean(kept.bins[bin], used.start + j - 1 - n_groups),
            })
        };
        let sizes: Vec<f64> = kept.bins.iter().map(|&bin| bins.sizes[bin]).collect();
        let of = |design: Mat<f64>| Bins { sizes: sizes.clone(), design };
        let mut bending = vec![0.0; n_groups];
        bending.extend(&basis.bending[..n_functions]);
        let all = design(0..n_functions);
        let smooth = all.as_ref().subcols(1, n_groups + n_functions).to_owned();
        let smaller = of(independent(design(0..0), &sizes));
        let larger =
            of(independent(design(n_functions..n_functions + beside_mean.ncols()), &sizes));
        Ok(Self {
            points,
            tested_size: tested_size(&larger, smaller.design.ncols(), &square_sizes),
            square_sizes,
            n_points,
            smaller,
            larger,
            smooth: of(smooth),
            bending,
            constant: basis.sums[..n_functions].to_vec(),
            functions: basis.first(n_functions),
        })
    }

    /// The number of points with a size.
    pub fn n_points(&self) -> usize {
        self.n_points
    }

    /// Degrees of freedom of the smaller and the larger model.
    pub fn ranks(&self) -> (usize, usize) {
        (self.smaller.design.ncols(), self.larger.design.ncols())
    }

    /// Reads a feature.
    pub fn sums(&self, column: Column<'_>) -> CountSums {
        let mut sums =
            CountSums { n_nonzero: 0, mean: 0.0, counts: vec![0.0; self.smaller.sizes.len()] };
        column.each(|point, value| {
            let Some((bin, _)) = self.points[point] else { return };
            sums.counts[bin] += value;
            sums.n_nonzero += usize::from(value != 0.0);
        });
        sums.mean = sums.counts.iter().sum::<f64>() / self.n_points as f64;
        sums
    }

    /// Fits the three models to a feature.
    pub fn fit(&self, column: Column<'_>, sums: &CountSums) -> Result<CountFit> {
        let counts = &sums.counts;
        let log_rate = (counts.iter().sum::<f64>() / self.smaller.sizes.iter().sum::<f64>()).ln();
        let flat = |bins: &Bins| {
            let mut start = vec![0.0; bins.design.ncols()];
            start[0] = log_rate / bins.design[(0, 0)];
            start
        };
        let smaller = self.smaller.fit(counts, &[], &flat(&self.smaller))?;
        let larger = self.larger.fit(counts, &[], &flat(&self.larger))?;
        let (df0, df1) = self.ranks();
        let left = (self.n_points - df1) as f64;
        let (dispersion, of_points) = self.of_points(column, &larger.expected, &smaller.expected);
        let fallen = (smaller.deviance - larger.deviance).max(0.0);
        let freed = (df1 - df0) as f64;
        let test = (df1 > df0).then(|| FTest::new(fallen / freed / dispersion, freed, left));
        let mut start = vec![0.0; self.bending.len() - self.constant.len()];
        start.extend(self.constant.iter().map(|share| share * log_rate));
        let (smooth, edf, curve) = self.curve(counts, dispersion, &start)?;
        Ok(CountFit {
            test,
            deviance_explained: (smaller.deviance - smooth) / of_points,
            edf,
            curve,
        })
    }

    /// The variance of the counts that the test depends on as a multiple of their means, and the
    /// deviance of the points in the smaller model.
    ///
    /// Over all points the multiple is `Σ (y − m)² / Σ m`. If it is above 1, counts vary by
    /// `m + a m²`, most in large points, so it is that of the points that the test depends on.
    fn of_points(&self, column: Column<'_>, larger: &[f64], smaller: &[f64]) -> (f64, f64) {
        let rate = |expected: &[f64], bin: usize| expected[bin] / self.smaller.sizes[bin];
        let of_bin = |bin: usize| rate(larger, bin) * rate(larger, bin) * self.square_sizes[bin];
        let mut squares: f64 = (0..larger.len()).map(of_bin).sum();
        let mut deviance = smaller.iter().sum::<f64>();
        column.each(|point, y| {
            let Some((bin, size)) = self.points[point].filter(|_| y > 0.0) else { return };
            squares += y * (y - 2.0 * size * rate(larger, bin));
            deviance += y * (y / (size * rate(smaller, bin))).ln() - y;
        });
        let left = (self.n_points - self.ranks().1) as f64;
        let total = larger.iter().sum::<f64>();
        let multiple = squares / total * self.n_points as f64 / left;
        let size = self.square_sizes.iter().sum::<f64>() / self.n_points as f64;
        let of_tested = 1.0 + (multiple - 1.0) * self.tested_size / size;
        (if multiple > 1.0 { of_tested } else { multiple }, 2.0 * deviance)
    }

    /// The smooth curve: its deviance between bins, effective degrees of freedom, and values. The
    /// penalty follows the fixed point of the restricted likelihood (Wood2017, eq. (6)).
    fn curve(&self, counts: &[f64], dispersion: f64, start: &[f64]) -> Result<(f64, f64, Curve)> {
        let bends = self.bending.iter().filter(|&&bending| bending > 0.0).count() as f64;
        let weights =
            |penalty: f64| -> Vec<f64> { self.bending.iter().map(|b| penalty * b).collect() };
        let mut penalty = 1.0;
        let mut held_before = f64::INFINITY;
        let mut rates = self.smooth.fit(counts, &weights(penalty), start)?;
        let mut inverse = self.inverse(&rates.expected, &weights(penalty))?;
        let mut held = 0.0;
        for _ in 0..ROUNDS {
            let used: f64 =
                (0..self.bending.len()).map(|j| inverse[(j, j)] * self.bending[j]).sum();
            held = penalty * used;
            if (held - held_before).abs() < PRECISION || bends == 0.0 {
                break;
            }
            held_before = held;
            let squares = rates.coefficients.iter().zip(&self.bending);
            let bent: f64 = squares.map(|(b, bending)| bending * b * b).sum();
            let freed = (bends - held).max(f64::EPSILON) * dispersion;
            penalty = (freed / bent.max(f64::MIN_POSITIVE)).min(STIFFEST);
            rates = self.smooth.fit(counts, &weights(penalty), &rates.coefficients)?;
            inverse = self.inverse(&rates.expected, &weights(penalty))?;
        }
        let edf = self.constant.len() as f64 - held;
        Ok((rates.deviance, edf, self.values(&rates.coefficients, &inverse, dispersion)))
    }

    fn inverse(&self, expected: &[f64], weights: &[f64]) -> Result<Mat<f64>> {
        let p = weights.len();
        let factor = factor(self.smooth.information(expected, weights))?;
        Ok(factor.solve(Mat::<f64>::identity(p, p)))
    }

    /// Expected counts at the knots, in the first group of each covariate, and their errors.
    fn values(&self, coefficients: &[f64], inverse: &Mat<f64>, dispersion: f64) -> Curve {
        let others = coefficients.len() - self.functions.ncols();
        let n = self.functions.nrows();
        let mut curve = Curve { values: vec![0.0; n], errors: vec![0.0; n] };
        for knot in 0..n {
            let at = |j: usize| j.checked_sub(others).map_or(0.0, |j| self.functions[(knot, j)]);
            let row: Vec<f64> = (0..coefficients.len()).map(at).collect();
            let log: f64 = row.iter().zip(coefficients).map(|(x, b)| x * b).sum();
            let mut variance = 0.0;
            for (j, x) in row.iter().enumerate() {
                let column = inverse.col_as_slice(j);
                variance += x * row.iter().zip(column).map(|(x, c)| x * c).sum::<f64>();
            }
            curve.values[knot] = log.exp();
            curve.errors[knot] = log.exp() * (dispersion * variance).max(0.0).sqrt();
        }
        curve
    }
}

/// The mean size of the points that the columns beyond the first depend on: `Σ s² h / Σ s h`, with the
/// squares h of these columns.
fn tested_size(larger: &Bins, n_smaller: usize, square_sizes: &[f64]) -> f64 {
    let (mut of_squares, mut of_sizes) = (0.0, 0.0);
    for j in n_smaller..larger.design.ncols() {
        for (bin, x) in larger.design.col_as_slice(j).iter().enumerate() {
            of_squares += square_sizes[bin] * x * x;
            of_sizes += larger.sizes[bin] * x * x;
        }
    }
    if of_sizes > 0.0 { of_squares / of_sizes } else { 1.0 }
}

/// The combinations of the groups of several covariates.
struct Groups<'a> {
    groups: Vec<&'a [u32]>,
    /// The number of groups of each covariate.
    levels: Vec<usize>,
    /// The number of combinations.
    count: usize,
    /// Columns of the design: all groups but the first of each covariate.
    n_columns: usize,
}

impl<'a> Groups<'a> {
    fn of(covariates: &'a [Covariate]) -> Result<Self> {
        let mut groups = Vec::new();
        for covariate in covariates {
            let Covariate::Groups(of) = covariate else {
                return Err(Error::data(
                    "a covariate of numbers cannot be used with counts, whose points are binned: \
                     use the Gaussian model, or groups",
                ));
            };
            groups.push(&of[..]);
        }
        let most = |of: &&[u32]| of.iter().max().map_or(1, |&most| most as usize + 1);
        let levels: Vec<usize> = groups.iter().map(most).collect();
        let n_columns = levels.iter().map(|levels| levels - 1).sum();
        Ok(Self { groups, count: levels.iter().product(), levels, n_columns })
    }

    fn of_point(&self, point: usize) -> usize {
        let both = self.groups.iter().zip(&self.levels);
        both.fold(0, |sum, (groups, levels)| sum * levels + groups[point] as usize)
    }

    fn columns(&self, mut combination: usize) -> Vec<f64> {
        let mut columns = Vec::new();
        for &levels in self.levels.iter().rev() {
            let group = combination % levels;
            combination /= levels;
            let own = (1..levels).rev().map(|level| if level == group { 1.0 } else { 0.0 });
            columns.extend(own);
        }
        columns.reverse();
        columns
    }
}

/// Bins that are being filled.
struct Binned {
    sizes: Vec<f64>,
    /// The sum over points of size times functions, bin after bin.
    sums: Vec<f64>,
    n_functions: usize,
}

/// The bins with points.
struct Kept {
    bins: Vec<usize>,
    number: Vec<usize>,
}

impl Binned {
    fn new(bins: usize, n_functions: usize) -> Self {
        Self { sizes: vec![0.0; bins], sums: vec![0.0; bins * n_functions], n_functions }
    }

    fn add(&mut self, bin: usize, size: f64, function: impl Fn(usize) -> f64) {
        self.sizes[bin] += size;
        let sums = &mut self.sums[bin * self.n_functions..][..self.n_functions];
        sums.iter_mut().enumerate().for_each(|(j, sum)| *sum += size * function(j));
    }

    fn mean(&self, bin: usize, j: usize) -> f64 {
        self.sums[bin * self.n_functions + j] / self.sizes[bin]
    }

    fn with_points(&self) -> Kept {
        let bins: Vec<usize> = (0..self.sizes.len()).filter(|&bin| self.sizes[bin] > 0.0).collect();
        let mut number = vec![usize::MAX; self.sizes.len()];
        bins.iter().enumerate().for_each(|(at, &bin)| number[bin] = at);
        Kept { bins, number }
    }
}

/// The columns that add to those before them, orthonormal over points of these sizes but for the
/// first, which stays as it is up to a factor.
fn independent(design: Mat<f64>, sizes: &[f64]) -> Mat<f64> {
    let mut kept: Vec<Vec<f64>> = Vec::new();
    let product = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).zip(sizes).map(|((a, b), size)| size * a * b).sum()
    };
    for j in 0..design.ncols() {
        let mut column = design.col_as_slice(j).to_vec();
        let before = product(&column, &column);
        // Twice for the digits.
        for _ in 0..2 {
            for other in &kept {
                let share = product(&column, other);
                column.iter_mut().zip(other).for_each(|(x, other)| *x -= share * other);
            }
        }
        let rest = product(&column, &column);
        if rest > DEPENDENT * before {
            column.iter_mut().for_each(|x| *x /= rest.sqrt());
            kept.push(column);
        }
    }
    Mat::from_fn(design.nrows(), kept.len(), |i, j| kept[j][i])
}
