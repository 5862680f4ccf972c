//! The summary of a learned object on a terminal.

use std::fmt::Write;
use std::path::Path;

use midrib::learn::Choice;
use midrib::measure::Complexity;
use midrib_io::Model;
use midrib_tasks::{
    Ending, Summary, count, lacking, little_explained, lone_note, net_shape, percent, short,
    shortened, shown, steps, variance, variance_held,
};
use serde_json::{Value, json};

use super::criteria_text::criteria_rows;
use crate::console::Console;
use crate::exit::Outcome;
use crate::spelling::flag;
use crate::wording::FLAGS;
use crate::wrap::wrap;

/// Letters in a line of a note.
const NOTE_WIDTH: usize = 66;
/// At most this many loops are listed.
const LOOPS: usize = 5;
/// At most this many of the weakest branches are listed.
const WEAKEST: usize = 3;

/// Prints the summary on stdout and the choices on stderr.
pub fn print_summary(
    model: &Model,
    summary: &Summary,
    choices: &[Choice],
    console: &Console,
) -> Outcome<()> {
    if console.json() {
        return console.answer(&format!("{:#}\n", json!(summary)));
    }
    if !choices.is_empty() {
        console.note("chosen for you (give the flag to change it):");
    }
    let widest = choices.iter().map(|choice| flag(choice.setting).len()).max().unwrap_or(0);
    for choice in choices {
        let value = match &choice.value {
            Value::String(text) => shortened(text),
            other => other.as_f64().map_or_else(|| other.to_string(), short),
        };
        let flag = flag(choice.setting);
        console.note(format!("  {flag:<widest$}  {value:<9}  {}", choice.reason));
    }
    console.answer(&summary_text(model, summary))
}

/// The summary as text.
pub fn summary_text(model: &Model, summary: &Summary) -> String {
    let mut text = headline(summary);
    let rows = [
        graph_rows(model, summary),
        explained_rows(model, summary),
        summary.criteria.as_ref().map(criteria_rows).unwrap_or_default(),
        fit_rows(model, summary),
        note_rows(model, summary),
    ];
    for (name, value) in rows.into_iter().flatten() {
        let _ = write!(text, "\n  {name:<10} {value}");
    }
    text.push('\n');
    text
}

/// A name and its value in the summary.
type Row = (&'static str, String);

/// What was learned: counts of a graph, or the shape of another object.
fn headline(summary: &Summary) -> String {
    if let Some(shape) = &summary.shape {
        return shape.clone();
    }
    if let Some(net) = &summary.net {
        return net_shape(net.shape, &net.sides);
    }
    let mut counts = vec![
        count(summary.tips, "tip", "tips"),
        count(summary.branch_points, "branch point", "branch points"),
        count(summary.branches, "branch", "branches"),
        count(summary.loops, "loop", "loops"),
        count(summary.components, "component", "components"),
    ];
    if let Some(crossings @ 1..) = summary.crossings {
        counts.insert(2, count(crossings, "crossing", "crossings"));
    }
    counts.join(", ")
}

fn graph_rows(model: &Model, summary: &Summary) -> Vec<Row> {
    let input = format!(
        "{}, {} in {}",
        shown(Path::new(&model.input.file)),
        count(model.input.rows, "point", "points"),
        count(model.input.columns, "column", "columns")
    );
    let mut rows = vec![("input", input)];
    rows.extend(summary.kernel.clone().map(|kernel| ("kernel", kernel)));
    if summary.shape.is_none() || summary.edges > 0 {
        let (nodes, edges) = (summary.nodes, summary.edges);
        rows.push(("nodes", format!("{nodes}, edges {edges}, length {}", short(summary.length))));
    }
    if let Some(loops @ [_, ..]) = summary.loop_lengths.as_deref() {
        let mut lengths: Vec<String> = loops.iter().take(LOOPS).copied().map(short).collect();
        if loops.len() > LOOPS {
            lengths.push(format!("{} more", loops.len() - LOOPS));
        }
        rows.push(("loops", format!("length {}", lengths.join(", "))));
    }
    if let Some(raw) = &summary.raw {
        let edges = count(raw.edges, "edge", "edges");
        let cycles = count(raw.loops, "independent cycle", "independent cycles");
        rows.push((
            "raw graph",
            format!("{edges}, {cycles}; `midrib simplify` writes the skeleton"),
        ));
    }
    rows
}

fn explained_rows(model: &Model, summary: &Summary) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(explained) = model.explained {
        let all_nodes = explained == 1.0 && summary.nodes == model.input.rows;
        let by = match (&summary.raw, all_nodes) {
            (_, true) => ": every point is a node",
            (Some(_), false) => ", by the raw graph",
            (None, false) => "",
        };
        rows.push(("explained", format!("{} of the {}{by}", percent(explained), variance(model))));
        rows.extend(variance_held(model).map(|held| ("", held)));
    }
    let little = little_explained(model, FLAGS);
    rows.extend(little.iter().flat_map(|note| wrap(note, NOTE_WIDTH)).map(|line| ("", line)));
    rows
}

fn fit_rows(model: &Model, summary: &Summary) -> Vec<Row> {
    let mut rows = vec![("method", end(model))];
    if !model.root.is_empty() {
        let nodes: Vec<String> = model.root.iter().map(usize::to_string).collect();
        rows.push(("root", format!("node {}", nodes.join(", "))));
    }
    if let Some(support) = &summary.support {
        let least = support.branches.iter().take(WEAKEST);
        let least: Vec<String> =
            least.map(|branch| format!("{} {:.2}", branch.branch, branch.support)).collect();
        let replicas = count(support.replicas, "replica", "replicas");
        rows.push(("support", format!("{replicas}; weakest branches {}", least.join(", "))));
        let more = support.more.as_ref();
        let lacking = more.and_then(|more| lacking(support.replicas, more));
        rows.extend(lacking.map(|lacking| ("", lacking)));
    }
    if let Some(objective) = model.objective {
        let value = match objective.abs() {
            1e9.. => format!("{objective:.9e}"),
            _ => format!("{objective:.9}"),
        };
        rows.push(("objective", value));
    }
    rows
}

fn note_rows(model: &Model, summary: &Summary) -> Vec<Row> {
    let mut rows = Vec::new();
    if summary.shape.is_none() {
        rows.extend(lone_note(summary.lone_nodes).map(|note| ("note", note)));
    }
    rows.extend(model.notes.iter().map(|note| ("note", (FLAGS.text)(note))));
    if let Some(complexity) = &model.complexity {
        let (names, values) = elastic_table(complexity);
        let meaning = "FVE is the share explained by the nodes alone, FVEP by nodes and edges";
        rows.extend([("elastic", names), ("", values), ("", meaning.into())]);
    }
    rows
}

/// The method and how it ended.
fn end(model: &Model) -> String {
    let (method, steps) = (&model.method, steps(model));
    match Ending::of(model) {
        Ending::Truth => "none: this is the true graph of generated points".into(),
        Ending::AllSweeps => format!("{method}, all {steps} run, as --tol is 0"),
        Ending::Grown => format!("{method}, grown in {steps}"),
        Ending::NotConverged => {
            format!("{method}, NOT converged (raise --max-iter) after {steps}")
        }
        ending => format!("{method}, {} after {steps}", ending.label()),
    }
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
