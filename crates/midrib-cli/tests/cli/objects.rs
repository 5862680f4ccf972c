//! Objects that are not graphs: centers and principal axes.

use crate::folder::Folder;

const TASKS: [&str; 5] = [
    "root out --root 0",
    "prune out -o other",
    "simplify out -o other",
    "bootstrap out --replicas 2",
    "path out",
];

fn fitted(method: &str) -> Folder {
    let folder = Folder::new().with_points("tree -n 200 -d 3");
    let run = folder.run(&format!("fit points.csv -m {method} -o out")).ok();
    assert!(!run.err.contains("pseudotime"), "{}", run.err);
    folder
}

#[test]
fn centers_are_learned_and_used() {
    let folder = fitted("kmeans --n-clusters 7");
    let model = folder.json("out/model.json");
    assert_eq!(
        (&model["object"], model["nodes"].as_array().unwrap().len()),
        (&"centers".into(), 7)
    );
    assert_eq!(folder.read("out/edges.csv").lines().count(), 1);
    assert!(folder.run("info out").ok().out.starts_with("7 centers\n"));
    let first = folder.read("out/points.csv");
    assert_eq!(folder.run("project out points.csv").ok().out, first);
    folder.run("draw out -o out.svg").ok();
    folder.run("report out -o again.html").ok();
    folder.run("export out --format graphml -o out.graphml").ok();
    for task in TASKS {
        folder
            .run(task)
            .fails(3, &["needs a curve, tree or graph", "a set of centers", "ppt, rpg"]);
    }
}

#[test]
fn axes_are_learned_and_used() {
    let folder = fitted("pca");
    let model = folder.json("out/model.json");
    assert_eq!((&model["object"], &model["nodes"]), (&"flats".into(), &serde_json::json!([])));
    assert!(folder.read("out/axes.csv").starts_with("flat,axis,variance,x0,x1,x2\n0,1,"));
    assert!(folder.read("out/embedding.csv").starts_with("id,z1,z2\n"));
    assert!(!folder.path("out/nodes.csv").exists());
    assert!(folder.run("info out").ok().out.starts_with("2 principal axes\n"));
    let projected = folder.run("project out points.csv").ok().out;
    assert!(projected.starts_with("id,node,edge,edge_pos,distance,branch,component,z1,z2\n"));
    folder.run("draw out -o out.svg").ok();
    folder.run("report out -o again.html").ok();
    let said = ["needs nodes", "a set of principal axes"];
    folder.run("export out --format graphml -o out.graphml").fails(3, &said);
    folder.run("draw out --view metro -o metro.svg").fails(3, &said);
    for task in TASKS {
        folder.run(task).fails(3, &["needs a curve, tree or graph", "a set of principal axes"]);
    }
}

#[test]
fn missing_values_are_filled_in_from_axes() {
    let rows: String = (0..20).map(|i| format!("{i},{},{}\n", 2 * i, 3 * i)).collect();
    let folder = Folder::new().with("gaps.csv", format!("x,y,z\n{rows}5,,15\n"));
    folder.run("fit gaps.csv --gaps --method pca --n-components 1 -o axes").ok();
    folder.run("project axes gaps.csv --gaps --impute full.csv -o rows.csv").ok();
    let full = folder.read("full.csv");
    let y: f64 = full.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((y - 10.0).abs() < 1e-3, "{y}");
    folder.run("fit gaps.csv --gaps --method elastic-curve -o curve").ok();
    let run = folder.run("project curve gaps.csv --gaps --impute again.csv -o rows2.csv");
    run.fails(3, &["from principal axes", "use pca or local-pca"]);
}
