//! Which features differ between the branches beyond a branch point.

use faer::Mat;
use rayon::prelude::*;

use super::association::{Along, Status, n_present, refuse_few, report};
use super::basis::Basis;
use super::curve::{Curve, Smooth, Smoother};
use super::design::{Design, FTest, Products, Rows, Sums};
use super::discovery::false_discovery_rates;
use super::domain::{Domain, Knots, Position};
use super::table::{Column, FeatureTable};
use crate::error::{Error, Result};
use crate::graph::{Branch, PrincipalGraph};
use crate::observe::Observer;

/// Steps at which branches are compared.
const STEPS: usize = 50;
/// Segments of the path onto which the branches are folded.
const SEGMENTS: usize = 60;
/// Branches differ where their difference exceeds this many standard errors.
const ERRORS: f64 = 2.0;

/// Tests features for differences between the branches beyond a branch point, up to the next branch
/// point or tip.
///
/// The smaller model has one curve of the distance from the branch point, the larger one for each
/// branch, equal at the branch point. All branches are tested together.
#[derive(Clone, Copy, Debug)]
pub struct ForkTest {
    /// The branch point.
    pub node: usize,
    /// The curves of this many features are kept, those with the smallest p-values.
    pub n_curves: usize,
}

/// How a feature differs between branches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForkTrend {
    /// Points beyond the branch point where it is not 0.
    pub n_nonzero: usize,
    /// Points there where it is missing.
    pub n_missing: usize,
    /// Its mean over the points beyond the branch point.
    pub mean: f64,
    /// The test; none if it was not tested.
    pub test: Option<FTest>,
    /// The false discovery rate at which it is a discovery; NaN if it was not tested.
    pub q: f64,
    /// The largest difference between the curves of two branches at the same pseudotime.
    pub difference: f64,
    /// The branch where it is highest, on average over the pseudotime that all branches have.
    pub highest_branch: Option<usize>,
    /// The pseudotime from which the branches that differ most differ by more than two standard
    /// errors, up to where they differ most; NaN if they never do.
    pub begins: f64,
    /// Whether it was tested, or why not.
    pub status: Status,
}

/// How features differ at a branch point.
#[derive(Clone, Debug, PartialEq)]
pub struct ForkTrends {
    /// One per feature.
    pub features: Vec<ForkTrend>,
    /// The branches that are compared, as numbered by [`PrincipalGraph::branches`].
    pub branches: Vec<usize>,
    /// The number of points on each.
    pub n_points: Vec<usize>,
    /// Where the values of curves are.
    pub knots: Knots,
    /// The kept curves, by feature, in the order of their p-values.
    pub curves: Vec<(usize, Curve)>,
}

impl ForkTest {
    /// Tests all features.
    pub fn test(
        &self,
        along: &Along<'_>,
        features: &FeatureTable<'_>,
        watch: &mut dyn Observer,
    ) -> Result<ForkTrends> {
        along.check(features)?;
        let star = Star::of(self.node, along)?;
        let rows = Rows::new(&star.folded, star.n_slots(), along.covariates)?;
        let tester = star.tester(&rows)?;
        let mut found: Vec<ForkTrend> = Vec::with_capacity(features.n_columns());
        let mut curves: Vec<(usize, f64, Curve)> = Vec::new();
        features.each_block(|block| {
            let of = (0..block.len()).into_par_iter().map(|at| tester.test(block.column(at)));
            let results: Result<Vec<(ForkTrend, Option<Curve>)>> = of.collect();
            for (at, (trend, curve)) in results?.into_iter().enumerate() {
                found.push(trend);
                if let (Some(test), Some(curve)) = (trend.test, curve) {
                    curves.push((block.first + at, test.log_p, curve));
                }
            }
            curves.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            curves.truncate(self.n_curves);
            report(watch, found.len(), features.n_columns())
        })?;
        let log_p = |trend: &ForkTrend| trend.test.map_or(f64::NAN, |test| test.log_p);
        let rates = false_discovery_rates(&found.iter().map(log_p).collect::<Vec<_>>());
        found.iter_mut().zip(rates).for_each(|(trend, rate)| trend.q = rate);
        Ok(ForkTrends {
            features: found,
            n_points: star.n_points(),
            knots: star.domain.knots(),
            branches: star.numbers,
            curves: curves.into_iter().map(|(feature, _, curve)| (feature, curve)).collect(),
        })
    }
}

