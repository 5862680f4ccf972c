//! Against published figures.

use std::fs;
use std::path::Path;

use super::Scms;
use crate::learn::ridge::Density;
use crate::learn::weighted_rows::WeightedRows;
use crate::learn::{AutoOr, Given, Method};
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
fn the_density_rises_to_the_published_value() {
    let settings = Scms { bandwidth: AutoOr::Fixed(0.01), ..Scms::default() };
    let fitted = settings.fit(&distorted_s(), Given::default(), &mut Silent).unwrap();
    assert!((fitted.trace[0] - 0.130843370).abs() < 1e-9, "{}", fitted.trace[0]);
    assert!((fitted.objective() - 0.209843508).abs() < 1e-9, "{}", fitted.objective());
    assert!(fitted.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-14));
}

#[test]
fn ridge_points_have_the_published_sum() {
    let points = distorted_s();
    let cloud = Cloud::new(&points).unwrap();
    let rows = WeightedRows::new(&cloud).unwrap();
    let bandwidth = 0.01 / cloud.square_unit();
    let density = Density::new(&rows, bandwidth);
    let mut ascent = density.start(rows.x.clone()).unwrap();
    while density.climb(&mut ascent, 1e-10 * bandwidth.sqrt()).unwrap() > 0 {}
    let residual = ascent.step.iter().fold(0.0_f64, |most, &step| most.max(step)) * 2.0 / bandwidth;
    assert!(residual * cloud.scale() < 1e-7, "{residual}");
    let ridge = cloud.to_data(ascent.positions);
    let sum = |column: usize| ridge.rows().map(|row| row[column]).sum::<f64>();
    assert!((sum(0) - 1.548031196).abs() < 1e-8, "{}", sum(0));
    assert!((sum(1) - 11.252051467).abs() < 1e-8, "{}", sum(1));
}
