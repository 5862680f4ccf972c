use super::*;
use crate::learn::{self, ComponentCount, Given, Method, Pca};
use crate::math::{Matrix, squared_distance};
use crate::object::{Embedding, EmbeddingObject, EmbeddingRule};
use crate::synth::{Shape, Synth};
use crate::{Silent, graph::PrincipalGraph};

fn learned(method: &str, settings: serde_json::Value, points: &Points<'_>) -> Object {
    let method = learn::method(method).unwrap().parse(&settings).unwrap();
    method.fit(points, Given::default(), &mut Silent).unwrap().object
}

fn spiral(n: usize) -> Points<'static> {
    let synth = Synth { shape: Shape::Spiral, n, dims: 3, noise: 0.05, seed: 3 };
    synth.generate().unwrap().points
}

fn rows(points: &Points<'_>) -> Matrix {
    let mut rows = Matrix::zeros(points.len(), points.dims());
    (0..points.len()).for_each(|i| points.copy_row(i, rows.row_mut(i)));
    rows
}

fn near(found: Option<f64>, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?}, expected {expected}");
}

/// Every pair and every neighborhood, by sorting all distances of points without ties.
#[test]
fn the_figures_are_those_of_the_slow_way() {
    let points = spiral(90);
    let pca = Pca { n_components: ComponentCount::Exactly(1), ..Pca::default() };
    let object = pca.fit(&points, Given::default(), &mut Silent).unwrap().object;
    let labels: Vec<String> = (0..90).map(|i| ["a", "b", ""][i % 3].into()).collect();
    let found = criteria(&object, &points, Some(&labels)).unwrap();
    let (before, after) = (rows(&points), object.embed(&points).unwrap().unwrap());
    let distance = |rows: &Matrix, i, j| squared_distance(rows.row(i), rows.row(j)).sqrt();
    let mut pairs = Vec::new();
    for i in 0..90 {
        pairs.extend((0..i).map(|j| (distance(&before, i, j), distance(&after, i, j))));
    }
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64, pairs: &[(f64, f64)]| -> f64 {
        pairs.iter().map(of).sum()
    };
    let factor = sum(&|(a, b)| a * b, &pairs) / sum(&|(_, b)| b * b, &pairs);
    let error = |pairs: &[(f64, f64)]| {
        sum(&|(a, b)| (factor * b - a).abs() / a, pairs) / pairs.len() as f64
    };
    let correlation = |pairs: &[(f64, f64)]| {
        let n = pairs.len() as f64;
        let (a, b) = (sum(&|(a, _)| *a, pairs) / n, sum(&|(_, b)| *b, pairs) / n);
        let both = sum(&|(x, y)| (x - a) * (y - b), pairs);
        let squares = sum(&|(x, _)| (x - a).powi(2), pairs) * sum(&|(_, y)| (y - b).powi(2), pairs);
        both / squares.sqrt()
    };
    near(found.distance_error, error(&pairs));
    near(found.distance_correlation, correlation(&pairs));
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let large = &pairs[..pairs.len().div_ceil(4)];
    near(found.large_distance_error, error(large));
    near(found.large_distance_correlation, correlation(large));
    let nearest = |rows: &Matrix, i: usize| {
        let mut others: Vec<usize> = (0..90).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| distance(rows, i, a).total_cmp(&distance(rows, i, b)));
        others.truncate(10);
        others
    };
    let (mut kept, mut alike, mut labeled) = (0, 0, 0);
    for i in 0..90 {
        let found = nearest(&after, i);
        kept += nearest(&before, i).iter().filter(|j| found.contains(j)).count();
        if !labels[i].is_empty() {
            labeled += 10;
            alike += found.iter().filter(|&&j| labels[j] == labels[i]).count();
        }
    }
    near(found.neighbor_preservation, f64::from(kept as u32) / 900.0);
    near(found.class_compactness, f64::from(alike as u32) / f64::from(labeled));
    near(found.mean_squared_distance, object.mean_squared_distance(&points).unwrap());
}

#[test]
fn nothing_is_lost_without_projection() {
    let points = spiral(60);
    let all = Pca { n_components: ComponentCount::Exactly(3), ..Pca::default() };
    let object = all.fit(&points, Given::default(), &mut Silent).unwrap().object;
    let found = criteria(&object, &points, None).unwrap();
    assert!(found.mean_squared_distance.unwrap() < 1e-24);
    assert!(found.distance_error.unwrap() < 1e-12);
    for whole in [
        found.explained,
        found.distance_correlation,
        found.large_distance_correlation,
        found.neighbor_preservation,
    ] {
        near(whole, 1.0);
    }
    assert_eq!((found.coordinates, found.class_compactness), (Coordinates::Inner, None));
}

