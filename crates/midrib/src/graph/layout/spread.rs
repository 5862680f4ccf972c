//! Stars laid out in the plane: equal angles, true lengths, and no crossings.

use std::f64::consts::{PI, TAU};

use super::crossings::{Segment, crossings};
use super::stars::Star;

/// Attempts at another order before stars are drawn narrower.
const ATTEMPTS: usize = 400;
/// How much narrower a star becomes at once.
const NARROWER: f64 = 0.85;
/// Rounds of this; enough for stars of a millionth of a turn.
const ROUNDS: usize = 100;

/// Stars with their branches spread out at equal angles.
pub(super) struct Spread {
    stars: Vec<Star>,
    /// The length of the chain that ends at each star.
    length: Vec<f64>,
    /// 1 where the branches share the full turn; less where they are drawn closer together.
    width: Vec<f64>,
}

impl Spread {
    /// Lays out a tree of stars: untangled by other orders of their branches, and if need be by
    /// narrower stars.
    pub fn new(stars: Vec<Star>, length: Vec<f64>) -> Self {
        let width = vec![1.0; stars.len()];
        let mut spread = Self { stars, length, width };
        spread.untangle();
        spread.narrow();
        spread
    }

    pub fn stars(&self) -> &[Star] {
        &self.stars
    }

    /// The place of each star.
    ///
    /// A star of k branches behind it takes the angle 2π / (k + 1) between all its branches, times
    /// its width; the root 2π / k.
    pub fn places(&self) -> Vec<[f64; 2]> {
        let mut places = vec![[0.0; 2]; self.stars.len()];
        let mut heading = vec![0.0; self.stars.len()];
        for (s, star) in self.stars.iter().enumerate() {
            let n = star.children.len() as f64;
            for (i, &child) in star.children.iter().enumerate() {
                heading[child] = match star.parent {
                    None => TAU * i as f64 / n,
                    Some(_) => heading[s] + self.width[s] * (TAU * (i + 1) as f64 / (n + 1.0) - PI),
                };
                let (sin, cos) = f64::sin_cos(heading[child]);
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
