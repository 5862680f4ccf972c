//! Values of the linear program that independent solvers agree on, and links.

use super::*;
use crate::connect::NeighborRule;

const DISTORTED_S: &str = include_str!("../../../tests/data/distorted_s.csv");
const CIRCLE: &str = include_str!("../../../tests/data/circle.csv");

/// The columns of a table except the last, which has labels.
fn read(table: &str) -> Matrix {
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let values = &fields[..fields.len() - 1];
            values.iter().map(|field| field.trim().parse().unwrap()).collect()
        })
        .collect();
    Matrix::from_rows(&rows).unwrap()
}

fn graph(nodes: &Matrix, reconstruction_weight: f64, k: usize) -> L1Graph {
    let candidates = Candidates::Nearest { k, rule: NeighborRule::Union };
    L1Graph::new(nodes, &candidates, &Links::default(), reconstruction_weight).unwrap()
}

fn assert_value(found: &L1Edges, expected: f64) {
    assert_eq!(found.status, Status::Solved);
    assert!(found.relative_gap < 1e-8, "{}", found.relative_gap);
    let error = (found.value - expected).abs();
    assert!(error <= 1e-8 * expected, "{} is not {expected}", found.value);
}

#[test]
fn values_on_the_golden_sets() {
    let nodes = read(DISTORTED_S);
    let mut distorted_s = graph(&nodes, 1.0, 5);
    assert_eq!(distorted_s.candidates().len(), 298);
    assert_value(&distorted_s.connect(&nodes).unwrap(), 1.286283417252);
    let nodes = read(CIRCLE);
    assert_value(&graph(&nodes, 1.0, 10).connect(&nodes).unwrap(), 2.030524764889);
}

#[test]
fn moving_nodes_use_the_same_program() {
    let dictionary = read(CIRCLE);
    let mut moved = dictionary.clone();
    moved.as_mut_slice().iter_mut().for_each(|x| *x *= 0.9);
    let mut twice = graph(&dictionary, 1.0, 10);
    let first = twice.connect(&dictionary).unwrap();
    let second = twice.connect(&moved).unwrap();
    assert!(second.value < first.value);
    assert_eq!(second, graph(&dictionary, 1.0, 10).connect(&moved).unwrap());
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let nodes = read(CIRCLE);
    let with_threads = |n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| graph(&nodes, 1.0, 10).connect(&nodes).unwrap())
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(7));
}

#[test]
fn links_are_honored() {
    let nodes = read(DISTORTED_S);
    let candidates = Candidates::Nearest { k: 5, rule: NeighborRule::Union };
    let free = graph(&nodes, 1.0, 5).connect(&nodes).unwrap();
    let (a, b, _) = free.edges[0];
    let links = Links::new(&[(0, 99)], &[(a, b)], 100).unwrap();
    let bound = L1Graph::new(&nodes, &candidates, &links, 1.0).unwrap().connect(&nodes).unwrap();
    assert!(
        bound.edges.iter().any(|edge| (edge.0, edge.1) == (0, 99) && edge.2 >= MUST_LINK_WEIGHT)
    );
    assert!(bound.edges.iter().all(|edge| (edge.0, edge.1) != (a, b)));
    assert!(bound.value > free.value);
    assert!(bound.relative_gap < 1e-8);
}

#[test]
fn nodes_without_candidates_stay_isolated() {
    let nodes = Matrix::from_rows(&[[1.0], [2.0], [9.0]]).unwrap();
    let given = Candidates::Given(vec![(0, 1)]);
    let mut graph = L1Graph::new(&nodes, &given, &Links::default(), 1.0).unwrap();
    assert_eq!(graph.lone_nodes(), [2]);
    assert!(graph.connect(&nodes).unwrap().relative_gap < 1e-8);
    assert!(graph.connect(&Matrix::zeros(2, 1)).is_err());
    assert!(L1Graph::new(&nodes, &given, &Links::default(), 0.0).is_err());
    let none = Candidates::Given(vec![]);
    let isolated =
        L1Graph::new(&nodes, &none, &Links::default(), 2.0).unwrap().connect(&nodes).unwrap();
    assert!(isolated.edges.is_empty());
    // Rows are summed in the unit of their largest value, here 9.
    assert!((isolated.value - 24.0).abs() < 1e-14);
}

#[test]
fn coinciding_nodes_cost_nothing() {
    // If all nodes coincide, only the reconstruction of the dictionary counts.
    let dictionary = read(DISTORTED_S);
    let coinciding = Matrix::zeros(dictionary.n_rows(), dictionary.n_cols());
    let found = graph(&dictionary, 1.0, 5).connect(&coinciding).unwrap();
    assert_eq!(found.status, Status::Solved);
    assert!(found.relative_gap < 1e-8);
    assert!(found.value < graph(&dictionary, 1.0, 5).connect(&dictionary).unwrap().value);
}

#[test]
fn repeated_points_rebuild_each_other() {
    // Each point occurs twice and is its twin's nearest: weight 1 on the twin is free and exact.
    let twins: Vec<[f64; 2]> = (0..20_i32).map(|i| [f64::from(i / 2 + 1), 2.0]).collect();
    let nodes = Matrix::from_rows(&twins).unwrap();
    let found = graph(&nodes, 1.0, 3).connect(&nodes).unwrap();
    assert_eq!(found.status, Status::Solved);
    assert!(found.value < 1e-9, "{}", found.value);
    for (a, b, weight) in found.edges {
        let expected = if b == a + 1 && a % 2 == 0 { 1.0 } else { 0.0 };
        assert!((weight - expected).abs() < 1e-6, "{a} {b} {weight}");
    }
}

#[test]
fn points_at_the_origin_need_no_edges() {
    let nodes = Matrix::zeros(6, 3);
    let found = graph(&nodes, 1.0, 2).connect(&nodes).unwrap();
    assert_eq!((found.edges.len(), found.value, found.status), (0, 0.0, Status::Solved));
}