/// The branches beyond a branch point.
struct Star {
    numbers: Vec<usize>,
    /// The branches as a graph of their own.
    domain: Domain,
    /// Each branch from the branch point outward: its knots and their distances.
    outward: Vec<Vec<(usize, f64)>>,
    /// For each point its branch, folded onto a path of its own.
    folded: Vec<Option<Position>>,
    /// The distance from the branch point of each point.
    distances: Vec<Option<f64>>,
    /// The longest branch.
    longest: f64,
    /// The pseudotime of the branch point.
    start: f64,
}

impl Star {
    fn of(node: usize, along: &Along<'_>) -> Result<Self> {
        let graph = along.graph;
        let beyond = beyond(graph, node, along.roots)?;
        let numbers: Vec<usize> = beyond.iter().map(|(number, _)| *number).collect();
        let domain =
            Domain::of_branches(graph, &beyond, along.roots, along.projection, along.keep)?;
        let Some(center) = domain.nodes.iter().position(|&knot| knot == node) else {
            return Err(Error::data(format!("node {node} is not a branch point")));
        };
        let outward: Vec<Vec<(usize, f64)>> =
            numbers.iter().map(|&number| outward(&domain, center, number)).collect();
        let mut star = Self {
            longest: outward
                .iter()
                .filter_map(|knots| knots.last())
                .map(|k| k.1)
                .fold(0.0, f64::max),
            start: domain.times[center],
            numbers,
            outward,
            folded: Vec::new(),
            distances: Vec::new(),
            domain,
        };
        star.fold();
        if let Some(empty) = star.n_points().iter().position(|&n| n == 0) {
            return Err(Error::data(format!(
                "no points are on branch {} beyond node {node}: choose another branch point, or \
                 remove branches without points with `midrib prune`",
                star.numbers[empty]
            )));
        }
        Ok(star)
    }

    /// The distance of each point from the branch point, and its position on the path of its branch.
    fn fold(&mut self) {
        let mut of_segment = std::collections::BTreeMap::new();
        for (branch, outward) in self.outward.iter().enumerate() {
            for ends in outward.windows(2) {
                let (near, far) = (ends[0], ends[1]);
                of_segment.insert((near.0, far.0), (branch, near.1, far.1));
                of_segment.insert((far.0, near.0), (branch, far.1, near.1));
            }
        }
        let located = |position: &Position| {
            let (branch, from, to) = *of_segment.get(&(position.from, position.to))?;
            Some((branch, from + position.share * (to - from)))
        };
        let found = self.domain.rows.iter().map(|row| row.as_ref().and_then(located));
        let found: Vec<Option<(usize, f64)>> = found.collect();
        self.distances = found.iter().map(|at| at.map(|(_, distance)| distance)).collect();
        let path = Domain::straight(self.longest, SEGMENTS, &self.distances);
        let shifted = |(row, at): (&Option<Position>, &Option<(usize, f64)>)| {
            let (mut position, (branch, _)) = (row.as_ref().copied()?, (*at)?);
            position.from += branch * (SEGMENTS + 1);
            position.to += branch * (SEGMENTS + 1);
            Some(position)
        };
        self.folded = path.rows.iter().zip(&found).map(shifted).collect();
    }

    fn n_slots(&self) -> usize {
        self.numbers.len() * (SEGMENTS + 1)
    }

    fn n_points(&self) -> Vec<usize> {
        let mut counts = vec![0; self.numbers.len()];
        for position in self.folded.iter().flatten() {
            counts[position.from / (SEGMENTS + 1)] += 1;
        }
        counts
    }

