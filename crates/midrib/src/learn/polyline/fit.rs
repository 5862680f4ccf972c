//! The loop. Gorban2009, Polygonal line algorithm.

#![allow(non_snake_case)]

use std::ops::ControlFlow;

use super::descent::{Descended, descend};
use super::energy::{Energy, Projected, project};
use super::settings::Polyline;
use crate::assign::hard_sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::NodeCount;
use crate::learn::method::{Method, to_value};
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::result::{Choice, End, Fit};
use crate::learn::settled::Settled;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, dot, squared_distance};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud};

/// The mean squared distance, as a share of the squared radius, at which there is nothing left.
const EXACT: f64 = 1e-20;

/// The numbers of the formulas.
struct Rule {
    settings: Polyline,
    /// N^(1/3).
    root: f64,
    /// r.
    radius: f64,
    /// The most segments.
    most: usize,
}

impl Rule {
    fn new(settings: &Polyline, rows: &WeightedRows, points: usize) -> Result<Self> {
        let most = match settings.n_nodes {
            NodeCount::Exactly(count) if count > points => {
                let reason = format!("there are only {points} points: give at most that many");
                return Err(Error::setting("n_nodes", count, reason));
            }
            NodeCount::Exactly(count) => count - 1,
            _ => rows.len() - 1,
        };
        let largest = rows.x.rows().map(|x| dot(x, x)).fold(0.0, f64::max);
        let root = (rows.total / rows.unit()).cbrt();
        Ok(Self { settings: settings.clone(), root, radius: largest.sqrt(), most })
    }

    /// λ/(k+1).
    fn weight(&self, segments: usize, mean_squared: f64) -> f64 {
        let k = segments as f64;
        let λ =
            self.settings.curvature_penalty * k * mean_squared.sqrt() / (self.root * self.radius);
        λ / (k + 1.0)
    }

    /// Step 5.
    fn stops(&self, segments: usize, mean_squared: f64) -> bool {
        if mean_squared <= EXACT * self.radius * self.radius || segments >= self.most {
            return true;
        }
        let most = self.settings.stop_factor * self.root * self.radius / mean_squared.sqrt();
        self.settings.n_nodes == NodeCount::Auto && segments as f64 > most
    }
}

/// Learns the line.
pub(super) fn fit(
    settings: &Polyline,
    points: &dyn Blocks,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let given = Cloud::new(points)?;
    let settled = Settled::new(&given)?;
    let cloud = Cloud::new(&settled.points)?;
    let rows = WeightedRows::new(&cloud)?;
    let rule = Rule::new(settings, &rows, given.len())?;
    let unit = cloud.square_unit() * settled.square_unit(&given);
    let axes = PrincipalAxes::new(&cloud, 1)?;
    let (low, high) = axes.span[0];
    let start = Matrix::from_rows(&[axes.at(&[low]), axes.at(&[high])])?; // step 1
    let squared_radius = rule.radius * rule.radius;
    let projected = project(&rows, &start)?;
    let mut weight = rule.weight(1, projected.mean_squared);
    let energy = Energy { rows: &rows, segment: &projected.segment, weight, squared_radius };
    let mut here = Descended { value: energy.at(&start).0, nodes: start, projected };
    let mut trace = vec![here.value];
    let end = loop {
        let progress = Progress {
            stage: "growing the line",
            done: trace.len() - 1,
            of: rule.most,
            objective: trace.last().map(|U| U * unit),
        };
        if watch.progress(progress) == ControlFlow::Break(()) {
            break End::Interrupted;
        }
        here = descend(&rows, here.nodes, weight, squared_radius, settings.limits())?; // steps 2, 3
        trace.push(here.value);
        let segments = here.nodes.n_rows() - 1;
        if rule.stops(segments, here.projected.mean_squared) {
            break End::Converged;
        }
        let Some(nodes) = split(&here.nodes, &here.projected, &rows)? else {
            break End::Ceiling;
        };
        here.nodes = nodes; // step 4
        weight = rule.weight(segments + 1, here.projected.mean_squared);
    };
    let count = here.nodes.n_rows();
    let nodes = settled.to_data(&given, cloud.to_data(here.nodes));
    let mass = hard_sums(&given, &given.to_working(nodes.clone()), f64::INFINITY)?.mass;
    let edges: Vec<_> = (1..count).map(|b| (b - 1, b, 1.0)).collect();
    let reason = "where the stopping rule ended the growth";
    Ok(Fit {
        method: Polyline::NAME,
        object: PrincipalGraph::new(nodes, &edges, mass)?.into(),
        iterations: trace.len() - 1,
        trace: trace.into_iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        choices: (settings.n_nodes == NodeCount::Auto)
            .then(|| Choice::new("n_nodes", count, reason))
            .into_iter()
            .collect(),
        tuning: None,
        notes: Vec::new(),
    })
}

/// Step 4: a vertex in the middle of the segment with most points, the longest of equals; none if
/// no point is nearest to the inside of a segment.
fn split(nodes: &Matrix, projected: &Projected, rows: &WeightedRows) -> Result<Option<Matrix>> {
    let mut inside = vec![0.0; nodes.n_rows() - 1];
    for ((&segment, &at), w) in projected.segment.iter().zip(&projected.at).zip(&rows.weights) {
        if at > 0.0 && at < 1.0 {
            inside[segment as usize] += w;
        }
    }
    let length = |s: usize| squared_distance(nodes.row(s), nodes.row(s + 1));
    let mut best = 0;
    for s in 1..inside.len() {
        if inside[s] > inside[best] || (inside[s] == inside[best] && length(s) > length(best)) {
            best = s;
        }
    }
    if inside[best] == 0.0 {
        return Ok(None);
    }
    let ends = nodes.row(best).iter().zip(nodes.row(best + 1));
    let middle: Vec<f64> = ends.map(|(a, b)| 0.5 * (a + b)).collect();
    let mut all: Vec<&[f64]> = nodes.rows().collect();
    all.insert(best + 1, &middle);
    Matrix::from_rows(&all).map(Some)
}
