//! The sentences of a report: figures, warnings, settings, a methods paragraph.

use std::path::Path;

use midrib::learn::{Entry, method};
use midrib::object::Kind;
use midrib_io::{Edit, Model};
use midrib_report::{Description, SettingDescription};
use serde_json::Value;

use crate::describe_criteria::{criteria_facts, criteria_sentence};
use crate::listener::Wording;
use crate::phrases::{
    Ending, components, lacking, little_explained, lone_note, step, steps, variance,
};
use crate::settings::settings_of;
use crate::summary::Summary;
use crate::text::{count, grouped, percent, short};

/// The description of a model for its report, which will be in `directory`.
pub fn describe(
    model: &Model,
    summary: &Summary,
    directory: &Path,
    wording: Wording,
) -> Description {
    let run = model.run.clone().unwrap_or_default();
    let entry = method(&model.method).ok();
    let settings = entry.map_or_else(Vec::new, |entry| settings(entry, model, wording));
    Description {
        title: title(&model.input.file),
        method: model.method.clone(),
        directory: directory.display().to_string(),
        version: model.midrib.clone(),
        facts: facts(model, summary, run.seconds),
        sheet: summary.shape.is_some(),
        warnings: warnings(model, summary, wording),
        methods: methods(model, summary, entry, &settings),
        settings,
        references: references(model, entry),
        command: run.command,
    }
}

/// File names that say nothing about the content of a table.
const GENERIC: [&str; 5] = ["data", "x", "points", "table", "matrix"];

/// The name of a table; a generic one comes with that of its folder.
pub(crate) fn title(file: &str) -> String {
    if file == "-" {
        return "standard input".into();
    }
    let path = Path::new(file);
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let Some(name) = last(path) else { return file.into() };
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    match path.parent().and_then(last) {
        Some(folder) if GENERIC.contains(&&*stem) => format!("{folder}/{name}"),
        _ => name,
    }
}

/// The facts of the summary card.
fn facts(model: &Model, summary: &Summary, seconds: Option<f64>) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| facts.push((name.into(), value));
    add("points", grouped(model.input.rows));
    add("columns", grouped(model.input.columns));
    if summary.nodes > 0 {
        let of_raw = summary.raw.as_ref().map(|raw| format!(" of {}", grouped(raw.nodes)));
        add("nodes", grouped(summary.nodes) + &of_raw.unwrap_or_default());
    }
    match &summary.shape {
        Some(shape) => add("shape", shape.clone()),
        None => {
            add("branches", grouped(summary.branches));
            add("tips", grouped(summary.tips));
            add("branch points", grouped(summary.branch_points));
            if let Some(crossings @ 1..) = summary.crossings {
                add("crossings", grouped(crossings));
            }
            add("loops", grouped(summary.loops));
            add("components", grouped(summary.components));
        }
    }
    if summary.nodes > 0 && summary.length.is_finite() {
        add("length", short(summary.length));
    }
    if let Some(explained) = model.explained {
        let of = match components(model) {
            Some((n, _)) => format!(" of {}", count(n, "component", "components")),
            None => String::new(),
        };
        add("variance explained", percent(explained) + &of);
    }
    for (name, value) in summary.criteria.iter().flat_map(criteria_facts) {
        add(name, value);
    }
    add("end", Ending::of(model).label().into());
    add(&format!("{}s", step(model)), grouped(model.n_iter));
    if let Some(objective) = model.objective {
        add("objective", short(objective));
    }
    if let Some(seconds) = seconds {
        let digits = if seconds < 10.0 { 2 } else { 0 };
        add("time", format!("{seconds:.digits$} s"));
    }
    add("seed", model.seed.to_string());
    add("midrib", model.midrib.clone());
    facts
}

