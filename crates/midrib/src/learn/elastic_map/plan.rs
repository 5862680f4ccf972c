//! The flat net, its moduli and the trimming radius.

use serde_json::json;

use super::lists::Sides;
use super::settings::ElasticMap;
use crate::connect::Net;
use crate::error::{Error, Result};
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::flat_net::{flat_nodes, sides};
use crate::learn::method::Method;
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::result::Choice;
use crate::learn::start::working_start;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::place::{Springs, Star};
use crate::points::{Blocks, Cloud, all_rows};
use crate::prepare::{Filled, fill_gaps};

/// Nodes where their number is left open.
const NODES: usize = 100;

/// Everything that the loop needs, in working units.
pub(super) struct Plan {
    pub net: Net,
    pub nodes: Matrix,
    pub is_given: bool,
    /// λ and μ of each edge and rib, before softening.
    pub moduli: (f64, f64),
    pub trimming: Trimming,
    /// The variance of the points.
    pub variance: f64,
    /// The share of the variance that as many principal components leave unexplained.
    pub unexplained: f64,
    pub choices: Vec<Choice>,
}

impl Plan {
    /// The springs of the net with all moduli multiplied by `factor`.
    pub fn springs(&self, factor: f64) -> Springs {
        let (λ, μ) = self.moduli;
        springs(&self.net, factor * λ, factor * μ)
    }

    /// The trimming radius in an epoch: a stiff net is like one with fewer nodes.
    pub fn radius(&self, epoch: usize, n_epochs: usize) -> f64 {
        let share = (epoch + 1) as f64 / n_epochs as f64;
        self.trimming.radius_of((self.net.len() as f64).powf(share).round() as usize)
    }
}

/// Lays the net on the principal axes, or on given nodes.
pub(super) fn plan(
    settings: &ElasticMap,
    cloud: &Cloud<'_>,
    given: Option<&Matrix>,
) -> Result<Plan> {
    cloud.require_spread()?;
    require_columns(settings, cloud.dims())?;
    let given = given.map(|start| working_start(start, cloud)).transpose()?;
    let points = cloud.source();
    let least = settings.net.min_dims();
    let filled = match cloud.missing_values() {
        0 => None,
        _ => {
            let points = all_rows(points, ElasticMap::NAME, 2 * points.dims())?;
            Some(fill_gaps(&points, least.min(points.len() - 1).max(1))?)
        }
    };
    let complete: &dyn Blocks = filled.as_ref().map_or(points, |filled| &filled.points);
    let whole = Cloud::new(complete)?;
    let axes = PrincipalAxes::new(&whole, least)?;
    let mut choices = Vec::new();
    let sides = match &settings.sides {
        Sides::Exactly(sides) => sides.clone(),
        Sides::Auto => {
            let (count, reason) = count(settings.n_nodes, points)?;
            let sides = sides(&axes, settings.net, count);
            choices.push(Choice::new("sides", json!(Sides::Exactly(sides.clone())), reason));
            sides
        }
    };
    let net = Net::new(settings.net, &sides)?;
    let radius = settings.trimming_radius;
    let trimming = Trimming::new(radius, complete, cloud.scale(), net.len(), &mut choices)?;
    let is_given = given.is_some();
    let nodes = match given {
        Some(nodes) => fitting(nodes, &net)?,
        None => cloud.to_working(whole.to_data(flat_nodes(&axes, &net)?)),
    };
    choices.extend(moduli_choices(settings));
    Ok(Plan {
        moduli: settings.moduli(&net),
        variance: cloud.spread() / points.total_weight(),
        unexplained: unexplained(settings, cloud, filled.as_ref(), &axes)?,
        net,
        nodes,
        is_given,
        trimming,
        choices,
    })
}

fn require_columns(settings: &ElasticMap, columns: usize) -> Result<()> {
    let least = settings.net.min_dims();
    if columns >= least {
        return Ok(());
    }
    let plural = if columns == 1 { "" } else { "s" };
    let reason = format!("needs {least} dimensions; the points have {columns} column{plural}");
    Err(Error::setting("net", settings.net.name(), reason))
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

/// The share of the variance that as many principal components as the net has dimensions leave
/// unexplained.
fn unexplained(
    settings: &ElasticMap,
    cloud: &Cloud<'_>,
    filled: Option<&Filled>,
    axes: &PrincipalAxes,
) -> Result<f64> {
    let dims = settings.net.dims();
    let share = |filled: &Filled| {
        filled.errors.last().copied().unwrap_or(0.0) / cloud.spread() / cloud.square_unit()
    };
    Ok(match filled {
        None => axes.unexplained[dims - 1],
        Some(filled) if dims == settings.net.min_dims() => share(filled),
        Some(_) => {
            let points = all_rows(cloud.source(), ElasticMap::NAME, 2 * cloud.dims())?;
            share(&fill_gaps(&points, dims.min(cloud.len() - 1).max(1))?)
        }
    })
}

fn moduli_choices(settings: &ElasticMap) -> impl Iterator<Item = Choice> {
    let (stretching, bending) = settings.chosen_moduli();
    let reason = format!("the default for a {} net", settings.net.name());
    [("stretching", settings.stretching, stretching), ("bending", settings.bending, bending)]
        .into_iter()
        .filter(|(_, wanted, _)| *wanted == AutoOr::Auto)
        .map(move |(setting, _, value)| Choice::new(setting, value, reason.clone()))
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

/// The springs of a net with these moduli for every edge and rib.
pub(super) fn springs(net: &Net, λ: f64, μ: f64) -> Springs {
    let edges = net.edges.iter().map(|&(a, b, stiffer)| (a, b, λ * stiffer));
    let star = |(center, leaves): &(usize, Vec<usize>)| Star {
        center: *center,
        leaves: leaves.clone(),
        modulus: μ,
    };
    Springs { edges: edges.collect(), stars: net.ribs.iter().map(star).collect() }
}
