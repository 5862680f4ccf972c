//! Wrong guesses of what is decided must not matter.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::interior_point::{self, AIM};
use super::super::mapping::{Entries, Mapping};
use super::super::part::Part;
use super::*;

/// As soon as anything is decided.
const EAGER: Shrinking = Shrinking { least_pairs: 0, share: 0.97, share_if_cheap: 0.97 };

/// Random points of a noisy line, each paired with those next to it.
struct Line {
    matrix: PairMatrix,
    column_sizes: Vec<f64>,
    costs: Vec<f64>,
}

impl Line {
    fn new(seed: u64) -> Self {
        let (n, dims, reach) = (60, 4, 5);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut noise = || 0.2 * (rng.random::<f64>() - 0.5);
        let along = |row: usize, d: usize| ((row as f64) / 15.0 + d as f64).sin();
        let rows: Vec<f64> = (0..n * dims).map(|i| along(i / dims, i % dims) + noise()).collect();
        let near = |a: usize| (a + 1..(a + 1 + reach).min(n)).map(move |b| (a, b));
        let matrix = PairMatrix::new(n, dims, rows, (0..n).flat_map(near).collect());
        let squared = |&(a, b): &(usize, usize)| {
            let both = matrix.row(a).iter().zip(matrix.row(b));
            both.map(|(x, y)| (x - y).powi(2)).sum::<f64>()
        };
        let costs = matrix.pairs.iter().map(squared).collect();
        Self { column_sizes: matrix.column_sizes(), costs, matrix }
    }

    fn scaled(&self) -> Scaled<'_, PairMatrix> {
        Scaled {
            matrix: &self.matrix,
            target: &self.matrix.rows,
            column_sizes: &self.column_sizes,
            costs: self.costs.clone(),
        }
    }

    fn newton(&self) -> Newton {
        Newton::of_form(&self.matrix, true).unwrap()
    }
}

fn assert_same(first: &Found, second: &Found) {
    assert!(first.relative_gap() <= AIM && second.relative_gap() <= AIM);
    assert!((first.value - second.value).abs() <= 2.0 * AIM * first.value);
}

#[test]
fn a_part_has_the_optimum_of_the_whole() {
    for seed in 0..20 {
        let line = Line::new(seed);
        let program = line.scaled();
        let whole = interior_point::solve(&program, &mut line.newton());
        assert_same(&whole, &solve(&program, &mut line.newton(), EAGER).unwrap());
    }
}

/// Fixes the heaviest pair at 0 and some met values as missed. Most often the parts take them
/// back; the whole program does in any case.
#[test]
fn what_was_fixed_wrongly_is_put_back() {
    let mut closed_on_parts = 0;
    for seed in 0..20 {
        let line = Line::new(seed);
        let program = line.scaled();
        let whole = interior_point::solve(&program, &mut line.newton());
        let (mut search, mut newton) = (Search::new(&program), line.newton());
        while search.found.relative_gap() > 1e-2 {
            assert!(search.advance(&mut newton));
        }
        let mut undecided = Undecided::at(&search.at, program.column_sizes);
        let by_weight = |&a: &usize, &b: &usize| whole.weights[a].total_cmp(&whole.weights[b]);
        let heaviest = (0..whole.weights.len()).max_by(by_weight).unwrap();
        undecided.pairs[heaviest] = false;
        let is_met = |value: &usize| whole.bound.multipliers[*value].abs() < 0.9;
        let met = (0..program.target.len()).filter(is_met);
        met.step_by(40).for_each(|value| undecided.values[value] = false);
        let left_at = search.at.clone();
        close_on_parts(&program, &mut search, undecided, EAGER).unwrap();
        closed_on_parts += usize::from(search.found.relative_gap() <= AIM);
        search.go_back_to(left_at);
        while search.advance(&mut newton) {}
        assert_same(&whole, &search.found);
    }
    assert!(closed_on_parts > 10, "{closed_on_parts} of 20");
}

/// A part of every third pair and value is stepped on but can never close the gap: the whole program
/// does, from the point that it was left at.
#[test]
fn the_whole_goes_on_where_it_was_left() {
    for seed in 0..5 {
        let line = Line::new(seed);
        let program = line.scaled();
        let (mut search, mut newton) = (Search::new(&program), line.newton());
        for _ in 0..4 {
            assert!(search.advance(&mut newton));
        }
        let (left_at, steps) = (search.at.clone(), search.found.steps);
        let third = |n: usize| (0..n).map(|i| i % 3 == 0).collect();
        let (pairs, values) = (third(program.costs.len()), third(program.target.len()));
        let part = Part::new(&program, &Undecided { pairs, values }, &left_at);
        let never = Shrinking { least_pairs: 0, share: 0.0, share_if_cheap: 0.0 };
        part.search(&mut search, never).unwrap();
        assert!(search.found.steps > steps && search.found.relative_gap() > AIM);
        search.go_back_to(left_at);
        while search.advance(&mut newton) {}
        assert_same(&interior_point::solve(&program, &mut line.newton()), &search.found);
    }
}

/// Something good that was proven before must not make the steps from an earlier point look idle.
#[test]
fn what_was_proven_before_does_not_stop_the_search() {
    for seed in 0..5 {
        let line = Line::new(seed);
        let program = line.scaled();
        let (mut search, mut newton) = (Search::new(&program), line.newton());
        while search.found.relative_gap() > 1e-6 {
            assert!(search.advance(&mut newton));
        }
        search.go_back_to(Search::new(&program).at);
        while search.advance(&mut newton) {}
        assert_same(&interior_point::solve(&program, &mut line.newton()), &search.found);
    }
}

/// Repaired multipliers satisfy every constraint, prove the value they claim, and lose less than a
/// fifth of what shrinking loses.
#[test]
fn excess_is_repaired_where_it_is() {
    for seed in 0..20 {
        let line = Line::new(seed);
        let program = line.scaled();
        let best = interior_point::solve(&program, &mut line.newton()).bound;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let off: Vec<f64> = best
            .multipliers
            .iter()
            .map(|u| (u + 1e-5 * (rng.random::<f64>() - 0.5)).clamp(-1.0, 1.0))
            .collect();
        let earnings = line.matrix.earnings(&off);
        let (shrunk, repaired) =
            (program.bound(&off, &earnings).value, program.repaired(&off, &earnings));
        assert!(best.value - repaired.value < 0.2 * (best.value - shrunk), "seed {seed}");
        let pairs = program.target.iter().zip(&repaired.multipliers);
        let proven: f64 = pairs.map(|(target, u)| target * u).sum();
        assert!((repaired.value - proven).abs() < 1e-12 * proven.abs());
        assert!(repaired.multipliers.iter().all(|u| u.abs() <= 1.0));
        let earned = line.matrix.earnings(&repaired.multipliers);
        let bounds = program.costs.iter().zip(program.column_sizes);
        for (earned, (cost, size)) in earned.iter().zip(bounds) {
            assert!(*earned <= cost + 1e-13 * size, "{earned} {cost}");
        }
    }
}
