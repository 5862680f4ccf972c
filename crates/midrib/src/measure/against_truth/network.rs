//! The topology of a network: a simple graph with lengths.

use std::collections::BTreeMap;

use super::contract::contracted;
use crate::measure::Trajectory;

/// A graph without self-loops and parallel edges.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Network {
    pub n: usize,
    pub edges: Vec<(usize, usize, f64)>,
    /// The number of isolated milestones, not included in `n`.
    pub isolated: usize,
}

impl Network {
    /// A trajectory with its chains contracted, as in dyneval: a loop gets two inner nodes, each of
    /// several parallel edges one, and a single edge one.
    pub(super) fn of(trajectory: &Trajectory) -> Self {
        let short = contracted(trajectory, false, &[]);
        let mut joined = vec![false; short.n_milestones()];
        let mut links = Vec::new();
        for link in short.links() {
            if link.from == link.to && link.length == 0.0 {
                continue;
            }
            joined[link.from] = true;
            joined[link.to] = true;
            links.push((link.from.min(link.to), link.from.max(link.to), link.length));
        }
        let mut number = vec![0; joined.len()];
        let mut n = 0;
        for (number, _) in number.iter_mut().zip(&joined).filter(|(_, joined)| **joined) {
            *number = n;
            n += 1;
        }
        let isolated = joined.len() - n;
        let mut alike: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for &(a, b, _) in &links {
            *alike.entry((a, b)).or_default() += 1;
        }
        let only = links.len() == 1;
        let mut network = Self { n, edges: Vec::new(), isolated };
        for (a, b, length) in links {
            let inside = if a == b { 2 } else { usize::from(only || alike[&(a, b)] > 1) };
            network.chain(number[a], number[b], length, inside);
        }
        network
    }

    /// Connects two nodes by a chain with `inside` new nodes.
    fn chain(&mut self, a: usize, b: usize, length: f64, inside: usize) {
        let step = length / (inside + 1) as f64;
        let mut from = a;
        for _ in 0..inside {
            self.edges.push((from, self.n, step));
            from = self.n;
            self.n += 1;
        }
        self.edges.push((from, b, step));
    }

    /// The total length of the edges.
    pub(super) fn length(&self) -> f64 {
        self.edges.iter().map(|&(_, _, length)| length).sum()
    }

    /// Whether the other has the same topology, whatever the lengths.
    pub(super) fn is_isomorphic(&self, other: &Self) -> bool {
        if (self.n, self.isolated, self.edges.len()) != (other.n, other.isolated, other.edges.len())
        {
            return false;
        }
        let pair = [self.neighbors(), other.neighbors()];
        matches(&pair, [vec![0; self.n], vec![0; self.n]])
    }

    fn neighbors(&self) -> Vec<Vec<usize>> {
        let mut neighbors = vec![Vec::new(); self.n];
        for &(a, b, _) in &self.edges {
            neighbors[a].push(b);
            neighbors[b].push(a);
        }
        neighbors
    }
}

/// Whether two colored graphs are isomorphic: colors are refined by those of the neighbors; if that
/// leaves a choice, each is tried.
fn matches(graphs: &[Vec<Vec<usize>>; 2], colors: [Vec<usize>; 2]) -> bool {
    let Some(colors) = refined(graphs, colors) else {
        return false;
    };
    let mut classes: BTreeMap<usize, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, colors) in colors.iter().enumerate() {
        for (node, &color) in colors.iter().enumerate() {
            classes.entry(color).or_default()[side].push(node);
        }
    }
    let open = classes.values().filter(|class| class[0].len() > 1);
    let Some(class) = open.min_by_key(|class| class[0].len()) else {
        return true;
    };
    let fresh = colors[0].len();
    class[1].iter().any(|&twin| {
        let mut colors = colors.clone();
        colors[0][class[0][0]] = fresh;
        colors[1][twin] = fresh;
        matches(graphs, colors)
    })
}

/// Refines colors by the colors of the neighbors until they are stable; `None` if the two graphs
/// differ.
fn refined(graphs: &[Vec<Vec<usize>>; 2], mut colors: [Vec<usize>; 2]) -> Option<[Vec<usize>; 2]> {
    let mut n_colors = 0;
    loop {
        let signature = |side: usize, node: usize| {
            let mut around: Vec<usize> =
                graphs[side][node].iter().map(|&next| colors[side][next]).collect();
            around.sort_unstable();
            (colors[side][node], around)
        };
        let n = colors[0].len();
        let signatures: [Vec<_>; 2] =
            [0, 1].map(|side| (0..n).map(|node| signature(side, node)).collect());
        let mut sorted = signatures.clone();
        sorted.iter_mut().for_each(|side| side.sort());
        if sorted[0] != sorted[1] {
            return None;
        }
        let mut kinds = sorted[0].clone();
        kinds.dedup();
        let color = |signature: &_| kinds.binary_search(signature).unwrap_or_default();
        colors = signatures.map(|side| side.iter().map(&color).collect());
        if kinds.len() == n_colors {
            return Some(colors);
        }
        n_colors = kinds.len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn network(n: usize, pairs: &[(usize, usize)]) -> Network {
        Network { n, edges: pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect(), isolated: 0 }
    }

    fn permutations(n: usize) -> Vec<Vec<usize>> {
        if n == 0 {
            return vec![vec![]];
        }
        let mut all = Vec::new();
        for shorter in permutations(n - 1) {
            for at in 0..n {
                let mut longer = shorter.clone();
                longer.insert(at, n - 1);
                all.push(longer);
            }
        }
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn isomorphism_matches_a_search_over_permutations(
            n in 1_usize..6,
            one in proptest::collection::btree_set((0_usize..6, 0_usize..6), 0..9),
            other in proptest::collection::btree_set((0_usize..6, 0_usize..6), 0..9),
            shuffle in 0_usize..120,
        ) {
            let valid = |pairs: std::collections::BTreeSet<(usize, usize)>| {
                pairs.into_iter().filter(|&(a, b)| a < b && b < n).collect::<Vec<_>>()
            };
            let (one, other) = (valid(one), valid(other));
            let all = permutations(n);
            let order = &all[shuffle % all.len()];
            let moved = |pairs: &[(usize, usize)], order: &[usize]| {
                let pair = |&(a, b): &(usize, usize)| (order[a].min(order[b]), order[a].max(order[b]));
                let mut moved: Vec<_> = pairs.iter().map(pair).collect();
                moved.sort_unstable();
                moved
            };
            prop_assert!(network(n, &one).is_isomorphic(&network(n, &moved(&one, order))));
            let expected = all.iter().any(|order| moved(&one, order) == other);
            prop_assert_eq!(network(n, &one).is_isomorphic(&network(n, &other)), expected);
        }
    }

    #[test]
    fn regular_graphs_are_distinguished() {
        let hexagon: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6)).collect();
        let triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
        assert!(!network(6, &hexagon).is_isomorphic(&network(6, &triangles)));
        let ring: Vec<_> = (0..300).map(|i| (i, (i + 1) % 300)).collect();
        let other: Vec<_> = (0..300).map(|i| ((i * 7) % 300, ((i + 1) * 7) % 300)).collect();
        assert!(network(300, &ring).is_isomorphic(&network(300, &other)));
    }
}
