//! The pairs of neighbors, the scale of the points and the first similarities.

use super::objective::Model;
use super::settings::{Scaling, Spl};
use crate::connect::Candidates;
use crate::error::{Error, Result};
use crate::learn::choices::{ComponentCount, InfOr, NodeCount};
use crate::learn::equal_weights::rows_with_equal_weight;
use crate::learn::given::Given;
use crate::learn::method::Method;
use crate::learn::result::Choice;
use crate::math::{Matrix, squared_distance};
use crate::points::Cloud;
use crate::prepare::{Components, Pca};

/// Neighbors of a point, where that is left open.
const NEIGHBORS: usize = 10;
/// The mean squared distance of neighbors after scaling, as a share of 2d, beyond which the prior
/// allows no similarity.
const NEAR: f64 = 0.1;

/// Everything that the ascent needs.
pub(super) struct Plan {
    pub model: Model,
    /// The rows of positive weight.
    pub rows: Vec<usize>,
    /// The factor from working units to units of the prior.
    pub scale: f64,
    /// The mean squared distance of neighbors, in units of the prior.
    pub near: f64,
    pub choices: Vec<Choice>,
}

/// Finds the neighbors and scales the points.
pub(super) fn plan(settings: &Spl, cloud: &Cloud<'_>, given: Given<'_>) -> Result<Plan> {
    let rows = rows_with_equal_weight(cloud, Spl::NAME)?;
    let mut choices = Vec::new();
    let mut x = cloud.read_rows(&rows)?;
    let d = n_components(settings.n_components, cloud, &x)?;
    choices.extend(Choice::of_components(settings.n_components, d));
    let pairs = pairs(settings, cloud, &x, &rows, given, &mut choices)?;
    let squared = |&(a, b): &(usize, usize)| squared_distance(x.row(a), x.row(b));
    let mut phi: Vec<f64> = pairs.iter().map(squared).collect();
    let mean = phi.iter().sum::<f64>() / phi.len() as f64;
    if mean == 0.0 {
        return Err(Error::setting(
            "n_neighbors",
            n_neighbors(settings.n_neighbors, rows.len()),
            "the nearest points of every point are equal to it: give more, or leave out repeated \
             rows",
        ));
    }
    let strain = match settings.tolerance_weight {
        InfOr::Finite(weight) => 1.0 / weight,
        InfOr::Infinite => 0.0,
    };
    if let (0.0, Some(at)) = (strain, phi.iter().position(|phi| *phi == 0.0)) {
        let id = |row: usize| cloud.source().id(rows[row]);
        let reason = format!(
            "points {} and {} are equal, and nothing bounds their similarity: give a number, or \
             leave out repeated rows",
            id(pairs[at].0),
            id(pairs[at].1)
        );
        return Err(Error::setting("tolerance_weight", "inf", reason));
    }
    let scale = match settings.scaling {
        Scaling::None => 1.0 / cloud.scale(),
        Scaling::Auto => {
            let scale = (NEAR * 2.0 * d as f64 / mean).sqrt();
            let reason = "the points are multiplied by this, so that the unit prior lets neighbors \
                          be similar; the embedding is divided by it";
            choices.push(Choice::new("scaling", scale * cloud.scale(), reason));
            scale
        }
    };
    x.as_mut_slice().iter_mut().for_each(|x| *x *= scale);
    phi.iter_mut().for_each(|phi| *phi *= scale * scale);
    let near = phi.iter().sum::<f64>() / phi.len() as f64;
    let model = Model { X: x, pairs, phi, d, gamma: settings.noise_weight, strain };
    Ok(Plan { model, rows, scale, near, choices })
}

/// Similarities to start from: if all M pairs shared equally in the N unknowns, the effective
/// resistance r of a pair would be `N / (M s)`, and the best s would solve `(d/2) r = 2φ + s/C`.
pub(super) fn start(model: &Model) -> Vec<f64> {
    let share = model.X.n_rows() as f64 / model.pairs.len() as f64 * model.d as f64 / 2.0;
    let best = |phi: &f64| share / (phi + (phi * phi + share * model.strain).sqrt());
    model.phi.iter().map(best).collect()
}

/// The pairs that may be similar: given, or nearest neighbors.
fn pairs(
    settings: &Spl,
    cloud: &Cloud<'_>,
    x: &Matrix,
    rows: &[usize],
    given: Given<'_>,
    choices: &mut Vec<Choice>,
) -> Result<Vec<(usize, usize)>> {
    if let Some(candidates) = given.candidates(settings.n_neighbors, settings.neighbors)? {
        return given_pairs(&candidates, cloud, rows);
    }
    let n = rows.len();
    let k = n_neighbors(settings.n_neighbors, n);
    if k == 0 || k >= n {
        let reason = format!("must be at least 1 and below the number of points, {n}");
        return Err(Error::setting("n_neighbors", k, reason));
    }
    if settings.n_neighbors == NodeCount::Auto {
        let reason = "neighbors of each point that it may be similar to";
        choices.push(Choice::new("n_neighbors", k, reason));
    }
    Candidates::Nearest { k, rule: settings.neighbors }.pairs(x)
}

/// The given pairs among the rows of positive weight, numbered among these.
fn given_pairs(
    candidates: &Candidates,
    cloud: &Cloud<'_>,
    rows: &[usize],
) -> Result<Vec<(usize, usize)>> {
    let of_points = candidates.pairs(&Matrix::zeros(cloud.len(), 0))?;
    let number = |i: usize| rows.binary_search(&i).ok();
    let pairs: Vec<(usize, usize)> =
        of_points.iter().filter_map(|&(a, b)| Some((number(a)?, number(b)?))).collect();
    if pairs.is_empty() {
        return Err(Error::data(
            "the given pairs contain no two different points of positive weight",
        ));
    }
    Ok(pairs)
}

/// The number of neighbors.
pub(super) fn n_neighbors(wanted: NodeCount, n: usize) -> usize {
    match wanted {
        NodeCount::Auto => NEIGHBORS.min(n.saturating_sub(1)).max(1),
        NodeCount::All => n.saturating_sub(1),
        NodeCount::Exactly(k) => k,
    }
}

fn n_components(wanted: ComponentCount, cloud: &Cloud<'_>, x: &Matrix) -> Result<usize> {
    let (n, dims) = (x.n_rows(), x.n_cols());
    let most = dims.min(n - 1);
    match wanted {
        ComponentCount::Exactly(d) if d > most => Err(Error::setting(
            "n_components",
            d,
            format!(
                "must be at most the number of columns, {dims}, and below the number of points, {n}"
            ),
        )),
        ComponentCount::Exactly(d) => Ok(d),
        ComponentCount::Auto => Ok(most.min(2)),
        ComponentCount::Share(share) => {
            Ok(Pca::fit(Components::Share(share), cloud.source())?.shares.len())
        }
    }
}
