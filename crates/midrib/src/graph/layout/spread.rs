//! Stars laid out in the plane with true lengths, no crossings, and equal angles where possible.

use std::f64::consts::PI;

use super::crossings::{Segment, crossings};
use super::search::find_order;
use super::stars::{Star, heading};

/// The number of reorderings that are tried before stars are drawn narrower.
const ATTEMPTS: usize = 400;
/// The factor by which a star becomes narrower per round.
const NARROWER: f64 = 0.85;
/// The number of such rounds; enough for stars of a millionth of a turn.
const ROUNDS: usize = 100;

/// The share of a half turn that a fan occupies.
const FAN: f64 = 0.95;

/// Stars with their branches spread out at equal angles, or as a fan.
pub(super) struct Spread {
    stars: Vec<Star>,
    /// The length of the chain that ends at each star.
    length: Vec<f64>,
    /// 1 if the branches share the full turn, less if they are drawn closer together.
    width: Vec<f64>,
    /// The heading of the chain that ends at each star, if the tree is drawn as a fan.
    fan: Option<Vec<f64>>,
}

impl Spread {
    /// Lays out a tree of stars. Crossings are removed by reordering branches, first greedily, then
    /// by an exhaustive search; then by narrower stars; and finally by drawing a fan.
    pub fn new(stars: Vec<Star>, length: Vec<f64>) -> Self {
        let width = vec![1.0; stars.len()];
        let mut spread = Self { stars, length, width, fan: None };
        spread.untangle();
        if !spread.crossings().is_empty() {
            find_order(&mut spread.stars, &spread.length);
        }
        spread.narrow();
        for share in [Share::Equal, Share::ByTips] {
            if !spread.crossings().is_empty() {
                spread.fan = Some(spread.fan(share));
            }
        }
        spread
    }

    pub fn stars(&self) -> &[Star] {
        &self.stars
    }

    /// The position of each star.
    pub fn positions(&self) -> Vec<[f64; 2]> {
        let mut positions = vec![[0.0; 2]; self.stars.len()];
        let mut headings = vec![0.0; self.stars.len()];
        for (s, star) in self.stars.iter().enumerate() {
            for (i, &child) in star.children.iter().enumerate() {
                headings[child] = match &self.fan {
                    Some(fan) => fan[child],
                    None => heading(star, i, headings[s], self.width[s]),
                };
                let (sin, cos) = f64::sin_cos(headings[child]);
                let step = self.length[child];
                positions[child] = [positions[s][0] + step * cos, positions[s][1] + step * sin];
            }
        }
        positions
    }

    /// The pairs of stars whose branches cross.
    pub fn crossings(&self) -> Vec<(usize, usize)> {
        let positions = self.positions();
        let chains = self.stars.iter().enumerate();
        let chains = chains.filter_map(|(s, star)| star.parent.map(|parent| (parent, s)));
        let segments: Vec<Segment> = chains
            .map(|(parent, s)| Segment {
                from: positions[parent],
                to: positions[s],
                ends: (parent, s),
            })
            .collect();
        let star = |segment: usize| segments[segment].ends.1;
        crossings(&segments).into_iter().map(|(a, b)| (star(a), star(b))).collect()
    }

    /// Mirrors and swaps branches as long as that reduces the number of crossings.
    fn untangle(&mut self) {
        let mut crossed = self.crossings();
        let mut attempts = 0;
        let mut next = 0;
        while next < crossed.len() {
            let (a, b) = crossed[next];
            let fork = self.fork(a, b);
            let moves = [Move::Mirror(fork.first), Move::Mirror(fork.second), Move::Swap(fork)];
            let mut better = None;
            for change in moves {
                if attempts == ATTEMPTS {
                    return;
                }
                attempts += 1;
                self.make(change);
                let left = self.crossings();
                if left.len() < crossed.len() {
                    better = Some(left);
                    break;
                }
                self.make(change);
            }
            match better {
                Some(left) => (crossed, next) = (left, 0),
                None => next += 1,
            }
        }
    }

    /// Narrows the stars between two crossing branches and the star where they separate, until
    /// nothing crosses: in the limit branches are straight, and straight branches never meet.
    fn narrow(&mut self) {
        for _ in 0..ROUNDS {
            let crossed = self.crossings();
            if crossed.is_empty() {
                return;
            }
            let mut narrower = vec![false; self.stars.len()];
            for (a, b) in crossed {
                let common = self.fork(a, b).at;
                for end in [a, b] {
                    let mut star = self.stars[end].parent;
                    while let Some(s) = star.filter(|&s| s != common) {
                        narrower[s] = true;
                        star = self.stars[s].parent;
                    }
                }
            }
            for (width, _) in self.width.iter_mut().zip(narrower).filter(|(_, narrower)| *narrower)
            {
                *width *= NARROWER;
            }
        }
    }

