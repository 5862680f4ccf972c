//! The flat net, its moduli and the trimming radius.

use super::settings::ElasticMap;
use crate::connect::Net;
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::laid_net::LaidNet;
use crate::learn::method::Method;
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::result::Choice;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::place::{Springs, Star};
use crate::points::{Blocks, Cloud, all_rows};
use crate::prepare::{Filled, fill_gaps};

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
    let mut laid = LaidNet::new(&settings.wanted_net(), cloud, given)?;
    let points = cloud.source();
    let complete: &dyn Blocks = laid.filled.as_ref().map_or(points, |filled| &filled.points);
    let (radius, n_nodes) = (settings.trimming_radius, laid.net.len());
    let trimming = Trimming::new(radius, complete, cloud.scale(), n_nodes, &mut laid.choices)?;
    laid.choices.extend(moduli_choices(settings));
    Ok(Plan {
        moduli: settings.moduli(&laid.net),
        variance: cloud.spread() / points.total_weight(),
        unexplained: unexplained(settings, cloud, laid.filled.as_ref(), &laid.axes)?,
        net: laid.net,
        nodes: laid.nodes,
        is_given: given.is_some(),
        trimming,
        choices: laid.choices,
    })
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
