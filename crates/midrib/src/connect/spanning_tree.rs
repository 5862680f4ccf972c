//! The Euclidean minimum spanning tree of the nodes: exact, without the complete graph.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::links::Links;
use crate::error::{Error, Result};
use crate::math::simd::{Work, dispatch};
use crate::math::{Best, Matrix, Sets, SpaceTree, squared_distance};

/// The shortest tree through all nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanningTree {
    /// Its edges `(a, b)`, `a < b`, sorted.
    pub edges: Vec<(usize, usize)>,
    /// The sum of the squared lengths of its edges.
    pub squared_length: f64,
}

/// Above this dimension a space tree prunes little for scattered nodes.
const FEW_DIMS: usize = 8;
/// Up to this many nodes the plain O(K²·D) search is quick in any dimension.
const FEW_NODES: usize = 2048;
/// Nodes per leaf of the space tree.
const LEAF: usize = 8;

/// The minimum spanning tree of the rows of `nodes`; O(K) memory.
///
/// Squared distances give the same tree as distances. Equal lengths are decided by the
/// indices of the ends, so the tree is unique. In few dimensions, and for many nodes near a
/// curve in any dimension, Borůvka rounds on a space tree take O(K log K) each; a few nodes in
/// many dimensions are joined by Prim's method in O(K²·D).
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
    let small = nodes.n_rows() <= FEW_NODES && nodes.n_cols() > FEW_DIMS;
    let edges = if small { prim(nodes) } else { boruvka(nodes, &Links::default()).0 };
    SpanningTree::new(nodes, edges)
}

/// The shortest tree that holds all pairs that must, and none that cannot, be joined.
///
/// Refused where there is none: pairs that must be joined in a circle, or no way around those
/// that cannot be joined.
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
                "the must-link {a}-{b} closes a circle with others, which no tree can hold: \
                 remove one of them, or learn an l1 graph"
            )));
        }
    }
    let (edges, component) = boruvka(nodes, links);
    if edges.len() + 1 < n {
        let cut_off = (0..n).filter(|&node| component[node] != component[0]);
        let named: Vec<String> = cut_off.clone().take(5).map(|node| node.to_string()).collect();
        return Err(Error::data(format!(
            "the cannot-links part the nodes: no edge may join {} of them ({}{}) to the others, \
             so there is no tree; remove some of these links, or learn an l1 graph",
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

/// A possible edge; the smaller one is better.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Link {
    squared: f64,
    a: u32,
    b: u32,
}

impl Link {
    const NONE: Self = Self { squared: f64::INFINITY, a: u32::MAX, b: u32::MAX };

    fn new(squared: f64, i: u32, j: u32) -> Self {
        Self { squared, a: i.min(j), b: i.max(j) }
    }

    fn beats(&self, other: &Self) -> bool {
        let by_length = self.squared.total_cmp(&other.squared);
        by_length.then((self.a, self.b).cmp(&(other.a, other.b))).is_lt()
    }

    fn ends(&self) -> (usize, usize) {
        (self.a as usize, self.b as usize)
    }
}

/// Grows one tree by its nearest outsider. The coordinates of the outsiders lie column after
/// column, so that the processor takes several distances at a time.
fn prim(nodes: &Matrix) -> Vec<(usize, usize)> {
    let n = nodes.n_rows();
    let mut outside: Vec<u32> = (1..n as u32).collect();
    let mut columns: Vec<Vec<f64>> = (0..nodes.n_cols())
        .map(|d| outside.iter().map(|&node| nodes.row(node as usize)[d]).collect())
        .collect();
    let mut links = vec![Link::NONE; outside.len()];
    let mut edges = Vec::with_capacity(outside.len());
    let mut newest = 0_u32;
    let mut squared = Vec::with_capacity(outside.len());
    while !outside.is_empty() {
        squared.clear();
        squared.resize(outside.len(), 0.0);
        let from = nodes.row(newest as usize);
        dispatch(AddSquares { columns: &columns, from, squared: &mut squared });
        let mut best = 0;
        for (slot, (&other, &squared)) in outside.iter().zip(&squared).enumerate() {
            // Most are farther than what is known: one comparison settles them.
            if squared <= links[slot].squared {
                let link = Link::new(squared, newest, other);
                if link.beats(&links[slot]) {
                    links[slot] = link;
                }
            }
            if links[slot].squared <= links[best].squared && links[slot].beats(&links[best]) {
                best = slot;
            }
        }
        edges.push(links[best].ends());
        newest = outside.swap_remove(best);
        links.swap_remove(best);
        for column in &mut columns {
            column.swap_remove(best);
        }
    }
    edges
}

/// Adds the squared distances between a place and others, whose coordinates are columns.
struct AddSquares<'c> {
    columns: &'c [Vec<f64>],
    from: &'c [f64],
    squared: &'c mut [f64],
}

impl Work for AddSquares<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        for (column, from) in self.columns.iter().zip(self.from) {
            for (sum, x) in self.squared.iter_mut().zip(column) {
                // Not fused: the same bits as `squared_distance`.
                *sum += (from - x) * (from - x);
            }
        }
    }
}

