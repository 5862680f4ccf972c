//! Against the figures of an independent program, and on surfaces whose shape is known.

use std::f64::consts::TAU;

use super::plan::springs;
use super::{ElasticMap, Epochs, ModulusOf, Sides};
use crate::connect::{Net, NetShape};
use crate::learn::{AutoOr, End, Fit, Given, Method, NodeCount, TrimmingRadius};
use crate::math::Matrix;
use crate::object::Surface;
use crate::observe::Silent;
use crate::points::{Cloud, Points};
use crate::prepare::{Components, Pca, deviations};
use crate::synth::{Shape, Synth};

const TREE: &str = include_str!("../../../tests/data/tree.csv");

/// All columns but the last, which holds labels.
fn tree() -> Points<'static> {
    let rows: Vec<Vec<f64>> = TREE
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|field| field.parse().unwrap()).collect())
        .collect();
    let dims = rows[0].len() - 1;
    let values: Vec<f64> = rows.iter().flat_map(|row| &row[..dims]).copied().collect();
    Points::from_f64(values, dims).unwrap()
}

fn fit(settings: &ElasticMap, points: &Points<'_>) -> Fit {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

fn exactly(sides: &[usize]) -> Sides {
    Sides::Exactly(sides.to_vec())
}

/// Pseudo-random numbers between −1 and 1.
fn noise(n: usize) -> Vec<f64> {
    let mut state = 1_u64;
    (0..n)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
        })
        .collect()
}

#[test]
fn the_energies_of_all_epochs() {
    let epochs = [1000.0, 100.0, 10.0, 1.0];
    let expected = [0.454_387_526, 0.210_855_490, 0.052_875_175, 0.013_282_335];
    for (count, expected) in (1..=4).zip(expected) {
        let settings = ElasticMap {
            sides: exactly(&[8, 8]),
            stretching: AutoOr::Fixed(0.001),
            bending: AutoOr::Fixed(0.01),
            moduli: ModulusOf::Each,
            epochs: Epochs(epochs[..count].to_vec()),
            tol: 1e-13,
            max_iter: 10_000,
            ..ElasticMap::default()
        };
        let fitted = fit(&settings, &tree());
        assert!((fitted.objective() - expected).abs() < 1e-9, "{count} {}", fitted.objective());
        assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-14));
        assert_eq!(fitted.end, End::Converged);
    }
}

/// A net twice as fine on the same plane, or bent in the same way, has the same energies.
#[test]
fn moduli_of_the_whole_hold_at_any_resolution() {
    let energies = |shape: NetShape, sides: &[usize], bent: fn(&[f64]) -> Vec<f64>| {
        let net = Net::new(shape, sides).unwrap();
        let share = |(u, side): (&f64, &usize)| u / (*side - 1) as f64;
        let row = |u: &[f64]| bent(&u.iter().zip(sides).map(share).collect::<Vec<_>>());
        let rows: Vec<Vec<f64>> = net.inner.rows().map(row).collect();
        let (stretching, bending) = net.moduli(1.0, 1.0);
        springs(&net, stretching, bending).energies(&Matrix::from_rows(&rows).unwrap())
    };
    let line = |t: &[f64]| vec![t[0], t[0] * t[0]];
    let sheet = |t: &[f64]| vec![t[0], t[1], t[0] * t[0]];
    let block = |t: &[f64]| vec![t[0], t[1], t[2], t[0] * t[0]];
    for (shape, coarse, fine, bent) in [
        (NetShape::Chain, vec![200], vec![400], line as fn(&[f64]) -> Vec<f64>),
        (NetShape::Rectangle, vec![60, 60], vec![120, 120], sheet),
        (NetShape::Box, vec![30, 30, 30], vec![60, 60, 60], block),
    ] {
        let (a, b) = (energies(shape, &coarse, bent), energies(shape, &fine, bent));
        assert!((a.0 / b.0 - 1.0).abs() < 0.05, "{shape:?} {a:?} {b:?}");
        assert!((a.1 / b.1 - 1.0).abs() < 0.05, "{shape:?} {a:?} {b:?}");
    }
}

/// The share of the variance that the map leaves unexplained.
fn left(settings: &ElasticMap, points: &Points<'_>) -> f64 {
    let fitted = fit(settings, points);
    let slack = 1e-12 * fitted.trace[0];
    assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + slack));
    let surface = fitted.object.surface().unwrap().clone();
    let variance: f64 = deviations(points).unwrap().iter().map(|d| d * d).sum();
    surface.project(points).unwrap().mean_squared_distance(points).unwrap() / variance
}

