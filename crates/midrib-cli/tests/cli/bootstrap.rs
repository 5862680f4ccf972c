//! What is learned again from resampled points.

use crate::folder::Folder;

/// A tree of three arms, learned: `y` beside `points.csv`.
fn learned() -> Folder {
    let folder =
        Folder::new().with_points("tree -n 300 -d 2 --noise 0.04 --branch-points 1 --seed 3");
    folder.run("fit points.csv -o y -q").ok();
    folder
}

/// The numbers in a column of a table.
fn numbers(text: &str, name: &str) -> Vec<f64> {
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|column| column == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
}

#[test]
fn support_is_added_to_the_results() {
    let folder = learned();
    let run = folder.run("bootstrap y --replicas 8 --root x0:min").ok();
    assert!(run.out.starts_with("8 replicas\n  tips           3 in 8\n"), "{}", run.out);
    for words in ["\n  least support  ", " branch ", "\n  pseudotime     ± "] {
        assert!(run.out.contains(words), "{}", run.out);
    }
    assert!(run.err.ends_with("support added to y/edges.csv\n"), "{}", run.err);
    let support = numbers(&folder.read("y/edges.csv"), "support");
    assert!(support.iter().all(|share| (share * 8.0).fract() == 0.0), "{support:?}");
    assert!(support.iter().sum::<f64>() > 0.9 * support.len() as f64, "{support:?}");
    let model = folder.json("y/model.json");
    assert_eq!(model["support"]["edges"].as_array().unwrap().len(), support.len());
    assert_eq!(model["support"]["replicas"], 8);
    assert_eq!(model["root"].as_array().unwrap().len(), 1);
    let points = folder.read("y/points.csv");
    assert_eq!(numbers(&points, "pseudotime_sd").len(), 300);
    assert!(numbers(&points, "pseudotime_sd").iter().all(|sd| *sd >= 0.0 && *sd < 1.0));
    assert!(folder.read("y/graph.graphml").contains("<data key=\"support\">"));
    assert_eq!(folder.read("y/replicas.csv").lines().count(), 9);
    assert!(folder.path("y/report.html").is_file() && folder.path("y/lineages.csv").is_file());
    let info = folder.run("info y").ok().out;
    assert!(info.contains("\n  support    8 replicas; weakest branches "), "{info}");
    let json = folder.run("info y --json").ok().json();
    assert_eq!(json["support"]["branches"].as_array().unwrap().len(), 3);

    // AnnData's files hold it too.
    folder.run("export y --format h5ad -o y.h5ad -q").ok();
    folder.run("fit y.h5ad --label midrib_pseudotime_sd -o h -q").ok();
    assert_eq!(
        numbers(&folder.read("h/points.csv"), "midrib_pseudotime_sd"),
        numbers(&points, "pseudotime_sd")
    );

    // The same root keeps the spread, another one does not.
    let root = &model["root"][0];
    folder.run(&format!("root y --root {root} -q")).ok();
    assert_eq!(folder.read("y/points.csv"), points);
    // So does pruning that changes nothing.
    folder.run("prune y -o p -q").ok();
    let spread =
        |results: &str| numbers(&folder.read(&format!("{results}/points.csv")), "pseudotime_sd");
    assert_eq!(spread("p"), spread("y"));
    folder.run("root y --root x0:max -q").ok();
    let header = folder.read("y/points.csv").lines().next().unwrap().to_owned();
    assert!(header.ends_with(",pseudotime"), "{header}");
    // It is not taken for a label.
    folder.run("path y -o path.csv").ok();
    assert!(!folder.read("path.csv").contains("pseudotime_sd"));
}

#[test]
fn threads_and_directories_change_nothing() {
    let folder = learned();
    folder.run("bootstrap y --replicas 5 --seed 7 -j 1 -o one -q").ok();
    folder.run("bootstrap y --replicas 5 --seed 7 -j 3 -o three -q").ok();
    assert!(!folder.read("y/edges.csv").contains("support"));
    for file in ["edges.csv", "points.csv", "replicas.csv", "graph.graphml", "nodes.csv"] {
        assert_eq!(folder.read(&format!("one/{file}")), folder.read(&format!("three/{file}")));
    }
    let words = ["one: exists already; pass --force"];
    folder.run("bootstrap y --replicas 5 -o one").fails(2, &words);
    folder.run("bootstrap y --replicas 2 -o one --force -q").ok();
    assert!(folder.read("one/report.html").contains("\"directory\":\"one\""));
    let words = ["--output y/again: lies inside the results"];
    folder.run("bootstrap y --replicas 2 -o y/again").fails(2, &words);
    assert_eq!(folder.json("one/model.json")["support"]["replicas"], 2);
    let json = folder.run("bootstrap y --replicas 2 --json").ok().json();
    assert_eq!(json["replicas"], 2);
    assert_eq!(json["loops"]["0"], 2);
}

