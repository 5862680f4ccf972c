//! `midrib bootstrap`: how much of a learned graph is learned again from resampled points.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::tune::{Bootstrap, Counts, Replicas};
use midrib_io::{
    Error, Model, Places, PointRows, check_directory, rewrite_directory, write_edges,
    write_graphml, write_points, write_table,
};
use midrib_tasks::{BootstrapResult, bootstrap};
use serde_json::{Map, Value, json};

use super::fit::{read_options, set_threads};
use super::learn::node_columns;
use super::learned_table::LearnedTable;
use super::report::{self, REPORT, directory_of};
use super::results::Results;
use super::root;
use super::summary::{short, support_json, weakest};
use crate::args::BootstrapArgs;
use crate::exit::{Failure, INTERRUPTED, Outcome};
use crate::talk::{Talk, count};

type Count = fn(&Counts) -> usize;

/// What is counted in each replica.
const COUNTED: [(&str, Count); 4] = [
    ("tips", |counts| counts.tips),
    ("branch_points", |counts| counts.branch_points),
    ("loops", |counts| counts.loops),
    ("components", |counts| counts.components),
];

/// So many of the weakest branches are named.
const NAMED: usize = 5;

pub fn run(args: &BootstrapArgs) -> Outcome<ExitCode> {
    let talk = Talk::new(&args.talk);
    set_threads(args.threads.threads)?;
    let how = Bootstrap { replicas: args.replicas, seed: args.seed };
    let mut results = Results::read(&args.model)?;
    results.model.require_lines("midrib bootstrap")?;
    let directory = directory_of(&args.model);
    if let Some(output) = &args.output {
        refuse_inside(output, &directory)?;
        check_directory(output, args.force)?;
    }
    if !args.root.is_empty() {
        let roots = results.roots(&args.root, &talk)?;
        let roots = results.model.graph()?.root(&roots)?.roots().to_vec();
        results.model = results.model.rooted(roots)?;
    }
    let memory = args.memory.max_memory;
    let asked = read_options(&args.table);
    let table =
        LearnedTable::read(&args.model, &results.model, args.points.as_deref(), &asked, memory)?
            .of_rows(results.places.ids.len())?;
    let mut learned = results.model;
    let mut watch = talk.watch();
    let found = bootstrap(&learned, &table.points, &how, &mut watch);
    watch.finish();
    let found = found.map_err(|error| Failure::from(error).of_table(&args.model))?;
    learned.support = Some(found.support.clone());

    let output = args.output.as_ref().unwrap_or(&directory);
    write(args, output, &learned, &found, &results.places, &table.points)?;
    say(&learned, &found, &talk)?;
    talk.note(format!("support added to {}", output.join("edges.csv").display()));
    let finished = found.support.replicas;
    if finished < args.replicas {
        talk.note(format!("interrupted: {finished} of {} replicas", args.replicas));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Results cannot be copied into themselves.
fn refuse_inside(output: &Path, results: &Path) -> Outcome<()> {
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let whole = |path: &Path| path.canonicalize().ok();
    let (Some(parent), Some(results)) = (whole(parent.unwrap_or(Path::new("."))), whole(results))
    else {
        return Ok(());
    };
    if !parent.starts_with(&results) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "--output {}: lies inside the results themselves; choose a directory beside them",
        output.display()
    )))
}

/// Adds to the results; everything else stays as it is.
fn write(
    args: &BootstrapArgs,
    output: &Path,
    model: &Model,
    found: &BootstrapResult,
    places: &Places,
    points: &Points<'_>,
) -> Outcome<()> {
    let directory = directory_of(&args.model);
    let graph = model.graph()?;
    let projection = &places.projection;
    let rooted = match &model.root[..] {
        [] => None,
        roots => Some(graph.root(roots)?),
    };
    let time = rooted.as_ref().map(|rooted| rooted.pseudotime(projection)).transpose()?;
    let rows = PointRows {
        pseudotime: time.as_deref(),
        pseudotime_sd: found.pseudotime_sd.as_deref(),
        ..PointRows::of(Some(graph), projection)
    };
    let columns = node_columns(model, points)?;
    let page = match (&args.output, &args.root[..]) {
        (Some(output), _) => Some(report::again(output, &directory, &args.model, model, None)?),
        (None, []) => None,
        (None, _) => Some(root::page(&directory, &args.model, model)?),
    };
    let replaces = args.force || args.output.is_none();
    rewrite_directory(&directory, output, replaces, |staging| {
        let support = Some(&found.support.edges[..]);
        model.write(&staging.join("model.json"))?;
        write_edges(&staging.join("edges.csv"), graph, support)?;
        write_graphml(&staging.join("graph.graphml"), graph, &columns, support)?;
        write_replicas(&staging.join("replicas.csv"), &found.replicas)?;
        write_points(&staging.join("points.csv"), Some(&places.ids), &rows, &places.labels)?;
        if let Some(rooted) = &rooted {
            root::write_lineages(&staging.join("lineages.csv"), graph, rooted, projection)?;
        }
        if let Some(page) = page {
            let path = staging.join(REPORT);
            fs::write(&path, page).map_err(|error| Error::writing(&path, &error))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Writes `replicas.csv`: replica, tips, branch_points, loops, components.
fn write_replicas(path: &Path, replicas: &Replicas) -> midrib_io::Result<()> {
    let mut header = vec!["replica"];
    header.extend(COUNTED.map(|(name, _)| name));
    let rows = replicas.counts.iter().enumerate().map(|(replica, counts)| {
        let mut row = vec![replica.to_string()];
        row.extend(COUNTED.map(|(_, of)| of(counts).to_string()));
        row
    });
    write_table(path, &header, rows)
}

/// What the replicas have in common.
fn say(model: &Model, found: &BootstrapResult, talk: &Talk) -> Outcome<()> {
    let spread = found.pseudotime_sd.as_deref().and_then(mean);
    if talk.json() {
        let mut json = support_json(model.graph()?, &found.support);
        for (name, of) in COUNTED {
            let tally = found.replicas.tally(of).into_iter();
            let tally: Map<String, Value> =
                tally.map(|(number, replicas)| (number.to_string(), json!(replicas))).collect();
            json[name] = tally.into();
        }
        json["root"] = json!(model.root);
        json["pseudotime_sd"] = json!(spread);
        return talk.answer(&format!("{json:#}\n"));
    }
    let mut text = count(found.support.replicas, "replica", "replicas");
    let mut row = |name: &str, value: &str| {
        let _ = write!(text, "\n  {name:<14} {value}");
    };
    for (name, of) in COUNTED {
        let mut tally: Vec<String> = (found.replicas.tally(of).iter().take(NAMED))
            .map(|(number, replicas)| format!("{number} in {replicas}"))
            .collect();
        if found.replicas.tally(of).len() > NAMED {
            tally.push("…".into());
        }
        row(&name.replace('_', " "), &tally.join(", "));
    }
    let branches = weakest(model.graph()?, &found.support.edges);
    for (at, (name, support)) in branches.iter().take(NAMED).enumerate() {
        let head = if at == 0 { "least support" } else { "" };
        row(head, &format!("{support:.2} branch {name}"));
    }
    if let Some(spread) = spread {
        let roots: Vec<String> = model.root.iter().map(usize::to_string).collect();
        row("pseudotime", &format!("± {} on average, root {}", short(spread), roots.join(", ")));
    }
    text.push('\n');
    talk.answer(&text)
}

/// The mean of what is known.
fn mean(values: &[f64]) -> Option<f64> {
    let known: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}
