//! Against the plain definition.

use super::KMeans;
use crate::learn::{End, Given, Method};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

fn wave(n: usize, dims: usize) -> Vec<f64> {
    (0..n * dims).map(|i| (1.7 * i as f64 + (i * i % 31) as f64).sin()).collect()
}

/// Lloyd's rounds over all pairs, until nothing changes.
fn plain(rows: &[Vec<f64>], mut centers: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    loop {
        let mut sums = vec![(vec![0.0; rows[0].len()], 0.0); centers.len()];
        for row in rows {
            let nearest = (0..centers.len())
                .min_by(|&a, &b| {
                    squared_distance(row, &centers[a])
                        .total_cmp(&squared_distance(row, &centers[b]))
                })
                .unwrap();
            sums[nearest].0.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            sums[nearest].1 += 1.0;
        }
        let moved: Vec<Vec<f64>> = sums
            .into_iter()
            .map(|(sum, count)| sum.into_iter().map(|x| x / count).collect())
            .collect();
        let shift = centers.iter().zip(&moved).map(|(a, b)| squared_distance(a, b)).sum::<f64>();
        centers = moved;
        if shift < 1e-24 {
            return centers;
        }
    }
}

#[test]
fn rounds_are_those_of_the_definition() {
    let values = wave(300, 3);
    let rows: Vec<Vec<f64>> = values.chunks(3).map(<[f64]>::to_vec).collect();
    let start: Vec<Vec<f64>> = rows.iter().step_by(75).cloned().collect();
    let points = Points::from_f64(values, 3).unwrap();
    let settings = KMeans { n_clusters: 4, tol: 0.0, ..KMeans::default() };
    let nodes = Matrix::from_rows(&start).unwrap();
    let fit = settings.fit(&points, Given::from(Some(&nodes)), &mut Silent).unwrap();
    assert_eq!(fit.end, End::Converged);
    let found = fit.graph().unwrap().nodes();
    for (found, expected) in found.rows().zip(plain(&rows, start)) {
        assert!(squared_distance(found, &expected) < 1e-20);
    }
    assert!(fit.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12));
    assert_eq!(fit.iterations, fit.trace.len() - 1);
}

#[test]
fn equal_points_give_fewer_centers() {
    let points = Points::from_f64(vec![0.0, 0.0, 1.0, 1.0], 1).unwrap();
    let settings = KMeans { n_clusters: 3, ..KMeans::default() };
    let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    assert_eq!(fit.graph().unwrap().nodes().n_rows(), 2);
    assert!(fit.notes[0].starts_with("2 centers instead of 3"));
}
