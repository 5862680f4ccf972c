//! Hard assignment for a graph that is tried in many slightly different shapes.

mod followed;
mod member;
mod moves;
mod observed;
mod tally;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub(crate) use self::followed::Followed;
use self::member::{Member, Search, nearer, nearest_observed};
use self::moves::Moves;
use self::observed::Nearest;
pub(crate) use self::tally::Tally;
use super::rows::Rows;
use crate::math::Matrix;
use crate::math::simd::{Work, dispatch, plain_squared_distance};

/// No node: of points beyond the trimming radius, and of nodes that are gone.
const NOBODY: u32 = u32::MAX;
/// Allowance for rounding in the bounds.
const SLACK: f64 = 1e-12;

/// The points by their nearest nodes, with the sums that follow.
///
/// Made once for a graph; [`Followed`] then shows how the sums change where nodes move, appear or
/// vanish. As in Hamerly2010, bounds on distances show for most points that nothing changes.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    rows: Arc<Rows>,
    nodes: Matrix,
    /// Cell by cell, in each the points nearest to its border first; the last cell is that of
    /// points at no node.
    members: Vec<Member>,
    /// Their coordinates, in that order.
    values: Matrix,
    /// How much farther than the nearest all other nodes are, at least.
    margins: Vec<f64>,
    /// How far the nearest is.
    distances: Vec<f64>,
    starts: Vec<usize>,
    bounds: Vec<Bounds>,
    /// For each cell how far a node may be to matter to one of its points.
    matters_within: Vec<f64>,
    /// Distances of the nodes from one another.
    apart: Matrix,
    /// For each node all of them, the nearest first.
    around: Vec<u32>,
    /// How far nodes usually are from their nearest.
    usual: f64,
    /// The nearest nodes of points with missing values, which are no members.
    incomplete: Vec<Nearest>,
    tally: Tally,
}

impl Cells {
    pub fn new(rows: &Arc<Rows>, nodes: &Matrix) -> Self {
        if rows.has_missing {
            return Self::of(rows.clone(), nodes.clone(), Vec::new());
        }
        let members = (0..rows.weights.len())
            .map(|i| Search::all(rows.values.row(i), nodes).member(i, f64::INFINITY))
            .collect();
        Self::of(rows.clone(), nodes.clone(), members)
    }

    /// The same points around other nodes; `from` says which of the present nodes each one was.
    pub fn around(&self, nodes: &Matrix, from: &[Option<usize>]) -> Self {
        if self.rows.has_missing {
            return Self::of(self.rows.clone(), nodes.clone(), Vec::new());
        }
        let mut moves = Moves::new(self, from);
        moves.measure::<0>(self, nodes, from);
        let members = dispatch(MoveOn { cells: self, moves: &moves, nodes });
        Self::of(self.rows.clone(), nodes.clone(), members)
    }

