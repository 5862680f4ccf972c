//! The l1 graph of the regularised principal graph. Mao2017, problem (17), Algorithms 1 and 2.
#![allow(non_snake_case)]

use serde_json::json;

use super::bridges::without_bridges;
use super::settings::{Rebuild, Rpg, VoidRule};
use crate::assign::Sums;
use crate::cloud::Cloud;
use crate::connect::{Candidates, L1Edges, L1Graph};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::{Given, NodeLinks};
use crate::learn::ppt::{Plan, Planned, check_proportion, plan};
use crate::learn::registry::{Method, as_given, to_value};
use crate::learn::sweep::{Structure, Swept, sweep};
use crate::math::{Matrix, laplacian_apply};
use crate::observe::Observer;
use crate::place::place_weighted;
use crate::points::Points;

/// Neighbours of a node that are candidates for an edge, where that is left open,
const NEIGHBORS: usize = 5;
/// and of one for each point: these lie less evenly, so that fewer neighbours leave gaps.
const NEIGHBORS_OF_POINTS: usize = 8;

/// Nodes along a curve that an edge between neighbours reaches over.
const REACH: f64 = 2.0;

/// How often candidates across voids are taken away; two moons of 200 points take one to three times.
const CUTS: usize = 6;

/// A linear program counts as solved up to this relative gap.
const GAP: f64 = 1e-8;

/// Weights up to this share of the largest are what an interior point leaves of nothing.
const NOTHING: f64 = 1e-8;

/// That skeletons need not keep must-links.
const SKELETON_NOTE: &str = "must-links are edges of the raw graph; its skeleton may leave some out, \
                             fewer of them with a small min_loop";

/// Learns the graph.
pub(super) fn fit(
    settings: &Rpg,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    let cloud = Cloud::new(points)?;
    let tree = settings.as_tree();
    let mut plan = plan(&tree, Planned::Graph, &cloud, given.start, watch)?;
    given.refuse_start_graph("an l1 graph")?;
    require_two_nodes(plan.nodes.n_rows())?;
    let NodeLinks { links, note, .. } = given.node_links(&cloud, &plan.nodes)?;
    let data_weight = data_weight(settings, &mut plan);
    let candidates = match given.candidates(settings.n_neighbors, settings.neighbors)? {
        Some(_) if plan.nodes.n_rows() != points.len() || given.start.is_some() => {
            return Err(needs_all_nodes(settings));
        }
        Some(candidates) => candidates,
        None => candidates(settings, plan.nodes.n_rows(), points, &mut plan.choices),
    };
    let rebuild = rebuild(settings, &mut plan.choices);
    let weight = reconstruction_weight(settings, &cloud, &mut plan.choices)?;
    let dictionary = dictionary(&plan.nodes, rebuild, &cloud)?;
    // Lengths are in working units, and with them the weight of the rebuilding error, a length.
    let program = |candidates: &Candidates| {
        L1Graph::new(&dictionary, candidates, &links, weight * cloud.scale())
    };
    let mut learn = |graph: L1Graph| -> Result<Learnt> {
        let mut structure = L1 { graph, data_weight, widest_gap: 0.0 };
        let nodes = plan.nodes.clone();
        let swept = sweep(&cloud, nodes, plan.bandwidth, &mut structure, tree.pace(), watch)?;
        Ok(Learnt { graph: swept.graph(&cloud)?, swept, structure })
    };
    let mut learnt = learn(program(&candidates)?)?;
    let n_candidates = learnt.structure.graph.candidates().len();
    // Only where points are more than nodes do they tell of voids between these.
    let avoids = settings.voids == VoidRule::Avoid && are_fewer(plan.nodes.n_rows(), points);
    let mut still_crosses = false;
    for cut in 0..=CUTS {
        if !avoids || learnt.swept.end == End::Interrupted {
            break;
        }
        let candidates = learnt.structure.graph.candidates();
        let left = without_bridges(candidates, links.must(), &learnt.graph, &cloud)?;
        still_crosses = left.is_some();
        let Some(left) = left.filter(|_| cut < CUTS) else { break };
        let next = learn(program(&Candidates::Given(left))?)?;
        if next.swept.end == End::Interrupted {
            learnt.swept.end = End::Interrupted;
        } else {
            learnt = next;
        }
    }
    let Learnt { swept, graph, structure } = learnt;
    let mut notes: Vec<String> = note.into_iter().collect();
    if !links.must().is_empty() {
        notes.push(SKELETON_NOTE.into());
    }
    notes.extend(lone_nodes(&structure.graph, &cloud, plan.nodes.n_rows()));
    notes.extend(void_note(n_candidates - structure.graph.candidates().len(), still_crosses));
    notes.extend(structure.gap_note());
    let unit = cloud.square_unit();
    Ok(Fitted {
        method: Rpg::NAME,
        graph,
        trace: swept.trace.iter().map(|J| J * unit * data_weight).collect(),
        end: swept.end,
        settings: to_value(settings),
        latent: None,
        own_springs: None,
        choices: plan.choices,
        tuning: None,
        notes,
    })
}

