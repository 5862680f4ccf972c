//! The growth of cubic complexes.
#![allow(non_snake_case)]

use std::ops::ControlFlow;

use rayon::prelude::*;
use serde_json::json;

use super::factors::{Changed, Factors};
use super::settings::Cubic;
use crate::assign::{Sums, hard_sums};
use crate::cloud::Cloud;
use crate::connect::{Ceilings, Net, NetShape, Rule, Topology};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{InfOr, NodeCount};
use crate::learn::elastic_map::Frame;
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::Given;
use crate::learn::registry::{Method, to_value};
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::observe::{Observer, Progress};
use crate::place::Springs;
use crate::points::Points;
use crate::prepare::sample;

/// Nodes, if not given.
const NODES: usize = 36;
/// The complex grows on at most this many points.
const GROWTH_POINTS: usize = 1000;
/// Sweeps after which steps are compared.
const COMPARED: usize = 4;
/// Energies that differ by less than this part of the variance are equal.
const ROUNDING: f64 = 1e-11;
/// The steps that follow one another.
const PROGRAM: [Rule; 3] = [Rule::Grow, Rule::Grow, Rule::Shrink];

/// A complex among points.
#[derive(Clone)]
struct Complex {
    factors: Factors,
    nodes: Matrix,
    sums: Sums,
    U: f64,
    /// Whether the energy came to rest within the sweeps that are allowed.
    rests: bool,
}

/// How complexes are placed.
struct Place<'c> {
    cloud: &'c Cloud<'c>,
    λ: f64,
    μ: f64,
    radius: f64,
    /// Of the energy, in working units.
    tol: f64,
}

/// Learns the complex.
pub(super) fn fit(
    settings: &Cubic,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    given.refuse_pairs("a cubic complex")?;
    given.refuse_start_graph("a cubic complex")?;
    if !given.links.is_empty() {
        return Err(Error::data("a cubic complex takes no links: use the method rpg"));
    }
    if given.start.is_some() {
        return Err(Error::data("a cubic complex takes no starting nodes: it grows from four"));
    }
    let cloud = Cloud::new(points)?;
    if cloud.spread() == 0.0 {
        return Err(Error::data(match cloud.len() {
            1 => "there is a single point: a complex needs at least two that differ".into(),
            n => format!("all {n} points are equal: there is nothing to learn"),
        }));
    }
    if cloud.dims() < 2 {
        return Err(Error::data("the points have 1 column: a product of two trees needs 2"));
    }
    let mut choices = Vec::new();
    let count = count(settings.n_nodes, cloud.points(), &mut choices)?;
    let few = sample(&cloud, GROWTH_POINTS)?;
    let few = Cloud::new(&few)?;
    let trimming = Trimming::new(settings.trimming_radius, points, 1.0, count, &mut choices)?;
    let mut growing = Place::new(settings, &few, trimming.radius_of(4));
    let whole = Place::new(settings, &cloud, trimming.radius());

    // Two edges on the first principal plane, whose corners are the four nodes.
    let net = Net::new(NetShape::Rectangle, &[2, 2])?;
    let edge = Topology::new(2, &[(0, 1)]);
    // Among points that are no outliers.
    let company = trimming.in_company()?;
    let company = company.as_ref().map(Cloud::new).transpose()?;
    let among = company.as_ref().unwrap_or(&cloud);
    let corners = few.to_working(among.to_data(Frame::new(among, 2)?.place(&net)));
    let start = Changed { factors: Factors([edge.clone(), edge]), nodes: corners };
    let mut here = growing.settle(start, settings.max_iter);
    let unit = few.square_unit();
    let mut trace = vec![here.U * unit];
    let mut end = 'growth: loop {
        for rule in PROGRAM {
            let progress = Progress {
                stage: "growing the complex",
                done: here.factors.len().saturating_sub(4),
                of: count.saturating_sub(4),
                objective: Some(here.U * unit),
            };
            if watch.progress(progress) == ControlFlow::Break(()) {
                break 'growth End::Interrupted;
            }
            if here.factors.len() >= count && rule != Rule::Shrink {
                break 'growth End::Converged;
            }
            growing.radius = trimming.radius_of(here.factors.len()) * few.scale();
            let Some(next) = growing.step(&here, rule, settings) else { continue };
            here = next;
            trace.push(here.U * unit);
        }
    };
    let Complex { factors, nodes, .. } = here;
    let nodes = cloud.to_working(few.to_data(nodes));
    let Complex { factors, nodes, sums, U, rests } =
        whole.settle(Changed { factors, nodes }, settings.max_iter);
    trace.push(U * cloud.square_unit());
    if end == End::Converged && !rests {
        end = End::MaxIter;
    }
    let notes = [in_words(&factors)].into_iter().chain(trimming.note(&sums)).collect();

    let edges: Vec<_> = factors.edges().into_iter().map(|(a, b)| (a, b, 1.0)).collect();
    Ok(Fitted {
        method: Cubic::NAME,
        graph: PrincipalGraph::new(cloud.to_data(nodes), &edges, sums.mass)?,
        trace,
        end,
        settings: to_value(settings),
        latent: None,
        own_springs: None,
        choices,
        tuning: None,
        notes,
    })
}

