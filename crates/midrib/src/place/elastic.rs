//! Elastic graphs: edges that resist stretching and stars that resist bending.
//!
//! ```text
//! U = Σ_i w_i ‖x_i − y_k(i)‖² / Σ w + Σ_edges λ_e ‖y_a − y_b‖² + Σ_stars μ_s ‖y_c − mean of leaves‖²
//! ```
//!
//! Gorban2009, eq. (6), with the mean square in place of its root: only then the linear system
//! of the placement is the minimiser.

use crate::assign::Sums;
use crate::math::simd::{Work, dispatch, plain_squared_distance};
use crate::math::{Cholesky, Matrix, Skyline};

/// A node that wants to lie in the middle of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Star {
    /// The node.
    pub center: usize,
    /// The others.
    pub leaves: Vec<usize>,
    /// The bending modulus.
    pub modulus: f64,
}

/// The springs of an elastic graph.
///
/// ```
/// use midrib::math::Matrix;
/// use midrib::place::{Springs, Star};
/// let springs = Springs {
///     edges: vec![(0, 1, 1.0), (1, 2, 1.0)],
///     stars: vec![Star { center: 1, leaves: vec![0, 2], modulus: 10.0 }],
/// };
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])?;
/// assert_eq!(springs.energies(&nodes), (4.0, 10.0)); // stretching, bending
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Springs {
    /// Two ends and the stretching modulus.
    pub edges: Vec<(usize, usize, f64)>,
    /// Where the graph resists bending.
    pub stars: Vec<Star>,
}

/// Nodes that stay where they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pins<'a> {
    /// For each node whether it stays; empty if none does.
    pinned: &'a [bool],
    places: Option<&'a Matrix>,
}

impl<'a> Pins<'a> {
    /// `pinned` tells for each node whether it stays at its place; empty if none does.
    pub fn new(pinned: &'a [bool], places: &'a Matrix) -> Self {
        Self { pinned, places: (!pinned.is_empty()).then_some(places) }
    }

    fn holds(&self, node: usize) -> bool {
        self.pinned.get(node).copied().unwrap_or(false)
    }
}

/// Up to this many nodes the factor is stored row by row; larger ones are ordered first.
pub(crate) const SMALL: usize = 256;

impl Springs {
    /// What stretching and bending cost.
    pub fn energies(&self, nodes: &Matrix) -> (f64, f64) {
        dispatch(Energies { springs: self, nodes })
    }

    #[inline(always)]
    fn energies_anywhere(&self, nodes: &Matrix) -> (f64, f64) {
        let mut stretching = 0.0;
        for &(a, b, modulus) in &self.edges {
            stretching += modulus * plain_squared_distance(nodes.row(a), nodes.row(b));
        }
        let mut mean = vec![0.0; nodes.n_cols()];
        let mut bending = 0.0;
        for star in &self.stars {
            let share = 1.0 / star.leaves.len() as f64;
            mean.fill(0.0);
            for &leaf in &star.leaves {
                for (mean, y) in mean.iter_mut().zip(nodes.row(leaf)) {
                    *mean += share * y;
                }
            }
            bending += star.modulus * plain_squared_distance(nodes.row(star.center), &mean);
        }
        (stretching, bending)
    }

    /// The nodes of least energy for the points that belong to each; `nodes` are the present ones.
    ///
    /// None where nothing holds the graph: no points, or numbers beyond the range of floating
    /// point. `order` numbers the nodes for the elimination.
    pub(crate) fn place(&self, sums: &Sums, order: &[usize]) -> Option<Matrix> {
        self.solve(&sums.mass, &sums.weighted, sums.weight, order, &Pins::default())
    }

    /// The same where some nodes stay where they are.
    pub(crate) fn place_pinned(
        &self,
        sums: &Sums,
        order: &[usize],
        pins: &Pins<'_>,
    ) -> Option<Matrix> {
        self.solve(&sums.mass, &sums.weighted, sums.weight, order, pins)
    }

