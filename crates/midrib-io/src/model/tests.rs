//! What is read back, and what is refused.
#![allow(clippy::unwrap_used)]

use midrib::math::Matrix;
use serde_json::json;

use super::*;

fn valid() -> Value {
    json!({
        "schema": 2, "midrib": "0.1.0", "method": "ppt", "object": "graph",
        "settings": {"n_nodes": "all"},
        "input": {"file": "a.csv", "rows": 2, "columns": 2, "features": ["a", "b"],
                  "prepare": {}},
        "nodes": [[0.1, 0.2], [1.0, 1.0 / 3.0]], "edges": [[0, 1, 1.0]], "mass": [1.0, 1.0],
        "objective": 0.5, "trace": [1.0, 0.5], "end": "converged", "n_iter": 1, "seed": 7,
    })
}

fn read_text(text: &str) -> Result<Model> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.json");
    std::fs::write(path, text).unwrap();
    Model::read(directory.path())
}

fn message(change: impl Fn(&mut Value)) -> String {
    let mut model = valid();
    change(&mut model);
    read_text(&model.to_string()).unwrap_err().to_string()
}

#[test]
fn a_directory_or_a_file_is_read_and_unknown_keys_are_ignored() {
    let mut json = valid();
    json["halo"] = json!([[1.0]]);
    let model = read_text(&json.to_string()).unwrap();
    assert_eq!(model.graph().unwrap().nodes().row(1), [1.0, 1.0 / 3.0]);
    assert_eq!(model.graph().unwrap().edges().len(), 1);
}

#[test]
fn a_truncated_model_is_called_incomplete() {
    let text = valid().to_string();
    let message = read_text(&text[..text.len() / 2]).unwrap_err().to_string();
    assert!(message.contains("is not valid JSON; is the file complete?"), "{message}");
    assert!(message.contains("at line 1 column"), "{message}");
    let empty = read_text("").unwrap_err().to_string();
    assert!(empty.contains("is the file complete?"), "{empty}");
}

#[test]
fn a_newer_schema_asks_for_an_update() {
    let message = message(|model| model["schema"] = json!(3));
    assert!(
        message.ends_with(
            "was written by a newer midrib (schema 3); this version reads up to 2: install midrib \
             0.1.0 or later"
        ),
        "{message}"
    );
}

#[test]
fn other_json_is_not_a_model() {
    for text in ["{\"a\": 1}", "[1, 2]", "{\"schema\": \"x\"}"] {
        let message = read_text(text).unwrap_err().to_string();
        assert!(message.contains("is not a midrib model"), "{message}");
    }
}

#[test]
fn contradictions_are_named() {
    let edge = message(|model| model["edges"][0][1] = json!(5));
    assert!(edge.contains("contradicts itself: edge 0-5: there is no node 5"), "{edge}");
    let mass = message(|model| model["mass"] = json!([1.0]));
    assert!(mass.contains("mass of the nodes: expected 2, found 1"), "{mass}");
    let ragged = message(|model| model["nodes"][1] = json!([1.0]));
    assert!(ragged.contains("row 1: expected 2 values, found 1"), "{ragged}");
    let missing = message(|model| {
        model.as_object_mut().unwrap().remove("nodes");
    });
    assert!(missing.contains("missing field `nodes`"), "{missing}");
    let none = message(|model| {
        model["nodes"] = json!([]);
        model["edges"] = json!([]);
        model["mass"] = json!([]);
    });
    assert!(none.contains("there are no nodes"), "{none}");
}

