//! Results of every method on three tables, recorded before the code was reorganized. Each run must
//! give the same numbers again, bit by bit; those of `RESOLVED` to 1e-8, since a library solves their
//! systems now.
//!
//! The record was made on an x86-64 processor with fused products (FMA). Sums have a fixed order, so
//! the width of its vectors changes nothing; but products that are rounded before they are added do.
//! Processors without FMA are therefore held to 1e-8, and so is any with `MIDRIB_RECORD=close`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::folder::Folder;

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

/// Runs whose sparse or dense systems another solver factors than when they were recorded.
const RESOLVED: [&str; 11] = [
    "cluster-fused-lasso",
    "cluster-knn-l1",
    "cluster-l1",
    "cubic",
    "elastic-curve",
    "elastic-graph",
    "elastic-map",
    "elastic-ring",
    "elastic-tree",
    "rpg-l1",
    "spl",
];

/// Whether numbers are compared bit by bit.
fn is_exact(run: &str) -> bool {
    #[cfg(target_arch = "x86_64")]
    let has_fma = std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let has_fma = false;
    let is_close = std::env::var("MIDRIB_RECORD").is_ok_and(|value| value == "close");
    has_fma && !is_close && !RESOLVED.contains(&run)
}

/// Repeats every recorded run on a table and compares each recorded file.
fn check_table(table: &str) {
    let folder = Folder::new();
    let csv = fs::read(Path::new(TABLES).join(format!("{table}.csv"))).unwrap();
    let folder = folder.with(&format!("{table}.csv"), csv);
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
        folder.run(&format!("{command} --label label -o {name} -q")).ok();
        for file in fs::read_dir(&record).unwrap().map(|entry| entry.unwrap().path()) {
            let found = folder.path(&name).join(file.file_name().unwrap());
            let what = format!("{table}, {name}, {}", file.file_name().unwrap().display());
            let comparison = Comparison { what, is_exact: is_exact(&name) };
            if file.extension().unwrap() == "json" {
                comparison.models(&read_json(&file), &read_json(&found));
            } else {
                let text = |path: &Path| fs::read_to_string(path).unwrap();
                comparison.tables(&text(&file), &text(&found));
            }
        }
    }
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Compares a file of a run with the recorded one.
struct Comparison {
    what: String,
    is_exact: bool,
}

impl Comparison {
    fn models(&self, recorded: &Value, found: &Value) {
        assert_eq!(recorded["end"], found["end"], "{}: end", self.what);
        assert_eq!(recorded["n_iter"], found["n_iter"], "{}: n_iter", self.what);
        for key in LEARNED {
            self.values(key, &recorded[key], &found[key]);
        }
        for (key, value) in recorded["chosen"].as_object().unwrap() {
            self.values(&format!("chosen {key}"), value, &found["chosen"][key]);
        }
    }

    fn values(&self, key: &str, recorded: &Value, found: &Value) {
        match (recorded, found) {
            (Value::Array(recorded), Value::Array(found)) => {
                assert_eq!(recorded.len(), found.len(), "{}: {key}", self.what);
                for (i, (recorded, found)) in recorded.iter().zip(found).enumerate() {
                    self.values(&format!("{key}[{i}]"), recorded, found);
                }
            }
            (Value::Number(recorded), Value::Number(found)) => {
                self.numbers(key, recorded.as_f64().unwrap(), found.as_f64().unwrap());
            }
            _ => assert_eq!(recorded, found, "{}: {key}", self.what),
        }
    }

    fn tables(&self, recorded: &str, found: &str) {
        assert_eq!(recorded.lines().count(), found.lines().count(), "{}", self.what);
        for (i, (recorded, found)) in recorded.lines().zip(found.lines()).enumerate() {
            let line = format!("line {}", i + 1);
            let (recorded, found) = (recorded.split(','), found.split(','));
            assert_eq!(recorded.clone().count(), found.clone().count(), "{}, {line}", self.what);
            for (recorded, found) in recorded.zip(found) {
                match (recorded.parse(), found.parse()) {
                    (Ok(recorded), Ok(found)) => self.numbers(&line, recorded, found),
                    _ => assert_eq!(recorded, found, "{}, {line}", self.what),
                }
            }
        }
    }

    fn numbers(&self, key: &str, recorded: f64, found: f64) {
        let tolerance = if self.is_exact { 0.0 } else { 1e-8 * recorded.abs().max(1.0) };
        assert!(
            (recorded - found).abs() <= tolerance,
            "{}: {key}: recorded {recorded}, found {found}",
            self.what
        );
    }
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
