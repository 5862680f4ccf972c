//! The loop of elastic maps. Gorban2009, Algorithm for estimating the elastic principal manifold,
//! and, for each epoch, Optimization of the elastic graph.
#![allow(non_snake_case)]

use super::plan::{Plan, plan};
use super::settings::ElasticMap;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::choices::{NodeCount, TrimmingRadius};
use crate::learn::descent::Descent;
use crate::learn::given::Given;
use crate::learn::lists::Sides;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::Matrix;
use crate::object::{NetForm, NetObject, Object, Surface};
use crate::observe::Observer;
use crate::place::{Assigned, SpringSystem};
use crate::points::{Blocks, Cloud, Points};

/// Learns the map.
pub(super) fn fit(
    settings: &ElasticMap,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::with_missing(points)?;
    let mut plan = plan(settings, &cloud, given.start)?;
    let mut first_epoch = 0;
    if let Some(company) = plan.trimming.in_company()?.filter(|_| !plan.is_given) {
        // Most points would be beyond the radius of a stiff, small net and never pull it out: let
        // it follow points that are not outliers first.
        plan.nodes = cloud.to_working(bent_among(settings, &plan, &company, watch)?);
        first_epoch = settings.epochs.0.len() - 1;
    }
    let softened = soften(settings, &cloud, &plan, first_epoch, watch)?;
    result(settings, &cloud, plan, softened)
}

/// Where the epochs ended, in working units.
struct Softened {
    nodes: Matrix,
    K: Assigned,
    trace: Vec<f64>,
    iterations: usize,
    end: End,
}

/// Bends the net in epochs, from stiff to soft.
fn soften(
    settings: &ElasticMap,
    cloud: &Cloud<'_>,
    plan: &Plan,
    first_epoch: usize,
    watch: &mut dyn Observer,
) -> Result<Softened> {
    let epochs = &settings.epochs.0;
    let mut nodes = plan.nodes.clone();
    let mut K = Assigned::new(cloud, &nodes, f64::INFINITY)?;
    let (mut trace, mut iterations) = (Vec::new(), 0);
    let mut end = End::Converged;
    for (epoch, &m) in epochs.iter().enumerate().skip(first_epoch) {
        let radius = plan.radius(epoch, epochs.len());
        if !plan.trimming.is_infinite() {
            K = Assigned::new(cloud, &nodes, radius)?;
        }
        let springs = plan.springs(m); // step 5
        let mut system = SpringSystem::new(springs.clone(), plan.net.len(), Vec::new());
        let U = K.energy(&springs, &nodes); // eq. (6)
        if trace.is_empty() {
            trace.push(U);
        }
        // Outliers inflate the variance; trimmed, each counts at most the squared radius.
        let scale = plan.variance.min(radius * radius);
        let mut descent = Descent::new("bending the map", U, scale, settings.limits());
        let mut stop = descent.ask(watch);
        while stop.is_none() {
            let Some(placed) = K.place(&mut system, &nodes) else {
                stop = Some(End::Stalled);
                break;
            }; // optimization, steps 4 and 5
            let next = Assigned::new(cloud, &placed, radius)?; // optimization, step 3
            stop = descent.push(next.energy(&springs, &placed), watch);
            if stop != Some(End::Stalled) {
                (nodes, K) = (placed, next);
            }
        }
        trace.extend_from_slice(&descent.trace[1..]);
        iterations += descent.iterations;
        end = stop.unwrap_or(End::MaxIter);
        if end == End::Interrupted {
            break;
        }
    }
    Ok(Softened { nodes, K, trace, iterations, end })
}

/// The nodes of the same net, bent among points that are not outliers.
fn bent_among(
    settings: &ElasticMap,
    plan: &Plan,
    company: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Matrix> {
    let untrimmed = ElasticMap {
        sides: Sides::Exactly(plan.net.sides.clone()),
        n_nodes: NodeCount::Auto,
        trimming_radius: TrimmingRadius::Infinite,
        ..settings.clone()
    };
    let fit = fit(&untrimmed, company, Given::default(), watch)?;
    Ok(fit.graph()?.nodes().clone())
}

fn result(settings: &ElasticMap, cloud: &Cloud<'_>, plan: Plan, softened: Softened) -> Result<Fit> {
    let Softened { nodes, K, trace, iterations, end } = softened;
    let springs = plan.springs(settings.epochs.0.last().copied().unwrap_or(1.0));
    let edges: Vec<_> = plan.net.edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
    let by_nodes = match plan.trimming.is_infinite() {
        true => K.sums.cost / K.sums.weight,
        false => {
            let all = Assigned::new(cloud, &nodes, f64::INFINITY)?.sums;
            all.cost / all.weight
        }
    };
    let graph = PrincipalGraph::new(cloud.to_data(nodes), &edges, K.sums.mass.clone())?;
    let surface = Surface::new(plan.net, graph.nodes(), settings.margin)?;
    let unit = cloud.square_unit();
    let points = cloud.source();
    let left = surface.project(points)?.mean_squared_distance(points)? / (plan.variance * unit);
    let inner_dims = settings.net.dims();
    let mut notes = vec![format!(
        "unexplained variance: {:.1} % by the map, {:.1} % by its nodes alone, {:.1} % by {}",
        100.0 * left,
        100.0 * by_nodes / plan.variance,
        100.0 * plan.unexplained,
        match inner_dims {
            1 => "1 principal component".into(),
            dims => format!("{dims} principal components"),
        }
    )];
    notes.extend(plan.trimming.note(&K.sums));
    let (form, springs) = (NetForm::Surface(Box::new(surface)), Some(springs));
    Ok(Fit {
        method: ElasticMap::NAME,
        object: Object::Net(NetObject { graph, form, springs, mixture: None }),
        iterations,
        trace: trace.iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        choices: plan.choices,
        tuning: None,
        notes,
    })
}
