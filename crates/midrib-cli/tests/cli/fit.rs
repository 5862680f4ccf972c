//! What a fit writes and says.

use std::collections::BTreeSet;

use crate::folder::{Folder, wave, with_column};

fn column<'t>(table: &'t str, name: &str) -> Vec<&'t str> {
    let mut lines = table.lines();
    let folder = lines.next().unwrap().split(',').position(|column| column == name).unwrap();
    lines.map(|line| line.split(',').nth(folder).unwrap()).collect()
}

#[test]
fn the_files_of_a_result_agree() {
    let folder = Folder::new().with_points("tree -n 300 -d 3");
    folder.run("fit points.csv -q").ok();
    let model = folder.json("points.midrib/model.json");
    let keys: BTreeSet<&str> = model.as_object().unwrap().keys().map(String::as_str).collect();
    for key in [
        "schema",
        "midrib",
        "method",
        "settings",
        "input",
        "nodes",
        "edges",
        "objective",
        "trace",
        "end",
        "n_iter",
        "seed",
    ] {
        assert!(keys.contains(key), "{key}");
    }
    assert_eq!(model["schema"], 2);
    assert_eq!(model["midrib"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&model["method"], &model["end"]), (&"ppt".into(), &"converged".into()));
    let input = &model["input"];
    assert_eq!((&input["file"], &input["rows"]), (&"points.csv".into(), &300.into()));
    assert_eq!(input["features"], serde_json::json!(["x0", "x1", "x2"]));
    assert_eq!(input["prepare"], serde_json::json!({}));

    let n_nodes = model["nodes"].as_array().unwrap().len();
    let n_edges = model["edges"].as_array().unwrap().len();
    assert_eq!(n_edges, n_nodes - 1);
    assert_eq!(
        model["trace"].as_array().unwrap().len() as u64,
        model["n_iter"].as_u64().unwrap() + 1
    );

    let nodes = folder.read("points.midrib/nodes.csv");
    assert!(nodes.starts_with("node,mass,degree,x0,x1,x2\n"), "{nodes}");
    let first: Vec<f64> = column(&nodes, "x0").iter().map(|x| x.parse().unwrap()).collect();
    for (x, node) in first.iter().zip(model["nodes"].as_array().unwrap()) {
        assert_eq!(*x, node[0].as_f64().unwrap());
    }
    assert_eq!(first.len(), n_nodes);
    let degrees: usize = column(&nodes, "degree").iter().map(|d| d.parse::<usize>().unwrap()).sum();
    assert_eq!(degrees, 2 * n_edges);

    let edges = folder.read("points.midrib/edges.csv");
    assert!(edges.starts_with("edge,a,b,weight,length\n"), "{edges}");
    let ends: Vec<(u64, u64)> = column(&edges, "a")
        .iter()
        .zip(column(&edges, "b"))
        .map(|(a, b)| (a.parse().unwrap(), b.parse().unwrap()))
        .collect();
    let in_model: Vec<(u64, u64)> = model["edges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edge| (edge[0].as_u64().unwrap(), edge[1].as_u64().unwrap()))
        .collect();
    assert_eq!(ends, in_model);
    assert!(ends.iter().all(|(a, b)| a < b));

    let points = folder.read("points.midrib/points.csv");
    assert!(points.starts_with("id,node,edge,edge_pos,distance,branch,component\n"), "{points}");
    assert_eq!(points.lines().count(), 301);
    assert!(column(&points, "node").iter().all(|k| k.parse::<usize>().unwrap() < n_nodes));
    assert!(column(&points, "edge").iter().all(|e| e.parse::<usize>().unwrap() < n_edges));
    assert!(column(&points, "edge_pos").iter().all(|p| (0.0..=1.0).contains(&p.parse().unwrap())));

    let graphml = folder.read("points.midrib/graph.graphml");
    assert_eq!(graphml.matches("<node ").count(), n_nodes);
    assert_eq!(graphml.matches("<edge ").count(), n_edges);
}

#[test]
fn ids_labels_and_weights_are_columns_but_no_features() {
    let table = with_column(&wave(60), "w", |row| (1 + row % 3).to_string());
    let table = with_column(&table, "stage", |row| (row / 20).to_string());
    let table = with_column(&table, "cell", |row| format!("c{row}"));
    let folder = Folder::new().with("cells.csv", table);
    folder.run("fit cells.csv -q --id cell --label stage --weights w").ok();
    let model = folder.json("cells.midrib/model.json");
    assert_eq!(model["input"]["features"], serde_json::json!(["x", "y"]));
    let mass: f64 = model["mass"].as_array().unwrap().iter().map(|m| m.as_f64().unwrap()).sum();
    assert!((mass - 120.0).abs() < 1e-9, "{mass}");
    let points = folder.read("cells.midrib/points.csv");
    let header = "id,node,edge,edge_pos,distance,branch,component,stage\n";
    assert!(points.starts_with(header), "{points}");
    assert_eq!(column(&points, "id")[59], "c59");
    assert_eq!(column(&points, "stage")[59], "2");
}

#[test]
fn text_columns_are_set_aside_and_named() {
    let table = with_column(&wave(60), "stage", |_| "young".into());
    let folder = Folder::new().with("cells.csv", table);
    let run = folder.run("fit cells.csv").ok();
    assert!(run.err.contains("set aside as labels: stage"), "{}", run.err);
    assert!(folder.read("cells.midrib/points.csv").contains(",young\n"));
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let folder = Folder::new().with_points("tree -n 3000 -d 5 --noise 0.1");
    for more in ["--pca 4", "--kernel gaussian --kernel-columns 200 --pca 0.9"] {
        for threads in [1, 2, 3] {
            let flags = format!("-q --force --n-nodes 60 --max-iter 40 --scale unit {more}");
            folder.run(&format!("fit points.csv -j {threads} -o out{threads} {flags}")).ok();
        }
        for file in ["nodes.csv", "edges.csv", "points.csv", "graph.graphml"] {
            let one = folder.read(&format!("out1/{file}"));
            assert!(folder.read(&format!("out2/{file}")) == one, "{file} {more}");
            assert!(folder.read(&format!("out3/{file}")) == one, "{file} {more}");
        }
        let one = folder.learned("out1");
        assert!(folder.learned("out2") == one && folder.learned("out3") == one, "{more}");
    }
}

#[test]
fn answers_go_to_stdout_and_talk_to_stderr() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let run = folder.run("fit cells.csv").ok();
    assert!(run.out.starts_with("2 tips, 0 branch points, 1 branch, 0 loops, 1 component\n"));
    assert!(run.out.contains("cells.csv, 60 points in 2 columns"), "{}", run.out);
    for talk in ["cells.csv: 60 points", "chosen for you", "--bandwidth", "written to cells.midrib"]
    {
        assert!(run.err.contains(talk), "{}", run.err);
    }
    assert!(!run.err.contains('\u{1b}') && !run.out.contains('\u{1b}'));
}

