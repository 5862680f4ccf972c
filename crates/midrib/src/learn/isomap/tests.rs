//! Against lengths along known sheets, and paths by brute force.

use super::Isomap;
use crate::distances::Distances;
use crate::embed::Pieces;
use crate::learn::{Given, Method, NodeCount};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

fn settings(n_components: usize, n_neighbors: usize) -> Isomap {
    Isomap { n_components, n_neighbors: NodeCount::Exactly(n_neighbors), pieces: Pieces::Refuse }
}

/// Points along an arc of three quarters of a circle, at equal steps.
fn arc(n: usize) -> Vec<f64> {
    (0..n).map(|i| 4.7 * i as f64 / n as f64).flat_map(|t| [t.cos(), t.sin()]).collect()
}

#[test]
fn an_arc_is_unrolled_with_landmarks_too() {
    for n in [400, 5200] {
        let points = Points::from_f64(arc(n), 2).unwrap();
        let fit = settings(1, 2).fit(&points, Given::default(), &mut Silent).unwrap();
        let z = &fit.object.embedding().unwrap().coordinates;
        let step = 2.0 * (4.7 / n as f64 / 2.0).sin();
        let apart = |i: usize, j: usize| (z.row(i)[0] - z.row(j)[0]).abs();
        // The two neighbors of an end lie on one side of it, so that its paths take a shortcut.
        for (i, j) in [(2, n - 3), (3, n / 2), (n / 3, n / 2)] {
            let expected = step * (j - i) as f64;
            assert!((apart(i, j) - expected).abs() < 1e-7, "{} {expected}", apart(i, j));
        }
        let between: Vec<f64> = (0..n - 1)
            .flat_map(|i| {
                let t = 4.7 * (i as f64 + 0.5) / n as f64;
                [t.cos(), t.sin()]
            })
            .collect();
        let found = fit.object.embed(&Points::from_f64(between, 2).unwrap()).unwrap().unwrap();
        for i in 10..n - 10 {
            let (a, b) = (z.row(i)[0], z.row(i + 1)[0]);
            let middle = found.row(i)[0];
            assert!((middle - (a + b) / 2.0).abs() < 0.02 * step, "{a} {middle} {b}");
        }
    }
}

#[test]
fn distances_give_the_same_as_points_and_new_points_their_paths() {
    let rows: Vec<f64> = (0..150)
        .flat_map(|i| {
            let (u, v) = ((f64::from(i) * 0.618).fract(), (f64::from(i) * 0.414).fract());
            [(3.0 * u).cos(), (3.0 * u).sin(), 2.0 * v]
        })
        .collect();
    let rows = Matrix::new(150, 3, rows).unwrap();
    let points = Points::from_f64(rows.as_slice(), 3).unwrap();
    let fit = settings(2, 8).fit(&points, Given::default(), &mut Silent).unwrap();
    let z = &fit.object.embedding().unwrap().coordinates;
    let mut matrix = Matrix::zeros(150, 150);
    for i in 0..150 {
        for j in 0..150 {
            matrix.row_mut(i)[j] = squared_distance(rows.row(i), rows.row(j)).sqrt();
        }
    }
    let given = Distances::new(matrix.clone()).unwrap();
    let of_given = settings(2, 8).fit_distances(&given, Given::default(), &mut Silent).unwrap();
    let of_given = &of_given.object.embedding().unwrap().coordinates;
    for (a, b) in z.as_slice().iter().zip(of_given.as_slice()) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
    // The lengths of all paths by Floyd and Warshall, centered: the coordinates are eigenvectors.
    let mut paths = Matrix::zeros(150, 150);
    paths.as_mut_slice().fill(f64::INFINITY);
    for i in 0..150 {
        let mut order: Vec<usize> = (0..150).collect();
        order.sort_by(|a, b| matrix.row(i)[*a].total_cmp(&matrix.row(i)[*b]).then(a.cmp(b)));
        for &j in &order[..9] {
            let length = matrix.row(i)[j];
            paths.row_mut(i)[j] = length;
            paths.row_mut(j)[i] = length;
        }
    }
    for k in 0..150 {
        for i in 0..150 {
            for j in 0..150 {
                let through = paths.row(i)[k] + paths.row(k)[j];
                if through < paths.row(i)[j] {
                    paths.row_mut(i)[j] = through;
                }
            }
        }
    }
    let square = |i: usize, j: usize| paths.row(i)[j] * paths.row(i)[j];
    let mean = |i: usize| (0..150).map(|j| square(i, j)).sum::<f64>() / 150.0;
    let means: Vec<f64> = (0..150).map(mean).collect();
    let all = means.iter().sum::<f64>() / 150.0;
    for axis in 0..2 {
        let value: f64 = z.rows().map(|z| z[axis] * z[axis]).sum();
        for i in 0..150 {
            let product: f64 = (0..150)
                .map(|j| -0.5 * (square(i, j) - means[i] - means[j] + all) * z.row(j)[axis])
                .sum();
            assert!((product - value * z.row(i)[axis]).abs() < 1e-8 * value);
        }
    }
}

#[test]
fn pieces_are_refused_or_the_largest_is_embedded() {
    let far = |i: usize| if i < 30 { 0.0 } else { 1000.0 };
    let line: Vec<f64> = (0..50).map(|i| i as f64 + far(i)).collect();
    let points = Points::from_f64(line, 1).unwrap();
    let error = settings(1, 3).fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
    assert!(error.starts_with("the neighbor graph is in 2 pieces, of 30, 20 points"), "{error}");
    let largest = Isomap { pieces: Pieces::Largest, ..settings(1, 3) };
    let fit = largest.fit(&points, Given::default(), &mut Silent).unwrap();
    let z = &fit.object.embedding().unwrap().coordinates;
    assert!(((z.row(29)[0] - z.row(0)[0]).abs() - 29.0).abs() < 1e-9);
    assert!(fit.notes[0].contains("the other 20 points get coordinates like new points (rows 31"));
    for (k, word) in [(50, "there are 50 points"), (0, "at least 1")] {
        let bad = settings(1, k.max(1));
        let bad = if k == 0 { Isomap { n_components: 0, ..bad } } else { bad };
        let error = bad.fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}
