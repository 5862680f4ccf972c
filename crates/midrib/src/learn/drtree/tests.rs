//! Golden rows, computed once by an independent dense program, and closed forms.

use super::DrTree;
use crate::learn::{AutoOr, ComponentCount, End, Fit, Given, Method};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::Points;

const TREE: &str = include_str!("../../../tests/data/tree120x10.csv");

/// All columns but the last, which holds labels.
pub(in crate::learn) fn tree() -> Points<'static> {
    let mut values = Vec::new();
    for line in TREE.lines().skip(1) {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        values.extend_from_slice(&fields[..10]);
    }
    Points::from_f64(values, 10).unwrap()
}

fn settings(tree_weight: f64) -> DrTree {
    DrTree {
        n_components: ComponentCount::Exactly(2),
        tree_weight: AutoOr::Fixed(tree_weight),
        max_iter: 40,
        tol: 0.0,
        ..DrTree::default()
    }
}

fn fit(settings: &DrTree, points: &Points<'_>) -> Fit {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

fn message(settings: &DrTree, points: &Points<'_>) -> String {
    settings.fit(points, Given::default(), &mut Silent).unwrap_err().to_string()
}

#[test]
fn golden_sweeps() {
    let fitted = fit(&settings(1.0), &tree());
    assert_eq!((fitted.trace.len(), fitted.iterations), (40, 40));
    assert!((fitted.objective() - 0.764813103).abs() < 1e-9, "{}", fitted.objective());
    assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-13));
}

#[test]
fn the_chosen_weight_keeps_the_tree_in_the_data() {
    let points = tree();
    let fitted = fit(&DrTree::default(), &points);
    let projection = fitted.graph().unwrap().project(&points).unwrap();
    let distance = projection.mean_squared_distance(&points).unwrap();
    let share = crate::measure::explained(distance, &points).unwrap();
    assert!(share > 0.9, "{share}");
    let names: Vec<&str> = fitted.choices.iter().map(|choice| choice.setting).collect();
    assert_eq!(names, ["tree_weight", "n_components"]);
    assert_eq!(fitted.choices[1].value, 2);
}

#[test]
fn without_a_tree_it_is_pca() {
    let fitted = fit(&settings(0.0), &tree());
    assert!((fitted.trace[0] - 0.394194107832).abs() < 1e-12, "{}", fitted.trace[0]);
    assert!((fitted.objective() - fitted.trace[0]).abs() < 1e-12);
}

#[test]
fn the_basis_is_orthonormal_and_carries_the_embedding_to_the_nodes() {
    let points = tree();
    let fitted = fit(&settings(1.0), &points);
    let latent = fitted.object.embedding().unwrap().clone();
    let basis = latent.basis().unwrap().as_faer();
    let gram = basis.transpose() * basis;
    let identity = faer::Mat::<f64>::identity(2, 2);
    assert!((gram - identity).norm_max() < 1e-12);
    let positions = latent.nodes.as_ref().unwrap().as_faer() * basis.transpose();
    for (i, node) in fitted.graph().unwrap().nodes().rows().enumerate() {
        for (d, x) in node.iter().enumerate() {
            assert!((x - latent.center().unwrap()[d] - positions[(i, d)]).abs() < 1e-12);
        }
    }
    // mean(Z) = mean(X) B = 0.
    for d in 0..2 {
        assert!(latent.coordinates.rows().map(|z| z[d]).sum::<f64>().abs() < 1e-10);
    }
}

/// Points in `columns` columns: those of the tree, mixed by an orthonormal map.
fn widened(points: &Points<'_>, columns: usize) -> Points<'static> {
    let mut map = Matrix::zeros(points.dims(), columns);
    for d in 0..points.dims() {
        let row = map.row_mut(d);
        // Columns of a Hadamard-like pattern that do not overlap: orthonormal rows.
        let width = columns / points.dims();
        let entry = 1.0 / (width as f64).sqrt();
        row[d * width..(d + 1) * width].fill(entry);
    }
    let mut values = Vec::new();
    let mut row = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        for column in 0..columns {
            values.push((0..row.len()).map(|d| row[d] * map.row(d)[column]).sum());
        }
    }
    Points::from_f64(values, columns).unwrap()
}

#[test]
fn many_columns_change_nothing() {
    let narrow = fit(&settings(1.0), &tree());
    // More columns than points, and then too many for a full eigendecomposition.
    let few = tree();
    let mut values = vec![0.0; 120 * 10];
    for (i, row) in values.chunks_exact_mut(10).enumerate() {
        few.copy_row(i, row);
    }
    for columns in [200, 500] {
        let wide = fit(&settings(1.0), &widened(&few, columns));
        assert!((wide.objective() - narrow.objective()).abs() < 1e-10);
        assert_eq!(wide.graph().unwrap().edges().len(), narrow.graph().unwrap().edges().len());
        let (a, b) = (wide.object.embedding().unwrap().clone(), narrow.object.embedding().unwrap());
        let basis = a.basis().unwrap().as_faer();
        let gram = basis.transpose() * basis;
        assert!((gram - faer::Mat::<f64>::identity(2, 2)).norm_max() < 1e-12);
        for (x, y) in a.coordinates.as_slice().iter().zip(b.coordinates.as_slice()) {
            assert!((x.abs() - y.abs()).abs() < 1e-8, "{x} {y}");
        }
    }
}

