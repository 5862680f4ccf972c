//! Which features change along a graph, and how.

use std::ops::ControlFlow;

use faer::Mat;
use rayon::prelude::*;

use super::basis::Basis;
use super::counts::CountModel;
use super::curve::{Curve, Smoother};
use super::design::{Covariate, Design, FTest, Products, Rows, Sums};
use super::discovery::false_discovery_rates;
use super::domain::{Domain, Knots, Region};
use super::shape::Shape;
use super::table::{Column, FeatureTable};
use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, Projection};
use crate::observe::{Observer, Progress};

/// A feature must be present in this share of the points, ...
const PRESENT_SHARE: f64 = 0.001;
/// ... and in so many.
const PRESENT_LEAST: usize = 10;
/// The test must leave so many degrees of freedom.
const LEFT: usize = 3;

/// How the values of features vary around their curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Noise {
    /// Equally everywhere: any table of numbers, such as logarithms.
    #[default]
    Gaussian,
    /// As counts do, in proportion to their mean, relative to the size of each point (quasi-Poisson).
    Counts {
        /// What the counts of each point are relative to, such as its total count.
        sizes: Vec<f64>,
    },
}

/// Points on a graph, and where along it features are followed.
#[derive(Clone, Debug)]
pub struct Along<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// Where the points are on it, one per row of the features.
    pub projection: &'a Projection,
    /// Where pseudotime begins; empty if it is not known.
    pub roots: &'a [usize],
    /// The points that count; all if none.
    pub keep: Option<&'a [bool]>,
    /// What else may change the features.
    pub covariates: &'a [Covariate],
}

/// Tests features for change along a region of a graph.
///
/// The test compares the mean with the smoothest functions on the region: a path has 5 degrees of
/// freedom, each further branch or loop 3 more. Their number does not depend on the feature, so the
/// p-value is exact for Gaussian noise. The curve uses all functions, with a penalty on bending
/// chosen by restricted maximum likelihood.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib::trend::{Along, Association, FeatureTable, Layout, Numbers, Status};
/// use midrib::{Points, Silent};
/// let nodes = Matrix::new(9, 1, (0..9).map(f64::from).collect())?;
/// let edges: Vec<_> = (0..8).map(|i| (i, i + 1, 1.0)).collect();
/// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 9])?;
/// let x: Vec<f64> = (0..80).map(|i| f64::from(i) / 10.0).collect();
/// let projection = graph.project(&Points::from_f64(x.clone(), 1)?)?;
/// // One feature rises along the path, one does not.
/// let values: Vec<f64> =
///     x.iter().enumerate().flat_map(|(i, x)| [x + (i % 3) as f64, (i % 7) as f64]).collect();
/// let features = FeatureTable::new(80, 2, Layout::Dense, Numbers::Double(&values))?;
/// let along = Along {
///     graph: &graph, projection: &projection, roots: &[0], keep: None, covariates: &[],
/// };
/// let trends = Association::default().test(&along, &features, &mut Silent)?;
/// assert!(trends.features[0].q < 1e-6 && trends.features[1].q > 0.01);
/// assert_eq!(trends.features[0].status, Status::Tested);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Association {
    /// Where.
    pub region: Region,
    /// What noise to expect.
    pub noise: Noise,
    /// The curves of this many features are kept, those with the smallest p-values.
    pub n_curves: usize,
}

impl Default for Association {
    fn default() -> Self {
        Self { region: Region::Whole, noise: Noise::Gaussian, n_curves: 0 }
    }
}

/// Why a feature was tested or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It was tested.
    Tested,
    /// All its values are the same.
    Constant,
    /// All its values are 0.
    Zero,
    /// It is present in too few points.
    Rare,
    /// It has too few values for the degrees of freedom.
    Missing,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Tested, Self::Constant, Self::Zero, Self::Rare, Self::Missing];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tested => "tested",
            Self::Constant => "constant",
            Self::Zero => "zero",
            Self::Rare => "rare",
            Self::Missing => "missing",
        }
    }
}

/// What was found about a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Points where it is not 0.
    pub n_nonzero: usize,
    /// Points where it is missing.
    pub n_missing: usize,
    /// Its mean over the points of the region.
    pub mean: f64,
    /// The test; none if it was not tested.
    pub test: Option<FTest>,
    /// The false discovery rate at which it is a discovery, among all that were tested; NaN if it was
    /// not.
    pub q: f64,
    /// The share of its deviance (variance, where noise is Gaussian) that the curve explains.
    pub deviance_explained: f64,
    /// The shape of its curve; none if it was not tested.
    pub shape: Option<Shape>,
    /// The effective degrees of freedom of its curve.
    pub edf: f64,
    /// Whether it was tested, or why not.
    pub status: Status,
}

/// What was found about all features.
#[derive(Clone, Debug, PartialEq)]
pub struct Trends {
    /// One per feature.
    pub features: Vec<Trend>,
    /// The points that were used.
    pub n_points: usize,
    /// Where the values of curves are.
    pub knots: Knots,
    /// The kept curves, by feature, in the order of their p-values.
    pub curves: Vec<(usize, Curve)>,
}

