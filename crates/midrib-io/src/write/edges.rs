//! `edges.csv`.

use std::path::Path;

use midrib::graph::PrincipalGraph;

use super::table::TableWriter;
use crate::error::Result;

/// Writes `edges.csv`: edge, its ends a and b, weight, length, support where it is known.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// let nodes = Matrix::from_rows(&[[0.0], [2.5]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![3.0, 4.0])?;
/// midrib_io::write_edges(&path, &graph, None)?;
/// let text = std::fs::read_to_string(&path)?;
/// assert_eq!(text, "edge,a,b,weight,length\n0,0,1,1,2.5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_edges(path: &Path, graph: &PrincipalGraph, support: Option<&[f64]>) -> Result<()> {
    let mut header = vec!["edge", "a", "b", "weight", "length"];
    header.extend(support.map(|_| "support"));
    let mut table = TableWriter::create(path, &header)?;
    for (index, edge) in graph.edges().iter().enumerate() {
        table.integer(index)?;
        table.integer(edge.a)?;
        table.integer(edge.b)?;
        table.number(edge.weight)?;
        table.number(edge.length)?;
        if let Some(support) = support {
            table.number(support[index])?;
        }
        table.end_row()?;
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use midrib::math::Matrix;

    fn graph() -> PrincipalGraph {
        let nodes = Matrix::from_rows(&[[1.0 / 3.0, 1e-300], [0.1, 2.0], [0.1, 4.0]]).unwrap();
        PrincipalGraph::new(nodes, &[(1, 0, 0.5), (1, 2, 1.0)], vec![1.5, 2.0, 0.0]).unwrap()
    }

    #[test]
    fn edges_have_their_weights_and_lengths() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("edges.csv");
        write_edges(&path, &graph(), None).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("edge,a,b,weight,length\n0,0,1,0.5,"), "{text}");
        assert!(text.ends_with("1,1,2,1,2\n"), "{text}");
        write_edges(&path, &graph(), Some(&[0.5, 0.75])).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("edge,a,b,weight,length,support\n"), "{text}");
        assert!(text.ends_with("1,1,2,1,2,0.75\n"), "{text}");
    }
}
