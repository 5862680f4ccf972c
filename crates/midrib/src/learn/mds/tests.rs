//! Against known maps, and the fall of the stress.

use super::{Algorithm, Mds};
use crate::distances::Distances;
use crate::learn::{Fit, Given, Method};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

/// Points of a plane in three dimensions.
fn plane(n: usize) -> Matrix {
    let mut rows = Matrix::zeros(n, 3);
    for i in 0..n {
        let (u, v) = ((i as f64 * 0.618).fract(), (i as f64 * 0.414).fract());
        rows.row_mut(i).copy_from_slice(&[2.0 * u, u + v, v - 3.0]);
    }
    rows
}

fn distances(rows: &Matrix, length: impl Fn(f64) -> f64) -> Distances {
    let n = rows.n_rows();
    let mut matrix = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            matrix.row_mut(i)[j] = length(squared_distance(rows.row(i), rows.row(j)).sqrt());
        }
    }
    Distances::new(matrix).unwrap()
}

fn fit(settings: &Mds, rows: &Matrix) -> Fit {
    let points = Points::from_f64(rows.as_slice(), rows.n_cols()).unwrap();
    settings.fit(&points, Given::default(), &mut Silent).unwrap()
}

fn assert_kept(rows: &Matrix, fit: &Fit, tolerance: f64) {
    let z = &fit.object.embedding().unwrap().coordinates;
    for i in (0..rows.n_rows()).step_by(7) {
        for j in (0..rows.n_rows()).step_by(11) {
            let expected = squared_distance(rows.row(i), rows.row(j)).sqrt();
            let found = squared_distance(z.row(i), z.row(j)).sqrt();
            assert!((expected - found).abs() < tolerance, "{expected} {found}");
        }
    }
}

#[test]
fn a_plane_is_mapped_without_stress_from_points_and_distances() {
    for algorithm in [Algorithm::Classical, Algorithm::Smacof] {
        let settings = Mds { algorithm, ..Mds::default() };
        for n in [60, 5100] {
            assert_kept(&plane(n), &fit(&settings, &plane(n)), 1e-7);
        }
        let given = distances(&plane(60), |d| d);
        let fit = settings.fit_distances(&given, Given::default(), &mut Silent).unwrap();
        assert_kept(&plane(60), &fit, 1e-9);
    }
}

#[test]
fn the_stress_falls_and_is_that_of_the_coordinates() {
    let given = distances(&plane(80), f64::sqrt);
    let settings = Mds { max_iter: 40, tol: 0.0, ..Mds::default() };
    let fit = settings.fit_distances(&given, Given::default(), &mut Silent).unwrap();
    assert_eq!((fit.trace.len(), fit.iterations), (41, 40));
    assert!(fit.trace.windows(2).all(|pair| pair[1] <= pair[0]));
    assert!(fit.trace[40] < 0.95 * fit.trace[0], "{:?}", fit.trace);
    let z = &fit.object.embedding().unwrap().coordinates;
    let (mut stress, mut all) = (0.0, 0.0);
    for i in 0..80 {
        for j in 0..i {
            stress += (given.get(i, j) - squared_distance(z.row(i), z.row(j)).sqrt()).powi(2);
            all += given.get(i, j).powi(2);
        }
    }
    assert!(((stress / all).sqrt() - fit.trace[40]).abs() < 1e-12);
}

#[test]
fn new_points_of_the_plane_get_their_coordinates() {
    let rows = plane(100);
    let known = rows.select_rows(0..90);
    for algorithm in [Algorithm::Classical, Algorithm::Smacof] {
        let fit = fit(&Mds { algorithm, ..Mds::default() }, &known);
        let points = Points::from_f64(rows.as_slice(), 3).unwrap();
        let found = fit.object.embed(&points).unwrap().unwrap();
        let z = &fit.object.embedding().unwrap().coordinates;
        for i in 0..100 {
            for j in 0..90 {
                let expected = squared_distance(rows.row(i), rows.row(j)).sqrt();
                let apart = squared_distance(found.row(i), z.row(j)).sqrt();
                assert!((expected - apart).abs() < 1e-6, "{i} {j} {expected} {apart}");
            }
        }
    }
}

#[test]
fn tiny_and_huge_distances_are_mapped_alike() {
    let plain = fit(&Mds::default(), &plane(50));
    let z = plain.object.embedding().unwrap().coordinates.clone();
    for scale in [1e-150, 1e150] {
        let given = distances(&plane(50), |d| d * scale);
        let fit = Mds::default().fit_distances(&given, Given::default(), &mut Silent).unwrap();
        let found = &fit.object.embedding().unwrap().coordinates;
        for (a, b) in z.as_slice().iter().zip(found.as_slice()) {
            assert!((a.abs() - (b / scale).abs()).abs() < 1e-7, "{a} {b}");
        }
    }
}
