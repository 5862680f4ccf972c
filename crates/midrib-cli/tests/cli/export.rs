//! Learned graphs for other programs.

use crate::folder::{Folder, wave, with_column};

/// The rows of a CSV table without its header.
fn rows(text: &str) -> Vec<Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

/// A tree of 300 named points in `tree`, learned from `points.csv`.
fn tree() -> Folder {
    let folder = Folder::new().with_points("tree -n 300 --branch-points 1 --seed 3");
    let named = with_column(&folder.read("points.csv"), "cell", |row| format!("c{row}"));
    let folder = folder.with("cells.csv", named);
    folder.run("fit cells.csv -q --id cell -o tree").ok();
    folder
}

#[test]
fn dynverse_tables_fit_together() {
    let folder = tree();
    let nodes = folder.read("tree/nodes.csv");
    let tip = rows(&nodes).into_iter().find(|row| row[2] == "1").unwrap()[0];
    let said = folder.run(&format!("export tree --format dynverse -o dyn --root {tip}")).ok();
    assert_eq!(said.err, "written to dyn\n");
    let network = folder.read("dyn/milestone_network.csv");
    assert!(network.starts_with("from,to,length,directed\n"), "{network}");
    let links: Vec<(String, String)> =
        rows(&network).iter().map(|row| (row[0].into(), row[1].into())).collect();
    assert!(rows(&network).iter().all(|row| row[3] == "TRUE" && number(row[2]) > 0.0));

    let progressions = folder.read("dyn/progressions.csv");
    assert!(progressions.starts_with("cell_id,from,to,percentage\n"));
    let percentages = folder.read("dyn/milestone_percentages.csv");
    assert!(percentages.starts_with("cell_id,milestone_id,percentage\n"));
    let (cells, shares) = (rows(&progressions), rows(&percentages));
    assert_eq!((cells.len(), shares.len()), (300, 600));
    for (i, cell) in cells.iter().enumerate() {
        assert_eq!(cell[0], format!("c{i}"));
        assert!(links.contains(&(cell[1].into(), cell[2].into())), "{cell:?}");
        let [from, to] = [&shares[2 * i], &shares[2 * i + 1]];
        assert_eq!([from[0], from[1], to[0], to[1]], [cell[0], cell[1], cell[0], cell[2]]);
        assert!((number(from[2]) + number(to[2]) - 1.0).abs() < 1e-12);
        assert_eq!(to[2], cell[3]);
    }
    assert_eq!(folder.read("dyn/divergence_regions.csv"), "divergence_id,milestone_id,is_start\n");

    // The tables describe the graph that they were made of.
    let found = folder.run("measure tree dyn --json").ok().json();
    for measure in ["him", "f1_branches", "correlation"] {
        assert!(found[measure].as_f64().unwrap() > 1.0 - 1e-9, "{measure}: {found}");
    }
    assert_eq!(found["same_topology"], true);
    folder.run("export tree --format dynverse -o dyn").fails(2, &["exists already; pass --force"]);
    folder.run("export tree --format dynverse -o dyn --force -q").ok();
    assert!(rows(&folder.read("dyn/milestone_network.csv")).iter().all(|row| row[3] == "FALSE"));
}

#[test]
fn a_ring_has_three_milestones_and_no_newick() {
    let folder = Folder::new().with_points("circle -n 200");
    folder.run("fit points.csv -q --method elastic-ring -o ring").ok();
    folder.run("export ring --format dynverse -o dyn -q").ok();
    let network = folder.read("dyn/milestone_network.csv");
    assert_eq!(rows(&network).len(), 3, "{network}");
    folder
        .run("export ring --format newick -o - --root 0")
        .fails(3, &["the graph has 1 loop: Newick holds trees only"]);
}

#[test]
fn tradeseq_weights_have_no_gaps() {
    let folder = tree();
    let nodes = folder.read("tree/nodes.csv");
    let tips: Vec<&str> =
        rows(&nodes).iter().filter(|row| row[2] == "1").map(|row| row[0]).collect();
    folder.run(&format!("export tree --format tradeseq -o ts --root {}", tips[0])).ok();
    let (times, weights) = (folder.read("ts/pseudotime.csv"), folder.read("ts/cell_weights.csv"));
    assert_eq!(times.lines().next(), weights.lines().next());
    let header: Vec<String> = tips[1..].iter().map(|tip| format!("M{tip}")).collect();
    assert_eq!(times.lines().next().unwrap(), format!("cell_id,{}", header.join(",")));
    assert_eq!(rows(&times).len(), 300);
    for (time, weight) in rows(&times).iter().zip(rows(&weights)) {
        assert_eq!(time[0], weight[0]);
        assert!(time[1..].iter().all(|time| number(time) >= 0.0), "{time:?}");
        let weights: Vec<f64> = weight[1..].iter().map(|weight| number(weight)).collect();
        assert!(weights.iter().all(|weight| [0.0, 1.0].contains(weight)), "{weight:?}");
        assert!(weights.iter().sum::<f64>() >= 1.0, "{weight:?}");
    }
    folder
        .run("export tree --format tradeseq -o other")
        .fails(2, &["--format tradeseq needs a root: pass --root, or choose one", "the tips are"]);
    folder
        .run("export tree --format tradeseq -o other --root 100000")
        .fails(2, &["--root 100000: there is no such node"]);
}

