//! Against an independent program, and against the definition, pair by pair.

use super::{Som, Training};
use crate::connect::{Net, NetShape};
use crate::learn::{AutoOr, End, Fit, Given, Method, NodeCount, Sides};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

fn distorted_s() -> Points<'static> {
    let text = include_str!("../../../tests/data/distorted_s.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    Points::from_f64(cells.map(|x| x.parse().unwrap()).collect::<Vec<f64>>(), 2).unwrap()
}

fn learn(settings: &Som, points: &Points<'_>) -> Fit {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

fn wave(n: usize, dims: usize) -> Vec<f64> {
    (0..n * dims).map(|i| (1.7 * i as f64 + (i * i % 31) as f64).sin()).collect()
}

fn chain(sides: usize) -> Som {
    Som { net: NetShape::Chain, sides: Sides::Exactly(vec![sides]), ..Som::default() }
}

/// METHODS 3.6.
#[test]
fn a_chain_follows_the_distorted_s() {
    let fit = learn(&chain(20), &distorted_s());
    assert!((fit.trace[0] - 0.114_391_660).abs() < 1e-9, "{}", fit.trace[0]);
    assert!((fit.objective() - 0.005_096_701).abs() < 1e-9, "{}", fit.objective());
    assert_eq!((fit.iterations, fit.end), (40, End::Converged));
    assert_eq!(fit.choices[0].value, 5.0);
}

/// Two epochs by the definition: each node is the mean over all points.
#[test]
fn batch_epochs_are_those_of_the_definition() {
    let values = wave(200, 3);
    let points = Points::from_f64(values.clone(), 3).unwrap();
    let rows: Vec<&[f64]> = values.chunks(3).collect();
    for (net, sides) in [
        (NetShape::Hexagonal, vec![3, 4]),
        (NetShape::Torus, vec![4, 5]),
        (NetShape::Sphere, vec![3, 5]),
        (NetShape::Cylinder, vec![3, 4]),
    ] {
        let shape = Net::new(net, &sides).unwrap();
        let start = Matrix::new(shape.len(), 3, wave(shape.len() + 7, 3)[21..].to_vec()).unwrap();
        let settings = Som { net, sides: Sides::Exactly(sides), max_iter: 2, ..Som::default() };
        let fit = settings.fit(&points, Given::from(Some(&start)), &mut Silent).unwrap();
        let radius = |epoch: i32| match net {
            NetShape::Sphere => 2.0 * 0.25_f64.powi(epoch),
            NetShape::Torus => 1.25 * 0.4_f64.powi(epoch),
            _ => 1.0 * 0.5_f64.powi(epoch),
        };
        let mut nodes = start.clone();
        for epoch in 0..2 {
            let nearest = |x: &[f64]| {
                let of = |node: usize| squared_distance(x, nodes.row(node));
                (0..shape.len()).min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap()
            };
            let owners: Vec<usize> = rows.iter().map(|x| nearest(x)).collect();
            let mut moved = Matrix::zeros(shape.len(), 3);
            for v in 0..shape.len() {
                let near = |i: usize| {
                    (-shape.squared_steps(v, owners[i]) / (2.0 * radius(epoch).powi(2))).exp()
                };
                let total: f64 = (0..200).map(near).sum();
                for (i, x) in rows.iter().enumerate() {
                    let row = moved.row_mut(v).iter_mut();
                    row.zip(*x).for_each(|(y, x)| *y += near(i) / total * x);
                }
            }
            nodes = moved;
        }
        for (a, b) in fit.graph().unwrap().nodes().as_slice().iter().zip(nodes.as_slice()) {
            assert!((a - b).abs() < 1e-12, "{net:?}");
        }
    }
}

#[test]
fn online_training_ends_near_batch_training_and_repeats_itself() {
    let points = distorted_s();
    let online = Som { training: Training::Online, ..chain(20) };
    let fit = learn(&online, &points);
    assert!(fit.objective() < 0.008, "{}", fit.objective());
    let nodes = |fit: &Fit| fit.graph().unwrap().nodes().clone();
    assert_eq!(nodes(&fit), nodes(&learn(&online, &points)));
    assert_ne!(nodes(&fit), nodes(&learn(&Som { seed: 1, ..online }, &points)));
}

/// One point, one step: φ + h·w·(x − φ).
#[test]
fn an_online_step_moves_nodes_toward_the_point() {
    let points = Points::from_f64(vec![0.0, 1.0], 1).unwrap().with_weights(vec![0.0, 1.0]);
    let start = Matrix::from_rows(&[[0.0], [3.0]]).unwrap();
    let settings = Som {
        training: Training::Online,
        radius: AutoOr::Fixed(1.0),
        final_radius: 1.0,
        learning_rate: 0.5,
        max_iter: 1,
        ..chain(2)
    };
    // All weight on one point leaves no spread to learn.
    let refused = settings.fit(&points.unwrap(), Given::from(Some(&start)), &mut Silent);
    assert!(refused.unwrap_err().to_string().contains("point"));
    let points = Points::from_f64(vec![1.0, 1.1], 1).unwrap();
    let fit = settings.fit(&points, Given::from(Some(&start)), &mut Silent).unwrap();
    // A single epoch has the last step size, a hundredth of the first.
    let w = 0.005 * (-0.5_f64).exp();
    let once = |order: [f64; 2]| {
        let mut nodes = [0.0, 3.0];
        for x in order {
            nodes[0] += 0.005 * (x - nodes[0]);
            nodes[1] += w * (x - nodes[1]);
        }
        nodes
    };
    let found = fit.graph().unwrap().nodes().as_slice().to_vec();
    let near = |expected: [f64; 2]| {
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12)
    };
    assert!(near(once([1.0, 1.1])) || near(once([1.1, 1.0])), "{found:?}");
}