fn count(wanted: NodeCount, points: &Points<'_>, choices: &mut Vec<Choice>) -> Result<usize> {
    let n = points.len();
    match wanted {
        NodeCount::Exactly(count) if count > n => Err(Error::setting(
            "n_nodes",
            count,
            format!("there are only {n} points: give at most that many"),
        )),
        NodeCount::Exactly(count) => Ok(count),
        NodeCount::Auto | NodeCount::All => {
            let n = points.count_up_to(3 * NODES);
            let count = NODES.min(n / 3).max(4);
            let reason = if count == NODES {
                "the default".into()
            } else {
                format!("a third of the {n} points, at least 4")
            };
            choices.push(Choice { setting: "n_nodes", value: json!(count), reason });
            Ok(count)
        }
    }
}

/// What the two trees are.
fn in_words(factors: &Factors) -> String {
    let tree = |tree: &Topology| {
        let tips = (0..tree.len()).filter(|&node| tree.neighbors(node).len() == 1).count();
        let edges: Vec<String> = tree.edges().map(|(a, b)| format!("{a}-{b}")).collect();
        match tips {
            2 => format!("a path of {} nodes ({})", tree.len(), edges.join(" ")),
            tips => {
                format!("a tree of {} nodes with {tips} tips ({})", tree.len(), edges.join(" "))
            }
        }
    };
    let [first, second] = &factors.0;
    format!(
        "product of {} and {}; node {}a + b is node a of the one and b of the other",
        tree(first),
        tree(second),
        second.len()
    )
}

impl<'c> Place<'c> {
    /// The radius is in the units of the points.
    fn new(settings: &Cubic, cloud: &'c Cloud<'c>, radius: f64) -> Self {
        let radius = radius * cloud.scale();
        let tol = settings.tol * cloud.spread() / cloud.points().total_weight();
        Self { cloud, λ: settings.stretching, μ: settings.bending, radius, tol }
    }

    /// Assigns and places until the energy rests, or for so many sweeps.
    fn settle(&self, Changed { factors, mut nodes }: Changed, sweeps: usize) -> Complex {
        let springs = factors.springs(self.λ, self.μ);
        let order: Vec<usize> = (0..factors.len()).collect();
        let mut sums = hard_sums(self.cloud, &nodes, self.radius);
        let mut U = energy(&springs, &sums, &nodes);
        let mut rests = false;
        for _ in 0..sweeps {
            let Some(placed) = springs.place(&sums, &order) else { break };
            let next_sums = hard_sums(self.cloud, &placed, self.radius);
            let next = energy(&springs, &next_sums, &placed);
            let fall = U - next;
            (nodes, sums, U) = (placed, next_sums, next);
            if fall <= self.tol {
                rests = true;
                break;
            }
        }
        Complex { factors, nodes, sums, U, rests }
    }

    /// The best complex that one change of one tree leads to; none if there is no change.
    fn step(&self, here: &Complex, rule: Rule, settings: &Cubic) -> Option<Complex> {
        let most = |count: InfOr| match count {
            InfOr::Infinite => usize::MAX,
            InfOr::Finite(count) => count as usize,
        };
        let ceilings = Ceilings {
            branch_points: most(settings.max_branch_points),
            star_order: most(settings.max_star_order),
        };
        let mean = |node: usize| {
            let mass = here.sums.mass[node];
            let sum = here.sums.weighted.row(node);
            (mass > 0.0).then(|| sum.iter().map(|sum| sum / mass).collect())
        };
        let means: Vec<Option<Vec<f64>>> = (0..here.factors.len()).map(mean).collect();
        let changes: Vec<(usize, crate::connect::Change)> = (0..2)
            .flat_map(|factor| {
                let changes = here.factors.0[factor].changes(rule, ceilings, &here.nodes);
                changes.into_iter().map(move |change| (factor, change))
            })
            .collect();
        let compared: Vec<Complex> = changes
            .into_par_iter()
            .map(|(factor, change)| {
                let changed = here.factors.changed(factor, change, &here.nodes, &means);
                self.settle(changed, COMPARED)
            })
            .collect();
        let variance = self.cloud.spread() / self.cloud.points().total_weight();
        let least = compared.iter().map(|complex| complex.U).fold(f64::INFINITY, f64::min);
        // Of those that only rounding tells apart the first.
        let as_good = |complex: &Complex| complex.U <= least + ROUNDING * variance;
        let Complex { factors, nodes, .. } = compared.into_iter().find(as_good)?;
        Some(self.settle(Changed { factors, nodes }, settings.max_iter))
    }
}

fn energy(springs: &Springs, sums: &Sums, nodes: &Matrix) -> f64 {
    let (stretching, bending) = springs.energies(nodes);
    sums.cost / sums.weight + stretching + bending
}
