//! Golden rows, computed once by an independent dense program, and closed forms.
#![allow(non_snake_case)]

use faer::linalg::solvers::{DenseSolveCore, SelfAdjointEigen, Svd};
use faer::{Mat, Scale, Side};

use super::DdrTree;
use super::smoother::{Smoother, Terms};
use crate::assign::{Cutoff, Shares};
use crate::connect::{SpanningTree, spanning_tree};
use crate::learn::drtree::tests::tree;
use crate::learn::{Assignment, AutoOr, ComponentCount, DrTree, Fit, Given, Method, NodeCount};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::{Cloud, Points};
use crate::synth::{Shape, Synth};

fn settings() -> DdrTree {
    DdrTree {
        n_nodes: NodeCount::All,
        n_components: ComponentCount::Exactly(2),
        tree_weight: AutoOr::Fixed(1.0),
        cluster_weight: 5.0,
        bandwidth: AutoOr::Fixed(0.01),
        max_iter: 60,
        tol: 0.0,
        ..DdrTree::default()
    }
}

fn fit(settings: &DdrTree, points: &Points<'_>) -> Fit {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

fn falls(fitted: &Fit) -> bool {
    fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12)
}

#[test]
fn golden_sweeps() {
    let fitted = fit(&settings(), &tree());
    assert_eq!((fitted.trace.len(), fitted.iterations), (60, 60));
    assert!((fitted.trace[9] + 12.222680003).abs() < 1e-9, "{}", fitted.trace[9]);
    assert!((fitted.trace[59] + 12.225225584).abs() < 1e-9, "{}", fitted.trace[59]);
    assert_eq!(
        (fitted.graph().unwrap().tips().len(), fitted.graph().unwrap().branch_points().len()),
        (4, 2)
    );
    assert!(falls(&fitted));
}

#[test]
fn identities() {
    let fitted = fit(&settings(), &tree());
    let latent = fitted.object.embedding().unwrap().clone();
    for d in 0..2 {
        let mean: f64 = latent.coordinates.rows().map(|z| z[d]).sum();
        assert!(mean.abs() < 1e-10, "mean(Z) = mean(X) B");
        let nodes = latent
            .nodes
            .as_ref()
            .unwrap()
            .rows()
            .zip(fitted.graph().unwrap().mass())
            .map(|(c, mass)| c[d] * mass);
        assert!((nodes.sum::<f64>() - mean).abs() < 1e-10, "Σ Γ c = Σ z");
    }
}

/// Everything that one sweep needs, and the matrices that the method never forms.
struct Dense {
    X: Mat<f64>,
    W: Mat<f64>,
    R: Mat<f64>,
    L: Mat<f64>,
    mass: Mat<f64>,
}

const LAMBDA: f64 = 1.7;
const GAMMA: f64 = 4.0;
const TERMS: Terms = Terms {
    assignment: Assignment::Soft,
    bandwidth: 0.02,
    tree_weight: LAMBDA,
    cluster_weight: GAMMA,
};

impl Dense {
    fn new(rows: &Matrix, weights: &[f64], shares: &Shares, tree: &SpanningTree) -> Self {
        let k = tree.edges.len() + 1;
        let mut R = Mat::zeros(rows.n_rows(), k);
        for (point, node, share) in shares.iter() {
            R[(point, node)] = share;
        }
        let mut L = Mat::zeros(k, k);
        for &(a, b) in &tree.edges {
            for (i, j, x) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)] {
                L[(i, j)] += x;
            }
        }
        let diagonal = |values: &[f64]| {
            Mat::from_fn(values.len(), values.len(), |i, j| if i == j { values[i] } else { 0.0 })
        };
        Self {
            X: rows.as_faer().to_owned(),
            W: diagonal(weights),
            R,
            L,
            mass: diagonal(&shares.mass()),
        }
    }

    /// Proposition 5: Q = (1/(1+γ)) [I + R ((1+γ)/γ (λ/γ L + Γ) − RᵀWR)⁻¹ RᵀW].
    fn Q(&self) -> Mat<f64> {
        let Self { W, R, L, mass, .. } = self;
        let A = L * Scale(LAMBDA / GAMMA) + mass;
        let M = A * Scale((1.0 + GAMMA) / GAMMA) - R.transpose() * W * R;
        let inverse = M.partial_piv_lu().inverse();
        let n = R.nrows();
        (Mat::<f64>::identity(n, n) + R * inverse * R.transpose() * W) * Scale(1.0 / (1.0 + GAMMA))
    }

    /// The objective without the entropy, by its definition.
    fn cost(&self, B: &Mat<f64>, Z: &Mat<f64>, C: &Mat<f64>) -> f64 {
        let off = &self.X - Z * B.transpose();
        let mut cost =
            (C.transpose() * &self.L * C * Scale(LAMBDA)).diagonal().column_vector().sum();
        for i in 0..self.X.nrows() {
            let clustered: f64 = (0..C.nrows())
                .map(|k| self.R[(i, k)] * (Z.row(i) - C.row(k)).squared_norm_l2())
                .sum();
            cost += self.W[(i, i)] * (off.row(i).squared_norm_l2() + GAMMA * clustered);
        }
        cost
    }
}

