//! Hard assignment for a graph that is tried in many slightly different shapes.

mod known;
mod member;
mod moves;
mod tally;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::known::Nearest;
use self::member::{LISTED, Member, Search, nearer, nearest_known, squared};
use self::moves::Moves;
pub(crate) use self::tally::Tally;
use super::rows::Rows;
use crate::math::{Matrix, squared_distance};

/// No node: of points beyond the trimming radius, and of nodes that are gone.
const NOBODY: u32 = u32::MAX;
/// Room for rounding in the bounds.
const SLACK: f64 = 1e-12;

/// The points by their nearest nodes, with the sums that follow.
///
/// Made once for a graph; [`Cells::moved`] then tells how the sums change where nodes move, appear
/// or vanish. As in Hamerly2010, bounds on distances tell of most points that nothing changes.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    rows: Arc<Rows>,
    nodes: Matrix,
    /// Cell by cell, in each the points nearest to its border first; the last cell is that of
    /// points at no node.
    members: Vec<Member>,
    /// Their coordinates, in that order.
    values: Matrix,
    starts: Vec<usize>,
    bounds: Vec<Bounds>,
    /// Distances of the nodes from one another.
    apart: Matrix,
    /// How far nodes usually are from their nearest.
    usual: f64,
    /// The nearest nodes of points with gaps, which are no members.
    known: Vec<Nearest>,
    tally: Tally,
}

impl Cells {
    pub fn new(rows: &Arc<Rows>, nodes: &Matrix) -> Self {
        if rows.gaps {
            return Self::of(rows.clone(), nodes.clone(), Vec::new());
        }
        let members = (0..rows.weights.len())
            .map(|i| Search::all(rows.values.row(i), nodes).member(i, f64::INFINITY))
            .collect();
        Self::of(rows.clone(), nodes.clone(), members)
    }

    /// The same points around other nodes; `from` tells which of the present ones each was.
    pub fn around(&self, nodes: &Matrix, from: &[Option<usize>]) -> Self {
        if self.rows.gaps {
            return Self::of(self.rows.clone(), nodes.clone(), Vec::new());
        }
        let moves = Moves::new(self, nodes, from);
        let mut members = Vec::with_capacity(self.members.len());
        let apart = distances(nodes);
        for cell in 0..self.starts.len() - 1 {
            let loosened = moves.loosened(self, cell);
            for member in &self.members[self.starts[cell]..self.starts[cell + 1]] {
                let x = self.rows.values.row(member.row as usize);
                let mut search = Search::default();
                for near in member.near.iter().filter(|&&near| near != NOBODY) {
                    let near = moves.now[*near as usize];
                    if near != NOBODY {
                        search.offer(near, squared(x, nodes.row(near as usize)));
                    }
                }
                for &fresh in &moves.fresh {
                    search.offer(fresh, squared(x, nodes.row(fresh as usize)));
                }
                let beyond = member.beyond - loosened;
                let mut new = search.member(member.row as usize, beyond);
                if new.at[1] >= new.beyond && nodes.n_rows() > 1 {
                    new = match new.near[0] {
                        NOBODY => Search::all(x, nodes).member(member.row as usize, f64::INFINITY),
                        near => Search::around(x, near, new.at[0], nodes, &apart)
                            .member(member.row as usize, f64::INFINITY),
                    };
                }
                members.push(new);
            }
        }
        Self::of(self.rows.clone(), nodes.clone(), members)
    }