/// Points of one center have the same position: any of them may be the nearest.
#[test]
fn equally_near_points_share_the_neighborhood() {
    let centers = Matrix::from_rows(&[[0.0], [100.0]]).unwrap();
    let object = Object::Centers(PrincipalGraph::new(centers, &[], vec![1.0; 2]).unwrap());
    let values: Vec<f64> = (0..40).map(|i| f64::from(i % 20) + f64::from(i / 20) * 90.0).collect();
    let points = Points::from_f64(values, 1).unwrap();
    let labels: Vec<String> = (0..40).map(|i| (i % 20 < 10).to_string()).collect();
    let found = criteria(&object, &points, Some(&labels)).unwrap();
    near(found.neighbor_preservation, 10.0 / 19.0);
    near(found.class_compactness, 9.0 / 19.0);
    assert_eq!(found.coordinates, Coordinates::Projection);
    // Shuffled rows have the same neighborhoods.
    let order: Vec<usize> = (0..40).map(|i| i * 7 % 40).collect();
    let values: Vec<f64> = order.iter().map(|&i| rows(&points).row(i)[0]).collect();
    let labels: Vec<String> = order.iter().map(|&i| labels[i].clone()).collect();
    let shuffled = Points::from_f64(values, 1).unwrap();
    let again = criteria(&object, &shuffled, Some(&labels)).unwrap();
    near(again.neighbor_preservation, found.neighbor_preservation.unwrap());
    near(again.class_compactness, found.class_compactness.unwrap());
    near(again.distance_error, found.distance_error.unwrap());
}

#[test]
fn weights_count_in_pairs_like_repeated_rows() {
    let points = spiral(30);
    let weights: Vec<f64> = (0..30).map(|i| f64::from(i % 3)).collect();
    let mut values = Vec::new();
    for (row, &weight) in rows(&points).rows().zip(&weights) {
        (0..weight as usize).for_each(|_| values.extend_from_slice(row));
    }
    let repeated = Points::from_f64(values, 3).unwrap();
    let weighted = points.clone().with_weights(weights).unwrap();
    let object = learned("pca", serde_json::json!({"n_components": 2}), &weighted);
    let [a, b] = [&weighted, &repeated].map(|points| criteria(&object, points, None).unwrap());
    assert_eq!((a.compared, b.compared), (20, 30));
    near(a.mean_squared_distance, b.mean_squared_distance.unwrap());
    near(a.explained, b.explained.unwrap());
    near(a.distance_error, b.distance_error.unwrap());
    near(a.distance_correlation, b.distance_correlation.unwrap());
}

#[test]
fn every_method_is_measured_at_any_scale_and_on_any_number_of_threads() {
    let near_one = spiral(120);
    for entry in learn::METHODS {
        for scale in [1.0, 1e150, 1e-150] {
            let values: Vec<f64> = rows(&near_one).as_slice().iter().map(|x| x * scale).collect();
            let points = Points::from_f64(values, 3).unwrap();
            let method = entry.parse(&serde_json::json!({})).unwrap();
            let fit = method.fit(&points, Given::default(), &mut Silent);
            let Ok(fit) = fit else { continue };
            if scale != 1.0 && !method.promises().scaling {
                continue;
            }
            let measure = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| criteria(&fit.object, &points, None).unwrap())
            };
            let found = measure(1);
            assert_eq!(found, measure(3), "{}", entry.name);
            let kept = found.neighbor_preservation.unwrap();
            assert!(kept > 0.2 && kept <= 1.0, "{} at {scale}: {kept}", entry.name);
            assert!(found.distance_correlation.unwrap() > 0.0, "{} at {scale}", entry.name);
            if scale < 1e100 {
                assert!(found.explained.is_none_or(|share| share > 0.3), "{}", entry.name);
            }
        }
    }
}

#[test]
fn many_points_are_sampled() {
    let points = spiral(5_000);
    let object = learned("pca", serde_json::json!({"n_components": 2}), &points);
    let found = criteria(&object, &points, None).unwrap();
    assert_eq!((found.points, found.compared), (5_000, CRITERIA_SAMPLE));
    // Every part of the table takes part.
    let (rows, _) = sample(&points);
    let first = rows.iter().filter(|&&row| row < 2_500).count();
    assert!((440..560).contains(&first), "{first}");
}

#[test]
fn what_cannot_be_measured_is_absent_with_the_reason() {
    let points = Points::from_f64(vec![2.0; 12], 2).unwrap();
    let graph = PrincipalGraph::new(Matrix::from_rows(&[[2.0, 2.0]]).unwrap(), &[], vec![1.0]);
    let found = criteria(&Object::Centers(graph.unwrap()), &points, None).unwrap();
    assert_eq!((found.distance_error, found.explained), (None, None));
    assert_eq!(found.notes, ["distances: all points are equal"]);
    let coordinates = Matrix::from_rows(&[[1.0], [2.0], [4.0]]).unwrap();
    let embedding = Embedding { coordinates, nodes: None, rule: EmbeddingRule::TrainingOnly };
    let object = Object::Embedding(EmbeddingObject { embedding, graph: None });
    let points = Points::from_f64(vec![2.0, 4.0, 8.0], 1).unwrap();
    let found = criteria(&object, &points, None).unwrap();
    near(found.distance_error, 0.0);
    assert_eq!((found.mean_squared_distance, found.explained), (None, None));
    assert!(found.notes[0].contains("an embedding has no distance to points"));
    let one = Points::from_f64(vec![2.0, f64::NAN], 1).unwrap();
    let line = PrincipalGraph::new(Matrix::from_rows(&[[1.0]]).unwrap(), &[], vec![1.0]).unwrap();
    let found = criteria_at(&line.into(), &one, None, Some(1.0)).unwrap();
    assert!(found.notes[1].contains("at least two points"), "{:?}", found.notes);
    let error = criteria(&object, &points, Some(&[String::new()])).unwrap_err().to_string();
    assert_eq!(error, "labels: expected 3, found 1");
}
