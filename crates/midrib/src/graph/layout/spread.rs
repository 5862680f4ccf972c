//! Stars laid out in the plane: true lengths, no crossings, and equal angles wherever possible.

use std::f64::consts::PI;

use super::crossings::{Segment, crossings};
use super::search::find_order;
use super::stars::{Star, heading};

/// Attempts at another order before stars are drawn narrower.
const ATTEMPTS: usize = 400;
/// How much narrower a star becomes at once.
const NARROWER: f64 = 0.85;
/// Rounds of this; enough for stars of a millionth of a turn.
const ROUNDS: usize = 100;

/// The share of a half turn that a fan takes.
const FAN: f64 = 0.95;

/// Stars with their branches spread out at equal angles, or as a fan.
pub(super) struct Spread {
    stars: Vec<Star>,
    /// The length of the chain that ends at each star.
    length: Vec<f64>,
    /// 1 where the branches share the full turn; less where they are drawn closer together.
    width: Vec<f64>,
    /// The heading of the chain that ends at each star, where the tree is drawn as a fan.
    fan: Option<Vec<f64>>,
}

impl Spread {
    /// Lays out a tree of stars: untangled by other orders of their branches, if need be after
    /// trying all of them, else by narrower stars, and at last as a fan.
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

    /// The place of each star.
    pub fn places(&self) -> Vec<[f64; 2]> {
        let mut places = vec![[0.0; 2]; self.stars.len()];
        let mut headings = vec![0.0; self.stars.len()];
        for (s, star) in self.stars.iter().enumerate() {
            for (i, &child) in star.children.iter().enumerate() {
                headings[child] = match &self.fan {
                    Some(fan) => fan[child],
                    None => heading(star, i, headings[s], self.width[s]),
                };
                let (sin, cos) = f64::sin_cos(headings[child]);
                let step = self.length[child];
                places[child] = [places[s][0] + step * cos, places[s][1] + step * sin];
            }
        }
        places
    }

    /// The pairs of stars whose branches cross.
    pub fn crossings(&self) -> Vec<(usize, usize)> {
        let places = self.places();
        let chains = self.stars.iter().enumerate();
        let chains = chains.filter_map(|(s, star)| star.parent.map(|parent| (parent, s)));
        let segments: Vec<Segment> = chains
            .map(|(parent, s)| Segment { from: places[parent], to: places[s], ends: (parent, s) })
            .collect();
        let star = |segment: usize| segments[segment].ends.1;
        crossings(&segments).into_iter().map(|(a, b)| (star(a), star(b))).collect()
    }

    /// Mirrors and swaps branches as long as that makes crossings fewer.
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

    /// Draws the stars between crossing branches and the star where they part narrower, until
    /// nothing crosses: in the limit branches are straight, and straight ones never meet.
    fn narrow(&mut self) {
        for _ in 0..ROUNDS {
            let crossed = self.crossings();
            if crossed.is_empty() {
                return;
            }
            let mut narrower = vec![false; self.stars.len()];
            for (a, b) in crossed {
                let parting = self.fork(a, b).at;
                for end in [a, b] {
                    let mut star = self.stars[end].parent;
                    while let Some(s) = star.filter(|&s| s != parting) {
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

    /// The headings of a drawing whose branches never cross, however long they are.
    ///
    /// Each star has a range of headings, in the middle of which its chain runs. The ranges of the
    /// stars behind it are parts of its own and do not overlap, and all lie within a half turn. So
    /// seen along the border of their ranges two branches of a star never come back to one another.
    fn fan(&self, share: Share) -> Vec<f64> {
        let mut tips = vec![0.0; self.stars.len()];
        for (s, star) in self.stars.iter().enumerate().rev() {
            let behind: f64 = star.children.iter().map(|&child| tips[child]).sum();
            tips[s] = behind.max(1.0);
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

    /// Where the ways to two branches part.
    fn fork(&self, a: usize, b: usize) -> Fork {
        let before = |star: usize| self.stars[star].parent.unwrap_or(0);
        let (mut first, mut second) = (a, b);
        // Parents come before their children, so the later star is never above the other.
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

    /// Each move undoes itself.
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

/// How the range of a star in a fan is shared out among its branches.
#[derive(Clone, Copy)]
enum Share {
    /// Angles are equal within a star, but become too small to tell apart in deep trees.
    Equal,
    /// All tips have the same range.
    ByTips,
}

/// A star and the two of its branches that lead to others.
#[derive(Clone, Copy)]
struct Fork {
    at: usize,
    first: usize,
    second: usize,
}

#[derive(Clone, Copy)]
enum Move {
    /// All that is behind a star.
    Mirror(usize),
    /// Two branches of a star.
    Swap(Fork),
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A tree of stars on any before them, with lengths over six orders of size.
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
    fn a_fan_has_no_crossings_whatever_the_lengths() {
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
