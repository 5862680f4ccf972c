//! GraphML, which networkx, igraph, Cytoscape and Gephi read.

use std::fmt::{self, Write};
use std::path::Path;

use midrib::graph::PrincipalGraph;

use super::node_columns::NodeColumns;
use super::number::Exact;
use crate::error::{Error, Result};

/// The graph as GraphML: node `n0`, `n1`, … with the columns of its position, and its mass;
/// edges with weight and length, and support where it is known.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0, 1.0])?;
/// let columns = midrib_io::NodeColumns::of(&graph, &["depth".into()])?;
/// let xml = midrib_io::graphml(&graph, &columns, None)?;
/// assert!(xml.contains("<edge source=\"n0\" target=\"n1\">"));
/// # Ok::<(), midrib_io::Error>(())
/// ```
pub fn graphml(
    graph: &PrincipalGraph,
    columns: &NodeColumns,
    support: Option<&[f64]>,
) -> Result<String> {
    let mut xml = String::new();
    let names = columns.names(&["id", "mass"]);
    // Writing into a string cannot fail.
    let _ = write_xml(&mut xml, graph, &names, columns.rows(graph)?, support);
    Ok(xml)
}

/// Writes [`graphml`] into a file.
pub fn write_graphml(
    path: &Path,
    graph: &PrincipalGraph,
    columns: &NodeColumns,
    support: Option<&[f64]>,
) -> Result<()> {
    let xml = graphml(graph, columns, support)?;
    std::fs::write(path, xml).map_err(|error| Error::writing(path, &error))
}

fn write_xml<'p>(
    xml: &mut String,
    graph: &PrincipalGraph,
    names: &[String],
    positions: impl Iterator<Item = &'p [f64]>,
    support: Option<&[f64]>,
) -> fmt::Result {
    xml.push_str(concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    ));
    let mut key = |id: &str, of: &str, name: &str| {
        writeln!(
            xml,
            "  <key id=\"{id}\" for=\"{of}\" attr.name=\"{}\" attr.type=\"double\"/>",
            escaped(name)
        )
    };
    for (i, name) in names.iter().enumerate() {
        key(&format!("x{i}"), "node", name)?;
    }
    key("mass", "node", "mass")?;
    key("weight", "edge", "weight")?;
    key("length", "edge", "length")?;
    if support.is_some() {
        key("support", "edge", "support")?;
    }
    xml.push_str("  <graph id=\"midrib\" edgedefault=\"undirected\">\n");
    for (node, (position, mass)) in positions.zip(graph.mass()).enumerate() {
        writeln!(xml, "    <node id=\"n{node}\">")?;
        for (i, value) in position.iter().enumerate() {
            writeln!(xml, "      <data key=\"x{i}\">{}</data>", Exact(*value))?;
        }
        writeln!(xml, "      <data key=\"mass\">{}</data>\n    </node>", Exact(*mass))?;
    }
    for (index, edge) in graph.edges().iter().enumerate() {
        writeln!(
            xml,
            "    <edge source=\"n{}\" target=\"n{}\">\n      \
             <data key=\"weight\">{}</data>\n      \
             <data key=\"length\">{}</data>",
            edge.a,
            edge.b,
            Exact(edge.weight),
            Exact(edge.length)
        )?;
        if let Some(support) = support {
            writeln!(xml, "      <data key=\"support\">{}</data>", Exact(support[index]))?;
        }
        xml.push_str("    </edge>\n");
    }
    xml.push_str("  </graph>\n</graphml>\n");
    Ok(())
}

/// Text as it may stand in an attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }
}
