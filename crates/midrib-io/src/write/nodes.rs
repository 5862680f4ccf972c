//! `nodes.csv`.

use std::path::Path;

use midrib::graph::PrincipalGraph;

use super::node_columns::NodeColumns;
use super::table::TableWriter;
use crate::error::Result;

/// Writes `nodes.csv`: node, mass, degree, then the columns of its position.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// let nodes = Matrix::from_rows(&[[0.0], [2.5]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![3.0, 4.0])?;
/// let columns = midrib_io::NodeColumns::of(&graph, &["depth".into()])?;
/// midrib_io::write_nodes(&path, &graph, &columns)?;
/// let text = std::fs::read_to_string(&path)?;
/// assert_eq!(text, "node,mass,degree,depth\n0,3,1,0\n1,4,1,2.5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_nodes(path: &Path, graph: &PrincipalGraph, columns: &NodeColumns) -> Result<()> {
    const FIXED: [&str; 3] = ["node", "mass", "degree"];
    let mut header = FIXED.map(String::from).to_vec();
    header.extend(columns.names(&FIXED));
    let mut table = TableWriter::create(path, &header)?;
    for (node, (position, mass)) in columns.rows(graph)?.zip(graph.mass()).enumerate() {
        table.integer(node)?;
        table.number(*mass)?;
        table.integer(graph.degree(node))?;
        for value in position {
            table.number(*value)?;
        }
        table.end_row()?;
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{ReadOptions, match_columns, read};
    use midrib::math::Matrix;

    fn graph() -> PrincipalGraph {
        let nodes = Matrix::from_rows(&[[1.0 / 3.0, 1e-300], [0.1, 2.0], [0.1, 4.0]]).unwrap();
        PrincipalGraph::new(nodes, &[(1, 0, 0.5), (1, 2, 1.0)], vec![1.5, 2.0, 0.0]).unwrap()
    }

    #[test]
    fn nodes_read_back_exactly() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nodes.csv");
        let features = ["a".to_string(), "b".to_string()];
        let columns = NodeColumns::of(&graph(), &features).unwrap();
        write_nodes(&path, &graph(), &columns).unwrap();
        let table = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(table.features, ["node", "mass", "degree", "a", "b"]);
        let table = match_columns(&path, table, &features).unwrap();
        let mut row = [0.0; 2];
        table.points.copy_row(0, &mut row);
        assert_eq!(row, [1.0 / 3.0, 1e-300]);
    }

    #[test]
    fn features_and_labels_never_hide_the_fixed_columns() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nodes.csv");
        let columns = NodeColumns::of(&graph(), &["mass".into(), "b".into()]).unwrap();
        write_nodes(&path, &graph(), &columns).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("node,mass,degree,feature_mass,b\n"), "{text}");
        let more = NodeColumns::new(vec!["b".into()], Matrix::zeros(3, 1)).unwrap();
        write_nodes(&path, &graph(), &columns.and(&more).unwrap()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("node,mass,degree,feature_mass,b,prepared_b\n"), "{text}");
        let wrong = NodeColumns::new(vec!["b".into()], Matrix::zeros(2, 1)).unwrap();
        let message = write_nodes(&path, &graph(), &wrong).unwrap_err().to_string();
        assert_eq!(message, "rows for nodes: expected 3, found 2");
    }
}
