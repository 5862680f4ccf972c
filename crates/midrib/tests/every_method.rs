//! One suite over all methods: each declares what holds for its results, and is held to it.
#![allow(clippy::unwrap_used, clippy::panic)]

use midrib::graph::PrincipalGraph;
use midrib::learn::{Entry, Fit, Given, METHODS, Promises};
use midrib::math::Matrix;
use midrib::object::Object;
use midrib::synth::{Shape, Synth};
use midrib::{Points, Result, Silent};
use proptest::prelude::*;
use serde_json::{Value, json};

const TOLERANCE: f64 = 1e-5;

fn tree(n: usize, dims: usize, seed: u64) -> Matrix {
    let shape = Shape::Tree { branch_points: 2 };
    let sample = Synth { shape, n, dims, noise: 0.05, seed }.generate().unwrap();
    let mut rows = Matrix::zeros(n, dims);
    for i in 0..n {
        sample.points.copy_row(i, rows.row_mut(i));
    }
    rows
}

fn points(rows: &Matrix) -> Points<'_> {
    Points::from_f64(rows.as_slice(), rows.n_cols()).unwrap()
}

/// A method with one of the structures that it offers.
struct Case {
    entry: &'static Entry,
    name: String,
    structure: Option<Value>,
    promises: Promises,
}

impl Case {
    fn new(entry: &'static Entry, structure: Option<Value>) -> Self {
        let mut settings = entry.defaults();
        let mut name = entry.name.to_owned();
        if let Some(structure) = &structure {
            settings["structure"] = structure.clone();
            name = format!("{name} {structure}");
        }
        let promises = entry.parse(&settings).unwrap().promises();
        Self { entry, name, structure, promises }
    }

    /// Whether the method has this setting.
    fn has(&self, setting: &str) -> bool {
        self.entry.schema()["properties"].get(setting).is_some()
    }

    /// Whether it can take every point as a node.
    fn takes_all(&self) -> bool {
        self.entry.parse(&self.settings(&json!({"n_nodes": "all"}))).is_ok()
    }

    /// Those of the settings that the method has.
    fn settings(&self, settings: &Value) -> Value {
        let mut settings = settings.clone();
        settings.as_object_mut().unwrap().retain(|name, _| self.has(name));
        if let Some(structure) = &self.structure {
            settings["structure"] = structure.clone();
        }
        settings
    }
}

/// Every method, with every structure that its schema names.
fn cases() -> Vec<Case> {
    let of_method = |entry: &'static Entry| match entry.schema()["$defs"]["Structure"]["oneOf"] {
        Value::Array(ref structures) => {
            structures.iter().map(|s| Case::new(entry, Some(s["const"].clone()))).collect()
        }
        _ => vec![Case::new(entry, None)],
    };
    METHODS.iter().flat_map(of_method).collect()
}

#[test]
fn every_structure_is_a_case() {
    let names: Vec<String> = cases().into_iter().map(|case| case.name).collect();
    assert!(METHODS.iter().all(|entry| names.iter().any(|name| name.starts_with(entry.name))));
    for structure in ["rpg \"tree\"", "rpg \"l1\""] {
        assert!(names.iter().any(|name| name == structure), "{names:?}");
    }
}

fn fit_with(case: &Case, settings: &Value, points: &Points<'_>) -> Result<Fit> {
    case.entry.parse(&case.settings(settings))?.fit(points, Given::default(), &mut Silent)
}

fn fit(case: &Case, points: &Points<'_>) -> Result<Fit> {
    fit_with(case, &json!({}), points)
}

/// What was learned as nodes and edges; of affine pieces their centers, of embeddings without a graph
/// the coordinates.
fn nodes_of(fit: &Fit) -> PrincipalGraph {
    match &fit.object {
        Object::Flats(flats) => {
            let centers: Vec<&[f64]> = flats.flats().iter().map(|flat| &flat.center[..]).collect();
            let mass = flats.flats().iter().map(|flat| flat.mass).collect();
            PrincipalGraph::new(Matrix::from_rows(&centers).unwrap(), &[], mass).unwrap()
        }
        Object::Embedding(object) if object.graph.is_none() => {
            let mass = vec![1.0; object.embedding.coordinates.n_rows()];
            PrincipalGraph::new(object.embedding.coordinates.clone(), &[], mass).unwrap()
        }
        _ => fit.graph().unwrap().clone(),
    }
}