#[test]
fn weak_branches_are_pruned_and_the_others_keep_their_support() {
    let folder = learned();
    let fit =
        "fit points.csv --tips keep --bandwidth 0.001 --length-penalty 1 --n-nodes 60 -o rough";
    folder.run(&format!("{fit} -q")).ok();
    let words =
        ["--min-support 0.5: the support of the branches is not known", "`midrib bootstrap rough`"];
    folder.run("prune rough -o p --min-support 0.5").fails(2, &words);
    let words = ["--min-support 2: must be between 0 and 1"];
    folder.run("prune rough -o p --min-support 2").fails(2, &words);
    folder.run("bootstrap rough --replicas 10 -q").ok();
    folder.run("prune rough -o p --min-share 0 --min-support 0.5 -q").ok();
    let tips = |results: &str| {
        folder.run(&format!("info {results} --json")).ok().json()["tips"].as_u64().unwrap()
    };
    assert!(tips("p") < tips("rough"), "{} {}", tips("p"), tips("rough"));
    assert!(
        folder.run("info p").ok().out.contains("\n  support    10 replicas; weakest branches ")
    );
    let support = numbers(&folder.read("p/edges.csv"), "support");
    assert!(!support.is_empty());
    // Merged chains are new edges.
    let run = folder.run("simplify p -o s --merge-chains").ok();
    assert!(run.err.contains("some edges are new: rerun `midrib bootstrap`"), "{}", run.err);
    assert!(!folder.read("s/edges.csv").contains("support"));
}

#[test]
fn what_cannot_be_resampled_is_named() {
    let folder = learned();
    let words = ["invalid value '0' for '--replicas <N>'", "at least 1"];
    folder.run("bootstrap y --replicas 0").fails(2, &words);
    folder.run("bootstrap y --seed -1").fails(2, &["invalid value '-1' for '--seed <S>'"]);
    folder.run("bootstrap y --root nowhere").fails(2, &["--root nowhere: "]);
    folder.run("bootstrap none").fails(3, &["none: there is no such file"]);
    let before = folder.read("y/edges.csv");
    let table = folder.read("points.csv");
    std::fs::write(folder.path("points.csv"), table.replacen("0.", "1.", 1)).unwrap();
    folder.run("bootstrap y").fails(3, &["points.csv: holds other values"]);
    std::fs::rename(folder.path("points.csv"), folder.path("moved.csv")).unwrap();
    folder.run("bootstrap y").fails(3, &["points.csv: there is no such file"]);
    std::fs::write(folder.path("short.csv"), table.lines().take(9).collect::<Vec<_>>().join("\n"))
        .unwrap();
    folder
        .run("bootstrap y --points short.csv")
        .fails(3, &["short.csv: has 8 rows, the model was learned from 300"]);
    assert_eq!(folder.read("y/edges.csv"), before);
    folder.run("synth tree -n 50 -o true.csv").ok();
    folder
        .run("bootstrap true.truth --points true.csv")
        .fails(3, &["true.truth: the graph was not learned"]);
}

#[test]
#[cfg(unix)]
fn a_stop_keeps_the_finished_replicas() {
    let folder = learned();
    let line = "bootstrap y -v -j 1 --replicas 100000";
    let said = crate::interrupt::interrupted_at(line, "replica: 3 of 100000", &folder);
    assert!(said.contains("support added to y/edges.csv"), "{said}");
    let support = folder.json("y/model.json")["support"].clone();
    let finished = support["replicas"].as_u64().unwrap();
    assert!((3..100_000).contains(&finished), "{finished}");
    assert!(said.contains(&format!("interrupted: {finished} of 100000 replicas")), "{said}");
}
