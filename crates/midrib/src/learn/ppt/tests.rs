//! Closed forms and identities of the objective.

use super::SimplePpt;
use crate::learn::{Acceleration, AutoOr, End, Fit, Given, Method, NodeCount, Rpg, Start, Tips};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::Points;
use crate::synth::{Shape, Synth};

fn tree(n: usize) -> Points<'static> {
    let shape = Shape::Tree { branch_points: 2 };
    Synth { shape, n, dims: 3, noise: 0.1, seed: 5 }.generate().unwrap().points
}

fn settings(bandwidth: f64, length_penalty: f64) -> SimplePpt {
    SimplePpt {
        n_nodes: NodeCount::Exactly(30),
        bandwidth: AutoOr::Fixed(bandwidth),
        length_penalty: AutoOr::Fixed(length_penalty),
        ..SimplePpt::default()
    }
}

fn fit(settings: &SimplePpt, points: &Points<'_>) -> Fit {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

fn mean(points: &Points<'_>) -> Vec<f64> {
    let mut row = vec![0.0; points.dims()];
    let mut mean = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        for (m, x) in mean.iter_mut().zip(&row) {
            *m += x / points.len() as f64;
        }
    }
    mean
}

#[test]
fn the_objective_is_bounded_from_below() {
    let fitted = fit(&settings(0.05, 3.0), &tree(200));
    assert!(fitted.objective() >= -0.05 * 200.0 * 30_f64.ln());
}

#[test]
fn a_huge_length_penalty_collapses_the_tree_to_the_mean() {
    let points = tree(200);
    let fitted = fit(&settings(0.05, 1e12), &points);
    let mean = mean(&points);
    for node in fitted.graph().unwrap().nodes().rows() {
        for (x, m) in node.iter().zip(&mean) {
            assert!((x - m).abs() < 1e-6);
        }
    }
}

#[test]
fn many_noisy_columns_do_not_collapse_the_nodes() {
    let (n, dims) = (300, 200);
    let mut seed = 1_u64;
    let mut uniform = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut values: Vec<f64> = (0..n * dims).map(|_| 12_f64.sqrt() * uniform()).collect();
    for row in values.chunks_exact_mut(dims) {
        row[0] = 12.0 * uniform();
    }
    let fitted = fit(&SimplePpt::default(), &Points::from_f64(values, dims).unwrap());
    let ends = fitted.graph().unwrap().nodes().rows().map(|node| node[0]);
    let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    assert!(high - low > 6.0, "the tree spans {} of a line of length 12", high - low);
}

#[test]
fn converged_nodes_balance_around_the_mean() {
    let points = tree(200);
    let fitted = fit(&SimplePpt { tol: 1e-14, max_iter: 3000, ..settings(0.05, 3.0) }, &points);
    let mean = mean(&points);
    for d in 0..3 {
        let nodes = fitted.graph().unwrap().nodes().rows().zip(fitted.graph().unwrap().mass());
        let balance: f64 = nodes.map(|(node, mass)| node[d] * mass).sum::<f64>() / 200.0;
        assert!((balance - mean[d]).abs() < 1e-5, "{balance} {}", mean[d]);
    }
}

#[test]
fn scaled_points_scale_the_objective_by_the_square() {
    let points = tree(150);
    let mut values = vec![0.0; 150 * 3];
    for (i, row) in values.chunks_exact_mut(3).enumerate() {
        points.copy_row(i, row);
        row.iter_mut().for_each(|x| *x *= 7.0);
    }
    let scaled = Points::from_f64(values, 3).unwrap();
    let plain = |bandwidth| SimplePpt {
        acceleration: Acceleration::None,
        max_iter: 20,
        tol: 0.0,
        ..settings(bandwidth, 2.0)
    };
    let (a, b) = (fit(&plain(0.02), &points), fit(&plain(0.02 * 49.0), &scaled));
    for (x, y) in a.trace.iter().zip(&b.trace) {
        assert!((49.0 * x - y).abs() < 1e-9 * y.abs().max(1.0));
    }
}

#[test]
fn the_regularized_graph_is_the_same_in_another_scale() {
    let points = tree(200);
    let ppt = fit(&settings(0.05, 4.0), &points);
    let rpg = Rpg {
        n_nodes: NodeCount::Exactly(30),
        bandwidth: AutoOr::Fixed(0.05),
        data_weight: AutoOr::Fixed(0.5),
        ..Rpg::default()
    };
    let rpg = rpg.fit(&points, Given::default(), &mut Silent).unwrap();
    assert_eq!(ppt.graph().unwrap(), rpg.graph().unwrap());
    for (x, y) in ppt.trace.iter().zip(&rpg.trace) {
        assert!((0.5 * x - y).abs() < 1e-12 * x.abs().max(1.0));
    }
}

#[test]
fn smoothing_is_a_length_penalty_that_grows_with_nodes_and_points() {
    let points = tree(200);
    let smoothed = SimplePpt {
        length_penalty: AutoOr::Auto,
        smoothing: Some(0.05),
        tips: Tips::Keep,
        ..settings(0.05, 0.0)
    };
    let penalized = settings(0.05, 0.05 * 0.05 * 30.0 * 200.0);
    assert_eq!(fit(&smoothed, &points).graph().unwrap(), fit(&penalized, &points).graph().unwrap());
    let both = SimplePpt { smoothing: Some(0.1), ..settings(0.05, 1.0) };
    assert!(both.check().unwrap_err().to_string().contains("not both"));
}

