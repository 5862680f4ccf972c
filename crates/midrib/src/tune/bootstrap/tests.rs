use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::*;
use crate::graph::TipRule;
use crate::learn::{Given, METHODS, method};
use crate::math::Matrix;
use crate::object::Kind;
use crate::observe::{Progress, Silent};
use crate::synth::{Shape, Synth};

fn tree(n: usize, dims: usize, noise: f64, branch_points: usize) -> Points<'static> {
    let shape = Shape::Tree { branch_points };
    Synth { shape, n, dims, noise, seed: 2 }.generate().unwrap().points
}

fn fit(entry: &Entry, settings: &Value, points: &Points<'_>) -> (PrincipalGraph, Value) {
    let configured = entry.parse(settings).unwrap();
    let fitted = configured.fit(points, Given::default(), &mut Silent).unwrap();
    let settled = configured.settled(&fitted.chosen());
    (fitted.graph().unwrap().clone(), settled)
}

fn support_of(replicas: &Replicas, graph: &PrincipalGraph, points: &Points<'_>) -> Vec<f64> {
    replicas.support(graph, points, &graph.project(points).unwrap()).unwrap()
}

fn branch_support(replicas: &Replicas, graph: &PrincipalGraph, points: &Points<'_>) -> Vec<f64> {
    let support = support_of(replicas, graph, points);
    graph.branches().iter().map(|branch| branch.support(graph, &support).unwrap()).collect()
}

fn graph_of(nodes: &[[f64; 2]], edges: &[(usize, usize)]) -> PrincipalGraph {
    let edges: Vec<_> = edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    PrincipalGraph::new(Matrix::from_rows(nodes).unwrap(), &edges, vec![1.0; nodes.len()]).unwrap()
}

/// A trunk from 0 to 4 on the x axis, with a twig upward.
fn trunk_with_twig(at: usize, length: f64) -> PrincipalGraph {
    let x = at as f64;
    let nodes = [
        [0.0, 0.0],
        [1.0, 0.0],
        [2.0, 0.0],
        [3.0, 0.0],
        [4.0, 0.0],
        [x, length / 2.0],
        [x, length],
    ];
    graph_of(&nodes, &[(0, 1), (1, 2), (2, 3), (3, 4), (at, 5), (5, 6)])
}

fn trunk() -> PrincipalGraph {
    graph_of(&[[-0.05, 0.01], [2.0, -0.02], [4.1, 0.0]], &[(0, 1), (1, 2)])
}

fn replicas(graphs: Vec<PrincipalGraph>) -> Replicas {
    let counts = graphs.iter().map(Counts::of_graph).collect();
    Replicas { graphs, counts }
}

/// Points on both sides of the trunk, 0.1 away.
fn points_along_trunk() -> Points<'static> {
    let rows = (0..80).flat_map(|i| [f64::from(i) / 20.0, if i % 2 == 0 { 0.1 } else { -0.1 }]);
    Points::from_f64(rows.collect::<Vec<_>>(), 2).unwrap()
}

#[test]
fn a_twig_does_not_borrow_support_from_the_trunk() {
    for length in [0.05, 0.15, 0.5, 1.5] {
        let graph = trunk_with_twig(2, length);
        let found = replicas(vec![
            trunk_with_twig(2, 0.98 * length),
            trunk(),
            trunk_with_twig(3, length),
            trunk_with_twig(2, 1.1 * length),
        ]);
        // Edges: 0-1, 1-2, 2-3, 2-5, 3-4, 5-6.
        let support = support_of(&found, &graph, &points_along_trunk());
        assert_eq!(support, [1.0, 1.0, 1.0, 0.5, 1.0, 0.5], "{length}");
        let tips = found.tally(|counts| counts.tips);
        assert_eq!(tips, [(3, 3), (2, 1)]);
    }
}

#[test]
fn a_replica_with_a_gap_does_not_support_the_edges_there() {
    // The replica has a gap between 1.2 and 2.8.
    let nodes = [[0.0, 0.0], [1.2, 0.0], [2.8, 0.0], [4.0, 0.0]];
    let torn = graph_of(&nodes, &[(0, 1), (2, 3)]);
    let found = replicas(vec![torn, trunk()]);
    let graph = graph_of(
        &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]],
        &[(0, 1), (1, 2), (2, 3), (3, 4)],
    );
    assert_eq!(support_of(&found, &graph, &points_along_trunk()), [1.0, 0.5, 0.5, 1.0]);
    // One long edge is tested along its whole length.
    let long = graph_of(&[[0.0, 0.0], [4.0, 0.0]], &[(0, 1)]);
    assert_eq!(support_of(&found, &long, &points_along_trunk()), [0.5]);
    assert_eq!(found.tally(|counts| counts.components), [(1, 1), (2, 1)]);
}

