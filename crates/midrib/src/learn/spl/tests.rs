//! The figures of the golden rows, computed once by an independent dense program; the objective
//! and its gradient against a dense version; errors that tell what to do.
#![allow(non_snake_case)]

use faer::linalg::solvers::{DenseSolveCore, Llt, SelfAdjointEigen};
use faer::{Mat, Side};
use serde_json::json;

use super::objective::{Model, Objective};
use super::{Ascent, Scaling, Spl};
use crate::connect::{Candidates, NeighborRule};
use crate::error::Result;
use crate::learn::{ComponentCount, End, Fit, Given, InfOr, Method, NodeCount};
use crate::math::{Bounded, Matrix, Slope, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

const DISTORTED_S: &str = include_str!("../../../tests/data/distorted_s.csv");
const TREE: &str = include_str!("../../../tests/data/tree120x10.csv");

/// All columns but the last, which holds labels.
fn read(table: &str) -> Matrix {
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
            fields[..fields.len() - 1].to_vec()
        })
        .collect();
    Matrix::from_rows(&rows).unwrap()
}

fn points(rows: &Matrix) -> Points<'_> {
    Points::from_f64(rows.as_slice(), rows.n_cols()).unwrap()
}

fn fit(rows: &Matrix, settings: &Spl) -> Result<Fit> {
    settings.fit(&points(rows), Given::default(), &mut Silent)
}

fn golden(noise_weight: f64) -> Spl {
    Spl { noise_weight, scaling: Scaling::None, tol: 1e-5, ..Spl::default() }
}

#[test]
fn the_maximum_on_the_distorted_s() {
    let rows = read(DISTORTED_S);
    for (noise_weight, expected) in
        [(0.0, 307.626688665), (0.001, 307.630161936), (1.0, 298.309254570)]
    {
        let fitted = fit(&rows, &golden(noise_weight)).unwrap();
        assert_eq!(fitted.end, End::Converged);
        let found = -fitted.objective();
        assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
        // The mean squared distance of neighbors is 0.0313 here, so that the residual is 3e-7.
        assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-10));
        assert!(fitted.iterations < 60, "{}", fitted.iterations);
    }
}

#[test]
fn the_steps_of_the_paper_get_halfway() {
    let settings = Spl { ascent: Ascent::Subgradient, max_iter: 200, ..golden(0.0) };
    let fitted = fit(&read(DISTORTED_S), &settings).unwrap();
    assert_eq!(fitted.end, End::MaxIter);
    let found = -fitted.objective();
    assert!((found - 154.6).abs() < 0.5, "{found}");
}

fn model(rows: &Matrix, k: usize, d: usize, gamma: f64, strain: f64) -> Model {
    let n = rows.n_rows() as f64;
    let mut X = rows.clone();
    for column in 0..X.n_cols() {
        let mean = X.rows().map(|row| row[column]).sum::<f64>() / n;
        (0..X.n_rows()).for_each(|i| X.row_mut(i)[column] -= mean);
    }
    let pairs = Candidates::Nearest { k, rule: NeighborRule::Union }.pairs(&X).unwrap();
    let phi = pairs.iter().map(|&(a, b)| squared_distance(X.row(a), X.row(b))).collect();
    Model { X, pairs, phi, d, gamma, strain }
}

/// −f with dense matrices, as the paper has it.
fn dense(model: &Model, s: &[f64]) -> f64 {
    let n = model.X.n_rows();
    let mut Q = Mat::<f64>::identity(n, n) * ((model.gamma + 1.0) / 4.0);
    for (&(a, b), s) in model.pairs.iter().zip(s) {
        Q[(a, a)] += s;
        Q[(b, b)] += s;
        Q[(a, b)] -= s;
        Q[(b, a)] -= s;
    }
    let llt = Llt::new(Q.as_ref(), Side::Lower).unwrap();
    let log_det: f64 = (0..n).map(|i| 2.0 * llt.L()[(i, i)].ln()).sum();
    let X = model.X.as_faer();
    let eigen =
        SelfAdjointEigen::new((X.transpose() * llt.inverse() * X).as_ref(), Side::Lower).unwrap();
    let D = model.X.n_cols();
    let top: f64 = (0..model.d).map(|i| eigen.S()[D - 1 - i]).sum();
    let kept: f64 = s.iter().zip(&model.phi).map(|(s, phi)| 2.0 * s * phi).sum();
    let squares: f64 = s.iter().map(|s| 2.0 * s * s).sum();
    kept + squares * model.strain / 4.0 + model.gamma.powi(2) / 8.0 * top
        - model.d as f64 / 2.0 * log_det
}

