//! Node-link JSON, as networkx and d3 read it.

use midrib::graph::PrincipalGraph;
use serde_json::{Map, Value, json};

use super::node_columns::NodeColumns;
use crate::error::Result;

/// The graph as node-link JSON: nodes 0, 1, … with the columns of their positions, and their
/// mass; edges with weight and length. `networkx.node_link_graph` reads it.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0, 1.0])?;
/// let columns = midrib_io::NodeColumns::of(&graph, &["depth".into()])?;
/// let json: serde_json::Value = serde_json::from_str(&midrib_io::node_link(&graph, &columns)?)?;
/// assert_eq!(json["nodes"][1]["depth"], 2.0);
/// assert_eq!(json["edges"][0]["target"], 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn node_link(graph: &PrincipalGraph, columns: &NodeColumns) -> Result<String> {
    let names = columns.names(&["id", "mass"]);
    let node = |(node, (position, mass)): (usize, (&[f64], &f64))| {
        let mut entry = Map::new();
        entry.insert("id".into(), json!(node));
        entry.insert("mass".into(), json!(mass));
        entry.extend(names.iter().cloned().zip(position.iter().map(|value| json!(value))));
        Value::Object(entry)
    };
    let nodes: Vec<Value> = columns.rows(graph)?.zip(graph.mass()).enumerate().map(node).collect();
    let edge = |edge: &midrib::graph::Edge| {
        json!({
            "source": edge.a, "target": edge.b, "weight": edge.weight, "length": edge.length,
        })
    };
    let edges: Vec<Value> = graph.edges().iter().map(edge).collect();
    let whole = json!({
        "directed": false, "multigraph": false, "graph": {}, "nodes": nodes, "edges": edges,
    });
    Ok(format!("{whole:#}\n"))
}
