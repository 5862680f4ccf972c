//! `midrib methods`: what there is to learn with.

use std::fmt::Write;
use std::process::ExitCode;

use midrib::connect::{POINT_GRAPHS, PointGraphEntry};
use midrib::learn::{Entry, METHODS, method};
use midrib_tasks::settings_of;
use serde_json::Value;

use crate::args::MethodsArgs;
use crate::console::print;
use crate::exit::Outcome;
use crate::spelling::{flag, with_flags};
use crate::wrap::wrap;

pub fn run(args: &MethodsArgs) -> Outcome<ExitCode> {
    let text = match (&args.name, args.json) {
        (Some(name), true) => format!("{:#}\n", method(name)?.schema()),
        (Some(name), false) => match POINT_GRAPHS.iter().find(|graph| graph.name == name) {
            Some(graph) => explain_graph(graph),
            None => explain(method(name)?),
        },
        (None, true) => {
            format!("{:#}\n", METHODS.iter().map(Entry::description).collect::<Value>())
        }
        (None, false) => list(),
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn list() -> String {
    let mut text = String::new();
    let widest = METHODS.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for Entry { name, summary, citation, .. } in METHODS {
        let _ = writeln!(text, "{name:<widest$}  {summary}\n{:<widest$}  {citation}", "");
    }
    text += "\n`midrib methods NAME` explains one and its settings.\n\n";
    text += "Graphs of the points themselves, for `midrib cluster --graph NAME`:\n\n";
    for PointGraphEntry { name, summary, citation, .. } in POINT_GRAPHS {
        let _ = writeln!(text, "{name:<widest$}  {summary}\n{:<widest$}  {citation}", "");
    }
    text
}

fn explain(entry: &Entry) -> String {
    let mut text = format!("{}: {}\n{}\n", entry.name, entry.summary, entry.citation);
    for line in entry.paper().iter().flat_map(|paper| wrap(&paper.to_string(), 92)) {
        let _ = writeln!(text, "  {line}");
    }
    for setting in settings_of(entry) {
        let default = setting.default.as_deref().unwrap_or("not set");
        let _ = writeln!(
            text,
            "\n  {} {}  [default: {default}]",
            flag(&setting.name),
            setting.values()
        );
        for line in wrap(&with_flags(&setting.help, ""), 88) {
            let _ = writeln!(text, "      {line}");
        }
    }
    let _ = writeln!(text, "\nmidrib fit cells.csv --method {} …", entry.name);
    text
}

fn explain_graph(graph: &PointGraphEntry) -> String {
    let PointGraphEntry { name, summary, citation, .. } = graph;
    format!(
        "{name}: a graph of the points themselves; {summary}\n{citation}\n\n\
         midrib cluster cells.csv --graph {name} …\n`midrib cluster --help` explains the settings.\n"
    )
}