    /// The same for points with gaps: each coordinate of a node is held by the points that know it,
    /// whose weight is in `known` (K×D).
    pub(crate) fn place_known(
        &self,
        sums: &Sums,
        known: &Matrix,
        order: &[usize],
        pins: &Pins<'_>,
    ) -> Option<Matrix> {
        let (n, dims) = (known.n_rows(), known.n_cols());
        let column = |d: usize| -> Vec<f64> { known.rows().map(|row| row[d]).collect() };
        let mut placed = Matrix::zeros(n, dims);
        let mut columns: Vec<(Vec<f64>, usize)> = (0..dims).map(|d| (column(d), d)).collect();
        // Columns that the same points know share a factor.
        columns.sort_by(|a, b| {
            let differ = a.0.iter().zip(&b.0).map(|(x, y)| x.total_cmp(y)).find(|ord| ord.is_ne());
            differ.unwrap_or(a.1.cmp(&b.1))
        });
        for alike in columns.chunk_by(|a, b| a.0 == b.0) {
            let mut right = Matrix::zeros(n, alike.len());
            for node in 0..n {
                let sums = sums.weighted.row(node);
                let to = right.row_mut(node).iter_mut();
                to.zip(alike).for_each(|(to, (_, d))| *to = sums[*d]);
            }
            let columns = |places: &Matrix| {
                let mut some = Matrix::zeros(n, alike.len());
                for node in 0..n {
                    let place = places.row(node);
                    let to = some.row_mut(node).iter_mut();
                    to.zip(alike).for_each(|(to, (_, d))| *to = place[*d]);
                }
                some
            };
            let places = pins.places.map(columns);
            let pins = Pins { pinned: pins.pinned, places: places.as_ref() };
            let solved = self.solve(&alike[0].0, &right, sums.weight, order, &pins)?;
            for node in 0..n {
                for ((_, d), x) in alike.iter().zip(solved.row(node)) {
                    placed.row_mut(node)[*d] = *x;
                }
            }
        }
        Some(placed)
    }

    /// Solves `(diag(mass) / weight + springs) Y = weighted / weight`, where pinned nodes are known:
    /// their springs go to the right side.
    fn solve(
        &self,
        mass: &[f64],
        weighted: &Matrix,
        weight: f64,
        order: &[usize],
        pins: &Pins<'_>,
    ) -> Option<Matrix> {
        let (n, dims) = (mass.len(), weighted.n_cols());
        let scale = 1.0 / weight;
        let mut right = vec![0.0; n * dims];
        for node in 0..n {
            let to = &mut right[order[node] * dims..][..dims];
            to.iter_mut().zip(weighted.row(node)).for_each(|(to, sum)| *to = scale * sum);
        }
        let held: Vec<f64>;
        let mut mass = mass;
        if let Some(places) = pins.places {
            self.each_entry(|a, b, value| {
                for (free, pinned) in [(a, b), (b, a)] {
                    if pins.holds(pinned) && !pins.holds(free) {
                        let to = &mut right[order[free] * dims..][..dims];
                        let place = places.row(pinned).iter();
                        to.iter_mut().zip(place).for_each(|(to, y)| *to -= value * y);
                    }
                }
            });
            let pinned = (0..n).filter(|&node| pins.holds(node));
            pinned.for_each(|node| {
                right[order[node] * dims..][..dims].copy_from_slice(places.row(node));
            });
            let held_mass = |node: usize| if pins.holds(node) { weight } else { mass[node] };
            held = (0..n).map(held_mass).collect();
            mass = &held;
        }
        if n <= SMALL {
            let mut matrix = Skyline::zeros(self.first_columns(order));
            self.each_free(pins, |a, b, value| matrix.add(order[a], order[b], value));
            (0..n).for_each(|node| matrix.add(order[node], order[node], scale * mass[node]));
            if !matrix.factor() {
                return None;
            }
            matrix.solve(&mut right, dims);
        } else {
            self.solve_sparse(mass, weight, order, pins, &mut right)?;
        }
        let mut placed = Matrix::zeros(n, dims);
        for node in 0..n {
            // Pinned nodes to the last bit.
            let place = match pins.places {
                Some(places) if pins.holds(node) => places.row(node),
                _ => &right[order[node] * dims..][..dims],
            };
            placed.row_mut(node).copy_from_slice(place);
        }
        placed.as_slice().iter().all(|x| x.is_finite()).then_some(placed)
    }

