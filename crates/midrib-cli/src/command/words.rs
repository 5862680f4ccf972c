//! What a report says in words: figures, warnings, settings, a methods paragraph.

use std::path::Path;

use midrib::learn::{Entry, method};
use midrib::object::Kind;
use midrib_io::{Edit, Model};
use midrib_report::{Description, SettingDescription};
use serde_json::Value;

use super::summary::{Summary, components, little_explained, lone_note, percent, short, variance};
use crate::flags::{note_with_flags, settings_of};
use crate::talk::count;

pub fn words(directory: &Path, summary: &Summary<'_>) -> Description {
    let (model, json) = (summary.model(), summary.json());
    let run = model.run.clone().unwrap_or_default();
    let entry = method(&model.method).ok();
    Description {
        title: title(&model.input.file),
        method: model.method.clone(),
        directory: directory.display().to_string(),
        version: model.midrib.clone(),
        facts: facts(model, &json, run.seconds),
        sheet: json["sheet"].is_string(),
        warnings: warnings(model, &json),
        settings: entry.map_or_else(Vec::new, |entry| settings(entry, model)),
        methods: methods(model, &json, entry),
        references: references(model, entry),
        command: run.command,
    }
}

/// Names that say nothing of what a table holds.
const GENERIC: [&str; 5] = ["data", "x", "points", "table", "matrix"];

/// The name of a table; one that could be any has that of its folder before it.
fn title(file: &str) -> String {
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

/// What is counted of a graph, by its key in a summary.
const COUNTS: [(&str, &str); 5] = [
    ("branches", "branches"),
    ("tips", "tips"),
    ("branch points", "branch_points"),
    ("loops", "loops"),
    ("components", "components"),
];

fn facts(model: &Model, json: &Value, seconds: Option<f64>) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| facts.push((name.into(), value));
    add("points", grouped(model.input.rows));
    add("columns", grouped(model.input.columns));
    let (told, whole) =
        (number(json, "nodes"), model.object.graph().map_or(0, |graph| graph.nodes().n_rows()));
    let all = if told == whole { String::new() } else { format!(" of {}", grouped(whole)) };
    add("nodes", grouped(told) + &all);
    let counts = match json["sheet"].as_str() {
        Some(sheet) => {
            add("shape", sheet.into());
            &[][..]
        }
        None => &COUNTS[..],
    };
    for (name, key) in counts {
        add(name, grouped(number(json, key)));
        if *key == "branch_points" && number(json, "crossings") > 0 {
            add("crossings", grouped(number(json, "crossings")));
        }
    }
    if let Some(length) = json["length"].as_f64() {
        add("length", short(length));
    }
    if let Some(explained) = model.explained {
        let of = match components(model) {
            Some((n, _)) => format!(" of {}", count(n, "component", "components")),
            None => String::new(),
        };
        add("variance explained", percent(explained) + &of);
    }
    add("end", end(model).into());
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

/// A count among the figures of a summary.
fn number(json: &Value, key: &str) -> usize {
    json[key].as_u64().unwrap_or_default() as usize
}

/// Thousands apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What the method takes one after the other.
fn step(model: &Model) -> &'static str {
    method(&model.method).map_or("sweep", |entry| entry.step)
}

fn steps(model: &Model) -> String {
    count(model.n_iter, step(model), &format!("{}s", step(model)))
}

fn end(model: &Model) -> &'static str {
    match model.end.as_str() {
        "truth" => "true graph",
        "converged" if step(model) == "step" => "grown",
        "converged" => "converged",
        "max_iter" if model.settings["tol"] == 0.0 && step(model) == "sweep" => "all sweeps run",
        "max_iter" => "not converged",
        "stalled" => "stalled by rounding",
        "ceiling" => "stopped by its ceilings",
        "interrupted" => "interrupted",
        _ => "ended",
    }
}

fn warnings(model: &Model, json: &Value) -> Vec<String> {
    let mut warnings = Vec::new();
    match end(model) {
        "not converged" => warnings.push(format!(
            "The fit did not converge within {}: raise --max-iter before relying on details.",
            steps(model)
        )),
        "interrupted" => {
            warnings.push("The fit was interrupted: this is the best graph until then.".into());
        }
        _ => {}
    }
    let components = json["components"].as_u64().unwrap_or(1);
    if components > 1 && json["sheet"].is_null() {
        warnings.push(format!(
            "The graph falls into {components} components; pseudotime is known only in those that \
             hold a root."
        ));
    }
    if json["sheet"].is_null() {
        warnings.extend(lone_note(number(json, "lone_nodes")));
    }
    if let Some(raw) = json.get("raw") {
        warnings.push(format!(
            "The graph has {} independent cycles, most of them short. Nodes, branches, tips, \
             branch points, crossings, loops, components and length above are those of its skeleton of {} \
             nodes, which `midrib simplify` writes; the pictures and the variance explained are those of \
             the whole graph of {}.",
            raw["loops"], json["nodes"], raw["nodes"]
        ));
    }
    warnings.extend(model.reading.notes.iter().cloned());
    warnings.extend(little_explained(model));
    warnings.extend(model.notes.iter().map(|note| note_with_flags(note)));
    warnings
}