#[test]
fn a_net_wider_than_the_data_says_so() {
    let points = Points::from_f64(wave(6, 2), 2).unwrap();
    let settings = Som { sides: Sides::Exactly(vec![5, 5]), ..Som::default() };
    let fit = learn(&settings, &points);
    assert!(fit.notes[0].starts_with("the net has 25 nodes for 6 points"), "{:?}", fit.notes);
    assert!(fit.graph().unwrap().nodes().as_slice().iter().all(|x| x.is_finite()));
}

#[test]
fn bad_settings_are_named() {
    let message = |settings: Som| settings.check().unwrap_err().to_string();
    assert!(message(Som { final_radius: 0.0, ..Som::default() }).starts_with("final_radius = 0"));
    let radius = AutoOr::Fixed(0.2);
    assert!(message(Som { radius, ..Som::default() }).contains("final_radius = 0.5"));
    assert!(message(Som { learning_rate: 2.0, ..Som::default() }).contains("at most 1"));
    assert!(message(Som { n_nodes: NodeCount::All, ..Som::default() }).contains("give a number"));
    let line = Points::from_f64(wave(9, 1), 1).unwrap();
    let refused = Som::default().fit(&line, Given::default(), &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("needs 2 dimensions; the points have 1 column"));
}

/// All epochs by the definition, from the principal segment of another set.
#[test]
fn a_chain_follows_a_tree_as_by_the_definition() {
    let text = include_str!("../../../tests/data/tree.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    let values: Vec<f64> = cells.map(|x| x.parse().unwrap()).collect();
    let rows: Vec<&[f64]> = values.chunks(2).collect();
    let n = rows.len() as f64;
    let mean = [0, 1].map(|d| rows.iter().map(|x| x[d]).sum::<f64>() / n);
    let product = |a: usize, b: usize| -> f64 {
        rows.iter().map(|x| (x[a] - mean[a]) * (x[b] - mean[b])).sum()
    };
    let angle = 0.5 * (2.0 * product(0, 1)).atan2(product(0, 0) - product(1, 1));
    let score = |x: &&[f64]| (x[0] - mean[0]) * angle.cos() + (x[1] - mean[1]) * angle.sin();
    let low = rows.iter().map(score).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(score).fold(f64::NEG_INFINITY, f64::max);
    let start = |k: usize| {
        let score = low + k as f64 / 19.0 * (high - low);
        [mean[0] + score * angle.cos(), mean[1] + score * angle.sin()]
    };
    let mut nodes: Vec<[f64; 2]> = (0..20).map(start).collect();
    let fit = learn(&chain(20), &Points::from_f64(values.clone(), 2).unwrap());
    for (epoch, found) in fit.trace.iter().enumerate() {
        let nearest = |x: &&[f64]| {
            let of = |k: usize| squared_distance(x, &nodes[k]);
            (0..20).min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap()
        };
        let owners: Vec<usize> = rows.iter().map(nearest).collect();
        let error: f64 =
            rows.iter().zip(&owners).map(|(x, &k)| squared_distance(x, &nodes[k])).sum();
        assert!((found - error / n).abs() < 1e-9, "epoch {epoch}: {found} {}", error / n);
        let radius = 5.0 * 0.1_f64.powf(epoch as f64 / 39.0);
        let moved = |k: usize| {
            let weight = |&owner: &usize| {
                (-(k as f64 - owner as f64).powi(2) / (2.0 * radius * radius)).exp()
            };
            let total: f64 = owners.iter().map(weight).sum();
            [0, 1].map(|d| {
                rows.iter().zip(&owners).map(|(x, owner)| weight(owner) * x[d]).sum::<f64>() / total
            })
        };
        nodes = (0..20).map(moved).collect();
    }
}
