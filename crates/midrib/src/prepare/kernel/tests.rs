//! Against the definition, pair by pair.

use super::*;
use crate::math::{Matrix, squared_distance};
use crate::points::Points;
use crate::prepare::{Components, Preparation, Scale, Transform};

fn spiral(n: usize, shift: f64) -> Vec<f64> {
    let at = |i: usize| 9.0 * i as f64 / n as f64;
    let noise = |i: usize| 0.1 * (i as f64 * 1.7 + (i * i % 13) as f64).sin();
    (0..n)
        .flat_map(|i| [at(i) * at(i).cos(), at(i) * at(i).sin(), noise(i)])
        .map(|x| x + shift)
        .collect()
}

fn preparation(function: &str, columns: KernelColumns) -> Preparation {
    let kernel = Kernel { function: function.parse().unwrap(), columns };
    Preparation { kernel: Some(kernel), ..Preparation::default() }
}

fn rows(points: &Points<'_>) -> Matrix {
    let mut rows = Matrix::zeros(points.len(), points.dims());
    for i in 0..points.len() {
        points.copy_row(i, rows.row_mut(i));
    }
    rows
}

fn kernel_rows(preparation: Preparation, points: &Points<'_>) -> Matrix {
    rows(&Transform::fit(preparation, points).unwrap().apply(points).unwrap())
}

#[test]
fn every_value_is_that_of_its_pair() {
    // Also far from 0, and for neighbors that are near beside the extent of all.
    for (shift, beta) in [(0.0, 4.0), (1e5, 4.0), (0.0, 1e-6)] {
        let points = Points::from_f64(spiral(150, shift), 3).unwrap();
        let x = rows(&points);
        let gaussian =
            kernel_rows(preparation(&format!("gaussian:{beta}"), KernelColumns::All), &points);
        let linear = kernel_rows(preparation("linear", KernelColumns::All), &points);
        for i in 0..150 {
            assert_eq!(gaussian.row(i)[i], 1.0);
            for j in 0..150 {
                let expected = (-squared_distance(x.row(i), x.row(j)) / beta).exp();
                assert!((gaussian.row(i)[j] - expected).abs() < 1e-7, "{i} {j}");
                let expected: f64 = x.row(i).iter().zip(x.row(j)).map(|(a, b)| a * b).sum();
                let size = x.row(i).iter().chain(x.row(j)).fold(1.0_f64, |m, x| m.max(x.abs()));
                assert!((linear.row(i)[j] - expected).abs() < 1e-6 * size * size, "{i} {j}");
            }
        }
    }
}

#[test]
fn the_width_is_that_of_the_paper_on_standard_columns_and_scales_with_the_data() {
    let beta = |scale: Scale, factor: f64| {
        let values: Vec<f64> = spiral(150, 0.0).iter().map(|x| x * factor).collect();
        let points = Points::from_f64(values, 3).unwrap();
        let preparation = Preparation { scale, ..preparation("gaussian", KernelColumns::All) };
        let transform = Transform::fit(preparation, &points).unwrap();
        match transform.kernel.unwrap().function {
            Similarity::Gaussian { beta } => beta,
            Similarity::Linear => panic!("not a width"),
        }
    };
    assert!((beta(Scale::Unit, 7.0) - 3.0).abs() < 1e-12);
    assert!((beta(Scale::None, 10.0) / beta(Scale::None, 1.0) - 100.0).abs() < 1e-10);
    let x = rows(&Points::from_f64(spiral(150, 0.0), 3).unwrap());
    let pairs = x.rows().flat_map(|a| x.rows().map(move |b| squared_distance(a, b)));
    let half_mean = pairs.sum::<f64>() / 150.0 / 150.0 / 2.0;
    assert!((beta(Scale::None, 1.0) / half_mean - 1.0).abs() < 1e-12);
    let equal = Points::from_f64(vec![2.0; 9], 3).unwrap();
    assert_eq!(kernel_rows(preparation("gaussian", KernelColumns::All), &equal).row(0), [1.0; 3]);
}