fn warnings(model: &Model, summary: &Summary, wording: Wording) -> Vec<String> {
    let mut warnings = Vec::new();
    match Ending::of(model) {
        Ending::NotConverged => warnings.push(format!(
            "The fit did not converge within {}: raise {} before relying on details.",
            steps(model),
            (wording.setting)("max_iter")
        )),
        Ending::Interrupted => {
            warnings.push("The fit was interrupted: this is the best result so far.".into());
        }
        _ => {}
    }
    if summary.shape.is_none() {
        if summary.components > 1 {
            warnings.push(format!(
                "The graph has {} components; pseudotime is known only in those that hold a root.",
                summary.components
            ));
        }
        warnings.extend(lone_note(summary.lone_nodes));
    }
    if let Some(raw) = &summary.raw {
        warnings.push(format!(
            "The graph has {} independent cycles, most of them short. Nodes, branches, tips, \
             branch points, crossings, loops, components and length above are those of its \
             skeleton of {} nodes, which `midrib simplify` writes; the pictures and the variance \
             explained are those of the whole graph of {}.",
            raw.loops, summary.nodes, raw.nodes
        ));
    }
    warnings.extend(model.reading.notes.iter().cloned());
    warnings.extend(little_explained(model, wording));
    warnings.extend(model.notes.iter().map(|note| (wording.text)(note)));
    warnings
}

fn settings(entry: &Entry, model: &Model, wording: Wording) -> Vec<SettingDescription> {
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "not set".into(),
        other => other.as_f64().map_or_else(|| other.to_string(), short),
    };
    let described = settings_of(entry).into_iter().map(|setting| {
        let given = &model.settings[&setting.name];
        let exact = match given {
            Value::String(text) => Some(text.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        };
        let (value, origin) = match model.chosen.get(&setting.name) {
            Some(chosen) => (shown(chosen), "chosen by midrib"),
            None if exact == setting.default => (shown(given), "default"),
            None => (shown(given), "given"),
        };
        SettingDescription {
            flag: (wording.setting)(&setting.name),
            value,
            help: (wording.text)(&setting.help),
            origin: origin.into(),
        }
    });
    described.collect()
}

/// What was done to the graph after the fit, up to "gave" or "left".
fn edited(model: &Model) -> String {
    let done: Vec<String> = model.edits.iter().filter_map(describe_edit).collect();
    match &done[..] {
        [] => " and gave".into(),
        done => format!("; its graph was then {}, which left", done.join(" and ")),
    }
}

/// What was learned, at the start of a sentence.
fn learned(model: &Model) -> &'static str {
    match model.object.kind() {
        Kind::Flats => "A set of principal axes",
        Kind::Centers => "A set of centers",
        Kind::Embedding { with_graph: false } => "An embedding",
        _ => "A principal graph",
    }
}

fn describe_edit(edit: &Edit) -> Option<String> {
    match edit {
        Edit::Simplify { drop_below, min_loop, min_tip, merge_chains } => Some(format!(
            "simplified (drop below {drop_below}, min loop {min_loop}, min tip {min_tip}, merge \
             chains {merge_chains})"
        )),
        Edit::Prune { min_length, min_share, min_support } => Some(format!(
            "pruned (min length {min_length}, min share {min_share}, min support {min_support})"
        )),
        Edit::Root { .. } => None,
    }
}

/// Sentences that a methods section can take over.
fn methods(
    model: &Model,
    summary: &Summary,
    entry: Option<&Entry>,
    settings: &[SettingDescription],
) -> String {
    let cited = entry.map_or(String::new(), |entry| format!(" ({})", entry.citation));
    let mut text = format!(
        "{} was learned from {} in {} with midrib {}, method {}{cited}.",
        learned(model),
        count(model.input.rows, "point", "points"),
        count(model.input.columns, "column", "columns"),
        model.midrib,
        model.method,
    );
    text += &prepared(model);
    text += &changed_settings(settings);
    text += &format!(
        " The fit {} {} (seed {}){} {}.",
        match Ending::of(model) {
            Ending::Converged => "converged after",
            Ending::Interrupted => "was interrupted after",
            Ending::Grown => "grew the graph in",
            _ => "ended after",
        },
        steps(model),
        model.seed,
        edited(model),
        found(summary),
    );
    if let Some(explained) = model.explained {
        let what = if summary.is_of_raw() { "The whole graph" } else { "It" };
        text += &format!(" {what} explains {} of the {}.", percent(explained), variance(model));
    }
    text += &summary.criteria.as_ref().map_or_else(String::new, criteria_sentence);
    if let Some(support) = &model.support {
        let replicas = count(support.replicas, "bootstrap replica", "bootstrap replicas");
        text += &format!(" The support of its edges is from {replicas} (seed {}).", support.seed);
        let lacking = support.more.as_ref().and_then(|more| lacking(support.replicas, more));
        text += &lacking.map_or_else(String::new, |lacking| format!(" Of these, {lacking}."));
    }
    text
}