fn settings(entry: &Entry, model: &Model) -> Vec<SettingDescription> {
    let shown = |value: &Value| match value {
        Value::String(word) => word.clone(),
        Value::Null => "not set".into(),
        other => other.as_f64().map_or_else(|| other.to_string(), short),
    };
    let words = settings_of(entry).into_iter().map(|setting| {
        let given = &model.settings[&setting.name];
        let exact = match given {
            Value::String(word) => Some(word.clone()),
            Value::Null => None,
            other => Some(other.to_string()),
        };
        let (value, origin) = match model.chosen.get(&setting.name) {
            Some(chosen) => (shown(chosen), "chosen by midrib"),
            None if exact == setting.default => (shown(given), "default"),
            None => (shown(given), "given"),
        };
        SettingDescription {
            flag: format!("--{}", setting.flag()),
            value,
            help: setting.help,
            origin: origin.into(),
        }
    });
    words.collect()
}

/// What was done to the graph after the fit, up to "gave" or "left".
fn edited(model: &Model) -> String {
    let done: Vec<String> = model.edits.iter().filter_map(edit_words).collect();
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
        _ => "A principal graph",
    }
}

fn edit_words(edit: &Edit) -> Option<String> {
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
fn methods(model: &Model, json: &Value, entry: Option<&Entry>) -> String {
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
    let told: Vec<String> = entry
        .map_or_else(Vec::new, |entry| settings(entry, model))
        .into_iter()
        .filter(|setting| setting.origin != "default")
        .map(|setting| {
            let chosen = if setting.origin == "given" { "" } else { " (chosen automatically)" };
            format!("{} {}{chosen}", setting.flag, setting.value)
        })
        .collect();
    if told.is_empty() {
        text += " All settings were left at their defaults.";
    } else {
        text += &format!(" Settings: {}; the others at their defaults.", told.join(", "));
    }
    let number = |key: &str| number(json, key);
    // Where short cycles abound, the figures are those of the skeleton.
    let whole = json.get("raw").map_or_else(String::new, |raw| {
        let of = |key: &str| raw[key].as_u64().unwrap_or_default() as usize;
        format!(
            "{}, {} and {}, whose skeleton is ",
            count(of("nodes"), "node", "nodes"),
            count(of("edges"), "edge", "edges"),
            count(of("loops"), "independent cycle", "independent cycles"),
        )
    });
    let found = match json["sheet"].as_str() {
        Some(sheet) => format!("a {sheet}"),
        None => format!(
            "a graph of {whole}{}{} with {}, {}, {}{} and {}",
            if whole.is_empty() { "" } else { "a graph of " },
            count(number("nodes"), "node", "nodes"),
            count(number("tips"), "tip", "tips"),
            count(number("branch_points"), "branch point", "branch points"),
            match number("crossings") {
                0 => String::new(),
                crossings => count(crossings, "crossing", "crossings") + ", ",
            },
            count(number("loops"), "loop", "loops"),
            count(number("components"), "component", "components"),
        ),
    };
    text += &format!(
        " The fit {} {} (seed {}){} {found}.",
        match end(model) {
            "converged" => "converged after",
            "interrupted" => "was interrupted after",
            "grown" => "grew the graph in",
            _ => "ended after",
        },
        steps(model),
        model.seed,
        edited(model),
    );
    if let Some(explained) = model.explained {
        let what = if whole.is_empty() { "It" } else { "The whole graph" };
        text += &format!(" {what} explains {} of the {}.", percent(explained), variance(model));
    }
    if let Some(support) = &model.support {
        let replicas = count(support.replicas, "bootstrap replica", "bootstrap replicas");
        text += &format!(" The support of its edges is from {replicas} (seed {}).", support.seed);
    }
    text
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
        let n = model.dims();
        let kept = count(n, "principal component", "principal components");
        let held = components(model).map_or_else(String::new, |(_, held)| {
            format!(", which {} {} of the variance", one_or(n, "holds", "hold"), percent(held))
        });
        steps.push(format!("{kept} {} kept{held}", one_or(n, "was", "were")));
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
    fn a_name_that_could_be_any_tells_its_folder() {
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

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
