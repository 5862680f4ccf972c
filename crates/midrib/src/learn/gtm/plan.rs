//! The latent grid, its functions, and the start on the principal plane.

use serde_json::json;

use super::basis::Basis;
use super::settings::Gtm;
use crate::assign::hard_sums;
use crate::connect::Net;
use crate::error::Result;
use crate::learn::laid_net::LaidNet;
use crate::learn::lists::Sides;
use crate::learn::result::Choice;
use crate::math::Matrix;
use crate::points::Cloud;

/// The ridge with which the starting weights are found.
const STARTING_RIDGE: f64 = 1e-9;
/// The least variance around the nodes, as a share of that of the points.
const LEAST_VARIANCE: f64 = 1e-12;

/// Everything that the loop needs, in working units.
pub(super) struct Plan {
    pub net: Net,
    pub basis: Basis,
    pub weights: Matrix,
    /// The inverse variance β around the nodes.
    pub precision: f64,
    /// The largest β.
    pub sharpest: f64,
    /// The distance of the mean of the points from zero.
    pub from_zero: f64,
    pub choices: Vec<Choice>,
}

pub(super) fn plan(settings: &Gtm, cloud: &Cloud<'_>, given: Option<&Matrix>) -> Result<Plan> {
    let sides = Sides::Exactly(settings.chosen_sides());
    let laid = LaidNet::new(&settings.wanted_net(&sides), cloud, given)?;
    let LaidNet { net, nodes, mut choices, .. } = laid;
    let functions = settings.chosen_functions();
    if settings.sides == Sides::Auto {
        choices.push(Choice::new("sides", json!(sides), "the default"));
    }
    if settings.functions == Sides::Auto {
        let value = json!(Sides::Exactly(functions.clone()));
        choices.push(Choice::new("functions", value, "a quarter of the sides"));
    }
    let mean = cloud.to_data(Matrix::zeros(1, cloud.dims()));
    let origin: Vec<f64> = mean.row(0).iter().map(|x| x * cloud.scale()).collect();
    let from_zero = origin.iter().map(|x| x * x).sum::<f64>().sqrt();
    let basis = Basis::new(&net, &functions, settings.width, origin);
    let weights = basis.weights(&vec![1.0; net.len()], &nodes, STARTING_RIDGE)?;
    let values = cloud.total_weight() * cloud.dims() as f64;
    let sharpest = values / (LEAST_VARIANCE * cloud.spread());
    let nearest = hard_sums(cloud, &basis.nodes(&weights), f64::INFINITY)?;
    let precision = 0.5 * values / nearest.cost;
    Ok(Plan {
        net,
        weights,
        basis,
        precision: precision.min(sharpest),
        sharpest,
        from_zero,
        choices,
    })
}
