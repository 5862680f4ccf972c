//! Against the plain definition, and on curves that are known.

use std::f64::consts::PI;

use super::KSegments;
use crate::learn::{End, Fit, Given, Method, NodeCount};
use crate::math::{dot, squared_distance};
use crate::observe::Silent;
use crate::points::Points;

fn fit(settings: &KSegments, rows: &[Vec<f64>]) -> Fit {
    let points = Points::from_f64(rows.concat(), rows[0].len()).unwrap();
    settings.fit(&points, Given::default(), &mut Silent).unwrap()
}

fn tree() -> Vec<Vec<f64>> {
    let text = include_str!("../../../tests/data/tree.csv");
    let row = |line: &str| line.split(',').take(2).map(|x| x.parse().unwrap()).collect();
    text.lines().skip(1).map(row).collect()
}

/// A segment by its middle, direction and half its length.
type Plain = ([f64; 2], [f64; 2], f64);

/// The first principal axis of points in the plane, by the angle of its covariance.
fn axis<'a>(rows: impl Iterator<Item = &'a Vec<f64>> + Clone) -> Plain {
    let n = rows.clone().count() as f64;
    let mean = [0, 1].map(|d| rows.clone().map(|x| x[d]).sum::<f64>() / n);
    let product = |a: usize, b: usize| {
        rows.clone().map(|x| (x[a] - mean[a]) * (x[b] - mean[b])).sum::<f64>() / n
    };
    let (xx, xy, yy) = (product(0, 0), product(0, 1), product(1, 1));
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let variance = 0.5 * (xx + yy) + (0.25 * (xx - yy).powi(2) + xy * xy).sqrt();
    (mean, [angle.cos(), angle.sin()], 1.5 * variance.sqrt())
}

fn distance(x: &[f64], (middle, along, half): &Plain) -> f64 {
    let from = [x[0] - middle[0], x[1] - middle[1]];
    let t = dot(&from, along).clamp(-half, *half);
    squared_distance(&from, &[t * along[0], t * along[1]])
}

/// The segments of the paper before they are joined, with every point as a candidate.
fn plain_segments(rows: &[Vec<f64>], count: usize) -> Vec<Plain> {
    let mut segments = vec![axis(rows.iter())];
    loop {
        for _ in 0..200 {
            let nearest = |x: &Vec<f64>| {
                let of = |s: usize| distance(x, &segments[s]);
                (0..segments.len()).min_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap()
            };
            let own: Vec<usize> = rows.iter().map(nearest).collect();
            let of =
                |s: usize| rows.iter().zip(&own).filter(move |(_, at)| **at == s).map(|(x, _)| x);
            segments = (0..segments.len()).map(|s| axis(of(s))).collect();
        }
        if segments.len() == count {
            return segments;
        }
        let least: Vec<f64> = rows
            .iter()
            .map(|x| segments.iter().map(|s| distance(x, s)).fold(f64::INFINITY, f64::min))
            .collect();
        let nearer = |q: &Vec<f64>| -> Vec<usize> {
            (0..rows.len()).filter(|&i| squared_distance(&rows[i], q) < least[i]).collect()
        };
        let gain = |q: &Vec<f64>| -> f64 {
            let near = nearer(q);
            let falls = near.iter().map(|&i| least[i] - squared_distance(&rows[i], q));
            if near.len() < 3 { 0.0 } else { falls.sum() }
        };
        let best = rows.iter().max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap();
        segments.push(axis(nearer(best).iter().map(|&i| &rows[i])));
    }
}

