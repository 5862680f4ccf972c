//! Newick, which phylogenetic software reads: a rooted tree of milestones.

use midrib::graph::{Milestones, PrincipalGraph};

use super::number::Exact;
use crate::error::Result;

/// The tree as Newick, one line for each root: milestones are called `M` and the number of their
/// node, lengths are those along the branches. Components without a root are left out.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 3.0]])?;
/// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
/// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
/// assert_eq!(midrib_io::newick(&graph, &[0])?, "((M2:1,M3:3)M1:1)M0;\n");
/// # Ok::<(), midrib_io::Error>(())
/// ```
pub fn newick(graph: &PrincipalGraph, roots: &[usize]) -> Result<String> {
    let rooted = graph.root(roots)?;
    refuse_loops(graph)?;
    let components = graph.components();
    for (i, &root) in rooted.roots().iter().enumerate() {
        let same = |other: &&usize| components.of_node[**other] == components.of_node[root];
        if let Some(other) = rooted.roots()[..i].iter().find(same) {
            return Err(midrib::Error::data(format!(
                "the nodes {other} and {root} are roots of one tree: Newick has one root per tree"
            ))
            .into());
        }
    }
    let milestones = graph.milestones().with_nodes(graph, rooted.roots())?;
    let mut text = String::new();
    for &root in rooted.roots() {
        write_tree(&mut text, graph, &milestones, root);
        text.push_str(";\n");
    }
    Ok(text)
}

fn refuse_loops(graph: &PrincipalGraph) -> Result<()> {
    match graph.loops() {
        0 => Ok(()),
        loops => Err(midrib::Error::data(format!(
            "the graph has {loops} loop{}: Newick holds trees only; learn a tree, break short \
             loops with `midrib simplify`, or export graphml, gexf, json or dynverse",
            if loops == 1 { "" } else { "s" }
        ))
        .into()),
    }
}

/// What is still to be written.
enum Task {
    /// The milestone with what lies beyond it, reached over a branch of its own.
    Beyond(usize, Option<usize>),
    /// Its name, and the length of the branch to it.
    Name(usize, Option<usize>),
    Text(char),
}

/// The tree beyond a milestone; without recursion, since a tree may be very deep.
fn write_tree(text: &mut String, graph: &PrincipalGraph, milestones: &Milestones, root: usize) {
    let mut at = vec![Vec::new(); graph.nodes().n_rows()];
    for (number, branch) in milestones.branches().iter().enumerate() {
        let (first, last) = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
        if first != last {
            at[first].push((number, last));
            at[last].push((number, first));
        }
    }
    let mut tasks = vec![Task::Beyond(root, None)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(character) => text.push(character),
            Task::Name(node, branch) => {
                text.push_str(&Milestones::name(node));
                if let Some(branch) = branch {
                    *text += &format!(":{}", Exact(milestones.lengths()[branch]));
                }
            }
            Task::Beyond(node, branch) => {
                let onward: Vec<_> =
                    at[node].iter().filter(|(number, _)| Some(*number) != branch).collect();
                tasks.push(Task::Name(node, branch));
                if onward.is_empty() {
                    continue;
                }
                text.push('(');
                tasks.push(Task::Text(')'));
                for (i, &&(number, next)) in onward.iter().enumerate().rev() {
                    tasks.push(Task::Beyond(next, Some(number)));
                    if i > 0 {
                        tasks.push(Task::Text(','));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use midrib::math::Matrix;

    use super::*;

    fn graph(n: usize, edges: &[(usize, usize)]) -> PrincipalGraph {
        let nodes: Vec<[f64; 1]> = (0..n).map(|i| [i as f64]).collect();
        let edges: Vec<_> = edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![1.0; n]).unwrap()
    }

    #[test]
    fn every_root_has_its_line_and_chains_are_one_branch() {
        let forest = graph(8, &[(0, 1), (1, 2), (2, 3), (2, 4), (5, 6)]);
        assert_eq!(newick(&forest, &[1]).unwrap(), "(M0:1,(M3:1,M4:2)M2:1)M1;\n");
        let both = newick(&forest, &[6, 3, 7]).unwrap();
        assert_eq!(both, "((M0:2,M4:2)M2:1)M3;\n(M5:1)M6;\nM7;\n");
    }

    #[test]
    fn a_deep_tree_is_written_without_recursion() {
        // A comb: every second node is a tooth.
        let edges: Vec<_> =
            (0..100_000).flat_map(|i| [(2 * i, 2 * i + 1), (2 * i, 2 * i + 2)]).collect();
        let text = newick(&graph(200_001, &edges), &[0]).unwrap();
        assert_eq!(text.matches('(').count(), 100_000);
        assert_eq!(text.matches('M').count(), 200_001);
    }

    #[test]
    fn loops_and_two_roots_are_refused() {
        let ring = graph(3, &[(0, 1), (1, 2), (0, 2)]);
        let message = newick(&ring, &[0]).unwrap_err().to_string();
        assert!(message.contains("the graph has 1 loop: Newick holds trees only"), "{message}");
        let line = graph(3, &[(0, 1), (1, 2)]);
        let message = newick(&line, &[2, 0]).unwrap_err().to_string();
        assert!(message.contains("the nodes 0 and 2 are roots of one tree"), "{message}");
        assert!(newick(&line, &[]).is_err() && newick(&line, &[3]).is_err());
    }
}
