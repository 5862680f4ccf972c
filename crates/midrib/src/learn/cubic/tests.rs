//! Products whose factors are known.

use super::factors::Factors;
use super::settings::Cubic;
use crate::connect::{Change, Topology};
use crate::learn::{End, Given, InfOr, Method, NodeCount};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::place::{Springs, Star};
use crate::points::Points;

/// A Y of three arms in the first two columns, times a segment in the third.
fn y_times_segment(length: f64) -> Points<'static> {
    let mut values = Vec::new();
    for arm in 0..3 {
        let angle = std::f64::consts::TAU * f64::from(arm) / 3.0 + 0.4;
        for i in 0..20 {
            let along = f64::from(i) / 19.0 * [1.0, 1.3, 1.1][arm as usize];
            for j in 0..15 {
                let up = length * f64::from(j) / 14.0;
                let wave = 0.02 * f64::from((i * 7 + j * 5 + arm * 3) % 11 - 5) / 5.0;
                values.extend([along * angle.cos() + wave, along * angle.sin() - wave, up]);
            }
        }
    }
    Points::from_f64(values, 3).unwrap()
}

#[test]
fn a_placement_that_does_not_converge_is_reported() {
    let points = y_times_segment(2.0);
    let settings = Cubic { max_iter: 1, tol: 0.0, ..Cubic::default() };
    let fitted = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    assert_eq!(fitted.end, End::MaxIter);
}

#[test]
fn a_y_times_a_segment_is_found() {
    let points = y_times_segment(4.0);
    let settings = Cubic { n_nodes: NodeCount::Exactly(28), ..Cubic::default() };
    let fitted = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    let note = &fitted.notes[0];
    assert!(note.starts_with("product of a path of ") && note.contains("with 3 tips"), "{note}");
    let left =
        fitted.graph().unwrap().project(&points).unwrap().mean_squared_distance(&points).unwrap();
    assert!(left < 0.05, "{left}");
    assert!((fitted.graph().unwrap().mass().iter().sum::<f64>() - 900.0).abs() < 1e-9);
}

/// The energies of the product, copy by copy, with each tree's own springs.
#[test]
fn energies_add_up_over_the_copies() {
    let star = Topology::new(4, &[(0, 1), (0, 2), (0, 3)]);
    let path = Topology::new(3, &[(0, 1), (1, 2)]);
    let wave = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin();
    let nodes = Matrix::new(12, 2, (0..24).map(wave).collect()).unwrap();
    let found = Factors([star, path]).springs(0.3, 0.7).energies(&nodes);
    let of = |edges: &[(usize, usize)], leaves: Vec<usize>, center: usize, rows: &[usize]| {
        let edges = edges.iter().map(|&(a, b)| (a, b, 0.3)).collect();
        let stars = vec![Star { center, leaves, modulus: 0.7 }];
        Springs { edges, stars }.energies(&nodes.select_rows(rows.iter().copied()))
    };
    let mut expected = (0.0, 0.0);
    let mut add = |(stretching, bending): (f64, f64)| {
        expected = (expected.0 + stretching, expected.1 + bending);
    };
    for b in 0..3 {
        add(of(&[(0, 1), (0, 2), (0, 3)], vec![1, 2, 3], 0, &[b, 3 + b, 6 + b, 9 + b]));
    }
    for a in 0..4 {
        add(of(&[(0, 1), (1, 2)], vec![0, 2], 1, &[3 * a, 3 * a + 1, 3 * a + 2]));
    }
    assert!((found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12);
}

#[test]
fn a_change_acts_on_all_copies() {
    let edge = Topology::new(2, &[(0, 1)]);
    let factors = Factors([edge.clone(), edge]);
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]]).unwrap();
    let none: [Option<Vec<f64>>; 6] = Default::default();
    let halved = factors.changed(0, Change::Bisect(0, 1), &nodes, &none[..4]);
    assert_eq!(halved.factors.len(), 6);
    assert_eq!(halved.nodes.as_slice()[8..], [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(halved.factors.edges().len(), 2 * 2 + 3);
    let longer = factors.changed(1, Change::AddTo(1), &nodes, &none[..4]);
    let rows: Vec<&[f64]> = longer.nodes.rows().collect();
    assert_eq!(rows[2], [0.0, 2.0]);
    assert_eq!(rows[5], [2.0, 2.0]);
    let back = longer.factors.changed(1, Change::Remove(2), &longer.nodes, &none);
    assert_eq!((back.factors, back.nodes), (factors, nodes));
}

#[test]
fn invalid_settings_are_refused() {
    let points = y_times_segment(2.0);
    let refused = |settings: Cubic, word: &str| {
        let message = settings.fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let default = Cubic::default;
    refused(Cubic { stretching: 0.0, ..default() }, "stretching = 0: must be positive");
    refused(
        Cubic { max_star_order: InfOr::Finite(1.0), ..default() },
        "max_star_order = 1: must be a whole number of at least 2, or inf",
    );
    refused(Cubic { n_nodes: NodeCount::Exactly(9999), ..default() }, "there are only 900 points");
    let line = Points::from_f64(vec![0.0, 1.0, 2.0], 1).unwrap();
    let message = default().fit(&line, Given::default(), &mut Silent).unwrap_err().to_string();
    assert!(message.contains("1 column"), "{message}");
}
