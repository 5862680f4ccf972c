//! Against the paper's own iteration for one component at a time.

use super::Pca;
use crate::learn::{ComponentCount, Given, Method};
use crate::math::{Matrix, dot};
use crate::object::Object;
use crate::observe::Silent;
use crate::points::Points;

/// One axis of centered rows by alternating scores and axis.
fn axis(rows: &[Vec<f64>]) -> Vec<f64> {
    let mut axis = vec![1.0; rows[0].len()];
    for _ in 0..2000 {
        let mut next = vec![0.0; axis.len()];
        for row in rows {
            let score = dot(row, &axis);
            next.iter_mut().zip(row).for_each(|(a, x)| *a += score * x);
        }
        let norm = dot(&next, &next).sqrt();
        axis = next.into_iter().map(|a| a / norm).collect();
    }
    axis
}

#[test]
fn axes_are_those_of_the_papers_iteration() {
    let n = 60;
    let values: Vec<f64> = (0..n)
        .flat_map(|i| {
            let t = f64::from(i);
            [3.0 * t.sin() + 5.0, t.sin() + (1.3 * t).cos(), 0.1 * (2.1 * t).sin() - 2.0]
        })
        .collect();
    let points = Points::from_f64(values.clone(), 3).unwrap();
    let fit = Pca { n_components: ComponentCount::Exactly(2) }
        .fit(&points, Given::default(), &mut Silent)
        .unwrap();
    let Object::Flats(flats) = &fit.object else { panic!("pca learns flats") };
    let flat = &flats.flats()[0];
    let rows: Vec<Vec<f64>> = values
        .chunks(3)
        .map(|row| row.iter().zip(&flat.center).map(|(x, c)| x - c).collect())
        .collect();
    let first = axis(&rows);
    let deflated: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| {
            let score = dot(row, &first);
            row.iter().zip(&first).map(|(x, a)| x - score * a).collect()
        })
        .collect();
    for (found, expected) in flat.axes.rows().zip([first.clone(), axis(&deflated)]) {
        assert!((dot(found, &expected).abs() - 1.0).abs() < 1e-10);
    }
    let variance = rows.iter().map(|row| dot(row, &first).powi(2)).sum::<f64>() / n as f64;
    assert!((flat.variances[0] - variance).abs() < 1e-10);
    assert_eq!((fit.trace.len(), fit.iterations), (0, 1));
}

#[test]
fn a_share_of_the_variance_chooses_the_number() {
    let rows = Matrix::from_rows(&[[0.0, 0.0], [10.0, 0.1], [20.0, -0.1], [30.0, 0.0]]).unwrap();
    let points = Points::from_f64(rows.as_slice().to_vec(), 2).unwrap();
    let fit = Pca { n_components: ComponentCount::Share(0.9) }
        .fit(&points, Given::default(), &mut Silent)
        .unwrap();
    assert_eq!(fit.choices[0].value, 1);
}