#[test]
fn what_becomes_of_the_tips_is_said() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for (flags, word) in [
        ("", Some("tidy")),
        ("--length-penalty 1", Some("keep")),
        ("--smoothing 0.1", Some("keep")),
        ("--method rpg", Some("tidy")),
        ("--method rpg --data-weight 1", Some("keep")),
        ("--tips keep", None),
        ("--length-penalty 1 --tips tidy", None),
    ] {
        let run = folder.run(&format!("fit cells.csv --force {flags}")).ok();
        let line = run.err.lines().find(|line| line.starts_with("  --tips "));
        assert_eq!(line.and_then(|line| line.split_whitespace().nth(1)), word, "{}", run.err);
        assert_eq!(folder.json("cells.midrib/model.json")["chosen"]["tips"].as_str(), word);
    }
}

#[test]
fn json_answers_hold_no_talk() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let answer = folder.run("fit cells.csv --json").ok().json();
    assert_eq!((&answer["tips"], &answer["end"]), (&2.into(), &"converged".into()));
    assert!(answer["chosen"]["bandwidth"].as_f64().unwrap() > 0.0);
    let quiet = folder.run("fit cells.csv --json -q --force").ok();
    assert_eq!(quiet.json(), answer);
    assert_eq!(quiet.err, "");
}

#[test]
fn quiet_is_silent_and_verbose_is_not() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let quiet = folder.run("fit cells.csv -q").ok();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let verbose = folder.run("fit cells.csv -v --force").ok();
    assert!(verbose.err.contains("learning the graph: 1 of "), "{}", verbose.err);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let run = folder.run("fit cells.csv --dry-run --json").ok();
    assert_eq!(run.out, "");
    assert!(run.err.contains("would learn with ppt and write cells.midrib"), "{}", run.err);
    assert_eq!(folder.names(), ["cells.csv"]);
    folder
        .run("fit cells.csv --dry-run --n-nodes 61")
        .fails(2, &["--n-nodes 61: there are only 60"]);
}

#[test]
fn standard_input_is_a_table() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let run = folder.run_with_input("fit -", &wave(60)).ok();
    assert!(run.err.starts_with("standard input: 60 points in 2 columns\n"), "{}", run.err);
    folder.run("fit cells.csv -q").ok();
    assert_eq!(folder.read("stdin.midrib/nodes.csv"), folder.read("cells.midrib/nodes.csv"));
    folder.run_with_input("fit - -o empty", "").fails(3, &["standard input: is empty"]);
}

