//! Against the plain definition, and against principal components.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::LocalPca;
use crate::learn::{ComponentCount, Fit, Given, Method, NodeCount, Pca};
use crate::object::{Flats, Object};
use crate::observe::Silent;
use crate::points::Points;

fn wave(n: usize, dims: usize) -> Points<'static> {
    let wave = |i: usize| (1.7 * i as f64 + (i * i % 31) as f64).sin() / (i % dims + 1) as f64;
    Points::from_f64((0..n * dims).map(wave).collect::<Vec<_>>(), dims).unwrap()
}

fn flats(fit: &Fit) -> &Flats {
    let Object::Flats(flats) = &fit.object else { panic!("local-pca learns flats") };
    flats
}

#[test]
fn one_piece_is_the_principal_flat() {
    let points = wave(400, 4);
    let settings =
        LocalPca { n_clusters: NodeCount::Exactly(1), n_components: 2, ..LocalPca::default() };
    let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    let pca = Pca { n_components: ComponentCount::Exactly(2), ..Pca::default() };
    let whole = pca.fit(&points, Given::default(), &mut Silent).unwrap();
    let (found, expected) = (&flats(&fit).flats()[0], &flats(&whole).flats()[0]);
    let pairs = found.axes.as_slice().iter().zip(expected.axes.as_slice());
    pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-10));
    found.center.iter().zip(&expected.center).for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
}

#[test]
fn at_the_end_each_piece_is_the_principal_flat_of_its_nearest_points() {
    let points = wave(600, 3);
    let settings =
        LocalPca { n_clusters: NodeCount::Exactly(3), tol: 0.0, n_init: 2, ..LocalPca::default() };
    let fit = settings.fit(&points, Given::default(), &mut Silent).unwrap();
    assert!(fit.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12));
    let error = 600.0 * fit.object.mean_squared_distance(&points).unwrap();
    assert!((error - fit.objective()).abs() < 1e-10);
    let nearest = fit.object.project(&points).unwrap().node;
    for (number, flat) in flats(&fit).flats().iter().enumerate() {
        let mut rows = Vec::new();
        let mut row = [0.0; 3];
        for i in (0..600).filter(|&i| nearest[i] == number) {
            points.copy_row(i, &mut row);
            rows.extend(row);
        }
        assert_eq!(rows.len() / 3, flat.mass as usize);
        let pca = Pca { n_components: ComponentCount::Exactly(1), ..Pca::default() };
        let rows = Points::from_f64(rows, 3).unwrap();
        let own = pca.fit(&rows, Given::default(), &mut Silent).unwrap();
        let own = &flats(&own).flats()[0];
        let pairs = own.axes.as_slice().iter().zip(flat.axes.as_slice());
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-8, "{a} {b}"));
    }
}

#[test]
fn flats_of_too_many_dimensions_are_refused() {
    let settings = LocalPca { n_components: 3, ..LocalPca::default() };
    let error = settings.fit(&wave(50, 3), Given::default(), &mut Silent).unwrap_err();
    assert!(error.to_string().contains("must be less than the number of columns, 3"), "{error}");
    let settings = LocalPca { n_clusters: NodeCount::Exactly(60), ..LocalPca::default() };
    let error = settings.fit(&wave(50, 3), Given::default(), &mut Silent).unwrap_err();
    assert!(error.to_string().contains("there are only 50 points"), "{error}");
}

/// Three lines that cross, five parallel ones, and a single line.
#[test]
fn the_number_of_pieces_is_found() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut noise = || (0..12).map(|_| rng.random::<f64>() - 0.5).sum::<f64>() * 0.02;
    let along = |i: usize| (i / 5) as f64 / 60.0 - 1.0;
    let crossing = |i: usize| [0, 1, 2].map(|d| if i % 3 == d { along(i) } else { 0.0 });
    let parallel = |i: usize| [along(i), (i % 5) as f64, 0.0];
    let single = |i: usize| [along(i), 2.0 * along(i), 0.0];
    let row = |shape: usize, i: usize| match shape {
        0 => crossing(i),
        1 => parallel(i),
        _ => single(i),
    };
    for (shape, expected) in [3, 5, 1].into_iter().enumerate() {
        let rows: Vec<f64> = (0..600).flat_map(|i| row(shape, i)).map(|x| x + noise()).collect();
        let points = Points::from_f64(rows, 3).unwrap();
        let fit = LocalPca::default().fit(&points, Given::default(), &mut Silent).unwrap();
        assert_eq!(flats(&fit).flats().len(), expected);
        assert_eq!(fit.choices[0].value, expected);
    }
}
