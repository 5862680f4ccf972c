//! The grown graph on all points. Gorban2009, Optimization of the elastic graph.
#![allow(non_snake_case)]

use super::moduli::Moduli;
use crate::assign::Sums;
use crate::connect::Topology;
use crate::error::Result;
use crate::learn::descent::Limits;
use crate::math::Matrix;
use crate::place::{Assigned, SpringSystem};
use crate::points::Cloud;

/// A graph placed on all points, in working units.
pub(super) struct Placed {
    pub nodes: Matrix,
    pub sums: Sums,
    /// Its energy.
    pub U: f64,
    /// Whether the energy converged within the sweeps that are allowed.
    pub converged: bool,
}

/// Assigns all points and places the nodes until the energy converges.
pub(super) fn place_on_all(
    cloud: &Cloud<'_>,
    topology: &Topology,
    mut nodes: Matrix,
    moduli: &Moduli,
    radius: f64,
    limits: Limits,
) -> Result<Placed> {
    let springs = moduli.springs(topology); // step 2
    let mut system = SpringSystem::new(springs.clone(), topology.len(), topology.pins());
    let mut K = Assigned::new(cloud, &nodes, radius)?; // step 3
    let mut U = K.energy(&springs, &nodes); // eq. (6)
    let mut converged = false;
    for _ in 0..limits.max_iter {
        let Some(placed) = K.place(&mut system, &nodes) else { break }; // steps 4 and 5
        let next = Assigned::new(cloud, &placed, radius)?; // step 3
        let fall = U - next.energy(&springs, &placed);
        (nodes, K, U) = (placed, next, U - fall);
        if fall <= limits.tol {
            converged = true; // step 6
            break;
        }
    }
    Ok(Placed { nodes, sums: K.sums, U, converged })
}