#[test]
fn strict_reports_what_did_not_converge() {
    let folder = Folder::new().with_points("tree -n 300");
    let run = folder.run("fit points.csv --max-iter 1 --strict").ends_with(4);
    assert!(run.out.contains("NOT converged (raise --max-iter) after 1 sweep\n"), "{}", run.out);
    assert_eq!(folder.json("points.midrib/model.json")["end"], "max_iter");
    folder.run("fit points.csv --max-iter 1 --force").ok();
    folder.run("fit points.csv --strict --force").ok();
}

#[test]
fn without_a_tolerance_all_sweeps_are_run() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let run = folder.run("fit cells.csv --max-iter 20 --tol 0").ok();
    let end = "  method     ppt, all 20 sweeps run, as --tol is 0\n";
    assert!(run.out.contains(end), "{}", run.out);
    assert_eq!(folder.run("info cells.midrib").ok().out, run.out);
}

#[test]
fn columns_without_names_are_numbered() {
    let table = wave(60).split_once('\n').unwrap().1.to_owned();
    let folder = Folder::new().with("cells.csv", &table);
    folder.run("fit cells.csv -q").ok();
    let model = folder.json("cells.midrib/model.json");
    assert_eq!(model["input"]["features"], serde_json::json!(["x0", "x1"]));
    assert_eq!(model["input"]["rows"], 60);
}

#[test]
fn uneven_columns_get_a_word_of_advice() {
    let table = with_column(&wave(60), "depth", |row| (1000 * (row % 13)).to_string());
    let folder = Folder::new().with("cells.csv", table);
    let advice = "--scale unit puts them on an equal footing";
    assert!(folder.run("fit cells.csv").ok().err.contains(advice));
    assert!(!folder.run("fit cells.csv --scale unit --force").ok().err.contains(advice));
}

#[test]
fn a_robust_scale_says_where_it_found_no_quartiles() {
    let table = with_column(&wave(60), "count", |row| (row % 10 / 9).to_string());
    let folder = Folder::new().with("cells.csv", table);
    let run = folder.run("fit cells.csv --scale robust").ok();
    assert!(run.err.contains("in place of the interquartile range: count\n"), "{}", run.err);
    let prepare = &folder.json("cells.midrib/model.json")["input"]["prepare"];
    assert_eq!(prepare["by_deviation"], serde_json::json!([0]));
    assert!(prepare["factor"][0].as_f64().unwrap() > 3.0);
}

#[test]
fn a_seed_gives_the_same_bytes_again() {
    let folder = Folder::new().with_points("tree -n 300");
    for out in ["a", "b"] {
        folder.run(&format!("fit points.csv -q --seed 7 --n-nodes 30 -o {out}")).ok();
    }
    assert_eq!(folder.learned("a"), folder.learned("b"));
    assert_eq!(folder.json("a/model.json")["seed"], 7);
}

#[test]
fn labels_come_from_a_table_of_their_own() {
    let table: String = (0..30).map(|i| format!("c{i},{i},{}\n", i % 3)).collect();
    let folder = Folder::new().with("cells.csv", format!("cell,x,y\n{table}"));
    let labels = |cells: &[usize]| {
        let rows: String = cells.iter().map(|i| format!("c{i},stage {}\n", i / 15)).collect();
        format!("cell,stage\n{rows}")
    };
    let backwards: Vec<usize> = (0..30).rev().collect();
    let folder = folder.with("labels.csv", labels(&backwards));
    folder.run("fit cells.csv --id cell --labels labels.csv -o r").ok();
    let of = |name: &str| {
        let points = folder.read(name);
        points.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().to_owned()).collect()
    };
    let stages: Vec<String> = of("r/points.csv");
    assert_eq!((stages[0].as_str(), stages[29].as_str()), ("stage 0", "stage 1"));
    folder.run("prune r -o p").ok();
    let pruned: Vec<String> = of("p/points.csv");
    assert_eq!(pruned, stages);
    // Without ids they are in the order of the rows.
    folder.run("fit cells.csv --labels labels.csv --label cell -o q").fails(3, &["cell"]);
    let folder = folder.with("stages.csv", "stage\n".to_owned() + &"a\n".repeat(30));
    folder.run("fit cells.csv --label cell --labels stages.csv -o q").ok();
    let folder = folder.with("codes.csv", labels(&backwards).replace("cell,", "code,"));
    folder
        .run("fit cells.csv --id cell --labels codes.csv -o z")
        .fails(3, &["its column code holds the ids", "call it cell to take the labels by id"]);
    let folder = folder.with("few.csv", labels(&[0, 1, 2]));
    folder
        .run("fit cells.csv --id cell --labels few.csv -o z")
        .fails(3, &["27 of the 30 points have no labels", "c3, c4, c5, c6, c7, …"]);
    folder
        .run("fit cells.csv --label cell --labels few.csv -o z")
        .fails(3, &["few.csv", "3 rows of labels for 30 points"]);
}
