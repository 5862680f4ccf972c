//! The loop of elastic maps.
#![allow(non_snake_case)]

use serde_json::json;

use super::frame::Frame;
use super::settings::ElasticMap;
use super::surface::Surface;
use super::words::Sides;
use crate::cloud::Cloud;
use crate::connect::Net;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{AutoOr, NodeCount, TrimmingRadius};
use crate::learn::descent::Descent;
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::Given;
use crate::learn::ppt::{check_start, working_start};
use crate::learn::registry::{Method, to_value};
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::place::{Assigned, Pins, Springs, Star};
use crate::points::Points;
use crate::prepare::fill_gaps;

/// Nodes, if not given.
const NODES: usize = 100;

/// Learns the map.
pub(super) fn fit(
    settings: &ElasticMap,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    given.refuse_pairs("an elastic map")?;
    given.refuse_start_graph("an elastic map")?;
    if !given.links.is_empty() {
        return Err(Error::data("an elastic map takes no links: use the method rpg"));
    }
    let cloud = Cloud::with_gaps(points)?;
    if cloud.spread() == 0.0 {
        return Err(Error::data(match cloud.len() {
            1 => "there is a single point: a map needs at least two that differ".into(),
            n => format!("all {n} points are equal: there is nothing to learn"),
        }));
    }
    let room = settings.net.room();
    if cloud.dims() < room {
        let dims = match cloud.dims() {
            1 => "1 column".into(),
            dims => format!("{dims} columns"),
        };
        let reason = format!("it needs {room} dimensions, the points have {dims}");
        return Err(Error::setting("net", settings.net.word(), reason));
    }
    let mut choices = Vec::new();
    let Start { net, mut nodes, is_bent, trimming, unexplained } =
        start(settings, points, given.start, &cloud, &mut choices, watch)?;
    let variance = cloud.spread() / points.total_weight();
    let (λ, μ) = settings.moduli(&net);
    let (stretching, bending) = settings.chosen_moduli();
    for (setting, wanted, value) in
        [("stretching", settings.stretching, stretching), ("bending", settings.bending, bending)]
    {
        if wanted == AutoOr::Auto {
            let reason = format!("the usual one of a {} net", settings.net.word());
            choices.push(Choice { setting, value: json!(value), reason });
        }
    }
    let order: Vec<usize> = (0..net.len()).collect();

    let n_epochs = settings.epochs.0.len();
    let first = if is_bent { n_epochs - 1 } else { 0 };
    let mut K = Assigned::new(&cloud, &nodes, f64::INFINITY);
    let mut trace = Vec::new();
    let mut end = End::Converged;
    for (epoch, m) in settings.epochs.0.iter().enumerate().skip(first) {
        // A stiff net is like one of fewer nodes.
        let fewer = (net.len() as f64).powf((epoch + 1) as f64 / n_epochs as f64).round();
        let radius = trimming.radius_of(fewer as usize);
        if !trimming.is_infinite() {
            K = Assigned::new(&cloud, &nodes, radius);
        }
        let springs = springs(&net, m * λ, m * μ); // softening, step 2
        let U = K.energy(&springs, &nodes);
        if trace.is_empty() {
            trace.push(U);
        }
        // Outliers make the variance as large as they like; trimmed, they count the squared radius.
        let most = variance.min(radius * radius);
        let mut descent = Descent::new("bending the map", U, most, settings.limits());
        end = match descent.ask(watch) {
            Some(end) => end,
            None => loop {
                let Some(placed) = K.place(&springs, &order, &Pins::default()) else {
                    break End::Stalled;
                }; // eq. (8)
                let next = Assigned::new(&cloud, &placed, radius); // eq. (7)
                let stop = descent.push(next.energy(&springs, &placed), watch);
                if stop != Some(End::Stalled) {
                    (nodes, K) = (placed, next);
                }
                if let Some(end) = stop {
                    break end;
                }
            },
        };
        trace.extend_from_slice(&descent.trace[1..]);
        if end == End::Interrupted {
            break;
        }
    }

    let edges: Vec<_> = net.edges.iter().map(|&(a, b, _)| (a, b, 1.0)).collect();
    let mass = K.sums.mass.clone();
    let (by_nodes, weight) = match trimming.is_infinite() {
        true => (K.sums.cost, K.sums.weight),
        false => {
            let all = Assigned::new(&cloud, &nodes, f64::INFINITY).sums;
            (all.cost, all.weight)
        }
    };
    let graph = PrincipalGraph::new(cloud.to_data(nodes), &edges, mass)?;
    let surface = Surface::new(net, graph.nodes(), settings.margin)?;
    let unit = cloud.square_unit();
    let left = surface.project(points)?.mean_squared_distance(points)? / (variance * unit);
    let mut notes = vec![format!(
        "unexplained variance: {:.1} % by the map, {:.1} % by its nodes alone, {:.1} % by {}",
        100.0 * left,
        100.0 * by_nodes / weight / variance,
        100.0 * unexplained,
        match settings.net.dims() {
            1 => "1 principal component".into(),
            dims => format!("{dims} principal components"),
        }
    )];
    notes.extend(trimming.note(&K.sums));
    Ok(Fitted {
        method: ElasticMap::NAME,
        graph,
        trace: trace.iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        latent: None,
        own_springs: None,
        choices,
        tuning: None,
        notes,
    })
}

