//! Against published figures and the plain definition.

use std::fs;
use std::path::Path;

use super::line::Along;
use super::spline::smoothing_spline;
use super::{CurveStructure, PrincipalCurve, Smoother};
use crate::learn::weighted_rows::WeightedRows;
use crate::learn::{AutoOr, Fit, Given, Method};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

fn distorted_s() -> Points<'static> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/distorted_s.csv");
    let text = fs::read_to_string(path).unwrap();
    let row = |line: &str| -> Vec<f64> {
        line.split(',').take(2).map(|value| value.parse().unwrap()).collect()
    };
    Points::from_f64(text.lines().skip(1).flat_map(row).collect::<Vec<_>>(), 2).unwrap()
}

fn fit(settings: &PrincipalCurve, points: &Points<'_>) -> Fit {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

#[test]
fn thirty_rounds_give_the_published_distances() {
    let settings = PrincipalCurve { tol: 0.0, ..PrincipalCurve::default() };
    let fitted = fit(&settings, &distorted_s());
    assert_eq!((fitted.trace.len(), fitted.iterations), (30, 30));
    assert!((fitted.trace[0] - 0.113321058).abs() < 1e-9, "{}", fitted.trace[0]);
    assert!((fitted.objective() - 0.003226968).abs() < 1e-9, "{}", fitted.objective());
    let points = distorted_s();
    let from_object = fitted.object.mean_squared_distance(&points).unwrap();
    assert!((from_object - fitted.objective()).abs() < 1e-12);
}

#[test]
fn a_closed_curve_goes_around_once() {
    let values: Vec<f64> = (0..300)
        .flat_map(|i| {
            let t = f64::from(i);
            let r = 2.0 + 0.1 * (7.0 * t).sin();
            [r * t.cos(), r * t.sin(), 0.3 * (2.0 * t).cos()]
        })
        .collect();
    let points = Points::from_f64(values, 3).unwrap();
    let settings = PrincipalCurve {
        structure: CurveStructure::Closed,
        span: 0.1,
        ..PrincipalCurve::default()
    };
    let fitted = fit(&settings, &points);
    let graph = fitted.graph().unwrap();
    assert_eq!((graph.loops(), graph.tips().len()), (1, 0));
    assert!(fitted.objective() < 0.012, "{}", fitted.objective());
    assert!((graph.length() - 4.0 * std::f64::consts::PI).abs() < 1.0);
}

#[test]
fn a_closed_curve_needs_a_plane() {
    let values: Vec<f64> = (0..10).flat_map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
    let settings =
        PrincipalCurve { structure: CurveStructure::Closed, ..PrincipalCurve::default() };
    let points = Points::from_f64(values, 2).unwrap();
    let message = settings.fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
    assert!(message.contains("the 10 points lie on a line"), "{message}");
}

#[test]
fn a_few_nodes_draw_the_same_curve() {
    let values: Vec<f64> = (0..3000)
        .flat_map(|i| {
            let t = f64::from(i) * 0.618_033_988_75 % 1.0;
            [3.0 * t, (4.0 * t).sin() + 0.05 * f64::from(i * i % 31 - 15) / 15.0]
        })
        .collect();
    let points = Points::from_f64(values, 2).unwrap();
    let all = PrincipalCurve { n_nodes: crate::learn::NodeCount::All, ..Default::default() };
    let (all, few) = (fit(&all, &points), fit(&PrincipalCurve::default(), &points));
    assert!(few.graph().unwrap().nodes().n_rows() <= 1000);
    assert!(all.graph().unwrap().nodes().n_rows() > 1000);
    assert!((all.objective() / few.objective() - 1.0).abs() < 1e-3);
    let ends = |fit: &Fit| {
        let nodes = fit.graph().unwrap().nodes();
        (nodes.row(0).to_vec(), nodes.row(nodes.n_rows() - 1).to_vec())
    };
    assert!(squared_distance(&ends(&all).0, &ends(&few).0) < 1e-4);
    assert!(squared_distance(&ends(&all).1, &ends(&few).1) < 1e-4);
}

/// The same function by its cardinal splines: the penalty of natural splines from dense equations.
#[test]
fn a_spline_reproduces_lines_and_has_its_degrees_of_freedom() {
    let n = 40;
    let lambda: Vec<f64> = (0..n).map(|i| f64::from(i) + 0.3 * f64::from(i % 3)).collect();
    let line: Vec<[f64; 2]> = lambda.iter().map(|l| [2.0 * l, 1.0 - l]).collect();
    let rows =
        WeightedRows { x: Matrix::from_rows(&line).unwrap(), weights: vec![1.0; 40], total: 40.0 };
    let along = Along { lambda: lambda.clone(), period: None, mean_squared: 0.0 };
    let fitted = smoothing_spline(&rows, &along, Some(4.0), 40).unwrap();
    for (found, expected) in fitted.rows().zip(&line) {
        assert!(squared_distance(found, expected) < 1e-16);
    }
    // The smoother is linear: its trace is the sum of its answers to unit vectors.
    let trace: f64 = (0..40)
        .map(|i| {
            let mut x = Matrix::zeros(40, 1);
            x.row_mut(i)[0] = 1.0;
            let rows = WeightedRows { x, weights: vec![1.0; 40], total: 40.0 };
            smoothing_spline(&rows, &along, Some(7.5), 40).unwrap().row(i)[0]
        })
        .sum();
    assert!((trace - 7.5).abs() < 1e-6, "{trace}");
}

#[test]
fn splines_learn_open_and_closed_curves() {
    let settings = PrincipalCurve { smoother: Smoother::Spline, ..PrincipalCurve::default() };
    let fitted = fit(&settings, &distorted_s());
    assert!(fitted.objective() < 0.006, "{}", fitted.objective());
    let values: Vec<f64> = (0..200)
        .flat_map(|i| {
            let t = f64::from(i);
            let r = 2.0 + 0.1 * (7.0 * t).sin();
            [r * t.cos(), r * t.sin()]
        })
        .collect();
    let closed = PrincipalCurve {
        structure: CurveStructure::Closed,
        degrees_of_freedom: AutoOr::Fixed(9.0),
        ..settings
    };
    let fitted = fit(&closed, &Points::from_f64(values, 2).unwrap());
    assert_eq!(fitted.graph().unwrap().loops(), 1);
    assert!(fitted.objective() < 0.01, "{}", fitted.objective());
    for node in fitted.graph().unwrap().nodes().rows() {
        let radius = node[0].hypot(node[1]);
        assert!((radius - 2.0).abs() < 0.1, "{radius}");
    }
}

#[test]
fn a_surface_bends_to_the_points() {
    let values: Vec<f64> = (0..900)
        .flat_map(|i| {
            let (u, v) = (f64::from(i % 30) / 15.0 - 1.0, f64::from(i / 30) / 15.0 - 1.0);
            [u, v, u * u - 0.5 * v * v + 0.02 * f64::from(i * i % 31 - 15) / 15.0]
        })
        .collect();
    let points = Points::from_f64(values, 3).unwrap();
    let settings =
        PrincipalCurve { structure: CurveStructure::Surface, span: 0.05, ..Default::default() };
    let fitted = fit(&settings, &points);
    assert!(fitted.objective() < 0.03 * fitted.trace[0], "{:?}", fitted.trace);
    assert!(fitted.object.surface().is_some());
    let distance = fitted.object.mean_squared_distance(&points).unwrap();
    assert!((distance - fitted.objective()).abs() < 1e-10);
}

/// Rounds by the definition: projections onto every segment, and regressions over all points.
#[test]
fn rounds_are_those_of_the_definition() {
    let text = include_str!("../../../tests/data/circle.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    let values: Vec<f64> = cells.map(|x| x.parse().unwrap()).collect();
    let rows: Vec<&[f64]> = values.chunks(2).collect();
    let mean = [0, 1].map(|d| rows.iter().map(|x| x[d]).sum::<f64>() / 100.0);
    let product = |a: usize, b: usize| -> f64 {
        rows.iter().map(|x| (x[a] - mean[a]) * (x[b] - mean[b])).sum()
    };
    let angle = 0.5 * (2.0 * product(0, 1)).atan2(product(0, 0) - product(1, 1));
    let score = |x: &&[f64]| (x[0] - mean[0]) * angle.cos() + (x[1] - mean[1]) * angle.sin();
    let at = |t: f64| [mean[0] + t * angle.cos(), mean[1] + t * angle.sin()];
    let low = rows.iter().map(score).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(score).fold(f64::NEG_INFINITY, f64::max);
    let mut line = vec![at(low), at(high)];
    let settings = PrincipalCurve { tol: 0.0, max_iter: 8, ..PrincipalCurve::default() };
    let fitted = fit(&settings, &Points::from_f64(values.clone(), 2).unwrap());
    for (round, found) in fitted.trace.iter().enumerate() {
        let project = |x: &&[f64]| {
            let (mut best, mut passed) = ((f64::INFINITY, 0.0), 0.0);
            for ends in line.windows(2) {
                let side = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
                let length = side[0].hypot(side[1]);
                let from = [x[0] - ends[0][0], x[1] - ends[0][1]];
                let t =
                    ((from[0] * side[0] + from[1] * side[1]) / (length * length)).clamp(0.0, 1.0);
                let squared = squared_distance(&from, &[t * side[0], t * side[1]]);
                if squared < best.0 {
                    best = (squared, passed + t * length);
                }
                passed += length;
            }
            best
        };
        let feet: Vec<(f64, f64)> = rows.iter().map(project).collect();
        let expected = feet.iter().map(|foot| foot.0).sum::<f64>() / 100.0;
        assert!((found - expected).abs() < 1e-8, "round {round}: {found} {expected}");
        let smoothed = |at: f64| {
            let mut away: Vec<f64> = feet.iter().map(|foot| (foot.1 - at).abs()).collect();
            away.sort_by(f64::total_cmp);
            let h = away[19];
            let weight = |l: f64| (1.0 - ((l - at).abs() / h).powi(3)).max(0.0).powi(3);
            let sum = |of: &dyn Fn(f64, &[f64]) -> f64| -> f64 {
                feet.iter().zip(&rows).map(|(foot, x)| weight(foot.1) * of(foot.1 - at, x)).sum()
            };
            let (one, l, ll) = (sum(&|_, _| 1.0), sum(&|l, _| l), sum(&|l, _| l * l));
            // The intercept of the regression, by Cramer's rule.
            [0, 1].map(|d| {
                let (x, lx) = (sum(&|_, x| x[d]), sum(&|l, x| l * x[d]));
                (x * ll - lx * l) / (one * ll - l * l)
            })
        };
        let mut lambda: Vec<f64> = feet.iter().map(|foot| foot.1).collect();
        lambda.sort_by(f64::total_cmp);
        lambda.dedup();
        line = lambda.into_iter().map(smoothed).collect();
    }
}
