//! The ascent to the best similarities.

use serde_json::json;

use super::embed::embed;
use super::objective::{Model, Objective};
use super::settings::{Ascent, Scaling, Spl};
use crate::cloud::Cloud;
use crate::connect::Candidates;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{ComponentCount, InfOr, NodeCount};
use crate::learn::descent::Descent;
use crate::learn::fitted::{Choice, End, Fitted, Latent, four_digits};
use crate::learn::given::Given;
use crate::learn::registry::{Method, to_value};
use crate::math::{
    Bounded, Matrix, QuasiNewton, Sets, Slope, squared_distance, transposed, violation,
};
use crate::observe::Observer;
use crate::points::Points;
use crate::prepare::{Components, Pca};

/// Neighbours of a point, where that is left open.
const NEIGHBORS: usize = 10;
/// Scaled points have neighbours at this mean squared distance, as a share of 2d, beyond which
/// the prior lets no pair be similar.
const NEAR: f64 = 0.1;
/// Similarities up to this share of the largest are what the ascent leaves of nothing.
const NOTHING: f64 = 1e-6;

/// Learns the similarities and the embedding.
pub(super) fn fit(
    settings: &Spl,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    refuse_given(given)?;
    let cloud = Cloud::new(points)?;
    let rows = rows_that_count(&cloud)?;
    let mut choices = Vec::new();
    let (model, scale) = model(settings, &cloud, &rows, given, &mut choices)?;
    let mut notes = pieces(&model, given.pairs.is_some());
    let near = model.phi.iter().sum::<f64>() / model.phi.len() as f64;
    let mut objective = Objective::new(model)?;

    let learnt = match settings.ascent {
        Ascent::QuasiNewton => quasi_newton(settings, &mut objective, near, watch)?,
        Ascent::Subgradient => subgradient(settings, &mut objective, watch)?,
    };
    notes.push(format!(
        "the conditions of the maximum hold up to {:.1e} (KKT residual), {:.1e} of the mean squared \
         distance of neighbours",
        learnt.residual,
        learnt.residual / near
    ));
    let pairs = &objective.model.pairs;
    let edges = similar(pairs, &learnt.s);
    if edges.is_empty() {
        return Err(none_similar(settings, &objective.model));
    }
    notes.extend(lonely(settings, &objective.model, &edges));
    objective.look_at(&learnt.s)?;
    let (mut embedding, axes) = embed(&objective)?;
    embedding.as_mut_slice().iter_mut().for_each(|e| *e /= scale * cloud.scale());

    let mass = rows.iter().map(|&i| points.weight(i)).collect();
    let graph = PrincipalGraph::new(data_rows(points, &rows), &edges, mass)?;
    let center = cloud.to_data(Matrix::zeros(1, points.dims())).row(0).to_vec();
    let basis = transposed(&axes);
    let nodes = embedding.clone();
    let mut latent = Latent { center, basis, embedding, nodes };
    if rows.len() < points.len() {
        let mut whole = settings.transform(&graph, &latent, points)?;
        for (from, &to) in rows.iter().enumerate() {
            whole.row_mut(to).copy_from_slice(latent.nodes.row(from));
        }
        latent.embedding = whole;
    }
    Ok(Fitted {
        method: Spl::NAME,
        graph,
        trace: learnt.trace,
        end: learnt.end,
        settings: to_value(settings),
        latent: Some(latent),
        own_springs: None,
        choices,
        tuning: None,
        notes,
    })
}

/// Where an ascent ended.
struct Learnt {
    s: Vec<f64>,
    /// By how much the conditions of the maximum are violated: half the gradient.
    residual: f64,
    trace: Vec<f64>,
    end: End,
}

fn quasi_newton(
    settings: &Spl,
    objective: &mut Objective,
    near: f64,
    watch: &mut dyn Observer,
) -> Result<Learnt> {
    let mut s = start(&objective.model);
    let mut value = objective.value(&s)?;
    let mut slope = Slope::default();
    objective.slope(&mut slope)?;
    let mut steps = QuasiNewton::default();
    let mut descent = Descent::new("learning similarities", value, value.abs(), settings.limits());
    let mut end = descent.ask(watch);
    while end.is_none() {
        if violation(&s, &slope.gradient) / 2.0 <= settings.tol * near {
            end = Some(End::Converged);
        } else if let Some(next) = steps.step(objective, &mut s, value, &mut slope)? {
            value = next;
            end = descent.push(value, watch);
        } else {
            end = Some(End::Stalled);
        }
    }
    let residual = violation(&s, &slope.gradient) / 2.0;
    Ok(Learnt { s, residual, trace: descent.trace, end: end.unwrap_or(End::MaxIter) })
}

