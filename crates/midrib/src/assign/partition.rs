//! Hard assignment that is kept up to date while nodes move, appear and vanish.

use super::sums::Sums;
use crate::math::{Matrix, squared_distance};

/// Points held as one block of working coordinates, for many quick assignments.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub values: Matrix,
    pub weights: Vec<f64>,
    /// Beyond this distance a point belongs to no node.
    pub radius: f64,
}

/// What is known of a point's nearest node, in distances, not squares.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// The node, or `NOBODY`.
    node: u32,
    own_at_most: f64,
    others_at_least: f64,
}

/// The node of points beyond the trimming radius.
const NOBODY: u32 = u32::MAX;
/// Room for rounding in the bounds.
const SLACK: f64 = 1e-12;
/// How far a search looks around a node, in distances of the point from it: at least 2.
const REACH: f64 = 2.2;
/// Nodes that move farther than this share of the usual distance of neighbours are looked at one
/// by one; the others hardly loosen the bounds.
const FAR_MOVER: f64 = 0.02;

/// Every point with its nearest node, and the sums that follow.
///
/// Bounds on distances (Hamerly2010) tell most points that nothing has changed; nodes that
/// moved far, or are new, are known by the distance of a point's own node to them.
#[derive(Clone, Debug)]
pub(crate) struct Partition<'r> {
    rows: &'r Rows,
    nodes: Matrix,
    held: Vec<Held>,
    pub sums: Sums,
    /// The weighted squared norms of the points at each node.
    squares: Vec<f64>,
    /// The weight of the points at no node.
    trimmed: f64,
}

impl<'r> Partition<'r> {
    pub fn new(rows: &'r Rows, nodes: &Matrix) -> Self {
        let unknown = Held { node: NOBODY, own_at_most: f64::INFINITY, others_at_least: 0.0 };
        let mut partition = Self {
            rows,
            nodes: nodes.clone(),
            held: vec![unknown; rows.weights.len()],
            sums: Sums::zeros(nodes.n_rows(), nodes.n_cols()),
            squares: vec![0.0; nodes.n_rows()],
            trimmed: 0.0,
        };
        let search = Nodes::new(nodes);
        for i in 0..partition.held.len() {
            partition.held[i] = search.nearest(rows.values.row(i), rows.radius);
        }
        partition.recount();
        partition
    }

    /// Sums anew: what was added and taken away has left its rounding behind.
    pub fn recount(&mut self) {
        let (k, dims) = (self.nodes.n_rows(), self.nodes.n_cols());
        self.sums = Sums::zeros(k, dims);
        self.sums.weight = self.rows.weights.iter().sum();
        self.squares = vec![0.0; k];
        self.trimmed = 0.0;
        for i in 0..self.held.len() {
            self.count(i, self.held[i].node, self.rows.weights[i]);
        }
    }

    /// Adds a point to a node's sums, with a negative weight takes it away.
    fn count(&mut self, i: usize, node: u32, weight: f64) {
        if node == NOBODY {
            self.trimmed += weight;
            return;
        }
        let node = node as usize;
        let row = self.rows.values.row(i);
        self.sums.mass[node] += weight;
        let mut square = 0.0;
        for (sum, x) in self.sums.weighted.row_mut(node).iter_mut().zip(row) {
            *sum += weight * x;
            square += x * x;
        }
        self.squares[node] += weight * square;
    }

    /// The mean squared distance of the points to their nodes, were these at `nodes`; a point
    /// without a node counts the squared radius.
    pub fn mean_square(&self, nodes: &Matrix) -> f64 {
        let mut total = 0.0;
        for (node, y) in nodes.rows().enumerate() {
            let sums = y.iter().zip(self.sums.weighted.row(node));
            let (product, square) = sums.fold((0.0, 0.0), |(p, q), (y, s)| (p + y * s, q + y * y));
            total += self.squares[node] - 2.0 * product + self.sums.mass[node] * square;
        }
        if self.trimmed > 0.0 {
            total += self.trimmed * self.rows.radius * self.rows.radius;
        }
        total / self.sums.weight
    }

    /// The mean of the points of a node.
    pub fn mean(&self, node: usize) -> Option<Vec<f64>> {
        let mass = self.sums.mass[node];
        (mass > 0.0).then(|| self.sums.weighted.row(node).iter().map(|sum| sum / mass).collect())
    }

    /// Takes over nodes that are the same in number and order.
    pub fn follow(&mut self, nodes: &Matrix) {
        let same: Vec<Option<usize>> = (0..nodes.n_rows()).map(Some).collect();
        self.adopt(nodes, &same);
    }

