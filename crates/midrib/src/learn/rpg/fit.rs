//! The loop of the regularized principal graph. Mao2017, Algorithms 1 and 2.
#![allow(non_snake_case)]

use super::bridges::without_bridges;
use super::connector::{Connector, L1};
use super::notes;
use super::plan::{L1Plan, TreePlan, are_fewer, plan_l1, plan_tree, report_data_weight};
use super::settings::{Rpg, VoidRule};
use crate::assign::{Cutoff, Sums, soft_sums};
use crate::connect::Candidates;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::acceleration::Accelerator;
use crate::learn::descent::Descent;
use crate::learn::given::Given;
use crate::learn::method::{Method, to_value};
use crate::learn::plan::Plan;
use crate::learn::result::{End, Fit};
use crate::learn::scan::scan;
use crate::learn::tips::tidy;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// How often candidates across voids are removed; two moons of 200 points need one to three times.
const CUTS: usize = 6;

/// Nodes with the best edges and the best assignment for them, in working units.
struct State<E> {
    C: Matrix,
    W: E,
    P: Sums,
    J: f64,
}

/// Where the sweeps stopped.
struct Learned {
    /// In the coordinates of the points.
    graph: PrincipalGraph,
    descent: Descent,
    end: End,
}

/// Algorithm 1, which is Algorithm 2 from its line 4 on.
fn sweeps<S: Connector>(
    settings: &Rpg,
    cloud: &Cloud<'_>,
    plan: &Plan,
    structure: &mut S,
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let state = |C: Matrix, structure: &mut S| -> Result<State<S::Edges>> {
        let (W, cost) = structure.connect(&C)?; // lines 4 and 6, eq. (19) or (20)
        let P = soft_sums(cloud, &C, plan.bandwidth, Cutoff::EXACT)?; // line 5, eq. (18)
        Ok(State { J: P.cost + cost, C, W, P }) // eq. (17) / γ
    };
    let mut here = state(plan.nodes.clone(), structure)?; // line 2
    let limits = settings.limits();
    let mut descent = Descent::new("learning the graph", here.J, cloud.spread(), limits);
    let mut acceleration = Accelerator::new(settings.acceleration);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let C = structure.place(&here.W, &here.P, &here.C)?; // line 7, eq. (22)
        let metric = |rows: &[f64]| structure.metric(&here.W, &here.P.mass, rows);
        if let Some(ahead) = acceleration.propose(descent.iterations, &here.C, &C, metric)? {
            let ahead = state(ahead, structure)?;
            if ahead.J < here.J {
                end = descent.push(ahead.J, watch);
                here = ahead;
                continue;
            }
            end = descent.push_rejected(watch);
            if end.is_some() {
                break;
            }
        }
        let next = state(C, structure)?;
        end = descent.push(next.J, watch); // line 8
        if end != Some(End::Stalled) {
            here = next;
        }
    }
    let nodes = cloud.to_data(here.C);
    let graph = PrincipalGraph::new(nodes, &S::weighted(&here.W), here.P.mass)?;
    Ok(Learned { graph, descent, end: end.unwrap_or(End::MaxIter) })
}

/// Learns a tree.
pub(super) fn fit_tree(
    settings: &Rpg,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let TreePlan { mut plan, mut tree, tips, data_weight, note } =
        plan_tree(settings, &cloud, given, watch)?;
    let Learned { mut graph, descent, end } = sweeps(settings, &cloud, &plan, &mut tree, watch)?;
    if tips.tidies {
        graph = tidy(graph, points, plan.noise)?;
    }
    let scans = given.links.is_empty() && end != End::Interrupted;
    let tuning = if scans { scan(&cloud, &plan, settings.seed, watch) } else { None };
    report_data_weight(&mut plan.choices, data_weight);
    plan.choices.extend(tips.choice);
    let unit = cloud.square_unit();
    Ok(Fit {
        method: Rpg::NAME,
        object: graph.into(),
        iterations: descent.iterations,
        trace: descent.trace.iter().map(|J| J * unit * data_weight).collect(),
        end,
        settings: to_value(settings),
        choices: plan.choices,
        tuning: tuning.map(|tuning| tuning.over("data_weight", |penalty| 2.0 / penalty)),
        notes: note.into_iter().collect(),
    })
}

/// Learns an l1 graph, again and again without the candidate pairs that lead across voids.
pub(super) fn fit_l1(
    settings: &Rpg,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let planned = plan_l1(settings, &cloud, given, watch)?;
    let mut learn = |candidates: &Candidates| -> Result<(Learned, L1)> {
        let graph = planned.program(candidates)?;
        let mut l1 = L1 { graph, data_weight: planned.data_weight, widest_gap: 0.0 };
        Ok((sweeps(settings, &cloud, &planned.plan, &mut l1, watch)?, l1))
    };
    let (mut learned, mut l1) = learn(&planned.candidates)?;
    let n_candidates = l1.graph.candidates().len();
    let n_nodes = planned.plan.nodes.n_rows();
    // Voids show only where there are more points than nodes.
    let avoids = settings.voids == VoidRule::Avoid && are_fewer(n_nodes, points)?;
    let mut still_crosses = false;
    for cut in 0..=CUTS {
        if !avoids || learned.end == End::Interrupted {
            break;
        }
        let must = planned.links.must();
        let left = without_bridges(l1.graph.candidates(), must, &learned.graph, &cloud)?;
        still_crosses = left.is_some();
        let Some(left) = left.filter(|_| cut < CUTS) else { break };
        let next = learn(&Candidates::Given(left))?;
        if next.0.end == End::Interrupted {
            learned.end = End::Interrupted;
        } else {
            (learned, l1) = next;
        }
    }
    let L1Plan { plan, links, note, data_weight, .. } = planned;
    let mut notes: Vec<String> = note.into_iter().collect();
    notes.extend((!links.must().is_empty()).then(|| notes::SKELETON.into()));
    notes.extend(notes::lone_nodes(&l1.graph, &cloud, n_nodes));
    notes.extend(notes::voids(n_candidates - l1.graph.candidates().len(), still_crosses));
    notes.extend(notes::gap(l1.widest_gap));
    let unit = cloud.square_unit();
    Ok(Fit {
        method: Rpg::NAME,
        object: learned.graph.into(),
        iterations: learned.descent.iterations,
        trace: learned.descent.trace.iter().map(|J| J * unit * data_weight).collect(),
        end: learned.end,
        settings: to_value(settings),
        choices: plan.choices,
        tuning: None,
        notes,
    })
}