    /// The headings of a drawing whose branches never cross, whatever their lengths.
    ///
    /// Each star has a range of headings, and its chain runs in the middle of it. The ranges of its
    /// children are disjoint parts of its own, and all ranges are within a half turn. So two
    /// branches of a star stay on opposite sides of the border between their ranges.
    fn fan(&self, share: Share) -> Vec<f64> {
        let mut tips = vec![0.0; self.stars.len()];
        for (s, star) in self.stars.iter().enumerate().rev() {
            let below: f64 = star.children.iter().map(|&child| tips[child]).sum();
            tips[s] = below.max(1.0);
        }
        let mut range = vec![(0.0, FAN * PI); self.stars.len()];
        for (s, star) in self.stars.iter().enumerate() {
            let weight = |child: usize| match share {
                Share::Equal => 1.0,
                Share::ByTips => tips[child],
            };
            let whole: f64 = star.children.iter().map(|&child| weight(child)).sum();
            let (mut from, to) = range[s];
            let unit = (to - from) / whole;
            for &child in &star.children {
                range[child] = (from, from + unit * weight(child));
                from = range[child].1;
            }
        }
        range.iter().map(|(from, to)| 0.5 * (from + to)).collect()
    }

    /// The star where the paths to two branches separate.
    fn fork(&self, a: usize, b: usize) -> Fork {
        let before = |star: usize| self.stars[star].parent.unwrap_or(0);
        let (mut first, mut second) = (a, b);
        // Parents come before their children, so the later star is never an ancestor of the other.
        while before(first) != before(second) {
            if first > second {
                first = before(first);
            } else {
                second = before(second);
            }
            if first == second {
                break;
            }
        }
        Fork { at: before(first), first, second }
    }

    /// Applies a move; applying it again undoes it.
    fn make(&mut self, change: Move) {
        match change {
            Move::Mirror(top) => {
                let mut open = vec![top];
                while let Some(star) = open.pop() {
                    self.stars[star].children.reverse();
                    open.extend(&self.stars[star].children);
                }
            }
            Move::Swap(Fork { at, first, second }) => {
                for child in &mut self.stars[at].children {
                    *child = match *child {
                        c if c == first => second,
                        c if c == second => first,
                        other => other,
                    };
                }
            }
        }
    }
}

/// How the range of a star in a fan is divided among its branches.
#[derive(Clone, Copy)]
enum Share {
    /// Equal angles within a star; they become too small to distinguish in deep trees.
    Equal,
    /// Equal ranges for all tips.
    ByTips,
}

/// A star and two of its branches.
#[derive(Clone, Copy)]
struct Fork {
    at: usize,
    first: usize,
    second: usize,
}

#[derive(Clone, Copy)]
enum Move {
    /// Mirrors everything below a star.
    Mirror(usize),
    /// Swaps two branches of a star.
    Swap(Fork),
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A random tree of stars with lengths over six orders of magnitude.
    fn bush(n: usize, rng: &mut ChaCha8Rng) -> Spread {
        let star = |parent| Star { node: 0, parent, chain: vec![], children: vec![] };
        let mut stars = vec![star(None)];
        for s in 1..n {
            let parent = rng.random_range(0..s);
            stars[parent].children.push(s);
            stars.push(star(Some(parent)));
        }
        let length = (0..n).map(|_| 10_f64.powf(rng.random_range(-3.0..3.0))).collect();
        Spread { stars, length, width: vec![1.0; n], fan: None }
    }

    #[test]
    fn a_fan_has_no_crossings_at_any_lengths() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut crossed = 0;
        for round in 0..200 {
            let mut spread = bush(2 + 5 * round / 2, &mut rng);
            crossed += usize::from(!spread.crossings().is_empty());
            spread.fan = Some(spread.fan(Share::ByTips));
            assert_eq!(spread.crossings(), [], "round {round}");
        }
        assert!(crossed > 100, "only {crossed} are tangled without it");
    }

    #[test]
    fn equal_shares_make_equal_angles() {
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        let spread = bush(12, &mut rng);
        let headings = spread.fan(Share::Equal);
        for star in &spread.stars {
            let turns: Vec<f64> =
                star.children.windows(2).map(|w| headings[w[1]] - headings[w[0]]).collect();
            assert!(turns.iter().all(|turn| (turn - turns[0]).abs() < 1e-12), "{turns:?}");
        }
    }
}