#[test]
fn a_tuning_curve_is_kept_and_need_not_be_there() {
    assert_eq!(read_text(&valid().to_string()).unwrap().tuning, None);
    let mut json = valid();
    json["tuning"] = json!({
        "setting": "n_nodes", "chosen": 2.0, "scale": "linear", "points": 2,
        "curve": [{"value": 2.0, "energy": 0.5, "mean_squared_distance": 1.0 / 3.0,
                   "length": 1.5, "tips": 2}],
    });
    let mut model = read_text(&json.to_string()).unwrap();
    assert_eq!(serde_json::to_value(&model).unwrap()["tuning"], json["tuning"]);
    let directory = tempfile::tempdir().unwrap();
    if let Some(tuning) = &mut model.tuning {
        tuning.curve[0].length = f64::INFINITY;
    }
    let message = model.write(&directory.path().join("m.json")).unwrap_err().to_string();
    assert!(message.contains("a value of tuning is not a finite number"), "{message}");
}

#[test]
fn damaged_embeddings_are_named() {
    let latent = |model: &mut Value| {
        model["center"] = json!([0.0, 0.5]);
        model["basis"] = json!([[1.0], [0.0]]);
        model["embedding"] = json!([[0.1], [1.0]]);
        model["latent_nodes"] = json!([[0.1], [1.0]]);
    };
    let mut whole = valid();
    latent(&mut whole);
    let model = read_text(&whole.to_string()).unwrap();
    assert_eq!(model.object.embedding().unwrap().center().unwrap(), [0.0, 0.5]);
    assert!(serde_json::to_value(&model).unwrap().get("latent_nodes").is_some());
    let none = serde_json::to_value(read_text(&valid().to_string()).unwrap()).unwrap();
    assert!(none.get("basis").is_none());
    let damaged = |key: &str, value: Value| {
        message(|model| {
            latent(model);
            model[key] = value.clone();
        })
    };
    let short = damaged("center", json!([0.0]));
    assert!(short.contains("contradicts itself: center: expected 2, found 1"), "{short}");
    let wide = damaged("embedding", json!([[1.0, 2.0]]));
    assert!(wide.contains("embedding: expected 1 columns, found 2"), "{wide}");
    let few = damaged("latent_nodes", json!([[1.0]]));
    assert!(few.contains("latent_nodes: expected 2 rows, found 1"), "{few}");
    let missing = damaged("basis", Value::Null);
    assert!(missing.contains("center, basis, embedding and latent_nodes"), "{missing}");
}

#[test]
fn support_reads_back_and_is_checked() {
    let with = |edges: Value| {
        move |model: &mut Value| {
            model["support"] = json!({"replicas": 100, "seed": 7, "edges": edges});
        }
    };
    let mut whole = valid();
    with(json!([0.75]))(&mut whole);
    let model = read_text(&whole.to_string()).unwrap();
    assert_eq!(model.support.as_ref().unwrap().edges, [0.75]);
    assert_eq!(serde_json::to_value(&model).unwrap()["support"], whole["support"]);
    let none = serde_json::to_value(read_text(&valid().to_string()).unwrap()).unwrap();
    assert!(none.get("support").is_none());
    let many = message(with(json!([0.75, 1.0])));
    assert!(many.contains("support.edges: has 2 edges, the graph 1"), "{many}");
    let large = message(with(json!([1.5])));
    assert!(large.contains("support.edges: 1.5 is not between 0 and 1"), "{large}");
    let order = message(|model| {
        model["edges"] = json!([[1, 0, 1.0]]);
        with(json!([1.0]))(model);
    });
    assert!(order.contains("needs edges that are sorted by their nodes"), "{order}");
}

#[test]
fn an_edit_keeps_roots_and_the_support_of_edges_that_stay() {
    let mut json = valid();
    json["nodes"] = json!([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    json["mass"] = json!([1.0, 1.0, 1.0]);
    json["edges"] = json!([[0, 1, 1.0], [1, 2, 1.0]]);
    json["support"] = json!({"replicas": 10, "seed": 0, "edges": [0.5, 0.75]});
    json["root"] = json!([1]);
    let model = read_text(&json.to_string()).unwrap();
    let edit = Edit::Prune { min_length: 0.0, min_share: 0.1, min_support: 0.0 };
    let edited = |kept: &[usize]| {
        let nodes = model.graph().unwrap().nodes().select_rows(kept.iter().copied());
        let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2]).unwrap();
        model.clone().edited(graph, kept, edit.clone()).unwrap()
    };
    let (stays, goes) = (edited(&[1, 2]), edited(&[0, 2]));
    assert_eq!((stays.support.unwrap().edges, stays.root), (vec![0.75], vec![0]));
    assert_eq!((goes.support, goes.root), (None, vec![]));
}