    /// What bounds say about the points around other nodes.
    #[inline(always)]
    fn moved_on(&self, moves: &Moves, nodes: &Matrix) -> Vec<Member> {
        let mut members = Vec::with_capacity(self.members.len());
        let apart = distances(nodes);
        for cell in 0..self.starts.len() - 1 {
            let loosened = moves.loosened[cell];
            for at in self.starts[cell]..self.starts[cell + 1] {
                let member = &self.members[at];
                let x = self.values.row(at);
                let mut search = Search::default();
                for &near in &member.near {
                    let near = if near == NOBODY { NOBODY } else { moves.now[near as usize] };
                    if near != NOBODY {
                        search.offer(near, plain_squared_distance(x, nodes.row(near as usize)));
                    }
                }
                for &fresh in &moves.fresh {
                    search.offer(fresh, plain_squared_distance(x, nodes.row(fresh as usize)));
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
        members
    }

    fn of(rows: Arc<Rows>, nodes: Matrix, members: Vec<Member>) -> Self {
        let k = nodes.n_rows();
        let cell = |member: &Member| match member.at[0] <= rows.radius {
            true => member.near[0] as usize,
            false => k,
        };
        let (members, starts) = by_cell_and_margin(&members, k + 1, cell);
        let mut tally = Tally::zeros(k, &rows);
        for member in &members {
            let owner = if cell(member) < k { member.near[0] } else { NOBODY };
            let i = member.row as usize;
            tally.count::<0>(rows.values.row(i), owner, rows.weights[i]);
        }
        let bounds: Vec<Bounds> =
            (0..=k).map(|cell| Bounds::of(&members[starts[cell]..starts[cell + 1]])).collect();
        let matters_within = bounds.iter().map(|bounds| bounds.beyond + bounds.reach).collect();
        let apart = distances(&nodes);
        let around = by_distance(&apart);
        let usual = usual_distance(&apart);
        let values = rows.values.select_rows(members.iter().map(|member| member.row as usize));
        let mut incomplete = Vec::new();
        if rows.has_missing {
            incomplete.extend(rows.values.rows().map(|x| Nearest::of(x, &nodes)));
            let owners = incomplete.iter().map(|nearest| nearest.owner(rows.radius));
            for ((owner, x), weight) in owners.zip(rows.values.rows()).zip(&rows.weights) {
                tally.count::<0>(x, owner, *weight);
            }
        }
        Self {
            rows,
            nodes,
            margins: members.iter().map(|member| member.margin() * (1.0 - SLACK)).collect(),
            distances: members.iter().map(|member| member.at[0]).collect(),
            members,
            values,
            starts,
            bounds,
            matters_within,
            apart,
            around,
            usual,
            incomplete,
            tally,
        }
    }

    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The sums with other nodes, by a look at every point and every node.
    pub fn afresh(&self, nodes: &Matrix) -> Tally {
        let mut tally = Tally::zeros(nodes.n_rows(), &self.rows);
        for (x, &weight) in self.rows.values.rows().zip(&self.rows.weights) {
            let all = 0..nodes.n_rows() as u32;
            let (squared, node) = match self.rows.has_missing {
                true => nearest_observed(x, all, nodes),
                false => {
                    all.fold((f64::INFINITY, NOBODY), |best, node| nearer(best, x, node, nodes))
                }
            };
            tally.count::<0>(
                x,
                if squared.sqrt() <= self.rows.radius { node } else { NOBODY },
                weight,
            );
        }
        tally
    }

    /// The nodes around one, the nearest first.
    fn around_node(&self, node: usize) -> &[u32] {
        let k = self.nodes.n_rows();
        &self.around[node * k..][..k]
    }
}

/// [`Cells::moved_on`].
struct MoveOn<'a> {
    cells: &'a Cells,
    moves: &'a Moves,
    nodes: &'a Matrix,
}

impl Work for MoveOn<'_> {
    type Output = Vec<Member>;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Vec<Member> {
        self.cells.moved_on(self.moves, self.nodes)
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

/// Cell by cell, in each the least margin first, and where each cell starts.
fn by_cell_and_margin(
    members: &[Member],
    cells: usize,
    cell: impl Fn(&Member) -> usize,
) -> (Vec<Member>, Vec<usize>) {
    let mut starts = vec![0; cells + 1];
    members.iter().for_each(|member| starts[cell(member) + 1] += 1);
    (0..cells).for_each(|cell| starts[cell + 1] += starts[cell]);
    let mut filled = starts.clone();
    let mut order = vec![(0.0, 0); members.len()];
    for (at, member) in members.iter().enumerate() {
        let next = &mut filled[cell(member)];
        order[*next] = (member.margin(), at);
        *next += 1;
    }
    for cell in 0..cells {
        order[starts[cell]..starts[cell + 1]].sort_unstable_by(|&(a, at), &(b, other)| {
            a.total_cmp(&b).then_with(|| members[at].row.cmp(&members[other].row))
        });
    }
    (order.iter().map(|&(_, at)| members[at]).collect(), starts)
}

fn distances(nodes: &Matrix) -> Matrix {
    let n = nodes.n_rows();
    let mut apart = Matrix::zeros(n, n);
    for a in 0..n {
        for b in 0..a {
            let distance = plain_squared_distance(nodes.row(a), nodes.row(b)).sqrt();
            apart.row_mut(a)[b] = distance;
            apart.row_mut(b)[a] = distance;
        }
    }
    apart
}

/// For each node all nodes in the order of their distance.
fn by_distance(apart: &Matrix) -> Vec<u32> {
    let k = apart.n_rows();
    let mut around = Vec::with_capacity(k * k);
    for row in apart.rows() {
        let first = around.len();
        around.extend(0..k as u32);
        around[first..].sort_unstable_by(|&a, &b| row[a as usize].total_cmp(&row[b as usize]));
    }
    around
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