    fn of(rows: Arc<Rows>, nodes: Matrix, mut members: Vec<Member>) -> Self {
        let k = nodes.n_rows();
        let cell = |member: &Member| match member.at[0] <= rows.radius {
            true => member.near[0] as usize,
            false => k,
        };
        members.sort_unstable_by(|a, b| {
            let margins = || a.margin().total_cmp(&b.margin()).then(a.row.cmp(&b.row));
            cell(a).cmp(&cell(b)).then_with(margins)
        });
        let mut tally = Tally::zeros(k, &rows);
        let mut starts = vec![0; k + 2];
        for member in &members {
            starts[cell(member) + 1] += 1;
            let owner = if cell(member) < k { member.near[0] } else { NOBODY };
            let i = member.row as usize;
            tally.count(rows.values.row(i), owner, rows.weights[i]);
        }
        (0..=k).for_each(|cell| starts[cell + 1] += starts[cell]);
        let bounds =
            (0..=k).map(|cell| Bounds::of(&members[starts[cell]..starts[cell + 1]])).collect();
        let apart = distances(&nodes);
        let usual = usual_distance(&apart);
        let values = rows.values.select_rows(members.iter().map(|member| member.row as usize));
        let mut known = Vec::new();
        if rows.gaps {
            known.extend(rows.values.rows().map(|x| Nearest::of(x, &nodes)));
            let owners = known.iter().map(|nearest| nearest.owner(rows.radius));
            for ((owner, x), weight) in owners.zip(rows.values.rows()).zip(&rows.weights) {
                tally.count(x, owner, *weight);
            }
        }
        Self { rows, nodes, members, values, starts, bounds, apart, usual, known, tally }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The sums with other nodes, by a look at every point and every node.
    pub fn afresh(&self, nodes: &Matrix) -> Tally {
        let mut tally = Tally::zeros(nodes.n_rows(), &self.rows);
        for (x, &weight) in self.rows.values.rows().zip(&self.rows.weights) {
            let all = 0..nodes.n_rows() as u32;
            let (squared, node) = match self.rows.gaps {
                true => nearest_known(x, all, nodes),
                false => {
                    all.fold((f64::INFINITY, NOBODY), |best, node| nearer(best, x, node, nodes))
                }
            };
            tally.count(x, if squared.sqrt() <= self.rows.radius { node } else { NOBODY }, weight);
        }
        tally
    }

    /// The sums with other nodes; `from` tells which of the present ones each was. Only points
    /// are looked at for which bounds leave the nearest node open.
    pub fn moved(&self, nodes: &Matrix, from: &[Option<usize>]) -> Tally {
        if self.rows.gaps {
            return self.known_moved(nodes, from);
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just been found to have it.
            return unsafe { self.moved_by_avx2(nodes, from) };
        }
        self.moved_anywhere(nodes, from)
    }

    /// The same operations, hence the same bits, in wider steps.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn moved_by_avx2(&self, nodes: &Matrix, from: &[Option<usize>]) -> Tally {
        self.moved_anywhere(nodes, from)
    }

    #[inline(always)]
    fn moved_anywhere(&self, nodes: &Matrix, from: &[Option<usize>]) -> Tally {
        let moves = Moves::new(self, nodes, from);
        let mut tally = self.tally.renumbered(from);
        for cell in 0..self.nodes.n_rows() {
            self.reassign(cell, &moves, nodes, &mut tally);
        }
        self.reconsider(&moves, nodes, &mut tally);
        tally
    }

    /// The points of a cell that may have come nearer to another node.
    #[inline(always)]
    fn reassign(&self, cell: usize, moves: &Moves, nodes: &Matrix, tally: &mut Tally) {
        let members = &self.members[self.starts[cell]..self.starts[cell + 1]];
        let bounds = &self.bounds[cell];
        let radius = self.rows.radius;
        let (own, drift) = (moves.now[cell], moves.drift[cell]);
        let loosened = moves.loosened(self, cell);
        let listed = bounds.listed.iter().map(|&near| moves.drift[near as usize]);
        let closing = drift + listed.fold(loosened, f64::max);
        let to_fresh = moves.to_fresh(self.nodes.row(cell), nodes);
        let each = own == NOBODY
            || bounds.reach + drift > radius
            || 2.0 * bounds.reach + drift >= to_fresh;
        let first = self.starts[cell];
        for (at, member) in members.iter().enumerate() {
            if !each && member.margin() * (1.0 - SLACK) > closing {
                break;
            }
            let x = self.values.row(first + at);
            let upper = (member.at[0] + drift) * (1.0 + SLACK);
            let known = own != NOBODY && upper <= radius && {
                let others = (1..LISTED).map(|l| match member.near[l] {
                    NOBODY => f64::INFINITY,
                    near => member.at[l] - moves.drift[near as usize],
                });
                upper < others.fold(member.beyond - loosened, f64::min)
            };
            let now = if !known {
                self.nearest(member, x, moves, loosened, nodes)
            } else if upper < to_fresh - member.at[0] {
                continue;
            } else {
                let own_at = (squared(x, nodes.row(own as usize)), own);
                moves.fresh.iter().fold(own_at, |best, &fresh| nearer(best, x, fresh, nodes)).1
            };
            let weight = self.rows.weights[member.row as usize];
            if own == NOBODY {
                tally.count(x, now, weight);
            } else if now != own {
                tally.count(x, own, -weight);
                tally.count(x, now, weight);
            }
        }
    }

