//! GEXF, which Gephi, networkx and sigma.js read.

use std::fmt::{self, Write};

use midrib::graph::PrincipalGraph;

use super::graphml::escaped;
use super::node_columns::NodeColumns;
use super::number::Exact;
use crate::error::Result;

/// The graph as GEXF 1.2: node `n0`, `n1`, … with the columns of its position, and its mass;
/// edges with weight and length.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0, 1.0])?;
/// let columns = midrib_io::NodeColumns::of(&graph, &["depth".into()])?;
/// let xml = midrib_io::gexf(&graph, &columns)?;
/// assert!(xml.contains("<edge id=\"0\" source=\"n0\" target=\"n1\" weight=\"1\">"));
/// # Ok::<(), midrib_io::Error>(())
/// ```
pub fn gexf(graph: &PrincipalGraph, columns: &NodeColumns) -> Result<String> {
    let mut xml = String::new();
    let names = columns.names(&["id", "label", "mass"]);
    // Writing into a string cannot fail.
    let _ = write_xml(&mut xml, graph, &names, columns.rows(graph)?);
    Ok(xml)
}

fn write_xml<'p>(
    xml: &mut String,
    graph: &PrincipalGraph,
    names: &[String],
    positions: impl Iterator<Item = &'p [f64]>,
) -> fmt::Result {
    xml.push_str(concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n",
        "  <graph mode=\"static\" defaultedgetype=\"undirected\">\n",
        "    <attributes class=\"node\" mode=\"static\">\n",
    ));
    for (i, name) in names.iter().map(String::as_str).chain(["mass"]).enumerate() {
        let name = escaped(name);
        writeln!(xml, "      <attribute id=\"{i}\" title=\"{name}\" type=\"double\"/>")?;
    }
    xml.push_str(concat!(
        "    </attributes>\n",
        "    <attributes class=\"edge\" mode=\"static\">\n",
        "      <attribute id=\"length\" title=\"length\" type=\"double\"/>\n",
        "    </attributes>\n",
        "    <nodes>\n",
    ));
    for (node, (position, mass)) in positions.zip(graph.mass()).enumerate() {
        writeln!(xml, "      <node id=\"n{node}\" label=\"n{node}\">\n        <attvalues>")?;
        for (i, value) in position.iter().chain([mass]).enumerate() {
            writeln!(xml, "          <attvalue for=\"{i}\" value=\"{}\"/>", Exact(*value))?;
        }
        xml.push_str("        </attvalues>\n      </node>\n");
    }
    xml.push_str("    </nodes>\n    <edges>\n");
    for (index, edge) in graph.edges().iter().enumerate() {
        writeln!(
            xml,
            "      <edge id=\"{index}\" source=\"n{}\" target=\"n{}\" weight=\"{}\">\n        \
             <attvalues>\n          <attvalue for=\"length\" value=\"{}\"/>\n        \
             </attvalues>\n      </edge>",
            edge.a,
            edge.b,
            Exact(edge.weight),
            Exact(edge.length)
        )?;
    }
    xml.push_str("    </edges>\n  </graph>\n</gexf>\n");
    Ok(())
}
