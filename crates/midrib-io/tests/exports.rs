//! Exported graphs must load in the packages that people use.
//!
//! Needs an interpreter with networkx, named by `MIDRIB_TEST_PYTHON`.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib_io::{NodeColumns, gexf, node_link, write_text};

const CHECK: &str = r#"
import json
import sys
import networkx

names = {"a<b & \"c\"": 1 / 3, "feature_mass": 1e-300, "mass": 1.5}

graph = networkx.read_gexf(sys.argv[1])
assert not graph.is_directed() and not graph.is_multigraph()
assert list(graph.nodes) == ["n0", "n1", "n2"], list(graph.nodes)
assert graph.nodes["n0"] == names | {"label": "n0"}, graph.nodes["n0"]
assert sorted(graph.edges) == [("n0", "n1"), ("n1", "n2")]
edge = graph.edges["n1", "n2"]
assert (edge["weight"], edge["length"]) == (0.25, 2.0), edge

with open(sys.argv[2]) as file:
    graph = networkx.node_link_graph(json.load(file), edges="edges")
assert not graph.is_directed() and not graph.is_multigraph()
assert list(graph.nodes) == [0, 1, 2], list(graph.nodes)
assert graph.nodes[0] == names, graph.nodes[0]
assert sorted(graph.edges) == [(0, 1), (1, 2)]
assert graph.edges[1, 2] == {"weight": 0.25, "length": 2.0}
"#;

#[test]
fn networkx_reads_gexf_and_node_link_json() {
    let Ok(python) = std::env::var("MIDRIB_TEST_PYTHON") else {
        eprintln!("skipped: MIDRIB_TEST_PYTHON names no interpreter with networkx");
        return;
    };
    let nodes = Matrix::from_rows(&[[1.0 / 3.0, 1e-300], [0.0, 2.0], [0.0, 4.0]]).unwrap();
    let edges = [(0, 1, 1.0), (1, 2, 0.25)];
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.5, 2.0, 0.0]).unwrap();
    let columns = NodeColumns::of(&graph, &["a<b & \"c\"".into(), "mass".into()]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let paths = ["graph.gexf", "graph.json"].map(|name| directory.path().join(name));
    write_text(&paths[0], &gexf(&graph, &columns).unwrap()).unwrap();
    write_text(&paths[1], &node_link(&graph, &columns).unwrap()).unwrap();

    let output = Command::new(python).args(["-c", CHECK]).args(&paths).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