#[test]
fn value_and_gradient_are_those_of_the_dense_objective() {
    let rows = arc(60, 0.0);
    for (d, gamma) in [(1, 0.0), (2, 0.0), (1, 0.7), (2, 0.7), (3, 0.7)] {
        for strain in [0.0, 0.05] {
            let mut objective = Objective::new(model(&rows, 4, d, gamma, strain)).unwrap();
            let s: Vec<f64> =
                (0..objective.model.pairs.len()).map(|i| (i as f64).sin().abs() + 0.1).collect();
            let value = objective.value(&s).unwrap();
            let expected = dense(&objective.model, &s);
            assert!((value - expected).abs() < 1e-10 * expected.abs(), "{value} {expected}");
            let mut slope = Slope::default();
            objective.slope(&mut slope).unwrap();
            for at in (0..s.len()).step_by(17) {
                let shifted = |by: f64| {
                    let mut s = s.clone();
                    s[at] += by;
                    dense(&objective.model, &s)
                };
                let difference = (shifted(1e-5) - shifted(-1e-5)) / 2e-5;
                assert!((slope.gradient[at] - difference).abs() < 1e-6, "pair {at}, {gamma}");
            }
        }
    }
}

/// A quarter of a circle, lifted into three dimensions.
fn arc(n: usize, shift: f64) -> Matrix {
    let rows: Vec<[f64; 3]> = (0..n)
        .map(|i| (i as f64 + shift) / n as f64 * 1.6)
        .map(|t| [t.cos(), t.sin(), 0.3 * t])
        .collect();
    Matrix::from_rows(&rows).unwrap()
}

#[test]
fn new_points_fall_between_their_neighbors() {
    let (rows, between) = (arc(200, 0.0), arc(199, 0.5 * 199.0 / 200.0));
    for noise_weight in [0.0, 1.0] {
        let settings = Spl { noise_weight, ..Spl::default() };
        let fitted = fit(&rows, &settings).unwrap();
        let latent = fitted.object.embedding().unwrap();
        let map = |rows: &Matrix| latent.transform(fitted.object.graph(), &points(rows)).unwrap();
        assert_eq!(map(&rows), latent.coordinates);
        let placed = map(&between);
        let ends = [latent.coordinates.row(0), latent.coordinates.row(199)];
        let length = squared_distance(ends[0], ends[1]).sqrt();
        for i in 5..194 {
            let (a, b) = (latent.coordinates.row(i), latent.coordinates.row(i + 1));
            let middle: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect();
            let off = squared_distance(placed.row(i), &middle).sqrt();
            assert!(off < 0.02 * length, "{noise_weight} {i}: {off} of {length}");
        }
    }
}

#[test]
fn the_first_coordinate_of_an_arc_follows_it() {
    for noise_weight in [0.0, 1.0] {
        let fitted = fit(&arc(150, 0.0), &Spl { noise_weight, ..Spl::default() }).unwrap();
        let latent = fitted.object.embedding().unwrap().clone();
        let first: Vec<f64> = latent.coordinates.rows().map(|row| row[0]).collect();
        let sign = (first[149] - first[0]).signum();
        assert!(first.windows(2).all(|pair| (pair[1] - pair[0]) * sign > 0.0));
        let basis = latent.basis().unwrap().as_faer();
        let gram = basis.transpose() * basis;
        assert!((gram - Mat::<f64>::identity(2, 2)).norm_max() < 1e-12);
    }
}

#[test]
fn scaling_is_reported_and_undone() {
    let rows = arc(120, 0.0);
    let mut large = rows.clone();
    large.as_mut_slice().iter_mut().for_each(|x| *x *= 1000.0);
    let (a, b) = (fit(&rows, &Spl::default()).unwrap(), fit(&large, &Spl::default()).unwrap());
    let factor = |fitted: &Fit| {
        let choice = fitted.choices.iter().find(|choice| choice.setting == "scaling").unwrap();
        choice.value.as_f64().unwrap()
    };
    assert!((factor(&a) / factor(&b) - 1000.0).abs() < 1e-6);
    let of = |fitted: Fit| fitted.object.embedding().unwrap().coordinates.clone();
    let (a, b) = (of(a), of(b));
    let largest = a.as_slice().iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    // The arc is the same from either end, so that the sign of a coordinate is left to rounding.
    for (a, b) in a.as_slice().iter().zip(b.as_slice()) {
        assert!((1000.0 * a.abs() - b.abs()).abs() < 1.0 * largest, "{a} {b}");
    }
}

