//! What was found, in words and as JSON.

use std::fmt::Write;
use std::path::Path;

use midrib::connect::{Net, NetShape};
use midrib::graph::{PrincipalGraph, Simplify};
use midrib::learn::Choice;
use midrib::measure::Complexity;
use midrib::object::Object;
use midrib::prepare::{Similarity, Transform};
use midrib_io::{Model, Support};
use serde_json::{Value, json};

use super::methods::wrap;
use super::report::drawn_graph;
use crate::exit::{Outcome, shown};
use crate::flags::{as_flag, note_with_flags};
use crate::talk::{Talk, count};

/// The figures of a learned graph.
pub struct Summary<'m> {
    model: &'m Model,
    /// The graph, or its skeleton where it has short cycles.
    graph: PrincipalGraph,
    /// Whether there are loops and crossings to report.
    has_cycles: bool,
    /// The graph of the model, where the summary describes its skeleton.
    raw: Option<PrincipalGraph>,
    /// The net that the graph is, where it is one.
    net: Option<Net>,
    /// What it is, where it has no tips, branches or loops: a sheet, centers, axes.
    sheet: Option<String>,
    /// The lengths of the loops, longest first.
    loop_lengths: Vec<f64>,
}

impl<'m> Summary<'m> {
    pub fn of(model: &'m Model) -> Outcome<Self> {
        let graph = drawn_graph(&model.object)?;
        let net = model.object.surface().map(|surface| surface.net().clone());
        let sheet = shapeless(model, net.as_ref());
        if net.is_some() || sheet.is_some() {
            let (has_cycles, raw, loop_lengths) = (false, None, Vec::new());
            return Ok(Self { model, graph, has_cycles, raw, net, sheet, loop_lengths });
        }
        let is_skeleton = model.is_skeleton();
        let has_cycles = graph.loops() > 0 || (is_skeleton && !is_tree(model));
        let (graph, raw) = if has_cycles && !is_skeleton {
            let skeleton = graph.simplify(&Simplify::default())?.graph;
            let changed = skeleton != graph;
            (skeleton, changed.then_some(graph))
        } else {
            (graph, None)
        };
        let cycles = graph.minimum_cycle_basis();
        let loop_lengths = cycles.iter().rev().map(|cycle| cycle.length).collect();
        Ok(Self { model, graph, has_cycles, raw, net, sheet, loop_lengths })
    }

    /// The model that it summarizes.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The answer on stdout, the choices on stderr.
    pub fn say(&self, choices: &[Choice], talk: &Talk) -> Outcome<()> {
        if talk.json() {
            return talk.answer(&format!("{:#}\n", self.json()));
        }
        if !choices.is_empty() {
            talk.note("chosen for you (give the flag to change it):");
        }
        let flag = |choice: &Choice| format!("--{}", as_flag(choice.setting));
        let widest = choices.iter().map(|choice| flag(choice).len()).max().unwrap_or(0);
        for choice in choices {
            let flag = flag(choice);
            let value = match &choice.value {
                Value::String(word) => shortened(word),
                other => other.as_f64().map_or_else(|| other.to_string(), short),
            };
            talk.note(format!("  {flag:<widest$}  {value:<9}  {}", choice.reason));
        }
        talk.answer(&self.text())
    }

