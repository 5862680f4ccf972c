//! `midrib root`: pseudotime from chosen roots, added to results.

use std::process::ExitCode;

use midrib_tasks::{REPORT, RootRequest, RootSummary, count, percent, root, short};
use serde_json::json;

use crate::args::RootArgs;
use crate::console::Console;
use crate::exit::Outcome;

/// Ties that are listed.
const TIES: usize = 3;
/// Lineages that are listed one by one.
const SHOWN: usize = 20;

pub fn run(args: &RootArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    let request = RootRequest { results: &args.model, root: &args.root };
    let rooted = root(&request, &mut console.listener())?;
    print_roots(&rooted.summary, &console)?;
    let points = rooted.directory.join("points.csv");
    console.note(format!("pseudotime added to {} and {REPORT}", points.display()));
    Ok(ExitCode::SUCCESS)
}

/// Prints the roots and what they reach.
pub fn print_roots(summary: &RootSummary, console: &Console) -> Outcome<()> {
    if console.json() {
        return console.answer(&format!("{:#}\n", json!(summary)));
    }
    let roots: Vec<String> = summary.root.iter().map(usize::to_string).collect();
    let mut text = format!(
        "{} {}: {}, pseudotime up to {}\n",
        if roots.len() == 1 { "root" } else { "roots" },
        roots.join(", "),
        count(summary.lineages.len(), "lineage", "lineages"),
        short(summary.longest)
    );
    for lineage in summary.lineages.iter().take(SHOWN) {
        if let (Some(first), Some(last)) = (lineage.root, lineage.end) {
            text += &format!("  {first} to {last}  length {}\n", short(lineage.length));
        }
    }
    if summary.lineages.len() > SHOWN {
        text += &format!("  {} more in lineages.csv\n", summary.lineages.len() - SHOWN);
    }
    for tie in summary.ties.iter().take(TIES) {
        let points = count(tie.points, "point", "points");
        let share = percent(tie.share);
        text += &format!("  tie at {}: {points} ({share}) project onto this node\n", tie.node);
    }
    console.answer(&text)?;
    let unrooted = &summary.unrooted_components;
    if !unrooted.is_empty() {
        let numbers: Vec<String> = unrooted.iter().take(10).map(usize::to_string).collect();
        let more = if unrooted.len() > 10 { ", …" } else { "" };
        console.note(format!(
            "warning: no root in component {}{more}: {} without pseudotime; --root may be given \
             several times",
            numbers.join(", "),
            count(summary.n_unreached, "point", "points")
        ));
    }
    Ok(())
}
