//! Which columns of a table become features.

use crate::folder::{Folder, wave, with_column};

/// The columns that a fit learned from.
fn features(folder: &Folder, results: &str) -> Vec<String> {
    let model = folder.json(&format!("{results}/model.json"));
    let names = model["input"]["features"].as_array().unwrap().clone();
    names.iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

#[test]
fn columns_that_only_number_the_rows_are_left_out() {
    let numbered = with_column(&wave(60), "PassengerId", |row| (row + 1).to_string());
    let folder = Folder::new().with("cells.csv", &numbered);
    let run = folder.run("fit cells.csv --n-nodes 10").ok();
    let note = "left out, since the numbers only count or name the rows: PassengerId (--columns";
    assert!(run.err.contains(note), "{}", run.err);
    assert!(!run.err.contains("--scale"), "{}", run.err);
    assert_eq!(features(&folder, "cells.midrib"), ["x", "y"]);
    assert!(folder.read("cells.midrib/points.csv").lines().nth(1).unwrap().starts_with("1,"));
    folder.run("root cells.midrib --root point:7").ok();
    folder.run("fit cells.csv --n-nodes 10 --columns * -o all -q").ok();
    assert_eq!(features(&folder, "all"), ["PassengerId", "x", "y"]);
}

#[test]
fn columns_are_selected_by_name_range_and_pattern() {
    let table = with_column(&wave(60), "gene_a", |row| (row % 7).to_string());
    let table = with_column(&table, "gene_b", |row| (row % 5).to_string());
    let table = with_column(&table, "stage", |row| ["old", "young"][row % 2].into());
    let folder = Folder::new().with("cells.csv", &table);
    for (flags, found) in [
        ("--columns x,y", &["x", "y"][..]),
        ("--columns gene_* --columns #4", &["gene_b", "gene_a", "x"]),
        ("--columns gene_a..y --exclude x", &["gene_a", "y"]),
        ("--exclude gene_*,stage", &["x", "y"]),
    ] {
        folder.run(&format!("fit cells.csv --n-nodes 8 {flags} -o out -q --force")).ok();
        assert_eq!(features(&folder, "out"), found, "{flags}");
        let header = folder.read("out/points.csv").lines().next().unwrap().to_owned();
        assert_eq!(header.contains("stage"), !flags.contains("stage"), "{flags}: {header}");
        folder.run("draw out -o out.svg --force").ok();
    }
    let missing = ["there is no column genes, did you mean gene_b?"];
    folder.run("fit cells.csv --columns genes -o a").fails(3, &missing);
    folder.run("fit cells.csv --columns z* -o a").fails(3, &["no column matches z*"]);
}

#[test]
fn scaling_is_advised_for_other_units_only() {
    let advice = |name: &str| {
        let table = with_column(&wave(60), name, |row| (1000.0 * (row as f64).sqrt()).to_string());
        let folder = Folder::new().with("cells.csv", &table);
        let run = folder.run("fit cells.csv --n-nodes 8 --dry-run").ok();
        run.err.contains("--scale unit")
    };
    assert!(advice("weight"));
    let folder = Folder::new().with_points("s -n 100 -d 3");
    let scaled = folder.read("points.csv").replace("x0,x1,x2", "PC1,PC2,PC3");
    let wide = scaled.lines().map(|line| match line.split_once(',') {
        Some((first, rest)) if !first.starts_with('P') => {
            format!("{},{rest}\n", 1000.0 * first.parse::<f64>().unwrap())
        }
        _ => format!("{line}\n"),
    });
    let folder = Folder::new().with("components.csv", wide.collect::<String>());
    let run = folder.run("fit components.csv --n-nodes 8 --dry-run").ok();
    assert!(!run.err.contains("--scale"), "{}", run.err);
}