fn edge_list(graph: &PrincipalGraph) -> Vec<(usize, usize)> {
    graph.edges().iter().map(|edge| (edge.a, edge.b)).collect()
}

/// The same edges, and nodes at the same places up to `tolerance` of the size of the graph.
fn assert_same_graph(a: &PrincipalGraph, b: &PrincipalGraph, tolerance: f64, what: &str) {
    assert_eq!(edge_list(a), edge_list(b), "{what}: other edges");
    let largest = a.nodes().as_slice().iter().fold(0.0_f64, |max, x| max.max(x.abs()));
    for (x, y) in a.nodes().as_slice().iter().zip(b.nodes().as_slice()) {
        assert!((x - y).abs() <= tolerance * largest, "{what}: {x} against {y}");
    }
}

fn moved(rows: &Matrix, map: impl Fn(&[f64]) -> Vec<f64>) -> Matrix {
    let mapped: Vec<Vec<f64>> = rows.rows().map(map).collect();
    Matrix::from_rows(&mapped).unwrap()
}

fn moved_graph(graph: &PrincipalGraph, map: impl Fn(&[f64]) -> Vec<f64>) -> PrincipalGraph {
    let edges: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect();
    PrincipalGraph::new(moved(graph.nodes(), map), &edges, graph.mass().to_vec()).unwrap()
}

/// A rotation in the plane of the first two coordinates, and a shift.
fn rigid(row: &[f64], angle: f64, shift: f64) -> Vec<f64> {
    let mut out = row.to_vec();
    out[0] = angle.cos() * row[0] - angle.sin() * row[1];
    out[1] = angle.sin() * row[0] + angle.cos() * row[1];
    out.iter_mut().for_each(|x| *x += shift);
    out
}

/// Distances of some pairs of embedded points, which a rotation of the embedding keeps, as shares of the
/// largest.
fn apart(z: &Matrix) -> Vec<f64> {
    let pairs = (0..z.n_rows()).flat_map(|i| [i * 7 + 1, i * 31 + 5].map(|j| (i, j % z.n_rows())));
    let squared = |(i, j): (usize, usize)| midrib::math::squared_distance(z.row(i), z.row(j));
    let all: Vec<f64> = pairs.map(|pair| squared(pair).sqrt()).collect();
    let largest = all.iter().copied().fold(0.0, f64::max);
    all.into_iter().map(|d| d / largest).collect()
}

