//! The growth of cubic complexes. Gorban2009, Algorithm for estimating the elastic principal graph,
//! with the grammar of each factor.
#![allow(non_snake_case)]

use std::ops::ControlFlow;

use super::complex::Complex;
use super::factors::Changed;
use super::plan::{FIRST_NODES, Plan, check_points, plan};
use super::settings::Cubic;
use crate::connect::Rule;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::object::{NetForm, NetObject, Object, TreeProduct};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud};
use crate::prepare::sample;

/// The most points that the complex grows on.
const GROWTH_POINTS: usize = 1000;
/// The rules of the grammar, one after the other.
const PROGRAM: [Rule; 3] = [Rule::Grow, Rule::Grow, Rule::Shrink];

/// Learns the complex.
pub(super) fn fit(settings: &Cubic, points: &dyn Blocks, watch: &mut dyn Observer) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    check_points(&cloud)?;
    let few = sample(&cloud, GROWTH_POINTS)?;
    let few = Cloud::new(&few)?;
    let mut plan = plan(settings, &cloud, &few)?;

    let mut trace = Vec::new();
    let (grown, steps, mut end) = grow(&mut plan, few.square_unit(), &mut trace, watch)?;
    let nodes = cloud.to_working(few.to_data(grown.nodes));
    let Complex { factors, nodes, sums, U, converged } =
        plan.whole.settle(Changed { factors: grown.factors, nodes })?;
    trace.push(U * cloud.square_unit());
    if end == End::Converged && !converged {
        end = End::MaxIter;
    }

    let product = TreeProduct(factors.0.each_ref().map(|tree| tree.edges().collect()));
    let notes = [product.note()].into_iter().chain(plan.trimming.note(&sums)).collect();
    let edges: Vec<_> = factors.edges().into_iter().map(|(a, b)| (a, b, 1.0)).collect();
    let graph = PrincipalGraph::new(cloud.to_data(nodes), &edges, sums.mass)?;
    let form = NetForm::Product(product);
    Ok(Fit {
        method: Cubic::NAME,
        object: Object::Net(NetObject { graph, form, springs: None, mixture: None }),
        iterations: steps + 1, // the last one places it on all points
        trace,
        end,
        settings: to_value(settings),
        choices: plan.choices,
        tuning: None,
        notes,
    })
}

/// Applies the rules until there are enough nodes, and counts the steps; `unit` is the square of a
/// working unit.
fn grow(
    plan: &mut Plan<'_>,
    unit: f64,
    trace: &mut Vec<f64>,
    watch: &mut dyn Observer,
) -> Result<(Complex, usize, End)> {
    let Plan { count, start, trimming, growing, .. } = plan;
    let mut here = growing.settle(start.clone())?; // step 1
    trace.push(here.U * unit);
    let mut steps = 0;
    loop {
        for rule in PROGRAM {
            let n_nodes = here.factors.len();
            let progress = Progress {
                stage: "growing the complex",
                done: n_nodes.saturating_sub(FIRST_NODES),
                of: count.saturating_sub(FIRST_NODES),
                objective: Some(here.U * unit),
            };
            if watch.progress(progress) == ControlFlow::Break(()) {
                return Ok((here, steps, End::Interrupted));
            }
            if n_nodes >= *count && rule != Rule::Shrink {
                return Ok((here, steps, End::Converged)); // step 7
            }
            growing.trim(trimming.radius_of(n_nodes));
            let Some(next) = growing.step(&here, rule)? else { continue }; // steps 3 to 5
            here = next; // step 6
            steps += 1;
            trace.push(here.U * unit);
        }
    }
}