#[test]
fn shuffled_rows_shuffle_the_nodes() {
    let points = tree();
    let mut values = vec![0.0; 1200];
    for (i, row) in values.chunks_exact_mut(10).enumerate() {
        points.copy_row(i * 7 % 120, row);
    }
    let (a, b) =
        (fit(&settings(1.0), &points), fit(&settings(1.0), &Points::from_f64(values, 10).unwrap()));
    assert!((a.objective() - b.objective()).abs() < 1e-11);
    for i in 0..120 {
        let pairs = a
            .graph()
            .unwrap()
            .nodes()
            .row(i * 7 % 120)
            .iter()
            .zip(b.graph().unwrap().nodes().row(i));
        assert!(pairs.into_iter().all(|(x, y)| (x - y).abs() < 1e-9));
    }
}

#[test]
fn invalid_numbers_of_components_are_refused() {
    let points = tree();
    let with = |n_components| DrTree { n_components, ..settings(1.0) };
    let found = message(&with(ComponentCount::Exactly(11)), &points);
    assert_eq!(found, "n_components = 11: 120 points in 10 columns have 1 to 10 components");
    let found = message(&with(ComponentCount::Exactly(0)), &points);
    assert!(found.contains("1 to 10 components"), "{found}");
    let found = message(&with(ComponentCount::Share(1.5)), &points);
    assert!(found.contains("between 0 and 1"), "{found}");
    let none: DrTree = serde_json::from_str(r#"{"n_components": 0}"#).unwrap();
    assert!(message(&none, &points).starts_with("n_components = 0: "));
    let all = fit(&with(ComponentCount::Exactly(10)), &points);
    assert_eq!(all.object.embedding().unwrap().basis().unwrap().n_cols(), 10);
    let most = fit(&with(ComponentCount::Share(0.9)), &points);
    assert!((2..10).contains(&most.object.embedding().unwrap().basis().unwrap().n_cols()));
}

#[test]
fn invalid_settings_are_refused() {
    let points = tree();
    let found = message(&DrTree { max_iter: 0, ..settings(1.0) }, &points);
    assert!(found.contains("max_iter = 0: must be at least 1"), "{found}");
    let found = message(&settings(-1.0), &points);
    assert_eq!(found, "tree_weight = -1: must be 0 or positive");
    let start = Matrix::zeros(5, 10);
    let found = settings(1.0).fit(&points, Some(&start).into(), &mut Silent).unwrap_err();
    assert!(found.to_string().contains("expected 120, one per point, found 5"), "{found}");
}

#[test]
fn duplicates_and_constant_columns_are_harmless() {
    let points = tree();
    let mut values = Vec::new();
    let mut row = vec![0.0; 10];
    for i in (0..120).chain(0..120) {
        points.copy_row(i, &mut row);
        values.extend_from_slice(&row);
        values.push(3.0);
    }
    let fitted = fit(&settings(1.0), &Points::from_f64(values, 11).unwrap());
    assert_eq!(fitted.end, End::MaxIter);
    assert!(fitted.graph().unwrap().nodes().as_slice().iter().all(|x| x.is_finite()));
    assert!(fitted.graph().unwrap().nodes().rows().all(|node| (node[10] - 3.0).abs() < 1e-12));
    // Three points, two of them equal, in many columns span one dimension.
    let few = Points::from_f64([[0.0; 9], [1.0; 9], [1.0; 9]].concat(), 9).unwrap();
    let latent = fit(&settings(1.0), &few).object.embedding().unwrap().clone();
    let gram = latent.basis().unwrap().as_faer().transpose() * latent.basis().unwrap().as_faer();
    assert!((gram - faer::Mat::<f64>::identity(2, 2)).norm_max() < 1e-12);
    assert!(latent.coordinates.rows().all(|z| z[1].abs() < 1e-12));
}

#[test]
fn points_without_weight_are_only_projected() {
    let points = tree();
    let mut values = vec![0.0; 1210];
    for (i, row) in values.chunks_exact_mut(10).enumerate() {
        points.copy_row(i % 120, row);
    }
    let mut weights = vec![1.0; 121];
    weights[120] = 0.0;
    let masked = Points::from_f64(values, 10).unwrap().with_weights(weights).unwrap();
    let (a, b) = (fit(&settings(1.0), &points), fit(&settings(1.0), &masked));
    assert_eq!(a.graph().unwrap().nodes().n_rows(), b.graph().unwrap().nodes().n_rows());
    assert!((a.objective() - b.objective()).abs() < 1e-12);
    let latent = b.object.embedding().unwrap().clone();
    let mut first = vec![0.0; 10];
    points.copy_row(0, &mut first);
    for axis in 0..2 {
        let score: f64 = (0..10)
            .map(|d| {
                (first[d] - latent.center().unwrap()[d]) * latent.basis().unwrap().row(d)[axis]
            })
            .sum();
        assert!((latent.coordinates.row(120)[axis] - score).abs() < 1e-12);
    }
}
