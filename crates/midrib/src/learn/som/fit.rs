//! The epochs of a self-organizing map. Gorban2009, SOM approach for principal manifold
//! approximation.

use std::ops::ControlFlow;

use super::batch::moved;
use super::online::OnlineEpoch;
use super::schedule::Schedule;
use super::settings::{Som, Training};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::choices::AutoOr;
use crate::learn::given::Given;
use crate::learn::laid_net::LaidNet;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{Choice, End, Fit, four_digits};
use crate::math::Matrix;
use crate::object::{MapErrors, NetForm, NetObject, Object, Surface};
use crate::observe::{Observer, Progress};
use crate::place::Assigned;
use crate::points::{Blocks, Cloud};

/// Learns the map.
pub(super) fn fit(
    settings: &Som,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::with_missing(points)?;
    let mut laid = LaidNet::new(&settings.wanted_net(), &cloud, given.start)?;
    let schedule = Schedule::new(settings, &laid.net);
    if settings.radius == AutoOr::Auto {
        let reason = "a quarter of the longest side of the net";
        laid.choices.push(Choice::new("radius", schedule.first_radius(), reason));
    }
    let learned = epochs(settings, &cloud, &laid, &schedule, watch)?;
    result(settings, &cloud, laid, learned)
}

/// Where the epochs ended, in working units.
struct Learned {
    nodes: Matrix,
    assigned: Assigned,
    trace: Vec<f64>,
    end: End,
}

/// Moves the nodes in an ever smaller neighborhood.
fn epochs(
    settings: &Som,
    cloud: &Cloud<'_>,
    laid: &LaidNet,
    schedule: &Schedule,
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let net = &laid.net;
    let mut nodes = laid.nodes.clone();
    let mut assigned = Assigned::new(cloud, &nodes, f64::INFINITY)?;
    let mut trace = vec![assigned.sums.cost / assigned.sums.weight];
    let mut end = End::Converged;
    for epoch in 0..=settings.max_iter {
        let objective = trace.last().copied();
        let of = settings.max_iter;
        let progress = Progress { stage: "moving the nodes", done: epoch, of, objective };
        if watch.progress(progress) == ControlFlow::Break(()) {
            end = End::Interrupted;
        }
        if end == End::Interrupted || epoch == of {
            break;
        }
        let radius = schedule.radius(epoch);
        match settings.training {
            Training::Batch => nodes = moved(net, &nodes, &assigned, radius),
            Training::Online => {
                let learning_rate = schedule.learning_rate(epoch);
                let seed = settings.seed;
                OnlineEpoch { net, radius, learning_rate, seed, epoch }.run(cloud, &mut nodes)?;
            }
        }
        assigned = Assigned::new(cloud, &nodes, f64::INFINITY)?;
        trace.push(assigned.sums.cost / assigned.sums.weight);
    }
    Ok(Learned { nodes, assigned, trace, end })
}

fn result(settings: &Som, cloud: &Cloud<'_>, laid: LaidNet, learned: Learned) -> Result<Fit> {
    let Learned { nodes, assigned, trace, end } = learned;
    let LaidNet { net, choices, .. } = laid;
    let mut notes = Vec::new();
    if net.len() > cloud.len() {
        let (nodes, points) = (net.len(), cloud.len());
        notes.push(format!(
            "the net has {nodes} nodes for {points} points: most nodes lie between points and hold \
             none; give fewer n_nodes or smaller sides"
        ));
    }
    let edges: Vec<_> = net.edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
    let graph = PrincipalGraph::new(cloud.to_data(nodes), &edges, assigned.sums.mass)?;
    notes.push(errors_note(&graph, cloud.source())?);
    let form = NetForm::Surface(Box::new(Surface::new(net, graph.nodes(), 0)?));
    let unit = cloud.square_unit();
    Ok(Fit {
        method: Som::NAME,
        object: Object::Net(NetObject { graph, form, springs: None, mixture: None }),
        iterations: trace.len() - 1,
        trace: trace.iter().map(|error| error * unit).collect(),
        end,
        settings: to_value(settings),
        choices,
        tuning: None,
        notes,
    })
}

fn errors_note(graph: &PrincipalGraph, points: &dyn Blocks) -> Result<String> {
    let MapErrors { quantization, topographic } = MapErrors::of(graph, points)?;
    Ok(format!(
        "mean distance to the nearest node: {}; topographic error: {:.1} % of the points have their \
         two nearest nodes apart on the net",
        four_digits(quantization),
        100.0 * topographic
    ))
}
