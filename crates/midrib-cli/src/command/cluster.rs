//! `midrib cluster`: a table in, clusters of its points and the graph that separates them.

use std::fmt::Write as _;
use std::process::ExitCode;

use midrib_tasks::{ClusterRequest, ClusterSummary, cluster, count, short};
use serde_json::{Value, json};

use crate::args::ClusterArgs;
use crate::console::Console;
use crate::default_output::default_output;
use crate::exit::{Failure, Outcome};
use crate::threads::set_threads;

pub fn run(args: &ClusterArgs) -> Outcome<ExitCode> {
    let console = Console::new(&args.console);
    set_threads(args.threads.threads)?;
    let graph = args.graph()?;
    refuse_ignored(args)?;
    let request = ClusterRequest {
        input: args.input.clone(),
        options: args.table.options(),
        preparation: args.columns.preparation(),
        graph,
        kernel_matrix: args.kernel_matrix.clone(),
        spectral: args.spectral(),
        output: args.output.clone().unwrap_or_else(|| default_output(&args.input, "clusters")),
        force: args.force,
    };
    let found = cluster(&request, &mut console.listener())?;
    match console.json() {
        true => console.answer(&format!("{:#}\n", json!(found.summary)))?,
        false => console.answer(&summary_text(&found.summary))?,
    }
    console.note(format!("written to {} in {:.1} s", request.output.display(), found.seconds));
    Ok(ExitCode::SUCCESS)
}

/// What no graph of points uses.
fn refuse_ignored(args: &ClusterArgs) -> Outcome<()> {
    if args.table.weights.is_some() {
        return Err(Failure::usage(
            "--weights: clusters do not use weights; name the column with --label to set it aside",
        ));
    }
    if args.kernel_matrix.is_some() && !args.columns.preparation().is_nothing() {
        return Err(Failure::usage(
            "--center, --scale and --pca change columns, but --kernel-matrix gives the similarities \
             of the points: leave one of them out",
        ));
    }
    Ok(())
}

/// The figures of clusters for a terminal.
fn summary_text(summary: &ClusterSummary) -> String {
    let mut text = format!(
        "{} of {} in a {} graph\n",
        count(summary.clusters, "cluster", "clusters"),
        count(summary.points, "point", "points"),
        summary.graph
    );
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12} {value}");
    };
    if !summary.settings.is_empty() {
        line("settings", settings_text(summary));
    }
    let components = count(summary.components, "component", "components");
    line("graph", format!("{}, {components}", count(summary.edges, "edge", "edges")));
    if let Some(rebuilt) = &summary.rebuilt {
        let (mean, gap) = (short(rebuilt.mean_cost), rebuilt.widest_gap);
        line("rebuilding", format!("mean cost {mean} per point; widest gap {gap:.0e}"));
    }
    let sizes: Vec<String> = summary.sizes.iter().map(usize::to_string).collect();
    line("sizes", sizes.join(" "));
    line("eigenvalues", eigenvalues_text(&summary.eigenvalues, summary.clusters));
    for (name, measured) in &summary.agreement {
        line(
            name,
            format!(
                "NMI {:.4} (arithmetic {:.4}), adjusted Rand index {:.4}, purity {:.4}; {}",
                measured.nmi,
                measured.nmi_arithmetic,
                measured.ari,
                measured.purity,
                count(measured.classes, "class", "classes")
            ),
        );
    }
    for note in &summary.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn settings_text(summary: &ClusterSummary) -> String {
    let settings = summary.settings.iter().map(|(name, value)| match value {
        Value::String(text) => format!("{name} {text}"),
        Value::Number(number) => {
            format!("{name} {}", number.as_f64().map_or_else(String::new, short))
        }
        other => format!("{name} {other}"),
    });
    settings.collect::<Vec<_>>().join(", ")
}

/// The eigenvalues of the clusters, and after a bar those beyond the gap.
fn eigenvalues_text(eigenvalues: &[f64], n_clusters: usize) -> String {
    let (inside, beyond) = eigenvalues.split_at(n_clusters.min(eigenvalues.len()));
    let list =
        |values: &[f64]| values.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(" ");
    let gap = match (inside.last(), beyond.first()) {
        (Some(last), Some(next)) => format!("  (gap {:.4})", last - next),
        _ => String::new(),
    };
    format!("{} | {}{gap}", list(inside), list(beyond))
}
