//! `midrib measure`: how well labels fit to the places of points.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use midrib::measure::one_nn;
use midrib_io::{ReadOptions, Table, read};
use serde_json::json;

use super::fit::read_options;
use crate::args::MeasureArgs;
use crate::exit::{Failure, Outcome};
use crate::talk::print;

pub fn run(args: &MeasureArgs) -> Outcome<ExitCode> {
    let [label] = &args.reading.label[..] else {
        return Err(Failure::usage("name the column with the classes, once: --label COL"));
    };
    let path = table(&args.table)?;
    let table = read_embedding(&path, &read_options(&args.reading))?;
    let Some(labels) = table.labels.iter().find(|labels| labels.name == *label) else {
        let reason =
            format!("the labels {label} were not read; name their column as the file does");
        return Err(Failure::bad_data(reason).of_table(&path));
    };
    let of_table = |error: midrib::Error| Failure::from(error).of_table(&path);
    if let Some(row) = labels.values.iter().position(String::is_empty) {
        let reason = format!("point {} has no label in {label}: leave that row out", row + 1);
        return Err(Failure::bad_data(reason).of_table(&path));
    }
    let found = one_nn(&table.points, &labels.values).map_err(of_table)?;
    print(&if args.json {
        let measured = json!({
            "one_nn_accuracy": found.accuracy(),
            "right": found.right,
            "points": found.points,
            "classes": found.classes,
            "columns": table.features,
        });
        format!("{measured:#}\n")
    } else {
        format!(
            "1-NN accuracy {:.4}: the nearest other point has the same {label} for {} of {} \
             points in {} classes\n",
            found.accuracy(),
            found.right,
            found.points,
            found.classes
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The table itself, or the embedding among results.
fn table(path: &Path) -> Outcome<PathBuf> {
    if !path.is_dir() {
        return Ok(path.into());
    }
    let embedding = path.join("embedding.csv");
    if embedding.is_file() {
        return Ok(embedding);
    }
    let reason = "holds no embedding.csv: name a table, or results of a method that embeds points, \
                  such as ddrtree";
    Err(Failure::bad_data(reason).within(path.display()))
}

/// In an embedding the ids are names, even if they are numbers.
fn read_embedding(path: &Path, options: &ReadOptions) -> Outcome<Table> {
    let table = read(path, options)?;
    let is_embedding = table.features.starts_with(&["id".into(), "z1".into()]);
    if options.id.is_some() || !is_embedding || path == Path::new("-") {
        return Ok(table);
    }
    Ok(read(path, &ReadOptions { id: Some("id".into()), ..options.clone() })?)
}
