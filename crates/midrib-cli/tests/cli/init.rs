//! `--init nodes.csv`.

use crate::folder::{Folder, wave, with_column};

const STILL: &str = "-q --max-iter 0 --length-penalty 1 --bandwidth 0.01";

fn nodes(folder: &Folder, out: &str) -> Vec<Vec<f64>> {
    serde_json::from_value(folder.json(&format!("{out}/model.json"))["nodes"].clone()).unwrap()
}

#[test]
fn its_rows_are_the_nodes() {
    // Columns are matched by name; others are ignored.
    let start = "note,y,x,size\na,0.5,0.25,9\nb,0.75,0.5,9\nc,1,0.75,9\n";
    let folder = Folder::new().with("cells.csv", wave(60)).with("start.csv", start);
    folder.run(&format!("fit cells.csv --init start.csv {STILL}")).ok();
    let found = nodes(&folder, "cells.midrib");
    for (found, given) in found.iter().zip([[0.25, 0.5], [0.5, 0.75], [0.75, 1.0]]) {
        assert!(found.iter().zip(given).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
    }
    assert_eq!(found.len(), 3);
    let words = ["--n-nodes 5: the given start has 3 nodes: leave --n-nodes out"];
    folder.run("fit cells.csv --force --init start.csv --n-nodes 5").fails(2, &words);
}

#[test]
fn nodes_are_prepared_like_the_points() {
    let table = with_column(&wave(60), "z", |row| (row * row % 11).to_string());
    let start: String = table.lines().take(9).map(|line| format!("{line}\n")).collect();
    let folder = Folder::new().with("cells.csv", table).with("start.csv", start);
    for (out, flags) in
        [("a", "--scale unit"), ("b", "--pca 2"), ("c", "--center --scale minmax --pca 0.9")]
    {
        folder.run(&format!("fit cells.csv --init start.csv -o {out} {STILL} {flags}")).ok();
        // The nodes are the first eight points, so these lie at distance 0.
        let points = folder.read(&format!("{out}/points.csv"));
        for line in points.lines().skip(1).take(8) {
            let distance: f64 = line.split(',').nth(4).unwrap().parse().unwrap();
            assert!(distance < 1e-12, "{flags}: {line}");
        }
        assert_eq!(nodes(&folder, out).len(), 8);
    }
}

#[test]
fn components_of_an_earlier_fit_are_taken_as_they_are() {
    let table = with_column(&wave(60), "z", |row| (row * row % 11).to_string());
    let folder = Folder::new().with("cells.csv", table);
    folder.run("fit cells.csv -q --pca 2 --n-nodes 7 --tips keep").ok();
    let rows = nodes(&folder, "cells.midrib");
    let rows: String = rows.iter().map(|row| format!("{},{}\n", row[0], row[1])).collect();
    let folder = folder.with("start.csv", format!("pc1,pc2\n{rows}"));
    folder.run(&format!("fit cells.csv --pca 2 --init start.csv -o b {STILL}")).ok();
    for (a, b) in nodes(&folder, "cells.midrib").iter().zip(nodes(&folder, "b")) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}

#[test]
fn nodes_of_an_earlier_fit_are_in_the_units_of_the_table() {
    let table = with_column(&wave(60), "z", |row| (100 * (row * row % 11)).to_string());
    let folder = Folder::new().with("cells.csv", table);
    for (flags, columns) in [
        ("--scale unit", "x,y"),
        ("--center --scale minmax", "x,y"),
        ("--pca 2", "x,y,pc1,pc2"),
        ("--scale robust --pca 0.9", "x,y,pc1,pc2"),
    ] {
        folder.run(&format!("fit cells.csv -q -o a --force --tips keep {flags}")).ok();
        let nodes_csv = folder.read("a/nodes.csv");
        assert!(nodes_csv.starts_with(&format!("node,mass,degree,z,{columns}\n")), "{nodes_csv}");
        let mean = |column: usize| {
            let values = nodes_csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap());
            values.map(|x| x.parse::<f64>().unwrap()).sum::<f64>()
                / nodes(&folder, "a").len() as f64
        };
        assert!(mean(3) > 100.0 && (0.2..0.8).contains(&mean(4)), "{nodes_csv}");
        assert!(folder.read("a/graph.graphml").contains("attr.name=\"z\""));
        folder.run(&format!("fit cells.csv --init a/nodes.csv -o b --force {STILL} {flags}")).ok();
        for (a, b) in nodes(&folder, "a").iter().zip(nodes(&folder, "b")) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{flags}");
        }
    }
}