#[test]
fn layouts_place_every_node_and_point() {
    let folder = tree();
    folder.run("export tree --format layout -o drawn").ok();
    let (nodes, points) =
        (folder.read("drawn/layout_nodes.csv"), folder.read("drawn/layout_points.csv"));
    assert!(nodes.starts_with("node,metro_x,metro_y\n0,"), "{nodes}");
    assert!(points.starts_with("id,metro_x,metro_y\nc0,"), "{points}");
    let (nodes, edges) = (rows(&nodes), folder.read("tree/edges.csv"));
    // Lengths on the map are those of the graph.
    for edge in rows(&edges) {
        let at = |end: usize| &nodes[edge[end].parse::<usize>().unwrap()];
        let gap = |axis: usize| number(at(1)[axis]) - number(at(2)[axis]);
        assert!((gap(1).hypot(gap(2)) / number(edge[4]) - 1.0).abs() < 1e-9, "{edge:?}");
    }
    assert_eq!(rows(&points).len(), 300);
    folder.run("export tree --format layout -o drawn --force -q --root 0").ok();
    let rooted = folder.read("drawn/layout_points.csv");
    assert!(rooted.starts_with("id,metro_x,metro_y,dendrogram_x,dendrogram_y\n"), "{rooted}");
}

/// Results with two trees, of nodes 0-1 and 2-3, a node 4 that stands alone, and five points.
fn forest() -> Folder {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("forest")).unwrap();
    let model = r#"{"schema":1,"midrib":"0.1.0","method":"ppt","settings":{},
        "input":{"file":"x.csv","rows":5,"columns":1,"features":["x"],"prepare":{}},
        "nodes":[[0],[2],[10],[14],[30]],"edges":[[0,1,1],[2,3,1]],"mass":[1,1,1,1,1],
        "objective":null,"trace":[],"end":"converged","n_iter":0,"seed":0}"#;
    let points = "id,node,edge,edge_pos,distance,branch,component\n\
                  a,0,0,0.25,0,0,0\nb,2,1,0,0,1,1\nc,1,0,1,0,0,0\nd,3,1,0.75,0,1,1\ne,4,,0,0,2,2\n";
    folder.with("forest/model.json", model).with("forest/points.csv", points)
}

#[test]
fn what_no_root_reaches_is_left_out_and_counted() {
    let folder = forest();
    let run = folder.run("export forest --format tradeseq -o one --root 1").ok();
    assert!(run.err.starts_with("left out: 3 points that no root reaches; --root"), "{}", run.err);
    assert_eq!(folder.read("one/pseudotime.csv"), "cell_id,M0\na,1.5\nc,0\n");
    assert_eq!(folder.read("one/cell_weights.csv"), "cell_id,M0\na,1\nc,1\n");
    // The root that `midrib root` chose is the default.
    folder.run("root forest --root 1 -q").ok();
    folder.run("export forest --format tradeseq -o default -q").ok();
    assert_eq!(folder.read("default/pseudotime.csv"), folder.read("one/pseudotime.csv"));
    let line = "export forest --format tradeseq -o two --root 0 --root 3 --root 4";
    assert_eq!(folder.run(line).ok().err, "written to two\n");
    let times = "cell_id,M1,M2,M4\na,0.5,0,0\nb,0,4,0\nc,2,0,0\nd,0,1,0\ne,0,0,0\n";
    assert_eq!(folder.read("two/pseudotime.csv"), times);
    let run = folder.run("export forest --format newick -o - --root 2").ok();
    assert_eq!(run.out, "(M3:4)M2;\n");
    assert!(run.err.starts_with("left out: 2 trees without a root"), "{}", run.err);

    folder.run("export forest --format dynverse -o dyn --root 3 -q").ok();
    let network = "from,to,length,directed\nM0,M1,2,FALSE\nM3,M2,4,TRUE\nM4,M4,0,FALSE\n";
    assert_eq!(folder.read("dyn/milestone_network.csv"), network);
    let progressions = folder.read("dyn/progressions.csv");
    assert!(progressions.ends_with("d,M3,M2,0.25\ne,M4,M4,1\n"), "{progressions}");
    assert!(folder.read("dyn/milestone_percentages.csv").ends_with("d,M2,0.25\ne,M4,1\n"));
}

#[test]
fn texts_go_to_files_or_stdout() {
    let folder = Folder::new().with("cells.csv", wave(80));
    folder.run("fit cells.csv -q -o wave").ok();
    let tree = folder.run("export wave --format newick -o - --root 0").ok();
    assert!(tree.out.starts_with('(') && tree.out.ends_with("M0;\n"), "{}", tree.out);
    folder.run("export wave --format newick -o -").fails(2, &["needs a root"]);
    folder
        .run("export wave --format gexf -o - --root 0")
        .fails(2, &["gexf has no field for a root"]);
    assert_eq!(
        folder.run("export wave --format graphml -o -").ok().out,
        folder.read("wave/graph.graphml")
    );
    for (format, start) in [("gexf", "<?xml"), ("json", "{\n  \"directed\": false")] {
        let line = format!("export wave --format {format} -o graph.{format}");
        folder.run(&line).ok();
        assert!(folder.read(&format!("graph.{format}")).starts_with(start));
        folder.run(&line).fails(2, &["exists already; pass --force to replace it"]);
        folder.run(&format!("{line} --force")).ok();
    }
    std::fs::remove_file(folder.path("wave/points.csv")).unwrap();
    folder
        .run("export wave --format dynverse -o dyn")
        .fails(3, &["points.csv: there is no such file: the results hold no projected points"]);
    assert!(!folder.path("dyn").exists());
}
