//! The first complex, and the points that it grows on.

use super::complex::Placement;
use super::factors::{Changed, Factors};
use super::settings::Cubic;
use crate::connect::{Net, NetShape, Topology};
use crate::error::{Error, Result};
use crate::learn::choices::NodeCount;
use crate::learn::flat_net::flat_nodes;
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::result::Choice;
use crate::learn::trimming::Trimming;
use crate::points::{Blocks, Cloud};

/// Nodes where their number is left open.
const NODES: usize = 36;
/// Nodes of the first complex.
pub(super) const FIRST_NODES: usize = 4;

/// Everything that the loop needs, in the working units of the sample.
pub(super) struct Plan<'c> {
    /// The number of nodes to grow to.
    pub count: usize,
    pub start: Changed,
    pub trimming: Trimming,
    /// On the sample.
    pub growing: Placement<'c>,
    /// On all points.
    pub whole: Placement<'c>,
    pub choices: Vec<Choice>,
}

/// Starts with two edges on the first principal plane, whose product has four nodes; `few` is a
/// sample of the points.
pub(super) fn plan<'c>(
    settings: &Cubic,
    cloud: &'c Cloud<'c>,
    few: &'c Cloud<'c>,
) -> Result<Plan<'c>> {
    let points = cloud.source();
    let mut choices = Vec::new();
    let count = count(settings.n_nodes, points, &mut choices)?;
    let trimming = Trimming::new(settings.trimming_radius, points, 1.0, count, &mut choices)?;
    let net = Net::new(NetShape::Rectangle, &[2, 2])?;
    let edge = Topology::new(2, &[(0, 1)]);
    // Among points that are not outliers.
    let company = trimming.in_company()?;
    let company = company.as_ref().map(|company| Cloud::new(company)).transpose()?;
    let among = company.as_ref().unwrap_or(cloud);
    let corners = flat_nodes(&PrincipalAxes::new(among, 2)?, &net)?;
    let nodes = few.to_working(among.to_data(corners));
    Ok(Plan {
        count,
        start: Changed { factors: Factors([edge.clone(), edge]), nodes },
        growing: Placement::new(settings, few, trimming.radius_of(FIRST_NODES)),
        whole: Placement::new(settings, cloud, trimming.radius()),
        trimming,
        choices,
    })
}

/// Refuses points that no complex can follow.
pub(super) fn check_points(cloud: &Cloud<'_>) -> Result<()> {
    cloud.require_spread()?;
    if cloud.dims() < 2 {
        return Err(Error::data("the points have 1 column: a product of two trees needs 2"));
    }
    Ok(())
}

fn count(wanted: NodeCount, points: &dyn Blocks, choices: &mut Vec<Choice>) -> Result<usize> {
    let n = points.len();
    match wanted {
        NodeCount::Exactly(count) if count > n => {
            let reason = format!("there are only {n} points: give at most that many");
            Err(Error::setting("n_nodes", count, reason))
        }
        NodeCount::Exactly(count) => Ok(count),
        NodeCount::Auto | NodeCount::All => {
            let n = points.count_up_to(3 * NODES)?;
            let count = NODES.min(n / 3).max(FIRST_NODES);
            choices.push(Choice::of_nodes(count, NODES, n));
            Ok(count)
        }
    }
}