    fn tester<'a>(&'a self, rows: &'a Rows<'a>) -> Result<Tester<'a>> {
        let path = Domain::straight(self.longest, SEGMENTS, &self.distances);
        let shared = Basis::of(&path)?;
        let (columns, n_smaller) = self.columns(rows, &shared.beside_mean());
        let all = rows.products(|_| true);
        let design = Design::new(columns, n_smaller, &all);
        let named = Domain { name: "the branches beyond the fork".into(), ..self.domain.clone() };
        refuse_few(&named, all.n, design.ranks())?;
        let on_star = Rows::new(&self.domain.rows, self.domain.nodes.len(), &[])?;
        let smoother = Smoother::new(Basis::of(&self.domain)?);
        let comparisons = self.comparisons(smoother.basis());
        let on_star_products = on_star.products(|_| true);
        let n_present = n_present(all.n);
        Ok(Tester {
            star: self,
            rows,
            all,
            design,
            on_star,
            on_star_products,
            smoother,
            comparisons,
            n_present,
        })
    }

    /// The columns of one curve for all branches, then of what each but the first adds to it: nothing
    /// at the branch point.
    fn columns(&self, rows: &Rows<'_>, functions: &Mat<f64>) -> (Mat<f64>, usize) {
        let n_covariates = rows.n_slots() - rows.n_positions;
        let (n, branches) = (functions.ncols(), self.numbers.len());
        let n_smaller = 1 + n_covariates + n;
        let at = |slot: usize, j: usize| {
            // Functions of the position, or a covariate.
            let Some(covariate) = slot.checked_sub(rows.n_positions) else {
                let (branch, knot) = (slot / (SEGMENTS + 1), slot % (SEGMENTS + 1));
                return match j {
                    0 => 1.0,
                    j if j <= n_covariates => 0.0,
                    j if j < n_smaller => functions[(knot, j - 1 - n_covariates)],
                    j if (j - n_smaller) / n + 1 == branch => {
                        let function = (j - n_smaller) % n;
                        functions[(knot, function)] - functions[(0, function)]
                    }
                    _ => 0.0,
                };
            };
            if covariate + 1 == j { 1.0 } else { 0.0 }
        };
        (Mat::from_fn(rows.n_slots(), n_smaller + (branches - 1) * n, at), n_smaller)
    }

    /// The positions that pairs of branches have in common, as combinations of functions.
    fn comparisons(&self, basis: &Basis) -> Vec<Comparison> {
        let values = |branch: usize, distance: f64, j: usize| {
            let outward = &self.outward[branch];
            let far = outward.partition_point(|knot| knot.1 < distance).clamp(1, outward.len() - 1);
            let ((a, from), (b, to)) = (outward[far - 1], outward[far]);
            let share = if to > from { ((distance - from) / (to - from)).min(1.0) } else { 1.0 };
            let functions = &basis.functions;
            functions[(a, j)] + share * (functions[(b, j)] - functions[(a, j)])
        };
        let length = |branch: usize| self.outward[branch].last().map_or(0.0, |knot| knot.1);
        let mut comparisons = Vec::new();
        for second in 0..self.numbers.len() {
            for first in 0..second {
                let step = length(first).min(length(second)) / STEPS as f64;
                let difference = |i: usize, j: usize| {
                    let distance = (i + 1) as f64 * step;
                    values(first, distance, j) - values(second, distance, j)
                };
                let functions = Mat::from_fn(STEPS, basis.len(), difference);
                comparisons.push(Comparison { step, functions });
            }
        }
        comparisons
    }
}

/// Two branches at the same distances from the branch point.
struct Comparison {
    step: f64,
    /// The difference of the functions at each step.
    functions: Mat<f64>,
}

/// The branches that leave a node away from the roots, with their numbers.
fn beyond(graph: &PrincipalGraph, node: usize, roots: &[usize]) -> Result<Vec<(usize, Branch)>> {
    let n = graph.nodes().n_rows();
    if node >= n {
        let last = n.saturating_sub(1);
        return Err(Error::data(format!(
            "fork {node}: there is no such node, the graph has {n} nodes (0 to {last})"
        )));
    }
    if graph.degree(node) < 3 {
        let what = match graph.degree(node) {
            0 => "an isolated node",
            1 => "a tip",
            _ => "in the middle of a branch",
        };
        let points: Vec<String> = graph.branch_points().iter().map(usize::to_string).collect();
        let others = match &points[..] {
            [] => "the graph has no branch points".to_owned(),
            _ => format!("branch points are {}", points.join(", ")),
        };
        return Err(Error::data(format!("fork {node}: this node is {what}; {others}")));
    }
    if roots.is_empty() {
        return Err(Error::data(
            "a fork has branches before and beyond it once the graph has a root: choose one first",
        ));
    }
    let rooted = graph.root(roots)?;
    let time = rooted.node_pseudotime();
    if time[node].is_nan() {
        return Err(Error::data(format!(
            "fork {node}: its component has no root, so it is not known which branches are beyond it"
        )));
    }
    let parent = rooted.parent(node);
    let beyond = |branch: &Branch| {
        let last = branch.nodes.len() - 1;
        let next = match () {
            () if branch.closed => return false,
            () if branch.nodes[0] == node => branch.nodes.get(1),
            () if branch.nodes[last] == node => branch.nodes.get(last - 1),
            () => return false,
        };
        // A loop may lead back to an earlier node.
        next.is_some_and(|&next| Some(next) != parent && rooted.parent(next) == Some(node))
    };
    let found: Vec<(usize, Branch)> =
        graph.branches().into_iter().enumerate().filter(|(_, branch)| beyond(branch)).collect();
    if found.len() < 2 {
        return Err(Error::data(format!(
            "fork {node}: {} begins there, away from the root; two are needed to compare",
            if found.is_empty() { "no branch" } else { "one branch" }
        )));
    }
    Ok(found)
}

