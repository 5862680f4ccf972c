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

/// Steps by the definition: sums over all points, and the directions of a Hessian in the plane.
#[test]
fn steps_are_those_of_the_definition() {
    let text = include_str!("../../../tests/data/circle.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    let values: Vec<f64> = cells.map(|x| x.parse().unwrap()).collect();
    let rows: Vec<&[f64]> = values.chunks(2).collect();
    let sigma = 0.05;
    // The log density at x, and the shift across the ridge.
    let look = |x: &[f64; 2]| {
        let (mut total, mut mean, mut squares) = (0.0, [0.0; 2], [0.0; 3]);
        for row in &rows {
            let u = [row[0] - x[0], row[1] - x[1]];
            let c = (-(u[0] * u[0] + u[1] * u[1]) / sigma).exp();
            total += c;
            [0, 1].iter().for_each(|&d| mean[d] += c * u[d]);
            squares[0] += c * u[0] * u[0];
            squares[1] += c * u[0] * u[1];
            squares[2] += c * u[1] * u[1];
        }
        let shift = mean.map(|m| m / total);
        // The Hessian of log p, up to a factor and a multiple of the identity.
        let of = |s: f64, a: usize, b: usize| s / total - shift[a] * shift[b];
        let (xx, xy, yy) = (of(squares[0], 0, 0), of(squares[1], 0, 1), of(squares[2], 1, 1));
        let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
        let across = [-angle.sin(), angle.cos()];
        let along = shift[0] * across[0] + shift[1] * across[1];
        let log_density = (total / (100.0 * std::f64::consts::PI * sigma)).ln();
        (log_density, across.map(|a| a * along))
    };
    let settings = Scms { bandwidth: AutoOr::Fixed(sigma), max_iter: 12, ..Scms::default() };
    let points = Points::from_f64(values.clone(), 2).unwrap();
    let fitted = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    let mut positions: Vec<[f64; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    for (step, found) in fitted.trace.iter().enumerate() {
        let expected = positions.iter().map(|x| look(x).0).sum::<f64>() / 100.0;
        assert!((found - expected).abs() < 1e-9, "step {step}: {found} {expected}");
        for x in &mut positions {
            let shift = look(x).1;
            *x = [x[0] + shift[0], x[1] + shift[1]];
        }
    }
}
