//! The figures of a learned object.

use std::borrow::Cow;
use std::path::Path;

use midrib::connect::{Net, NetShape};
use midrib::graph::{PrincipalGraph, Simplify};
use midrib::learn::method;
use midrib::measure::{Complexity, Criteria};
use midrib::object::{NetForm, NetObject, Object};
use midrib::prepare::{Similarity, Transform};
use midrib_io::{Edit, Model, More, Origin, Support};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::drawn_object::drawn_graph;
use crate::error::Result;
use crate::text::{count, short};

/// The figures of a learned object; those of its skeleton where a graph has short cycles.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Nodes with one edge.
    pub tips: usize,
    /// Nodes where branches meet, apart from crossings.
    pub branch_points: usize,
    /// Branches with an edge.
    pub branches: usize,
    /// Independent cycles.
    pub loops: usize,
    /// Connected components.
    pub components: usize,
    /// Nodes without an edge, if there is more than one node.
    pub lone_nodes: usize,
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
    /// The length of all edges.
    pub length: f64,
    /// The share of the variance that is explained, where it is known.
    pub explained: Option<f64>,
    /// The method's name.
    pub method: String,
    /// What was learned.
    pub object: &'static str,
    /// What was done to it since.
    pub edits: Vec<Edit>,
    /// The method's settings.
    pub settings: Value,
    /// The settings that were left open, as they were chosen.
    pub chosen: Map<String, Value>,
    /// Notes of the fit.
    pub notes: Vec<String>,
    /// The objective at the end, where the method has one.
    pub objective: Option<f64>,
    /// Why the method stopped, or that nothing was learned.
    pub end: Origin,
    /// The number of iterations.
    pub n_iter: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The nodes from which pseudotime is counted.
    pub root: Vec<usize>,
    /// The kernel of the preparation.
    pub kernel: Option<String>,
    /// The table that it was learned from.
    pub input: InputSummary,
    /// The version of midrib that wrote it.
    pub midrib: String,
    /// What resampling has found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<SupportSummary>,
    /// Energies and complexity of an elastic graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<Complexity>,
    /// How well it represents the points that it was learned from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Criteria>,
    /// The net, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub net: Option<NetSummary>,
    /// What it is, where it has no tips, branches or loops: a sheet, centers, axes.
    #[serde(rename = "sheet", skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// Nodes where four or more branches meet; trees have branch points only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossings: Option<usize>,
    /// The lengths of the loops, longest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_lengths: Option<Vec<f64>>,
    /// The raw graph, where the figures are those of its skeleton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawSummary>,
}

/// The table that an object was learned from.
#[derive(Clone, Debug, Serialize)]
pub struct InputSummary {
    /// The file.
    pub file: String,
    /// The number of points.
    pub rows: usize,
    /// The number of features.
    pub columns: usize,
}

/// A raw graph whose skeleton a summary describes.
#[derive(Clone, Debug, Serialize)]
pub struct RawSummary {
    /// Nodes.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
    /// Independent cycles.
    pub loops: usize,
    /// The length of all edges.
    pub length: f64,
}

/// A net.
#[derive(Clone, Debug, Serialize)]
pub struct NetSummary {
    /// Its shape.
    pub shape: NetShape,
    /// The nodes along its sides.
    pub sides: Vec<usize>,
}

/// What resampling has found of a graph.
#[derive(Clone, Debug, Serialize)]
pub struct SupportSummary {
    /// How many replicas were learned.
    pub replicas: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// The branches, those with the least support first.
    pub branches: Vec<BranchSupport>,
    /// What replicas have that the graph lacks, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<More>,
}

/// The support of a branch.
#[derive(Clone, Debug, Serialize)]
pub struct BranchSupport {
    /// Its name.
    pub branch: String,
    /// The share of the replicas that hold it.
    pub support: f64,
}

/// The graph that a summary describes, and the raw graph that it stands for.
struct Described<'m> {
    graph: Cow<'m, PrincipalGraph>,
    raw: Option<Cow<'m, PrincipalGraph>>,
    has_cycles: bool,
}

/// The figures of a model.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// use midrib_io::Model;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [3.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
/// let model = Model::of_graph("given", graph, vec!["depth".into()]);
/// let summary = midrib_tasks::summarize(&model)?;
/// assert_eq!((summary.tips, summary.branches, summary.length), (2, 1, 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn summarize(model: &Model) -> Result<Summary> {
    let net = model.object.surface().map(|surface| surface.net().clone());
    let shape = shape_of(model, net.as_ref());
    let is_graph = net.is_none() && shape.is_none();
    let Described { graph, raw, has_cycles } = described(model, is_graph)?;
    let crossings = if has_cycles { count_crossings(&graph) } else { 0 };
    let cycles = if has_cycles { graph.minimum_cycle_basis() } else { Vec::new() };
    let loop_lengths = cycles.iter().rev().map(|cycle| cycle.length).collect();
    let whole = raw.as_deref().unwrap_or(&graph);
    let support = model.support.as_ref().map(|support| SupportSummary::of(whole, support));
    Ok(Summary {
        tips: graph.tips().len(),
        branch_points: graph.branch_points().len() - crossings,
        branches: graph.branches().iter().filter(|branch| !branch.edges.is_empty()).count(),
        loops: graph.loops(),
        components: graph.components().count,
        lone_nodes: count_lone_nodes(&graph),
        nodes: graph.nodes().n_rows(),
        edges: graph.edges().len(),
        length: graph.length(),
        explained: model.explained,
        method: model.method.clone(),
        object: model.object.kind().as_str(),
        edits: model.edits.clone(),
        settings: model.settings.clone(),
        chosen: model.chosen.clone(),
        notes: model.notes.clone(),
        objective: model.objective,
        end: model.end,
        n_iter: model.n_iter,
        seed: model.seed,
        root: model.root.clone(),
        kernel: kernel(model.input.prepare.as_ref()),
        input: InputSummary {
            file: model.input.file.clone(),
            rows: model.input.rows,
            columns: model.input.columns,
        },
        midrib: model.midrib.clone(),
        support,
        complexity: model.complexity.clone(),
        criteria: model.criteria.clone(),
        net: net.map(|net| NetSummary { shape: net.shape, sides: net.sides }),
        shape,
        crossings: has_cycles.then_some(crossings),
        loop_lengths: has_cycles.then_some(loop_lengths),
        raw: raw.as_deref().map(RawSummary::of),
    })
}

