//! The whole way on generated data.

use crate::folder::{Folder, wave};

#[test]
fn it_finds_the_tree_that_it_generated() {
    let folder = Folder::new();
    let run = folder.run("demo").ok();
    assert!(run.err.contains("a tree with 4 tips and 2 branch points"), "{}", run.err);
    assert!(run.out.starts_with("4 tips, 2 branch points, 5 branches"), "{}", run.out);
    for file in [
        "data.csv",
        "model.json",
        "nodes.csv",
        "edges.csv",
        "points.csv",
        "graph.graphml",
        "report.html",
    ] {
        assert!(run.err.contains(file) && folder.path("midrib-demo").join(file).exists(), "{file}");
    }
    // Once more, over itself.
    let again = folder.run("demo -q --json").ok();
    assert_eq!((&again.json()["tips"], again.err.as_str()), (&4.into(), ""));
}

#[test]
fn it_replaces_no_results_but_its_own() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q").ok();
    folder.run("demo -o cells.midrib").fails(2, &["cells.midrib: exists already; pass --force"]);
    assert_eq!(folder.json("cells.midrib/model.json")["input"]["file"], "cells.csv");
}

#[test]
fn a_file_among_the_results_of_a_demo_is_kept() {
    let folder = Folder::new();
    folder.run("demo -q").ok();
    std::fs::write(folder.path("midrib-demo/mine.txt"), "dear to me").unwrap();
    folder.run("demo -q").fails(2, &["midrib-demo: holds mine.txt, which no demo wrote: move it"]);
    assert_eq!(folder.read("midrib-demo/mine.txt"), "dear to me");
    folder.run("demo -q --force").ok();
}