#[test]
fn pseudotime_starts_at_the_projection_of_the_root() {
    // A path, and a component without a root.
    let with_island = |from: f64| {
        let nodes = [[from, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 9.0], [1.0, 9.0]];
        graph_of(&nodes, &[(0, 1), (1, 2), (3, 4)])
    };
    let graph = with_island(0.0);
    let points = Points::from_f64(vec![0.5, 0.1, 1.5, 0.0, 0.5, 9.0], 2).unwrap();
    let on = graph.project(&points).unwrap();
    let sd = |begins: &[f64]| {
        let found = replicas(begins.iter().map(|&from| with_island(from)).collect());
        found.pseudotime_sd(&graph, &[0], &points, &on).unwrap()
    };
    let same = sd(&[0.0, -0.1, -0.3]);
    assert!(same[0].abs() < 1e-12 && same[1].abs() < 1e-12 && same[2].is_nan(), "{same:?}");
    // Times 1.5, 1.5 and 1.3.
    let other = sd(&[0.0, -0.1, 0.2]);
    assert!((other[1] - 0.04_f64.sqrt() / 3_f64.sqrt()).abs() < 1e-12, "{other:?}");
    assert!(sd(&[0.0]).iter().all(|sd| sd.is_nan()));
}

#[test]
fn true_branches_are_supported_and_a_false_twig_is_not() {
    let points = tree(600, 3, 0.05, 2);
    let ppt = method("ppt").unwrap();
    let (graph, settled) = fit(ppt, &json!({}), &points);
    let bootstrap = Bootstrap { replicas: 25, seed: 0 };
    let found = bootstrap.learn(ppt, &settled, &points, Given::default(), &mut Silent).unwrap();
    let support = branch_support(&found, &graph, &points);
    assert!(support.iter().all(|&support| support > 0.9), "{support:?}");
    assert_eq!(found.tally(|counts| counts.tips)[0].0, graph.tips().len());

    // A twig of three times the noise in the middle of the longest branch.
    let branches = graph.branches();
    let longest = branches.iter().max_by_key(|branch| branch.edges.len()).unwrap();
    let joint = longest.nodes[longest.nodes.len() / 2];
    let mut nodes = graph.nodes().as_slice().to_vec();
    nodes.extend(graph.nodes().row(joint).iter().zip([0.0, 0.1, 0.11]).map(|(x, step)| x + step));
    let n = graph.nodes().n_rows();
    let mut edges: Vec<_> = graph.edges().iter().map(|e| (e.a, e.b, e.weight)).collect();
    edges.push((joint, n, 1.0));
    let nodes = Matrix::new(n + 1, 3, nodes).unwrap();
    let twigged = PrincipalGraph::new(nodes, &edges, vec![1.0; n + 1]).unwrap();
    let support = support_of(&found, &twigged, &points);
    let rule =
        TipRule { min_share: 0.0, min_support: 0.5, support: Some(&support), ..TipRule::default() };
    let on = twigged.project(&points).unwrap();
    let pruned = twigged.prune_tips(&rule, &points, &on).unwrap();
    assert_eq!(pruned.kept, (0..n).collect::<Vec<_>>());
}

#[test]
fn replicas_do_not_depend_on_the_number_of_threads() {
    let points = tree(200, 2, 0.05, 1);
    let ppt = method("ppt").unwrap();
    let (_, settled) = fit(ppt, &json!({}), &points);
    let bootstrap = Bootstrap { replicas: 7, seed: 3 };
    let found = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            bootstrap.learn(ppt, &settled, &points, Given::default(), &mut Silent).unwrap()
        })
    });
    assert_eq!(found[0].graphs.len(), 7);
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0], found[2]);
    let other = Bootstrap { seed: 4, ..bootstrap };
    assert_ne!(
        found[0],
        other.learn(ppt, &settled, &points, Given::default(), &mut Silent).unwrap()
    );
}

#[test]
fn support_does_not_depend_on_the_order_of_rows() {
    let points = tree(300, 2, 0.05, 1);
    let order: Vec<usize> = (0..300).map(|i| i * 77 % 300).collect();
    let shuffled = points.select(&order, vec![1.0; 300]).unwrap();
    let ppt = method("ppt").unwrap();
    let support = [&points, &shuffled].map(|points| {
        let (graph, settled) = fit(ppt, &json!({}), points);
        let bootstrap = Bootstrap { replicas: 40, seed: 0 };
        let found = bootstrap.learn(ppt, &settled, points, Given::default(), &mut Silent).unwrap();
        branch_support(&found, &graph, points)
    });
    for (a, b) in support[0].iter().zip(&support[1]) {
        assert!((a - b).abs() < 0.1, "{support:?}");
    }
}

#[test]
fn every_method_can_be_bootstrapped() {
    let points = tree(120, 2, 0.05, 1);
    let has_edges = |entry: &&Entry| {
        !matches!(entry.kind(), Kind::Flats | Kind::Centers | Kind::Embedding { with_graph: false })
    };
    for entry in METHODS.iter().filter(has_edges) {
        let (graph, settled) = fit(entry, &json!({}), &points);
        let bootstrap = Bootstrap { replicas: 2, seed: 0 };
        let found =
            bootstrap.learn(entry, &settled, &points, Given::default(), &mut Silent).unwrap();
        let support = support_of(&found, &graph, &points);
        assert_eq!(support.len(), graph.edges().len(), "{}", entry.name);
        assert!(support.iter().all(|share| [0.0, 0.5, 1.0].contains(share)), "{}", entry.name);
    }
}

