//! The shares of points in nodes, as a sparse table.

use super::shares::Shares;
use super::soft::Cutoff;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::{Blocks, Cloud};

/// For each point the nodes that it has a share in; its shares add up to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Responsibilities {
    /// Where the shares of each point begin, and at the end where the last ones end (N+1).
    pub starts: Vec<usize>,
    /// The nodes, each point's in order.
    pub nodes: Vec<u32>,
    /// The shares.
    pub shares: Vec<f64>,
}

/// The shares `p ∝ exp(−‖x − y‖² / bandwidth)` of the points in the nodes, or where there is no
/// bandwidth all of a point to its nearest node. Shares below the rounding of the others are
/// dropped: no N×K table is made.
///
/// ```
/// use midrib::Points;
/// use midrib::assign::responsibilities;
/// use midrib::math::Matrix;
/// let points = Points::from_f64(vec![0.0, 3.0], 1)?;
/// let nodes = Matrix::from_rows(&[[-1.0], [1.0]])?;
/// let soft = responsibilities(&points, &nodes, Some(2.0))?;
/// assert_eq!((&soft.starts[..], soft.shares[0]), (&[0, 2, 4][..], 0.5));
/// let hard = responsibilities(&points, &nodes, None)?;
/// assert_eq!((hard.nodes, hard.shares), (vec![0, 1], vec![1.0, 1.0]));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn responsibilities(
    points: &dyn Blocks,
    nodes: &Matrix,
    bandwidth: Option<f64>,
) -> Result<Responsibilities> {
    if points.dims() != nodes.n_cols() {
        let expected = format!("{} as the nodes have", nodes.n_cols());
        return Err(Error::shape("columns of the points", expected, points.dims()));
    }
    if nodes.n_rows() == 0 {
        return Err(Error::data("there are no nodes to share points among"));
    }
    let cloud = Cloud::new(points)?;
    let nodes = cloud.to_working(nodes.clone());
    let weights = vec![1.0; points.len()];
    let shares = match bandwidth {
        Some(bandwidth) if !(bandwidth > 0.0 && bandwidth.is_finite()) => {
            return Err(Error::setting("bandwidth", bandwidth, "must be positive"));
        }
        Some(bandwidth) => {
            let bandwidth = bandwidth / cloud.square_unit();
            Shares::soft(&cloud, &nodes, bandwidth, Cutoff::EXACT, &weights)?
        }
        None => Shares::hard(&cloud, &nodes, &weights)?,
    };
    let (starts, nodes, shares) = shares.by_point().into_parts();
    Ok(Responsibilities { starts, nodes, shares })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::squared_distance;
    use crate::points::Points;

    #[test]
    fn shares_are_those_of_the_definition_in_the_order_of_the_points() {
        let wave = |n: usize| (0..2 * n).map(|i| (1.7 * i as f64 + (i * i % 31) as f64).sin());
        let points = Points::from_f64(wave(700).collect::<Vec<_>>(), 2).unwrap();
        let nodes = Matrix::new(40, 2, wave(40).collect()).unwrap();
        let found = responsibilities(&points, &nodes, Some(0.05)).unwrap();
        let mut x = [0.0; 2];
        for i in 0..700 {
            points.copy_row(i, &mut x);
            let terms: Vec<f64> =
                nodes.rows().map(|y| (-squared_distance(&x, y) / 0.05).exp()).collect();
            let total: f64 = terms.iter().sum();
            let mut shares = [0.0; 40];
            let range = found.starts[i]..found.starts[i + 1];
            assert!(found.nodes[range.clone()].is_sorted());
            for at in range {
                shares[found.nodes[at] as usize] = found.shares[at];
            }
            for (share, term) in shares.iter().zip(&terms) {
                assert!((share - term / total).abs() < 1e-12);
            }
        }
    }
}