fn require_two_nodes(n_nodes: usize) -> Result<()> {
    if n_nodes < 2 {
        return Err(Error::setting("n_nodes", n_nodes, "an l1 graph needs at least two nodes"));
    }
    Ok(())
}

/// γ as it was given, or such that the graph is about as smooth as the tree that was planned.
/// Along a curve each edge of an l1 graph has the weight 1/2, and the paper's sum counts it twice;
/// but an edge that skips nodes, `REACH` on average, is that much stiffer, squared.
fn data_weight(settings: &Rpg, plan: &mut Plan) -> f64 {
    let chosen = REACH * REACH / plan.length_penalty;
    for choice in plan.choices.iter_mut().filter(|choice| choice.setting == "length_penalty") {
        choice.setting = "data_weight";
        choice.value = json!(chosen);
    }
    settings.data_weight.or(chosen)
}

/// Pairs of points are pairs of nodes only where each point has its own.
fn needs_all_nodes(settings: &Rpg) -> Error {
    Error::setting(
        "n_nodes",
        as_given(settings, "n_nodes"),
        "pairs of points need one node per point: use all",
    )
}

fn candidates(
    settings: &Rpg,
    n_nodes: usize,
    points: &Points<'_>,
    choices: &mut Vec<Choice>,
) -> Candidates {
    let nearest = |k| Candidates::Nearest { k, rule: settings.neighbors };
    match settings.n_neighbors {
        NodeCount::All => Candidates::All,
        NodeCount::Exactly(k) => nearest(k),
        NodeCount::Auto => {
            let k = if are_fewer(n_nodes, points) { NEIGHBORS } else { NEIGHBORS_OF_POINTS };
            let k = k.min(n_nodes.saturating_sub(1)).max(1);
            let reason = "neighbours of each node that an edge may join".into();
            choices.push(Choice { setting: "n_neighbors", value: json!(k), reason });
            nearest(k)
        }
    }
}

/// Whether nodes are fewer than points.
fn are_fewer(n_nodes: usize, points: &Points<'_>) -> bool {
    n_nodes < points.count_up_to(n_nodes + 1)
}

/// Tells of voids: the pairs of nodes taken away, and whether that was not enough.
fn void_note(taken: usize, still_crosses: bool) -> Option<String> {
    let across = "edges lead through a void";
    let pairs = match taken {
        0 => return still_crosses.then(|| format!("some {across}")),
        1 => "one pair of near nodes is".into(),
        n => format!("{n} pairs of near nodes are"),
    };
    let left = if still_crosses { format!("; some other {across}") } else { String::new() };
    Some(format!(
        "{pairs} not joined, because of a void between; voids = cross would let them{left}"
    ))
}

/// How nodes are rebuilt: `Linear` or `Affine`.
fn rebuild(settings: &Rpg, choices: &mut Vec<Choice>) -> Rebuild {
    if settings.rebuild != Rebuild::Auto {
        return settings.rebuild;
    }
    let (rebuild, value, reason) = match settings.reconstruction_weight {
        AutoOr::Auto => (Rebuild::Affine, "affine", "weights at a node add up to about 1"),
        AutoOr::Fixed(_) => {
            (Rebuild::Linear, "linear", "as in the paper, since the reconstruction weight is given")
        }
    };
    choices.push(Choice { setting: "rebuild", value: json!(value), reason: reason.into() });
    rebuild
}

/// What nodes are rebuilt from: linear, the nodes as they lie around the caller's origin; affine,
/// the centred nodes with one more coordinate that is the same for all.
fn dictionary(nodes: &Matrix, rebuild: Rebuild, cloud: &Cloud<'_>) -> Result<Matrix> {
    if rebuild != Rebuild::Affine {
        return Ok(cloud.to_scaled(nodes.clone()));
    }
    let same = root_mean_square(cloud);
    let values: Vec<f64> =
        nodes.rows().flat_map(|node| node.iter().copied().chain([same])).collect();
    Matrix::new(nodes.n_rows(), nodes.n_cols() + 1, values)
}

