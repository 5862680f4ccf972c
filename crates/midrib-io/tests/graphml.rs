//! GraphML must load in the packages that people use.
//!
//! Needs an interpreter with networkx and igraph, named by `MIDRIB_TEST_PYTHON`.

#![allow(clippy::unwrap_used)]

use std::process::Command;

use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib_io::{NodeColumns, write_graphml};

const CHECK: &str = r#"
import sys
import igraph
import networkx

graph = networkx.read_graphml(sys.argv[1])
assert not graph.is_directed()
assert list(graph.nodes) == ["n0", "n1", "n2"], list(graph.nodes)
assert graph.nodes["n0"] == {"a<b & \"c\"": 1 / 3, "feature_mass": 1e-300, "mass": 1.5}, graph.nodes["n0"]
assert all(type(v) is float for _, node in graph.nodes(data=True) for v in node.values())
assert sorted(graph.edges) == [("n0", "n1"), ("n1", "n2")]
assert graph.edges["n1", "n2"] == {"weight": 0.25, "length": 2.0, "support": 0.75}

graph = igraph.Graph.Read_GraphML(sys.argv[1])
assert not graph.is_directed()
assert graph.vs["id"] == ["n0", "n1", "n2"]
# igraph leaves an ampersand in a name as it stands in the file.
names = [name.replace("&#38;", "&") for name in graph.vs.attributes()]
assert names == ["a<b & \"c\"", "feature_mass", "mass", "id"], names
assert graph.vs[0].attributes()[graph.vs.attributes()[0]] == 1 / 3
assert graph.vs["feature_mass"] == [1e-300, 2.0, 4.0]
assert graph.vs["mass"] == [1.5, 2.0, 0.0]
assert graph.get_edgelist() == [(0, 1), (1, 2)]
assert graph.es["weight"] == [1.0, 0.25]
assert graph.es["length"][1] == 2.0
assert graph.es["support"] == [0.5, 0.75]
"#;

#[test]
fn networkx_and_igraph_read_every_attribute() {
    let Ok(python) = std::env::var("MIDRIB_TEST_PYTHON") else {
        eprintln!("skipped: MIDRIB_TEST_PYTHON names no interpreter with networkx and igraph");
        return;
    };
    let nodes = Matrix::from_rows(&[[1.0 / 3.0, 1e-300], [0.0, 2.0], [0.0, 4.0]]).unwrap();
    let edges = [(0, 1, 1.0), (1, 2, 0.25)];
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.5, 2.0, 0.0]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("graph.graphml");
    let columns = NodeColumns::of(&graph, &["a<b & \"c\"".into(), "mass".into()]).unwrap();
    write_graphml(&path, &graph, &columns, Some(&[0.5, 0.75])).unwrap();

    let output = Command::new(python).args(["-c", CHECK]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