#[test]
fn weights_count_like_repeated_rows() {
    let values = spiral(60, 0.0);
    let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 4)).collect();
    let repeated: Vec<f64> =
        values.chunks(3).zip(&weights).flat_map(|(row, &w)| row.repeat(w as usize)).collect();
    let weighted = Points::from_f64(values, 3).unwrap().with_weights(weights.clone()).unwrap();
    let repeated = Points::from_f64(repeated, 3).unwrap();
    let at: Vec<usize> =
        (0..60).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let a = kernel_rows(preparation("gaussian", KernelColumns::All), &weighted);
    let b = kernel_rows(preparation("gaussian", KernelColumns::All), &repeated);
    for i in 0..at.len() {
        let (x, y) = (a.row(at[i]), a.row(at[0]));
        let difference = squared_distance(x, y) - squared_distance(b.row(i), b.row(0));
        assert!(difference.abs() < 1e-4, "{difference}");
    }
}

#[test]
fn landmarks_keep_the_distances_of_the_whole_matrix() {
    let n = 900;
    let points = Points::from_f64(spiral(n, 0.0), 3).unwrap();
    for function in ["gaussian", "gaussian:6", "linear"] {
        let whole = kernel_rows(preparation(function, KernelColumns::All), &points);
        let few = kernel_rows(preparation(function, KernelColumns::Landmarks(60)), &points);
        assert_eq!((few.n_rows(), few.n_cols()), (n, 60));
        for (i, j) in (0..n).map(|i| (i, (7 * i + 200) % n)) {
            let expected = squared_distance(whole.row(i), whole.row(j));
            let found = squared_distance(few.row(i), few.row(j));
            let rest = (found - expected).abs();
            assert!(rest < 0.03 * expected + 1e-3, "{function} {i} {j}: {found} {expected}");
        }
    }
    // No more than there are points, and all of them then.
    let plenty = kernel_rows(preparation("gaussian:2", KernelColumns::Landmarks(n)), &points);
    assert_eq!(plenty, kernel_rows(preparation("gaussian:2", KernelColumns::All), &points));
    let kernel = |columns| Kernel { function: KernelFunction::Linear, columns };
    assert_eq!(kernel(KernelColumns::All).bytes(20_000), 1_600_000_000);
    assert_eq!(kernel(KernelColumns::Landmarks(500)).bytes(20_000), 40_000_000);
}

#[test]
fn equal_points_are_one_landmark() {
    let values: Vec<f64> = (0..90).map(|i| f64::from(i % 3)).collect();
    let points = Points::from_f64(values, 1).unwrap();
    let few = Transform::fit(preparation("gaussian", KernelColumns::Landmarks(10)), &points);
    let map = few.unwrap().kernel.unwrap();
    assert_eq!((map.n_columns(), map.weights), (3, vec![30.0; 3]));
}

#[test]
fn any_number_of_threads_and_any_company_give_the_same_rows() {
    let points = Points::from_f64(spiral(1500, 0.0), 3).unwrap();
    for (columns, pca) in [
        (KernelColumns::All, None),
        // More columns than are taken apart as a whole.
        (KernelColumns::All, Some(Components::Share(0.9))),
        (KernelColumns::Landmarks(40), Some(Components::Count(4))),
    ] {
        let preparation =
            Preparation { scale: Scale::Unit, pca, ..preparation("gaussian", columns) };
        let fits = [1, 2, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let transform = Transform::fit(preparation, &points).unwrap();
                let rows = rows(&transform.apply(&points).unwrap());
                (transform, rows)
            })
        });
        assert!(fits.iter().all(|fit| *fit == fits[0]), "{columns:?} {pca:?}");
        let (transform, all) = &fits[0];
        let some = Points::from_f64(spiral(1500, 0.0)[..3 * 100].to_vec(), 3).unwrap();
        let some = rows(&transform.apply(&some).unwrap());
        assert!(some.rows().zip(all.rows()).all(|(a, b)| squared_distance(a, b) < 1e-20));
        if pca == Some(Components::Share(0.9)) {
            let held: f64 = transform.pca.as_ref().unwrap().shares.iter().sum();
            assert!((0.9..1.0).contains(&held), "{held}");
        }
    }
}

