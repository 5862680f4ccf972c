//! Questions as other languages put them.
#![allow(clippy::unwrap_used, clippy::panic)]

use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use midrib::{Points, Silent};
use serde_json::json;

use super::Subject;
use crate::{Answer, Model, Result};

/// A fork whose prongs end at 2 and 3.
fn fork() -> Model {
    let nodes = [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [3.0, -1.0]];
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    let nodes = Matrix::from_rows(&nodes).unwrap();
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    let model = Model::of_graph("given", graph, vec!["x".into(), "y".into()]);
    model.rooted(vec![0]).unwrap()
}

fn points() -> Points<'static> {
    Points::from_f64(vec![0.5, 0.3, 2.5, 0.5, 2.5, -0.5, 1.0, 0.0], 2).unwrap()
}

fn ask(question: serde_json::Value, subject: Subject<'_>) -> Result<Answer> {
    fork().ask(&question.to_string(), subject, &mut Silent)
}

fn indices(answer: &Answer, name: &str) -> Vec<i64> {
    match answer.get(name) {
        Some(Answer::Indices(numbers)) => numbers.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_graph_describes_itself() {
    for name in ["about", "model", "roots", "latent", "longest_path", "node_pseudotime", "graphml"]
    {
        ask(json!(name), Subject::Graph).unwrap();
    }
    let shape = ask(json!("shape"), Subject::Graph).unwrap();
    assert_eq!(indices(&shape, "tips"), [0, 2, 3]);
    let parts = ask(json!("parts"), Subject::Graph).unwrap();
    assert!(matches!(parts.get("edges"), Some(Answer::Pairs(e)) if *e == [[0, 1], [1, 2], [1, 3]]));
    assert!(matches!(parts.get("support"), Some(Answer::Nothing)));
    for (name, count) in [("branches", 3), ("lineages", 2)] {
        let found = ask(json!(name), Subject::Graph).unwrap();
        assert!(matches!(found, Answer::List(ways) if ways.len() == count), "{name}");
    }
    let map = ask(json!("metro_map"), Subject::Graph).unwrap();
    assert!(matches!(map.get("points"), Some(Answer::Nothing)));
}

#[test]
fn projections_have_pseudotime_and_milestones() {
    let places = || fork().graph().unwrap().project(&points()).unwrap();
    let ask = |question| ask(json!(question), Subject::Places(places(), None)).unwrap();
    assert_eq!(
        indices(&ask("places"), "node"),
        places().node.iter().map(|&i| i as i64).collect::<Vec<_>>()
    );
    assert!(matches!(ask("coordinates"), Answer::Table(at) if at.row(0) == [0.5, 0.0]));
    assert!(matches!(ask("pseudotime"), Answer::Floats(time) if time[0] == 0.5));
    let network = ask("network");
    assert_eq!(indices(&network, "start"), [0, 1, 1]);
    assert_eq!(indices(&network, "of_point"), [0, 1, 2, 0]);
    assert_eq!(indices(&ask("percentages"), "point"), [0, 0, 1, 1, 2, 2, 3, 3]);
    for name in ["metro_map", "dendrogram"] {
        let drawn = ask(name);
        assert!(matches!(drawn.get("points"), Some(Answer::Table(t)) if t.n_rows() == 4), "{name}");
    }
}

#[test]
fn places_beside_the_graph_are_refused() {
    let outside = |node: usize| Projection {
        node: vec![node],
        edge: vec![None],
        edge_pos: vec![0.0],
        distance: vec![0.0],
    };
    let find = json!({"find": {"spot": "stage==late", "words": ["late"], "names": ["stage"]}});
    for question in [json!("places"), json!("coordinates"), json!("network"), find] {
        let error = ask(question.clone(), Subject::Places(outside(9), None)).unwrap_err();
        assert!(error.to_string().contains("numbers below 4, found 9"), "{question}: {error}");
    }
    let short = Projection { distance: vec![], ..outside(0) };
    let error = ask(json!("metro_map"), Subject::Places(short, None)).unwrap_err();
    assert!(error.to_string().contains("rows of the projection"), "{error}");
    let beyond = json!({"find": {"spot": "point:b", "ids": ["a", "b"]}});
    let error = ask(beyond, Subject::Places(outside(0), None)).unwrap_err();
    assert!(error.to_string().contains("no point has this id"), "{error}");
}

#[test]
fn misspelt_fields_are_refused() {
    let misspelt = json!({"simplify": {"drop_below": 0, "min_lop": 3, "merge_chains": false}});
    let error = ask(misspelt, Subject::Graph).unwrap_err();
    assert!(error.to_string().contains("unknown field `min_lop`"), "{error}");
}

#[test]
fn limits_that_json_has_no_sign_for_are_refused_by_name() {
    let prune = json!({"prune": {"min_share": "nan", "min_length": 0.0, "min_support": 0.0}});
    let error = ask(prune, Subject::Points(points())).unwrap_err();
    assert!(error.to_string().starts_with("min_share = NaN"), "{error}");
    let simplify = json!({"simplify": {"drop_below": 0.0, "min_loop": "inf", "min_tip": null,
                                       "merge_chains": false}});
    let error = ask(simplify, Subject::Graph).unwrap_err();
    assert!(error.to_string().starts_with("min_loop = inf"), "{error}");
}

#[test]
fn a_pruned_graph_comes_with_the_nodes_that_are_kept() {
    let prune = json!({"prune": {"min_share": 0.0, "min_length": 0.0, "min_support": 0.0}});
    let pruned = ask(prune, Subject::Points(points())).unwrap();
    assert_eq!(indices(&pruned, "kept"), [0, 1, 2, 3]);
    assert!(matches!(pruned.get("graph"), Some(Answer::Graph(graph)) if graph.root == [0]));
}
