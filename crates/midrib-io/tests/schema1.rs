//! Models that midrib 0.1 wrote in schema 1, of every method and three tables: each is read, and
//! projects its points to where they were then.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use midrib_io::{Model, ReadOptions, read, read_projected_points};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../midrib-cli/tests/record");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../midrib/tests/data");

fn check_table(table: &str) {
    let labels = vec!["label".into()];
    let options = ReadOptions { labels, ..ReadOptions::default() };
    let points = read(&Path::new(TABLES).join(format!("{table}.csv")), &options).unwrap().points;
    let mut models = 0;
    for record in fs::read_dir(Path::new(RECORD).join(table)).unwrap() {
        let record = record.unwrap().path();
        if !record.join("model.json").exists() {
            continue;
        }
        models += 1;
        let name = record.display();
        let model = Model::read(&record).unwrap();
        let recorded = read_projected_points(&record, &model).unwrap().projection.unwrap();
        let found = model.object.project(&points).unwrap();
        assert_eq!((&found.node, &found.edge), (&recorded.node, &recorded.edge), "{name}");
        for (found, recorded) in
            [(&found.edge_pos, &recorded.edge_pos), (&found.distance, &recorded.distance)]
        {
            let differ = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-12 * b.abs().max(1.0);
            assert!(!found.iter().zip(recorded).any(differ), "{name}");
        }
        let again = Model::from_json(serde_json::to_string(&model).unwrap().as_bytes(), &record);
        let again = serde_json::to_value(again.unwrap()).unwrap();
        assert_eq!(again, serde_json::to_value(&model).unwrap(), "{name}");
    }
    assert_eq!(models, 12, "{table}");
}

#[test]
fn the_circle_is_read() {
    check_table("circle");
}

#[test]
fn the_distorted_s_is_read() {
    check_table("distorted_s");
}

#[test]
fn the_tree_in_ten_dimensions_is_read() {
    check_table("tree120x10");
}
