//! A backtracking search for an order of the branches around all stars without crossings.

use super::crossings::{Segment, cross};
use super::stars::{Star, heading};

/// The search is not tried with more stars that have children than this.
const MAX_FORKS: usize = 64;
/// The number of chains that are drawn before the search gives up.
const MAX_CHAINS: usize = 20_000;

/// Orders the branches of every star so that no two cross at equal angles. Returns false and changes
/// nothing if there is no such order or the search gives up.
pub(super) fn find_order(stars: &mut [Star], length: &[f64]) -> bool {
    let forks = depth_first(stars);
    if forks.len() > MAX_FORKS {
        return false;
    }
    let mut search = Search {
        stars,
        length,
        forks: &forks,
        orders: forks.iter().map(|&fork| stars[fork].children.clone()).collect(),
        headings: vec![0.0; stars.len()],
        positions: vec![[0.0; 2]; stars.len()],
        drawn: Vec::with_capacity(stars.len()),
        remaining: MAX_CHAINS,
    };
    let found = search.draw_from(0);
    let orders = search.orders;
    if found {
        for (&fork, order) in forks.iter().zip(orders) {
            stars[fork].children = order;
        }
    }
    found
}

/// The stars that have children, in depth-first order.
fn depth_first(stars: &[Star]) -> Vec<usize> {
    let mut open = vec![0];
    let mut forks = Vec::new();
    while let Some(star) = open.pop() {
        let children = &stars[star].children;
        open.extend(children.iter().rev());
        if !children.is_empty() {
            forks.push(star);
        }
    }
    forks
}

struct Search<'s> {
    stars: &'s [Star],
    length: &'s [f64],
    /// The stars that have children.
    forks: &'s [usize],
    /// The order of the branches around each of them.
    orders: Vec<Vec<usize>>,
    headings: Vec<f64>,
    positions: Vec<[f64; 2]>,
    drawn: Vec<Segment>,
    /// The number of chains that may still be drawn.
    remaining: usize,
}

impl Search<'_> {
    /// Draws the branches of a fork and of all forks after it if that is possible without a
    /// crossing; otherwise draws none of them and returns false.
    fn draw_from(&mut self, at: usize) -> bool {
        let Some(&fork) = self.forks.get(at) else { return true };
        // Around the root only the cyclic order matters.
        let fixed = usize::from(self.stars[fork].parent.is_none());
        let before = self.drawn.len();
        let given = self.orders[at].clone();
        let mut ranks: Vec<usize> = (0..given.len()).collect();
        loop {
            self.orders[at] = ranks.iter().map(|&rank| given[rank]).collect();
            if self.draw(fork, at) && self.draw_from(at + 1) {
                return true;
            }
            self.drawn.truncate(before);
            if self.remaining == 0 || !advance(&mut ranks[fixed..]) {
                self.orders[at] = given;
                return false;
            }
        }
    }

    /// Draws the branches of one fork; returns false at the first crossing.
    fn draw(&mut self, fork: usize, at: usize) -> bool {
        for rank in 0..self.orders[at].len() {
            let child = self.orders[at][rank];
            self.remaining = self.remaining.saturating_sub(1);
            let heading = heading(&self.stars[fork], rank, self.headings[fork], 1.0);
            let (sin, cos) = heading.sin_cos();
            let (from, step) = (self.positions[fork], self.length[child]);
            let to = [from[0] + step * cos, from[1] + step * sin];
            let chain = Segment { from, to, ends: (fork, child) };
            if self.drawn.iter().any(|other| cross(&chain, other)) {
                return false;
            }
            self.drawn.push(chain);
            (self.headings[child], self.positions[child]) = (heading, to);
        }
        true
    }
}

/// The next permutation in lexicographic order; false after the last.
fn advance(ranks: &mut [usize]) -> bool {
    let Some(pivot) = ranks.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let next = ranks.iter().rposition(|&rank| rank > ranks[pivot]).unwrap_or(pivot);
    ranks.swap(pivot, next);
    ranks[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::crossings::crossings;
    use super::*;

    #[test]
    fn every_permutation_comes_once() {
        let mut ranks = vec![0, 1, 2, 3];
        let mut seen = std::collections::BTreeSet::from([ranks.clone()]);
        while advance(&mut ranks) {
            assert!(seen.insert(ranks.clone()));
        }
        assert_eq!(seen.len(), 24);
    }

    /// Whether any order of all branches is free of crossings, by brute force.
    fn exists(stars: &mut [Star], length: &[f64], fork: usize) -> bool {
        if fork == stars.len() {
            return crossed(stars, length) == 0;
        }
        let given = stars[fork].children.clone();
        let mut ranks: Vec<usize> = (0..given.len()).collect();
        loop {
            stars[fork].children = ranks.iter().map(|&rank| given[rank]).collect();
            let found = exists(stars, length, fork + 1);
            if found || !advance(&mut ranks) {
                stars[fork].children = given;
                return found;
            }
        }
    }

    fn crossed(stars: &[Star], length: &[f64]) -> usize {
        let (mut headings, mut positions) = (vec![0.0; stars.len()], vec![[0.0; 2]; stars.len()]);
        let mut segments = Vec::new();
        for (s, star) in stars.iter().enumerate() {
            for (i, &child) in star.children.iter().enumerate() {
                headings[child] = heading(star, i, headings[s], 1.0);
                let (sin, cos) = f64::sin_cos(headings[child]);
                positions[child] =
                    [positions[s][0] + length[child] * cos, positions[s][1] + length[child] * sin];
                segments.push(Segment {
                    from: positions[s],
                    to: positions[child],
                    ends: (s, child),
                });
            }
        }
        crossings(&segments).len()
    }

    #[test]
    fn an_order_is_found_if_one_exists() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut outcomes = [0; 2];
        for _ in 0..300 {
            let mut stars = vec![Star { node: 0, parent: None, chain: vec![], children: vec![] }];
            for _ in 0..rng.random_range(6..10) {
                let tips: Vec<usize> =
                    (0..stars.len()).filter(|&s| stars[s].children.is_empty()).collect();
                let fork = tips[rng.random_range(0..tips.len())];
                for _ in 0..2 {
                    let child = stars.len();
                    stars[fork].children.push(child);
                    let parent = Some(fork);
                    stars.push(Star { node: 0, parent, chain: vec![], children: vec![] });
                }
            }
            // Long tips on short chains get in each other's way.
            let length = stars.iter().map(|star| {
                let unit = if star.children.is_empty() { 1.0 } else { 0.1 };
                unit * 10_f64.powf(rng.random_range(-1.0..1.0))
            });
            let length: Vec<f64> = length.collect();
            let expected = exists(&mut stars, &length, 0);
            assert_eq!(find_order(&mut stars, &length), expected);
            assert_eq!(crossed(&stars, &length) == 0, expected);
            outcomes[usize::from(expected)] += 1;
        }
        assert!(outcomes.iter().all(|&n| n > 20), "{outcomes:?}");
    }
}