/// The net before it is bent.
struct Start {
    net: Net,
    /// In the working coordinates of the points.
    nodes: Matrix,
    /// Whether it went through its epochs among points that are no outliers.
    is_bent: bool,
    trimming: Trimming,
    /// The share of the variance that as many principal components leave unexplained.
    unexplained: f64,
}

fn start(
    settings: &ElasticMap,
    points: &Points<'_>,
    given: Option<&Matrix>,
    cloud: &Cloud<'_>,
    choices: &mut Vec<Choice>,
    watch: &mut dyn Observer,
) -> Result<Start> {
    let given = match given {
        Some(start) => {
            check_start(start, cloud.dims())?;
            Some(working_start(start, cloud)?)
        }
        None => None,
    };
    let room = settings.net.room();
    let filled = match points.gaps() {
        0 => None,
        _ => Some(fill_gaps(points, room.min(points.len() - 1).max(1))?),
    };
    let complete = filled.as_ref().map_or(points, |filled| &filled.points);
    let whole = Cloud::new(complete)?;
    let frame = Frame::new(&whole, room)?;
    let sides = match &settings.sides {
        Sides::Exactly(sides) => sides.clone(),
        Sides::Auto => {
            let (count, reason) = count(settings.n_nodes, cloud.points())?;
            let sides = frame.sides(settings.net, count);
            let value = json!(Sides::Exactly(sides.clone()));
            choices.push(Choice { setting: "sides", value, reason });
            sides
        }
    };
    let net = Net::new(settings.net, &sides)?;
    let trimming =
        Trimming::new(settings.trimming_radius, complete, cloud.scale(), net.len(), choices)?;
    let few = trimming.in_company()?;
    let is_bent = given.is_none() && few.is_some();
    let nodes = match given {
        Some(nodes) if nodes.n_rows() != net.len() => {
            return Err(Error::data(format!(
                "the given start has {} nodes, a {} net of {} has {}: give the sides that it has",
                nodes.n_rows(),
                net.shape.word(),
                Sides::Exactly(sides),
                net.len()
            )));
        }
        Some(nodes) => nodes,
        None => cloud.to_working(match &few {
            // A stiff net is small: most points would be beyond the radius, and never pull it out.
            Some(few) => {
                let untrimmed = ElasticMap {
                    sides: Sides::Exactly(sides),
                    n_nodes: NodeCount::Auto,
                    trimming_radius: TrimmingRadius::Infinite,
                    ..settings.clone()
                };
                fit(&untrimmed, few, Given::default(), watch)?.graph.nodes().clone()
            }
            None => whole.to_data(frame.place(&net)),
        }),
    };
    let unexplained = match &filled {
        Some(filled) if settings.net.dims() == room => {
            filled.errors.last().copied().unwrap_or(0.0) / cloud.spread() / cloud.square_unit()
        }
        Some(_) => {
            let fewer = fill_gaps(points, settings.net.dims().min(points.len() - 1).max(1))?;
            fewer.errors.last().copied().unwrap_or(0.0) / cloud.spread() / cloud.square_unit()
        }
        None => frame.unexplained[settings.net.dims() - 1],
    };
    Ok(Start { net, nodes, is_bent, trimming, unexplained })
}

/// About how many nodes, and why so many.
fn count(wanted: NodeCount, points: &Points<'_>) -> Result<(usize, String)> {
    let n = points.len();
    let shaped = "in the ratio of the points' extents";
    match wanted {
        NodeCount::Exactly(count) if count > n => Err(Error::setting(
            "n_nodes",
            count,
            format!("there are only {n} points: give at most that many, or the sides of the net"),
        )),
        NodeCount::Exactly(count) => Ok((count, format!("about {count} nodes, {shaped}"))),
        NodeCount::Auto | NodeCount::All => {
            let count = NODES.min(points.count_up_to(3 * NODES) / 3);
            let of = if count == NODES { "" } else { ", a third of the points" };
            Ok((count, format!("about {count} nodes{of}, {shaped}")))
        }
    }
}

/// The springs of a net; every edge and every rib has these moduli.
pub(super) fn springs(net: &Net, λ: f64, μ: f64) -> Springs {
    let edges = net.edges.iter().map(|&(a, b, stiffer)| (a, b, λ * stiffer));
    let star = |(center, leaves): &(usize, Vec<usize>)| Star {
        center: *center,
        leaves: leaves.clone(),
        modulus: μ,
    };
    Springs { edges: edges.collect(), stars: net.ribs.iter().map(star).collect() }
}