    pub fn text(&self) -> String {
        let Self { model, graph, .. } = self;
        let crossings = self.crossings();
        let mut counts = vec![
            (graph.tips().len(), "tip", "tips"),
            (graph.branch_points().len() - crossings, "branch point", "branch points"),
            (self.branches(), "branch", "branches"),
            (graph.loops(), "loop", "loops"),
            (graph.components().count, "component", "components"),
        ];
        if crossings > 0 {
            counts.insert(2, (crossings, "crossing", "crossings"));
        }
        let counts: Vec<String> =
            counts.into_iter().map(|(n, one, many)| count(n, one, many)).collect();
        let mut text = match (&self.sheet, &self.net) {
            (Some(sheet), _) => sheet.clone(),
            (None, Some(net)) => shape(net),
            (None, None) => counts.join(", "),
        };
        let mut row = |name: &str, value: String| {
            let _ = write!(text, "\n  {name:<10} {value}");
        };
        row(
            "input",
            format!(
                "{}, {} in {}",
                shown(Path::new(&model.input.file)),
                count(model.input.rows, "point", "points"),
                count(model.input.columns, "column", "columns")
            ),
        );
        if let Some(kernel) = kernel(model.input.prepare.as_ref()) {
            row("kernel", kernel);
        }
        if self.sheet.is_none() || !graph.edges().is_empty() {
            let (nodes, edges) = (graph.nodes().n_rows(), graph.edges().len());
            row("nodes", format!("{nodes}, edges {edges}, length {}", short(graph.length())));
        }
        let loops: &[f64] = if self.net.is_some() { &[] } else { &self.loop_lengths };
        if !loops.is_empty() {
            const SHOWN: usize = 5;
            let mut lengths: Vec<String> = loops.iter().take(SHOWN).copied().map(short).collect();
            if loops.len() > SHOWN {
                lengths.push(format!("{} more", loops.len() - SHOWN));
            }
            row("loops", format!("length {}", lengths.join(", ")));
        }
        if let Some(raw) = &self.raw {
            row(
                "raw graph",
                format!(
                    "{}, {}; `midrib simplify` writes the skeleton",
                    count(raw.edges().len(), "edge", "edges"),
                    count(raw.loops(), "independent cycle", "independent cycles")
                ),
            );
        }
        if let Some(explained) = model.explained {
            let by =
                match (&self.raw, explained == 1.0 && graph.nodes().n_rows() == model.input.rows) {
                    (_, true) => ": every point is a node",
                    (Some(_), false) => ", by the raw graph",
                    (None, false) => "",
                };
            row("explained", format!("{} of the {}{by}", percent(explained), variance(model)));
            if let Some(held) = held(model) {
                row("", held);
            }
        }
        for line in little_explained(model).iter().flat_map(|note| wrap(note, NOTE_WIDTH)) {
            row("", line);
        }
        row("method", self.end());
        if !model.root.is_empty() {
            let nodes: Vec<String> = model.root.iter().map(usize::to_string).collect();
            row("root", format!("node {}", nodes.join(", ")));
        }
        if let Some(support) = &model.support {
            const SHOWN: usize = 3;
            let branches = weakest(self.whole(), &support.edges);
            let least = branches.iter().take(SHOWN);
            let least: Vec<String> =
                least.map(|(name, share)| format!("{name} {share:.2}")).collect();
            let replicas = count(support.replicas, "replica", "replicas");
            row("support", format!("{replicas}; weakest branches {}", least.join(", ")));
        }
        if let Some(objective) = model.objective {
            row(
                "objective",
                match objective.abs() {
                    1e9.. => format!("{objective:.9e}"),
                    _ => format!("{objective:.9}"),
                },
            );
        }
        if let (None, Some(note)) = (&self.sheet, lone_note(self.lone_nodes())) {
            row("note", note);
        }
        for note in &model.notes {
            row("note", note_with_flags(note));
        }
        if let Some(complexity) = &model.complexity {
            let (names, values) = elastic_table(complexity);
            row("elastic", names);
            row("", values);
        }
        text.push('\n');
        text
    }

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
            count(raw.loops(), "cycle", "cycles"),
            results.display()
        ))
    }

    /// The graph of the model, even if the summary describes its skeleton.
    fn whole(&self) -> &PrincipalGraph {
        self.raw.as_ref().unwrap_or(&self.graph)
    }

    /// Where four or more branches meet. Trees have branch points only.
    fn crossings(&self) -> usize {
        let is_crossing = |node: &&usize| self.graph.degree(**node) >= 4;
        if self.has_cycles {
            self.graph.branch_points().iter().filter(is_crossing).count()
        } else {
            0
        }
    }

    /// Branches with an edge; a node alone is none that anyone would look for.
    fn branches(&self) -> usize {
        self.graph.branches().iter().filter(|branch| !branch.edges.is_empty()).count()
    }

    /// Nodes without an edge, if there is more than one node.
    fn lone_nodes(&self) -> usize {
        match self.graph.nodes().n_rows() {
            1 => 0,
            n => (0..n).filter(|&node| self.graph.degree(node) == 0).count(),
        }
    }

    /// The method and how it ended.
    fn end(&self) -> String {
        let Model { method, end, n_iter, settings, .. } = self.model;
        let step = midrib::learn::method(method).map_or("sweep", |entry| entry.step);
        let sweeps = count(*n_iter, step, &format!("{step}s"));
        let end = match end.as_str() {
            "truth" => return "none: this is the true graph of generated points".into(),
            "max_iter" if settings["tol"] == 0.0 && step == "sweep" => {
                return format!("{method}, all {sweeps} run, as --tol is 0");
            }
            "converged" if step == "step" => return format!("{method}, grown in {sweeps}"),
            "converged" => "converged",
            "max_iter" => "NOT converged (raise --max-iter)",
            "stalled" => "stalled by rounding",
            "ceiling" => "stopped by its ceilings",
            "interrupted" => "interrupted",
            _ => "ended",
        };
        format!("{method}, {end} after {sweeps}")
    }

    pub fn json(&self) -> Value {
        let Self { model, graph, .. } = self;
        let mut summary = json!({
            "tips": graph.tips().len(),
            "branch_points": graph.branch_points().len() - self.crossings(),
            "branches": self.branches(),
            "loops": graph.loops(),
            "components": graph.components().count,
            "lone_nodes": self.lone_nodes(),
            "nodes": graph.nodes().n_rows(),
            "edges": graph.edges().len(),
            "length": graph.length(),
            "explained": model.explained,
            "method": model.method,
            "object": model.object.kind().as_str(),
            "edits": model.edits,
            "settings": model.settings,
            "chosen": model.chosen,
            "notes": model.notes,
            "objective": model.objective,
            "end": model.end,
            "n_iter": model.n_iter,
            "seed": model.seed,
            "root": model.root,
            "kernel": kernel(model.input.prepare.as_ref()),
            "input": {"file": model.input.file, "rows": model.input.rows, "columns": model.input.columns},
            "midrib": model.midrib,
        });
        if let Some(support) = &model.support {
            summary["support"] = support_json(self.whole(), support);
        }
        if let Some(complexity) = &model.complexity {
            summary["complexity"] = json!(complexity);
        }
        if let Some(net) = &self.net {
            summary["net"] = json!({"shape": net.shape, "sides": net.sides});
        }
        if let Some(sheet) = &self.sheet {
            summary["sheet"] = json!(sheet);
        }
        if self.has_cycles {
            summary["crossings"] = json!(self.crossings());
            summary["loop_lengths"] = json!(self.loop_lengths);
        }
        if let Some(raw) = &self.raw {
            summary["raw"] = json!({"nodes": raw.nodes().n_rows(), "edges": raw.edges().len(),
                                    "loops": raw.loops(), "length": raw.length()});
        }
        summary
    }
}

