//! Growth from given nodes, edges, pins and moduli.

use super::*;

#[test]
fn growth_starts_from_a_given_graph() {
    let (points, start, graph) = y_start();
    let tree = ElasticTree {
        n_nodes: NodeCount::Exactly(7),
        tips: Tips::Keep,
        tol: 0.0,
        max_iter: 10_000,
        ..ElasticTree::default()
    };
    // Edges that no spanning tree would take: the tips of two arms are joined to the third.
    let odd = vec![(0, 1), (0, 3), (0, 5), (1, 2), (2, 6), (3, 4)];
    let recipe = Recipe { rewires: false, ..tree.recipe() };
    let odd = StartGraph { edges: Some(odd.clone()), ..graph.clone() };
    let given = Given { start: Some(&start), start_graph: Some(&odd), ..Given::default() };
    let fitted = fit(&tree, &recipe, &points, given, &mut Silent).unwrap();
    let found: Vec<_> =
        fitted.graph().unwrap().edges().iter().map(|edge| (edge.a, edge.b)).collect();
    assert_eq!(Some(found), odd.edges);
    assert_at_rest(&fitted, &points, &fitted.object.springs().unwrap().clone(), &[]);
    let fitted = fit_from(&tree, &points, &start, &graph).unwrap();
    assert_eq!(fitted.graph().unwrap().tips(), [2, 4, 6]);
    let more = ElasticTree { n_nodes: NodeCount::Exactly(12), ..tree.clone() };
    let fitted = fit_from(&more, &points, &start, &graph).unwrap();
    assert_eq!(
        (fitted.graph().unwrap().nodes().n_rows(), fitted.graph().unwrap().tips().len()),
        (12, 3)
    );
    // A ring, which an elastic graph takes and keeps.
    let arcs = arcs(&[([0.0, 0.0], 0.0, std::f64::consts::TAU)], 300);
    let around = |i: f64| [(0.5 + i).cos(), (0.5 + i).sin()];
    let ring = Matrix::from_rows(&[around(0.0), around(1.6), around(3.2), around(4.8)]).unwrap();
    let edges = Some(vec![(0, 1), (1, 2), (2, 3), (0, 3)]);
    let closed = StartGraph { edges, ..StartGraph::default() };
    let n_nodes = NodeCount::Exactly(12);
    let elastic = ElasticGraph { n_nodes, ..ElasticGraph::default() };
    let fitted = fit_from(&elastic, &arcs, &ring, &closed).unwrap();
    assert_eq!(
        (fitted.graph().unwrap().loops(), fitted.graph().unwrap().nodes().n_rows()),
        (1, 12)
    );
    let fitted =
        fit_from(&ElasticRing { n_nodes, ..ElasticRing::default() }, &arcs, &ring, &closed);
    assert_eq!(fitted.unwrap().graph().unwrap().loops(), 1);
}

#[test]
fn pinned_nodes_never_move() {
    let (points, start, graph) = y_start();
    for search in [Search::Fast, Search::Exact] {
        let settings = ElasticTree {
            n_nodes: NodeCount::Exactly(15),
            search,
            tol: 0.0,
            max_iter: 10_000,
            ..ElasticTree::default()
        };
        let pins = StartGraph { pinned: vec![0, 4], ..graph.clone() };
        let mut off = start.clone();
        off.row_mut(0).copy_from_slice(&[0.3, 0.4]);
        let fitted = fit_from(&settings, &points, &off, &pins).unwrap();
        let nodes = fitted.graph().unwrap().nodes();
        let is_there = |place: &[f64]| {
            nodes.rows().position(|row| row.iter().zip(place).all(|(a, b)| (a - b).abs() < 1e-12))
        };
        let pinned = [off.row(0), off.row(4)].map(|place| is_there(place).unwrap());
        assert_eq!(nodes.n_rows(), 15);
        assert_at_rest(&fitted, &points, &fitted.object.springs().unwrap().clone(), &pinned);
        let kept = fitted.choices.iter().find(|choice| choice.setting == "tips").unwrap();
        assert_eq!(kept.value, "keep");
        let tidy = ElasticTree { tips: Tips::Tidy, ..settings };
        let message = fit_from(&tidy, &points, &off, &pins).unwrap_err().to_string();
        assert!(message.contains("tips = tidy: could move pinned nodes"), "{message}");
    }
    // In many columns, of which growth usually uses only some axes.
    let shape = Shape::Tree { branch_points: 1 };
    let wide = Synth { shape, n: 300, dims: 12, noise: 0.02, seed: 1 }.generate().unwrap().points;
    let start: Vec<f64> = (0..24).map(|i| 0.1 * f64::from(i % 5)).collect();
    let start = Matrix::new(2, 12, start).unwrap();
    let pins = StartGraph { pinned: vec![1], ..StartGraph::default() };
    let n_nodes = NodeCount::Exactly(10);
    let curve = ElasticCurve { n_nodes, ..ElasticCurve::default() };
    let fitted = fit_from(&curve, &wide, &start, &pins).unwrap();
    let there = fitted
        .graph()
        .unwrap()
        .nodes()
        .rows()
        .any(|row| row.iter().zip(start.row(1)).all(|(a, b)| (a - b).abs() < 1e-12));
    assert!(there);
}

