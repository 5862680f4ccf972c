//! The closed form of latent points and nodes for a given tree and assignment.
#![allow(non_snake_case)]

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Par, Side};

use crate::assign::Shares;
use crate::connect::SpanningTree;
use crate::error::Result;
use crate::learn::choices::Assignment;
use crate::learn::latent::Embedded;
use crate::math::{
    Matrix, PairedTree, Symmetric, TreeFactor, conjugate_gradients, laplacian_apply,
    squared_distance,
};

/// The system of up to this many nodes is factored.
const FEW_NODES: usize = 1000;

/// The smallest squared distance between nodes in the preconditioner, in bandwidths.
const CLOSE: f64 = 1e-9;
/// The smallest mass and stiffness in the preconditioner, as shares of the mean mass: nodes without
/// mass then stay with their neighbors.
const LEAST: [f64; 2] = [1e-15, 1e-9];

/// The terms of the objective.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub assignment: Assignment,
    /// σ.
    pub bandwidth: f64,
    /// λ.
    pub tree_weight: f64,
    /// γ.
    pub cluster_weight: f64,
}

/// Solves `M C = RᵀWY` with `M = (1+γ)(λ/γ L + Γ) − γ RᵀWR`.
pub(super) struct Smoother<'a> {
    shares: &'a Shares,
    cluster_weight: f64,
    system: System,
    /// The nodes of the previous sweep, where conjugate gradients start.
    pub guess: Option<&'a Matrix>,
}

enum System {
    /// For a hard assignment, where RᵀWR = Γ.
    Tree(TreeFactor),
    Factored(Llt<f64>),
    /// `(1+γ)(λ/γ L + Γ)` as edges and masses, and a preconditioner.
    Iterated {
        edges: Vec<(usize, usize, f64)>,
        mass: Vec<f64>,
        near: PairedTree,
    },
}

impl<'a> Smoother<'a> {
    /// For the nodes C that the tree and the assignment belong to.
    pub fn new(terms: Terms, C: &Matrix, tree: &SpanningTree, shares: &'a Shares) -> Result<Self> {
        Self::factoring(FEW_NODES, terms, C, tree, shares)
    }

    /// The same, factoring the system of up to `few` nodes.
    pub(super) fn factoring(
        few: usize,
        terms: Terms,
        C: &Matrix,
        tree: &SpanningTree,
        shares: &'a Shares,
    ) -> Result<Self> {
        let (λ, g) = (terms.tree_weight, terms.cluster_weight);
        let stiffness = (1.0 + g) * λ / g;
        let Γ = shares.mass();
        let system = if terms.assignment == Assignment::Hard {
            System::Tree(TreeFactor::new(&tree.edges, stiffness, &Γ)?)
        } else {
            let mass: Vec<f64> = Γ.iter().map(|mass| (1.0 + g) * mass).collect();
            let factored =
                (Γ.len() <= few).then(|| factored(tree, stiffness, &mass, shares, g)).flatten();
            match factored {
                Some(factored) => System::Factored(factored),
                None => System::Iterated {
                    edges: tree.edges.iter().map(|&(a, b)| (a, b, stiffness)).collect(),
                    mass,
                    near: near(terms, C, tree, &Γ)?,
                },
            }
        };
        Ok(Self { shares, cluster_weight: g, system, guess: None })
    }

    /// The nodes and the latent points for the scores Y.
    pub fn smooth(&self, Y: &Matrix) -> Embedded {
        let C = self.nodes(&self.shares.sums(Y));
        let mut Z = self.shares.means(&C);
        let g = self.cluster_weight;
        for (z, y) in Z.as_mut_slice().iter_mut().zip(Y.as_slice()) {
            *z = (y + g * *z) / (1.0 + g);
        }
        Embedded { z: Z, nodes: C }
    }

    fn nodes(&self, sums: &Matrix) -> Matrix {
        match &self.system {
            System::Tree(tree) => tree.solve(sums),
            System::Factored(factored) => {
                let mut nodes = sums.as_faer().to_owned();
                factored.solve_in_place(nodes.as_mut());
                let mut rows = Matrix::zeros(sums.n_rows(), sums.n_cols());
                for i in 0..rows.n_rows() {
                    let row = rows.row_mut(i);
                    row.iter_mut().enumerate().for_each(|(d, x)| *x = nodes[(i, d)]);
                }
                rows
            }
            System::Iterated { edges, mass, near } => {
                let product = |rows: &Matrix| {
                    let mut product = self.shares.sums_of_means(rows);
                    let pulled = laplacian_apply(edges, mass, rows.as_slice());
                    for (x, pulled) in product.as_mut_slice().iter_mut().zip(pulled) {
                        *x = pulled - self.cluster_weight * *x;
                    }
                    product
                };
                let guess = self.guess.filter(|guess| guess.n_cols() == sums.n_cols());
                conjugate_gradients(sums, guess, product, |rows| near.solve(rows))
            }
        }
    }
}

/// None if the matrix is singular: a node without mass and without edges.
fn factored(
    tree: &SpanningTree,
    stiffness: f64,
    mass: &[f64],
    shares: &Shares,
    cluster_weight: f64,
) -> Option<Llt<f64>> {
    let overlaps = shares.overlaps();
    let mut matrix: Mat<f64> = overlaps.as_faer() * faer::Scale(-cluster_weight);
    for (node, mass) in mass.iter().enumerate() {
        matrix[(node, node)] += mass;
    }
    for &(a, b) in &tree.edges {
        for (i, j, x) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
            matrix[(i, j)] += x * stiffness;
        }
    }
    // In parallel, the order of sums would depend on the number of threads.
    faer::set_global_parallelism(Par::Seq);
    Llt::new(matrix.as_ref(), Side::Lower).ok()
}

/// A preconditioner: the assignment smooths along the tree much as heat spreads, `RᵀWR` like a
/// Gaussian of variance σ, so that it is close to `Γ (Γ + L_q)⁻¹ Γ` with edges of stiffness
/// `q = σ/2 · (mass per length) / length`. M is then close to the Schur complement of the first block of
///
/// ```text
/// [ (1+γ)(λ/γ L + Γ)   √γ Γ  ]
/// [ √γ Γ             Γ + L_q ]
/// ```
///
/// On a curve the two differ by less than a third.
fn near(terms: Terms, C: &Matrix, tree: &SpanningTree, Γ: &[f64]) -> Result<PairedTree> {
    let Terms { bandwidth: σ, tree_weight: λ, cluster_weight: g, .. } = terms;
    let mean = Γ.iter().sum::<f64>() / Γ.len() as f64;
    let [least_mass, least_stiffness] = LEAST.map(|share| share * mean);
    let mass: Vec<f64> = Γ.iter().map(|mass| mass.max(least_mass)).collect();
    let pull = |&mass: &f64| Symmetric { a: (1.0 + g) * mass, b: g.sqrt() * mass, c: mass };
    let pulls: Vec<Symmetric> = mass.iter().map(pull).collect();
    PairedTree::new(&tree.edges, &pulls, |a, b| {
        let squared = squared_distance(C.row(a), C.row(b)) / σ;
        let smoothing = 0.25 * (mass[a] + mass[b]) / squared.max(CLOSE);
        [((1.0 + g) * λ / g).max(least_stiffness), smoothing]
    })
}
