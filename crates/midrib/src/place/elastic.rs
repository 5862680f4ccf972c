//! Elastic graphs: edges that resist stretching and stars that resist bending.
//!
//! ```text
//! U = Σ_i w_i ‖x_i − y_k(i)‖² / Σ w + Σ_edges λ_e ‖y_a − y_b‖² + Σ_stars μ_s ‖y_c − mean of leaves‖²
//! ```
//!
//! Gorban2009, eq. (6), with the mean square instead of its root: only then does the linear system
//! of the placement minimize it.

use crate::assign::Sums;
use crate::math::simd::{Work, dispatch, plain_squared_distance};
use crate::math::{Matrix, SparseCholesky};

/// A node that is pulled to the mean of others.
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

/// The linear system of the springs of a graph, ordered once for many placements.
pub(crate) struct SpringSystem {
    springs: Springs,
    /// For each node whether it is pinned; empty if none is.
    pinned: Vec<bool>,
    /// The matrix of the springs between free nodes; none if it does not fit into memory.
    matrix: Option<SpringMatrix>,
}

/// The matrix of the springs alone.
struct SpringMatrix {
    /// Its values.
    springs: Vec<f64>,
    /// Memory for the sum with the masses and for its factor.
    sum: SparseCholesky,
}

impl SpringSystem {
    /// `pinned` says for each of `n` nodes whether it is pinned; it is empty if none is.
    pub fn new(springs: Springs, n: usize, pinned: Vec<bool>) -> Self {
        let mut pairs = Vec::new();
        springs.each_entry(|a, b, _| {
            if a != b {
                pairs.push((a, b));
            }
        });
        let is_pinned = |node: usize| pinned.get(node).copied().unwrap_or(false);
        let matrix = SparseCholesky::of_pairs(n, &pairs).ok().map(|sum| {
            let mut values = vec![0.0; sum.row_indices().len()];
            springs.each_entry(|a, b, value| {
                if !(is_pinned(a) || is_pinned(b)) {
                    values[sum.index(a, b)] += value;
                }
            });
            SpringMatrix { springs: values, sum }
        });
        Self { springs, pinned, matrix }
    }

    pub fn springs(&self) -> &Springs {
        &self.springs
    }

    fn is_pinned(&self, node: usize) -> bool {
        self.pinned.get(node).copied().unwrap_or(false)
    }

    /// The nodes of least energy for the points assigned to each; pinned nodes stay at `nodes`. With
    /// missing values, `observed` (K×D) holds the weight of the points that have each coordinate.
    ///
    /// None where nothing holds the graph: no points, or numbers beyond the range of floating point.
    pub fn place(
        &mut self,
        sums: &Sums,
        observed: Option<&Matrix>,
        nodes: &Matrix,
    ) -> Option<Matrix> {
        let dims = sums.weighted.n_cols();
        let mut placed = nodes.clone();
        let Some(observed) = observed else {
            let columns: Vec<usize> = (0..dims).collect();
            self.place_columns(&sums.mass, sums, &columns, &mut placed)?;
            return Some(placed);
        };
        let column = |d: usize| -> Vec<f64> { observed.rows().map(|row| row[d]).collect() };
        let mut columns: Vec<(Vec<f64>, usize)> = (0..dims).map(|d| (column(d), d)).collect();
        // Coordinates that the same points have share a factor.
        columns.sort_by(|a, b| {
            let differ = a.0.iter().zip(&b.0).map(|(x, y)| x.total_cmp(y)).find(|ord| ord.is_ne());
            differ.unwrap_or(a.1.cmp(&b.1))
        });
        for alike in columns.chunk_by(|a, b| a.0 == b.0) {
            let numbers: Vec<usize> = alike.iter().map(|(_, d)| *d).collect();
            self.place_columns(&alike[0].0, sums, &numbers, &mut placed)?;
        }
        Some(placed)
    }

    /// Solves `(diag(mass) / weight + springs) Y = weighted / weight` for some coordinates. Pinned
    /// nodes are given: their springs go to the right-hand side.
    fn place_columns(
        &mut self,
        mass: &[f64],
        sums: &Sums,
        columns: &[usize],
        nodes: &mut Matrix,
    ) -> Option<()> {
        let (n, scale) = (mass.len(), 1.0 / sums.weight);
        let mut right = vec![0.0; n * columns.len()];
        for (right, &d) in right.chunks_exact_mut(n.max(1)).zip(columns) {
            for (node, right) in right.iter_mut().enumerate() {
                *right = scale * sums.weighted.row(node)[d];
            }
            if self.pinned.is_empty() {
                continue;
            }
            self.springs.each_entry(|a, b, value| {
                for (free, pinned) in [(a, b), (b, a)] {
                    if self.is_pinned(pinned) && !self.is_pinned(free) {
                        right[free] -= value * nodes.row(pinned)[d];
                    }
                }
            });
        }
        let own = |node: usize| if self.is_pinned(node) { 1.0 } else { scale * mass[node] };
        let diagonal: Vec<f64> = (0..n).map(own).collect();
        self.matrix.as_mut()?.solve(&diagonal, &mut right)?;
        for (solved, &d) in right.chunks_exact(n.max(1)).zip(columns) {
            for node in (0..n).filter(|&node| !self.is_pinned(node)) {
                nodes.row_mut(node)[d] = solved[node];
            }
        }
        right.iter().all(|x| x.is_finite()).then_some(())
    }
}

impl SpringMatrix {
    /// Solves in place with a diagonal added; none if the sum is not definite.
    fn solve(&mut self, diagonal: &[f64], right: &mut [f64]) -> Option<()> {
        let Self { springs, sum } = self;
        sum.values_mut().copy_from_slice(springs);
        for (node, x) in diagonal.iter().enumerate() {
            let index = sum.index(node, node);
            sum.values_mut()[index] += x;
        }
        sum.factor().then(|| sum.solve(right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::dot;

    /// The energy rises wherever any node is moved: for a convex energy this is the proof.
    #[test]
    fn few_and_many_nodes_are_placed_where_the_energy_is_least() {
        for n in [7, 384] {
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
            let mut system = SpringSystem::new(springs.clone(), n, Vec::new());
            let placed = system.place(&sums, None, &Matrix::zeros(n, 2)).unwrap();
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
        for n in [9, 384] {
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
            let positions = Matrix::new(n, 2, (0..2 * n).map(|i| value(i + 99)).collect()).unwrap();
            let pinned: Vec<bool> = (0..n).map(|i| i % 4 == 1).collect();
            let mut system = SpringSystem::new(springs.clone(), n, pinned.clone());
            let placed = system.place(&sums, None, &positions).unwrap();
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
                        assert_eq!(placed.row(node)[d], positions.row(node)[d]);
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
        let mut system = SpringSystem::new(springs, 2, Vec::new());
        assert_eq!(system.place(&sums, None, &Matrix::zeros(2, 1)), None);
    }
}