/// The settings that are not at their defaults.
fn changed_settings(settings: &[SettingDescription]) -> String {
    let changed: Vec<String> = settings
        .iter()
        .filter(|setting| setting.origin != "default")
        .map(|setting| {
            let chosen = if setting.origin == "given" { "" } else { " (chosen automatically)" };
            format!("{} {}{chosen}", setting.flag, setting.value)
        })
        .collect();
    match &changed[..] {
        [] => " All settings were left at their defaults.".into(),
        changed => format!(" Settings: {}; the others at their defaults.", changed.join(", ")),
    }
}

/// What the fit found. Where short cycles abound, the figures are those of the skeleton.
fn found(summary: &Summary) -> String {
    if let Some(shape) = &summary.shape {
        return match shape.chars().next() {
            Some('0'..='9') => shape.clone(),
            Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {shape}"),
            _ => format!("a {shape}"),
        };
    }
    let whole = summary.raw.as_ref().map_or_else(String::new, |raw| {
        format!(
            "{}, {} and {}, whose skeleton is a graph of ",
            count(raw.nodes, "node", "nodes"),
            count(raw.edges, "edge", "edges"),
            count(raw.loops, "independent cycle", "independent cycles"),
        )
    });
    format!(
        "a graph of {whole}{} with {}, {}, {}{} and {}",
        count(summary.nodes, "node", "nodes"),
        count(summary.tips, "tip", "tips"),
        count(summary.branch_points, "branch point", "branch points"),
        match summary.crossings.unwrap_or(0) {
            0 => String::new(),
            crossings => count(crossings, "crossing", "crossings") + ", ",
        },
        count(summary.loops, "loop", "loops"),
        count(summary.components, "component", "components"),
    )
}

fn one_or<'w>(n: usize, one: &'w str, many: &'w str) -> &'w str {
    if n == 1 { one } else { many }
}

/// How the columns were prepared.
fn prepared(model: &Model) -> String {
    let Some(transform) = &model.input.prepare else { return String::new() };
    let mut steps = Vec::new();
    let shifted = transform.offset.iter().any(|&x| x != 0.0);
    let scaled = transform.factor.iter().any(|&x| x != 1.0);
    match (shifted, scaled) {
        (true, true) => steps.push("The columns were shifted and scaled to a common range".into()),
        (true, false) => steps.push("The columns were centered".into()),
        (false, true) => steps.push("The columns were scaled".into()),
        (false, false) => {}
    }
    if transform.kernel.is_some() {
        steps.push("a kernel matrix took the place of the points".to_owned());
    }
    if transform.pca.is_some() {
        let n = transform.pca.as_ref().map_or(0, |pca| pca.axes.n_rows());
        let kept = count(n, "principal component", "principal components");
        let held = components(model).map_or_else(String::new, |(_, held)| {
            format!(", which {} {} of the variance", one_or(n, "holds", "hold"), percent(held))
        });
        steps.push(format!("{kept} {} kept{held}", one_or(n, "was", "were")));
    }
    if let Some(embed) = &transform.embed {
        steps.push(format!(
            "{} of {} took the place of the points",
            count(embed.rule.dims_out(), "coordinate", "coordinates"),
            embed.name
        ));
    }
    if steps.is_empty() {
        return String::new();
    }
    let text = steps.join(", then ");
    let mut letters = text.chars();
    let first = letters.next().map_or(String::new(), |c| c.to_uppercase().to_string());
    format!(" {first}{}.", letters.as_str())
}

fn references(model: &Model, entry: Option<&Entry>) -> Vec<String> {
    let paper = entry.and_then(Entry::paper).map(ToString::to_string);
    let own = format!(
        "midrib {}: principal graphs, curves and trees through the middle of a point cloud.",
        model.midrib
    );
    paper.into_iter().chain([own]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generic_name_comes_with_its_folder() {
        for (file, expected) in [
            ("sets/teapots/data.npz", "teapots/data.npz"),
            ("sets/X.csv.gz", "sets/X.csv.gz"),
            ("data.csv", "data.csv"),
            ("sets/cells.csv", "cells.csv"),
            ("-", "standard input"),
        ] {
            assert_eq!(title(file), expected);
        }
    }
}