impl Association {
    /// Tests all features.
    pub fn test(
        &self,
        along: &Along<'_>,
        features: &FeatureTable<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Trends> {
        along.check(features)?;
        let domain = along.domain(&self.region)?;
        domain.refuse_empty()?;
        let basis = Basis::of(&domain)?;
        let rows = Rows::new(&domain.rows, domain.nodes.len(), along.covariates)?;
        let tester = Tester::new(self, &domain, basis, &rows)?;
        refuse_few(&domain, tester.n_points(), tester.ranks())?;
        let mut found: Vec<Trend> = Vec::with_capacity(features.n_columns());
        let mut curves: Vec<(usize, f64, Curve)> = Vec::new();
        features.each_block(|block| {
            let of = (0..block.len()).into_par_iter().map(|at| tester.test(block.column(at)));
            let results: Result<Vec<(Trend, Option<Curve>)>> = of.collect();
            for (at, (trend, curve)) in results?.into_iter().enumerate() {
                found.push(trend);
                if let (Some(test), Some(curve)) = (trend.test, curve) {
                    curves.push((block.first + at, test.log_p, curve));
                }
            }
            keep_best(&mut curves, self.n_curves);
            report(watch, found.len(), features.n_columns())
        })?;
        let log_p = |trend: &Trend| trend.test.map_or(f64::NAN, |test| test.log_p);
        let rates = false_discovery_rates(&found.iter().map(log_p).collect::<Vec<_>>());
        found.iter_mut().zip(rates).for_each(|(trend, rate)| trend.q = rate);
        Ok(Trends {
            features: found,
            n_points: tester.n_points(),
            knots: domain.knots(),
            curves: curves.into_iter().map(|(feature, _, curve)| (feature, curve)).collect(),
        })
    }
}

/// Keeps the curves of the smallest p-values, ties by feature.
fn keep_best(curves: &mut Vec<(usize, f64, Curve)>, count: usize) {
    curves.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    curves.truncate(count);
}

/// Reports how many features are done; an observer that stops is an error, since half of the features
/// have no false discovery rates.
pub(super) fn report(watch: &mut dyn Observer, done: usize, of: usize) -> Result<()> {
    match watch.progress(Progress { stage: "features", done, of, objective: None }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted(format!(
            "stopped after {done} of {of} features: their tests are corrected together, so there is \
             no result"
        ))),
    }
}

/// Refuses a region with too few points for a test of models of these degrees of freedom.
pub(super) fn refuse_few(
    domain: &Domain,
    n_points: usize,
    (smaller, larger): (usize, usize),
) -> Result<()> {
    let on = on_region(n_points, &domain.name);
    if larger <= smaller {
        return Err(Error::data(format!(
            "{on}, all at the same position: nothing can change along it"
        )));
    }
    if n_points < larger + LEFT {
        return Err(Error::data(format!(
            "{on}, and a test with {larger} degrees of freedom needs at least {}: choose a longer \
             path, or the whole graph",
            larger + LEFT
        )));
    }
    Ok(())
}

fn on_region(n_points: usize, name: &str) -> String {
    match n_points {
        1 => format!("1 point is on {name}"),
        n => format!("{n} points are on {name}"),
    }
}

impl Along<'_> {
    /// Refuses features of other points.
    pub(super) fn check(&self, features: &FeatureTable<'_>) -> Result<()> {
        let points = self.projection.node.len();
        if features.n_rows() != points {
            return Err(Error::shape("rows of the features", points, features.n_rows()));
        }
        if features.n_columns() == 0 {
            return Err(Error::data("the table has no features"));
        }
        Ok(())
    }

    /// The knots and rows of a region.
    pub(super) fn domain(&self, region: &Region) -> Result<Domain> {
        Domain::new(self.graph, region, self.roots, self.projection, self.keep)
    }
}

/// Tests one feature after the other.
struct Tester<'a> {
    domain: &'a Domain,
    supported: Vec<bool>,
    rows: &'a Rows<'a>,
    n_present: usize,
    with_curves: bool,
    models: Models,
}

enum Models {
    Gaussian { design: Box<Design>, all: Box<Products>, smoother: Box<Smoother> },
    Counts(Box<CountModel>),
}

impl<'a> Tester<'a> {
    fn new(
        settings: &Association,
        domain: &'a Domain,
        basis: Basis,
        rows: &'a Rows<'a>,
    ) -> Result<Self> {
        let models = match &settings.noise {
            Noise::Gaussian => {
                let all = rows.products(|_| true);
                let (columns, n_smaller) = columns_of(rows, &basis.beside_mean());
                let design = Box::new(Design::new(columns, n_smaller, &all));
                Models::Gaussian { design, all: all.into(), smoother: Smoother::new(basis).into() }
            }
            Noise::Counts { sizes } => {
                let model = CountModel::new(domain, &basis, rows.covariates, sizes)?;
                Models::Counts(Box::new(model))
            }
        };
        let supported = domain.supported();
        let with_curves = settings.n_curves > 0;
        let mut tester = Self { domain, supported, rows, n_present: 0, with_curves, models };
        tester.n_present = n_present(tester.n_points());
        Ok(tester)
    }

