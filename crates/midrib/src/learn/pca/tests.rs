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
    let fit = Pca { n_components: ComponentCount::Exactly(2), ..Pca::default() }
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
    let fit = Pca { n_components: ComponentCount::Share(0.9), ..Pca::default() }
        .fit(&points, Given::default(), &mut Silent)
        .unwrap();
    assert_eq!(fit.choices[0].value, 1);
}

/// 100 points in six columns; 131 of the values are missing.
const GAPS: &str = include_str!("../../../tests/data/gaps.csv");

fn gaps() -> Points<'static> {
    let number = |field: &str| field.parse().unwrap_or(f64::NAN);
    let values: Vec<f64> =
        GAPS.lines().skip(1).flat_map(|line| line.split(',').map(number)).collect();
    Points::from_f64(values, 6).unwrap()
}

fn fitted(points: &Points<'_>, n_components: ComponentCount) -> crate::learn::Fit {
    let settings = Pca { n_components, tol: 1e-15, ..Pca::default() };
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

#[test]
fn the_error_of_the_known_values_is_the_golden_one() {
    let fit = fitted(&gaps(), ComponentCount::Exactly(2));
    assert!((fit.objective() - 0.083_526_662_017).abs() < 1e-8, "{}", fit.objective());
    assert!(fit.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12));
    assert_eq!(fit.iterations + 1, fit.trace.len());
    let error = 100.0 * fit.object.mean_squared_distance(&gaps()).unwrap();
    assert!((error - fit.objective()).abs() < 1e-12);
    let Object::Flats(flats) = &fit.object else { panic!("pca learns flats") };
    let filled = flats.impute(&gaps()).unwrap();
    let filled = Points::from_f64(filled.into_vec(), 6).unwrap();
    let error = 100.0 * fit.object.mean_squared_distance(&filled).unwrap();
    assert!((error - fit.objective()).abs() < 1e-12);
}

/// The paper's steps 3 to 5 for one component, with sums over the known values.
#[test]
fn one_axis_is_that_of_the_papers_iteration_over_known_values() {
    let points = gaps();
    let rows: Vec<Vec<f64>> = (0..100)
        .map(|i| {
            let mut row = vec![0.0; 6];
            points.copy_row(i, &mut row);
            row
        })
        .collect();
    let known = |sum: &mut f64, x: f64| *sum += if x.is_nan() { 0.0 } else { x };
    let (mut a_0, mut a) = (vec![0.0; 6], vec![1.0; 6]);
    for _ in 0..20_000 {
        let score = |row: &Vec<f64>| {
            let (mut along, mut length) = (0.0, 0.0);
            for j in (0..6).filter(|&j| !row[j].is_nan()) {
                along += (row[j] - a_0[j]) * a[j];
                length += a[j] * a[j];
            }
            along / length
        };
        let scores: Vec<f64> = rows.iter().map(score).collect();
        for j in 0..6 {
            let (mut rest, mut count, mut along, mut length) = (0.0, 0.0, 0.0, 0.0);
            for (row, z) in rows.iter().zip(&scores) {
                let here = 0.0 * row[j];
                known(&mut rest, row[j] - a[j] * z);
                known(&mut count, 1.0 + here);
            }
            a_0[j] = rest / count;
            for (row, z) in rows.iter().zip(&scores) {
                let here = 0.0 * row[j];
                known(&mut along, (row[j] - a_0[j]) * z);
                known(&mut length, z * z + here);
            }
            a[j] = along / length;
        }
    }
    let norm = dot(&a, &a).sqrt();
    let fit = fitted(&points, ComponentCount::Exactly(1));
    let Object::Flats(flats) = &fit.object else { panic!("pca learns flats") };
    let cosine = dot(flats.flats()[0].axes.row(0), &a) / norm;
    assert!((cosine.abs() - 1.0).abs() < 1e-9, "{cosine}");
}

/// Least squares by turns, row by row and column by column, on another set.
#[test]
fn two_axes_are_those_of_least_squares_by_turns() {
    let text = include_str!("../../../tests/data/tree120x10.csv");
    let row =
        |line: &str| -> Vec<f64> { line.split(',').take(10).map(|x| x.parse().unwrap()).collect() };
    let mut rows: Vec<Vec<f64>> = text.lines().skip(1).map(row).collect();
    for at in (0..1200).filter(|at| at * 7919 % 101 < 12) {
        rows[at / 10][at % 10] = f64::NAN;
    }
    // The coefficients of the least-squares fit of known values.
    let fitted = |terms: &[(Vec<f64>, f64)]| -> Vec<f64> {
        let n = terms[0].0.len();
        let mut system = vec![vec![0.0; n + 1]; n];
        for (x, y) in terms.iter().filter(|(_, y)| !y.is_nan()) {
            for i in 0..n {
                (0..n).for_each(|j| system[i][j] += x[i] * x[j]);
                system[i][n] += x[i] * y;
            }
        }
        for i in 0..n {
            for j in (0..n).filter(|&j| j != i) {
                let factor = system[j][i] / system[i][i];
                let from = system[i].clone();
                system[j].iter_mut().zip(&from).for_each(|(to, from)| *to -= factor * from);
            }
        }
        (0..n).map(|i| system[i][n] / system[i][i]).collect()
    };
    // Mean and two axes of each column, from any start.
    let mut columns: Vec<Vec<f64>> =
        (0..10).map(|j| vec![0.0, (j as f64).sin(), (2.0 * j as f64).cos()]).collect();
    let mut error = 0.0;
    for _ in 0..3000 {
        let scores: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let terms = row.iter().zip(&columns);
                fitted(&terms.map(|(x, c)| (c[1..].to_vec(), x - c[0])).collect::<Vec<_>>())
            })
            .collect();
        let term = |(row, z): (&Vec<f64>, &Vec<f64>), j: usize| (vec![1.0, z[0], z[1]], row[j]);
        columns = (0..10)
            .map(|j| fitted(&rows.iter().zip(&scores).map(|at| term(at, j)).collect::<Vec<_>>()))
            .collect();
        let rest = |row: &Vec<f64>, z: &Vec<f64>| -> f64 {
            let terms = row.iter().zip(&columns).filter(|(x, _)| !x.is_nan());
            terms.map(|(x, c)| (x - c[0] - c[1] * z[0] - c[2] * z[1]).powi(2)).sum()
        };
        error = rows.iter().zip(&scores).map(|(row, z)| rest(row, z)).sum();
    }
    let points = Points::from_f64(rows.concat(), 10).unwrap();
    let fit = self::fitted(&points, ComponentCount::Exactly(2));
    assert!((fit.objective() - error).abs() < 1e-8, "{} {error}", fit.objective());
}