#[test]
fn embeddings_without_a_graph_depend_on_distances_alone() {
    use midrib::object::Kind;

    let without = |case: &Case| {
        let kind = case.entry.parse(&case.settings(&json!({}))).unwrap().kind();
        kind == Kind::Embedding { with_graph: false }
    };
    for seed in 0..3 {
        let rows = tree(300, 3, seed);
        let order: Vec<usize> = (0..300).map(|i| i * 77 % 300).collect();
        for case in cases().iter().filter(|case| without(case)) {
            let joined = json!({"n_neighbors": 30});
            let plain = fit_with(case, &joined, &points(&rows)).unwrap();
            let z = plain.object.embedding().unwrap().coordinates.clone();
            let expected = apart(&z);
            let check = |rows: &Matrix, what: &str, place: &dyn Fn(usize) -> usize| {
                let found = fit_with(case, &joined, &points(rows)).unwrap();
                let found = &found.object.embedding().unwrap().coordinates;
                let found = apart(&found.select_rows((0..300).map(place)));
                for (a, b) in found.iter().zip(&expected) {
                    assert!((a - b).abs() < TOLERANCE, "{} {what}: {a} against {b}", case.name);
                }
            };
            check(&moved(&rows, |row| rigid(row, 0.7, 20.0)), "turned", &|i| i);
            check(&moved(&rows, |row| row.iter().map(|x| x * 1e-9).collect()), "scaled", &|i| i);
            let shuffled = rows.select_rows(order.iter().copied());
            let place = |i: usize| order.iter().position(|&at| at == i).unwrap();
            check(&shuffled, "other order", &place);
            let again = plain.object.embed(&points(&rows)).unwrap().unwrap();
            let largest = z.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (a, b) in again.as_slice().iter().zip(z.as_slice()) {
                assert!((a - b).abs() < 1e-9 * largest, "{}: {a} against {b}", case.name);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn any_order_of_the_rows_gives_the_same_graph(seed in 0_u64..1000, stride in 1_usize..299) {
        let rows = tree(300, 3, seed);
        let stride = 2 * stride + 1; // odd and no multiple of 3 or 5: coprime to 300
        prop_assume!(stride % 3 != 0 && stride % 5 != 0);
        let shuffled = rows.select_rows((0..300).map(|i| i * stride % 300));
        for case in cases().iter().filter(|case| case.promises.any_row_order) {
            let (a, b) = (fit(case, &points(&rows)).unwrap(), fit(case, &points(&shuffled)).unwrap());
            assert_same_graph(&nodes_of(&a), &nodes_of(&b), TOLERANCE, &case.name);
        }
    }

    #[test]
    fn rigid_motions_carry_the_graph_along(seed in 0_u64..1000, angle in 0.0_f64..6.0, shift in -100.0_f64..100.0) {
        let rows = tree(300, 3, seed);
        let turned = moved(&rows, |row| rigid(row, angle, shift));
        for case in cases().iter().filter(|case| case.promises.rigid_motions) {
            let (a, b) = (fit(case, &points(&rows)).unwrap(), fit(case, &points(&turned)).unwrap());
            let expected = moved_graph(&nodes_of(&a), |row| rigid(row, angle, shift));
            assert_same_graph(&expected, &nodes_of(&b), TOLERANCE, &case.name);
        }
    }

    #[test]
    fn scaling_carries_the_graph_along(seed in 0_u64..1000, log_scale in -6.0_f64..6.0) {
        let scale = 10_f64.powf(log_scale);
        let rows = tree(300, 3, seed);
        let scaled = moved(&rows, |row| row.iter().map(|x| x * scale).collect());
        for case in cases().iter().filter(|case| case.promises.scaling) {
            let (a, b) = (fit(case, &points(&rows)).unwrap(), fit(case, &points(&scaled)).unwrap());
            let expected = moved_graph(&nodes_of(&a), |row| row.iter().map(|x| x * scale).collect());
            assert_same_graph(&expected, &nodes_of(&b), TOLERANCE, &case.name);
        }
    }

    #[test]
    fn weights_count_like_repeated_rows(seed in 0_u64..1000) {
        let rows = tree(200, 3, seed);
        let weights: Vec<f64> = (0..200).map(|i| f64::from(i % 3)).collect();
        let repeated = rows.select_rows((0..200).flat_map(|i| std::iter::repeat_n(i, i % 3)));
        for case in cases().iter().filter(|case| case.promises.weights_as_repeats) {
            let weighted = points(&rows).with_weights(weights.clone()).unwrap();
            let settings = json!({"n_nodes": 40});
            let a = fit_with(case, &settings, &weighted).unwrap();
            let b = fit_with(case, &settings, &points(&repeated)).unwrap();
            assert_same_graph(&nodes_of(&a), &nodes_of(&b), TOLERANCE, &case.name);
            if let Some(first) = a.trace.first() {
                let scale = first.abs().max(1.0);
                prop_assert!((a.objective() - b.objective()).abs() < 1e-6 * scale);
            }
        }
    }

    #[test]
    fn the_cost_never_rises_and_trees_are_trees(seed in 0_u64..1000, nodes in 3_usize..120) {
        let rows = tree(250, 4, seed);
        for case in &cases() {
            let fitted = fit_with(case, &json!({"n_nodes": nodes, "tips": "keep"}), &points(&rows)).unwrap();
            let graph = &nodes_of(&fitted);
            // An objective at the start, from the first iteration on, or none at all.
            let untraced = fitted.iterations + 1 - fitted.trace.len().min(fitted.iterations + 1);
            prop_assert!(untraced <= 1 || fitted.trace.is_empty());
            if case.promises.cost_falls {
                let slack = 1e-10 * fitted.trace.first().map_or(1.0, |first| first.abs().max(1.0));
                prop_assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + slack));
            }
            if case.promises.tree {
                prop_assert_eq!(graph.edges().len() + 1, graph.nodes().n_rows());
                prop_assert_eq!(graph.components().count, 1);
            }
            prop_assert!((graph.mass().iter().sum::<f64>() - 250.0).abs() < 1e-8);
        }
    }
}

/// Trees, every 15th point of which is an outlier.
#[test]
fn promises_hold_with_an_estimated_radius() {
    let settings = json!({"n_nodes": 25, "trimming_radius": "auto"});
    for seed in 0..3 {
        let far = |i: usize| if i.is_multiple_of(15) { 4.0 } else { 1.0 };
        let rows = tree(300, 3, seed);
        let rows: Vec<Vec<f64>> = rows
            .rows()
            .enumerate()
            .map(|(i, row)| row.iter().map(|x| far(i) * x).collect())
            .collect();
        let rows = Matrix::from_rows(&rows).unwrap();
        let shuffled = rows.select_rows((0..300).map(|i| i * 77 % 300));
        let rigidly = |row: &[f64]| rigid(row, 0.7, 20.0);
        let scaled = |row: &[f64]| row.iter().map(|x| x * 1e-5).collect::<Vec<_>>();
        let weights: Vec<f64> = (0..300).map(|i| f64::from(i % 3)).collect();
        let repeated = rows.select_rows((0..300).flat_map(|i| std::iter::repeat_n(i, i % 3)));
        let twice = rows.select_rows((0..600).map(|i| i % 300));
        for case in cases().iter().filter(|case| case.has("trimming_radius")) {
            let of = |points: &Points<'_>| fit_with(case, &settings, points).unwrap();
            let plain = of(&points(&rows));
            assert!(plain.choices.iter().any(|choice| choice.setting == "trimming_radius"));
            let same = |expected: &PrincipalGraph, found: &Fit, what: &str| {
                let what = format!("{}, seed {seed}: {what}", case.name);
                assert_same_graph(expected, &nodes_of(found), TOLERANCE, &what);
            };
            same(&nodes_of(&plain), &of(&points(&shuffled)), "other order");
            let turned = moved_graph(&nodes_of(&plain), rigidly);
            same(&turned, &of(&points(&moved(&rows, rigidly))), "turned");
            let smaller = moved_graph(&nodes_of(&plain), scaled);
            same(&smaller, &of(&points(&moved(&rows, scaled))), "scaled");
            if case.promises.weights_as_repeats {
                let doubled = of(&points(&rows).with_weights(vec![2.0; 300]).unwrap());
                same(&nodes_of(&doubled), &of(&points(&twice)), "each twice");
                let weighted = of(&points(&rows).with_weights(weights.clone()).unwrap());
                same(&nodes_of(&weighted), &of(&points(&repeated)), "repeated");
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
            assert_eq!(
                &nodes_of(&plain),
                &nodes_of(&pool.install(|| of(&points(&rows)))),
                "{}",
                case.name
            );
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let all = json!({"n_nodes": "all", "max_iter": 3, "tips": "keep"});
    let few = json!({"max_iter": 30});
    for (dims, n, settings) in [(5, 3000, few.clone()), (20, 3000, few), (3, 4000, all)] {
        let rows = tree(n, dims, 7);
        for case in &cases() {
            if settings["n_nodes"] == "all" && !case.takes_all() {
                continue;
            }
            let results = [1, 2, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| fit_with(case, &settings, &points(&rows)).unwrap())
            });
            for other in &results[1..] {
                assert_eq!(nodes_of(&results[0]), nodes_of(other), "{}", case.name);
                assert_eq!(results[0].trace, other.trace, "{}", case.name);
            }
        }
    }
}

#[test]
fn settings_survive_json_and_unknown_ones_are_named() {
    let rows = tree(200, 3, 1);
    let plain_fit = |entry: &Entry, settings: &Value, rows: &Matrix| {
        entry.parse(settings)?.fit(&points(rows), Given::default(), &mut Silent)
    };
    for entry in METHODS {
        let plain = plain_fit(entry, &json!({}), &rows).unwrap();
        let explicit = plain_fit(entry, &entry.defaults(), &rows).unwrap();
        assert_eq!(&nodes_of(&plain), &nodes_of(&explicit));
        assert_eq!(plain.settings, entry.defaults());
        let message = entry.parse(&json!({"max_itr": 1})).err().unwrap().to_string();
        let properties = entry.schema()["properties"].as_object().unwrap().clone();
        assert!(message.contains("max_itr"), "{message}");
        assert!(properties.keys().all(|name| message.contains(name.as_str())), "{message}");
        for (name, property) in properties {
            assert!(property["description"].is_string(), "{}: {name} has no help", entry.name);
            assert!(!entry.defaults()[&name].is_null() || name == "smoothing");
        }
    }
}

#[test]
fn single_precision_gives_nearly_the_same_graph() {
    let rows = tree(300, 3, 3);
    let single: Vec<f32> = rows.as_slice().iter().map(|&x| x as f32).collect();
    let widened: Vec<f64> = single.iter().map(|&x| f64::from(x)).collect();
    for case in &cases() {
        let a = fit(case, &Points::from_f32(single.clone(), 3).unwrap()).unwrap();
        let b = fit(case, &Points::from_f64(widened.clone(), 3).unwrap()).unwrap();
        assert_eq!(&nodes_of(&a), &nodes_of(&b), "{}", case.name);
    }
}

#[test]
fn odd_inputs_give_a_sane_result_or_a_clear_error() {
    let duplicated = tree(100, 2, 1).select_rows((0..300).map(|i| i % 100));
    let few = Matrix::from_rows(&[[0.0, 0.0], [1.0, 1.0]]).unwrap();
    let constant_column = moved(&tree(150, 2, 2), |row| vec![row[0], 5.0, row[1]]);
    for case in &cases() {
        for rows in [&duplicated, &few, &constant_column] {
            for n_nodes in [json!("auto"), json!("all")] {
                if n_nodes == "all" && !case.takes_all() {
                    continue;
                }
                let fitted = match fit_with(case, &json!({"n_nodes": n_nodes}), &points(rows)) {
                    Err(error) if rows.n_rows() == 2 => {
                        assert!(error.to_string().contains("2 points"), "{error}");
                        continue;
                    }
                    // Ten neighbors are hardly four others where every row is there three times.
                    Err(error) if case.has("pieces") && rows.n_rows() == 300 => {
                        assert!(error.to_string().contains("pieces"), "{error}");
                        continue;
                    }
                    fitted => fitted.unwrap(),
                };
                assert!(nodes_of(&fitted).nodes().as_slice().iter().all(|x| x.is_finite()));
                assert!(fitted.trace.iter().all(|x| x.is_finite()), "{:?}", fitted.trace);
                // From what was chosen, whatever that is.
            }
        }
        for scale in [1e-150, 1e150] {
            let rows = moved(&tree(200, 3, 5), |row| row.iter().map(|x| x * scale).collect());
            let plain = fit(case, &points(&tree(200, 3, 5))).unwrap();
            let fitted = fit(case, &points(&rows)).unwrap();
            assert!(nodes_of(&fitted).nodes().as_slice().iter().all(|x| x.is_finite()));
            if case.promises.scaling {
                let edges = edge_list(&nodes_of(&plain));
                assert_eq!(edge_list(&nodes_of(&fitted)), edges, "{} {scale}", case.name);
            }
        }
        for (rows, word) in [
            (vec![1.0, 2.0], "single point"),
            (vec![1.0, 2.0, 1.0, 2.0, 1.0, 2.0], "equal"),
            (vec![1.0, f64::NAN, 3.0, 4.0], "1 value is missing"),
        ] {
            let has_gap = rows.iter().any(|x: &f64| x.is_nan());
            let fitted = fit(case, &Points::from_f64(rows, 2).unwrap());
            if has_gap && case.entry.gaps && case.name != "elastic-ring" {
                assert!(
                    nodes_of(&fitted.unwrap()).nodes().as_slice().iter().all(|x| x.is_finite())
                );
                continue;
            }
            let message = fitted.unwrap_err().to_string();
            let word = if has_gap && case.entry.gaps { "2 points: a ring needs" } else { word };
            assert!(message.contains(word), "{}: {message}", case.name);
        }
        for (setting, value, word) in [
            ("n_nodes", json!(1000), "only 100 points"),
            ("n_nodes", json!(0), "at least 1"),
            ("bandwidth", json!(-1.0), "bandwidth = -1: must be positive"),
            ("tol", json!(-1.0), "tol = -1"),
        ] {
            if !case.has(setting) {
                continue;
            }
            let rows = tree(100, 2, 1);
            let settings = json!({setting: value});
            let message = fit_with(case, &settings, &points(&rows)).unwrap_err().to_string();
            assert!(message.contains(word), "{}: {message}", case.name);
        }
    }
}

#[test]
fn points_with_gaps_give_nearly_the_same_graph_where_they_may_have_them() {
    let rows = moved(&tree(300, 3, 4), |row| vec![row[0], row[1], row[2], row[0] + row[1]]);
    let spoilt = |i: usize, gap: f64| if i * 7919 % 101 < 5 { gap } else { rows.as_slice()[i] };
    let gappy: Vec<f64> = (0..1200).map(|i| spoilt(i, f64::NAN)).collect();
    let empty: Vec<f64> = (0..1200).map(|i| if i / 4 == 7 { f64::NAN } else { gappy[i] }).collect();
    for case in cases().iter().filter(|case| case.entry.gaps) {
        let settings = json!({"n_nodes": 20, "tips": "keep"});
        let whole = fit_with(case, &settings, &points(&rows)).unwrap();
        let gappy = Points::from_f64(gappy.as_slice(), 4).unwrap();
        let found = fit_with(case, &settings, &gappy).unwrap();
        let of = |fitted: &Fit| {
            let projection = nodes_of(fitted).project(&points(&rows)).unwrap();
            projection.mean_squared_distance(&points(&rows)).unwrap()
        };
        assert!(of(&found) < 1.5 * of(&whole), "{}: {} {}", case.name, of(&found), of(&whole));
        let empty = Points::from_f64(empty.as_slice(), 4).unwrap();
        let message = fit_with(case, &settings, &empty).unwrap_err().to_string();
        assert!(message.starts_with("row 8 (id 7): every value is missing"), "{message}");
    }
}

#[test]
fn values_out_of_all_proportion_are_refused() {
    let rows = tree(100, 2, 1);
    let huge = moved(&rows, |row| row.iter().map(|x| x * 1e200).collect());
    let far = Matrix::from_rows(&[[1e200, 0.0], [0.0, 1e200]]).unwrap();
    for case in &cases() {
        for bandwidth in [1e-300, 1e300].into_iter().filter(|_| case.has("bandwidth")) {
            let settings = json!({"bandwidth": bandwidth});
            let message = fit_with(case, &settings, &points(&rows)).unwrap_err().to_string();
            assert!(message.contains("proportion"), "{message}");
        }
        let message = fit(case, &points(&huge)).unwrap_err().to_string();
        assert!(message.contains("rescale"), "{message}");
        let method = case.entry.parse(&case.settings(&json!({}))).unwrap();
        let start = method.fit(&points(&rows), Some(&far).into(), &mut Silent);
        let message = start.unwrap_err().to_string();
        assert!(message.contains("proportion") || message.contains("no starting nodes"));
    }
}

#[test]
fn points_without_weight_change_nothing() {
    let rows = tree(300, 3, 4);
    let mut spoilt = rows.as_slice().to_vec();
    spoilt.extend([1e9, -1e9, 1e9]);
    let mut weights = vec![1.0; 300];
    weights.push(0.0);
    for case in &cases() {
        let settings = json!({"n_nodes": 40});
        let spoilt = Points::from_f64(spoilt.as_slice(), 3).unwrap();
        let masked = spoilt.with_weights(weights.as_slice()).unwrap();
        let a = fit_with(case, &settings, &points(&rows)).unwrap();
        let b = fit_with(case, &settings, &masked).unwrap();
        assert_same_graph(&nodes_of(&a), &nodes_of(&b), TOLERANCE, &case.name);
    }
}

#[test]
fn a_canceled_fit_returns_the_best_so_far() {
    use midrib::learn::End;
    use midrib::{Observer, Progress};
    use std::ops::ControlFlow;

    struct StopAt(usize);
    impl Observer for StopAt {
        fn progress(&mut self, _: Progress<'_>) -> ControlFlow<()> {
            self.0 = self.0.saturating_sub(1);
            if self.0 == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let rows = tree(300, 2, 1);
    for case in &cases() {
        for calls in [1, 5, 40] {
            let method = case.entry.parse(&case.settings(&json!({"tol": 0.0}))).unwrap();
            let fitted = method.fit(&points(&rows), Given::default(), &mut StopAt(calls)).unwrap();
            let is_done_before = fitted.iterations + 1 < calls;
            assert!(fitted.end == End::Interrupted || is_done_before, "{} {calls}", case.name);
        }
    }
}
