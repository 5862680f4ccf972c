//! A sample that represents all points and does not depend on the order of the rows.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::error::Result;
use crate::points::{Cloud, Points};

/// At most `size` of the points, in the caller's coordinates, with weights that add up to the
/// weight of all. A set that is small enough is returned whole, equal points as one, in the order
/// that follows.
///
/// Points are ordered by their distance from the mean, equal ones side by side, and picked at
/// even steps of weight along that order. So shuffled rows, moved or rotated data give the
/// same sample, and a point of weight 2 counts like two equal rows.
///
/// ```
/// use midrib::{Cloud, Points, prepare::sample};
/// let points = Points::from_f64((0..1000).map(f64::from).collect::<Vec<_>>(), 1)?;
/// let small = sample(&Cloud::new(&points)?, 100)?;
/// assert_eq!((small.len(), small.total_weight()), (100, 1000.0));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn sample(cloud: &Cloud<'_>, size: usize) -> Result<Points<'static>> {
    let differing = by_distance_from_mean(cloud)?;
    let picked = if differing.len() <= size {
        differing
    } else {
        even_steps(&differing, cloud.total_weight() / size as f64, size)
    };
    let rows: Vec<usize> = picked.iter().map(|&(i, _)| i as usize).collect();
    let values = cloud.source().read_rows(&rows)?.into_vec();
    let weights: Vec<f64> = picked.iter().map(|&(_, weight)| weight).collect();
    Points::from_f64(values, cloud.dims())?.with_weights(weights)
}

/// Walks along points and picks the one in the middle of each of `size` equal weights.
fn even_steps(points: &[(u32, f64)], step: f64, size: usize) -> Vec<(u32, f64)> {
    let mut picked = Vec::with_capacity(size);
    let mut passed = 0.0;
    let mut steps = 0;
    for &(i, weight) in points {
        passed += weight;
        let reached = ((passed / step + 0.5).floor() as usize).min(size);
        if reached > steps {
            picked.push((i, step * (reached - steps) as f64));
            steps = reached;
        }
    }
    picked
}

/// The points that have weight, from the mean outward, with their weights; points at the same
/// distance by their coordinates, and equal points as one.
fn by_distance_from_mean(cloud: &Cloud<'_>) -> Result<Vec<(u32, f64)>> {
    let distances: Vec<f64> = cloud
        .per_block(|chunk, rows| {
            let mut row = vec![0.0; chunk.dims()];
            rows.map(|i| {
                chunk.copy_row(i, &mut row);
                let square = |x: &f64| if x.is_nan() { 0.0 } else { x * x };
                row.iter().map(square).sum::<f64>()
            })
            .collect::<Vec<_>>()
        })?
        .concat();
    let distance = |i: u32| distances[i as usize];
    let mut order: Vec<u32> =
        (0..cloud.len() as u32).filter(|&i| cloud.weight(i as usize) > 0.0).collect();
    order.par_sort_unstable_by(|&i, &j| distance(i).total_cmp(&distance(j)).then(i.cmp(&j)));
    let mut differing: Vec<(u32, f64)> = Vec::with_capacity(order.len());
    let weighted = |i: u32| (i, cloud.weight(i as usize));
    let is_tie = |&i: &u32, &j: &u32| distance(i).total_cmp(&distance(j)).is_eq();
    for at_distance in order.chunk_by(is_tie) {
        match at_distance {
            [i] => differing.push(weighted(*i)),
            tied => differing.extend(by_coordinates(cloud, tied)?),
        }
    }
    Ok(differing)
}

/// Points at the same distance by their coordinates, with their weights; equal points as one.
fn by_coordinates(cloud: &Cloud<'_>, tied: &[u32]) -> Result<Vec<(u32, f64)>> {
    let rows: Vec<usize> = tied.iter().map(|&i| i as usize).collect();
    let values = cloud.source().read_rows(&rows)?;
    let compare = |a: usize, b: usize| {
        let compared = values.row(a).iter().zip(values.row(b)).map(|(a, b)| a.total_cmp(b));
        compared.fold(Ordering::Equal, Ordering::then)
    };
    let mut order: Vec<usize> = (0..tied.len()).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let equal = order.chunk_by(|&a, &b| compare(a, b).is_eq());
    let weight = |at: &usize| cloud.weight(rows[*at]);
    Ok(equal.map(|equal| (tied[equal[0]], equal.iter().map(weight).sum())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(n: usize) -> Vec<f64> {
        (0..2 * n).map(|i| (1.3 * i as f64 + (i * i % 17) as f64).sin()).collect()
    }

    fn rows(points: &Points<'_>) -> Vec<[f64; 2]> {
        (0..points.len())
            .map(|i| {
                let mut row = [0.0; 2];
                points.copy_row(i, &mut row);
                row
            })
            .collect()
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let values = wave(500);
        let reversed: Vec<f64> = values.chunks(2).rev().flatten().copied().collect();
        let (a, b) = (Points::from_f64(values, 2).unwrap(), Points::from_f64(reversed, 2).unwrap());
        for size in [70, 1000] {
            let (a, b) = (Cloud::new(&a).unwrap(), Cloud::new(&b).unwrap());
            assert_eq!(rows(&sample(&a, size).unwrap()), rows(&sample(&b, size).unwrap()));
        }
    }

    #[test]
    fn weights_count_like_repeated_rows() {
        let values = wave(200);
        let weights: Vec<f64> = (0..200).map(|i| f64::from(i % 4)).collect();
        let repeated: Vec<f64> =
            values.chunks(2).zip(&weights).flat_map(|(row, &w)| row.repeat(w as usize)).collect();
        let weighted = Points::from_f64(values, 2).unwrap().with_weights(weights).unwrap();
        let repeated = Points::from_f64(repeated, 2).unwrap();
        for size in [50, 160, 250] {
            let a = sample(&Cloud::new(&weighted).unwrap(), size).unwrap();
            let b = sample(&Cloud::new(&repeated).unwrap(), size).unwrap();
            assert_eq!(rows(&a), rows(&b));
            assert_eq!(a.weights(), b.weights());
        }
    }
}