#[test]
fn any_order_of_the_rows_gives_the_same_similarities() {
    let rows = read(TREE);
    let n = rows.n_rows();
    let order = |i: usize| i * 7 % n;
    let shuffled = rows.select_rows((0..n).map(order));
    let (a, b) = (fit(&rows, &Spl::default()).unwrap(), fit(&shuffled, &Spl::default()).unwrap());
    assert!((a.objective() - b.objective()).abs() < 1e-9 * a.objective().abs());
    let mut back: Vec<(usize, usize, f64)> = b
        .graph()
        .unwrap()
        .edges()
        .iter()
        .map(|edge| (order(edge.a), order(edge.b), edge.weight))
        .map(|(a, b, weight)| (a.min(b), a.max(b), weight))
        .collect();
    back.sort_by_key(|&(a, b, _)| (a, b));
    assert_eq!(back.len(), a.graph().unwrap().edges().len());
    for (edge, back) in a.graph().unwrap().edges().iter().zip(back) {
        assert_eq!((edge.a, edge.b), (back.0, back.1));
        assert!((edge.weight - back.2).abs() < 1e-2 * edge.weight.max(0.01), "{edge:?} {back:?}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // Wide enough for the tiles of the neighbors and for two panels of the form.
    let rows = read(TREE);
    for noise_weight in [0.0, 1.0] {
        let settings = Spl { noise_weight, ..Spl::default() };
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&rows, &settings).unwrap())
        });
        assert_eq!(one.graph().unwrap(), three.graph().unwrap());
        assert_eq!(one.trace, three.trace);
        let (one, three) =
            (one.object.embedding().unwrap().clone(), three.object.embedding().unwrap().clone());
        assert_eq!(one.coordinates, three.coordinates);
        assert_eq!(one.basis(), three.basis());
    }
}

#[test]
fn a_wide_table_is_learned_without_its_square() {
    // 40 points in 1,100 columns: the axes come from products.
    let narrow = arc(40, 0.0);
    let wide: Vec<Vec<f64>> = narrow
        .rows()
        .map(|row| (0..1100).map(|j| row[j % 3] * ((j / 3) as f64).cos() / 13.5).collect())
        .collect();
    let settings = Spl { noise_weight: 1.0, ..Spl::default() };
    let fitted = fit(&Matrix::from_rows(&wide).unwrap(), &settings).unwrap();
    assert_eq!(fitted.end, End::Converged);
    assert_eq!(fitted.object.embedding().unwrap().basis().unwrap().n_rows(), 1100);
}

#[test]
fn repeated_rows_and_constant_columns_are_learned() {
    let rows = arc(60, 0.0).select_rows((0..120).map(|i| i % 60));
    let fitted = fit(&rows, &Spl::default()).unwrap();
    assert_eq!(fitted.end, End::Converged);
    let latent = fitted.object.embedding().unwrap().clone();
    assert!(latent.coordinates.as_slice().iter().all(|x| x.is_finite()));
    let flat: Vec<[f64; 3]> = arc(60, 0.0).rows().map(|row| [row[0], row[1], 7.0]).collect();
    let flat = Matrix::from_rows(&flat).unwrap();
    for noise_weight in [0.0, 1.0] {
        let settings =
            Spl { n_components: ComponentCount::Exactly(3), noise_weight, ..Spl::default() };
        let embedding =
            fit(&flat, &settings).unwrap().object.embedding().unwrap().coordinates.clone();
        assert!(embedding.as_slice().iter().all(|x| x.is_finite()));
    }
}

#[test]
fn components_are_reported() {
    let (mut rows, far) = (Vec::new(), arc(40, 0.0));
    far.rows().for_each(|row| rows.push([row[0], row[1]]));
    far.rows().for_each(|row| rows.push([row[0] + 50.0, row[1]]));
    let fitted = fit(&Matrix::from_rows(&rows).unwrap(), &Spl::default()).unwrap();
    assert_eq!(fitted.graph().unwrap().components().count, 2);
    let note = "the neighbors form 2 components: their relative positions come from the points alone; \
                more neighbors connect them";
    assert_eq!(fitted.notes[0], note);
}

