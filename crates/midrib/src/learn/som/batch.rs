//! The step of batch training. Gorban2009, SOM approach: batch SOM algorithm.

use rayon::prelude::*;

use crate::connect::Net;
use crate::math::Matrix;
use crate::place::Assigned;

/// Each node at the mean of the points, weighted by how near their nodes are on the net. A node too
/// far from all points to feel any of them stays.
pub(super) fn moved(net: &Net, nodes: &Matrix, assigned: &Assigned, radius: f64) -> Matrix {
    let dims = nodes.n_cols();
    let mut moved = nodes.clone();
    let occupied: Vec<usize> =
        (0..net.len()).filter(|&node| assigned.sums.mass[node] > 0.0).collect();
    moved.as_mut_slice().par_chunks_mut(dims).enumerate().for_each(|(node, row)| {
        let mut sum = vec![0.0; dims];
        // Of each coordinate, or of all alike.
        let mut weight = vec![0.0; if assigned.observed().is_some() { dims } else { 1 }];
        for &other in &occupied {
            let near = (-0.5 * net.squared_steps(node, other) / (radius * radius)).exp();
            let known = match assigned.observed() {
                Some(observed) => observed.row(other),
                None => &assigned.sums.mass[other..=other],
            };
            let pulls = sum.iter_mut().zip(assigned.sums.weighted.row(other));
            pulls.for_each(|(sum, x)| *sum += near * x);
            weight.iter_mut().zip(known).for_each(|(weight, mass)| *weight += near * mass);
        }
        for ((x, sum), weight) in row.iter_mut().zip(sum).zip(weight.iter().cycle()) {
            if *weight > 0.0 {
                *x = sum / weight;
            }
        }
    });
    moved
}