/// A sweep's parts: rows, weights, tree over the first `k` rows' scores, shares.
fn parts(k: usize) -> (Matrix, Vec<f64>, Matrix, SpanningTree, Shares) {
    let points = tree();
    let cloud = Cloud::new(&points).unwrap();
    let mut rows = Matrix::zeros(120, 10);
    let mut scores = Matrix::zeros(120, 2);
    for i in 0..120 {
        cloud.copy_row(i, rows.row_mut(i)).unwrap();
        let (x, y) = (rows.row(i)[2], rows.row(i)[5]);
        scores.row_mut(i).copy_from_slice(&[x, y]);
    }
    let latent = Points::from_f64(scores.as_slice().to_vec(), 2).unwrap();
    let latent = Cloud::new(&latent).unwrap();
    let nodes = latent.to_working(scores.select_rows((0..k).map(|i| i * 120 / k)));
    let weights: Vec<f64> = (0..120).map(|i| 0.5 + (i % 3) as f64).collect();
    let shares = Shares::soft(&latent, &nodes, TERMS.bandwidth, Cutoff::EXACT, &weights).unwrap();
    let tree = spanning_tree(&nodes);
    (rows, weights, nodes, tree, shares)
}

#[test]
fn the_closed_form_is_that_of_the_paper_and_where_block_sweeps_end() {
    for k in [120, 30] {
        let (rows, weights, nodes, tree, shares) = parts(k);
        let dense = Dense::new(&rows, &weights, &shares, &tree);
        let Q = dense.Q();
        let form = dense.X.transpose() * &dense.W * &Q * &dense.X;
        let eigen = SelfAdjointEigen::new(form.as_ref(), Side::Lower).unwrap();
        let B = Mat::from_fn(10, 2, |i, j| eigen.U()[(i, 9 - j)]);
        let Z = &Q * &dense.X * &B;
        let scores = {
            let mut scores = Matrix::zeros(120, 2);
            let product = &dense.X * &B;
            for i in 0..120 {
                scores.row_mut(i).copy_from_slice(&[product[(i, 0)], product[(i, 1)]]);
            }
            scores
        };
        // Factored, and by conjugate gradients.
        for few in [1000, 0] {
            let smoother = Smoother::factoring(few, TERMS, &nodes, &tree, &shares).unwrap();
            let ours = smoother.smooth(&scores);
            assert!((ours.z.as_faer() - &Z).norm_max() < 1e-11, "k {k}, few {few}");
            let C = ours.nodes.as_faer().to_owned();
            // ‖X‖² − tr(Bᵀ Xᵀ W Q X B), the identity.
            let spread: f64 = (0..120).map(|i| weights[i] * dense.X.row(i).squared_norm_l2()).sum();
            let identity = spread - eigen.S()[9] - eigen.S()[8];
            let cost = dense.cost(&B, &Z, &C);
            assert!((cost - identity).abs() < 1e-10 * spread, "{cost} {identity}");

            // Block sweeps from another basis end there too.
            let (mut B, mut C) = (Mat::from_fn(10, 2, |i, j| f64::from(u8::from(i == j))), C);
            C.fill(0.0);
            let A = &dense.L * Scale(LAMBDA / GAMMA) + &dense.mass;
            let A = A.partial_piv_lu().inverse();
            let mut Z = Mat::zeros(120, 2);
            for _ in 0..4000 {
                Z = (&dense.X * &B + &dense.R * &C * Scale(GAMMA)) * Scale(1.0 / (1.0 + GAMMA));
                C = &A * dense.R.transpose() * &dense.W * &Z;
                let svd = Svd::new_thin((dense.X.transpose() * &dense.W * &Z).as_ref()).unwrap();
                B = svd.U() * svd.V().transpose();
            }
            let swept = dense.cost(&B, &Z, &C);
            assert!((swept - identity).abs() < 1e-8 * spread, "{swept} {identity}");
            assert!(swept >= identity - 1e-10 * spread);
        }
    }
}