/// The knots of a branch from the center outward, and their distances from it.
fn outward(domain: &Domain, center: usize, number: usize) -> Vec<(usize, f64)> {
    let mut found = vec![(center, 0.0)];
    let mut before = None;
    let mut at = center;
    loop {
        let next = domain.segments.iter().enumerate().find(|(index, segment)| {
            let touches = segment.from == at || segment.to == at;
            touches && Some(*index) != before && domain.of_segment[*index] == number
        });
        let Some((index, segment)) = next else { return found };
        let to = if segment.from == at { segment.to } else { segment.from };
        found.push((to, found[found.len() - 1].1 + segment.length));
        (before, at) = (Some(index), to);
    }
}

/// Tests one feature after the other.
struct Tester<'a> {
    star: &'a Star,
    rows: &'a Rows<'a>,
    all: Products,
    design: Design,
    on_star: Rows<'a>,
    on_star_products: Products,
    smoother: Smoother,
    comparisons: Vec<Comparison>,
    n_present: usize,
}

impl Tester<'_> {
    fn test(&self, column: Column<'_>) -> Result<(ForkTrend, Option<Curve>)> {
        let sums = Sums::of(self.rows, column, &self.all);
        let mut trend = ForkTrend {
            n_nonzero: sums.n_nonzero,
            n_missing: sums.n_missing,
            mean: sums.mean,
            test: None,
            q: f64::NAN,
            difference: f64::NAN,
            highest_branch: None,
            begins: f64::NAN,
            status: sums.status(self.n_present),
        };
        if trend.status != Status::Tested {
            return Ok((trend, None));
        }
        let observed = (sums.n_missing > 0).then(|| self.rows.observed(column));
        trend.test = self.design.test(&sums, observed.as_ref());
        if trend.test.is_none() {
            trend.status = Status::Missing;
            return Ok((trend, None));
        }
        let own = match observed {
            Some(_) => {
                let observed = self.on_star.observed(column);
                Some(Smoother::new(self.smoother.basis().over(&observed.products)?))
            }
            None => None,
        };
        let sums = Sums::of(&self.on_star, column, &self.on_star_products);
        let smoother = own.as_ref().unwrap_or(&self.smoother);
        let smooth = smoother.fit(&sums.slots, sums.squares, sums.n);
        let functions = &smoother.basis().functions;
        let values = smooth.values(functions, sums.mean);
        match &own {
            Some(own) => {
                let comparisons = self.star.comparisons(own.basis());
                self.compare(&smooth, &comparisons, &values, &mut trend);
            }
            None => self.compare(&smooth, &self.comparisons, &values, &mut trend),
        }
        Ok((trend, Some(Curve { errors: smooth.errors(functions), values })))
    }

    /// Where the branches differ most, from where on, and which is highest.
    fn compare(
        &self,
        smooth: &Smooth,
        comparisons: &[Comparison],
        values: &[f64],
        trend: &mut ForkTrend,
    ) {
        let star = self.star;
        trend.difference = 0.0;
        for comparison in comparisons {
            let differences = smooth.values(&comparison.functions, 0.0);
            let errors = smooth.errors(&comparison.functions);
            let mut most = 0;
            for step in 0..STEPS {
                if differences[step].abs() > differences[most].abs() {
                    most = step;
                }
            }
            if differences[most].abs() <= trend.difference {
                continue;
            }
            trend.difference = differences[most].abs();
            let differs = |step: &usize| differences[*step].abs() > ERRORS * errors[*step];
            let first = (0..=most).rev().take_while(differs).last();
            trend.begins =
                first.map_or(f64::NAN, |step| star.start + (step + 1) as f64 * comparison.step);
        }
        let mean = |outward: &Vec<(usize, f64)>| mean_until(outward, star.shortest(), values);
        let means: Vec<f64> = star.outward.iter().map(mean).collect();
        let highest = (0..means.len()).max_by(|&a, &b| means[a].total_cmp(&means[b]));
        trend.highest_branch = highest.map(|branch| star.numbers[branch]);
    }
}

impl Star {
    /// The length of the shortest branch.
    fn shortest(&self) -> f64 {
        let lengths = self.outward.iter().filter_map(|outward| outward.last());
        lengths.map(|knot| knot.1).fold(f64::INFINITY, f64::min)
    }
}

/// The mean of values at knots along a line up to a distance.
fn mean_until(outward: &[(usize, f64)], distance: f64, values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for ends in outward.windows(2) {
        let ((a, from), (b, to)) = (ends[0], ends[1]);
        let until = to.min(distance);
        if until <= from {
            break;
        }
        let at_end = values[a] + (until - from) / (to - from) * (values[b] - values[a]);
        sum += 0.5 * (values[a] + at_end) * (until - from);
    }
    sum / distance
}
