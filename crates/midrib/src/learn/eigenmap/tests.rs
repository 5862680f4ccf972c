//! Against closed forms on rings, and the whole eigendecomposition.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

use super::Eigenmap;
use crate::embed::Affinity;
use crate::learn::{AutoOr, Given, Method, NodeCount};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

#[test]
fn a_ring_becomes_a_circle() {
    let n = 90;
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    let ring: Vec<f64> = (0..n).flat_map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    let points = Points::from_f64(ring, 2).unwrap();
    let settings = Eigenmap { n_neighbors: NodeCount::Exactly(2), ..Eigenmap::default() };
    let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    let z = &fit.object.embedding().unwrap().coordinates;
    // A pair of modes of equal eigenvalue, of degree 2 each: all points are equally far from 0.
    let radius = (2.0 / n as f64 / 2.0).sqrt();
    for row in z.rows() {
        let length = (row[0] * row[0] + row[1] * row[1]).sqrt();
        assert!((length - radius).abs() < 1e-9, "{length} {radius}");
    }
}

#[test]
fn modes_are_those_of_the_dense_walk() {
    let (n, k, gamma) = (130, 9, 3.0);
    let mut rows = Matrix::zeros(n, 2);
    for i in 0..n {
        let (u, v) = ((i as f64 * 0.618).fract(), (i as f64 * 0.414).fract());
        rows.row_mut(i).copy_from_slice(&[2.0 * u * u, v]);
    }
    let squared = |i: usize, j: usize| squared_distance(rows.row(i), rows.row(j));
    let is_near = |i: usize, j: usize| {
        let closer =
            |l: &usize| *l != i && squared(i, *l).total_cmp(&squared(i, j)).then(l.cmp(&j)).is_lt();
        i != j && (0..n).filter(closer).count() < k
    };
    let points = Points::from_f64(rows.as_slice(), 2).unwrap();
    for (affinity, alpha, time) in [
        (Affinity::Neighbors, 0.0, 0.0),
        (Affinity::Gaussian, 0.0, 0.0),
        (Affinity::Gaussian, 1.0, 3.0),
        (Affinity::Neighbors, 0.5, 1.0),
    ] {
        let of_pair = |i: usize, j: usize| {
            let halves = f64::from(u8::from(is_near(i, j)) + u8::from(is_near(j, i))) / 2.0;
            let closeness = (-gamma * squared(i, j)).exp();
            halves * if affinity == Affinity::Gaussian { closeness } else { 1.0 }
        };
        let mut w = Mat::from_fn(n, n, of_pair);
        let sums = |w: &Mat<f64>| -> Vec<f64> {
            (0..n).map(|i| (0..n).map(|j| w[(i, j)]).sum()).collect()
        };
        let q = sums(&w);
        w = Mat::from_fn(n, n, |i, j| w[(i, j)] / (q[i] * q[j]).powf(alpha));
        let d = sums(&w);
        let s = Mat::from_fn(n, n, |i, j| w[(i, j)] / (d[i] * d[j]).sqrt());
        let eigen = SelfAdjointEigen::new(s.as_ref(), Side::Lower).unwrap();
        let settings = Eigenmap {
            n_components: 3,
            n_neighbors: NodeCount::Exactly(k),
            affinity,
            gamma: AutoOr::Fixed(gamma),
            alpha,
            time,
            ..Eigenmap::default()
        };
        let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
        let z = &fit.object.embedding().unwrap().coordinates;
        for axis in 0..3 {
            let at = n - 2 - axis;
            let expected = |i: usize| eigen.U()[(i, at)] / d[i].sqrt() * eigen.S()[at].powf(time);
            let along: f64 = (0..n).map(|i| expected(i) * z.row(i)[axis]).sum();
            for i in 0..n {
                let (found, expected) = (z.row(i)[axis], along.signum() * expected(i));
                assert!((found - expected).abs() < 1e-8, "{found} {expected}");
            }
        }
        // Nystroem's formula continues the modes: halfway between neighbors, between theirs.
        assert_eq!(fit.object.embed(&points).unwrap().unwrap().as_slice(), z.as_slice());
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    let message = |settings: Eigenmap| settings.check().unwrap_err().to_string();
    let wrong = Eigenmap { alpha: 1.5, ..Eigenmap::default() };
    assert_eq!(message(wrong), "alpha = 1.5: must be between 0 and 1");
    let wrong = Eigenmap { time: -1.0, ..Eigenmap::default() };
    assert_eq!(message(wrong), "time = -1: must be 0 or positive");
}