#[test]
fn nodes_that_no_point_reaches_are_solved_alike() {
    let (rows, weights, nodes, _, _) = parts(30);
    let scores: Vec<f64> = rows.rows().flat_map(|row| [row[2], row[5]]).collect();
    let points = Points::from_f64(scores, 2).unwrap();
    let latent = Cloud::new(&points).unwrap();
    let far = (0..4).flat_map(|i| [30.0 + f64::from(i), 20.0]);
    let nodes = Matrix::new(34, 2, nodes.as_slice().iter().copied().chain(far).collect()).unwrap();
    let shares = Shares::soft(&latent, &nodes, TERMS.bandwidth, Cutoff::EXACT, &weights).unwrap();
    assert!(shares.mass()[30..].iter().all(|mass| *mass == 0.0));
    let tree = spanning_tree(&nodes);
    let smooth =
        |few| Smoother::factoring(few, TERMS, &nodes, &tree, &shares).unwrap().smooth(&rows);
    let (factored, iterated) = (smooth(1000), smooth(0));
    assert!((factored.z.as_faer() - iterated.z.as_faer()).norm_max() < 1e-11);
    assert!((factored.nodes.as_faer() - iterated.nodes.as_faer()).norm_max() < 1e-10);

    // Without a tree, only their neighbors hold them.
    let terms = Terms { tree_weight: 0.0, ..TERMS };
    let loose = Smoother::factoring(0, terms, &nodes, &tree, &shares).unwrap().smooth(&rows);
    assert!(loose.nodes.as_slice().iter().all(|x| x.is_finite() && x.abs() < 10.0));
}

#[test]
fn a_vanishing_bandwidth_is_a_hard_assignment() {
    let points = tree();
    let base = DdrTree { n_nodes: NodeCount::Exactly(40), max_iter: 15, ..settings() };
    let soft = fit(&DdrTree { bandwidth: AutoOr::Fixed(1e-12), ..base.clone() }, &points);
    let hard = fit(&DdrTree { assignment: Assignment::Hard, ..base }, &points);
    assert!((soft.objective() - hard.objective()).abs() < 1e-9);
    assert!(falls(&hard) && falls(&soft));
    for (a, b) in soft
        .graph()
        .unwrap()
        .nodes()
        .as_slice()
        .iter()
        .zip(hard.graph().unwrap().nodes().as_slice())
    {
        assert!((a - b).abs() < 1e-8);
    }
}

#[test]
fn strong_clusters_at_every_point_are_drtree() {
    let points = tree();
    let clustered =
        DdrTree { cluster_weight: 1e8, assignment: Assignment::Hard, max_iter: 1, ..settings() };
    let plain = DrTree {
        n_components: ComponentCount::Exactly(2),
        tree_weight: AutoOr::Fixed(1.0),
        max_iter: 1,
        tol: 0.0,
        ..DrTree::default()
    };
    let (a, b) =
        (fit(&clustered, &points), plain.fit(&points, Given::default(), &mut Silent).unwrap());
    assert!((a.objective() - b.objective()).abs() < 1e-6, "{} {}", a.objective(), b.objective());
}

#[test]
fn landmarks_and_given_nodes_are_starts() {
    let points = tree();
    let few = fit(&DdrTree { n_nodes: NodeCount::Exactly(25), ..settings() }, &points);
    assert_eq!(few.graph().unwrap().nodes().n_rows(), 25);
    assert!(falls(&few));
    let start = few.graph().unwrap().nodes().clone();
    let free = DdrTree { n_nodes: NodeCount::Auto, max_iter: 5, ..settings() };
    let again = free.fit(&points, Some(&start).into(), &mut Silent).unwrap();
    assert_eq!(again.graph().unwrap().nodes().n_rows(), 25);
    assert!(again.objective() < few.trace[0]);
    let wrong = DdrTree { n_nodes: NodeCount::Exactly(7), ..free };
    let found = wrong.fit(&points, Some(&start).into(), &mut Silent).unwrap_err().to_string();
    assert!(found.contains("has 25 nodes"), "{found}");
}