    /// The same for many nodes, whose elimination is ordered by the pattern.
    fn solve_sparse(
        &self,
        mass: &[f64],
        weight: f64,
        order: &[usize],
        pins: &Pins<'_>,
        right: &mut [f64],
    ) -> Option<()> {
        let n = mass.len();
        let dims = right.len() / n;
        let mut columns: Vec<std::collections::BTreeMap<usize, f64>> = vec![Default::default(); n];
        for node in 0..n {
            columns[order[node]].insert(order[node], mass[node] / weight);
        }
        self.each_free(pins, |a, b, value| {
            let (low, high) = (order[a].min(order[b]), order[a].max(order[b]));
            *columns[low].entry(high).or_insert(0.0) += value;
        });
        let mut starts = vec![0];
        starts.extend(columns.iter().scan(0, |end, column| {
            *end += column.len();
            Some(*end)
        }));
        let rows = columns.iter().flat_map(|column| column.keys().copied()).collect();
        let mut matrix = Cholesky::new(starts, rows).ok()?;
        let values = columns.iter().flat_map(|column| column.values());
        matrix.values_mut().iter_mut().zip(values).for_each(|(to, value)| *to = *value);
        if !matrix.factor() {
            return None;
        }
        let mut column = vec![0.0; n];
        for d in 0..dims {
            column.iter_mut().zip(right.chunks_exact(dims)).for_each(|(to, row)| *to = row[d]);
            matrix.solve(&mut column);
            right.chunks_exact_mut(dims).zip(&column).for_each(|(row, x)| row[d] = *x);
        }
        Some(())
    }

    /// The first column that each row of the matrix needs.
    pub(crate) fn first_columns(&self, order: &[usize]) -> Vec<usize> {
        let mut first: Vec<usize> = (0..order.len()).collect();
        let mut meet = |a: usize, b: usize| {
            let (low, high) = (order[a].min(order[b]), order[a].max(order[b]));
            first[high] = first[high].min(low);
        };
        for &(a, b, _) in &self.edges {
            meet(a, b);
        }
        for star in &self.stars {
            for (at, &leaf) in star.leaves.iter().enumerate() {
                meet(star.center, leaf);
                star.leaves[..at].iter().for_each(|&other| meet(leaf, other));
            }
        }
        first
    }

    /// The entries of nodes that are not pinned.
    fn each_free(&self, pins: &Pins<'_>, mut add: impl FnMut(usize, usize, f64)) {
        self.each_entry(|a, b, value| {
            if !(pins.holds(a) || pins.holds(b)) {
                add(a, b, value);
            }
        });
    }

    /// The entries of the springs' matrix, each pair of nodes once or more.
    pub(crate) fn each_entry(&self, mut add: impl FnMut(usize, usize, f64)) {
        for &(a, b, modulus) in &self.edges {
            add(a, a, modulus);
            add(b, b, modulus);
            add(a, b, -modulus);
        }
        for Star { center, leaves, modulus } in &self.stars {
            let share = 1.0 / leaves.len() as f64;
            add(*center, *center, *modulus);
            for (at, &leaf) in leaves.iter().enumerate() {
                add(*center, leaf, -modulus * share);
                add(leaf, leaf, modulus * share * share);
                for &other in &leaves[..at] {
                    add(leaf, other, modulus * share * share);
                }
            }
        }
    }
}

/// [`Springs::energies`].
struct Energies<'a> {
    springs: &'a Springs,
    nodes: &'a Matrix,
}

impl Work for Energies<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<const FMA: bool>(self) -> (f64, f64) {
        self.springs.energies_anywhere(self.nodes)
    }
}