/// Rounds in which every component takes its shortest way out.
///
/// A node remembers its nearest foreign node: while that stays foreign it stays the nearest,
/// because components only grow; its distance bounds all later ones from below. A component's
/// best link so far cuts off the searches of its other nodes. That bound is shared between
/// threads, but it only ever discards links that lose, so the tree does not depend on timing.
///
/// It begins with the pairs that must be joined and passes over those that cannot. Returns the
/// edges and the component of each node: a single one unless the forbidden pairs part them.
fn boruvka(nodes: &Matrix, given: &Links) -> (Vec<(usize, usize)>, Vec<u32>) {
    let n = nodes.n_rows();
    let tree = SpaceTree::of_points(nodes, LEAF);
    let items = tree.items();
    let sorted = nodes.select_rows(items.iter().map(|&i| i as usize));
    let mut position_of = vec![0_u32; n];
    for (position, &item) in items.iter().enumerate() {
        position_of[item as usize] = position as u32;
    }
    // All per position: its component, and its nearest foreign node or a bound on it.
    let mut component: Vec<u32> = (0..n as u32).collect();
    let mut found = vec![Best { squared: 0.0, item: u32::MAX }; n];
    let mut edges = Vec::with_capacity(n.saturating_sub(1));
    let must = given.must().iter().map(|&(a, b)| Link::new(0.0, a as u32, b as u32));
    join(must, &position_of, &mut component, &mut edges);
    while edges.len() + 1 < n {
        let pure = pure_cells(&tree, &component);
        let bounds: Vec<AtomicU64> =
            (0..n).map(|_| AtomicU64::new(f64::INFINITY.to_bits())).collect();
        let still_foreign = |position: usize, best: &Best| {
            best.item != u32::MAX
                && component[position_of[best.item as usize] as usize] != component[position]
        };
        for (position, best) in found.iter().enumerate() {
            if still_foreign(position, best) {
                lower(&bounds[component[position] as usize], best.squared);
            }
        }
        found.par_iter_mut().enumerate().for_each(|(position, known)| {
            let own = component[position];
            let bound = f64::from_bits(bounds[own as usize].load(Ordering::Relaxed));
            if still_foreign(position, known) || known.squared > bound {
                return;
            }
            let x = sorted.row(position);
            let mut best = Best { squared: bound, item: u32::MAX };
            tree.search(x, &mut best, &|cell| pure[cell] == own, &mut |other, best| {
                if component[other] != own && !given.forbids(items[position], items[other]) {
                    best.offer(squared_distance(x, sorted.row(other)), items[other]);
                }
            });
            *known = best;
            if best.item != u32::MAX {
                lower(&bounds[own as usize], best.squared);
            }
        });
        let mut links = vec![Link::NONE; n];
        for (position, best) in found.iter().enumerate().filter(|(p, best)| still_foreign(*p, best))
        {
            let link = Link::new(best.squared, items[position], best.item);
            let own = &mut links[component[position] as usize];
            if link.beats(own) {
                *own = link;
            }
        }
        let before = edges.len();
        let best = links.into_iter().filter(|link| *link != Link::NONE);
        join(best, &position_of, &mut component, &mut edges);
        if edges.len() == before {
            break;
        }
    }
    (edges, position_of.iter().map(|&position| component[position as usize]).collect())
}