#[test]
fn many_nodes_are_solved_as_few_are() {
    // 1,200 nodes: too many to be factored.
    let values: Vec<f64> = (0..1200)
        .flat_map(|i| {
            let t = f64::from(i) / 1200.0;
            [
                t,
                (3.0 * t).sin() + 0.05 * (f64::from(i) * 1.7).sin(),
                0.1 * (f64::from(i) * 0.9).cos(),
            ]
        })
        .collect();
    let points = Points::from_f64(values, 3).unwrap();
    let fitted =
        fit(&DdrTree { bandwidth: AutoOr::Fixed(1e-4), max_iter: 8, ..settings() }, &points);
    assert!(falls(&fitted));
    let latent = fitted.object.embedding().unwrap().clone();
    let balance: f64 = latent
        .nodes
        .as_ref()
        .unwrap()
        .rows()
        .zip(fitted.graph().unwrap().mass())
        .map(|(c, mass)| c[0] * mass)
        .sum();
    assert!(balance.abs() < 1e-9, "{balance}");
}

#[test]
fn choices_are_reported() {
    let points = tree();
    let fitted = fit(&DdrTree::default(), &points);
    let said: Vec<&str> = fitted.choices.iter().map(|choice| choice.setting).collect();
    assert_eq!(said, ["n_nodes", "bandwidth", "tree_weight", "n_components"]);
    // round(200 ln 120 / (ln 120 + ln 100))
    assert_eq!(fitted.graph().unwrap().nodes().n_rows(), 102);
    let chosen = |i: usize| AutoOr::Fixed(fitted.choices[i].value.as_f64().unwrap());
    let explicit = DdrTree {
        n_nodes: NodeCount::Exactly(102),
        bandwidth: chosen(1),
        tree_weight: chosen(2),
        ..DdrTree::default()
    };
    let again = fit(&explicit, &points);
    assert!((again.trace[0] - fitted.trace[0]).abs() < 0.5 * fitted.trace[0].abs());
}

/// Scatter in many latent dimensions does not widen the bandwidth until nodes merge: half of
/// its square, without regard to their number, shortened this tree to a third with 10 of them.
#[test]
fn trees_keep_their_length_in_many_latent_dimensions() {
    let shape = Shape::Tree { branch_points: 2 };
    let sample = Synth { shape, n: 600, dims: 30, noise: 0.3, seed: 3 }.generate().unwrap();
    let length = |d| {
        let settings = DdrTree { n_components: ComponentCount::Exactly(d), ..DdrTree::default() };
        fit(&settings, &sample.points).graph().unwrap().length()
    };
    let flat = length(2);
    for d in [5, 10, 20] {
        assert!(length(d) > 0.75 * flat, "{} with {d} latent dimensions, {flat} with 2", length(d));
    }
}

#[test]
fn too_wide_a_bandwidth_for_many_nodes_is_explained() {
    let values: Vec<f64> = (0..24_000).map(|i| (f64::from(i) * 0.77).sin()).collect();
    let points = Points::from_f64(values, 2).unwrap();
    let wide = DdrTree { bandwidth: AutoOr::Fixed(100.0), max_iter: 1, ..settings() };
    let found = wide.fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
    assert!(found.contains("fewer nodes, or a smaller bandwidth"), "{found}");
    let few = DdrTree { cluster_weight: 0.0, ..settings() };
    assert!(few.check().unwrap_err().to_string().contains("cluster_weight = 0: must be positive"));
}

#[test]
fn weights_count_like_repeated_rows() {
    let points = tree();
    let mut values = vec![0.0; 1200];
    for (i, row) in values.chunks_exact_mut(10).enumerate() {
        points.copy_row(i, row);
    }
    let repeated: Vec<f64> =
        (0..120).flat_map(|i| values[i * 10..i * 10 + 10].repeat(i % 3)).collect();
    let weights: Vec<f64> = (0..120).map(|i| (i % 3) as f64).collect();
    let weighted = Points::from_f64(values, 10).unwrap().with_weights(weights).unwrap();
    for assignment in [Assignment::Soft, Assignment::Hard] {
        let settings =
            DdrTree { n_nodes: NodeCount::Exactly(30), assignment, max_iter: 10, ..settings() };
        assert!(settings.promises().weights_as_repeats);
        let (a, b) = (
            fit(&settings, &weighted),
            fit(&settings, &Points::from_f64(repeated.as_slice(), 10).unwrap()),
        );
        assert!((a.objective() - b.objective()).abs() < 1e-9);
        for (x, y) in
            a.graph().unwrap().nodes().as_slice().iter().zip(b.graph().unwrap().nodes().as_slice())
        {
            assert!((x - y).abs() < 1e-8);
        }
    }
}
