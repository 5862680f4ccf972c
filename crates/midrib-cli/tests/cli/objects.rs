//! Objects that are not graphs: centers and principal axes.

use crate::place::Place;

const TASKS: [&str; 5] = [
    "root out --root 0",
    "prune out -o other",
    "simplify out -o other",
    "bootstrap out --replicas 2",
    "path out",
];

fn fitted(method: &str) -> Place {
    let place = Place::new().with_points("tree -n 200 -d 3");
    let run = place.run(&format!("fit points.csv -m {method} -o out")).ok();
    assert!(!run.err.contains("pseudotime"), "{}", run.err);
    place
}

#[test]
fn centers_are_learned_and_used() {
    let place = fitted("kmeans --n-clusters 7");
    let model = place.json("out/model.json");
    assert_eq!(
        (&model["object"], model["nodes"].as_array().unwrap().len()),
        (&"centers".into(), 7)
    );
    assert_eq!(place.read("out/edges.csv").lines().count(), 1);
    assert!(place.run("info out").ok().out.starts_with("7 centers\n"));
    let first = place.read("out/points.csv");
    assert_eq!(place.run("project out points.csv").ok().out, first);
    place.run("draw out -o out.svg").ok();
    place.run("report out -o again.html").ok();
    place.run("export out --format graphml -o out.graphml").ok();
    for task in TASKS {
        place.run(task).fails(3, &["needs a curve, tree or graph", "a set of centers", "ppt, rpg"]);
    }
}

#[test]
fn axes_are_learned_and_used() {
    let place = fitted("pca");
    let model = place.json("out/model.json");
    assert_eq!((&model["object"], &model["nodes"]), (&"flats".into(), &serde_json::json!([])));
    assert!(place.read("out/axes.csv").starts_with("flat,axis,variance,x0,x1,x2\n0,1,"));
    assert!(place.read("out/embedding.csv").starts_with("id,z1,z2\n"));
    assert!(!place.path("out/nodes.csv").exists());
    assert!(place.run("info out").ok().out.starts_with("2 principal axes\n"));
    let projected = place.run("project out points.csv").ok().out;
    assert!(projected.starts_with("id,node,edge,edge_pos,distance,branch,component,z1,z2\n"));
    place.run("draw out -o out.svg").ok();
    place.run("report out -o again.html").ok();
    let said = ["needs nodes", "a set of principal axes"];
    place.run("export out --format graphml -o out.graphml").fails(3, &said);
    place.run("draw out --view metro -o metro.svg").fails(3, &said);
    for task in TASKS {
        place.run(task).fails(3, &["needs a curve, tree or graph", "a set of principal axes"]);
    }
}

#[test]
fn missing_values_are_filled_in_from_axes() {
    let rows: String = (0..20).map(|i| format!("{i},{},{}\n", 2 * i, 3 * i)).collect();
    let place = Place::new().with("gaps.csv", format!("x,y,z\n{rows}5,,15\n"));
    place.run("fit gaps.csv --gaps --method pca --n-components 1 -o axes").ok();
    place.run("project axes gaps.csv --gaps --impute full.csv -o rows.csv").ok();
    let full = place.read("full.csv");
    let y: f64 = full.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((y - 10.0).abs() < 1e-3, "{y}");
    place.run("fit gaps.csv --gaps --method elastic-curve -o curve").ok();
    let run = place.run("project curve gaps.csv --gaps --impute again.csv -o rows2.csv");
    run.fails(3, &["from principal axes", "use pca or local-pca"]);
}