    /// Takes over other nodes; `from` tells which of the present ones each of them was.
    pub fn adopt(&mut self, nodes: &Matrix, from: &[Option<usize>]) {
        let mut now = vec![NOBODY; self.nodes.n_rows()];
        let mut moved = vec![f64::INFINITY; nodes.n_rows()];
        for (new, old) in from.iter().enumerate() {
            if let Some(old) = *old {
                now[old] = new as u32;
                let far = squared_distance(self.nodes.row(old), nodes.row(new)).sqrt();
                moved[new] = far * (1.0 + SLACK);
            }
        }
        self.renumber(&now, from);
        let search = Nodes::new(nodes);
        let steps = Steps::new(&search, moved);
        self.nodes = nodes.clone();
        for i in 0..self.held.len() {
            let mut held = self.held[i];
            let before = held.node;
            held.node = if before == NOBODY { NOBODY } else { now[before as usize] };
            held.others_at_least -= steps.most;
            if held.node == NOBODY {
                // Trimmed, or its node has vanished.
                let stays = before == NOBODY
                    && steps.far.is_empty()
                    && held.others_at_least > self.rows.radius;
                if stays {
                    self.held[i] = held;
                    continue;
                }
            } else {
                held.own_at_most += steps.moved[held.node as usize];
                let others =
                    |own: f64| held.others_at_least.min(steps.to_far[held.node as usize] - own);
                if held.own_at_most < others(held.own_at_most)
                    && held.own_at_most <= self.rows.radius
                {
                    held.others_at_least = others(held.own_at_most);
                    self.held[i] = held;
                    continue;
                }
                let own = nodes.row(held.node as usize);
                let distance = squared(self.rows.values.row(i), own).sqrt();
                if distance * (1.0 + SLACK) < others(distance) && distance <= self.rows.radius {
                    held.others_at_least = others(distance);
                    held.own_at_most = distance;
                    self.held[i] = held;
                    continue;
                }
                held.own_at_most = distance;
            }
            let x = self.rows.values.row(i);
            held = match held.node {
                NOBODY => search.nearest(x, self.rows.radius),
                near => search.nearest_around(x, near as usize, held.own_at_most, self.rows.radius),
            };
            let was = if before == NOBODY { NOBODY } else { now[before as usize] };
            let has_vanished = before != NOBODY && was == NOBODY;
            if has_vanished || was != held.node {
                let weight = self.rows.weights[i];
                if !has_vanished {
                    self.count(i, was, -weight);
                }
                self.count(i, held.node, weight);
            }
            self.held[i] = held;
        }
    }

    /// Carries the sums over to the new numbers.
    fn renumber(&mut self, now: &[u32], from: &[Option<usize>]) {
        let unchanged =
            from.len() == now.len() && from.iter().enumerate().all(|(new, old)| *old == Some(new));
        if unchanged {
            return;
        }
        let mut sums = Sums::zeros(from.len(), self.sums.weighted.n_cols());
        sums.weight = self.sums.weight;
        let mut squares = vec![0.0; from.len()];
        for (new, old) in from.iter().enumerate() {
            if let Some(old) = *old {
                sums.mass[new] = self.sums.mass[old];
                sums.weighted.row_mut(new).copy_from_slice(self.sums.weighted.row(old));
                squares[new] = self.squares[old];
            }
        }
        self.sums = sums;
        self.squares = squares;
    }
}

/// How far nodes moved, and which points that can concern.
struct Steps {
    moved: Vec<f64>,
    /// The farthest that a node moved, but for those in `far`.
    most: f64,
    /// New nodes and those that moved much farther than others.
    far: Vec<usize>,
    /// How far from each node the nearest of the others in `far` is.
    to_far: Vec<f64>,
}

impl Steps {
    fn new(nodes: &Nodes<'_>, mut moved: Vec<f64>) -> Self {
        let limit = FAR_MOVER * nodes.usual_distance();
        let far: Vec<usize> = (0..moved.len()).filter(|&node| moved[node] > limit).collect();
        let near = moved.iter().copied().filter(|&far| far <= limit);
        let most = near.fold(0.0, f64::max);
        let to_far = (0..moved.len())
            .map(|node| {
                let others = far.iter().filter(|&&other| other != node);
                let apart = others.map(|&other| nodes.apart.row(node)[other]);
                (1.0 - SLACK) * apart.fold(f64::INFINITY, f64::min)
            })
            .collect();
        for far in &mut moved {
            if far.is_infinite() {
                *far = 0.0; // new: nobody belongs to it yet
            }
        }
        Self { moved, most, far, to_far }
    }
}

/// The nodes with their distances from one another, which bound those of points.
struct Nodes<'n> {
    rows: &'n Matrix,
    apart: Matrix,
}

impl<'n> Nodes<'n> {
    fn new(rows: &'n Matrix) -> Self {
        let n = rows.n_rows();
        let mut apart = Matrix::zeros(n, n);
        for a in 0..n {
            for b in 0..a {
                let distance = squared_distance(rows.row(a), rows.row(b)).sqrt();
                apart.row_mut(a)[b] = distance;
                apart.row_mut(b)[a] = distance;
            }
        }
        Self { rows, apart }
    }