#[test]
fn a_record_reads_back_and_its_damage_is_found() {
    let points = Points::from_f64(spiral(40, 0.0), 3).unwrap();
    let preparation = Preparation {
        pca: Some(Components::Count(2)),
        ..preparation("gaussian", KernelColumns::Landmarks(10))
    };
    let whole = Transform::fit(preparation, &points).unwrap();
    whole.check().unwrap();
    let json = serde_json::to_value(&whole).unwrap();
    assert_eq!(serde_json::from_value::<Transform>(json.clone()).unwrap(), whole);
    assert_eq!((whole.dims_in(), whole.dims_out()), (3, 2));
    assert!(whole.invert(&Matrix::zeros(1, 2)).is_err());

    let message = |damage: &dyn Fn(&mut KernelMap)| {
        let mut damaged = whole.clone();
        damage(damaged.kernel.as_mut().unwrap());
        damaged.check().unwrap_err().to_string()
    };
    let beta = message(&|map| map.function = Similarity::Gaussian { beta: 0.0 });
    assert_eq!(beta, "kernel.function: beta is 0, not positive");
    let shape = message(&|map| map.reference = Matrix::zeros(10, 2));
    assert_eq!(shape, "kernel.reference: expected rows of 3 values, found 10 of 2");
    let value = message(&|map| map.reference.row_mut(1)[0] = f64::NAN);
    assert_eq!(value, "kernel.reference[3] is NaN, not a finite number");
    let weights = message(&|map| map.weights.truncate(4));
    assert_eq!(weights, "kernel.weights: expected 10, found 4");
    assert_eq!(message(&|map| map.weights[2] = -1.0), "kernel.weights[2] is -1, not positive");
    let rows = message(&|map| {
        map.reference = Matrix::zeros(9, 3);
        map.weights.clear();
    });
    assert_eq!(rows, "pca.axes: expected rows of 9 values, found 2 of 10");

    let unreadable = |key: &str, value: serde_json::Value| {
        let mut json = json.clone();
        json["kernel"]["reference"][key] = value;
        serde_json::from_value::<Transform>(json).unwrap_err().to_string()
    };
    let count = unreadable("rows", 9.into());
    assert_eq!(count, "the values of a packed matrix: expected 9 x 3, found 30");
    assert!(unreadable("values", "?".into()).starts_with("the values of a packed matrix: "));
    assert_eq!(unreadable("values", "AAAA".into()), "the values of a packed matrix are cut off");
}

#[test]
fn unusable_kernels_are_refused() {
    let message = |text: &str| text.parse::<KernelFunction>().unwrap_err().to_string();
    for text in ["gaussian:0", "gaussian:-1", "gaussian:inf", "gaussian:nan", "gaussian:"] {
        assert_eq!(message(text), format!("kernel = {text}: {MUST_BE_POSITIVE}"));
    }
    assert!(message("gausian").contains("did you mean \"gaussian\"?"));
    assert!(message("poly").contains("give gaussian, gaussian:BETA or linear"));
    assert!(message("linear:1").contains("has no beta"));
    for text in ["linear", "gaussian", "gaussian:0.5"] {
        assert_eq!(text.parse::<KernelFunction>().unwrap().to_string(), text);
    }
    let points = Points::from_f64(vec![0.0, 1.0, f64::NAN], 1).unwrap();
    let gaps = Transform::fit(preparation("linear", KernelColumns::All), &points).unwrap_err();
    assert!(gaps.to_string().contains("a kernel needs complete points"), "{gaps}");
    let points = Points::from_f64(vec![0.0, 1e30], 1).unwrap();
    let large = Transform::fit(preparation("linear", KernelColumns::All), &points).unwrap();
    let large = large.apply(&points).unwrap_err().to_string();
    assert!(large.contains("is 1.000e60, too large for single precision"), "{large}");
    let none = preparation("linear", KernelColumns::Landmarks(0));
    assert!(Transform::fit(none, &points).unwrap_err().to_string().contains("give at least 1"));
}
