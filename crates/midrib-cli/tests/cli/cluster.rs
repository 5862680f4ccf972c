//! `midrib cluster`: groups by the spectrum of a graph of the points.

use crate::folder::{Folder, wave};

/// Three discs of points with their names: 20 each, in turn.
fn discs() -> String {
    let row = |i: usize| {
        let (angle, radius) = ((i / 3) as f64 * 2.4, ((i / 3) as f64 / 20.0).sqrt());
        let center = (i % 3) as f64 * 10.0 + 5.0;
        let kind = ["a", "b", "c"][i % 3];
        format!("{},{},{kind}\n", center + radius * angle.cos(), 3.0 + radius * angle.sin())
    };
    format!("x,y,kind\n{}", (0..60).map(row).collect::<String>())
}

#[test]
fn every_graph_finds_the_groups_and_everything_is_written() {
    let folder = Folder::new().with("discs.csv", discs());
    for (graph, files) in [("knn", 2), ("knn-l1", 3), ("fused-lasso", 3)] {
        let line = format!("cluster discs.csv --graph {graph} --k1 6 -c 3 --label kind --force");
        let run = folder.run(&line).ok();
        assert!(run.out.starts_with(&format!("3 clusters of 60 points in a {graph} graph\n")));
        assert!(run.out.contains("kind         NMI 1.0000 (arithmetic 1.0000)"), "{}", run.out);
        assert!(run.out.contains("eigenvalues  1.0000 1.0000 1.0000 | "), "{}", run.out);
        assert!(run.err.contains("written to discs.clusters in"), "{}", run.err);
        let labels = folder.read("discs.clusters/labels.csv");
        let header = labels.lines().next().unwrap();
        assert_eq!(header.split(',').count(), files + 1, "{header}");
        assert!(labels.contains("\n1,1,"), "{labels}");
        let summary = folder.json("discs.clusters/clusters.json");
        assert_eq!(summary["sizes"].as_array().unwrap(), &[20, 20, 20]);
        assert_eq!(summary["agreement"]["kind"]["ari"], 1.0);
        let edges = folder.read("discs.clusters/edges.csv");
        assert_eq!(edges.lines().count() as u64, summary["edges"].as_u64().unwrap() + 1);
        let eigenvalues = folder.read("discs.clusters/eigenvalues.csv");
        assert!(eigenvalues.starts_with("number,eigenvalue\n1,"), "{eigenvalues}");
        assert_eq!(eigenvalues.lines().count(), 5);
        assert!(folder.read("discs.clusters/graph.graphml").contains("attr.name=\"cluster\""));
    }
    // Where every point of a disc is joined to all others, the gap is wide.
    let run = folder.run("cluster discs.csv --graph knn --k1 19 -o gap").ok();
    assert!(run.out.starts_with("3 clusters of 60 points in a knn graph\n"), "{}", run.out);
    assert_eq!(folder.read("gap/eigenvalues.csv").lines().count(), 22);
    let json = folder.run("cluster discs.csv --clusters 4 --k1 6 --json -q -o four").ok().json();
    assert_eq!(json["clusters"], 4);
    assert_eq!(json["eigenvalues"].as_array().unwrap().len(), 5);
    assert_eq!(json, folder.json("four/clusters.json"));
}

#[test]
fn threads_change_nothing_and_results_are_not_overwritten() {
    let folder = Folder::new().with("discs.csv", discs());
    folder.run("cluster discs.csv -q -j 1 -o a").ok();
    folder.run("cluster discs.csv -q -j 3 -o b").ok();
    for file in ["labels.csv", "edges.csv", "eigenvalues.csv", "clusters.json"] {
        assert_eq!(folder.read(&format!("a/{file}")), folder.read(&format!("b/{file}")), "{file}");
    }
    folder.run("cluster discs.csv -o a").fails(2, &["a: exists already; pass --force"]);
}

#[test]
fn a_matrix_is_a_kernel() {
    let folder = Folder::new().with("discs.csv", discs());
    let values: Vec<[f64; 2]> = discs()
        .lines()
        .skip(1)
        .map(|line| {
            let mut fields = line.split(',').map(|field| field.parse().unwrap_or_default());
            [fields.next().unwrap(), fields.next().unwrap()]
        })
        .collect();
    let row = |a: &[f64; 2]| {
        let entry = |b: &[f64; 2]| {
            (-((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)) / 2.0).exp().to_string()
        };
        values.iter().map(entry).collect::<Vec<_>>().join(",") + "\n"
    };
    let matrix: String = values.iter().map(row).collect();
    let folder = folder.with("k.csv", matrix);
    folder.run("cluster discs.csv --kernel gaussian:2 --k1 6 -c 3 -q -o a").ok();
    folder.run("cluster discs.csv --kernel-matrix k.csv --k1 6 -c 3 -q -o b").ok();
    assert_eq!(folder.json("a/clusters.json")["sizes"], folder.json("b/clusters.json")["sizes"]);
    let labels = |name: &str| -> Vec<String> {
        let fields = |line: &str| line.split(',').take(2).collect::<Vec<_>>().join(",");
        folder.read(name).lines().map(fields).collect()
    };
    assert_eq!(labels("a/labels.csv"), labels("b/labels.csv"));
}

