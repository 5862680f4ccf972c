//! A fit without any settings finds the right number of tips on generated trees.
#![allow(clippy::unwrap_used, clippy::panic)]

use midrib::learn::{Given, Method, SimplePpt};
use midrib::synth::{Shape, Synth};
use midrib::{Points, Silent};

const SEEDS: [u64; 2] = [11, 12];

/// 72 trees: 0, 2 or 6 branch points, few or many points, 2, 10 or 50 dimensions, two noises.
fn trees() -> Vec<Synth> {
    let mut trees = Vec::new();
    for branch_points in [0, 2, 6] {
        for n in [400, 4000] {
            for dims in [2, 10, 50] {
                for noise in [0.05, 0.15] {
                    for seed in SEEDS {
                        let shape = Shape::Tree { branch_points };
                        trees.push(Synth { shape, n, dims, noise, seed });
                    }
                }
            }
        }
    }
    trees
}

fn scaled(points: &Points<'_>, factor: f64) -> Points<'static> {
    let mut values = vec![0.0; points.len() * points.dims()];
    for (i, row) in values.chunks_exact_mut(points.dims()).enumerate() {
        points.copy_row(i, row);
        for x in row {
            *x *= factor;
        }
    }
    Points::from_f64(values, points.dims()).unwrap()
}

#[test]
fn tips_are_right_in_nine_of_ten_trees_at_any_scale() {
    for factor in [1.0, 1e-3, 1e3] {
        let mut right = 0;
        for tree in trees() {
            let sample = tree.generate().unwrap();
            let points = scaled(&sample.points, factor);
            let fitted = SimplePpt::default().fit(&points, Given::default(), &mut Silent).unwrap();
            let (found, expected) =
                (fitted.graph().unwrap().tips().len(), sample.truth.tips().len());
            right += usize::from(found == expected);
            if found != expected {
                println!("{tree:?} x {factor}: {found} tips instead of {expected}");
            }
        }
        println!("scale {factor}: {right} of 72 right");
        assert!(right >= 65, "scale {factor}: only {right} of 72 trees have the right tips");
    }
}
