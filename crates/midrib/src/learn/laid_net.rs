//! A net before it learns: its sides, and its nodes on the linear principal manifold or as given.

use serde_json::json;

use super::choices::NodeCount;
use super::flat_net::{flat_nodes, sides};
use super::lists::Sides;
use super::principal_axes::PrincipalAxes;
use super::result::Choice;
use super::start::working_start;
use crate::connect::{Net, NetShape};
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::{Blocks, Cloud, all_rows};
use crate::prepare::{Filled, fill_gaps};

/// Nodes where their number is left open.
const NODES: usize = 100;

/// What the settings say about a net.
pub(super) struct WantedNet<'s> {
    pub method: &'static str,
    pub shape: NetShape,
    pub sides: &'s Sides,
    pub n_nodes: NodeCount,
}

/// A net in working coordinates.
pub(super) struct LaidNet {
    pub net: Net,
    pub nodes: Matrix,
    pub axes: PrincipalAxes,
    /// The points with their missing values filled in, if there are any.
    pub filled: Option<Filled>,
    pub choices: Vec<Choice>,
}

impl WantedNet<'_> {
    /// Refuses sides and numbers of nodes that no points can have.
    pub fn check(&self) -> Result<()> {
        if self.n_nodes == NodeCount::All {
            let remedy = "a net is a grid of nodes: give a number";
            return Err(Error::setting("n_nodes", "all", remedy));
        }
        if let Sides::Exactly(sides) = self.sides {
            if let NodeCount::Exactly(count) = self.n_nodes {
                let reason = format!("the sides are given as {}: leave n_nodes out", self.sides);
                return Err(Error::setting("n_nodes", count, reason));
            }
            self.shape.check(sides)?;
        }
        Ok(())
    }

    fn require_columns(&self, columns: usize) -> Result<()> {
        let least = self.shape.min_dims();
        if columns >= least {
            return Ok(());
        }
        let plural = if columns == 1 { "" } else { "s" };
        let reason = format!("needs {least} dimensions; the points have {columns} column{plural}");
        Err(Error::setting("net", self.shape.name(), reason))
    }
}

impl LaidNet {
    /// Lays the net on the principal axes, or on given nodes.
    pub fn new(wanted: &WantedNet<'_>, cloud: &Cloud<'_>, given: Option<&Matrix>) -> Result<Self> {
        cloud.require_spread()?;
        wanted.require_columns(cloud.dims())?;
        let given = given.map(|start| working_start(start, cloud)).transpose()?;
        let points = cloud.source();
        let least = wanted.shape.min_dims();
        let filled = match cloud.missing_values() {
            0 => None,
            _ => {
                let points = all_rows(points, wanted.method, 2 * points.dims())?;
                Some(fill_gaps(&points, least.min(points.len() - 1).max(1))?)
            }
        };
        let complete: &dyn Blocks = filled.as_ref().map_or(points, |filled| &filled.points);
        let whole = Cloud::new(complete)?;
        let axes = PrincipalAxes::new(&whole, least)?;
        let mut choices = Vec::new();
        let sides = match wanted.sides {
            Sides::Exactly(sides) => sides.clone(),
            Sides::Auto => {
                let (count, reason) = count(wanted.n_nodes, points)?;
                let sides = sides(&axes, wanted.shape, count);
                choices.push(Choice::new("sides", json!(Sides::Exactly(sides.clone())), reason));
                sides
            }
        };
        let net = Net::new(wanted.shape, &sides)?;
        let nodes = match given {
            Some(nodes) => fitting(nodes, &net)?,
            None => cloud.to_working(whole.to_data(flat_nodes(&axes, &net)?)),
        };
        Ok(Self { net, nodes, axes, filled, choices })
    }
}

/// Given nodes, if they are as many as those of the net.
fn fitting(nodes: Matrix, net: &Net) -> Result<Matrix> {
    if nodes.n_rows() == net.len() {
        return Ok(nodes);
    }
    Err(Error::data(format!(
        "the given start has {} nodes, a {} net of {} has {}: give matching sides",
        nodes.n_rows(),
        net.shape.name(),
        Sides::Exactly(net.sides.clone()),
        net.len()
    )))
}

/// About how many nodes, and why.
fn count(wanted: NodeCount, points: &dyn Blocks) -> Result<(usize, String)> {
    let n = points.len();
    let shaped = "in proportion to the extents of the points";
    match wanted {
        NodeCount::Exactly(count) if count > n => Err(Error::setting(
            "n_nodes",
            count,
            format!("there are only {n} points: give at most that many, or the sides of the net"),
        )),
        NodeCount::Exactly(count) => Ok((count, format!("about {count} nodes, {shaped}"))),
        NodeCount::Auto | NodeCount::All => {
            let count = NODES.min(points.count_up_to(3 * NODES)? / 3);
            let of = if count == NODES { "" } else { ", a third of the points" };
            Ok((count, format!("about {count} nodes{of}, {shaped}")))
        }
    }
}
