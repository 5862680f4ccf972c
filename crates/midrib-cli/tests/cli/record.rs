//! Results of every method on three tables, recorded before the code was reorganized. Each run
//! must give the same numbers again: to 1e-8, or byte by byte with `MIDRIB_RECORD=exact`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::place::Place;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/record");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../midrib/tests/data");

/// What a fit learned, in `model.json`.
const LEARNED: [&str; 10] = [
    "nodes",
    "edges",
    "mass",
    "trace",
    "objective",
    "explained",
    "embedding",
    "latent_nodes",
    "basis",
    "center",
];

/// Repeats every recorded run on a table and compares each recorded file.
fn check_table(table: &str) {
    let place = Place::new();
    let csv = fs::read(Path::new(TABLES).join(format!("{table}.csv"))).unwrap();
    let place = place.with(&format!("{table}.csv"), csv);
    let mut records: Vec<PathBuf> = fs::read_dir(Path::new(RECORD).join(table))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    records.sort();
    assert_eq!(records.len(), 16, "{table}: 12 fits and 4 clusterings");
    for record in records {
        let name = record.file_name().unwrap().to_str().unwrap().to_owned();
        let command = match name.strip_prefix("cluster-") {
            Some(graph) => format!("cluster {table}.csv --graph {graph} --clusters 3"),
            None if name == "rpg-l1" => format!("fit {table}.csv --method rpg --structure l1"),
            None => format!("fit {table}.csv --method {name}"),
        };
        place.run(&format!("{command} --label label -o {name} -q")).ok();
        for file in fs::read_dir(&record).unwrap().map(|entry| entry.unwrap().path()) {
            let found = place.path(&name).join(file.file_name().unwrap());
            let place = format!("{table}, {name}, {}", file.file_name().unwrap().display());
            if file.extension().unwrap() == "json" {
                compare_models(&place, &read_json(&file), &read_json(&found));
            } else {
                compare_tables(
                    &place,
                    &fs::read_to_string(&file).unwrap(),
                    &fs::read_to_string(&found).unwrap(),
                );
            }
        }
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn compare_models(place: &str, recorded: &Value, found: &Value) {
    assert_eq!(recorded["end"], found["end"], "{place}: end");
    assert_eq!(recorded["n_iter"], found["n_iter"], "{place}: n_iter");
    for key in LEARNED {
        compare_values(&format!("{place}: {key}"), &recorded[key], &found[key]);
    }
    for (key, value) in recorded["chosen"].as_object().unwrap() {
        compare_values(&format!("{place}: chosen {key}"), value, &found["chosen"][key]);
    }
}

fn compare_values(place: &str, recorded: &Value, found: &Value) {
    match (recorded, found) {
        (Value::Array(recorded), Value::Array(found)) => {
            assert_eq!(recorded.len(), found.len(), "{place}");
            for (i, (recorded, found)) in recorded.iter().zip(found).enumerate() {
                compare_values(&format!("{place}[{i}]"), recorded, found);
            }
        }
        (Value::Number(recorded), Value::Number(found)) => {
            compare_numbers(place, recorded.as_f64().unwrap(), found.as_f64().unwrap());
        }
        _ => assert_eq!(recorded, found, "{place}"),
    }
}

fn compare_tables(place: &str, recorded: &str, found: &str) {
    assert_eq!(recorded.lines().count(), found.lines().count(), "{place}");
    for (i, (recorded, found)) in recorded.lines().zip(found.lines()).enumerate() {
        let (recorded, found) = (recorded.split(','), found.split(','));
        assert_eq!(recorded.clone().count(), found.clone().count(), "{place}, line {}", i + 1);
        for (recorded, found) in recorded.zip(found) {
            let place = format!("{place}, line {}", i + 1);
            match (recorded.parse(), found.parse()) {
                (Ok(recorded), Ok(found)) => compare_numbers(&place, recorded, found),
                _ => assert_eq!(recorded, found, "{place}"),
            }
        }
    }
}

fn compare_numbers(place: &str, recorded: f64, found: f64) {
    let exact = std::env::var("MIDRIB_RECORD").is_ok_and(|value| value == "exact");
    let tolerance = if exact { 0.0 } else { 1e-8 * recorded.abs().max(1.0) };
    assert!((recorded - found).abs() <= tolerance, "{place}: recorded {recorded}, found {found}");
}

#[test]
fn the_distorted_s_is_learned_as_recorded() {
    check_table("distorted_s");
}

#[test]
fn the_circle_is_learned_as_recorded() {
    check_table("circle");
}

#[test]
fn the_tree_in_ten_dimensions_is_learned_as_recorded() {
    check_table("tree120x10");
}
