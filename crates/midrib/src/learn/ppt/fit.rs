//! The loop of SimplePPT. Mao2015, Algorithm 1.
#![allow(non_snake_case)]

use super::settings::SimplePpt;
use crate::connect::Links;
use crate::error::Result;
use crate::learn::acceleration::Accelerator;
use crate::learn::descent::Descent;
use crate::learn::given::{Given, NodeLinks};
use crate::learn::method::{Method, to_value};
use crate::learn::plan::{Plan, Purpose, plan};
use crate::learn::result::{End, Fit};
use crate::learn::scan::scan;
use crate::learn::tips::{TipPlan, tidy};
use crate::learn::tree::{Tree, TreeState, estep};
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &SimplePpt,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let has_links = !given.links.is_empty();
    let tips = TipPlan::new(settings.tips, settings.smoothness_is_auto(), has_links)?;
    let purpose = if tips.tidies { Purpose::TidyTree } else { Purpose::Tree };
    let mut plan = plan(&settings.wanted(), purpose, &cloud, given.start, watch)?;
    plan.report_missing_nodes(settings.n_nodes);
    let NodeLinks { links, note, .. } = given.node_links(&cloud, &plan.nodes)?.in_a_tree()?;

    let Learned { here, descent, end } = sweeps(settings, &cloud, &plan, links, watch)?;

    let mut graph = here.graph(&cloud)?;
    if tips.tidies {
        graph = tidy(graph, points, plan.noise)?;
    }
    let scans = !has_links && end != End::Interrupted;
    let tuning = if scans { scan(&cloud, &plan, settings.seed, watch) } else { None };
    plan.choices.extend(tips.choice);
    let unit = cloud.square_unit();
    Ok(Fit {
        method: SimplePpt::NAME,
        object: graph.into(),
        iterations: descent.iterations,
        trace: descent.trace.iter().map(|J| J * unit).collect(),
        end,
        settings: to_value(settings),
        choices: plan.choices,
        tuning,
        notes: note.into_iter().collect(),
    })
}

/// Where the sweeps stopped.
struct Learned {
    here: TreeState,
    descent: Descent,
    end: End,
}

/// Algorithm 1, in working units.
fn sweeps(
    settings: &SimplePpt,
    cloud: &Cloud<'_>,
    plan: &Plan,
    links: Links,
    watch: &mut dyn Observer,
) -> Result<Learned> {
    let tree = Tree { length_penalty: plan.length_penalty, links };
    let state = |F_G: Matrix| -> Result<TreeState> {
        let (B, length) = tree.connect(&F_G)?; // lines 4 to 6
        let R = estep(cloud, &F_G, plan.bandwidth)?; // lines 7 and 8, eq. (3.14)
        let J = R.cost + length; // eq. (3.12)
        Ok(TreeState { nodes: F_G, tree: B, sums: R, J })
    };
    let mut here = state(plan.nodes.clone())?; // line 2
    let limits = settings.limits();
    let mut descent = Descent::new("learning the graph", here.J, cloud.spread(), limits);
    let mut acceleration = Accelerator::new(settings.acceleration);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let F_G = tree.place(&here.tree, &here.sums, &here.nodes)?; // line 9, eq. (3.13)
        let metric = |rows: &[f64]| tree.metric(&here.tree, &here.sums.mass, rows);
        if let Some(ahead) = acceleration.propose(descent.iterations, &here.nodes, &F_G, metric)? {
            let ahead = state(ahead)?;
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
        let next = state(F_G)?;
        end = descent.push(next.J, watch); // line 10
        if end != Some(End::Stalled) {
            here = next;
        }
    }
    Ok(Learned { here, descent, end: end.unwrap_or(End::MaxIter) })
}
