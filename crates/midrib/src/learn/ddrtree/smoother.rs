//! The closed form for latent points and nodes, given the tree and the shares.
#![allow(non_snake_case)]

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Par, Side};

use crate::assign::Shares;
use crate::connect::SpanningTree;
use crate::error::Result;
use crate::learn::choices::Assignment;
use crate::learn::latent::Embedded;
use crate::math::{Matrix, TreeFactor, conjugate_gradients, laplacian_apply};

/// Up to this many nodes their system is factored.
const FEW_NODES: usize = 1000;

/// Solves `M C = RᵀWY` with `M = (1+γ)(λ/γ L + Γ) − γ RᵀWR`.
pub(super) struct Smoother<'a> {
    shares: &'a Shares,
    cluster_weight: f64,
    system: System,
    /// The nodes of the sweep before, where conjugate gradients begin.
    pub guess: Option<&'a Matrix>,
}

enum System {
    /// Of a hard assignment, where RᵀWR = Γ.
    Tree(TreeFactor),
    Factored(Llt<f64>),
    /// `(1+γ)(λ/γ L + Γ)`, by which products with M are preconditioned: the spectrum then lies
    /// between 1/(1+γ) and 1.
    Iterated {
        tree: TreeFactor,
        edges: Vec<(usize, usize, f64)>,
        mass: Vec<f64>,
    },
}

impl<'a> Smoother<'a> {
    pub fn new(
        tree: &SpanningTree,
        shares: &'a Shares,
        assignment: Assignment,
        tree_weight: f64,
        cluster_weight: f64,
    ) -> Result<Self> {
        Self::factoring(FEW_NODES, tree, shares, assignment, tree_weight, cluster_weight)
    }

    /// Factors the system of up to `few` nodes.
    pub(super) fn factoring(
        few: usize,
        tree: &SpanningTree,
        shares: &'a Shares,
        assignment: Assignment,
        tree_weight: f64,
        cluster_weight: f64,
    ) -> Result<Self> {
        let (λ, g) = (tree_weight, cluster_weight);
        let stiffness = (1.0 + g) * λ / g;
        let Γ = shares.mass();
        let system = if assignment == Assignment::Hard {
            System::Tree(TreeFactor::new(&tree.edges, stiffness, &Γ)?)
        } else {
            let mass: Vec<f64> = Γ.iter().map(|mass| (1.0 + g) * mass).collect();
            let factored =
                (Γ.len() <= few).then(|| factored(tree, stiffness, &mass, shares, g)).flatten();
            match factored {
                Some(factored) => System::Factored(factored),
                None => System::Iterated {
                    tree: TreeFactor::new(&tree.edges, stiffness, &mass)?,
                    edges: tree.edges.iter().map(|&(a, b)| (a, b, stiffness)).collect(),
                    mass,
                },
            }
        };
        Ok(Self { shares, cluster_weight, system, guess: None })
    }

    /// The nodes and the latent points that belong to the scores Y.
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
            System::Iterated { tree, edges, mass } => {
                let product = |rows: &Matrix| {
                    let mut product = self.shares.sums_of_means(rows);
                    let pulled = laplacian_apply(edges, mass, rows.as_slice());
                    for (x, pulled) in product.as_mut_slice().iter_mut().zip(pulled) {
                        *x = pulled - self.cluster_weight * *x;
                    }
                    product
                };
                let guess = self.guess.filter(|guess| guess.n_cols() == sums.n_cols());
                conjugate_gradients(sums, guess, product, |rows| tree.solve(rows))
            }
        }
    }
}

/// None if a node holds nothing and nothing holds it.
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
    // In parallel the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    Llt::new(matrix.as_ref(), Side::Lower).ok()
}