#[test]
fn acceleration_saves_sweeps_and_does_not_raise_the_objective() {
    let points = tree(400);
    let run = |acceleration| {
        let settings =
            SimplePpt { acceleration, tol: 1e-12, max_iter: 5000, ..settings(0.02, 5.0) };
        fit(&settings, &points)
    };
    let (plain, fast) = (run(Acceleration::None), run(Acceleration::Anderson));
    assert!(fast.iterations < plain.iterations, "{} {}", fast.iterations, plain.iterations);
    assert!(fast.objective() <= plain.objective() + 1e-3);
    assert_eq!(fast.end, End::Converged);
}

#[test]
fn fewer_nodes_than_wanted_are_explained() {
    let values: Vec<f64> = (0..300).flat_map(|i| [f64::from(i % 20), f64::from(i % 5)]).collect();
    let points = Points::from_f64(values, 2).unwrap();
    for n_nodes in [NodeCount::Exactly(50), NodeCount::Auto] {
        let settings = SimplePpt { n_nodes, tips: Tips::Keep, ..SimplePpt::default() };
        let fitted = fit(&settings, &points);
        assert_eq!(fitted.graph().unwrap().nodes().n_rows(), 20);
        let said: Vec<_> = fitted.choices.iter().filter(|c| c.setting == "n_nodes").collect();
        assert_eq!(said.len(), 1);
        assert_eq!(said[0].value, 20);
        assert!(said[0].reason.contains("only 20 distinct points"), "{}", said[0].reason);
    }
}

#[test]
fn a_given_start_is_used_and_checked() {
    let points = tree(100);
    let start = Matrix::from_rows(&[[0.0; 3], [1.0; 3], [2.0; 3]]).unwrap();
    let free = SimplePpt { n_nodes: NodeCount::Auto, ..settings(0.1, 1.0) };
    let fitted = free.fit(&points, Some(&start).into(), &mut Silent).unwrap();
    assert_eq!(fitted.graph().unwrap().nodes().n_rows(), 3);
    let none = SimplePpt { max_iter: 0, ..free.clone() };
    let fitted = none.fit(&points, Some(&start).into(), &mut Silent).unwrap();
    for (a, b) in fitted.graph().unwrap().nodes().as_slice().iter().zip(start.as_slice()) {
        assert!((a - b).abs() < 1e-12);
    }
    let wrong = Matrix::zeros(3, 2);
    assert!(free.fit(&points, Some(&wrong).into(), &mut Silent).is_err());
    let contradiction = SimplePpt { n_nodes: NodeCount::Exactly(7), ..free };
    let message =
        contradiction.fit(&points, Some(&start).into(), &mut Silent).unwrap_err().to_string();
    assert!(message.contains("has 3 nodes"), "{message}");
}

#[test]
fn the_scan_agrees_with_fits_of_other_penalties() {
    for n in [400, 3000] {
        let points = tree(n);
        let fitted = fit(&SimplePpt::default(), &points);
        let tuning = fitted.tuning.unwrap();
        let chosen = |setting: &str| {
            let choice = fitted.choices.iter().find(|choice| choice.setting == setting);
            choice.unwrap().value.as_f64().unwrap()
        };
        assert_eq!(tuning.chosen, chosen("length_penalty"));
        assert_eq!(tuning.pilot[1].bandwidth, chosen("bandwidth"));
        assert_eq!((tuning.curve.len(), tuning.curve[3].value), (7, tuning.chosen));
        assert!(tuning.curve.windows(2).all(|pair| pair[0].value < pair[1].value));
        for graph in &tuning.curve {
            let settings = SimplePpt {
                n_nodes: NodeCount::Auto,
                tips: Tips::Keep,
                ..settings(chosen("bandwidth"), graph.value)
            };
            let whole = fit(&settings, &points).graph().unwrap().clone();
            let away = whole.project(&points).unwrap().mean_squared_distance(&points).unwrap();
            let (nearer, longer) =
                (graph.mean_squared_distance / away, graph.length / whole.length());
            assert!((0.8..1.25).contains(&nearer), "{n}, {}: {nearer}", graph.value);
            assert!((0.8..1.25).contains(&longer), "{n}, {}: {longer}", graph.value);
        }
    }
}

#[test]
fn only_automatic_smoothness_is_scanned() {
    let points = tree(200);
    assert!(fit(&settings(0.05, 3.0), &points).tuning.is_none());
    let open = Rpg::default().fit(&points, Given::default(), &mut Silent).unwrap();
    let tuning = open.tuning.unwrap();
    let weight = open.choices.iter().find(|choice| choice.setting == "data_weight").unwrap();
    assert_eq!(
        (tuning.setting.as_str(), Some(tuning.chosen)),
        ("data_weight", weight.value.as_f64())
    );
    // The more the data weighs, the longer the tree.
    let ends = (tuning.curve[0], tuning.curve[6]);
    assert!(ends.0.value < ends.1.value && ends.0.length < ends.1.length);
}

#[test]
fn a_start_on_the_ridge_is_nearer_to_the_result() {
    let points = tree(200);
    let plain = SimplePpt { n_nodes: NodeCount::All, ..settings(0.05, 3.0) };
    let ridge = SimplePpt { start: Start::Ridge, ..plain.clone() };
    let (a, b) = (fit(&plain, &points), fit(&ridge, &points));
    assert!(b.trace[0] < a.trace[0]);
    let scale = a.trace[0] - a.objective();
    assert!((a.objective() - b.objective()).abs() < 0.05 * scale);
    let few = SimplePpt { start: Start::Ridge, ..settings(0.05, 3.0) };
    assert_eq!(fit(&few, &points).graph().unwrap().nodes().n_rows(), 30);
    let start = Matrix::zeros(30, 3);
    let given = few.fit(&points, Given::from(Some(&start)), &mut Silent);
    assert!(given.unwrap_err().to_string().contains("start = ridge: leave it out"));
}