#[test]
fn unusable_nodes_are_refused() {
    let folder = Folder::new().with("cells.csv", wave(60)).with("start.csv", "x,z\n1,2\n");
    folder
        .run("fit cells.csv --init start.csv")
        .fails(3, &["start.csv: 1 of the 2 columns that are needed are missing: y"]);
    folder.run("fit cells.csv --init none.csv").fails(3, &["none.csv: there is no such file"]);
}

/// Growth goes on from an earlier fit, whose edges are taken over.
#[test]
fn results_are_a_start_with_their_edges() {
    let folder = Folder::new().with("cells.csv", wave(80));
    let flags = "-q --method elastic-tree --tips keep --max-iter 1000 --tol 0";
    folder.run(&format!("fit cells.csv -o a --n-nodes 8 {flags}")).ok();
    folder.run(&format!("fit cells.csv -o b --init a --n-nodes 8 {flags}")).ok();
    assert_eq!(folder.read("a/edges.csv"), folder.read("b/edges.csv"));
    for (a, b) in nodes(&folder, "a").iter().zip(nodes(&folder, "b")) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9));
    }
    folder.run(&format!("fit cells.csv -o c --init a --n-nodes 12 {flags}")).ok();
    assert_eq!(nodes(&folder, "c").len(), 12);
    // Other methods take the nodes.
    folder.run(&format!("fit cells.csv --init a -o d {STILL}")).ok();
    assert_eq!(nodes(&folder, "d").len(), 8);
}

#[test]
fn nodes_are_pinned_and_edges_have_moduli() {
    let start = "x,y,pinned,bending\n0,0.9,1,\n0.5,0.5,0,0.5\n1,0.1,0,\n";
    let edges = "a,b,stretching\n0,1,\n1,2,0.25\n";
    let folder = Folder::new()
        .with("cells.csv", wave(80))
        .with("start.csv", start)
        .with("edges.csv", edges)
        .with("bad.csv", "a,b\n0,3\n")
        .with("text.csv", "x,y,pinned\n0,0.9,yes\n0.5,0.5,no\n");
    let flags = "--init start.csv --method elastic-curve --n-nodes 6";
    folder.run(&format!("fit cells.csv -q {flags} --init-edges edges.csv")).ok();
    let found = nodes(&folder, "cells.midrib");
    assert!(found.iter().any(|node| node[0].abs() < 1e-12 && (node[1] - 0.9).abs() < 1e-12));
    assert_eq!(found.len(), 6);
    folder
        .run(&format!("fit cells.csv --force {flags} --init-edges bad.csv"))
        .fails(3, &["bad.csv: row 1: 3 is not a node; give 0 to 2"]);
    folder
        .run("fit cells.csv --force --init text.csv --method elastic-curve")
        .fails(3, &["text.csv: column pinned holds text: give numbers"]);
    folder
        .run("fit cells.csv --force --init start.csv")
        .fails(3, &["takes only the positions of starting nodes"]);
    folder
        .run("fit cells.csv --force --init-edges edges.csv --method elastic-curve")
        .fails(2, &["--init"]);
}

#[test]
fn the_number_of_nodes_is_that_of_a_larger_start() {
    let folder = Folder::new().with("cells.csv", wave(300));
    folder.run("fit cells.csv --n-nodes 60 --tips keep -o start -q").ok();
    let run = folder.run("fit cells.csv --method elastic-tree --init start -o out").ok();
    let choice = "--n-nodes  60         as many as the given start has";
    assert!(run.err.contains(choice), "{}", run.err);
}
