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
