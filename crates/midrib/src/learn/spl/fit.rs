//! The ascent to the best similarities. Wang2016, Algorithm 1.

use super::embed::embed;
use super::notes;
use super::objective::Objective;
use super::plan::{Plan, n_neighbors, plan, start};
use super::settings::{Ascent, Spl};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::descent::Descent;
use crate::learn::given::Given;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::{Bounded, Matrix, QuasiNewton, Slope, transposed, violation};
use crate::object::{Embedding, EmbeddingObject, EmbeddingRule, Object};
use crate::observe::Observer;
use crate::points::{Cloud, Points};

/// Similarities up to this share of the largest are what the ascent leaves of zero.
const NEGLIGIBLE: f64 = 1e-6;

/// Learns the similarities and the embedding.
pub(super) fn fit(
    settings: &Spl,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let Plan { model, rows, scale, near, choices } = plan(settings, &cloud, given)?;
    let mut notes = Vec::from_iter(notes::components(&model, given.pairs.is_some()));
    let mut objective = Objective::new(model)?;

    let Similarities { s, residual, descent, end } = match settings.ascent {
        Ascent::QuasiNewton => quasi_newton(settings, &mut objective, near, watch)?,
        Ascent::Subgradient => subgradient(settings, &mut objective, watch)?,
    };

    notes.push(notes::certificate(residual, near));
    let edges = similar(&objective.model.pairs, &s);
    if edges.is_empty() {
        return Err(notes::none_similar(settings, &objective.model));
    }
    notes.extend(notes::lonely(settings, &objective.model, &edges));
    objective.look_at(&s)?;
    let (mut latent, axes) = embed(&objective)?; // line 11
    latent.as_mut_slice().iter_mut().for_each(|e| *e /= scale * cloud.scale());
    let mass = rows.iter().map(|&i| points.weight(i)).collect();
    let graph = PrincipalGraph::new(data_rows(points, &rows), &edges, mass)?;
    let rule = EmbeddingRule::Similarity {
        center: cloud.to_data(Matrix::zeros(1, points.dims())).row(0).to_vec(),
        basis: transposed(&axes),
        n_neighbors: n_neighbors(settings.n_neighbors, rows.len()),
        noise_weight: settings.noise_weight,
    };
    let embedding = Embedding { nodes: Some(latent.clone()), coordinates: latent, rule };
    let embedding = with_all_rows(embedding, &graph, points, &rows)?;
    Ok(Fit {
        method: Spl::NAME,
        object: Object::Embedding(EmbeddingObject { embedding, graph: Some(graph) }),
        iterations: descent.iterations,
        trace: descent.trace,
        end,
        settings: to_value(settings),
        choices,
        tuning: None,
        notes,
    })
}

/// Where an ascent stopped.
struct Similarities {
    s: Vec<f64>,
    /// The violation of the conditions of the maximum: half the gradient.
    residual: f64,
    descent: Descent,
    end: End,
}

/// Projected quasi-Newton steps, to the maximum.
fn quasi_newton(
    settings: &Spl,
    objective: &mut Objective,
    near: f64,
    watch: &mut dyn Observer,
) -> Result<Similarities> {
    let mut s = start(&objective.model);
    let mut value = objective.value(&s)?;
    let mut slope = Slope::default();
    objective.slope(&mut slope)?; // eq. (20)
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
    Ok(Similarities { s, residual, descent, end: end.unwrap_or(End::MaxIter) })
}

/// Algorithm 1 as printed.
fn subgradient(
    settings: &Spl,
    objective: &mut Objective,
    watch: &mut dyn Observer,
) -> Result<Similarities> {
    let mut s = vec![0.0; objective.model.pairs.len()]; // line 2
    let first = objective.value(&s)?;
    // The cost may rise, and no rise is a stall.
    let mut descent =
        Descent::new("learning similarities", first, f64::INFINITY, settings.limits());
    let mut end = descent.ask(watch);
    let mut slope = Slope::default();
    objective.slope(&mut slope)?; // lines 4 to 8, eq. (20)
    while end.is_none() {
        let step = 1.0 / descent.trace.len() as f64;
        for (s, g) in s.iter_mut().zip(&slope.gradient) {
            *s = (*s - step * g).max(0.0); // line 9
        }
        end = descent.push(objective.value(&s)?, watch); // line 10
        objective.slope(&mut slope)?; // lines 4 to 8, eq. (20)
    }
    let residual = violation(&s, &slope.gradient) / 2.0;
    Ok(Similarities { s, residual, descent, end: end.unwrap_or(End::MaxIter) })
}

/// The embedding with coordinates for points without weight too, as if they were new.
fn with_all_rows(
    mut embedding: Embedding,
    graph: &PrincipalGraph,
    points: &Points<'_>,
    rows: &[usize],
) -> Result<Embedding> {
    if rows.len() < points.len() {
        let mut all = embedding.transform(Some(graph), points)?;
        for (from, &to) in rows.iter().enumerate() {
            all.row_mut(to).copy_from_slice(embedding.coordinates.row(from));
        }
        embedding.coordinates = all;
    }
    Ok(embedding)
}

fn data_rows(points: &Points<'_>, rows: &[usize]) -> Matrix {
    let mut data = Matrix::zeros(rows.len(), points.dims());
    for (to, &i) in rows.iter().enumerate() {
        points.copy_row(i, data.row_mut(to));
    }
    data
}

/// The pairs of similar points, with their similarities.
fn similar(pairs: &[(usize, usize)], s: &[f64]) -> Vec<(usize, usize, f64)> {
    let largest = s.iter().copied().fold(0.0, f64::max);
    let weighted = pairs.iter().zip(s).filter(|(_, s)| **s > NEGLIGIBLE * largest);
    weighted.map(|(&(a, b), &s)| (a, b, s)).collect()
}
