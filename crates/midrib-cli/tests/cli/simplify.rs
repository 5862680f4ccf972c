//! The skeleton of a graph with short cycles.

use serde_json::json;

use crate::folder::{Folder, wave};

/// Points on a circle.
fn ring_points(n: usize) -> Vec<[f64; 2]> {
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    (0..n).map(|i| [angle(i).cos(), angle(i).sin()]).collect()
}

/// `raw`: 60 nodes on a circle, each joined to the next three; `ring.csv`: its points.
fn ring() -> Folder {
    let nodes = ring_points(60);
    let edges: Vec<_> = (0..60)
        .flat_map(|i| (1..4).map(move |step| (i, (i + step) % 60, 1.0 / step as f64)))
        .collect();
    let folder = Folder::new();
    std::fs::create_dir(folder.path("raw")).unwrap();
    let table: String = nodes.iter().map(|[x, y]| format!("{x},{y}\n")).collect();
    folder.with("ring.csv", format!("x,y\n{table}")).with("raw/model.json", model(&nodes, &edges))
}

fn model(nodes: &[[f64; 2]], edges: &[(usize, usize, f64)]) -> String {
    json!({
        "schema": 1, "midrib": "0.1.0", "method": "rpg", "settings": {"structure": "l1"},
        "input": {"file": "ring.csv", "rows": nodes.len(), "columns": 2, "features": ["x", "y"],
                  "prepare": {}},
        "nodes": nodes, "edges": edges, "mass": vec![1.0; nodes.len()], "objective": 0.5,
        "trace": [0.75, 0.5], "end": "converged", "n_iter": 1, "seed": 0,
    })
    .to_string()
}

#[test]
fn info_describes_the_skeleton_and_the_raw_graph() {
    let folder = ring();
    let text = folder.run("info raw").ok().out;
    let first = "0 tips, 0 branch points, 1 branch, 1 loop, 1 component\n";
    assert!(text.starts_with(first), "{text}");
    for row in [
        "\n  nodes      60, edges 60, length 6.280\n",
        "\n  loops      length 6.280\n",
        "\n  raw graph  180 edges, 121 independent cycles; `midrib simplify` writes the skeleton\n",
    ] {
        assert!(text.contains(row), "{text}");
    }
    let json = folder.run("info raw --json").ok().json();
    assert_eq!((&json["loops"], &json["raw"]["loops"]), (&1.into(), &121.into()));
    assert_eq!(json["loop_lengths"].as_array().unwrap().len(), 1);
}

#[test]
fn four_branches_meet_in_a_crossing() {
    // Two lines, each node joined to the next two.
    let along = |i: usize| i as f64 - 20.0;
    let mut nodes: Vec<[f64; 2]> = (0..41).map(|i| [along(i), 0.0]).collect();
    nodes.extend((0..41).map(|i| [0.05, along(i) + 0.02]));
    let steps = (0..40).flat_map(|i| [(i, i + 1), (i, (i + 2).min(40))]).filter(|(a, b)| a < b);
    let mut edges: Vec<_> = steps.flat_map(|(a, b)| [(a, b, 1.0), (41 + a, 41 + b, 1.0)]).collect();
    edges.sort_by_key(|edge| (edge.0, edge.1));
    edges.dedup();
    edges.extend([(20, 61, 1.0), (19, 61, 1.0), (20, 60, 1.0)]);
    let folder = Folder::new().with("cross.json", model(&nodes, &edges));
    let text = folder.run("info cross.json").ok().out;
    let first = "4 tips, 0 branch points, 1 crossing, 4 branches, 0 loops, 1 component\n";
    assert!(text.starts_with(first), "{text}");
    folder.run("simplify cross.json -o skeleton -q").ok();
    let text = folder.run("info skeleton").ok().out;
    assert!(text.starts_with(first), "{text}");
    for model in ["cross.json", "skeleton"] {
        let json = folder.run(&format!("info {model} --json")).ok().json();
        assert_eq!((&json["branch_points"], &json["crossings"]), (&0.into(), &1.into()));
    }
}

