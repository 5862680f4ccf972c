//! Against published figures and differences.

use std::fs;
use std::path::Path;

use super::Polyline;
use super::energy::{Energy, project};
use crate::learn::weighted_rows::WeightedRows;
use crate::learn::{Given, Method, NodeCount};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::{Cloud, Points};

fn distorted_s() -> Points<'static> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/distorted_s.csv");
    let text = fs::read_to_string(path).unwrap();
    let row = |line: &str| -> Vec<f64> {
        line.split(',').take(2).map(|value| value.parse().unwrap()).collect()
    };
    Points::from_f64(text.lines().skip(1).flat_map(row).collect::<Vec<_>>(), 2).unwrap()
}

#[test]
fn objectives_are_at_most_the_published_ones() {
    let fitted = Polyline::default().fit(&distorted_s(), Given::default(), &mut Silent).unwrap();
    assert!((fitted.trace[0] - 0.1505146898).abs() < 1e-9, "{}", fitted.trace[0]);
    assert!((fitted.trace[1] - 0.1435120776).abs() < 1e-9, "{}", fitted.trace[1]);
    assert!(fitted.trace.len() > 37, "{}", fitted.trace.len());
    assert!(fitted.trace[37] <= 0.0050326849, "{}", fitted.trace[37]);
    let distance = fitted.object.mean_squared_distance(&distorted_s()).unwrap();
    assert!(distance <= 0.0020106485, "{distance}");
}

#[test]
fn a_number_of_nodes_is_honored() {
    let settings = Polyline { n_nodes: NodeCount::Exactly(6), ..Polyline::default() };
    let fitted = settings.fit(&distorted_s(), Given::default(), &mut Silent).unwrap();
    assert_eq!((fitted.graph().unwrap().nodes().n_rows(), fitted.iterations), (6, 5));
}

#[test]
fn the_slope_is_that_of_the_energy() {
    let points = distorted_s();
    let cloud = Cloud::new(&points).unwrap();
    let rows = WeightedRows::new(&cloud).unwrap();
    let nodes = Matrix::from_rows(&[[-0.4, 0.1], [-0.1, 0.3], [0.2, -0.2], [0.4, 0.1]]).unwrap();
    let segment = project(&rows, &nodes).unwrap().segment;
    let energy = Energy { rows: &rows, segment: &segment, weight: 0.1, squared_radius: 0.7 };
    let (_, slope) = energy.at(&nodes);
    for at in 0..8 {
        let value = |by: f64| {
            let mut moved = nodes.clone();
            moved.as_mut_slice()[at] += by;
            energy.at(&moved).0
        };
        let difference = (value(1e-6) - value(-1e-6)) / 2e-6;
        assert!((difference - slope.as_slice()[at]).abs() < 1e-5, "{at}: {difference}");
    }
}

/// U by its definition, at which no vertex can be moved to lower it.
#[test]
fn the_line_is_a_least_value_of_the_definition() {
    let text = include_str!("../../../tests/data/circle.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    let values: Vec<f64> = cells.map(|x| x.parse().unwrap()).collect();
    let rows: Vec<&[f64]> = values.chunks(2).collect();
    let mean = [0, 1].map(|d| rows.iter().map(|x| x[d]).sum::<f64>() / 100.0);
    let squared = |x: &&[f64]| (x[0] - mean[0]).powi(2) + (x[1] - mean[1]).powi(2);
    let radius = rows.iter().map(squared).fold(0.0, f64::max).sqrt();
    let side = |a: &[f64], b: &[f64]| [b[0] - a[0], b[1] - a[1]];
    let product = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let distance = |nodes: &[Vec<f64>]| {
        let nearest = |x: &&[f64]| {
            let of = |ends: &[Vec<f64>]| {
                let (along, from) = (side(&ends[0], &ends[1]), side(&ends[0], x));
                let t = (product(along, from) / product(along, along)).clamp(0.0, 1.0);
                (from[0] - t * along[0]).powi(2) + (from[1] - t * along[1]).powi(2)
            };
            nodes.windows(2).map(of).fold(f64::INFINITY, f64::min)
        };
        rows.iter().map(nearest).sum::<f64>() / 100.0
    };
    let penalty = |nodes: &[Vec<f64>]| {
        let sides: Vec<[f64; 2]> = nodes.windows(2).map(|ends| side(&ends[0], &ends[1])).collect();
        let size = |s: &[f64; 2]| product(*s, *s).sqrt();
        let turn =
            |two: &[[f64; 2]]| 1.0 - product(two[0], two[1]) / (size(&two[0]) * size(&two[1]));
        let ends =
            product(sides[0], sides[0]) + product(sides[sides.len() - 1], sides[sides.len() - 1]);
        ends + radius * radius * sides.windows(2).map(turn).sum::<f64>()
    };
    let lines: Vec<(Vec<Vec<f64>>, f64)> = [6, 7]
        .map(|n| {
            let settings =
                Polyline { n_nodes: NodeCount::Exactly(n), tol: 1e-14, ..Polyline::default() };
            let points = Points::from_f64(values.clone(), 2).unwrap();
            let fitted = settings.fit(&points, Given::default(), &mut Silent).unwrap();
            let nodes = fitted.graph().unwrap().nodes().rows().map(<[f64]>::to_vec).collect();
            (nodes, fitted.objective())
        })
        .into();
    // λ of six segments follows from the line of five.
    let root = distance(&lines[0].0).sqrt();
    let weight = 0.13 * 6.0 / 7.0 * root / (100.0_f64.cbrt() * radius);
    let u = |nodes: &[Vec<f64>]| distance(nodes) + weight * penalty(nodes);
    let (nodes, found) = &lines[1];
    assert!((u(nodes) - found).abs() < 1e-10, "{} {found}", u(nodes));
    for at in 0..14 {
        for by in [-1e-4, 1e-4] {
            let mut moved = nodes.clone();
            moved[at / 2][at % 2] += by;
            assert!(u(&moved) > u(nodes), "{at} {by}");
        }
    }
}
