//! Whole tests: calibration, power, agreement of layouts, bad input.

use super::*;
use crate::graph::{PrincipalGraph, Projection};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::Points;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers for features.
struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    fn unit(&mut self) -> f64 {
        self.0.random()
    }

    fn gaussian(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    fn poisson(&mut self, rate: f64) -> f64 {
        let mut time = -(1.0 - self.unit()).ln();
        let mut count = 0.0;
        while time < rate {
            count += 1.0;
            time -= (1.0 - self.unit()).ln();
        }
        count
    }
}

/// The segments of a plane graph divided into pieces.
fn graph_of(lines: &[([f64; 2], [f64; 2])], pieces: usize) -> PrincipalGraph {
    let mut rows: Vec<[f64; 2]> = Vec::new();
    let mut edges = Vec::new();
    let mut node = |at: [f64; 2]| {
        let near = |row: &[f64; 2]| (row[0] - at[0]).abs() + (row[1] - at[1]).abs() < 1e-9;
        rows.iter().position(near).unwrap_or_else(|| {
            rows.push(at);
            rows.len() - 1
        })
    };
    for (from, to) in lines {
        for i in 0..pieces {
            let at = |i: usize| {
                let share = i as f64 / pieces as f64;
                [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
            };
            let (a, b) = (node(at(i)), node(at(i + 1)));
            edges.push((a, b, 1.0));
        }
    }
    let n = rows.len();
    PrincipalGraph::new(Matrix::from_rows(&rows).unwrap(), &edges, vec![1.0; n]).unwrap()
}

/// A fork: a trunk from the left, two arms to the right. Node 0 is the root.
fn fork() -> PrincipalGraph {
    let center = [1.0, 0.0];
    graph_of(&[([0.0, 0.0], center), (center, [2.0, 1.0]), (center, [2.0, -1.0])], 10)
}

/// Points on the edges of a graph, denser where the first coordinate is small if `skew` is above 1.
fn points_on(graph: &PrincipalGraph, n: usize, skew: f64, random: &mut Random) -> Projection {
    let mut values = Vec::new();
    while values.len() < 2 * n {
        let edge = graph.edges()[(random.unit() * graph.edges().len() as f64) as usize];
        let share = random.unit();
        let (a, b) = (graph.nodes().row(edge.a), graph.nodes().row(edge.b));
        let at = [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
        if random.unit() < skew.powf(-at[0].abs()) {
            values.extend(at);
        }
    }
    graph.project(&Points::from_f64(values, 2).unwrap()).unwrap()
}

fn along<'a>(graph: &'a PrincipalGraph, projection: &'a Projection) -> Along<'a> {
    Along { graph, projection, roots: &[0], keep: None, covariates: &[] }
}

fn dense(n: usize, values: &[f64]) -> FeatureTable<'_> {
    let columns = values.len() / n;
    FeatureTable::new(n, columns, Layout::Dense, Numbers::Double(values)).unwrap()
}

/// The share of p-values below 0.05.
fn rejected(trends: &Trends) -> f64 {
    let below = trends.features.iter().filter(|t| t.test.unwrap().log_p < 0.05_f64.ln());
    below.count() as f64 / trends.features.len() as f64
}

const NULLS: usize = 2000;

#[test]
fn null_features_are_rejected_as_often_as_they_should_be() {
    let ring: Vec<_> = (0..12)
        .map(|i| {
            let at = |i: i32| {
                let angle = std::f64::consts::TAU * f64::from(i % 12) / 12.0;
                [angle.cos(), angle.sin()]
            };
            (at(i), at(i + 1))
        })
        .collect();
    let path = graph_of(&[([0.0, 0.0], [2.0, 0.0])], 20);
    for (graph, degrees) in [(path, 5), (fork(), 8), (graph_of(&ring, 2), 8)] {
        for skew in [1.0, 8.0] {
            let mut random = Random::new(7 + degrees as u64);
            let n = 250;
            let projection = points_on(&graph, n, skew, &mut random);
            let values: Vec<f64> = (0..n * NULLS).map(|_| random.gaussian()).collect();
            let place = along(&graph, &projection);
            let found = Association::default().test(&place, &dense(n, &values), &mut Silent);
            let found = found.unwrap();
            assert_eq!(found.features[0].test.unwrap().df1, (degrees - 1) as f64);
            let share = rejected(&found);
            assert!((0.04..=0.06).contains(&share), "{degrees} {skew}: {share}");
        }
    }
}

#[test]
fn null_counts_are_rejected_as_often_as_they_should_be() {
    let graph = fork();
    let n = 400;
    for (dispersion, skew) in [(0.0, 1.0), (0.5, 1.0), (0.5, 6.0)] {
        let mut random = Random::new(11);
        let projection = points_on(&graph, n, skew, &mut random);
        let sizes: Vec<f64> = (0..n).map(|_| 0.5 + random.unit()).collect();
        let mut values = vec![0.0; n * NULLS];
        for (at, value) in values.iter_mut().enumerate() {
            // A gamma rate of shape 2 is the sum of two waiting times.
            let waits = -((1.0 - random.unit()) * (1.0 - random.unit())).ln() / 2.0;
            let rate = if dispersion > 0.0 { waits } else { 1.0 };
            *value = random.poisson(3.0 * rate * sizes[at / NULLS]);
        }
        let noise = Noise::Counts { sizes };
        let association = Association { noise, ..Association::default() };
        let place = along(&graph, &projection);
        let found = association.test(&place, &dense(n, &values), &mut Silent).unwrap();
        let share = rejected(&found);
        assert!((0.04..=0.06).contains(&share), "{dispersion} {skew}: {share}");
    }
}

#[test]
fn a_bump_on_one_branch_is_found() {
    let graph = fork();
    let mut random = Random::new(3);
    let (n, d) = (2000, 60);
    let projection = points_on(&graph, n, 1.0, &mut random);
    let branch = projection.branch(&graph);
    let time = graph.root(&[0]).unwrap().pseudotime(&projection).unwrap();
    let bump = |i: usize| {
        let on = branch[i] == 1;
        if on { (-((time[i] - 1.7) / 0.25).powi(2)).exp() } else { 0.0 }
    };
    let values: Vec<f64> = (0..n * d).map(|at| bump(at / d) + random.gaussian()).collect();
    let place = along(&graph, &projection);
    let table = dense(n, &values);
    let settings = Association { n_curves: 5, ..Association::default() };
    let found = settings.test(&place, &table, &mut Silent).unwrap();
    let sure = found.features.iter().filter(|trend| trend.q < 0.05).count();
    assert!(sure * 10 >= d * 9, "{sure}");
    let on = found.features.iter().filter(|t| t.shape.unwrap().peak_branch == 1).count();
    assert!(on * 10 >= d * 9, "{on}");
    assert_eq!(found.curves.len(), 5);

    let fork = ForkTest { node: graph.branch_points()[0], n_curves: 0 };
    let found = fork.test(&place, &table, &mut Silent).unwrap();
    assert_eq!(found.branches, [1, 2]);
    let right = found.features.iter().filter(|t| t.q < 0.05 && t.highest_branch == Some(1));
    assert!(right.count() * 10 >= d * 9);
    let mut begins: Vec<f64> =
        found.features.iter().map(|t| t.begins).filter(|t| t.is_finite()).collect();
    begins.sort_by(f64::total_cmp);
    let middle = begins[begins.len() / 2];
    assert!((1.0..1.7).contains(&middle), "{middle}");
}

#[test]
fn forks_without_a_difference_are_rejected_as_often_as_they_should_be() {
    let graph = fork();
    let mut random = Random::new(19);
    let n = 300;
    let projection = points_on(&graph, n, 3.0, &mut random);
    let time = graph.root(&[0]).unwrap().pseudotime(&projection).unwrap();
    // Both arms rise alike.
    let values: Vec<f64> = (0..n * NULLS).map(|at| time[at / NULLS] + random.gaussian()).collect();
    let test = ForkTest { node: graph.branch_points()[0], n_curves: 0 };
    let found = test.test(&along(&graph, &projection), &dense(n, &values), &mut Silent).unwrap();
    let below = found.features.iter().filter(|t| t.test.unwrap().log_p < 0.05_f64.ln()).count();
    let share = below as f64 / NULLS as f64;
    assert!((0.04..=0.06).contains(&share), "{share}");
    assert_eq!(found.features[0].test.unwrap().df1, 4.0);
}

#[test]
fn layouts_give_the_same_trends() {
    let graph = fork();
    let mut random = Random::new(23);
    let (n, d) = (200, 40);
    let projection = points_on(&graph, n, 1.0, &mut random);
    let values: Vec<f64> =
        (0..n * d).map(|_| if random.unit() < 0.3 { random.poisson(4.0) } else { 0.0 }).collect();
    let (mut starts, mut indices, mut stored) = (vec![0], Vec::new(), Vec::new());
    for column in 0..d {
        for row in 0..n {
            let value = values[row * d + column];
            if value != 0.0 {
                indices.push(row as u32);
                stored.push(value as f32);
            }
        }
        starts.push(stored.len() as u64);
    }
    let layout = Layout::Columns { starts: &starts, indices: &indices };
    let sparse = FeatureTable::new(n, d, layout, Numbers::Single(&stored)).unwrap();
    let place = along(&graph, &projection);
    let association = Association { n_curves: 3, ..Association::default() };
    let one = association.test(&place, &dense(n, &values), &mut Silent).unwrap();
    let other = association.test(&place, &sparse, &mut Silent).unwrap();
    for (a, b) in one.features.iter().zip(&other.features) {
        let (f, g) = (a.test.unwrap(), b.test.unwrap());
        assert!((f.log_p - g.log_p).abs() < 1e-9 * (1.0 + f.log_p.abs()));
        assert!((a.edf - b.edf).abs() < 1e-4 * a.edf);
        assert_eq!((a.n_nonzero, a.status), (b.n_nonzero, b.status));
    }
    assert_eq!(one.curves[0].0, other.curves[0].0);
}

#[test]
fn missing_values_are_left_out_by_feature() {
    let graph = graph_of(&[([0.0, 0.0], [1.0, 0.0])], 10);
    let mut random = Random::new(29);
    let n = 120;
    let projection = points_on(&graph, n, 1.0, &mut random);
    let x: Vec<f64> = (0..n).map(|i| projection.coordinates(&graph, i)[0]).collect();
    let full: Vec<f64> = x.iter().map(|x| x * x + 0.3 * random.gaussian()).collect();
    let mut gaps = full.clone();
    (0..n).step_by(3).for_each(|i| gaps[i] = f64::NAN);
    let place = along(&graph, &projection);
    let found = Association::default().test(&place, &dense(n, &gaps), &mut Silent).unwrap();
    // The same as without those points.
    let keep: Vec<bool> = gaps.iter().map(|x| !x.is_nan()).collect();
    let kept = Along { keep: Some(&keep), ..place };
    let expected = Association::default().test(&kept, &dense(n, &full), &mut Silent).unwrap();
    let (found, expected) = (found.features[0], expected.features[0]);
    assert_eq!((found.n_missing, expected.n_missing), (40, 0));
    assert!((found.mean - expected.mean).abs() < 1e-12);
    // The smooth functions are those of all points, so the two tests differ a little.
    let (f, g) = (found.test.unwrap(), expected.test.unwrap());
    assert_eq!((f.df1, f.df2), (g.df1, g.df2));
    assert!((f.f / g.f - 1.0).abs() < 0.1, "{} {}", f.f, g.f);
    assert!((found.edf - expected.edf).abs() < 0.2, "{} {}", found.edf, expected.edf);
}

#[test]
fn covariates_are_adjusted_for() {
    let graph = fork();
    let mut random = Random::new(31);
    let n = 400;
    let projection = points_on(&graph, n, 1.0, &mut random);
    let time = graph.root(&[0]).unwrap().pseudotime(&projection).unwrap();
    // Later points are more often of the second batch, which has higher values of all features.
    let batch: Vec<u32> = time.iter().map(|t| u32::from(random.unit() < t / 2.4)).collect();
    let values: Vec<f64> =
        (0..n * NULLS).map(|at| 2.0 * f64::from(batch[at / NULLS]) + random.gaussian()).collect();
    let place = along(&graph, &projection);
    let table = dense(n, &values);
    let naive = Association::default().test(&place, &table, &mut Silent).unwrap();
    assert!(rejected(&naive) > 0.99);
    let covariates = [Covariate::Groups(batch)];
    let adjusted = Along { covariates: &covariates, ..place };
    let found = Association::default().test(&adjusted, &table, &mut Silent).unwrap();
    let share = rejected(&found);
    assert!((0.04..=0.06).contains(&share), "{share}");
    assert_eq!(found.features[0].test.unwrap().df2, (n - 9) as f64);
    let mean = |f: fn(&Trend) -> f64| found.features.iter().map(f).sum::<f64>() / NULLS as f64;
    assert!(mean(|trend| trend.deviance_explained) < 0.03);
}

#[test]
fn samples_are_permuted_not_points() {
    let graph = graph_of(&[([0.0, 0.0], [1.0, 0.0])], 10);
    let mut random = Random::new(37);
    let (n, d) = (600, 400);
    let projection = points_on(&graph, n, 1.0, &mut random);
    let samples: Vec<String> = (0..n).map(|i| format!("s{}", i % 10)).collect();
    let condition = |sample: usize| if sample < 5 { "a" } else { "b" };
    let conditions: Vec<String> = (0..n).map(|i| condition(i % 10).to_owned()).collect();
    // Donors differ, and the last features differ by condition as well.
    let of_sample: Vec<f64> = (0..10 * d).map(|_| random.gaussian()).collect();
    let values: Vec<f64> = (0..n * d)
        .map(|at| {
            let (i, j) = (at / d, at % d);
            let effect = if j >= d - 40 && i % 10 >= 5 { 4.0 } else { 0.0 };
            effect + of_sample[(i % 10) * d + j] + random.gaussian()
        })
        .collect();
    let test =
        Conditions { region: Region::Whole, conditions, samples, permutations: 999, seed: 1 };
    let place = along(&graph, &projection);
    let found = test.test(&place, &dense(n, &values), &mut Silent).unwrap();
    assert_eq!((found.permutations, &found.n_samples[..]), (252, &[5, 5][..]));
    let null = &found.features[..d - 40];
    let share = null.iter().filter(|t| t.p < 0.05).count() as f64 / null.len() as f64;
    assert!(share < 0.08, "{share}");
    let changed = &found.features[d - 40..];
    assert!(changed.iter().filter(|t| t.p < 0.05).count() >= 30);
    assert!(changed.iter().all(|t| t.means[1] - t.means[0] > 1.0));
    assert_eq!(found.branches, [0]);
    assert!((found.shares.row(0)[0] - 1.0).abs() < 1e-12);

    // With two samples there are effects, and no p-values.
    let few = Conditions {
        samples: (0..n).map(|i| format!("s{}", i % 10 / 5)).collect(),
        ..test.clone()
    };
    let found = few.test(&place, &dense(n, &values), &mut Silent).unwrap();
    assert_eq!(found.permutations, 0);
    assert!(found.features[d - 1].p.is_nan() && found.features[d - 1].difference > 1.0);
    let mixed = Conditions { samples: vec!["s".into(); n], ..test };
    let refused = mixed.test(&place, &dense(n, &values), &mut Silent).unwrap_err().to_string();
    assert!(refused.contains("sample s has points of the conditions"), "{refused}");
}

#[test]
fn what_cannot_be_tested_is_named() {
    let graph = fork();
    let mut random = Random::new(41);
    let n = 60;
    let projection = points_on(&graph, n, 1.0, &mut random);
    let mut values = vec![0.0; n * 5];
    for (i, row) in values.chunks_exact_mut(5).enumerate() {
        let some = if i < 6 { 1.0 } else { 0.0 };
        row.copy_from_slice(&[random.gaussian(), 3.5, 0.0, some, f64::NAN]);
    }
    let place = along(&graph, &projection);
    let found = Association::default().test(&place, &dense(n, &values), &mut Silent).unwrap();
    let status: Vec<&str> = found.features.iter().map(|trend| trend.status.name()).collect();
    assert_eq!(status, ["tested", "constant", "zero", "rare", "missing"]);
    assert!(found.features[1..].iter().all(|trend| trend.test.is_none() && trend.q.is_nan()));

    let one = dense(n, &values[..n]);
    let refused = |region: Region, place: &Along<'_>| {
        let test = Association { region, ..Association::default() };
        test.test(place, &one, &mut Silent).unwrap_err().to_string()
    };
    assert!(refused(Region::Branch(7), &place).contains("branch 7: there is no such branch"));
    let none = vec![false; n];
    let without = Along { keep: Some(&none), ..place.clone() };
    assert!(refused(Region::Whole, &without).contains("no points are on the graph"));
    let keep: Vec<bool> = (0..n).map(|i| i < 9).collect();
    let few = Along { keep: Some(&keep), ..place.clone() };
    let message = refused(Region::Whole, &few);
    assert!(message.contains("9 points are on the graph, and a test with 8"), "{message}");

    let fork = |node: usize, roots: &[usize]| {
        let place = Along { roots, ..place.clone() };
        let test = ForkTest { node, n_curves: 0 };
        test.test(&place, &one, &mut Silent).unwrap_err().to_string()
    };
    assert!(fork(0, &[0]).contains("fork 0: this node is a tip; branch points are 10"));
    assert!(fork(3, &[0]).contains("in the middle of a branch"));
    assert!(fork(99, &[0]).contains("no such node"));
    assert!(fork(10, &[]).contains("choose one first"));
}

