//! `midrib compare`: several methods on the same points, side by side.

use std::fmt::Write as _;
use std::process::ExitCode;

use midrib_tasks::{
    COMPARISON, CRITERIA_NAMES, CompareRequest, ComparedMethod, Comparison, Memory, compare,
    comparison_values, duration, require_results,
};
use serde_json::json;

use crate::args::CompareArgs;
use crate::console::Console;
use crate::default_output::default_output;
use crate::exit::Outcome;
use crate::threads::set_threads;

/// The columns of the terminal, in the order of the criteria.
const HEADINGS: [&str; 8] =
    ["explained", "distance²", "r", "error", "large r", "large error", "neighbors", "classes"];

pub fn run(args: &CompareArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    set_threads(args.threads.threads)?;
    let request = CompareRequest {
        input: args.input.clone(),
        options: args.table.options(),
        preparation: args.columns.preparation(),
        methods: args.contenders(),
        time_limit: args.time_limit,
        axes: args.axes.clone(),
        output: args.output.clone().unwrap_or_else(|| default_output(&args.input, "compared")),
        force: args.force,
    };
    let found = compare(&request, &mut console.listener())?;
    match console.json() {
        true => console.answer(&format!("{:#}\n", json!(found)))?,
        false => console.answer(&table_text(&found))?,
    }
    console.note(format!(
        "written to {} in {:.1} s; open {} in a browser",
        request.output.display(),
        found.seconds,
        request.output.join(COMPARISON).display()
    ));
    require_results(&found.methods)?;
    Ok(ExitCode::SUCCESS)
}

/// The table of a comparison, its reasons and what the columns mean.
fn table_text(found: &Comparison) -> String {
    let mut shown: Vec<usize> = (0..CRITERIA_NAMES.len()).collect();
    shown.retain(|&at| found.methods.iter().any(|row| comparison_values(row)[at].is_some()));
    let mut header = vec!["method".to_owned(), "object".to_owned()];
    header.extend(shown.iter().map(|&at| HEADINGS[at].to_owned()));
    header.extend(["time".to_owned(), "memory".to_owned()]);
    let mut lines = vec![header];
    lines.extend(found.methods.iter().map(|row| line_of(row, &shown)));
    let width = |column: usize| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        for (at, (field, &width)) in line.iter().zip(&widths).enumerate() {
            let _ = match at {
                0 => write!(text, "{field:<width$}"),
                1 => write!(text, "  {field:<width$}"),
                _ => write!(text, "  {field:>width$}"),
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    for row in &found.methods {
        if let Some(reason) = &row.reason {
            let _ = writeln!(text, "{}: {reason}", row.name);
        }
    }
    text += "explained is 1 - mean squared distance / total variance; r and error compare distances \
             before and\nafter projection (large: the largest quarter); neighbors: share of the 10 \
             nearest that stay";
    text += match found.label {
        Some(_) => ";\nclasses: share of them with the same label\n",
        None => "\n",
    };
    text
}

fn line_of(row: &ComparedMethod, shown: &[usize]) -> Vec<String> {
    let values = comparison_values(row);
    let mut line = vec![row.name.clone(), row.object.clone().unwrap_or_default()];
    line.extend(shown.iter().map(|&at| values[at].map_or("-".into(), number)));
    line.push(duration(row.seconds));
    line.push(row.peak_memory.map_or("-".into(), |bytes| Memory(bytes).to_string()));
    line
}

fn number(value: f64) -> String {
    match value.abs() {
        size if size != 0.0 && !(1e-3..1e5).contains(&size) => format!("{value:.2e}"),
        _ => format!("{value:.3}"),
    }
}