    fn n_points(&self) -> usize {
        match &self.models {
            Models::Gaussian { all, .. } => all.n,
            Models::Counts(model) => model.n_points(),
        }
    }

    fn ranks(&self) -> (usize, usize) {
        match &self.models {
            Models::Gaussian { design, .. } => design.ranks(),
            Models::Counts(model) => model.ranks(),
        }
    }

    fn test(&self, column: Column<'_>) -> Result<(Trend, Option<Curve>)> {
        match &self.models {
            Models::Gaussian { design, all, smoother } => {
                self.test_numbers(column, design, all, smoother)
            }
            Models::Counts(model) => self.test_counts(column, model),
        }
    }

    fn test_numbers(
        &self,
        column: Column<'_>,
        design: &Design,
        all: &Products,
        smoother: &Smoother,
    ) -> Result<(Trend, Option<Curve>)> {
        let mut sums = Sums::of(self.rows, column, all);
        let mut trend = Trend::untested(sums.n_nonzero, sums.n_missing, sums.mean);
        trend.status = sums.status(self.n_present);
        if trend.status != Status::Tested {
            return Ok((trend, None));
        }
        let observed = (sums.n_missing > 0).then(|| self.rows.observed(column));
        let Some(test) = design.test(&sums, observed.as_ref()) else {
            trend.status = Status::Missing;
            return Ok((trend, None));
        };
        let total = sums.squares;
        if self.rows.n_slots() > self.rows.n_positions {
            sums.without_covariates(design, self.rows, observed.as_ref().unwrap_or(all));
        }
        let own = match &observed {
            Some(observed) => Some(Smoother::new(smoother.basis().over(&observed.products)?)),
            None => None,
        };
        let smoother = own.as_ref().unwrap_or(smoother);
        let smooth = smoother.fit(&sums.slots[..self.rows.n_positions], sums.squares, sums.n);
        let functions = &smoother.basis().functions;
        let values = smooth.values(functions, sums.mean);
        trend.test = Some(test);
        trend.deviance_explained = (sums.squares - smooth.rest) / total;
        trend.edf = smooth.edf;
        trend.shape = Some(Shape::of(self.domain, &self.supported, &values));
        let curve = self.with_curves.then(|| Curve { errors: smooth.errors(functions), values });
        Ok((trend, curve))
    }

    fn test_counts(
        &self,
        column: Column<'_>,
        model: &CountModel,
    ) -> Result<(Trend, Option<Curve>)> {
        let sums = model.sums(column);
        let mut trend = Trend::untested(sums.n_nonzero, 0, sums.mean);
        trend.status = match sums.n_nonzero {
            0 => Status::Zero,
            n if n < self.n_present => Status::Rare,
            _ => Status::Tested,
        };
        if trend.status != Status::Tested {
            return Ok((trend, None));
        }
        let fit = model.fit(column, &sums)?;
        trend.test = fit.test;
        trend.deviance_explained = fit.deviance_explained;
        trend.edf = fit.edf;
        trend.shape = Some(Shape::of(self.domain, &self.supported, &fit.curve.values));
        Ok((trend, Some(fit.curve)))
    }
}

/// In how many of so many points a feature must be present.
pub(super) fn n_present(n_points: usize) -> usize {
    ((PRESENT_SHARE * n_points as f64).ceil() as usize).max(PRESENT_LEAST)
}

impl Sums {
    /// Whether a feature can be tested that must be present in so many points.
    pub(super) fn status(&self, n_present: usize) -> Status {
        match () {
            () if self.n == 0 => Status::Missing,
            () if self.n_nonzero == 0 => Status::Zero,
            () if self.is_constant() => Status::Constant,
            () if self.n_nonzero < n_present => Status::Rare,
            () => Status::Tested,
        }
    }
}

impl Trend {
    fn untested(n_nonzero: usize, n_missing: usize, mean: f64) -> Self {
        Self {
            n_nonzero,
            n_missing,
            mean,
            test: None,
            q: f64::NAN,
            deviance_explained: f64::NAN,
            shape: None,
            edf: f64::NAN,
            status: Status::Tested,
        }
    }
}

/// The columns of the two models over slots: the mean and the covariates, then these functions of the
/// position. How many the smaller model has comes second.
pub(super) fn columns_of(rows: &Rows<'_>, functions: &Mat<f64>) -> (Mat<f64>, usize) {
    let n_covariates = rows.n_slots() - rows.n_positions;
    let n_smaller = 1 + n_covariates;
    let at = |slot: usize, j: usize| match (slot.checked_sub(rows.n_positions), j) {
        (None, 0) => 1.0,
        (None, j) => j.checked_sub(n_smaller).map_or(0.0, |j| functions[(slot, j)]),
        (Some(covariate), j) if covariate + 1 == j => 1.0,
        (Some(_), _) => 0.0,
    };
    (Mat::from_fn(rows.n_slots(), n_smaller + functions.ncols(), at), n_smaller)
}
