//! On shapes with known tips, branch points and components.

use super::Lpc;
use crate::learn::{AutoOr, Given, Method};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::Points;

fn noise(i: usize) -> f64 {
    0.02 * (1.7 * i as f64 + (i * i % 31) as f64).sin()
}

fn fit(values: Vec<f64>, settings: &Lpc) -> crate::graph::PrincipalGraph {
    let points = Points::from_f64(values, 2).unwrap();
    let fitted = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    fitted.graph().unwrap().clone()
}

#[test]
fn a_bent_line_is_followed_to_both_ends() {
    let values: Vec<f64> = (0..400)
        .flat_map(|i| {
            let t = 3.0 * i as f64 / 400.0;
            [t.cos() + noise(i), t.sin() + noise(3 * i)]
        })
        .collect();
    let graph = fit(values, &Lpc { bandwidth: AutoOr::Fixed(0.1), ..Lpc::default() });
    assert_eq!((graph.tips().len(), graph.components().count, graph.loops()), (2, 1, 0));
    assert!((graph.length() - 3.0).abs() < 0.3, "{}", graph.length());
}

#[test]
fn a_ring_closes() {
    let values: Vec<f64> = (0..400)
        .flat_map(|i| {
            let t = std::f64::consts::TAU * i as f64 / 400.0;
            [t.cos() + noise(i), t.sin() + noise(3 * i)]
        })
        .collect();
    let graph = fit(values, &Lpc { bandwidth: AutoOr::Fixed(0.1), ..Lpc::default() });
    assert_eq!((graph.components().count, graph.loops()), (1, 1));
}

#[test]
fn branches_and_components_are_found() {
    let branch = |i: usize| {
        let t = (i / 3) as f64 / 200.0;
        match i % 3 {
            0 => [2.0 * t + noise(i), noise(3 * i)],
            1 => [1.0 + noise(i), t + noise(3 * i)],
            _ => [t + noise(i), 4.0 + noise(3 * i)],
        }
    };
    let values: Vec<f64> = (0..600).flat_map(branch).collect();
    let graph = fit(values, &Lpc { bandwidth: AutoOr::Fixed(0.1), ..Lpc::default() });
    assert_eq!((graph.components().count, graph.tips().len()), (2, 5));
}

#[test]
fn given_nodes_are_seeds() {
    let values: Vec<f64> =
        (0..200).flat_map(|i| [(i % 100) as f64 / 100.0, (5 * (i / 100)) as f64]).collect();
    let points = Points::from_f64(values, 2).unwrap();
    let seed = Matrix::from_rows(&[[0.5, 5.0]]).unwrap();
    let settings = Lpc { bandwidth: AutoOr::Fixed(0.1), ..Lpc::default() };
    let fitted = settings.fit(&points, Given::from(Some(&seed)), &mut Silent).unwrap();
    let nodes = fitted.graph().unwrap().nodes();
    assert!(nodes.rows().all(|node| (node[1] - 5.0).abs() < 1e-9));
}
