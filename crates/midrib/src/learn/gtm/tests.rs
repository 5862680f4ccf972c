//! Against an independent program, and against the definition.

use super::Gtm;
use crate::learn::{End, Given, Method, Sides};
use crate::math::squared_distance;
use crate::object::{LatentPosition, Object};
use crate::observe::Silent;
use crate::points::Points;

fn distorted_s() -> Vec<f64> {
    let text = include_str!("../../../tests/data/distorted_s.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    cells.map(|x| x.parse().unwrap()).collect()
}

fn line(max_iter: usize) -> Gtm {
    let (sides, functions) = (Sides::Exactly(vec![20]), Sides::Exactly(vec![6]));
    Gtm { sides, functions, max_iter, tol: 0.0, ..Gtm::default() }
}

/// METHODS 3.6: β is that of the step after the 100th evaluation.
#[test]
fn a_line_through_the_distorted_s() {
    let points = Points::from_f64(distorted_s(), 2).unwrap();
    let fit = line(100).fit(&points, Given::default(), &mut Silent).unwrap();
    assert!((fit.trace[0] - 134.390_192_650).abs() < 1e-8, "{}", fit.trace[0]);
    assert!((fit.trace[99] + 0.922_050_472).abs() < 1e-8, "{}", fit.trace[99]);
    let Object::Net(net) = &fit.object else { panic!("a net") };
    let precision = net.mixture.as_ref().unwrap().precision;
    assert!((precision / 296.866_567_799 - 1.0).abs() < 1e-9, "{precision}");
    assert!(fit.trace.windows(2).all(|pair| pair[1] <= pair[0]));
    assert_eq!((fit.iterations, fit.end), (100, End::MaxIter));
}

/// Mean and mode over all responsibilities, for points that were not learned from.
#[test]
fn new_points_lie_at_the_mean_or_the_mode_of_their_responsibilities() {
    let values = distorted_s();
    let points = Points::from_f64(&values[..160], 2).unwrap();
    let new = Points::from_f64(&values[160..], 2).unwrap();
    let sides = Sides::Exactly(vec![6, 5]);
    for position in [LatentPosition::Mean, LatentPosition::Mode] {
        let settings = Gtm { sides: sides.clone(), max_iter: 20, position, ..Gtm::default() };
        let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
        let Object::Net(net) = &fit.object else { panic!("a net") };
        let beta = net.mixture.as_ref().unwrap().precision;
        let found = fit.object.locate(&new).unwrap();
        let (inner, projection) = (found.inner.unwrap(), found.projection.unwrap());
        let nodes = net.graph.nodes();
        for (i, x) in values[160..].chunks(2).enumerate() {
            let r: Vec<f64> =
                nodes.rows().map(|y| (-0.5 * beta * squared_distance(x, y)).exp()).collect();
            let total: f64 = r.iter().sum();
            let mode = (0..30).max_by(|&a, &b| r[a].total_cmp(&r[b])).unwrap();
            let share = |k: usize| match position {
                LatentPosition::Mean => r[k] / total,
                LatentPosition::Mode => f64::from(k == mode),
            };
            for axis in 0..2 {
                let grid = |k: usize| if axis == 0 { k / 5 } else { k % 5 } as f64;
                let expected: f64 = (0..30).map(|k| share(k) * grid(k)).sum();
                assert!((inner.row(i)[axis] - expected).abs() < 1e-9);
            }
            let at = |axis: usize| (0..30).map(|k| share(k) * nodes.row(k)[axis]).sum::<f64>();
            let apart = squared_distance(x, &[at(0), at(1)]).sqrt();
            assert!((projection.distance[i] - apart).abs() < 1e-9);
        }
    }
}

#[test]
fn points_on_the_start_and_far_points_are_learned() {
    // The starting nodes hit both points: the variance around them has a floor.
    let points = Points::from_f64(vec![0.0, 0.0, 1.0, 1.0], 2).unwrap();
    let fit = line(5).fit(&points, Given::default(), &mut Silent).unwrap();
    assert!(fit.graph().unwrap().nodes().as_slice().iter().all(|x| x.is_finite()));
    let far: Vec<f64> = distorted_s().iter().map(|x| x + 1e7).collect();
    let points = Points::from_f64(far, 2).unwrap();
    let fit = line(5).fit(&points, Given::default(), &mut Silent).unwrap();
    assert!(fit.notes[0].starts_with("ridge = 0.001 is strong"), "{:?}", fit.notes);
}

#[test]
fn bad_settings_are_named() {
    let message = |settings: Gtm| settings.check().unwrap_err().to_string();
    let sides = |sides: &[usize]| Sides::Exactly(sides.to_vec());
    assert!(message(Gtm { sides: sides(&[2, 3, 4]), ..Gtm::default() }).contains("two for a map"));
    assert!(message(Gtm { functions: sides(&[5]), ..Gtm::default() }).contains("has 2 axes"));
    assert!(message(Gtm { functions: sides(&[1, 4]), ..Gtm::default() }).contains("at least 2"));
    assert!(message(Gtm { ridge: 0.0, ..Gtm::default() }).starts_with("ridge = 0"));
    let narrow = Points::from_f64(vec![0.0, 1.0, 2.0], 1).unwrap();
    let refused = Gtm::default().fit(&narrow, Given::default(), &mut Silent).unwrap_err();
    assert!(refused.to_string().contains("needs 2 dimensions; the points have 1 column"));
}

/// Solves a small system by elimination.
fn eliminated(mut system: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = system.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| system[a][i].abs().total_cmp(&system[b][i].abs()));
        system.swap(i, pivot.unwrap());
        right.swap(i, pivot.unwrap());
        for j in (0..n).filter(|&j| j != i) {
            let factor = system[j][i] / system[i][i];
            let (from, sum) = (system[i].clone(), right[i].clone());
            system[j].iter_mut().zip(&from).for_each(|(to, from)| *to -= factor * from);
            right[j].iter_mut().zip(&sum).for_each(|(to, from)| *to -= factor * from);
        }
    }
    (0..n).map(|i| right[i].iter().map(|x| x / system[i][i]).collect()).collect()
}