/// Numbers nodes such that little is filled in when they are eliminated in turn: leaves before
/// what holds them. `edges` may have loops.
pub(crate) fn elimination_order(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut starts = vec![0; n + 2];
    edges.iter().flat_map(|&(a, b)| [a, b]).for_each(|node| starts[node + 2] += 1);
    (1..n + 2).for_each(|node| starts[node] += starts[node - 1]);
    let mut neighbors = vec![0; 2 * edges.len()];
    for (node, other) in edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
        neighbors[starts[node + 1]] = other;
        starts[node + 1] += 1;
    }
    let mut visited = vec![false; n];
    let mut order = vec![0; n];
    let mut left = n;
    for root in 0..n {
        if visited[root] {
            continue;
        }
        visited[root] = true;
        let mut stack = vec![root];
        // Parents before children, numbered from the end: children come before parents.
        while let Some(node) = stack.pop() {
            left -= 1;
            order[node] = left;
            for &next in &neighbors[starts[node]..starts[node + 1]] {
                if !visited[next] {
                    visited[next] = true;
                    stack.push(next);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::dot;

    /// The energy rises wherever any node is moved: for a convex energy this is the proof.
    #[test]
    fn few_and_many_nodes_are_placed_where_the_energy_is_least() {
        for n in [7, 3 * SMALL / 2] {
            let value = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin();
            let springs = Springs {
                edges: (1..n).map(|node| (node - 1, node, 0.01)).collect(),
                stars: (1..n - 1)
                    .map(|center| Star {
                        center,
                        leaves: vec![center - 1, center + 1],
                        modulus: 0.1,
                    })
                    .collect(),
            };
            let mass: Vec<f64> = (0..n).map(|i| if i % 5 == 0 { 0.0 } else { 1.0 }).collect();
            let means = Matrix::new(n, 2, (0..2 * n).map(value).collect()).unwrap();
            let mut weighted = means.clone();
            (0..n).for_each(|i| weighted.row_mut(i).iter_mut().for_each(|x| *x *= mass[i]));
            let weight = mass.iter().sum();
            let sums = Sums { mass, weighted, cost: 0.0, weight };
            let edges: Vec<(usize, usize)> = (1..n).map(|node| (node - 1, node)).collect();
            let placed = springs.place(&sums, &elimination_order(n, &edges)).unwrap();
            let energy = |nodes: &Matrix| {
                let (stretching, bending) = springs.energies(nodes);
                let data = nodes
                    .rows()
                    .enumerate()
                    .map(|(i, y)| sums.mass[i] * dot(y, y) - 2.0 * dot(y, sums.weighted.row(i)));
                stretching + bending + data.sum::<f64>() / weight
            };
            let least = energy(&placed);
            for i in 0..2 * n {
                for by in [-1e-4, 1e-4] {
                    let mut moved = placed.clone();
                    moved.as_mut_slice()[i] += by;
                    assert!(energy(&moved) > least, "{n} nodes, value {i}");
                }
            }
        }
    }

    /// The gradient of the energy, by the dense matrix, is 0 at all nodes that are free.
    #[test]
    fn pinned_nodes_stay_and_the_others_are_placed_best() {
        for n in [9, 3 * SMALL / 2] {
            let value = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin();
            let modulus = |i: usize| 0.01 * (1 + i % 4) as f64;
            let springs = Springs {
                edges: (1..n).map(|node| (node - 1, node, modulus(node))).collect(),
                stars: (1..n - 1)
                    .map(|center| Star {
                        center,
                        leaves: vec![center - 1, center + 1],
                        modulus: 0.1 * modulus(center),
                    })
                    .collect(),
            };
            let mass: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
            let weighted = Matrix::new(n, 2, (0..2 * n).map(|i| mass[i / 2] * value(i)).collect());
            let weight = mass.iter().sum();
            let sums = Sums { mass, weighted: weighted.unwrap(), cost: 0.0, weight };
            let places = Matrix::new(n, 2, (0..2 * n).map(|i| value(i + 99)).collect()).unwrap();
            let pinned: Vec<bool> = (0..n).map(|i| i % 4 == 1).collect();
            let edges: Vec<(usize, usize)> = (1..n).map(|node| (node - 1, node)).collect();
            let order = elimination_order(n, &edges);
            let pins = Pins::new(&pinned, &places);
            let placed = springs.place_pinned(&sums, &order, &pins).unwrap();
            let mut dense = vec![vec![0.0; n]; n];
            springs.each_entry(|a, b, value| {
                dense[a][b] += value;
                if a != b {
                    dense[b][a] += value;
                }
            });
            for node in 0..n {
                dense[node][node] += sums.mass[node] / weight;
                for d in 0..2 {
                    if pinned[node] {
                        assert_eq!(placed.row(node)[d], places.row(node)[d]);
                        continue;
                    }
                    let pulls: f64 = (0..n).map(|to| dense[node][to] * placed.row(to)[d]).sum();
                    let left = pulls - sums.weighted.row(node)[d] / weight;
                    assert!(left.abs() < 1e-12, "{n} nodes, node {node}: {left}");
                }
            }
        }
    }

    #[test]
    fn a_graph_without_points_is_held_by_nothing() {
        let springs = Springs { edges: vec![(0, 1, 1.0)], stars: Vec::new() };
        let mut sums = Sums::zeros(2, 1);
        sums.weight = 1.0;
        assert_eq!(springs.place(&sums, &[0, 1]), None);
    }
}