#[test]
fn nodes_that_stay_keep_their_latent_coordinates() {
    let mut json = valid();
    json["center"] = json!([0.0, 0.5]);
    json["basis"] = json!([[1.0], [0.0]]);
    json["embedding"] = json!([[0.1], [1.0]]);
    json["latent_nodes"] = json!([[7.0], [9.0]]);
    let model = read_text(&json.to_string()).unwrap();
    let latent = |nodes: Matrix| {
        let graph = PrincipalGraph::new(nodes, &[], vec![1.0]).unwrap();
        let edit = Edit::Prune { min_length: 0.0, min_share: 0.1, min_support: 0.0 };
        let edited = model.clone().edited(graph, &[1], edit).unwrap();
        edited.object.embedding().unwrap().nodes.clone().unwrap()
    };
    assert_eq!(latent(model.graph().unwrap().nodes().select_rows([1])).as_slice(), [9.0]);
    assert_eq!(latent(Matrix::from_rows(&[[4.0, 0.0]]).unwrap()).as_slice(), [4.0]);
}

#[test]
fn a_damaged_preparation_is_named() {
    let transform = |change: &dyn Fn(&mut Value)| {
        let mut model = valid();
        model["input"]["prepare"] = json!({"offset": [0.0, 1.0], "factor": [1.0, 2.0]});
        change(&mut model);
        Model::from_json(model.to_string().as_bytes(), Path::new("m.json"))
            .map(|model| model.input.prepare)
    };
    let message = |change: &dyn Fn(&mut Value)| transform(change).unwrap_err().to_string();
    assert_eq!(transform(&|_| ()).unwrap().unwrap().factor, [1.0, 2.0]);
    assert!(transform(&|model| model["input"]["prepare"] = json!({})).unwrap().is_none());
    assert_eq!(
        message(&|model| model["input"]["prepare"]["factor"] = json!([1.0])),
        "m.json: contradicts itself: input.prepare.factor: expected 2 values, found 1; learn \
         it again"
    );
    let unknown = message(&|model| model["input"]["prepare"] = json!({"log": true}));
    assert!(unknown.contains("input.prepare is not one that this midrib knows"), "{unknown}");
    let features = message(&|model| model["input"]["features"] = json!(["a"]));
    assert!(features.contains("takes 2 columns, input.features names 1"), "{features}");
    let nodes = message(&|model| model["nodes"] = json!([[0.5], [1.0]]));
    assert!(nodes.contains("prepared points have 2 columns, the nodes 1"), "{nodes}");
}

#[test]
fn missing_models_say_what_to_name() {
    let directory = tempfile::tempdir().unwrap();
    let message = Model::read(directory.path()).unwrap_err().to_string();
    assert!(message.contains("holds no model.json"), "{message}");
    let file = directory.path().join("none.json");
    let message = Model::read(&file).unwrap_err().to_string();
    assert!(message.contains("there is no such file"), "{message}");
}

#[test]
fn numbers_that_are_not_finite_are_never_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.json");
    let mut model = read_text(&valid().to_string()).unwrap();
    model.trace[1] = f64::NAN;
    let message = model.write(&path).unwrap_err().to_string();
    assert!(message.contains("trace[1] is not a finite number"), "{message}");
    assert!(!path.exists());
    model.trace[1] = 0.5;
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [f64::INFINITY, 0.0]]).unwrap();
    model.object = PrincipalGraph::new(nodes, &[], vec![1.0; 2]).unwrap().into();
    let message = model.write(&path).unwrap_err().to_string();
    assert!(message.contains("a coordinate of node 1"), "{message}");
}