/// EM by the definition: all responsibilities, and dense systems.
#[test]
fn steps_are_those_of_the_definition() {
    let text = include_str!("../../../tests/data/circle.csv");
    let cells = text.lines().skip(1).flat_map(|line| line.split(',').take(2));
    let values: Vec<f64> = cells.map(|x| x.parse().unwrap()).collect();
    let rows: Vec<&[f64]> = values.chunks(2).collect();
    let fit =
        line(25).fit(&Points::from_f64(values.clone(), 2).unwrap(), Given::default(), &mut Silent);
    let fit = fit.unwrap();
    // The principal segment, by the angle of the covariance.
    let mean = [0, 1].map(|d| rows.iter().map(|x| x[d]).sum::<f64>() / 100.0);
    let product = |a: usize, b: usize| -> f64 {
        rows.iter().map(|x| (x[a] - mean[a]) * (x[b] - mean[b])).sum()
    };
    let angle = 0.5 * (2.0 * product(0, 1)).atan2(product(0, 0) - product(1, 1));
    let score = |x: &&[f64]| (x[0] - mean[0]) * angle.cos() + (x[1] - mean[1]) * angle.sin();
    let low = rows.iter().map(score).fold(f64::INFINITY, f64::min);
    let high = rows.iter().map(score).fold(f64::NEG_INFINITY, f64::max);
    let latent: Vec<f64> = (0..20).map(|k| -1.0 + 2.0 * k as f64 / 19.0).collect();
    let start = |u: &f64| {
        let score = low + 0.5 * (u + 1.0) * (high - low);
        [mean[0] + score * angle.cos(), mean[1] + score * angle.sin()]
    };
    let function = |u: f64, m: usize| match m {
        0..6 => (-0.5 * ((u + 1.0 - 0.4 * m as f64) / 0.8).powi(2)).exp(),
        6 => u,
        _ => 1.0,
    };
    let straight: Vec<[f64; 2]> = latent.iter().map(start).collect();
    let over = |of: &dyn Fn(usize) -> f64| (0..20).map(of).sum::<f64>();
    let at = |k: usize, m: usize| function(latent[k], m);
    let mapped = |weights: &[Vec<f64>]| -> Vec<[f64; 2]> {
        let node = |k: usize| [0, 1].map(|d| (0..8).map(|m| weights[m][d] * at(k, m)).sum::<f64>());
        (0..20).map(node).collect()
    };
    // The start: least squares with a ridge of 1e-9.
    let entry =
        |a: usize, b: usize| over(&|k| at(k, a) * at(k, b)) + if a == b { 1e-9 } else { 0.0 };
    let system = (0..8).map(|a| (0..8).map(|b| entry(a, b)).collect()).collect();
    let right = (0..8).map(|m| (0..2).map(|d| over(&|k| at(k, m) * straight[k][d])).collect());
    let mut nodes = mapped(&eliminated(system, right.collect()));
    let nearest =
        |x: &&[f64]| nodes.iter().map(|y| squared_distance(x, y)).fold(f64::INFINITY, f64::min);
    let mut beta = 100.0 / rows.iter().map(nearest).sum::<f64>();
    for step in 1..=25 {
        let shares = |x: &&[f64]| -> Vec<f64> {
            let r: Vec<f64> =
                nodes.iter().map(|y| (-0.5 * beta * squared_distance(x, y)).exp()).collect();
            let total: f64 = r.iter().sum();
            r.iter().map(|r| r / total).collect()
        };
        let shares: Vec<Vec<f64>> = rows.iter().map(shares).collect();
        let mass = |k: usize| shares.iter().map(|r| r[k]).sum::<f64>();
        let pull =
            |k: usize, d: usize| rows.iter().zip(&shares).map(|(x, r)| r[k] * x[d]).sum::<f64>();
        let entry = |a: usize, b: usize| {
            let ridge = if a == b { 1e-3 / beta } else { 0.0 };
            ridge + over(&|k| mass(k) * at(k, a) * at(k, b))
        };
        let system = (0..8).map(|a| (0..8).map(|b| entry(a, b)).collect()).collect();
        let right = (0..8).map(|m| (0..2).map(|d| over(&|k| at(k, m) * pull(k, d))).collect());
        let weights = eliminated(system, right.collect());
        nodes = mapped(&weights);
        let apart = rows
            .iter()
            .zip(&shares)
            .map(|(x, r)| (0..20).map(|k| r[k] * squared_distance(x, &nodes[k])).sum::<f64>());
        beta = 200.0 / apart.sum::<f64>();
        let density = |x: &&[f64]| {
            let sum: f64 = nodes.iter().map(|y| (-0.5 * beta * squared_distance(x, y)).exp()).sum();
            (beta / std::f64::consts::TAU * sum / 20.0).ln()
        };
        let squares: f64 = weights.iter().flatten().map(|w| w * w).sum();
        let expected = -rows.iter().map(density).sum::<f64>() + 0.5e-3 * squares;
        let found = fit.trace[step];
        assert!((found - expected).abs() < 1e-8, "step {step}: {found} {expected}");
    }
}
