//! The points of a changed graph, followed from one placement of its nodes to the next.

use super::member::{LISTED, Member, squared};
use super::moves::{Moves, Steps};
use super::{Cells, NOBODY, SLACK, Tally};
use crate::math::Matrix;
use crate::math::simd::{Work, dispatch};

/// The sums of a changed graph with its nodes where they were last, and what is known of the
/// points whose nearest node had to be looked for.
///
/// What was found of such a point is kept: as nodes come to rest, bounds tell that it stays, as in
/// Hamerly2010. Of all others the cells that the change began with tell it.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    pub tally: Tally,
    nodes: Matrix,
    moves: Moves,
    steps: Steps,
    open: Vec<Open>,
    /// For each member whether it is open.
    is_open: Vec<bool>,
}

/// A point whose nearest node had to be looked for.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Its place among the members.
    at: u32,
    /// Its nearest node if that is within the radius.
    owner: u32,
    /// That node is no farther.
    upper: f64,
    /// No other one is nearer.
    lower: f64,
}

impl Cells {
    /// What is to be followed of a changed graph; `from` tells which of the present nodes each was.
    pub fn follow(&self, from: &[Option<usize>]) -> Followed {
        Followed {
            tally: self.tally.renumbered(from),
            nodes: Matrix::zeros(from.len(), self.nodes.n_cols()),
            moves: Moves::new(self, from),
            steps: Steps::default(),
            open: Vec::new(),
            is_open: vec![false; self.members.len()],
        }
    }

    /// The sums with the nodes where they are now. Only points are looked at for which bounds leave
    /// the nearest node open.
    pub fn keep_up(&self, followed: &mut Followed, nodes: &Matrix, from: &[Option<usize>]) {
        if self.rows.gaps {
            followed.moves.measure(self, nodes, from);
            followed.tally = self.known_moved(&followed.moves, nodes, from);
            return;
        }
        dispatch(KeepUp { cells: self, followed, nodes, from });
    }

    #[inline(always)]
    fn keep_up_anywhere(&self, followed: &mut Followed, nodes: &Matrix, from: &[Option<usize>]) {
        let Followed { tally, nodes: before, moves, steps, open, is_open } = followed;
        moves.measure(self, nodes, from);
        steps.measure(before, nodes);
        for known in open.iter_mut() {
            self.follow_up(known, moves, steps, nodes, tally);
        }
        for cell in 0..=self.nodes.n_rows() {
            self.look_into(cell, moves, nodes, tally, open, is_open);
        }
        before.as_mut_slice().copy_from_slice(nodes.as_slice());
    }

    /// A point whose nearest node had to be looked for before.
    #[inline(always)]
    fn follow_up(
        &self,
        known: &mut Open,
        moves: &Moves,
        steps: &Steps,
        nodes: &Matrix,
        tally: &mut Tally,
    ) {
        let &mut Open { at, owner, .. } = known;
        let at = at as usize;
        let x = self.values.row(at);
        if owner != NOBODY {
            known.lower = (known.lower - steps.of_others(owner)) * (1.0 - SLACK);
            known.upper = (known.upper + steps.of[owner as usize]) * (1.0 + SLACK);
            if known.upper < known.lower && known.upper < self.rows.radius {
                return;
            }
            known.upper = squared(x, nodes.row(owner as usize)).sqrt() * (1.0 + SLACK);
            if known.upper < known.lower && known.upper < self.rows.radius {
                return;
            }
        }
        *known = self.nearest(at, x, moves, nodes);
        self.recount(at, Some(owner), known.owner, tally);
    }

    /// The points of a cell that may have another node now.
    #[inline(always)]
    fn look_into(
        &self,
        cell: usize,
        moves: &Moves,
        nodes: &Matrix,
        tally: &mut Tally,
        open: &mut Vec<Open>,
        is_open: &mut [bool],
    ) {
        let nowhere = cell == self.nodes.n_rows();
        let (own, drift) =
            if nowhere { (NOBODY, 0.0) } else { (moves.now[cell], moves.drift[cell]) };
        let bounds = &self.bounds[cell];
        let listed = bounds.listed.iter().map(|&near| moves.drift[near as usize]);
        let closing = drift + listed.fold(moves.loosened[cell], larger);
        let to_fresh = if nowhere { 0.0 } else { moves.to_fresh(self.nodes.row(cell), nodes) };
        let unsure = own == NOBODY || bounds.reach + drift > self.rows.radius;
        let each = unsure || 2.0 * bounds.reach + drift >= to_fresh;
        // The sums of a node that is gone are gone with it.
        let counted = (own != NOBODY || nowhere).then_some(own);
        let places = self.starts[cell]..self.starts[cell + 1];
        for (at, member) in places.clone().zip(&self.members[places]) {
            let first = member.margin() * (1.0 - SLACK) > closing;
            if first && !each {
                break;
            }
            let upper = (member.at[0] + drift) * (1.0 + SLACK);
            let far = upper < to_fresh - member.at[0];
            if (first && far && !unsure) || is_open[at] {
                continue;
            }
            let x = self.values.row(at);
            let lower = moves.lower(member, moves.loosened[cell]);
            let found = if own == NOBODY || upper > self.rows.radius || upper >= lower {
                self.nearest(at, x, moves, nodes)
            } else if far {
                continue;
            } else {
                let mut two = Two::default();
                two.offer(own, x, nodes);
                moves.fresh.iter().for_each(|&fresh| two.offer(fresh, x, nodes));
                two.open(at, lower * (1.0 - SLACK), self.rows.radius)
            };
            self.recount(at, counted, found.owner, tally);
            open.push(found);
            is_open[at] = true;
        }
    }

