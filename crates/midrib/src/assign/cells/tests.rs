//! Against a look at every point and every node.

use super::*;
use proptest::prelude::*;

fn wave(n: usize, dims: usize, seed: f64) -> Matrix {
    let value = |i: usize| (seed + 1.7 * i as f64 + (i * i % 31) as f64).sin();
    Matrix::new(n, dims, (0..n * dims).map(value).collect()).unwrap()
}

/// The nearest node of every point, the weight of those that know each coordinate, and the mean
/// square, with nothing known before.
fn by_force(rows: &Rows, nodes: &Matrix) -> (Vec<f64>, Matrix, f64) {
    let mut mass = vec![0.0; nodes.n_rows()];
    let mut known = Matrix::zeros(nodes.n_rows(), nodes.n_cols());
    let mut total = 0.0;
    for x in rows.values.rows() {
        let square = |(x, y): (&f64, &f64)| if x.is_nan() { 0.0 } else { (x - y) * (x - y) };
        let distances = nodes.rows().map(|y| x.iter().zip(y).map(square).sum::<f64>()).enumerate();
        let (near, least) = distances.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        if least.sqrt() <= rows.radius {
            mass[near] += 1.0;
            let knows = x.iter().map(|x| f64::from(u8::from(!x.is_nan())));
            known.row_mut(near).iter_mut().zip(knows).for_each(|(to, knows)| *to += knows);
        }
        total += least.min(rows.radius * rows.radius);
    }
    (mass, known, total / rows.values.n_rows() as f64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn what_moved_is_what_a_new_assignment_finds(
        n in 5_usize..200,
        k in 2_usize..15,
        dims in prop::sample::select(vec![1, 2, 3, 4, 5, 8, 9]),
        seed in 0.0_f64..9.0,
        shake in prop::sample::select(vec![0.0, 1e-3, 0.03, 0.3]),
        radius in prop::sample::select(vec![0.4, 1.2, f64::INFINITY]),
        gap in prop::sample::select(vec![usize::MAX, 5, 3]),
    ) {
        let mut values = wave(n, dims, seed);
        // Every point knows its first coordinate.
        let gaps = (0..n * dims).filter(|i| i % dims > 0 && i % gap == gap - 1);
        gaps.for_each(|i| values.as_mut_slice()[i] = f64::NAN);
        let rows = Arc::new(Rows::new(values, vec![1.0; n], radius));
        let mut nodes = wave(k, dims, seed + 5.0);
        let mut kept = Cells::new(&rows, &nodes);
        for round in 0..7 {
            let mut next = nodes.clone();
            // Some nodes stay, some hardly move.
            let moves = wave(nodes.n_rows(), dims, seed + round as f64);
            for node in 0..next.n_rows() {
                let far = [1.0, 0.0, 0.01][node % 3] * shake;
                let by = moves.row(node);
                next.row_mut(node).iter_mut().zip(by).for_each(|(x, by)| *x += far * by);
            }
            let mut from: Vec<Option<usize>> = (0..next.n_rows()).map(Some).collect();
            if round % 3 == 1 {
                let mut values = next.as_slice().to_vec();
                values.extend((0..dims).map(|d| 0.1 * (round + d) as f64));
                next = Matrix::new(from.len() + 1, dims, values).unwrap();
                from.push(None);
            } else if round % 3 == 2 && from.len() > 2 {
                from.remove(round % from.len());
                next = next.select_rows(from.iter().flatten().copied());
            }
            let (mass, known, mean_square) = by_force(&rows, &next);
            let mut followed = kept.follow(&from);
            // Through range that the nodes do not stay at.
            let mut astray = next.clone();
            for (x, by) in astray.as_mut_slice().iter_mut().zip(wave(next.n_rows(), dims, seed).as_slice()) {
                *x += shake * by;
            }
            for range in [&next, &astray, &astray, &next] {
                kept.keep_up(&mut followed, range, &from);
            }
            let moved = followed.tally;
            kept = kept.around(&next, &from);
            for tally in [&moved, kept.tally(), &kept.afresh(&next)] {
                for (a, b) in tally.sums.mass.iter().zip(&mass) {
                    prop_assert!((a - b).abs() < 1e-9, "{a} {b}");
                }
                if let Some(found) = &tally.observed {
                    for (a, b) in found.as_slice().iter().zip(known.as_slice()) {
                        prop_assert!((a - b).abs() < 1e-9, "{a} {b}");
                    }
                }
                prop_assert!((tally.mean_square(&next) - mean_square).abs() < 1e-12);
            }
            nodes = next;
        }
    }
}
