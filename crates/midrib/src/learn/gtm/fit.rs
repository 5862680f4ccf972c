//! The EM steps of generative topographic mapping. Bishop1998, section 2.1.
#![allow(non_snake_case)]

use std::f64::consts::TAU;

use super::plan::{Plan, plan};
use super::settings::Gtm;
use crate::assign::{Cutoff, Sums, soft_sums};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::descent::Descent;
use crate::learn::given::Given;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::{Matrix, dot};
use crate::object::{Mixture, NetForm, NetObject, Object, Surface};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// A ridge that holds the map back by more than this share of the spread is worth a note.
const STRONG_RIDGE: f64 = 0.01;

/// Learns the map.
pub(super) fn fit(
    settings: &Gtm,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let plan = plan(settings, &cloud, given.start)?;
    let model = Model { cloud: &cloud, plan: &plan, ridge: settings.ridge };
    let (mut W, mut β) = (plan.weights.clone(), plan.precision);
    let mut R = model.responsibilities(&W, β)?;
    let first = model.cost(&R, &W, β);
    let scale = cloud.total_weight();
    let mut descent = Descent::new("fitting the mixture", first, scale, settings.limits());
    let mut end = descent.ask(watch);
    while end.is_none() {
        let next_W = plan.basis.weights(&R.mass, &R.weighted, model.working_ridge(β))?; // eq. (2.12)
        let next_β = model.precision(&R, &next_W); // eq. (2.13)
        let next_R = model.responsibilities(&next_W, next_β)?; // eq. (2.9)
        end = descent.push(model.cost(&next_R, &next_W, next_β), watch);
        if end != Some(End::Stalled) {
            (W, β, R) = (next_W, next_β, next_R);
        }
    }
    let notes = model.ridge_note(β).into_iter().collect();
    let nodes = cloud.to_data(plan.basis.nodes(&W));
    let edges: Vec<_> = plan.net.edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
    let graph = PrincipalGraph::new(nodes, &edges, R.mass)?;
    let form = NetForm::Surface(Box::new(Surface::new(plan.net, graph.nodes(), 0)?));
    let precision = β / cloud.square_unit();
    let mixture = Some(Mixture { precision, position: settings.position });
    Ok(Fit {
        method: Gtm::NAME,
        object: Object::Net(NetObject { graph, form, springs: None, mixture }),
        iterations: descent.iterations,
        trace: descent.trace,
        end: end.unwrap_or(End::MaxIter),
        settings: to_value(settings),
        choices: plan.choices,
        tuning: None,
        notes,
    })
}

/// The mixture of the points, in working units except for the cost.
struct Model<'m> {
    cloud: &'m Cloud<'m>,
    plan: &'m Plan,
    /// The ridge α, in the units of the columns.
    ridge: f64,
}

impl Model<'_> {
    /// What each node is responsible for.
    fn responsibilities(&self, W: &Matrix, β: f64) -> Result<Sums> {
        soft_sums(self.cloud, &self.plan.basis.nodes(W), 2.0 / β, Cutoff::EXACT)
    }

    /// −L, the negative penalized log-likelihood of the points in their own units.
    fn cost(&self, R: &Sums, W: &Matrix, β: f64) -> f64 {
        let K = self.plan.net.len() as f64;
        let dims = self.cloud.dims() as f64;
        let log_precision = β.ln() - self.cloud.square_unit().ln();
        let log_height = 0.5 * dims * (log_precision - TAU.ln());
        let penalty = 0.5 * self.ridge * self.plan.basis.squared_norm(W, self.cloud.scale());
        0.5 * β * R.cost + R.weight * (K.ln() - log_height) + penalty
    }

    /// α in the system for W.
    fn working_ridge(&self, β: f64) -> f64 {
        self.ridge * self.cloud.square_unit() / β
    }

    /// 1/β = Σ r ‖x − y‖² / (D Σ w), by the sums of the responsibilities.
    fn precision(&self, R: &Sums, W: &Matrix) -> f64 {
        let nodes = self.plan.basis.nodes(W);
        let pulls = nodes.rows().zip(&R.mass).zip(R.weighted.rows());
        let apart: f64 = pulls.map(|((y, mass), sum)| mass * dot(y, y) - 2.0 * dot(y, sum)).sum();
        let squared = self.cloud.spread() + apart;
        let values = R.weight * self.cloud.dims() as f64;
        if squared > 0.0 { (values / squared).min(self.plan.sharpest) } else { self.plan.sharpest }
    }

    /// Says if the ridge, which depends on the units of the columns, is strong.
    fn ridge_note(&self, β: f64) -> Option<String> {
        let strength = self.working_ridge(β) / self.cloud.total_weight();
        let deviation = (self.cloud.spread() / self.cloud.total_weight()).sqrt();
        let pull = strength * (1.0 + self.plan.from_zero / deviation);
        (pull > STRONG_RIDGE).then(|| {
            format!(
                "ridge = {} is strong for columns of this scale, or so far from zero: it flattens \
                 the map or pulls it away from the points; center and scale the columns, or lower \
                 ridge",
                self.ridge
            )
        })
    }
}
