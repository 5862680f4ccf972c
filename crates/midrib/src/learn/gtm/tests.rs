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
