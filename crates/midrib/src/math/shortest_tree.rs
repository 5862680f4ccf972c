//! The shortest tree through given points: exact, without all their pairs.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::matrix::{Matrix, squared_distance};
use super::sets::Sets;
use super::simd::{Work, dispatch};
use super::space_tree::{Best, SpaceTree};

/// Above this dimension a space tree prunes little for scattered nodes.
const FEW_DIMS: usize = 8;
/// Up to this many nodes the plain O(K²·D) search is quick in any dimension.
const FEW_NODES: usize = 2048;
/// Nodes per leaf of the space tree.
const LEAF: usize = 8;

/// The edges of the Euclidean minimum spanning tree of the rows, in no order; O(K) memory.
pub(crate) fn shortest_tree(nodes: &Matrix) -> Vec<(usize, usize)> {
    if nodes.n_rows() <= FEW_NODES && nodes.n_cols() > FEW_DIMS {
        return prim(nodes);
    }
    shortest_linked_tree(nodes, &[], |_, _| false).0
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

/// Adds the squared distances between a point and others, whose coordinates are columns.
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
pub(crate) fn shortest_linked_tree(
    nodes: &Matrix,
    must: &[(usize, usize)],
    forbids: impl Fn(u32, u32) -> bool + Sync,
) -> (Vec<(usize, usize)>, Vec<u32>) {
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
    let must = must.iter().map(|&(a, b)| Link::new(0.0, a as u32, b as u32));
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
                if component[other] != own && !forbids(items[position], items[other]) {
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
            let mut by_rounds = shortest_linked_tree(&nodes, &[], |_, _| false).0;
            let mut by_growth = prim(&nodes);
            by_rounds.sort_unstable();
            by_growth.sort_unstable();
            prop_assert_eq!(by_rounds, by_growth);
        }
    }
}