/// Lowers a shared bound; nonnegative numbers order like their bits.
fn lower(bound: &AtomicU64, squared: f64) {
    bound.fetch_min(squared.to_bits(), Ordering::Relaxed);
}

/// For each cell the component of all its nodes, `u32::MAX` where they differ.
fn pure_cells(tree: &SpaceTree, component: &[u32]) -> Vec<u32> {
    let cells = tree.cells();
    let mut pure = vec![u32::MAX; cells.len()];
    for (index, cell) in cells.iter().enumerate().rev() {
        let below = if cell.is_leaf() {
            let range = cell.positions();
            let first = component[range.start];
            component[range].iter().all(|&c| c == first).then_some(first)
        } else {
            let (left, right) = (pure[index + 1], pure[cell.right as usize]);
            (left == right).then_some(left)
        };
        pure[index] = below.unwrap_or(u32::MAX);
    }
    pure
}

/// Adds each link that joins two components and renames the components.
fn join(
    links: impl Iterator<Item = Link>,
    position_of: &[u32],
    component: &mut [u32],
    edges: &mut Vec<(usize, usize)>,
) {
    let mut sets = Sets::new(component.len());
    for link in links {
        let (a, b) = link.ends();
        let [from, to] = [a, b].map(|end| component[position_of[end] as usize] as usize);
        if sets.join(from, to) {
            edges.push((a, b));
        }
    }
    for c in component {
        *c = sets.find(*c as usize) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn both_searches_find_the_same_tree(
            dims in 1_usize..12,
            values in proptest::collection::vec(-20_i32..20, 12..900),
            step in 0.01_f64..1.0,
        ) {
            let n = values.len() / dims;
            let data = values[..n * dims].iter().map(|&v| f64::from(v) * step).collect();
            let nodes = Matrix::new(n, dims, data).unwrap();
            let mut by_rounds = boruvka(&nodes, &Links::default()).0;
            let mut by_growth = prim(&nodes);
            by_rounds.sort_unstable();
            by_growth.sort_unstable();
            prop_assert_eq!(by_rounds, by_growth);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn links_are_honoured_by_the_shortest_tree_that_can(
            n in 3_usize..25,
            values in proptest::collection::vec(-20_i32..20, 50),
            must in proptest::collection::vec((0_usize..25, 0_usize..25), 0..3),
            cannot in proptest::collection::vec((0_usize..25, 0_usize..25), 0..40),
        ) {
            let data = values[..2 * n].iter().map(|&v| f64::from(v)).collect();
            let nodes = Matrix::new(n, 2, data).unwrap();
            let known = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
                pairs.iter().map(|&(a, b)| (a % n, b % n)).filter(|(a, b)| a != b).collect()
            };
            let Ok(links) = Links::new(&known(&must), &known(&cannot), n) else { return Ok(()) };
            // Kruskal's method over all admissible pairs, those that must be first.
            let mut pairs: Vec<Link> = (0..n as u32)
                .flat_map(|a| (a + 1..n as u32).map(move |b| (a, b)))
                .filter(|&(a, b)| !links.forbids(a, b))
                .map(|(a, b)| {
                    let must = links.must().contains(&(a as usize, b as usize));
                    let squared = squared_distance(nodes.row(a as usize), nodes.row(b as usize));
                    Link::new(if must { -1.0 } else { squared }, a, b)
                })
                .collect();
            pairs.sort_by(|a, b| if a.beats(b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater });
            let mut sets = Sets::new(n);
            let mut expected: Vec<_> =
                pairs.iter().filter(|link| sets.join(link.a as usize, link.b as usize)).map(Link::ends).collect();
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
    fn equal_nodes_are_joined_quickly() {
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