#[test]
fn what_cannot_be_is_named() {
    let folder = Folder::new()
        .with("discs.csv", discs())
        .with("two.csv", "x,y\n1,2\n3,5\n")
        .with("zero.csv", "x,y\n1,2\n0,0\n3,4\n2,2\n")
        .with("wide.csv", "1,0.5,0.2\n0.5,1,0.1\n")
        .with("skew.csv", "1,0.5\n0.4,1\n")
        .with("gap.csv", "1,nan\nnan,1\n")
        .with("small.csv", "1,0.5\n0.5,1\n");
    for (line, code, words) in [
        ("discs.csv --k1 60", 2, "--k1 60: must be at least 1 and below the number of points, 60"),
        ("discs.csv --k1 0", 2, "--k1 0: must be at least 1"),
        ("discs.csv --k1 4 --k2 5", 2, "--k2 5: must be at most k1, 4"),
        ("discs.csv --fusion-weight -1", 2, "--fusion-weight -1: must be 0 or positive"),
        ("two.csv --kernel-matrix wide.csv", 3, "wide.csv: kernel matrix: expected as many"),
        ("two.csv --kernel-matrix skew.csv", 3, "skew.csv: kernel matrix: not symmetric"),
        ("two.csv --kernel-matrix gap.csv", 3, "gap.csv: kernel matrix: row 1, column 2 is NaN"),
        ("discs.csv --kernel-matrix small.csv", 3, "is a kernel matrix of 2 points"),
        ("discs.csv --kernel gaussian:0", 2, "beta must be a positive number"),
        ("discs.csv --clusters 61", 2, "--clusters 61: must be at most the number of points, 60"),
        ("discs.csv --clusters 0", 2, "--clusters 0: must be at least 1"),
        ("zero.csv --kernel linear --k1 2", 3, "zero.csv: point 1 is 0 in every column"),
        ("discs.csv --graph knnl1", 2, "--graph knnl1: unknown; did you mean \"knn-l1\"?"),
        ("discs.csv --graph knn --k2 3", 2, "--k2 3: has no meaning for --graph knn"),
        (
            "discs.csv --graph l1 --kernel linear",
            2,
            "--kernel linear: has no meaning for --graph l1",
        ),
    ] {
        folder.run(&format!("cluster {line} -o out")).fails(code, &[words]);
    }
    assert!(!folder.path("out").exists());
    // More components than clusters: a result, and a word of warning.
    let run = folder.run("cluster discs.csv --clusters 2 --k1 5 -o two").ok();
    let words = "note: the graph has 3 components, more than the 2 clusters";
    assert!(run.out.contains(words), "{}", run.out);
    assert!(folder.read("two/clusters.json").contains("more than the 2 clusters"));
}

#[test]
fn methods_list_the_graphs() {
    let folder = Folder::new();
    let list = folder.run("methods").ok().out;
    for name in ["fused-lasso", "knn-l1", "l1", "knn"] {
        assert!(list.contains(&format!("\n{name} ")), "{list}");
        assert!(folder.run(&format!("methods {name}")).ok().out.contains("midrib cluster"));
    }
}

#[test]
fn a_graph_limits_which_points_spl_and_l1_may_join() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("cluster cells.csv --graph knn --k1 4 -q -o graph").ok();
    let pairs = |name: &str| -> Vec<(u64, u64)> {
        let ends = |line: &str| {
            let mut fields = line.split(',').skip(1).map(|field| field.parse().unwrap());
            (fields.next().unwrap(), fields.next().unwrap())
        };
        folder.read(name).lines().skip(1).map(ends).collect()
    };
    let allowed = pairs("graph/edges.csv");
    for method in ["spl", "rpg --structure l1 --n-nodes all"] {
        let line = format!("fit cells.csv --method {method} --pairs graph/edges.csv");
        folder.run(&format!("{line} -q -o {}", &method[..3])).ok();
        let edges = pairs(&format!("{}/edges.csv", &method[..3]));
        assert!(!edges.is_empty() && edges.iter().all(|edge| allowed.contains(edge)), "{method}");
        folder.run(&format!("{line} --n-neighbors 3")).fails(2, &["the pairs of points are given"]);
    }
    folder
        .run("fit cells.csv --method rpg --structure l1 --n-nodes 9 --pairs graph/edges.csv")
        .fails(2, &["--n-nodes 9: pairs of points need one node per point"]);
    for method in ["ppt", "rpg", "drtree", "ddrtree", "elastic-curve"] {
        folder
            .run(&format!("fit cells.csv --method {method} --pairs graph/edges.csv"))
            .fails(3, &["takes no pairs of points"]);
    }
    let folder = folder.with("bad.csv", "a,b\n1,60\n");
    folder
        .run("fit cells.csv --method spl --pairs bad.csv")
        .fails(3, &["bad.csv: row 1: 60 is not a point; give row numbers from 0 to 59"]);
}

#[test]
fn what_clusters_do_not_go_by_is_refused() {
    let folder = Folder::new().with("cells.csv", crate::folder::wave(40));
    folder.run("cluster cells.csv --weights x").fails(2, &["--weights", "--label"]);
    let rows: Vec<String> = (0..40).map(|_| ["1"; 40].join(",")).collect();
    let folder = folder.with("k.csv", rows.join("\n"));
    folder
        .run("cluster cells.csv --kernel-matrix k.csv --center")
        .fails(2, &["--center", "similarities"]);
}