    /// The points at no node, to which one may have come near.
    #[inline(always)]
    fn reconsider(&self, moves: &Moves, nodes: &Matrix, tally: &mut Tally) {
        let first = self.starts[self.nodes.n_rows()];
        for (at, member) in self.members[first..].iter().enumerate() {
            let x = self.values.row(first + at);
            let now = self.nearest(member, x, moves, moves.most, nodes);
            if now != NOBODY {
                let weight = self.rows.weights[member.row as usize];
                tally.count(x, NOBODY, -weight);
                tally.count(x, now, weight);
            }
        }
    }

    /// The nearest node, of equally near ones the first, if it is within the radius. Unlisted nodes
    /// may have come nearer than their bound by `loosened`.
    #[inline(always)]
    fn nearest(
        &self,
        member: &Member,
        x: &[f64],
        moves: &Moves,
        loosened: f64,
        nodes: &Matrix,
    ) -> u32 {
        let radius = self.rows.radius;
        let mut best = (f64::INFINITY, NOBODY);
        for &near in member.near.iter().filter(|&&near| near != NOBODY) {
            let now = moves.now[near as usize];
            if now != NOBODY {
                best = nearer(best, x, now, nodes);
            }
        }
        for &fresh in &moves.fresh {
            best = nearer(best, x, fresh, nodes);
        }
        let beyond = member.beyond - loosened;
        let mut at_most = best.0.sqrt();
        if at_most * (1.0 + SLACK) >= beyond && beyond <= radius {
            let apart = self.apart.row(member.near[0] as usize);
            for old in (0..moves.now.len()).filter(|&old| moves.now[old] != NOBODY) {
                let near = apart[old] - moves.drift[old] - member.at[0];
                if near * (1.0 - SLACK) <= at_most {
                    best = nearer(best, x, moves.now[old], nodes);
                    at_most = best.0.sqrt();
                }
            }
        }
        if best.0.sqrt() <= radius { best.1 } else { NOBODY }
    }
}

/// What holds for all points of a cell.
#[derive(Clone, Debug)]
struct Bounds {
    /// They are no farther from the node than this.
    reach: f64,
    /// The largest of their bounds on unlisted nodes.
    beyond: f64,
    /// All nodes that one of them lists.
    listed: Vec<u32>,
}

impl Bounds {
    fn of(members: &[Member]) -> Self {
        let mut bounds = Self { reach: 0.0, beyond: 0.0, listed: Vec::new() };
        for member in members {
            bounds.reach = bounds.reach.max(member.at[0]);
            bounds.beyond = bounds.beyond.max(member.beyond);
            for &near in member.near[1..].iter().filter(|&&near| near != NOBODY) {
                if !bounds.listed.contains(&near) {
                    bounds.listed.push(near);
                }
            }
        }
        bounds
    }
}

fn distances(nodes: &Matrix) -> Matrix {
    let n = nodes.n_rows();
    let mut apart = Matrix::zeros(n, n);
    for a in 0..n {
        for b in 0..a {
            let distance = squared_distance(nodes.row(a), nodes.row(b)).sqrt();
            apart.row_mut(a)[b] = distance;
            apart.row_mut(b)[a] = distance;
        }
    }
    apart
}

/// The median distance of a node to its nearest.
fn usual_distance(apart: &Matrix) -> f64 {
    let others =
        |node: usize| apart.row(node).iter().enumerate().filter(move |(other, _)| *other != node);
    let mut nearest: Vec<f64> = (0..apart.n_rows())
        .map(|node| others(node).fold(f64::INFINITY, |least, (_, &apart)| least.min(apart)))
        .collect();
    let middle = nearest.len() / 2;
    *nearest.select_nth_unstable_by(middle, f64::total_cmp).1
}