#[test]
fn segments_are_those_of_the_definition() {
    let rows = tree();
    for count in [1, 2, 5, 8] {
        let settings = KSegments {
            n_segments: NodeCount::Exactly(count),
            tol: 1e-13,
            max_iter: 200,
            ..KSegments::default()
        };
        let fitted = fit(&settings, &rows);
        let nodes = fitted.graph().unwrap().nodes();
        assert_eq!((nodes.n_rows(), fitted.iterations), (2 * count, count));
        let mut free = 0;
        for (middle, along, half) in plain_segments(&rows, count) {
            for t in [-half, half] {
                let missed = |times: f64| {
                    let end = [0, 1].map(|d| middle[d] + times * t * along[d]);
                    let apart = nodes.rows().map(|node| squared_distance(node, &end));
                    apart.fold(f64::INFINITY, f64::min)
                };
                let is_free = missed(2.0 / 3.0_f64.sqrt()) < 1e-18;
                free += usize::from(is_free);
                assert!(is_free || missed(1.0) < 1e-18, "{count}: {}", missed(1.0));
            }
        }
        assert_eq!(free, 2);
    }
}

#[test]
fn the_description_length_is_that_of_the_definition() {
    let rows = tree();
    let settings = KSegments { n_segments: NodeCount::Exactly(4), ..KSegments::default() };
    let fitted = fit(&settings, &rows);
    let points = Points::from_f64(rows.concat(), 2).unwrap();
    let (n, graph) = (rows.len() as f64, fitted.graph().unwrap());
    let mean = fitted.object.mean_squared_distance(&points).unwrap();
    let expected = n * graph.length().ln() + 0.5 * n * mean.ln() + 8.0 * n.ln();
    assert!((fitted.objective() - expected).abs() < 1e-9 * expected.abs(), "{expected}");
}

#[test]
fn a_spiral_is_followed_from_end_to_end() {
    let noise = |i: usize| 0.05 * (1.7 * i as f64 + (i * i % 31) as f64).sin();
    let at = |i: usize| 1.5 * PI + 4.0 * PI * (i as f64 / 600.0).sqrt();
    let row = |i: usize| {
        let t = at(i);
        vec![t * t.cos() + noise(i), t * t.sin() + noise(3 * i + 1)]
    };
    let rows: Vec<Vec<f64>> = (0..600).map(row).collect();
    let fitted = fit(&KSegments::default(), &rows);
    assert_eq!(fitted.end, End::Converged);
    let points = Points::from_f64(rows.concat(), 2).unwrap();
    let projection = fitted.graph().unwrap().project(&points).unwrap();
    let along: Vec<f64> = projection
        .edge
        .iter()
        .zip(&projection.edge_pos)
        .map(|(edge, at)| edge.unwrap() as f64 + at)
        .collect();
    let rises = along.windows(2).filter(|pair| pair[1] > pair[0]).count();
    let back = along.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert!(rises.max(back) > 560, "{rises} {back}");
    assert!((along[599] - along[0]).abs() > 0.9 * (fitted.graph().unwrap().edges().len() as f64));
}

#[test]
fn a_line_is_one_segment() {
    let rows: Vec<Vec<f64>> =
        (0..50).map(|i| vec![f64::from(i), 2.0 * f64::from(i), 1.0 - f64::from(i)]).collect();
    let fitted = fit(&KSegments::default(), &rows);
    assert_eq!(fitted.choices[0].value, 1);
    assert_eq!(fitted.graph().unwrap().nodes().n_rows(), 2);
    let one: Vec<Vec<f64>> = (0..20).map(|i| vec![f64::from(i * i)]).collect();
    assert_eq!(fit(&KSegments::default(), &one).graph().unwrap().loops(), 0);
}

#[test]
fn bad_settings_are_named() {
    let message = |settings: KSegments| settings.check().unwrap_err().to_string();
    let of = |n_segments| KSegments { n_segments, ..KSegments::default() };
    assert!(message(of(NodeCount::All)).contains("fewer segments than points"));
    assert!(message(of(NodeCount::Exactly(0))).starts_with("n_segments = 0"));
    assert!(message(KSegments { angle_penalty: -1.0, ..KSegments::default() }).contains("angle"));
    let points = Points::from_f64(vec![0.0, 1.0, 2.0, 0.0], 2).unwrap();
    let refused = of(NodeCount::Exactly(3)).fit(&points, Given::default(), &mut Silent);
    assert!(refused.unwrap_err().to_string().contains("there are only 2 points"));
}