    /// Takes a point from one node's sums to another's.
    #[inline(always)]
    fn recount(&self, at: usize, before: Option<u32>, now: u32, tally: &mut Tally) {
        if before == Some(now) {
            return;
        }
        let x = self.values.row(at);
        let weight = self.rows.weights[self.members[at].row as usize];
        if let Some(before) = before {
            tally.count(x, before, -weight);
        }
        tally.count(x, now, weight);
    }

    /// The nearest node, of equally near ones the first, if it is within the radius.
    #[inline(always)]
    fn nearest(&self, at: usize, x: &[f64], moves: &Moves, nodes: &Matrix) -> Open {
        let member = &self.members[at];
        let radius = self.rows.radius;
        let cell =
            if member.at[0] <= radius { member.near[0] as usize } else { self.nodes.n_rows() };
        let mut two = Two::default();
        for &near in member.near.iter().filter(|&&near| near != NOBODY) {
            let now = moves.now[near as usize];
            if now != NOBODY {
                two.offer(now, x, nodes);
            }
        }
        moves.fresh.iter().for_each(|&fresh| two.offer(fresh, x, nodes));
        let beyond = (member.beyond - moves.loosened[cell]) * (1.0 - SLACK);
        if beyond > radius || two.first.sqrt() < beyond {
            return two.open(at, beyond, radius);
        }
        self.search(member, x, moves, nodes, &mut two);
        two.open(at, f64::INFINITY, radius)
    }

    /// Looks at all nodes that are not listed and may be among the two nearest.
    #[inline(always)]
    fn search(&self, member: &Member, x: &[f64], moves: &Moves, nodes: &Matrix, two: &mut Two) {
        let center = member.near[0] as usize;
        let apart = self.apart.row(center);
        let mut far = two.second.sqrt() + member.at[0];
        for &old in self.around_node(center) {
            let away = apart[old as usize] * (1.0 - SLACK);
            if away - moves.most > far {
                break;
            }
            let now = moves.now[old as usize];
            let near = away - moves.drift[old as usize] <= far;
            if near && now != NOBODY && !member.near.contains(&old) {
                two.offer(now, x, nodes);
                far = two.second.sqrt() + member.at[0];
            }
        }
    }
}

struct KeepUp<'a> {
    cells: &'a Cells,
    followed: &'a mut Followed,
    nodes: &'a Matrix,
    from: &'a [Option<usize>],
}

impl Work for KeepUp<'_> {
    type Output = ();

    /// The same operations, hence the same bits, in wider steps.
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        self.cells.keep_up_anywhere(self.followed, self.nodes, self.from);
    }
}

impl Moves {
    /// How near the nodes may be that are not the nearest of a point.
    #[inline(always)]
    fn lower(&self, member: &Member, loosened: f64) -> f64 {
        let mut lower = member.beyond - loosened;
        for other in 1..LISTED {
            let near = member.near[other];
            if near != NOBODY {
                let at = member.at[other] - self.drift[near as usize];
                lower = if at < lower { at } else { lower };
            }
        }
        lower
    }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The nearest node and how far the next one is, in squares.
struct Two {
    node: u32,
    first: f64,
    second: f64,
}

impl Default for Two {
    fn default() -> Self {
        Self { node: NOBODY, first: f64::INFINITY, second: f64::INFINITY }
    }
}

impl Two {
    /// Each node once, in any order; of equally near ones the first is the nearest.
    #[inline(always)]
    fn offer(&mut self, node: u32, x: &[f64], nodes: &Matrix) {
        let at = squared(x, nodes.row(node as usize));
        if at < self.first || at == self.first && node < self.node {
            self.second = self.first;
            (self.node, self.first) = (node, at);
        } else if at < self.second {
            self.second = at;
        }
    }

    /// `beyond` bounds the distances of nodes that were not offered.
    #[inline(always)]
    fn open(&self, at: usize, beyond: f64, radius: f64) -> Open {
        let upper = self.first.sqrt();
        let owner = if upper <= radius { self.node } else { NOBODY };
        let second = self.second.sqrt();
        let lower = if second < beyond { second } else { beyond };
        Open { at: at as u32, owner, upper, lower }
    }
}