fn left_by_components(points: &Points<'_>, count: usize) -> f64 {
    1.0 - Pca::fit(Components::Count(count), points).unwrap().shares.iter().sum::<f64>()
}

#[test]
fn nets_find_the_surface_that_they_are_shaped_like() {
    let u = noise(4000);
    let on = |place: &dyn Fn(f64, f64) -> [f64; 3]| {
        let values: Vec<f64> = u.chunks_exact(2).flat_map(|u| place(u[0], u[1])).collect();
        Points::from_f64(values, 3).unwrap()
    };
    let half = 0.5 * TAU;
    let sphere = on(&|u, v| {
        let flat = (1.0 - u * u).sqrt();
        [flat * (half * v).cos(), flat * (half * v).sin(), u]
    });
    let torus = on(&|u, v| {
        let ring = 2.0 + 0.7 * (half * v).cos();
        [ring * (half * u).cos(), ring * (half * u).sin(), 0.7 * (half * v).sin()]
    });
    let tube = on(&|u, v| [3.0 * u, (half * v).cos(), (half * v).sin()]);
    let saddle = on(&|u, v| [u, v, 0.8 * (u * u - v * v)]);
    let usual = ElasticMap { n_nodes: NodeCount::Exactly(200), ..ElasticMap::default() };
    let soft = ElasticMap {
        stretching: AutoOr::Fixed(1e-4),
        bending: AutoOr::Fixed(1e-6),
        ..usual.clone()
    };
    for (net, points, most) in [
        (NetShape::Sphere, &sphere, 0.005),
        (NetShape::Torus, &torus, 0.005),
        (NetShape::Cylinder, &tube, 0.005),
        (NetShape::Rectangle, &saddle, 0.005),
        (NetShape::Triangular, &saddle, 0.005),
    ] {
        let found = left(&ElasticMap { net, ..soft.clone() }, points);
        let linear = left_by_components(points, 2);
        assert!(found < most && linear > 10.0 * most, "{net:?} {found} {linear}");
        let found = left(&ElasticMap { net, ..usual.clone() }, points);
        assert!(found < 0.3 * linear, "{net:?} {found} {linear}");
    }
    let circle: Vec<f64> = u.iter().flat_map(|u| [(half * u).cos(), (half * u).sin()]).collect();
    let arc: Vec<f64> = u.iter().flat_map(|u| [(2.0 * u).cos(), (2.0 * u).sin()]).collect();
    for (net, values) in [(NetShape::Ring, circle), (NetShape::Chain, arc)] {
        let points = Points::from_f64(values, 2).unwrap();
        let found = left(&ElasticMap { net, ..usual.clone() }, &points);
        let linear = left_by_components(&points, 1);
        assert!(found < 0.005 && linear > 0.1, "{net:?} {found} {linear}");
    }
    let values: Vec<f64> =
        u.chunks_exact(3).flat_map(|u| [u[0], u[1], u[2], 0.8 * u[0] * u[1]]).collect();
    let points = Points::from_f64(values, 4).unwrap();
    let found = left(&ElasticMap { net: NetShape::Box, ..soft }, &points);
    let linear = left_by_components(&points, 3);
    assert!(found < 0.5 * linear, "{found} {linear}");
}

#[test]
fn a_rectangle_lies_far_closer_to_a_roll_than_its_principal_plane() {
    let wish = Synth { shape: Shape::SwissRoll, n: 2_000, dims: 3, noise: 0.05, seed: 1 };
    let points = wish.generate().unwrap().points;
    let linear = left_by_components(&points, 2);
    let found = left(&ElasticMap::default(), &points);
    assert!(found < 0.4 * linear && linear > 0.2, "{found} {linear}");
    let soft = ElasticMap {
        stretching: AutoOr::Fixed(1e-3),
        bending: AutoOr::Fixed(1e-4),
        n_nodes: NodeCount::Exactly(200),
        ..ElasticMap::default()
    };
    let found = left(&soft, &points);
    assert!(found < 0.15 * linear, "{found} {linear}");
}