#[test]
fn the_number_of_nodes_is_reduced_for_a_replica() {
    let points = tree(40, 2, 0.05, 1);
    let ppt = method("ppt").unwrap();
    let (_, settled) =
        fit(ppt, &json!({"n_nodes": 39, "bandwidth": 0.01, "length_penalty": 1.0}), &points);
    let bootstrap = Bootstrap { replicas: 2, seed: 0 };
    let found = bootstrap.learn(ppt, &settled, &points, Given::default(), &mut Silent).unwrap();
    assert!(found.graphs.iter().all(|graph| graph.nodes().n_rows() < 39));
}

/// A start with a few nodes, with more nodes than a replica has points, and with one node per point.
#[test]
fn replicas_begin_at_the_start_of_the_fit() {
    let points = tree(60, 2, 0.05, 1);
    let nodes = |n: usize| {
        let rows = (0..n).map(|i| [points.value(i, 0), points.value(i, 1)]);
        Matrix::from_rows(&rows.collect::<Vec<_>>()).unwrap()
    };
    let learn = |name: &str, settings: Value, start: &Matrix| {
        let (entry, given) = (method(name).unwrap(), Given::from(Some(start)));
        let configured = entry.parse(&settings).unwrap();
        let fitted = configured.fit(&points, given, &mut Silent).unwrap();
        let settled = configured.settled(&fitted.chosen());
        let bootstrap = Bootstrap { replicas: 3, seed: 0 };
        bootstrap.learn(entry, &settled, &points, given, &mut Silent).unwrap().graphs
    };
    for n in [9, 58] {
        let start = nodes(n);
        for settings in [json!({"n_nodes": n}), json!({})] {
            let mut settings = settings;
            settings["tips"] = json!("keep");
            let graphs = learn("ppt", settings, &start);
            assert!(graphs.iter().all(|graph| graph.nodes().n_rows() == n), "{n}");
        }
    }
    let grown = json!({"n_nodes": 59, "tips": "keep"});
    for (n, least, most) in [(9, 30, 50), (58, 58, 58)] {
        let graphs = learn("elastic-tree", grown.clone(), &nodes(n));
        let sizes: Vec<usize> = graphs.iter().map(|graph| graph.nodes().n_rows()).collect();
        assert!(sizes.iter().all(|size| (least..=most).contains(size)), "{n}: {sizes:?}");
    }
    let all = nodes(60);
    let graphs = learn("ppt", json!({"n_nodes": "all", "tips": "keep"}), &all);
    assert!(graphs.iter().all(|graph| graph.nodes().n_rows() < 60));
    let graphs = learn("drtree", json!({}), &all);
    assert!(graphs.iter().all(|graph| graph.nodes().n_rows() < 60));
}

#[test]
fn the_number_of_neighbors_is_reduced_for_a_replica() {
    let (points, spl) = (tree(12, 2, 0.05, 1), method("spl").unwrap());
    let (_, settled) = fit(spl, &json!({"n_neighbors": 10}), &points);
    let found = Bootstrap { replicas: 6, seed: 0 }.learn(
        spl,
        &settled,
        &points,
        Given::default(),
        &mut Silent,
    );
    assert_eq!(found.unwrap().graphs.len(), 6);
}

#[test]
fn coinciding_nodes_do_no_harm() {
    let nodes = [[0.0, 0.0], [2.0, 0.0], [2.0, 0.0], [4.0, 0.0]];
    let graph = graph_of(&nodes, &[(0, 1), (1, 2), (2, 3)]);
    let support = support_of(&replicas(vec![trunk()]), &graph, &points_along_trunk());
    assert_eq!(support, [1.0; 3]);
}

#[test]
fn a_stop_keeps_finished_replicas() {
    struct StopAt(usize, Vec<(String, usize, usize)>);
    impl Observer for StopAt {
        fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
            self.1.push((progress.stage.into(), progress.done, progress.of));
            if progress.done >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }
    let points = tree(100, 2, 0.05, 1);
    let ppt = method("ppt").unwrap();
    let (_, settled) = fit(ppt, &json!({}), &points);
    let bootstrap = Bootstrap { replicas: 5, seed: 0 };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let all = bootstrap.learn(ppt, &settled, &points, Given::default(), &mut Silent).unwrap();
    let mut watch = StopAt(2, Vec::new());
    let some = pool
        .install(|| bootstrap.learn(ppt, &settled, &points, Given::default(), &mut watch).unwrap());
    assert_eq!(some.graphs, all.graphs[..2]);
    let expected: Vec<_> = (0..3).map(|done| ("replica".to_owned(), done, 5)).collect();
    assert_eq!(watch.1, expected);
    let none = bootstrap
        .learn(ppt, &settled, &points, Given::default(), &mut StopAt(0, Vec::new()))
        .unwrap_err();
    assert_eq!(none.to_string(), "stopped before the first replica was finished");
    let message = Bootstrap { replicas: 0, seed: 0 }.check().unwrap_err().to_string();
    assert_eq!(message, "replicas = 0: must be at least 1");
}
