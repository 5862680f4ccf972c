//! The points of a changed graph, followed from one placement of its nodes to the next.

use super::member::{LISTED, Member};
use super::moves::{Moves, Steps, larger, smaller};
use super::{Cells, NOBODY, SLACK, Tally};
use crate::math::Matrix;
use crate::math::simd::{Work, dispatch, plain_squared_distance};

/// The sums of a changed graph with its nodes where they were last, and bounds for the points whose
/// nearest node had to be searched for.
///
/// These bounds are kept: as nodes come to rest, they show that a point stays, as in Hamerly2010.
/// For all other points the cells that the change began with show it.
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
    /// Its position among the members.
    at: u32,
    /// Its nearest node if that is within the radius.
    owner: u32,
    /// Another node that is watched by itself, if there is one: as a rule the next one.
    other: u32,
    /// The nearest is no farther.
    upper: f64,
    /// The other is no nearer.
    lower: f64,
    /// None of the rest is nearer.
    beyond: f64,
}

impl Open {
    /// Whether the bounds show that its node is still the nearest.
    #[inline(always)]
    fn stays(&self, radius: f64) -> bool {
        self.upper < smaller(self.lower, self.beyond) && self.upper < radius
    }
}

impl Cells {
    /// Follows a changed graph; `from` says which of the present nodes each one was.
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
        if self.rows.has_missing {
            followed.moves.measure::<0>(self, nodes, from);
            followed.tally = self.observed_moved(&followed.moves, nodes, from);
            return;
        }
        match nodes.n_cols() {
            2 => dispatch(KeepUp::<2> { cells: self, followed, nodes, from }),
            3 => dispatch(KeepUp::<3> { cells: self, followed, nodes, from }),
            4 => dispatch(KeepUp::<4> { cells: self, followed, nodes, from }),
            8 => dispatch(KeepUp::<8> { cells: self, followed, nodes, from }),
            _ => dispatch(KeepUp::<0> { cells: self, followed, nodes, from }),
        }
    }

    #[inline(always)]
    fn keep_up_anywhere<const D: usize>(
        &self,
        followed: &mut Followed,
        nodes: &Matrix,
        from: &[Option<usize>],
    ) {
        let Followed { tally, nodes: before, moves, steps, open, is_open } = followed;
        moves.measure::<D>(self, nodes, from);
        steps.measure::<D>(before, nodes);
        for bounds in open.iter_mut() {
            self.follow_up::<D>(bounds, moves, steps, nodes, tally);
        }
        for cell in 0..=self.nodes.n_rows() {
            self.look_into::<D>(cell, moves, nodes, tally, open, is_open);
        }
        before.as_mut_slice().copy_from_slice(nodes.as_slice());
    }

    /// A point whose nearest node had to be looked for before.
    #[inline(always)]
    fn follow_up<const D: usize>(
        &self,
        bounds: &mut Open,
        moves: &Moves,
        steps: &Steps,
        nodes: &Matrix,
        tally: &mut Tally,
    ) {
        let &mut Open { at, owner, other, .. } = bounds;
        let at = at as usize;
        let x = self.values.row_of::<D>(at);
        let radius = self.rows.radius;
        if owner != NOBODY {
            bounds.beyond = (bounds.beyond - steps.of_others(owner)) * (1.0 - SLACK);
            bounds.upper = (bounds.upper + steps.of[owner as usize]) * (1.0 + SLACK);
            if other != NOBODY {
                bounds.lower = (bounds.lower - steps.of[other as usize]) * (1.0 - SLACK);
            }
            if bounds.stays(radius) {
                return;
            }
            let own = plain_squared_distance(x, nodes.row_of::<D>(owner as usize));
            bounds.upper = own.sqrt() * (1.0 + SLACK);
            if bounds.stays(radius) {
                return;
            }
            if other != NOBODY {
                let others = plain_squared_distance(x, nodes.row_of::<D>(other as usize));
                let (mut near, mut next) = (own, others);
                if others < own || others == own && other < owner {
                    (near, next) = (others, own);
                    (bounds.owner, bounds.other) = (other, owner);
                }
                bounds.upper = near.sqrt() * (1.0 + SLACK);
                bounds.lower = next.sqrt() * (1.0 - SLACK);
                if bounds.upper < bounds.beyond && bounds.upper < radius {
                    self.recount::<D>(at, Some(owner), bounds.owner, tally);
                    return;
                }
            }
        }
        *bounds = self.nearest::<D>(at, x, moves, nodes);
        self.recount::<D>(at, Some(owner), bounds.owner, tally);
    }

    /// The points of a cell that may have another node now.
    #[inline(always)]
    fn look_into<const D: usize>(
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
        let to_fresh =
            if nowhere { 0.0 } else { moves.to_fresh::<D>(self.nodes.row_of::<D>(cell), nodes) };
        let unsure = own == NOBODY || bounds.reach + drift > self.rows.radius;
        // Points nearer to the node than this are farther from all new ones.
        let inner = if unsure { 0.0 } else { (0.5 - SLACK) * (to_fresh - drift) };
        let each = unsure || bounds.reach >= inner;
        // The sums of a node that is gone are gone with it.
        let counted = (own != NOBODY || nowhere).then_some(own);
        let range = self.starts[cell]..self.starts[cell + 1];
        let margins = self.margins[range.clone()].iter().zip(&self.distances[range.clone()]);
        for (at, (&margin, &distance)) in range.zip(margins) {
            let first = margin > closing;
            if first && !each {
                break;
            }
            let keeps_off = distance < inner;
            if (first && keeps_off) || is_open[at] {
                continue;
            }
            let member = &self.members[at];
            let upper = (distance + drift) * (1.0 + SLACK);
            let x = self.values.row_of::<D>(at);
            let lower = moves.lower(member, moves.loosened[cell]);
            let found = if own == NOBODY || upper > self.rows.radius || upper >= lower {
                self.nearest::<D>(at, x, moves, nodes)
            } else if keeps_off {
                continue;
            } else {
                let mut ranked = Ranked::default();
                ranked.offer::<D>(own, x, nodes);
                for &fresh in &moves.fresh {
                    ranked.offer::<D>(fresh, x, nodes);
                }
                ranked.open(at, lower * (1.0 - SLACK), self.rows.radius)
            };
            self.recount::<D>(at, counted, found.owner, tally);
            open.push(found);
            is_open[at] = true;
        }
    }

    /// Takes a point from one node's sums to another's.
    #[inline(always)]
    fn recount<const D: usize>(&self, at: usize, before: Option<u32>, now: u32, tally: &mut Tally) {
        if before == Some(now) {
            return;
        }
        let x = self.values.row_of::<D>(at);
        let weight = self.rows.weights[self.members[at].row as usize];
        if let Some(before) = before {
            tally.count::<D>(x, before, -weight);
        }
        tally.count::<D>(x, now, weight);
    }

    /// The nearest node, of equally near ones the first, if it is within the radius.
    #[inline(always)]
    fn nearest<const D: usize>(&self, at: usize, x: &[f64], moves: &Moves, nodes: &Matrix) -> Open {
        let member = &self.members[at];
        let radius = self.rows.radius;
        let cell =
            if member.at[0] <= radius { member.near[0] as usize } else { self.nodes.n_rows() };
        let mut ranked = Ranked::default();
        for &near in member.near.iter().filter(|&&near| near != NOBODY) {
            let now = moves.now[near as usize];
            if now != NOBODY {
                ranked.offer::<D>(now, x, nodes);
            }
        }
        for &fresh in &moves.fresh {
            ranked.offer::<D>(fresh, x, nodes);
        }
        let beyond = (member.beyond - moves.loosened[cell]) * (1.0 - SLACK);
        if beyond > radius || ranked.squares[0].sqrt() < beyond {
            return ranked.open(at, beyond, radius);
        }
        self.search::<D>(member, x, moves, nodes, &mut ranked);
        ranked.open(at, f64::INFINITY, radius)
    }

    /// Looks at all nodes that are not listed and may be among the three nearest.
    #[inline(always)]
    fn search<const D: usize>(
        &self,
        member: &Member,
        x: &[f64],
        moves: &Moves,
        nodes: &Matrix,
        ranked: &mut Ranked,
    ) {
        let center = member.near[0] as usize;
        let apart = self.apart.row(center);
        let mut far = ranked.squares[2].sqrt() + member.at[0];
        for &old in self.around_node(center) {
            let away = apart[old as usize] * (1.0 - SLACK);
            if away - moves.most > far {
                break;
            }
            let now = moves.now[old as usize];
            let near = away - moves.drift[old as usize] <= far;
            if near && now != NOBODY && !member.near.contains(&old) {
                ranked.offer::<D>(now, x, nodes);
                far = ranked.squares[2].sqrt() + member.at[0];
            }
        }
    }
}