#[test]
fn a_margin_continues_every_border() {
    for (shape, sides) in [
        (NetShape::Chain, vec![4]),
        (NetShape::Rectangle, vec![3, 4]),
        (NetShape::Triangular, vec![3, 4]),
        (NetShape::Triangular, vec![4, 3]),
        (NetShape::Box, vec![2, 3, 3]),
    ] {
        let net = Net::new(shape, &sides).unwrap();
        let dims = shape.dims();
        // The net is a plane: the point with coordinates u lies at 2u, whether inside or beyond.
        let mut nodes = net.inner.clone();
        nodes.as_mut_slice().iter_mut().for_each(|x| *x *= 2.0);
        let surface = Surface::new(net, &nodes, 2).unwrap();
        let values: Vec<f64> = noise(50 * dims).iter().map(|u| 4.0 + 6.0 * u).collect();
        let points = Points::from_f64(values.clone(), dims).unwrap();
        let positions = surface.project(&points).unwrap();
        let end = |axis: usize| match (shape, axis) {
            (NetShape::Triangular, 0) => 0.75_f64.sqrt() * (sides[0] + 1) as f64,
            _ => (sides[axis] + 1) as f64,
        };
        for (i, x) in values.chunks_exact(dims).enumerate() {
            if (0..dims).all(|axis| x[axis] > -3.0 && x[axis] < 2.0 * end(axis) - 1.0) {
                assert!(positions.distance[i] < 1e-12, "{shape:?} {x:?} {}", positions.distance[i]);
                let pairs = positions.coordinates.row(i).iter().zip(x);
                pairs.for_each(|(u, x)| assert!((u - x / 2.0).abs() < 1e-12, "{shape:?}"));
            }
        }
    }
}

#[test]
fn closed_axes_count_from_the_start_again() {
    let net = Net::new(NetShape::Ring, &[4]).unwrap();
    let nodes = Matrix::from_rows(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]).unwrap();
    let surface = Surface::new(net, &nodes, 1).unwrap();
    let points = Points::from_f64(vec![0.5, -0.5, 2.0, 0.0, 0.1, 0.9], 2).unwrap();
    let positions = surface.project(&points).unwrap();
    let expected = [3.5, 0.0, 0.9];
    for (u, expected) in positions.coordinates.as_slice().iter().zip(expected) {
        assert!((u - expected).abs() < 1e-12);
    }
    let density = surface.density(&points, &positions.coordinates).unwrap();
    assert!(density[0] > density[1] && density[1] > density[2]);
}

/// The kernel's integral over a line, summed at steps of one, is 1.
#[test]
fn densities_are_shares_of_the_points() {
    let net = Net::new(NetShape::Chain, &[30]).unwrap();
    let nodes = net.inner.clone();
    let surface = Surface::new(net, &nodes, 0).unwrap();
    let values: Vec<f64> = noise(200).iter().map(|u| 14.5 + 8.0 * u).collect();
    let points = Points::from_f64(values, 1).unwrap();
    let density = surface.density(&points, &surface.project(&points).unwrap().coordinates).unwrap();
    assert!((density.iter().sum::<f64>() - 1.0).abs() < 1e-6);
}

#[test]
fn points_beyond_the_radius_are_ignored() {
    let u = noise(800);
    let mut values: Vec<f64> = u.chunks_exact(2).flat_map(|u| [u[0], u[1], 0.0]).collect();
    let clean = Points::from_f64(values.clone(), 3).unwrap();
    values.extend([0.0, 0.0, 50.0]);
    let spoilt = Points::from_f64(values, 3).unwrap();
    let settings = ElasticMap {
        sides: exactly(&[5, 5]),
        trimming_radius: TrimmingRadius::Finite(1.5),
        stretching: AutoOr::Fixed(0.01),
        ..ElasticMap::default()
    };
    let net = Net::new(NetShape::Rectangle, &[5, 5]).unwrap();
    let rows: Vec<[f64; 3]> =
        net.inner.rows().map(|u| [u[0] / 2.0 - 1.0, u[1] / 2.0 - 1.0, 0.0]).collect();
    let start = Matrix::from_rows(&rows).unwrap();
    let of = |points| settings.fit(points, Some(&start).into(), &mut Silent).unwrap();
    let (a, b) = (of(&clean), of(&spoilt));
    for (x, y) in
        a.graph().unwrap().nodes().as_slice().iter().zip(b.graph().unwrap().nodes().as_slice())
    {
        assert!((x - y).abs() < 0.01, "{x} {y}");
    }
    assert_eq!(b.graph().unwrap().mass().iter().sum::<f64>(), 400.0);
}