/// Reports nodes without an edge, if there are any.
pub fn lone_note(lone: usize) -> Option<String> {
    (lone > 0).then(|| format!("nodes without an edge, each a component of its own: {lone}"))
}

/// What an object without lines is.
fn shapeless(model: &Model, net: Option<&Net>) -> Option<String> {
    match (&model.object, net) {
        (object, _) if object.kind().has_lines() => None,
        (_, Some(net)) => Some(shape(net)),
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
        _ => Some(product(model)),
    }
}

/// A product of trees, as the note of its fit describes it, without the edges in brackets.
fn product(model: &Model) -> String {
    let told = model.notes.first().and_then(|note| note.split(';').next());
    let parts = told.unwrap_or("product of two trees").split(" (");
    parts.map(|part| part.split_once(')').map_or(part, |(_, after)| after)).collect()
}

/// Whether the method learns trees: these have branch points only.
fn is_tree(model: &Model) -> bool {
    let Ok(entry) = midrib::learn::method(&model.method) else { return true };
    entry.promises(&model.settings).is_ok_and(|promises| promises.tree)
}

/// Two lines of a table under ElPiGraph's names.
fn elastic_table(found: &Complexity) -> (String, String) {
    let cells = [
        ("BARCODE", found.barcode.clone()),
        ("ENERGY", short(found.energy)),
        ("NNODES", found.nnodes.to_string()),
        ("NEDGES", found.nedges.to_string()),
        ("NRIBS", found.nribs.to_string()),
        ("NSTARS", found.nstars.to_string()),
        ("MSE", short(found.mse)),
        ("MSEP", short(found.msep)),
        ("FVE", short(found.fve)),
        ("FVEP", short(found.fvep)),
        ("UE", short(found.ue)),
        ("UR", short(found.ur)),
        ("URN", short(found.urn)),
        ("URN2", short(found.urn2)),
        ("URSD", short(found.ursd)),
    ];
    let mut lines = (String::new(), String::new());
    for (name, value) in &cells {
        let width = name.len().max(value.len()) + 2;
        let _ = write!(lines.0, "{name:<width$}");
        let _ = write!(lines.1, "{value:<width$}");
    }
    (lines.0.trim_end().into(), lines.1.trim_end().into())
}

