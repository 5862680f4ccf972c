//! The order of the branches around each star, by their angles in the star's own principal plane.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

use super::stars::Star;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::{Matrix, times, top_eigen};

/// The coordinates of the nodes in their principal plane.
pub(super) fn principal_plane(graph: &PrincipalGraph) -> Result<Matrix> {
    let nodes = graph.nodes();
    let (n, dims) = (nodes.n_rows(), nodes.n_cols());
    let largest = nodes.as_slice().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
    let mut mean = vec![0.0; dims];
    for row in nodes.rows() {
        mean.iter_mut().zip(row).for_each(|(m, x)| *m += x * scale / n as f64);
    }
    let mut centered = nodes.clone();
    for i in 0..n {
        centered.row_mut(i).iter_mut().zip(&mean).for_each(|(x, m)| *x = *x * scale - m);
    }
    let through =
        |rows: &Matrix| times(&times(rows, centered.as_faer().transpose()), centered.as_faer());
    let axes = top_eigen(dims, through, |_| Some(dims.min(2)))?.vectors;
    let scores = times(&centered, axes.as_faer().transpose());
    let mut plane = Matrix::zeros(n, 2);
    for (i, row) in scores.rows().enumerate() {
        plane.row_mut(i)[..row.len()].copy_from_slice(row);
    }
    Ok(plane)
}

/// Sorts the children of each star by their angle from its parent, counterclockwise, in the
/// principal plane of its branches, with the same orientation as `plane`.
pub(super) fn order_children(
    graph: &PrincipalGraph,
    stars: &mut [Star],
    plane: &Matrix,
) -> Result<()> {
    for star in 0..stars.len() {
        let Star { node, parent, ref children, .. } = stars[star];
        if children.len() + usize::from(parent.is_some()) < 3 {
            continue;
        }
        let ends: Vec<usize> =
            parent.iter().chain(children).map(|&other| stars[other].node).collect();
        let angles = angles(graph, node, &ends, plane)?;
        let offset = if parent.is_some() { angles[0] } else { 0.0 };
        let of_child = &angles[ends.len() - children.len()..];
        let mut sorted: Vec<(f64, usize)> = of_child
            .iter()
            .zip(children)
            .map(|(angle, &child)| ((angle - offset).rem_euclid(std::f64::consts::TAU), child))
            .collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        stars[star].children = sorted.into_iter().map(|(_, child)| child).collect();
    }
    Ok(())
}

/// The directions from a node to others, as angles in the principal plane of these directions.
fn angles(
    graph: &PrincipalGraph,
    node: usize,
    others: &[usize],
    plane: &Matrix,
) -> Result<Vec<f64>> {
    let nodes = graph.nodes();
    let directions: Vec<Vec<f64>> =
        others.iter().map(|&other| direction(nodes.row(node), nodes.row(other))).collect();
    let n = others.len();
    let gram = Mat::from_fn(n, n, |i, j| {
        directions[i].iter().zip(&directions[j]).map(|(x, y)| x * y).sum::<f64>()
    });
    let eigen = SelfAdjointEigen::new(gram.as_ref(), Side::Lower).map_err(|_| {
        Error::Numerical("the eigendecomposition of a star's branches failed".into())
    })?;
    let axis = |rank: usize| -> Vec<f64> {
        let length = eigen.S()[n - 1 - rank].max(0.0).sqrt();
        (0..n).map(|i| eigen.U()[(i, n - 1 - rank)] * length).collect()
    };
    let (first, second) = (axis(0), axis(1));
    // Mirror the angles if needed to match the orientation of `plane`.
    let seen = |i: usize, axis: usize| plane.row(others[i])[axis] - plane.row(node)[axis];
    let along = |own: &[f64], axis| (0..n).map(|i| own[i] * seen(i, axis)).sum::<f64>();
    let turn = along(&first, 0) * along(&second, 1) - along(&first, 1) * along(&second, 0);
    let mirror = if turn < 0.0 { -1.0 } else { 1.0 };
    Ok((0..n).map(|i| (mirror * second[i]).atan2(first[i])).collect())
}

/// A unit vector, or a zero vector if the two points are equal.
fn direction(from: &[f64], to: &[f64]) -> Vec<f64> {
    let step: Vec<f64> = from.iter().zip(to).map(|(a, b)| b - a).collect();
    let largest = step.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        return step;
    }
    let length = step.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt();
    step.iter().map(|x| x / largest / length).collect()
}
