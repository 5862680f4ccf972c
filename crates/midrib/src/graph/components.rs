//! Connected components, tips, branch points and the number of loops.

use super::PrincipalGraph;

/// The connected components of a graph, numbered by their smallest node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The component of each node.
    pub of_node: Vec<usize>,
    /// The number of components.
    pub count: usize,
}

impl PrincipalGraph {
    /// The connected components. Component 0 contains node 0, component 1 the smallest node outside
    /// component 0, and so on.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [5.0], [1.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 2, 1.0)], vec![1.0; 3])?;
    /// assert_eq!(graph.components().of_node, [0, 1, 0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn components(&self) -> Components {
        const UNSEEN: usize = usize::MAX;
        let mut of_node = vec![UNSEEN; self.nodes().n_rows()];
        let mut count = 0;
        let mut open = Vec::new();
        for start in 0..of_node.len() {
            if of_node[start] != UNSEEN {
                continue;
            }
            of_node[start] = count;
            open.push(start);
            while let Some(node) = open.pop() {
                for &(_, next) in self.neighbors(node) {
                    if of_node[next] == UNSEEN {
                        of_node[next] = count;
                        open.push(next);
                    }
                }
            }
            count += 1;
        }
        Components { of_node, count }
    }

    /// The nodes with one edge, in order.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [2.0, -1.0]])?;
    /// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
    /// assert_eq!(graph.tips(), [0, 2, 3]);
    /// assert_eq!(graph.branch_points(), [1]);
    /// assert_eq!(graph.loops(), 0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn tips(&self) -> Vec<usize> {
        self.nodes_where(|degree| degree == 1)
    }

    /// The nodes with three or more edges, in order.
    pub fn branch_points(&self) -> Vec<usize> {
        self.nodes_where(|degree| degree >= 3)
    }

    /// The number of independent loops: 0 for a tree, 1 for a ring.
    pub fn loops(&self) -> usize {
        self.edges().len() + self.components().count - self.nodes().n_rows()
    }

    fn nodes_where(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.nodes().n_rows()).filter(|&node| wanted(self.degree(node))).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::PrincipalGraph;
    use crate::math::Matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn components_match_label_propagation(
            n in 1_usize..15,
            pairs in proptest::collection::btree_set((0_usize..15, 0_usize..15), 0..20),
        ) {
            let edges: Vec<_> = pairs.iter().filter(|(a, b)| a < b && *b < n).map(|&(a, b)| (a, b, 1.0)).collect();
            let graph = PrincipalGraph::new(Matrix::zeros(n, 1), &edges, vec![0.0; n]).unwrap();
            let mut smallest: Vec<usize> = (0..n).collect();
            for _ in 0..n {
                for &(a, b, _) in &edges {
                    let least = smallest[a].min(smallest[b]);
                    (smallest[a], smallest[b]) = (least, least);
                }
            }
            let mut firsts = smallest.clone();
            firsts.sort_unstable();
            firsts.dedup();
            let components = graph.components();
            prop_assert_eq!(components.count, firsts.len());
            for (node, first) in smallest.iter().enumerate() {
                prop_assert_eq!(firsts[components.of_node[node]], *first);
            }
            prop_assert_eq!(graph.loops(), edges.len() + firsts.len() - n);
        }
    }
}
