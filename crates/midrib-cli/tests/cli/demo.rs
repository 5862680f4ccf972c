//! The whole way on generated data.

use crate::place::{Place, wave};

#[test]
fn it_finds_the_tree_that_it_generated() {
    let place = Place::new();
    let run = place.run("demo").ok();
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
        assert!(run.err.contains(file) && place.path("midrib-demo").join(file).exists(), "{file}");
    }
    // Once more, over itself.
    let again = place.run("demo -q --json").ok();
    assert_eq!((&again.json()["tips"], again.err.as_str()), (&4.into(), ""));
}

#[test]
fn it_replaces_no_results_but_its_own() {
    let place = Place::new().with("cells.csv", wave(60));
    place.run("fit cells.csv -q").ok();
    place.run("demo -o cells.midrib").fails(2, &["cells.midrib: exists already; pass --force"]);
    assert_eq!(place.json("cells.midrib/model.json")["input"]["file"], "cells.csv");
}

#[test]
fn a_file_among_the_results_of_a_demo_is_kept() {
    let place = Place::new();
    place.run("demo -q").ok();
    std::fs::write(place.path("midrib-demo/mine.txt"), "dear to me").unwrap();
    place.run("demo -q").fails(2, &["midrib-demo: holds mine.txt, which no demo wrote: move it"]);
    assert_eq!(place.read("midrib-demo/mine.txt"), "dear to me");
    place.run("demo -q --force").ok();
}
