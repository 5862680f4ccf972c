//! Embeddings: as methods, from distances, and before a fit.

use crate::folder::{Folder, wave};

const METHODS: [&str; 5] = ["kernel-pca", "mds", "isomap", "lle", "eigenmap"];

/// The columns of a table whose names begin like this, row by row.
fn columns(text: &str, start: &str) -> Vec<Vec<f64>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let chosen: Vec<usize> = (0..names.len()).filter(|&at| names[at].starts_with(start)).collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        chosen.iter().map(|&at| cells[at].parse().unwrap()).collect()
    };
    lines.map(row).collect()
}

#[test]
fn every_embedding_is_learned_and_places_new_points() {
    for method in METHODS {
        let folder = Folder::new().with_points("s -n 150 -d 3");
        folder.run(&format!("fit points.csv -q -m {method} -o out")).ok();
        let first = columns(&folder.read("out/embedding.csv"), "z");
        assert_eq!((first.len(), first[0].len()), (150, 2), "{method}");
        assert!(folder.run("info out").ok().out.contains("embedding"), "{method}");
        // The training points and others, read back from the model.
        let again = columns(&folder.run("project out points.csv").ok().out, "z");
        let largest = first.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (a, b) in first.iter().flatten().zip(again.iter().flatten()) {
            assert!((a - b).abs() <= 1e-9 * largest, "{method}: {a} {b}");
        }
        folder.run("synth s -n 40 -d 3 --seed 5 -o new.csv").ok();
        let new = columns(&folder.run("project out new.csv").ok().out, "z");
        assert_eq!(new.len(), 40, "{method}");
        assert!(new.iter().flatten().all(|z| z.abs() < 3.0 * largest), "{method}");
        folder.run("draw out -o out.svg").ok();
        folder.run("root out --root 0").fails(3, &["needs a curve, tree or graph"]);
    }
}

#[test]
fn a_graph_is_learned_in_an_embedding() {
    for method in METHODS {
        let folder = Folder::new().with_points("tree -n 200 -d 4");
        folder.run(&format!("fit points.csv -q --pca 3 --embed {method}:3 -o out")).ok();
        let name = method.replace('-', "_");
        let header = format!("node,mass,degree,{name}_1,{name}_2,{name}_3\n");
        let nodes = folder.read("out/nodes.csv");
        assert!(nodes.starts_with(&header), "{nodes}");
        let prepare = &folder.json("out/model.json")["input"]["prepare"];
        assert_eq!(prepare["embed"]["name"], method);
        let projected = folder.run("project out points.csv").ok().out;
        let first = columns(&folder.read("out/points.csv"), "edge_pos");
        for (a, b) in first.iter().flatten().zip(columns(&projected, "edge_pos").iter().flatten()) {
            assert!((a - b).abs() < 1e-6, "{method}: {a} {b}");
        }
        folder.run("report out -o again.html").ok();
    }
}

#[test]
fn unusable_embeddings_are_refused() {
    let folder = Folder::new().with("cells.csv", wave(60)).with("two.csv", "x,y\n0,0\n1,1\n");
    for (line, code, words) in [
        ("cells.csv --embed isomapp", 2, "unknown, did you mean \"isomap\"?"),
        ("cells.csv --embed umap", 2, "give one of kernel-pca, mds, isomap, lle, eigenmap"),
        ("cells.csv --embed lle:0", 2, "--embed lle:0: give a number of components, as in lle:10"),
        ("cells.csv --embed lle:70", 2, "must be below the number of points; there are 60 points"),
        ("cells.csv -m isomap --n-neighbors 60", 2, "there are 60 points"),
    ] {
        folder.run(&format!("fit {line}")).fails(code, &[words]);
    }
    let far = |i: usize| if i < 30 { 0 } else { 1000 };
    let rows: String = (0..50).map(|i| format!("{}\n", i + far(i))).collect();
    let folder = folder.with("pieces.csv", format!("x\n{rows}"));
    for method in ["isomap", "lle", "eigenmap"] {
        let fit = format!("fit pieces.csv -m {method} --n-components 1 --n-neighbors 3 -o out");
        let refused = folder.run(&format!("{fit} --pieces refuse"));
        refused.fails(3, &["in 2 pieces, of 30, 20 points", "--pieces largest"]);
        let note = folder.run(&fit).ok();
        assert!((note.out + &note.err).contains("the other 20 points"), "{method}");
        std::fs::remove_dir_all(folder.path("out")).unwrap();
    }
    let run = folder.run("fit pieces.csv --embed isomap:1 -o out").ok();
    let note = "in 2 pieces, of 30, 20 points: the largest is embedded, the other 20 points";
    assert!(run.err.contains(note) || run.out.contains(note), "{}{}", run.out, run.err);
    let kept = folder.json("out/model.json")["input"]["prepare"]["embed"]["notes"][0].clone();
    assert!(kept.as_str().unwrap().contains("the other 20 points"), "{kept}");
}

#[test]
fn distances_take_the_place_of_points() {
    let square: String = (0..20_i32)
        .map(|i| {
            let row: Vec<String> = (0..20_i32).map(|j| (i - j).abs().to_string()).collect();
            row.join(",") + "\n"
        })
        .collect();
    let folder = Folder::new().with("d.csv", &square);
    for method in METHODS {
        let fit = format!("fit --distances d.csv -q -m {method} --n-components 1 -o {method}");
        folder.run(&fit).ok();
        assert_eq!(folder.read(&format!("{method}/embedding.csv")).lines().count(), 21);
    }
    let z = columns(&folder.read("mds/embedding.csv"), "z");
    assert!(((z[19][0] - z[0][0]).abs() - 19.0).abs() < 1e-9);
    assert!(folder.run("info mds").ok().out.contains("embedding"));
    folder.run("report mds -o again.html").ok();
    let condensed: String =
        (0..20).flat_map(|i| (i + 1..20).map(move |j| format!("{}\n", j - i))).collect();
    let folder = folder.with("c.csv", condensed).with("bad.csv", square.replacen('1', "2", 1));
    folder.run("fit --distances c.csv -q -m mds --n-components 1 -o c").ok();
    assert_eq!(folder.read("c/embedding.csv"), folder.read("mds/embedding.csv"));
    folder
        .run("fit --distances bad.csv -m mds")
        .fails(3, &["bad.csv: distance matrix, row 2, column 1: 1 differs from 2"]);
    folder.run("fit --distances d.csv").fails(2, &["ppt needs points", "use kernel-pca, mds"]);
    folder.run("fit --distances d.csv -m mds --pca 2").fails(2, &["leave out what prepares"]);
    folder.run("fit -m mds").fails(2, &["<INPUT>"]);
}