#[test]
fn the_skeleton_is_written_like_a_fit() {
    let folder = ring();
    let run = folder.run("simplify raw -o ring").ok();
    assert!(run.out.contains("1 loop, 1 component\n"), "{}", run.out);
    assert!(!run.out.contains("raw graph"), "{}", run.out);
    assert!(run.err.ends_with("written to ring\n"), "{}", run.err);
    for (file, lines) in [("nodes", 61), ("edges", 61), ("points", 61)] {
        assert_eq!(folder.read(&format!("ring/{file}.csv")).lines().count(), lines, "{file}");
    }
    assert!(folder.path("ring/graph.graphml").is_file());
    let model = folder.json("ring/model.json");
    assert_eq!(model["edits"][0]["edit"], "simplify");
    assert_eq!(model["edits"][0]["drop_below"], 1e-5);
    assert_eq!(model["settings"]["structure"], "l1");
    // It is its own skeleton, and new points find their positions on it.
    folder.run("simplify ring -o again -q").ok();
    assert_eq!(folder.read("again/edges.csv"), folder.read("ring/edges.csv"));
    let placed = folder.run("project ring ring.csv").ok().out;
    assert_eq!(placed, folder.read("ring/points.csv"));
    folder.run("simplify raw -o ring").fails(2, &["ring: exists already; pass --force"]);
    folder.run("simplify raw -o ring --force --min-loop 10").ok();
    let open = folder.run("info ring").ok().out;
    assert!(open.starts_with("2 tips, 0 branch points, 1 branch, 0 loops"), "{open}");
    folder.run("simplify raw -o merged --merge-chains -q").ok();
    assert_eq!(folder.read("merged/edges.csv").lines().count(), 4);
    let merged = folder.run("info merged").ok().out;
    assert!(merged.contains(" 1 loop,"), "{merged}");
}

#[test]
fn without_the_points_their_table_is_left_out() {
    let folder = ring();
    std::fs::rename(folder.path("ring.csv"), folder.path("moved.csv")).unwrap();
    let run = folder.run("simplify raw -o ring").ok();
    let words = "points.csv is left out (ring.csv: there is no such file";
    assert!(run.err.contains(words), "{}", run.err);
    assert!(run.err.contains("--points names the table"), "{}", run.err);
    assert!(!folder.path("ring/points.csv").exists() && folder.path("ring/nodes.csv").exists());
    folder.run("simplify raw -o ring --force --points moved.csv").ok();
    assert!(folder.path("ring/points.csv").exists());
    let run = folder.run("simplify raw -o other --points none.csv");
    run.fails(3, &["none.csv: there is no such file"]);
    assert!(!folder.path("other").exists());
}

#[test]
fn a_tree_stays_as_it_is() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q --pca 2").ok();
    folder.run("simplify cells.midrib -o same -q").ok();
    for file in ["nodes.csv", "edges.csv", "points.csv", "graph.graphml"] {
        let before = folder.read(&format!("cells.midrib/{file}"));
        assert_eq!(folder.read(&format!("same/{file}")), before, "{file}");
    }
    let text = folder.run("info cells.midrib").ok().out;
    assert!(!text.contains("raw graph") && !text.contains("loops  "), "{text}");
}

#[test]
fn bad_settings_are_named() {
    let folder = ring();
    for (flags, words) in [
        ("--min-loop -1", "--min-loop -1: must be at least 0"),
        ("--min-tip nan", "--min-tip NaN: must be at least 0"),
        ("--min-tip inf", "--min-tip inf: must be at least 0"),
        ("--drop-below 2", "--drop-below 2: must be between 0 and 1"),
        ("--drop-below -0.5", "--drop-below -0.5: must be between 0 and 1"),
        ("--min-loop long", "invalid value 'long'"),
    ] {
        folder.run(&format!("simplify raw -o out {flags}")).fails(2, &[words]);
    }
    folder.run("simplify raw").fails(2, &["--output <DIR>"]);
    folder.run("simplify none -o out").fails(3, &["none: there is no such file"]);
    folder.run("simplify ring.csv -o out").fails(3, &["ring.csv: is not a midrib model"]);
    assert!(!folder.path("out").exists());
}