/// With nodes of `D` coordinates; of any number if that is 0.
struct KeepUp<'a, const D: usize> {
    cells: &'a Cells,
    followed: &'a mut Followed,
    nodes: &'a Matrix,
    from: &'a [Option<usize>],
}

impl<const D: usize> Work for KeepUp<'_, D> {
    type Output = ();

    /// The same operations, hence the same bits, in wider steps.
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        self.cells.keep_up_anywhere::<D>(self.followed, self.nodes, self.from);
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
                lower = smaller(at, lower);
            }
        }
        lower
    }
}

/// The two nearest nodes so far, and the squared distances of the three nearest.
struct Ranked {
    nodes: [u32; 2],
    squares: [f64; 3],
}

impl Default for Ranked {
    fn default() -> Self {
        Self { nodes: [NOBODY; 2], squares: [f64::INFINITY; 3] }
    }
}

impl Ranked {
    /// Each node once, in any order; of equally near ones the first is the nearest.
    #[inline(always)]
    fn offer<const D: usize>(&mut self, node: u32, x: &[f64], nodes: &Matrix) {
        let square = plain_squared_distance(x, nodes.row_of::<D>(node as usize));
        let [first, second, third] = self.squares;
        if square < first || square == first && node < self.nodes[0] {
            self.nodes = [node, self.nodes[0]];
            self.squares = [square, first, second];
        } else if square < second {
            self.nodes[1] = node;
            self.squares = [first, square, second];
        } else if square < third {
            self.squares[2] = square;
        }
    }

    /// `beyond` bounds the distances of nodes that were not offered.
    #[inline(always)]
    fn open(&self, at: usize, beyond: f64, radius: f64) -> Open {
        let upper = self.squares[0].sqrt();
        Open {
            at: at as u32,
            owner: if upper <= radius { self.nodes[0] } else { NOBODY },
            other: self.nodes[1],
            upper,
            lower: self.squares[1].sqrt() * (1.0 - SLACK),
            beyond: smaller(self.squares[2].sqrt() * (1.0 - SLACK), beyond),
        }
    }
}
