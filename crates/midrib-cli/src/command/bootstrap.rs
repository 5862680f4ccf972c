//! `midrib bootstrap`: how stable a learned graph is under resampling.

use std::fmt::Write;
use std::process::ExitCode;

use midrib::tune::Bootstrap;
use midrib_tasks::{
    BootstrapRequest, BootstrapSummary, TrainingRequest, bootstrap_results, count, lacking, short,
};
use serde_json::json;

use crate::args::BootstrapArgs;
use crate::console::Console;
use crate::exit::{INTERRUPTED, Outcome};
use crate::threads::set_threads;

/// At most this many of the weakest branches are listed.
const SHOWN: usize = 5;

pub fn run(args: &BootstrapArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    set_threads(args.threads.threads)?;
    let request = BootstrapRequest {
        training: TrainingRequest {
            results: &args.model,
            table: args.points.as_deref(),
            options: args.table.options(),
            max_memory: args.memory.max_memory,
        },
        settings: Bootstrap { replicas: args.replicas, seed: args.seed },
        root: &args.root,
        output: args.output.clone(),
        force: args.force,
    };
    let summary = bootstrap_results(&request, &mut console.listener())?;
    match console.json() {
        true => console.answer(&format!("{:#}\n", json!(summary)))?,
        false => console.answer(&summary_text(&summary))?,
    }
    console.note(format!("support added to {}", summary.directory.join("edges.csv").display()));
    let finished = summary.support.replicas;
    if finished < args.replicas {
        console.note(format!("interrupted: {finished} of {} replicas", args.replicas));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// What the replicas have in common.
fn summary_text(summary: &BootstrapSummary) -> String {
    let mut text = count(summary.support.replicas, "replica", "replicas");
    let mut row = |name: &str, value: &str| {
        let _ = write!(text, "\n  {name:<14} {value}");
    };
    for (name, tally) in [
        ("tips", &summary.tips),
        ("branch points", &summary.branch_points),
        ("loops", &summary.loops),
        ("components", &summary.components),
    ] {
        let mut counts: Vec<String> = (tally.0.iter().take(SHOWN))
            .map(|(number, replicas)| format!("{number} in {replicas}"))
            .collect();
        if tally.0.len() > SHOWN {
            counts.push("…".into());
        }
        row(name, &counts.join(", "));
    }
    for (at, branch) in summary.support.branches.iter().take(SHOWN).enumerate() {
        let head = if at == 0 { "least support" } else { "" };
        row(head, &format!("{:.2} branch {}", branch.support, branch.branch));
    }
    let more = summary.support.more.as_ref();
    if let Some(lacking) = more.and_then(|more| lacking(summary.support.replicas, more)) {
        row("beyond support", &lacking);
    }
    if let Some(spread) = summary.pseudotime_sd {
        let roots: Vec<String> = summary.root.iter().map(usize::to_string).collect();
        row("pseudotime", &format!("± {} on average, root {}", short(spread), roots.join(", ")));
    }
    text.push('\n');
    text
}