#[test]
fn what_cannot_be_learned_is_reported() {
    let rows = arc(30, 0.0);
    let message = |settings: Spl, rows: &Matrix| fit(rows, &settings).unwrap_err().to_string();
    let with_components = |d| Spl { n_components: ComponentCount::Exactly(d), ..Spl::default() };
    assert_eq!(
        message(with_components(4), &rows),
        "n_components = 4: must be at most the number of columns, 3, and below the number of \
         points, 30"
    );
    assert!(message(with_components(3), &arc(3, 0.0)).contains("below the number of points, 3"));
    assert_eq!(message(with_components(0), &rows), "n_components = 0: must be at least 1");
    let neighbors = Spl { n_neighbors: NodeCount::Exactly(30), ..Spl::default() };
    assert!(message(neighbors, &rows).contains("n_neighbors = 30: must be at least 1 and below"));
    let strict = Spl { tolerance_weight: InfOr::Infinite, ..Spl::default() };
    assert!(fit(&rows, &strict).is_ok());
    let twice = rows.select_rows((0..60).map(|i| i / 2));
    assert_eq!(
        message(strict, &twice),
        "tolerance_weight = inf: points 0 and 1 are equal, and nothing bounds their similarity: \
         give a number, or leave out repeated rows"
    );
    let few = Spl { n_neighbors: NodeCount::Exactly(1), ..Spl::default() };
    assert!(message(few, &twice).contains("the nearest points of every point are equal to it"));
    let mut large = rows.clone();
    large.as_mut_slice().iter_mut().for_each(|x| *x *= 1000.0);
    let unscaled = Spl { scaling: Scaling::None, ..Spl::default() };
    let none = message(unscaled, &large);
    assert!(none.contains("prior of variance 1") && none.contains("leave it at auto"), "{none}");
    assert!(none.contains("a squared distance of about 2 can be similar, and"), "{none}");
    let weighted = points(&rows).with_weights((1..31).map(f64::from).collect::<Vec<_>>()).unwrap();
    let refused = Spl::default().fit(&weighted, Given::default(), &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("spl takes no weights except 0"), "{refused}");
    let negative = Spl { noise_weight: -1.0, ..Spl::default() };
    assert_eq!(message(negative, &rows), "noise_weight = -1: must be 0 or positive");
    let all_noise = Spl { noise_weight: 1e12, ..Spl::default() };
    let none = message(all_noise, &rows);
    assert!(none.starts_with("noise_weight = 1000000000000: no two"), "{none}");
}

#[test]
fn mutual_neighbors_equal_given_pairs() {
    let rows = read(TREE);
    let mutual = Spl {
        n_neighbors: NodeCount::Exactly(5),
        neighbors: NeighborRule::Mutual,
        ..Spl::default()
    };
    let pairs = Candidates::Nearest { k: 5, rule: NeighborRule::Mutual }.pairs(&rows).unwrap();
    let given = Given { pairs: Some(&pairs), ..Given::default() };
    let points = points(&rows);
    let expected = Spl::default().fit(&points, given, &mut Silent).unwrap();
    let found = fit(&rows, &mutual).unwrap();
    assert_eq!(found.graph().unwrap(), expected.graph().unwrap());
    assert_eq!(found.trace, expected.trace);
    let mutual = Spl { n_neighbors: NodeCount::Auto, ..mutual };
    let refused = mutual.fit(&points, given, &mut Silent).unwrap_err().to_string();
    assert_eq!(refused, "neighbors = mutual: leave it out: the pairs of points are given");
}

#[test]
fn settings_are_numbers_or_words() {
    let settings: Spl =
        serde_json::from_value(json!({"tolerance_weight": "inf", "n_components": 0.95})).unwrap();
    assert_eq!(settings.tolerance_weight, InfOr::Infinite);
    assert_eq!(settings.n_components, ComponentCount::Share(0.95));
    let fitted = fit(&read(TREE), &settings).unwrap();
    assert!(fitted.choices.iter().any(|choice| choice.setting == "n_components"));
}

#[test]
fn points_without_similar_points_are_reported() {
    // Everything is far apart but two equal points.
    let rows = Matrix::from_rows(&[[0.0, 0.0], [0.0, 0.0], [1e6, 0.0], [0.0, 1e6], [2e6, 3e6]]);
    let settings =
        Spl { n_neighbors: NodeCount::Exactly(2), scaling: Scaling::None, ..Spl::default() };
    let fitted = fit(&rows.unwrap(), &settings).unwrap();
    let note = fitted.notes.iter().find(|note| note.contains("similar to no other"));
    assert!(note.is_some_and(|note| note.starts_with("3 of 5") && note.contains("scaling = auto")));
    let near = fit(&read(DISTORTED_S), &golden(1.0)).unwrap();
    assert!(!near.notes.iter().any(|note| note.contains("similar to no other")));
}