/// The branches by name with their support, the weakest first.
pub fn weakest(graph: &PrincipalGraph, edges: &[f64]) -> Vec<(String, f64)> {
    let branches = graph.branches();
    let supports = branches.iter().map(|branch| branch.support(graph, edges));
    let mut named: Vec<(String, f64)> = (graph.branch_names().into_iter().zip(supports))
        .filter_map(|(name, support)| Some((name, support?)))
        .collect();
    named.sort_by(|a, b| a.1.total_cmp(&b.1));
    named
}

/// What resampling has found of a graph.
pub fn support_json(graph: &PrincipalGraph, support: &Support) -> Value {
    let branches = weakest(graph, &support.edges);
    let branches: Vec<Value> = branches
        .into_iter()
        .map(|(name, share)| json!({"branch": name, "support": share}))
        .collect();
    json!({"replicas": support.replicas, "seed": support.seed, "branches": branches})
}

/// A net in words, for example `rectangle of 12 x 8 nodes`.
fn shape(net: &Net) -> String {
    let sides: Vec<String> = net.sides.iter().map(usize::to_string).collect();
    match net.shape {
        NetShape::Sphere => {
            format!("sphere of {} rings of {} nodes and 2 poles", sides[0], sides[1])
        }
        NetShape::Triangular => format!("triangular sheet of {} nodes", sides.join(" x ")),
        other => format!("{} of {} nodes", other.name(), sides.join(" x ")),
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

/// Letters in a line of a note.
const NOTE_WIDTH: usize = 66;

/// A graph that explains less of the variance gets a word of warning.
const LITTLE: f64 = 0.2;

/// Says so where the graph explains little.
pub fn little_explained(model: &Model) -> Option<String> {
    let share = model.explained.filter(|&share| share < LITTLE)?;
    let advice = match model.dims() {
        0..=10 => "other settings",
        _ => "a few principal components (--pca 5)",
    };
    Some(format!(
        "the graph explains only {}: much of the data lies away from it, or has no shape that a \
         graph could follow; {advice} or another --method may show one",
        percent(share)
    ))
}

/// Of what the points vary: their columns, or what was made of these.
pub fn variance(model: &Model) -> String {
    match components(model) {
        Some((n, _)) => format!("variance of {}", count(n, "component", "components")),
        None if has_kernel(model) => "kernel's variance".into(),
        None => "variance".into(),
    }
}

/// How much of the variance the components hold, where there are some.
fn held(model: &Model) -> Option<String> {
    let (n, share) = components(model)?;
    let hold = if n == 1 { "the component holds" } else { "the components hold" };
    let of = if has_kernel(model) { "kernel's" } else { "columns'" };
    Some(format!("{hold} {} of the {of} variance", percent(share)))
}

/// How many principal components were learned from, and the share of the variance that they hold.
pub fn components(model: &Model) -> Option<(usize, f64)> {
    let shares = &model.input.prepare.as_ref()?.pca.as_ref()?.shares;
    Some((shares.len(), shares.iter().sum()))
}

fn has_kernel(model: &Model) -> bool {
    model.input.prepare.as_ref().is_some_and(|prepare| prepare.kernel.is_some())
}

/// A share as `12.3 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", (1000.0 * share).round() / 10.0 + 0.0)
}

/// The number in `gaussian:0.123456789` in four digits.
fn shortened(word: &str) -> String {
    let parts = word.split_once(':').and_then(|(name, x)| Some((name, x.parse().ok()?)));
    parts.map_or_else(|| word.to_owned(), |(name, x)| format!("{name}:{}", short(x)))
}

/// Four digits, in the usual range without an exponent.
pub fn short(value: f64) -> String {
    // No minus before a zero.
    let value = value + 0.0;
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e6 {
        format!("{value}")
    } else if (1e-3..1e6).contains(&size) {
        let digits = (3 - size.log10().floor() as i32).clamp(0, 6) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.3e}")
    }
}
