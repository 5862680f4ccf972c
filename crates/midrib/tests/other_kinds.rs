//! Methods of other kinds than those in the crate fit without tricks: see `kinds`.
#![allow(clippy::unwrap_used)]

mod kinds;

use kinds::{EVERY_ROW, MDS};
use midrib::learn::{Configured, Given};
use midrib::math::Matrix;
use midrib::{Distances, Points, Silent};
use serde_json::{Value, json};

fn mds() -> Box<dyn Configured> {
    MDS.parse(&json!({})).unwrap()
}

/// Points on a line in three dimensions.
fn line() -> Points<'static> {
    let row = |i: i32| [2.0, -1.0, 2.0].map(|x| x * f64::from(i));
    Points::from_f64((0..30).flat_map(row).collect::<Vec<_>>(), 3).unwrap()
}

#[test]
fn distances_become_coordinates_without_a_graph() {
    let n = 20_i32;
    let rows: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from((i - j).abs())).collect()).collect();
    let distances = Distances::new(Matrix::from_rows(&rows).unwrap()).unwrap();
    let fit = mds().fit_distances(&distances, Given::default(), &mut Silent).unwrap();
    let embedding = fit.object.embedding().unwrap();
    for i in 0..n as usize {
        for j in 0..n as usize {
            let found = embedding.coordinates.row(i)[0] - embedding.coordinates.row(j)[0];
            assert!((found.abs() - distances.get(i, j)).abs() < 1e-9);
        }
    }
    assert_eq!(fit.object.kind(), mds().kind());
    assert!(!fit.object.kind().has_lines() && fit.object.graph().is_none());
    let message = fit.graph().unwrap_err().to_string();
    assert!(message.contains("an embedding has none"), "{message}");
}

#[test]
fn points_are_embedded_alike_and_new_rows_refused() {
    let points = line();
    let fit = mds().fit(&points, Given::default(), &mut Silent).unwrap();
    let z = &fit.object.embedding().unwrap().coordinates;
    assert!(((z.row(29)[0] - z.row(0)[0]).abs() - 87.0).abs() < 1e-9);
    let message = fit.object.embed(&points).unwrap_err().to_string();
    assert!(message.contains("training points only"), "{message}");
}

#[test]
fn a_method_without_an_objective_fits() {
    let every_row = EVERY_ROW.parse(&json!({"every": 7})).unwrap();
    let fit = every_row.fit(&line(), Given::default(), &mut Silent).unwrap();
    assert!(fit.objective().is_nan() && fit.trace.is_empty());
    assert_eq!(fit.graph().unwrap().nodes().n_rows(), 5);
    assert_eq!(fit.chosen()["every"], 7);
    let settled = EVERY_ROW.parse(&json!({})).unwrap().settled(&fit.chosen());
    assert_eq!(settled["every"], 7);
}

#[test]
fn entries_declare_what_they_take() {
    let distances = Distances::new(Matrix::zeros(3, 3)).unwrap();
    let every_row = EVERY_ROW.parse(&json!({})).unwrap();
    let refused = every_row.fit_distances(&distances, Given::default(), &mut Silent).unwrap_err();
    assert_eq!(refused.to_string(), "every-row needs points, not their distances");
    let start = Matrix::zeros(2, 3);
    for entry in [MDS, EVERY_ROW] {
        let given = Some(&start).into();
        let method = entry.parse(&json!({})).unwrap();
        let message = method.fit(&line(), given, &mut Silent).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{} takes no starting nodes", entry.name)));
        let description = entry.description();
        for fact in ["links", "pairs", "start", "start_graph"] {
            assert_eq!(description[fact], Value::Bool(false), "{fact}");
        }
        assert_eq!(entry.paper().unwrap().key, "Gorban2009");
    }
    assert!(MDS.parse(&json!({"max_iter": 0})).is_err());
}