/// A sheet with outliers all around: a radius that is estimated leaves out these alone.
#[test]
fn an_estimated_radius_leaves_outliers_of_a_sheet_alone() {
    let u = noise(2000);
    let mut values: Vec<f64> =
        u.chunks_exact(2).flat_map(|u| [u[0], u[1], 0.5 * u[0] * u[0]]).collect();
    let clean = Points::from_f64(values.clone(), 3).unwrap();
    values.extend(noise(120).iter().map(|u| 6.0 * u));
    let spoilt = Points::from_f64(values, 3).unwrap();
    let trimmed = ElasticMap { trimming_radius: TrimmingRadius::Auto, ..ElasticMap::default() };
    for net in [NetShape::Rectangle, NetShape::Triangular] {
        let settings = ElasticMap { net, ..trimmed.clone() };
        let surface = fit(&settings, &spoilt).object.surface().unwrap().clone();
        let away = surface.project(&clean).unwrap().mean_squared_distance(&clean).unwrap();
        assert!(away < 0.01, "{net:?} {away}");
        assert!(left(&settings, &clean) < 0.01, "{net:?}");
    }
}

/// A saddle a fifth of whose values are missing, and the whole of it.
fn with_missing() -> (Points<'static>, Points<'static>) {
    let u = noise(1200);
    let whole: Vec<f64> = u
        .chunks_exact(2)
        .flat_map(|u| [u[0], u[1], 0.8 * (u[0] * u[0] - u[1] * u[1]), u[0] + u[1], u[0] - u[1]])
        .collect();
    let gap = noise(whole.len());
    let known = whole.iter().zip(&gap);
    let known: Vec<f64> = known.map(|(x, gap)| if *gap < -0.6 { f64::NAN } else { *x }).collect();
    (Points::from_f64(whole, 5).unwrap(), Points::from_f64(known, 5).unwrap())
}

#[test]
fn missing_values_change_the_map_little() {
    let (whole, known) = with_missing();
    assert!(known.missing_values() > 500);
    let settings = ElasticMap { sides: exactly(&[7, 7]), ..ElasticMap::default() };
    let fitted = fit(&settings, &known);
    let slack = 1e-12 * fitted.trace[0];
    assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + slack));
    let surface = fitted.object.surface().unwrap().clone();
    let variance: f64 = deviations(&whole).unwrap().iter().map(|d| d * d).sum();
    let found = surface.project(&whole).unwrap().mean_squared_distance(&whole).unwrap() / variance;
    let (best, linear) = (left(&settings, &whole), left_by_components(&whole, 2));
    assert!(found < best + 0.1 * (linear - best), "{found} {best} {linear}");
}

/// With missing values, the energy rises if any coordinate of a node is moved.
#[test]
fn every_coordinate_depends_on_the_points_that_have_it() {
    use crate::assign::observed_sums;
    use crate::place::SpringSystem;
    let (_, known) = with_missing();
    let cloud = Cloud::with_missing(&known).unwrap();
    let net = Net::new(NetShape::Rectangle, &[3, 4]).unwrap();
    let springs = springs(&net, 0.01, 0.1);
    let start = Matrix::new(12, 5, noise(60)).unwrap();
    let held = observed_sums(&cloud, &start, f64::INFINITY).unwrap();
    let mut system = SpringSystem::new(springs.clone(), 12, Vec::new());
    let placed = system.place(&held.sums, Some(&held.observed), &start).unwrap();
    let energy = |nodes: &Matrix| {
        let (stretching, bending) = springs.energies(nodes);
        let mut data = 0.0;
        for (node, y) in nodes.rows().enumerate() {
            for (d, y) in y.iter().enumerate() {
                let (mass, sum) = (held.observed.row(node)[d], held.sums.weighted.row(node)[d]);
                data += mass * y * y - 2.0 * y * sum;
            }
        }
        stretching + bending + data / held.sums.weight
    };
    let least = energy(&placed);
    for i in 0..60 {
        for by in [-1e-4, 1e-4] {
            let mut moved = placed.clone();
            moved.as_mut_slice()[i] += by;
            assert!(energy(&moved) > least, "value {i}");
        }
    }
}

