//! Against principal components, and against the whole eigendecomposition of a kernel matrix.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

use super::{KernelName, KernelPca};
use crate::learn::{AutoOr, ComponentCount, Given, Method, Pca};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

/// Points on a bent sheet in four dimensions.
fn sheet(n: usize) -> Points<'static> {
    let row = |i: usize| {
        let (u, v) = ((i as f64 * 0.618).fract(), (i as f64 * 0.414).fract());
        [3.0 * u, 2.0 * v, (4.0 * u).sin(), (u - v).powi(2)]
    };
    Points::from_f64((0..n).flat_map(row).collect::<Vec<_>>(), 4).unwrap()
}

fn embed(settings: &KernelPca, points: &Points<'_>) -> (Matrix, Matrix) {
    let fit = settings.fit(points, Given::default(), &mut Silent).unwrap();
    let again = fit.object.embed(points).unwrap().unwrap();
    (fit.object.embedding().unwrap().coordinates.clone(), again)
}

fn assert_near(a: &Matrix, b: &Matrix, tolerance: f64) {
    let largest = a.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (x, y) in a.as_slice().iter().zip(b.as_slice()) {
        assert!((x - y).abs() <= tolerance * largest, "{x} {y}");
    }
}

/// The same up to the sign of each column.
fn assert_same(a: &Matrix, b: &Matrix, tolerance: f64) {
    let mut b = b.clone();
    for j in 0..a.n_cols() {
        let along: f64 = a.rows().zip(b.rows()).map(|(a, b)| a[j] * b[j]).sum();
        (0..b.n_rows()).for_each(|i| b.row_mut(i)[j] *= along.signum());
    }
    assert_near(a, &b, tolerance);
}

#[test]
fn the_linear_kernel_gives_principal_components_with_landmarks_too() {
    for n in [300, 5200] {
        let points = sheet(n);
        let settings =
            KernelPca { n_components: 3, kernel_function: KernelName::Linear, gamma: AutoOr::Auto };
        let (z, again) = embed(&settings, &points);
        let pca = Pca { n_components: ComponentCount::Exactly(3), ..Pca::default() };
        let pca = pca.fit(&points, Given::default(), &mut Silent).unwrap();
        assert_same(&z, &pca.object.embed(&points).unwrap().unwrap(), 1e-9);
        assert_near(&z, &again, 1e-12);
    }
}

#[test]
fn components_are_eigenvectors_of_the_centered_kernel() {
    let (points, gamma) = (sheet(120), 0.7);
    let settings =
        KernelPca { n_components: 4, gamma: AutoOr::Fixed(gamma), ..KernelPca::default() };
    let (z, again) = embed(&settings, &points);
    assert_near(&z, &again, 1e-10);
    let n = points.len();
    let row = |i: usize| {
        let mut row = vec![0.0; 4];
        points.copy_row(i, &mut row);
        row
    };
    let k = Mat::from_fn(n, n, |i, j| (-gamma * squared_distance(&row(i), &row(j))).exp());
    let mean = |i: usize| (0..n).map(|j| k[(i, j)]).sum::<f64>() / n as f64;
    let means: Vec<f64> = (0..n).map(mean).collect();
    let all = means.iter().sum::<f64>() / n as f64;
    let centered = Mat::from_fn(n, n, |i, j| k[(i, j)] - means[i] - means[j] + all);
    let eigen = SelfAdjointEigen::new(centered.as_ref(), Side::Lower).unwrap();
    let mut expected = Matrix::zeros(n, 4);
    for i in 0..n {
        for j in 0..4 {
            expected.row_mut(i)[j] = eigen.U()[(i, n - 1 - j)] * eigen.S()[n - 1 - j].sqrt();
        }
    }
    assert_same(&z, &expected, 1e-8);
}

#[test]
fn weights_count_like_repeated_rows() {
    let points = sheet(90);
    let rows: Vec<usize> = (0..90).flat_map(|i| std::iter::repeat_n(i, i % 3)).collect();
    let repeated = points.select(&rows, vec![1.0; rows.len()]).unwrap();
    let weighted =
        points.with_weights((0..90).map(|i| f64::from(i % 3)).collect::<Vec<_>>()).unwrap();
    let (a, _) = embed(&KernelPca::default(), &weighted);
    let (b, _) = embed(&KernelPca::default(), &repeated);
    assert_same(&a.select_rows(rows), &b, 1e-8);
}

#[test]
fn landmarks_come_near_to_the_whole_kernel() {
    let many = sheet(5200);
    let few = many.select(&(0..5000).collect::<Vec<_>>(), vec![1.0; 5000]).unwrap();
    let settings = KernelPca { gamma: AutoOr::Fixed(0.5), ..KernelPca::default() };
    let (a, _) = embed(&settings, &many);
    let (b, _) = embed(&settings, &few);
    assert_same(&a.select_rows(0..5000), &b, 0.02);
}

#[test]
fn more_components_than_columns_are_refused_with_the_linear_kernel() {
    let settings =
        KernelPca { n_components: 5, kernel_function: KernelName::Linear, gamma: AutoOr::Auto };
    let error = settings.fit(&sheet(50), Given::default(), &mut Silent).unwrap_err().to_string();
    assert_eq!(error, "n_components = 5: only 4 eigenvalues are positive: must be at most 4");
    let error = settings.fit(&sheet(5), Given::default(), &mut Silent).unwrap_err().to_string();
    assert!(error.contains("there are 5 points"), "{error}");
}