/// The root mean square distance of the points from their mean, in working units.
fn root_mean_square(cloud: &Cloud<'_>) -> f64 {
    (cloud.spread() / cloud.points().total_weight()).sqrt()
}

/// λ as it was given, or the root mean square distance of the points from their mean.
fn reconstruction_weight(
    settings: &Rpg,
    cloud: &Cloud<'_>,
    choices: &mut Vec<Choice>,
) -> Result<f64> {
    Ok(match settings.reconstruction_weight {
        AutoOr::Fixed(weight) => {
            let working = weight * cloud.scale();
            check_proportion("reconstruction_weight", weight, working, cloud.square_unit())?;
            weight
        }
        AutoOr::Auto => {
            let weight = root_mean_square(cloud) / cloud.scale();
            choices.push(Choice {
                setting: "reconstruction_weight",
                value: json!(weight),
                reason: "root mean square distance of the points from their mean".into(),
            });
            weight
        }
    })
}

/// Tells of nodes that no edge may join. A point has a name that lasts, a node only a number that
/// `prune` and `simplify` change.
fn lone_nodes(graph: &L1Graph, cloud: &Cloud<'_>, n_nodes: usize) -> Option<String> {
    let lone = graph.lone_nodes();
    let first = *lone.first()?;
    let point = (n_nodes == cloud.len()).then(|| format!("point {}", cloud.points().id(first)));
    let who = match (lone.len(), point) {
        (1, point) => point.unwrap_or_else(|| "one node".into()),
        (n, Some(point)) => format!("{n} nodes, {point} the first,"),
        (n, None) => format!("{n} nodes"),
    };
    let became = if lone.len() == 1 { "it became" } else { "each became" };
    Some(format!("{who} had no candidate for an edge: {became} a component of its own"))
}

/// Where sweeps ended.
struct Learnt {
    swept: Swept,
    /// In the coordinates of the points.
    graph: PrincipalGraph,
    structure: L1,
}

/// An l1 graph that pulls its nodes together.
struct L1 {
    graph: L1Graph,
    /// γ.
    data_weight: f64,
    /// The largest relative gap of all programs so far.
    widest_gap: f64,
}

impl L1 {
    fn gap_note(&self) -> Option<String> {
        (self.widest_gap > GAP).then(|| {
            format!(
                "a linear program was solved only up to a relative gap of {:.1e}",
                self.widest_gap
            )
        })
    }

    /// Of an edge of weight 1: the paper's sum counts every edge twice.
    fn stiffness(&self) -> f64 {
        2.0 / self.data_weight
    }
}

impl Structure for L1 {
    type Edges = L1Edges;

    fn connect(&mut self, nodes: &Matrix) -> Result<(L1Edges, f64)> {
        let found = self.graph.connect(nodes)?;
        self.widest_gap = self.widest_gap.max(found.relative_gap);
        let cost = found.value / self.data_weight;
        Ok((found, cost))
    }

    fn place(&self, found: &L1Edges, sums: &Sums, nodes: &Matrix) -> Result<Matrix> {
        place_weighted(&found.edges, self.stiffness(), &sums.mass, &sums.weighted, nodes)
    }

    fn apply(&self, found: &L1Edges, mass: &[f64], rows: &[f64]) -> Vec<f64> {
        let stiffness = self.stiffness();
        let edges = found.edges.iter().map(|&(a, b, weight)| (a, b, stiffness * weight));
        laplacian_apply(&edges.collect::<Vec<_>>(), mass, rows)
    }

    fn weighted(found: &L1Edges) -> Vec<(usize, usize, f64)> {
        let largest = found.edges.iter().fold(0.0, |most: f64, edge| most.max(edge.2));
        let counts = |edge: &&(usize, usize, f64)| edge.2 > NOTHING * largest;
        found.edges.iter().filter(counts).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::void_note;

    #[test]
    fn voids_that_are_left_are_said() {
        assert_eq!(void_note(0, false), None);
        assert!(void_note(0, true).unwrap().starts_with("some edges lead"));
        assert!(void_note(1, false).unwrap().ends_with("would let them"));
        assert!(void_note(2, true).unwrap().ends_with("some other edges lead through a void"));
    }
}