/// Algorithm 1 of the paper.
fn subgradient(
    settings: &Spl,
    objective: &mut Objective,
    watch: &mut dyn Observer,
) -> Result<Learnt> {
    let mut s = vec![0.0; objective.model.pairs.len()]; // line 2
    let first = objective.value(&s)?;
    // The cost may rise: no rise is a stall.
    let mut descent =
        Descent::new("learning similarities", first, f64::INFINITY, settings.limits());
    let mut end = descent.ask(watch);
    let mut slope = Slope::default();
    objective.slope(&mut slope)?; // lines 4 to 8, (20)
    while end.is_none() {
        let step = 1.0 / descent.trace.len() as f64;
        for (s, g) in s.iter_mut().zip(&slope.gradient) {
            *s = (*s - step * g).max(0.0); // line 9
        }
        end = descent.push(objective.value(&s)?, watch);
        objective.slope(&mut slope)?;
    }
    let residual = violation(&s, &slope.gradient) / 2.0;
    Ok(Learnt { s, residual, trace: descent.trace, end: end.unwrap_or(End::MaxIter) })
}

/// What the similarities would be if all pairs shared equally in the N unknowns: then the effective
/// resistance r of a pair is `N / (M s)`, and the best s solves `(d/2) r = 2φ + s/C`.
fn start(model: &Model) -> Vec<f64> {
    let share = model.X.n_rows() as f64 / model.pairs.len() as f64 * model.d as f64 / 2.0;
    let best = |phi: &f64| share / (phi + (phi * phi + share * model.strain).sqrt());
    model.phi.iter().map(best).collect()
}

fn model(
    settings: &Spl,
    cloud: &Cloud<'_>,
    rows: &[usize],
    given: Given<'_>,
    choices: &mut Vec<Choice>,
) -> Result<(Model, f64)> {
    let n = rows.len();
    let mut x = Matrix::zeros(n, cloud.dims());
    for (to, &i) in rows.iter().enumerate() {
        cloud.copy_row(i, x.row_mut(to));
    }
    let d = n_components(settings.n_components, cloud, &x)?;
    choices.extend(Choice::of_components(settings.n_components, d));
    let k = n_neighbors(settings.n_neighbors, n);
    let pairs = match given.candidates(settings.n_neighbors, settings.neighbors)? {
        Some(candidates) => given_pairs(&candidates, cloud, rows)?,
        None => {
            if k == 0 || k >= n {
                let reason = format!("must be at least 1 and below the number of points, {n}");
                return Err(Error::setting("n_neighbors", k, reason));
            }
            if settings.n_neighbors == NodeCount::Auto {
                let reason = "neighbours of each point that it may be similar to".into();
                choices.push(Choice { setting: "n_neighbors", value: json!(k), reason });
            }
            Candidates::Nearest { k, rule: settings.neighbors }.pairs(&x)?
        }
    };
    let squared = |&(a, b): &(usize, usize)| squared_distance(x.row(a), x.row(b));
    let mut phi: Vec<f64> = pairs.iter().map(squared).collect();
    let mean = phi.iter().sum::<f64>() / phi.len() as f64;
    if mean == 0.0 {
        return Err(Error::setting(
            "n_neighbors",
            k,
            "the nearest points of every point are equal to it: give more, or leave repeated rows out",
        ));
    }
    let strain = match settings.tolerance_weight {
        InfOr::Finite(weight) => 1.0 / weight,
        InfOr::Infinite => 0.0,
    };
    if let (0.0, Some(at)) = (strain, phi.iter().position(|phi| *phi == 0.0)) {
        let id = |row: usize| cloud.points().id(rows[row]);
        return Err(Error::setting(
            "tolerance_weight",
            "inf",
            format!(
                "points {} and {} are equal, and nothing bounds their similarity: give a number, or \
                 leave repeated rows out",
                id(pairs[at].0),
                id(pairs[at].1)
            ),
        ));
    }
    let scale = match settings.scaling {
        Scaling::None => 1.0 / cloud.scale(),
        Scaling::Auto => {
            let scale = (NEAR * 2.0 * d as f64 / mean).sqrt();
            choices.push(Choice {
                setting: "scaling",
                value: json!(scale * cloud.scale()),
                reason: "points are multiplied by this, so that the unit prior lets neighbours be \
                         similar; the embedding is divided by it"
                    .into(),
            });
            scale
        }
    };
    x.as_mut_slice().iter_mut().for_each(|x| *x *= scale);
    phi.iter_mut().for_each(|phi| *phi *= scale * scale);
    let gamma = settings.noise_weight;
    Ok((Model { X: x, pairs, phi, d, gamma, strain }, scale))
}

/// The given pairs among the points that count, by their places among these.
fn given_pairs(
    candidates: &Candidates,
    cloud: &Cloud<'_>,
    rows: &[usize],
) -> Result<Vec<(usize, usize)>> {
    let of_points = candidates.pairs(&Matrix::zeros(cloud.len(), 0))?;
    let place = |i: usize| rows.binary_search(&i).ok();
    let pairs: Vec<(usize, usize)> =
        of_points.iter().filter_map(|&(a, b)| Some((place(a)?, place(b)?))).collect();
    if pairs.is_empty() {
        return Err(Error::data("no pair of points is given that may be similar"));
    }
    Ok(pairs)
}