#[test]
fn the_density_at_a_pole_does_not_depend_on_the_meridian() {
    let net = Net::new(NetShape::Sphere, &[3, 8]).unwrap();
    let nodes = Matrix::from_rows(
        &net.inner
            .rows()
            .map(|at| {
                let (tilt, turn) =
                    (at[0] * std::f64::consts::PI / 4.0, at[1] * std::f64::consts::TAU / 8.0);
                [tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos()]
            })
            .collect::<Vec<_>>(),
    )
    .unwrap();
    let surface = Surface::new(net, &nodes, 0).unwrap();
    let density = |turn: f64| {
        let tilt = 0.4_f64;
        let point = vec![tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos()];
        let points = Points::from_f64(point, 3).unwrap();
        surface.density(&points, &surface.project(&points).unwrap().coordinates).unwrap()[0]
    };
    let eighth = std::f64::consts::TAU / 8.0;
    assert!((density(0.1) - density(0.1 + 3.0 * eighth)).abs() < 1e-9 * density(0.1));
    let unknown = Points::from_f64(vec![f64::NAN; 3], 3).unwrap();
    assert!(surface.project(&unknown).unwrap_err().to_string().contains("every value is missing"));
}

#[test]
fn invalid_settings_are_refused() {
    let points = tree();
    let refused = |settings: ElasticMap, word: &str| {
        let message = settings.fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let default = ElasticMap::default;
    refused(
        ElasticMap { stretching: AutoOr::Fixed(0.0), ..default() },
        "stretching = 0: must be positive",
    );
    refused(
        ElasticMap { bending: AutoOr::Fixed(-1.0), ..default() },
        "bending = -1: must be 0 or positive",
    );
    refused(
        ElasticMap { sides: exactly(&[1, 8]), ..default() },
        "sides = 1x8: side 1 is open and needs at least 2 nodes",
    );
    refused(
        ElasticMap { sides: exactly(&[100_000, 100_000]), ..default() },
        "sides = 100000x100000: a net may have at most 1000000 nodes",
    );
    refused(ElasticMap { margin: 1_000, ..default() }, "margin = 1000: must be at most 100 steps");
    refused(
        ElasticMap { sides: exactly(&[8]), ..default() },
        "sides = 8: a rectangle net has 2 sides",
    );
    refused(
        ElasticMap { sides: exactly(&[8, 8]), n_nodes: NodeCount::Exactly(9), ..default() },
        "n_nodes = 9: the sides are given as 8x8: leave n_nodes out",
    );
    refused(ElasticMap { epochs: Epochs(vec![]), ..default() }, "give at least one factor");
    refused(
        ElasticMap { epochs: Epochs(vec![1.0, 2.0]), ..default() },
        "factors must not increase",
    );
    refused(ElasticMap { epochs: Epochs(vec![0.0]), ..default() }, "all factors must be positive");
    refused(
        ElasticMap { net: NetShape::Sphere, ..default() },
        "net = sphere: needs 3 dimensions; the points have 2 columns",
    );
    refused(
        ElasticMap { trimming_radius: TrimmingRadius::Finite(0.0), ..default() },
        "trimming_radius = 0: must be positive",
    );
    let start = Matrix::from_rows(&[[0.0, 0.0], [1.0, 1.0]]).unwrap();
    let settings = ElasticMap { sides: exactly(&[3, 3]), ..default() };
    let message = settings.fit(&points, Some(&start).into(), &mut Silent).unwrap_err().to_string();
    assert!(message.contains("the given start has 2 nodes, a rectangle net of 3x3 has 9"));
}

#[test]
fn lists_are_read_and_written() {
    let read = |text: &str| serde_json::from_str::<ElasticMap>(text);
    let settings = read(r#"{"sides": "4x5", "epochs": [10, 1]}"#).unwrap();
    assert_eq!(settings.sides, exactly(&[4, 5]));
    assert_eq!(settings.epochs.to_string(), "10,1");
    assert_eq!(read(r#"{"sides": 7}"#).unwrap().sides, exactly(&[7]));
    for (text, word) in [
        (r#"{"sides": "4xa"}"#, "4xa is not \"auto\" or whole numbers such as 12x8"),
        (r#"{"sides": "4x2.5"}"#, "4x2.5 is not"),
        (r#"{"epochs": "soft"}"#, "soft is not numbers such as 1000,100,10,1"),
    ] {
        let message = read(text).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    }
}
