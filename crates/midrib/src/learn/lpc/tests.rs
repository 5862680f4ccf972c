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

fn circle() -> Vec<[f64; 2]> {
    let text = include_str!("../../../tests/data/circle.csv");
    let row = |line: &str| {
        let mut cells = line.split(',').map(|x| x.parse().unwrap());
        [cells.next().unwrap(), cells.next().unwrap()]
    };
    text.lines().skip(1).map(row).collect()
}

/// Steps by the definition: sums over all points, and the direction of a covariance in the plane.
#[test]
fn paths_are_those_of_the_definition() {
    let rows = circle();
    let h = 0.15;
    let kernel = |x: &[f64; 2], y: &[f64; 2]| {
        (-0.5 * ((x[0] - y[0]).powi(2) + (x[1] - y[1]).powi(2)) / (h * h)).exp()
    };
    let around = |x: &[f64; 2]| {
        let total: f64 = rows.iter().map(|y| kernel(x, y)).sum();
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| {
            rows.iter().map(|y| kernel(x, y) * of(y)).sum::<f64>() / total
        };
        let center = [mean(&|y| y[0]), mean(&|y| y[1])];
        let product = |a: usize, b: usize| mean(&|y| (y[a] - center[a]) * (y[b] - center[b]));
        let angle = 0.5 * (2.0 * product(0, 1)).atan2(product(0, 0) - product(1, 1));
        (center, [angle.cos(), angle.sin()], total)
    };
    let settings = Lpc { bandwidth: AutoOr::Fixed(h), branch_ratio: 1.0, ..Lpc::default() };
    let graph = fit(rows.concat(), &settings);
    let nodes: Vec<&[f64]> = graph.nodes().rows().collect();
    let densest = rows.iter().max_by(|a, b| around(a).2.total_cmp(&around(b).2)).unwrap();
    let (mut x, mut axis, _) = around(densest);
    let mut before = [nodes[1][0] - nodes[0][0], nodes[1][1] - nodes[0][1]];
    for (step, node) in nodes.iter().take(20).enumerate() {
        assert!((node[0] - x[0]).hypot(node[1] - x[1]) < 1e-10, "step {step}");
        let size = before[0].hypot(before[1]);
        let cosine = (axis[0] * before[0] + axis[1] * before[1]) / size;
        // The seed has no direction before its own.
        let share = if step == 0 { 1.0 } else { cosine * cosine };
        let mixed =
            [0, 1].map(|d| share * cosine.signum() * axis[d] + (1.0 - share) * before[d] / size);
        let size = mixed[0].hypot(mixed[1]);
        before = mixed.map(|x| x / size);
        (x, axis, _) = around(&[x[0] + h * before[0], x[1] + h * before[1]]);
    }
}
