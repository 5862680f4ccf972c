//! Against the whole eigendecomposition, with weights from the normal equations.

use faer::linalg::solvers::{FullPivLu, SelfAdjointEigen, Solve};
use faer::{Mat, Side};

use super::Lle;
use crate::distances::Distances;
use crate::learn::{Given, Method, NodeCount};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

fn sheet(n: usize) -> Matrix {
    let mut rows = Matrix::zeros(n, 3);
    for i in 0..n {
        let (u, v) = ((i as f64 * 0.618).fract(), (i as f64 * 0.414).fract());
        rows.row_mut(i).copy_from_slice(&[(3.0 * u).cos(), (3.0 * u).sin(), 1.3 * v]);
    }
    rows
}

#[test]
fn coordinates_are_those_of_the_dense_problem() {
    let (n, k, reg) = (140, 7, 1e-3);
    let rows = sheet(n);
    let settings = Lle { n_neighbors: NodeCount::Exactly(k), ..Lle::default() };
    let points = Points::from_f64(rows.as_slice(), 3).unwrap();
    let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    let z = &fit.object.embedding().unwrap().coordinates;

    let mut rest = Mat::<f64>::identity(n, n);
    let mut matrix = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..n {
            matrix.row_mut(i)[j] = squared_distance(rows.row(i), rows.row(j)).sqrt();
        }
        let mut order: Vec<usize> = (0..n).filter(|j| *j != i).collect();
        order.sort_by(|a, b| matrix.row(i)[*a].total_cmp(&matrix.row(i)[*b]));
        let gap = |a: usize, d: usize| rows.row(order[a])[d] - rows.row(i)[d];
        let gram = Mat::from_fn(k, k, |a, b| (0..3).map(|d| gap(a, d) * gap(b, d)).sum::<f64>());
        let trace: f64 = (0..k).map(|a| gram[(a, a)]).sum();
        let shifted = gram + reg * trace * Mat::<f64>::identity(k, k);
        let w = FullPivLu::new(shifted.as_ref()).solve(Mat::<f64>::from_fn(k, 1, |_, _| 1.0));
        let total: f64 = (0..k).map(|a| w[(a, 0)]).sum();
        (0..k).for_each(|a| rest[(i, order[a])] -= w[(a, 0)] / total);
    }
    let cost = rest.transpose() * &rest;
    let eigen = SelfAdjointEigen::new(cost.as_ref(), Side::Lower).unwrap();
    for axis in 0..2 {
        let along: f64 = (0..n).map(|i| eigen.U()[(i, axis + 1)] * z.row(i)[axis]).sum();
        assert!((along.abs() - 1.0).abs() < 1e-10, "{along}");
        let largest =
            z.rows().map(|z| z[axis]).fold(0.0_f64, |a, b| if b.abs() > a.abs() { b } else { a });
        assert!(largest > 0.0);
    }

    let given = Distances::new(matrix).unwrap();
    let of_given = settings.fit_distances(&given, Given::default(), &mut Silent).unwrap();
    let of_given = &of_given.object.embedding().unwrap().coordinates;
    for (a, b) in z.as_slice().iter().zip(of_given.as_slice()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
    let again = fit.object.embed(&points).unwrap().unwrap();
    assert_eq!(again.as_slice(), z.as_slice());
}

#[test]
fn a_new_point_is_the_same_mean_of_its_neighbors() {
    // On a straight line the weights of a midpoint's neighbors on both sides are equal.
    let line: Vec<f64> = (0..40).map(f64::from).collect();
    let settings = Lle { n_components: 1, n_neighbors: NodeCount::Exactly(2), ..Lle::default() };
    let fit =
        settings.fit(&Points::from_f64(line, 1).unwrap(), Given::default(), &mut Silent).unwrap();
    let z = &fit.object.embedding().unwrap().coordinates;
    let new = Points::from_f64(vec![10.5], 1).unwrap();
    let found = fit.object.embed(&new).unwrap().unwrap();
    assert!((found.row(0)[0] - (z.row(10)[0] + z.row(11)[0]) / 2.0).abs() < 1e-9);
}