/// As many neighbours as asked for.
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
            Ok(Pca::fit(Components::Share(share), cloud.points())?.shares.len())
        }
    }
}

fn refuse_given(given: Given<'_>) -> Result<()> {
    given.refuse_start_graph("spl")?;
    if given.start.is_some() {
        return Err(Error::data("spl takes no starting nodes: its nodes are the points"));
    }
    if !given.links.is_empty() {
        return Err(Error::data("spl takes no links; use the l1 graph of rpg"));
    }
    Ok(())
}

/// The points of positive weight; these weights must be the same.
fn rows_that_count(cloud: &Cloud<'_>) -> Result<Vec<usize>> {
    let points = cloud.points();
    let rows: Vec<usize> = (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect();
    let usual = points.weight(rows[0]);
    if let Some(&other) = rows.iter().find(|&&i| points.weight(i) != usual) {
        return Err(Error::data(format!(
            "point {} has the weight {} and point {} {usual}: spl has no weights but 0, to leave a \
             point out; repeat rows instead",
            points.id(other),
            points.weight(other),
            points.id(rows[0])
        )));
    }
    match rows.len() {
        1 => {
            Err(Error::data("there is a single point: similarities need at least two that differ"))
        }
        n if cloud.spread() == 0.0 => {
            Err(Error::data(format!("all {n} points are equal: there is nothing to learn")))
        }
        _ => Ok(rows),
    }
}

fn data_rows(points: &Points<'_>, rows: &[usize]) -> Matrix {
    let mut data = Matrix::zeros(rows.len(), points.dims());
    for (to, &i) in rows.iter().enumerate() {
        points.copy_row(i, data.row_mut(to));
    }
    data
}

/// The pairs that are similar, with their similarities.
fn similar(pairs: &[(usize, usize)], s: &[f64]) -> Vec<(usize, usize, f64)> {
    let largest = s.iter().copied().fold(0.0, f64::max);
    let weighted = pairs.iter().zip(s).filter(|(_, s)| **s > NOTHING * largest);
    weighted.map(|(&(a, b), &s)| (a, b, s)).collect()
}

/// Tells if neighbours do not join all points.
fn pieces(model: &Model, are_given: bool) -> Vec<String> {
    let n = model.X.n_rows();
    let mut sets = Sets::new(n);
    let joined = model.pairs.iter().filter(|&&(a, b)| sets.join(a, b)).count();
    let pieces = n - joined;
    if pieces == 1 {
        return Vec::new();
    }
    let apart = if model.gamma > 0.0 {
        "how these lie to one another is learnt from the points alone".into()
    } else {
        let told = model.d.min(pieces - 1);
        format!(
            "{told} of the {} latent dimensions tell them apart and nothing else, since the noise \
             weight is 0",
            model.d
        )
    };
    let more = if are_given { "pairs" } else { "neighbours" };
    vec![format!("the neighbours fall into {pieces} pieces: {apart}; more {more} join them")]
}

/// The squared distance within which pairs can be similar, about.
fn reach(settings: &Spl, model: &Model) -> f64 {
    four_digits(2.0 * model.d as f64 / (1.0 + settings.noise_weight))
}

/// Tells if most points are similar to none.
fn lonely(settings: &Spl, model: &Model, edges: &[(usize, usize, f64)]) -> Option<String> {
    let n = model.X.n_rows();
    let mut has_similar = vec![false; n];
    edges.iter().for_each(|&(a, b, _)| (has_similar[a], has_similar[b]) = (true, true));
    let lonely = has_similar.iter().filter(|has| !**has).count();
    let remedy = match settings.scaling {
        Scaling::None => "scaling = auto",
        Scaling::Auto => "a smaller noise weight",
    };
    (2 * lonely > n).then(|| {
        format!(
            "{lonely} of {n} points are similar to none: the embedding has a prior of variance 1, so \
             that pairs must lie nearer than a squared distance of about {}; {remedy} brings them \
             nearer",
            reach(settings, model)
        )
    })
}

fn none_similar(settings: &Spl, model: &Model) -> Error {
    let nearest = four_digits(model.phi.iter().copied().fold(f64::INFINITY, f64::min));
    let reach = reach(settings, model);
    let reason = format!(
        "no two points are similar: the embedding has a prior of variance 1, so that pairs must lie \
         nearer than a squared distance of about {reach}, and the nearest are {nearest} apart"
    );
    match settings.scaling {
        Scaling::None => Error::setting("scaling", "none", reason + "; leave it at auto"),
        Scaling::Auto => {
            Error::setting("noise_weight", settings.noise_weight, reason + "; give a smaller one")
        }
    }
}