#[test]
fn edges_and_nodes_may_have_their_own_moduli() {
    let (points, start, graph) = y_start();
    let settings = ElasticTree {
        n_nodes: NodeCount::Exactly(7),
        tol: 0.0,
        max_iter: 10_000,
        ..ElasticTree::default()
    };
    let own = StartGraph {
        stretching: vec![((1, 0), 0.5), ((5, 6), 0.001)],
        bending: vec![(0, 2.0), (3, 0.0)],
        ..graph.clone()
    };
    let recipe = Recipe { rewires: false, ..settings.recipe() };
    let given = Given { start: Some(&start), start_graph: Some(&own), ..Given::default() };
    let fitted = fit(&settings, &recipe, &points, given, &mut Silent).unwrap();
    let edges =
        vec![(0, 1, 0.5), (0, 3, 0.01), (0, 5, 0.01), (1, 2, 0.01), (3, 4, 0.01), (5, 6, 0.001)];
    let star =
        |center, leaves: &[usize], modulus| Star { center, leaves: leaves.to_vec(), modulus };
    let stars = vec![
        star(0, &[1, 3, 5], 2.0),
        star(1, &[0, 2], 0.1),
        star(3, &[0, 4], 0.0),
        star(5, &[0, 6], 0.1),
    ];
    let springs = Springs { edges, stars };
    assert_eq!(fitted.object.springs().unwrap().clone(), springs);
    assert_at_rest(&fitted, &points, &springs, &[]);
    let (stretching, bending) = springs.energies(fitted.graph().unwrap().nodes());
    let squared = |i: usize| {
        let mut x = [0.0; 2];
        points.copy_row(i, &mut x);
        let squares =
            fitted.graph().unwrap().nodes().rows().map(|y| crate::math::squared_distance(&x, y));
        squares.fold(f64::INFINITY, f64::min)
    };
    let mean = (0..240).map(squared).sum::<f64>() / 240.0;
    assert!((fitted.objective() - mean - stretching - bending).abs() < 1e-12);
    // Moduli that are those of the settings change nothing.
    let same = StartGraph { stretching: vec![((0, 1), 0.01)], bending: vec![(0, 0.1)], ..graph };
    let more = ElasticTree { n_nodes: NodeCount::Exactly(12), tips: Tips::Keep, ..settings };
    let a = fit_from(&more, &points, &start, &same).unwrap();
    let b = fit_from(
        &more,
        &points,
        &start,
        &StartGraph { stretching: Vec::new(), bending: Vec::new(), ..same },
    );
    assert_eq!(a.graph().unwrap(), b.unwrap().graph().unwrap());
}

#[test]
fn invalid_starts_are_refused() {
    let (points, start, graph) = y_start();
    let refused = |settings: &dyn Fn(&StartGraph) -> crate::Result<Fit>, graph, word: &str| {
        let message = settings(&graph).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let tree = |graph: &StartGraph| fit_from(&ElasticTree::default(), &points, &start, graph);
    let curve = |graph: &StartGraph| fit_from(&ElasticCurve::default(), &points, &start, graph);
    let ring = |graph: &StartGraph| fit_from(&ElasticRing::default(), &points, &start, graph);
    let map =
        |graph: &StartGraph| fit_from(&crate::learn::ElasticMap::default(), &points, &start, graph);
    let with = |edges: &[(usize, usize)]| {
        let edges = Some(graph.edges.iter().flatten().chain(edges).copied().collect());
        StartGraph { edges, ..StartGraph::default() }
    };
    refused(&tree, with(&[(0, 7)]), "has an edge 0-7: its nodes are 0 to 6");
    refused(&tree, with(&[(3, 3)]), "has an edge 3-3 from a node to itself");
    refused(&tree, with(&[(1, 0)]), "has the edge 1-0 twice");
    refused(&tree, with(&[(2, 4)]), "is not one tree");
    refused(&curve, with(&[]), "is not one line");
    refused(&ring, with(&[]), "is not one ring");
    let fewer = StartGraph { edges: Some(vec![(0, 1)]), ..StartGraph::default() };
    refused(&tree, fewer, "has no edge at node 2");
    refused(&tree, StartGraph { pinned: vec![9], ..graph.clone() }, "node 9 of the given start");
    let stiff = |modulus| StartGraph { stretching: vec![((0, 1), modulus)], ..graph.clone() };
    refused(&tree, stiff(-1.0), "edge 0-1 of the given start: stretching = -1: must be positive");
    let none = StartGraph { stretching: vec![((2, 4), 1.0)], ..graph.clone() };
    refused(&tree, none, "edge 2-4 of the given start has a modulus, but is not an edge");
    let bent = StartGraph { bending: vec![(1, f64::NAN)], ..graph.clone() };
    refused(&tree, bent, "node 1 of the given start: bending = NaN: must be 0 or positive");
    refused(&map, graph.clone(), "elastic-map takes only the positions of starting nodes");
    let given = Given { start_graph: Some(&graph), ..Given::default() };
    let message = ElasticTree::default().fit(&points, given, &mut Silent).unwrap_err().to_string();
    assert!(message.contains("but not the nodes"), "{message}");
}
