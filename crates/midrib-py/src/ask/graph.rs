//! Questions about a graph alone.

use midrib::graph::{Length, Lineage, Path, Simplify};
use serde::Deserialize;
use serde_json::json;

use super::AnyNumber;
use super::places::{dendrogram, metro_map};
use crate::answer::Answer;
use midrib_io::Model;
use midrib_io::{NodeColumns, graphml};
use midrib_tasks::Result;
use midrib_tasks::rooted_graph;

/// What may be asked of a graph.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum GraphQuestion {
    /// How it was learned and what it can do, as JSON.
    About,
    /// Its model, as `model.json` holds it.
    Model,
    /// Its `nodes`, `edges`, `edge_weights`, `edge_lengths`, `mass`, `support` and
    /// `objective_history`.
    Parts,
    /// Its `tips`, `branch_points`, `n_loops`, and the `component` of each node.
    Shape,
    /// The nodes from which pseudotime is counted.
    Roots,
    /// The `embedding` of the points and the `nodes` in it, where the method learns such.
    Latent,
    /// The branches: `nodes`, `edges`, `length`, `closed` and `name` of each.
    Branches,
    /// The shortest way between two nodes: `nodes`, `edges` and `length`.
    Path {
        /// The node where it begins.
        from: usize,
        /// The node where it ends.
        to: usize,
    },
    /// The longest of the shortest ways.
    LongestPath,
    /// The distance of each node from the roots; NaN where no root leads.
    NodePseudotime,
    /// The ways from the roots to every end, each like a path.
    Lineages,
    /// The metro map: places of the `nodes`, and `closing` edges.
    MetroMap,
    /// The dendrogram: places of the `nodes`, and `bars`.
    Dendrogram,
    /// The graph as GraphML.
    Graphml,
    /// The same graph with these roots.
    Root(Vec<usize>),
    /// Its skeleton, see [`midrib_tasks::simplify`]; lengths that are left out are automatic.
    Simplify {
        /// The share of the largest weight below which edges go.
        drop_below: AnyNumber,
        /// The length up to which cycles are broken.
        min_loop: Option<AnyNumber>,
        /// How far terminal branches must be from the rest.
        min_tip: Option<AnyNumber>,
        /// Whether each branch becomes one edge.
        merge_chains: bool,
    },
}

impl GraphQuestion {
    /// The answer.
    pub fn answer(&self, learned: &Model) -> Result<Answer> {
        let graph = learned.graph()?;
        Ok(match self {
            Self::About => about(learned),
            Self::Model => json!(learned).to_string().into(),
            Self::Parts => parts(learned)?,
            Self::Shape => shape(learned)?,
            Self::Roots => learned.root.clone().into(),
            Self::Latent => latent(learned),
            Self::Branches => branches(learned)?,
            Self::Path { from, to } => graph.path(*from, *to)?.map(path).into(),
            Self::LongestPath => graph.longest_path()?.map(path).into(),
            Self::NodePseudotime => rooted_graph(learned)?.node_pseudotime().into(),
            Self::Lineages => lineages(learned)?,
            Self::MetroMap => metro_map(learned, None)?,
            Self::Dendrogram => dendrogram(learned, None)?,
            Self::Graphml => {
                graphml(graph, &NodeColumns::of_model(learned)?, learned.edge_support())?.into()
            }
            Self::Root(nodes) => learned.clone().rooted(nodes.clone())?.into(),
            Self::Simplify { drop_below, min_loop, min_tip, merge_chains } => {
                let length = |given: &Option<AnyNumber>| {
                    given.map_or(Length::Auto, |AnyNumber(length)| Length::Fixed(length))
                };
                let settings = Simplify {
                    drop_below: drop_below.0,
                    min_loop: length(min_loop),
                    min_tip: length(min_tip),
                    merge_chains: *merge_chains,
                };
                midrib_tasks::simplify(learned, &settings)?.model.into()
            }
        })
    }
}

fn about(learned: &Model) -> Answer {
    let Model { midrib, method, settings, chosen, notes, input, edits, .. } = learned;
    let Model { explained, complexity, objective, end, n_iter, .. } = learned;
    json!({
        "midrib": midrib,
        "method": method,
        "settings": settings,
        "chosen": chosen,
        "notes": notes,
        "edits": edits,
        "features": input.features,
        "prepared_names": learned.feature_names(),
        "explained": explained,
        "complexity": complexity,
        "objective": objective,
        "end": end,
        "n_iter": n_iter,
        "embeds": learned.object.embeds(),
    })
    .to_string()
    .into()
}

fn parts(learned: &Model) -> Result<Answer> {
    let graph = learned.graph()?;
    let edges = graph.edges().iter();
    Ok(Answer::record([
        ("nodes", graph.nodes().clone().into()),
        ("edges", edges.clone().map(|edge| (edge.a, edge.b)).collect::<Vec<_>>().into()),
        ("edge_weights", edges.clone().map(|edge| edge.weight).collect::<Vec<_>>().into()),
        ("edge_lengths", edges.map(|edge| edge.length).collect::<Vec<_>>().into()),
        ("mass", graph.mass().to_vec().into()),
        ("support", learned.edge_support().map(<[f64]>::to_vec).into()),
        ("objective_history", learned.trace.clone().into()),
    ]))
}

fn shape(learned: &Model) -> Result<Answer> {
    let graph = learned.graph()?;
    Ok(Answer::record([
        ("tips", graph.tips().into()),
        ("branch_points", graph.branch_points().into()),
        ("n_loops", graph.loops().into()),
        ("component", graph.components().of_node.into()),
    ]))
}

fn latent(learned: &Model) -> Answer {
    let latent = learned.object.embedding().map(|latent| {
        Answer::record([
            ("embedding", latent.coordinates.clone().into()),
            ("nodes", latent.nodes.clone().into()),
        ])
    });
    latent.into()
}

fn branches(learned: &Model) -> Result<Answer> {
    let milestones = learned.graph()?.milestones();
    let names = milestones.branch_names().into_iter();
    let known = milestones.branches().iter().zip(milestones.lengths()).zip(names);
    let branch = known.map(|((branch, &length), name)| {
        Answer::record([
            ("nodes", branch.nodes.clone().into()),
            ("edges", branch.edges.clone().into()),
            ("length", length.into()),
            ("closed", branch.closed.into()),
            ("name", name.into()),
        ])
    });
    Ok(Answer::List(branch.collect()))
}

fn path(path: Path) -> Answer {
    let Path { nodes, edges, length } = path;
    Answer::record([("nodes", nodes.into()), ("edges", edges.into()), ("length", length.into())])
}

fn lineages(learned: &Model) -> Result<Answer> {
    let graph = learned.graph()?;
    let lineages = rooted_graph(learned)?.lineages().into_iter();
    let paths = lineages.map(|lineage| {
        let length = lineage.length(graph);
        let Lineage { nodes, edges } = lineage;
        path(Path { nodes, edges, length })
    });
    Ok(Answer::List(paths.collect()))
}