#[test]
fn the_statistic_is_that_of_least_squares() {
    use faer::linalg::solvers::Solve;
    let graph = fork();
    let mut random = Random::new(43);
    let n = 150;
    let projection = points_on(&graph, n, 2.0, &mut random);
    let values: Vec<f64> = (0..n).map(|_| 100.0 + random.gaussian()).collect();
    let place = along(&graph, &projection);
    let found = Association::default().test(&place, &dense(n, &values), &mut Silent).unwrap();
    let domain = place.domain(&Region::Whole).unwrap();
    let basis = super::basis::Basis::of(&domain).unwrap();
    let design = faer::Mat::from_fn(n, basis.tested, |i, j| {
        let weights = domain.rows[i].unwrap().weights();
        weights.iter().map(|&(knot, w)| w * basis.functions[(knot, j)]).sum::<f64>()
    });
    let y = faer::Mat::from_fn(n, 1, |i, _| values[i]);
    let gram = design.transpose() * &design;
    let fitted = &design * gram.llt(faer::Side::Lower).unwrap().solve(design.transpose() * &y);
    let mean = values.iter().sum::<f64>() / n as f64;
    let rest: f64 = (0..n).map(|i| (values[i] - fitted[(i, 0)]).powi(2)).sum();
    let total: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
    let expected = (total - rest) / 7.0 / (rest / (n - 8) as f64);
    let test = found.features[0].test.unwrap();
    assert!((test.f / expected - 1.0).abs() < 1e-8, "{} {expected}", test.f);
    assert_eq!((test.df1, test.df2), (7.0, (n - 8) as f64));
}