    /// The median distance of a node to its nearest.
    fn usual_distance(&self) -> f64 {
        let others = |node: usize| {
            self.apart.row(node).iter().enumerate().filter(move |(other, _)| *other != node)
        };
        let mut nearest: Vec<f64> = (0..self.rows.n_rows())
            .map(|node| others(node).fold(f64::INFINITY, |least, (_, &apart)| least.min(apart)))
            .collect();
        let middle = nearest.len() / 2;
        *nearest.select_nth_unstable_by(middle, f64::total_cmp).1
    }

    /// The nearest node of `x`, of equally near ones the first, where `near` is at the distance
    /// `far`: a node at twice that from `near` cannot be nearer. It looks somewhat farther, for
    /// the sake of the bound on all others.
    fn nearest_around(&self, x: &[f64], near: usize, far: f64, radius: f64) -> Held {
        let horizon = REACH * far;
        let mut search = Search { node: near, own: f64::INFINITY, others: f64::INFINITY };
        let mut beyond = f64::INFINITY;
        for (node, &apart) in self.apart.row(near).iter().enumerate() {
            if apart <= horizon {
                search.offer(node, squared(x, self.rows.row(node)));
            } else if apart < beyond {
                beyond = apart;
            }
        }
        search.held(radius, (beyond - far) * (1.0 - SLACK))
    }

    /// The nearest of all nodes.
    fn nearest(&self, x: &[f64], radius: f64) -> Held {
        let mut search = Search { node: 0, own: f64::INFINITY, others: f64::INFINITY };
        for (node, row) in self.rows.rows().enumerate() {
            search.offer(node, squared(x, row));
        }
        search.held(radius, f64::INFINITY)
    }
}

/// Sums in four lanes, which do not wait for one another.
#[inline(always)]
fn squared(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = fours_a.remainder().iter().zip(fours_b.remainder());
    for (a, b) in fours_a.zip(fours_b) {
        for lane in 0..4 {
            lanes[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
        }
    }
    let rest: f64 = rest.map(|(a, b)| (a - b) * (a - b)).sum();
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

/// The two smallest squared distances so far.
struct Search {
    node: usize,
    own: f64,
    others: f64,
}

impl Search {
    #[inline(always)]
    fn offer(&mut self, node: usize, squared: f64) {
        if squared < self.own {
            *self = Self { node, own: squared, others: self.own };
        } else if squared < self.others {
            self.others = squared;
        }
    }

    /// `beyond` bounds the distances of nodes that were not offered.
    fn held(&self, radius: f64, beyond: f64) -> Held {
        let own = self.own.sqrt();
        if own > radius {
            return Held { node: NOBODY, own_at_most: own, others_at_least: own };
        }
        let others = self.others.sqrt().min(beyond);
        Held { node: self.node as u32, own_at_most: own, others_at_least: others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wave(n: usize, dims: usize, seed: f64) -> Matrix {
        let value = |i: usize| (seed + 1.7 * i as f64 + (i * i % 31) as f64).sin();
        Matrix::new(n, dims, (0..n * dims).map(value).collect()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn it_stays_what_a_new_partition_is(
            n in 5_usize..200,
            k in 3_usize..15,
            seed in 0.0_f64..9.0,
            shake in 0.0_f64..0.3,
            radius in prop::sample::select(vec![0.4, f64::INFINITY]),
        ) {
            let rows = Rows { values: wave(n, 2, seed), weights: vec![1.0; n], radius };
            let mut nodes = wave(k, 2, seed + 5.0);
            let mut kept = Partition::new(&rows, &nodes);
            for round in 0..6 {
                let moves = wave(nodes.n_rows(), 2, seed + round as f64);
                let mut next = nodes.clone();
                next.as_mut_slice().iter_mut().zip(moves.as_slice()).for_each(|(x, by)| *x += shake * by);
                let mut from: Vec<Option<usize>> = (0..next.n_rows()).map(Some).collect();
                match round % 3 {
                    1 => {
                        let mut values = next.as_slice().to_vec();
                        values.extend([0.1 * round as f64, -0.2]);
                        next = Matrix::new(from.len() + 1, 2, values).unwrap();
                        from.push(None);
                    }
                    2 => {
                        let gone = round % from.len();
                        from.remove(gone);
                        next = next.select_rows(from.iter().flatten().copied());
                    }
                    _ => {}
                }
                kept.adopt(&next, &from);
                nodes = next;
                let fresh = Partition::new(&rows, &nodes);
                for (a, b) in kept.held.iter().zip(&fresh.held) {
                    prop_assert_eq!(a.node, b.node);
                }
                prop_assert!((kept.mean_square(&nodes) - fresh.mean_square(&nodes)).abs() < 1e-12);
            }
        }
    }
}
