//! What is learned again from resampled points.

use crate::place::Place;

/// A tree of three arms, learned: `y` beside `points.csv`.
fn learned() -> Place {
    let place =
        Place::new().with_points("tree -n 300 -d 2 --noise 0.04 --branch-points 1 --seed 3");
    place.run("fit points.csv -o y -q").ok();
    place
}

/// The numbers in a column of a table.
fn numbers(text: &str, name: &str) -> Vec<f64> {
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|column| column == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

#[test]
fn support_is_added_to_the_results() {
    let place = learned();
    let run = place.run("bootstrap y --replicas 8 --root x0:min").ok();
    assert!(run.out.starts_with("8 replicas\n  tips           3 in 8\n"), "{}", run.out);
    for words in ["\n  least support  ", " branch ", "\n  pseudotime     ± "] {
        assert!(run.out.contains(words), "{}", run.out);
    }
    assert!(run.err.ends_with("support added to y/edges.csv\n"), "{}", run.err);
    let support = numbers(&place.read("y/edges.csv"), "support");
    assert!(support.iter().all(|share| (share * 8.0).fract() == 0.0), "{support:?}");
    assert!(support.iter().sum::<f64>() > 0.9 * support.len() as f64, "{support:?}");
    let model = place.json("y/model.json");
    assert_eq!(model["support"]["edges"].as_array().unwrap().len(), support.len());
    assert_eq!(model["support"]["replicas"], 8);
    assert_eq!(model["root"].as_array().unwrap().len(), 1);
    let points = place.read("y/points.csv");
    assert_eq!(numbers(&points, "pseudotime_sd").len(), 300);
    assert!(numbers(&points, "pseudotime_sd").iter().all(|sd| *sd >= 0.0 && *sd < 1.0));
    assert!(place.read("y/graph.graphml").contains("<data key=\"support\">"));
    assert_eq!(place.read("y/replicas.csv").lines().count(), 9);
    assert!(place.path("y/report.html").is_file() && place.path("y/lineages.csv").is_file());
    let info = place.run("info y").ok().out;
    assert!(info.contains("\n  support    8 replicas; weakest branches "), "{info}");
    let json = place.run("info y --json").ok().json();
    assert_eq!(json["support"]["branches"].as_array().unwrap().len(), 3);

    // AnnData's files hold it too.
    place.run("export y --format h5ad -o y.h5ad -q").ok();
    place.run("fit y.h5ad --label midrib_pseudotime_sd -o h -q").ok();
    assert_eq!(
        numbers(&place.read("h/points.csv"), "midrib_pseudotime_sd"),
        numbers(&points, "pseudotime_sd")
    );

    // The same root keeps the spread, another one does not.
    let root = &model["root"][0];
    place.run(&format!("root y --root {root} -q")).ok();
    assert_eq!(place.read("y/points.csv"), points);
    // So does pruning that changes nothing.
    place.run("prune y -o p -q").ok();
    let spread =
        |results: &str| numbers(&place.read(&format!("{results}/points.csv")), "pseudotime_sd");
    assert_eq!(spread("p"), spread("y"));
    place.run("root y --root x0:max -q").ok();
    let header = place.read("y/points.csv").lines().next().unwrap().to_owned();
    assert!(header.ends_with(",pseudotime"), "{header}");
    // It is not taken for a label.
    place.run("path y -o path.csv").ok();
    assert!(!place.read("path.csv").contains("pseudotime_sd"));
}

#[test]
fn threads_and_directories_change_nothing() {
    let place = learned();
    place.run("bootstrap y --replicas 5 --seed 7 -j 1 -o one -q").ok();
    place.run("bootstrap y --replicas 5 --seed 7 -j 3 -o three -q").ok();
    assert!(!place.read("y/edges.csv").contains("support"));
    for file in ["edges.csv", "points.csv", "replicas.csv", "graph.graphml", "nodes.csv"] {
        assert_eq!(place.read(&format!("one/{file}")), place.read(&format!("three/{file}")));
    }
    let words = ["one: exists already; pass --force"];
    place.run("bootstrap y --replicas 5 -o one").fails(2, &words);
    place.run("bootstrap y --replicas 2 -o one --force -q").ok();
    assert!(place.read("one/report.html").contains("\"directory\":\"one\""));
    let words = ["--output y/again: lies inside the results"];
    place.run("bootstrap y --replicas 2 -o y/again").fails(2, &words);
    assert_eq!(place.json("one/model.json")["support"]["replicas"], 2);
    let json = place.run("bootstrap y --replicas 2 --json").ok().json();
    assert_eq!(json["replicas"], 2);
    assert_eq!(json["loops"]["0"], 2);
}

#[test]
fn weak_branches_are_pruned_and_the_others_keep_their_support() {
    let place = learned();
    let fit =
        "fit points.csv --tips keep --bandwidth 0.001 --length-penalty 1 --n-nodes 60 -o rough";
    place.run(&format!("{fit} -q")).ok();
    let words =
        ["--min-support 0.5: the support of the branches is not known", "`midrib bootstrap rough`"];
    place.run("prune rough -o p --min-support 0.5").fails(2, &words);
    let words = ["--min-support 2: must be between 0 and 1"];
    place.run("prune rough -o p --min-support 2").fails(2, &words);
    place.run("bootstrap rough --replicas 10 -q").ok();
    place.run("prune rough -o p --min-share 0 --min-support 0.5 -q").ok();
    let tips = |results: &str| {
        place.run(&format!("info {results} --json")).ok().json()["tips"].as_u64().unwrap()
    };
    assert!(tips("p") < tips("rough"), "{} {}", tips("p"), tips("rough"));
    assert!(place.run("info p").ok().out.contains("\n  support    10 replicas; weakest branches "));
    let support = numbers(&place.read("p/edges.csv"), "support");
    assert!(!support.is_empty());
    // Merged chains are new edges.
    let run = place.run("simplify p -o s --merge-chains").ok();
    assert!(run.err.contains("some edges are new: rerun `midrib bootstrap`"), "{}", run.err);
    assert!(!place.read("s/edges.csv").contains("support"));
}

#[test]
fn what_cannot_be_resampled_is_named() {
    let place = learned();
    let words = ["invalid value '0' for '--replicas <N>'", "at least 1"];
    place.run("bootstrap y --replicas 0").fails(2, &words);
    place.run("bootstrap y --seed -1").fails(2, &["invalid value '-1' for '--seed <S>'"]);
    place.run("bootstrap y --root nowhere").fails(2, &["--root nowhere: "]);
    place.run("bootstrap none").fails(3, &["none: there is no such file"]);
    let before = place.read("y/edges.csv");
    let table = place.read("points.csv");
    std::fs::write(place.path("points.csv"), table.replacen("0.", "1.", 1)).unwrap();
    place.run("bootstrap y").fails(3, &["points.csv: holds other values"]);
    std::fs::rename(place.path("points.csv"), place.path("moved.csv")).unwrap();
    place.run("bootstrap y").fails(3, &["points.csv: there is no such file"]);
    std::fs::write(place.path("short.csv"), table.lines().take(9).collect::<Vec<_>>().join("\n"))
        .unwrap();
    place
        .run("bootstrap y --points short.csv")
        .fails(3, &["short.csv: has 8 rows, the model was learned from 300"]);
    assert_eq!(place.read("y/edges.csv"), before);
    place.run("synth tree -n 50 -o true.csv").ok();
    place
        .run("bootstrap true.truth --points true.csv")
        .fails(3, &["true.truth: the graph was not learned"]);
}

#[test]
#[cfg(unix)]
fn a_stop_keeps_the_finished_replicas() {
    let place = learned();
    let line = "bootstrap y -v -j 1 --replicas 100000";
    let said = crate::interrupt::interrupted_at(line, "replica: 3 of 100000", &place);
    assert!(said.contains("support added to y/edges.csv"), "{said}");
    let support = place.json("y/model.json")["support"].clone();
    let finished = support["replicas"].as_u64().unwrap();
    assert!((3..100_000).contains(&finished), "{finished}");
    assert!(said.contains(&format!("interrupted: {finished} of 100000 replicas")), "{said}");
}