impl Summary {
    /// Whether the graph is raw and the summary describes its skeleton.
    pub fn is_of_raw(&self) -> bool {
        self.raw.is_some()
    }

    /// If the summary describes a skeleton, how to write it.
    pub fn hint(&self, results: &Path) -> Option<String> {
        let raw = self.raw.as_ref()?;
        Some(format!(
            "this is about the raw graph with its {}; `midrib simplify {} -o DIR` writes the \
             skeleton that `midrib info` describes",
            count(raw.loops, "cycle", "cycles"),
            results.display()
        ))
    }
}

impl RawSummary {
    fn of(graph: &PrincipalGraph) -> Self {
        let (nodes, edges) = (graph.nodes().n_rows(), graph.edges().len());
        Self { nodes, edges, loops: graph.loops(), length: graph.length() }
    }
}

impl SupportSummary {
    /// The support of the branches of a graph.
    pub fn of(graph: &PrincipalGraph, support: &Support) -> Self {
        let branches = graph.branches();
        let supports = branches.iter().map(|branch| branch.support(graph, &support.edges));
        let mut branches: Vec<BranchSupport> = (graph.branch_names().into_iter().zip(supports))
            .filter_map(|(branch, support)| Some(BranchSupport { branch, support: support? }))
            .collect();
        branches.sort_by(|a, b| a.support.total_cmp(&b.support));
        let Support { replicas, seed, more, .. } = *support;
        Self { replicas, seed, branches, more }
    }
}

/// The graph to describe: its skeleton where it has short cycles.
fn described(model: &Model, is_graph: bool) -> Result<Described<'_>> {
    let graph = drawn_graph(&model.object)?;
    let is_skeleton = model.is_skeleton();
    let has_cycles = is_graph && (graph.loops() > 0 || (is_skeleton && !is_tree(model)));
    if !has_cycles || is_skeleton {
        return Ok(Described { graph, raw: None, has_cycles });
    }
    let skeleton = graph.simplify(&Simplify::default())?.graph;
    let raw = (skeleton != *graph).then_some(graph);
    Ok(Described { graph: Cow::Owned(skeleton), raw, has_cycles })
}

/// Nodes where four or more branches meet.
fn count_crossings(graph: &PrincipalGraph) -> usize {
    graph.branch_points().iter().filter(|&&node| graph.degree(node) >= 4).count()
}

fn count_lone_nodes(graph: &PrincipalGraph) -> usize {
    match graph.nodes().n_rows() {
        1 => 0,
        n => (0..n).filter(|&node| graph.degree(node) == 0).count(),
    }
}

/// What an object without lines is.
fn shape_of(model: &Model, net: Option<&Net>) -> Option<String> {
    match (&model.object, net) {
        (object, _) if object.kind().has_lines() => None,
        (_, Some(net)) => Some(net_shape(net.shape, &net.sides)),
        (Object::Centers(centers), None) => {
            Some(count(centers.nodes().n_rows(), "center", "centers"))
        }
        (Object::Flats(flats), None) => {
            Some(count(flats.inner_dims(), "principal axis", "principal axes"))
        }
        (Object::Embedding(object), None) => Some(format!(
            "embedding in {}",
            count(object.embedding.dims(), "dimension", "dimensions")
        )),
        (Object::Net(NetObject { form: NetForm::Product(product), .. }), None) => {
            Some(product.description())
        }
        (object, None) => {
            let n = object.graph().map_or(0, |graph| graph.nodes().n_rows());
            Some(format!("net of {}", count(n, "node", "nodes")))
        }
    }
}

/// Whether the method learns trees: these have branch points only.
fn is_tree(model: &Model) -> bool {
    let Ok(entry) = method(&model.method) else { return true };
    entry.parse(&model.settings).is_ok_and(|configured| configured.promises().tree)
}

/// The description of a net, for example `rectangle of 12 x 8 nodes`.
pub fn net_shape(shape: NetShape, sides: &[usize]) -> String {
    let counts: Vec<String> = sides.iter().map(usize::to_string).collect();
    match shape {
        NetShape::Sphere => {
            format!("sphere of {} rings of {} nodes and 2 poles", counts[0], counts[1])
        }
        NetShape::Triangular | NetShape::Hexagonal => {
            format!("{} sheet of {} nodes", shape.name(), counts.join(" x "))
        }
        other => format!("{} of {} nodes", other.name(), counts.join(" x ")),
    }
}

/// The kernel of a preparation.
fn kernel(prepare: Option<&Transform>) -> Option<String> {
    let kernel = prepare?.kernel.as_ref()?;
    let name = match kernel.function {
        Similarity::Gaussian { beta } => format!("gaussian:{}", short(beta)),
        Similarity::Linear => "linear".into(),
    };
    Some(format!("{name}, {}", count(kernel.n_columns(), "column", "columns")))
}
