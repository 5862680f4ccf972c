//! The Euclidean minimum spanning tree of the nodes: exact, without the complete graph.

use super::links::Links;
use crate::error::{Error, Result};
use crate::math::{Matrix, Sets, shortest_linked_tree, shortest_tree, squared_distance};

/// The minimum spanning tree of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanningTree {
    /// Its edges `(a, b)`, `a < b`, sorted.
    pub edges: Vec<(usize, usize)>,
    /// The sum of the squared lengths of its edges.
    pub squared_length: f64,
}

/// The minimum spanning tree of the rows of `nodes`; O(K) memory.
///
/// Squared distances give the same tree as distances. Ties are broken by the indices of the nodes,
/// so the tree is unique. In few dimensions, and for many nodes near a curve in any dimension,
/// Borůvka rounds on a space tree take O(K log K) each; a few nodes in many dimensions are
/// connected by Prim's algorithm in O(K²·D).
///
/// ```
/// use midrib::connect::spanning_tree;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [5.0], [1.0]])?;
/// let tree = spanning_tree(&nodes);
/// assert_eq!(tree.edges, [(0, 2), (1, 2)]);
/// assert_eq!(tree.squared_length, 17.0);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn spanning_tree(nodes: &Matrix) -> SpanningTree {
    SpanningTree::new(nodes, shortest_tree(nodes))
}

/// The minimum spanning tree with all must-link and no cannot-link pairs.
///
/// It is an error if there is none: the must-links form a cycle, or the cannot-links separate the
/// nodes.
///
/// ```
/// use midrib::connect::{Links, linked_spanning_tree};
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [5.0], [1.0]])?;
/// let tree = linked_spanning_tree(&nodes, &Links::new(&[(0, 1)], &[], 3)?)?;
/// assert_eq!(tree.edges, [(0, 1), (0, 2)]);
/// let none = Links::new(&[], &[(1, 0), (1, 2)], 3)?;
/// assert!(linked_spanning_tree(&nodes, &none).is_err());
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn linked_spanning_tree(nodes: &Matrix, links: &Links) -> Result<SpanningTree> {
    if links.is_empty() {
        return Ok(spanning_tree(nodes));
    }
    let n = nodes.n_rows();
    let mut joined = Sets::new(n);
    for &(a, b) in links.must() {
        if !joined.join(a, b) {
            return Err(Error::data(format!(
                "the must-link {a}-{b} closes a cycle with others, and a tree has no cycles: remove \
                 one of them, or learn an l1 graph"
            )));
        }
    }
    let forbids = |a, b| links.forbids(a, b);
    let (edges, component) = shortest_linked_tree(nodes, links.must(), forbids);
    if edges.len() + 1 < n {
        let cut_off = (0..n).filter(|&node| component[node] != component[0]);
        let named: Vec<String> = cut_off.clone().take(5).map(|node| node.to_string()).collect();
        return Err(Error::data(format!(
            "the cannot-links separate the nodes: no edge may connect {} of them ({}{}) to the \
             others, so there is no tree; remove some of these links, or learn an l1 graph",
            cut_off.count(),
            named.join(", "),
            if named.len() == 5 { ", …" } else { "" }
        )));
    }
    Ok(SpanningTree::new(nodes, edges))
}

impl SpanningTree {
    fn new(nodes: &Matrix, mut edges: Vec<(usize, usize)>) -> Self {
        edges.sort_unstable();
        let squared = |&(a, b): &(usize, usize)| squared_distance(nodes.row(a), nodes.row(b));
        Self { squared_length: edges.iter().map(squared).sum(), edges }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn the_tree_is_the_shortest_one_that_honors_the_links(
            n in 3_usize..25,
            values in proptest::collection::vec(-20_i32..20, 50),
            must in proptest::collection::vec((0_usize..25, 0_usize..25), 0..3),
            cannot in proptest::collection::vec((0_usize..25, 0_usize..25), 0..40),
        ) {
            let data = values[..2 * n].iter().map(|&v| f64::from(v)).collect();
            let nodes = Matrix::new(n, 2, data).unwrap();
            let valid = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
                pairs.iter().map(|&(a, b)| (a % n, b % n)).filter(|(a, b)| a != b).collect()
            };
            let Ok(links) = Links::new(&valid(&must), &valid(&cannot), n) else { return Ok(()) };
            // Kruskal's algorithm over all allowed pairs, must-links first.
            let mut pairs: Vec<(f64, u32, u32)> = (0..n as u32)
                .flat_map(|a| (a + 1..n as u32).map(move |b| (a, b)))
                .filter(|&(a, b)| !links.forbids(a, b))
                .map(|(a, b)| {
                    let must = links.must().contains(&(a as usize, b as usize));
                    let squared = squared_distance(nodes.row(a as usize), nodes.row(b as usize));
                    (if must { -1.0 } else { squared }, a, b)
                })
                .collect();
            pairs.sort_by(|p, q| p.0.total_cmp(&q.0).then((p.1, p.2).cmp(&(q.1, q.2))));
            let mut sets = Sets::new(n);
            let ends = pairs.iter().map(|&(_, a, b)| (a as usize, b as usize));
            let mut expected: Vec<_> = ends.filter(|&(a, b)| sets.join(a, b)).collect();
            expected.sort_unstable();
            let holds_all = links.must().iter().all(|pair| expected.contains(pair));
            match linked_spanning_tree(&nodes, &links) {
                Ok(tree) => {
                    prop_assert!(holds_all);
                    prop_assert_eq!(tree.edges, expected);
                }
                Err(_) => prop_assert!(!holds_all || expected.len() + 1 < n),
            }
        }
    }

    #[test]
    fn equal_nodes_are_fast() {
        let nodes = Matrix::zeros(50_000, 2);
        let tree = spanning_tree(&nodes);
        assert_eq!(tree.edges.len(), 49_999);
        assert_eq!(tree.squared_length, 0.0);
    }

    #[test]
    fn one_node_has_no_edges() {
        assert!(spanning_tree(&Matrix::zeros(1, 3)).edges.is_empty());
    }
}
