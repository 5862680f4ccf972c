//! `midrib measure`: results by the four criteria, a graph beside a known truth, or labels beside
//! those of near points.

use std::path::Path;
use std::process::ExitCode;

use midrib_tasks::{TrainingRequest, measure_criteria, measure_labels, measure_truth};
use serde_json::json;

use super::criteria_text::criteria_rows;
use crate::args::{MeasureArgs, TableArgs};
use crate::console::{Console, print};
use crate::exit::{Failure, Outcome};

pub fn run(args: &MeasureArgs) -> Outcome<ExitCode> {
    let text = match &args.truth {
        Some(truth) => against_truth(args, truth)?,
        None if is_of_results(args) => by_criteria(args)?,
        None => by_labels(args)?,
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Whether results are measured on points: these are named, or nothing else is.
fn is_of_results(args: &MeasureArgs) -> bool {
    let has_labels = !args.reading.label.is_empty() || args.reading.labels.is_some();
    let is_results = args.table.join("model.json").is_file()
        || args.table.extension().is_some_and(|extension| extension == "json");
    args.points.is_some() || (is_results && !has_labels)
}

/// Results by the four criteria.
fn by_criteria(args: &MeasureArgs) -> Outcome<String> {
    let found = measure_criteria(&TrainingRequest {
        results: &args.table,
        table: args.points.as_deref(),
        options: args.reading.options(),
        max_memory: args.memory.max_memory,
    })?;
    if args.json {
        return Ok(format!("{:#}\n", json!(found.criteria)));
    }
    let mut rows = criteria_rows(&found.criteria);
    let table = found.table.display();
    rows.push(("points", format!("{} of {table}", found.criteria.points)));
    rows.extend(found.criteria.notes.iter().map(|note| ("note", note.clone())));
    Ok(rows.into_iter().map(|(name, value)| format!("{name:<10} {value}\n")).collect())
}

/// A learned graph beside the true one.
fn against_truth(args: &MeasureArgs, truth: &Path) -> Outcome<String> {
    if args.points.is_some() {
        return Err(Failure::usage("give a truth or --points, not both: they are two measures"));
    }
    if !args.reading.label.is_empty() {
        return Err(Failure::usage("give a truth or --label, not both: they are two measures"));
    }
    refuse_table_flags(&args.reading)?;
    let found = measure_truth(&args.table, truth, &mut Console::unless(false).listener())?;
    if args.json {
        return Ok(format!("{:#}\n", json!(found)));
    }
    Ok(format!(
        "correlation of distances  {:.4}\n\
         HIM                       {:.4}\n\
         F1 of branches            {:.4}\n\
         F1 of milestones          {:.4}\n\
         topology                  {}\n",
        found.correlation,
        found.him,
        found.f1_branches,
        found.f1_milestones,
        if found.same_topology { "same" } else { "different" }
    ))
}

/// Results are read in one way only.
fn refuse_table_flags(reading: &TableArgs) -> Outcome<()> {
    let given = [
        ("--id", reading.id.is_some()),
        ("--labels", reading.labels.is_some()),
        ("--weights", reading.weights.is_some()),
        ("--use-rep", reading.use_rep.is_some()),
        ("--no-header", reading.no_header),
        ("--gaps", reading.gaps),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::usage(format!(
            "{flag}: sets how a table is read, but a truth is compared with results; leave it out"
        ))),
        None => Ok(()),
    }
}

/// Labels beside those of the nearest points.
fn by_labels(args: &MeasureArgs) -> Outcome<String> {
    let mut listener = Console::unless(false).listener();
    let found = measure_labels(&args.table, &args.reading.options(), &mut listener)?;
    if args.json {
        return Ok(format!("{:#}\n", json!(found)));
    }
    Ok(format!(
        "1-NN accuracy {:.4}: the nearest other point has the same {} for {} of {} points in {} \
         classes\n",
        found.one_nn_accuracy, found.label, found.right, found.points, found.classes
    ))
}
