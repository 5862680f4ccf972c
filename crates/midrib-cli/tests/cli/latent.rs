//! Methods that learn a tree in fewer dimensions, from outside.

use crate::folder::{Folder, with_column};

fn labeled() -> Folder {
    let folder = Folder::new().with_points("tree -n 300 -d 6 --noise 0.05");
    let table = with_column(&folder.read("points.csv"), "stage", |row| format!("s{}", row % 2));
    folder.with("cells.csv", with_column(&table, "cell", |row| format!("c{row}")))
}

#[test]
fn a_fit_writes_its_embedding_and_model() {
    let folder = labeled();
    for method in ["drtree", "ddrtree"] {
        let line = format!("fit cells.csv -q -m {method} --id cell --label stage -o {method}");
        folder.run(&line).ok();
        let embedding = folder.read(&format!("{method}/embedding.csv"));
        assert!(embedding.starts_with("id,z1,z2,stage\nc0,"), "{embedding}");
        assert_eq!(embedding.lines().count(), 301);
        let model = folder.json(&format!("{method}/model.json"));
        assert_eq!(model["basis"].as_array().unwrap().len(), 6);
        assert_eq!(model["embedding"].as_array().unwrap().len(), 300);
        assert_eq!(model["center"].as_array().unwrap().len(), 6);
        let nodes = model["nodes"].as_array().unwrap();
        assert_eq!(model["latent_nodes"].as_array().unwrap().len(), nodes.len());
        assert_eq!(nodes[0].as_array().unwrap().len(), 6);
        assert_eq!(model["n_iter"], model["trace"].as_array().unwrap().len());
        folder.run(&format!("info {method}")).ok();
    }
}

#[test]
fn new_points_get_latent_coordinates() {
    let folder = labeled();
    folder.run("fit cells.csv -q -m ddrtree --id cell --label stage -o out --scale unit").ok();
    let run = folder.run("project out cells.csv --id cell --label stage").ok();
    let header = "id,node,edge,edge_pos,distance,branch,component,stage,z1,z2\n";
    assert!(run.out.starts_with(header), "{}", run.out);
    let first = run.out.lines().nth(1).unwrap();
    assert!(first.split(',').skip(8).all(|z| z.parse::<f64>().unwrap().is_finite()), "{first}");
    folder.run("simplify out -o simple -q").ok();
    folder.run("project simple cells.csv --id cell").ok();
}

#[test]
fn points_of_a_similarity_graph_keep_their_positions() {
    let folder = labeled();
    folder.run("fit cells.csv -q -m spl --id cell --label stage -o out").ok();
    let learned = folder.read("out/embedding.csv");
    let run = folder.run("project out cells.csv --id cell --label stage").ok();
    for (learned, placed) in learned.lines().zip(run.out.lines()).skip(1) {
        let learned: Vec<&str> = learned.split(',').skip(1).take(2).collect();
        let placed: Vec<&str> = placed.split(',').skip(8).collect();
        assert_eq!(learned, placed);
    }
}

#[test]
fn components_are_checked() {
    let folder = labeled();
    let fit = "fit cells.csv -m ddrtree --id cell -q --n-components";
    folder.run(&format!("{fit} 7")).fails(2, &["--n-components 7: 300 points in 6 columns"]);
    folder
        .run(&format!("{fit} 0"))
        .fails(2, &["--n-components 0: 300 points in 6 columns have 1 to 6"]);
    folder.run(&format!("{fit} 0.9 -o share")).ok();
    let started = format!("{fit} 2 --init share --n-nodes all --force");
    folder.run(&started).fails(2, &["--n-nodes 300: the given start has"]);
    folder.run(&format!("{fit} 2 --links cells.csv")).fails(3, &[]);
}

#[test]
fn measure_reports_the_accuracy_of_tables_and_embeddings() {
    let table = "x,y,kind\n0,0,a\n0,1,a\n9,9,b\n9,8,b\n9,9.5,a\n";
    let folder = Folder::new().with("cells.csv", table);
    let run = folder.run("measure cells.csv --label kind").ok();
    assert!(run.out.starts_with("1-NN accuracy 0.6000: "), "{}", run.out);
    let json = folder.run("measure cells.csv --label kind --json").ok().json();
    assert_eq!((json["right"].as_u64(), json["classes"].as_u64()), (Some(3), Some(2)));

    let folder = labeled();
    folder.run("fit cells.csv -q -m ddrtree --label stage --id cell -o out").ok();
    let of_results = folder.run("measure out --label stage --json").ok();
    let of_file = folder.run("measure out/embedding.csv --label stage --json").ok();
    assert_eq!(of_results.out, of_file.out);
    assert_eq!(of_results.json()["columns"], serde_json::json!(["z1", "z2"]));
    // Ids that are numbers are not coordinates.
    let table = with_column(&folder.read("points.csv"), "stage", |row| format!("s{}", row % 2));
    let folder = folder.with("plain.csv", table);
    folder.run("fit plain.csv -q -m drtree --label stage -o plain").ok();
    let json = folder.run("measure plain --label stage --json").ok().json();
    assert_eq!(json["columns"], serde_json::json!(["z1", "z2"]));
}

#[test]
fn measure_takes_labels_from_a_file_and_coordinates_from_projections() {
    let folder = Folder::new()
        .with("plain.csv", "x,y\n0,0\n0,1\n9,9\n9,8\n")
        .with("kinds.csv", "kind\na\na\nb\nb\n")
        .with("more.csv", "kind,sort\na,1\na,2\nb,1\nb,2\n");
    for flags in ["--labels kinds.csv", "--labels more.csv --label kind"] {
        let run = folder.run(&format!("measure plain.csv {flags}")).ok();
        assert!(run.out.starts_with("1-NN accuracy 1.0000: "), "{}", run.out);
    }
    folder.run("measure plain.csv --labels more.csv").fails(2, &["--label COL"]);
    folder
        .run("measure plain.csv --labels more.csv --label type")
        .fails(3, &["more.csv: there are no labels type; there are kind, sort"]);

    let folder = labeled();
    let reading = "--id cell --label stage";
    folder.run(&format!("fit cells.csv -q -m ddrtree {reading} -o out")).ok();
    folder.run(&format!("project out cells.csv {reading} -o places.csv")).ok();
    let run = folder.run("measure places.csv --id id --label stage --json").ok();
    assert_eq!(run.json()["columns"], serde_json::json!(["z1", "z2"]));
    assert!(run.err.contains("measured by z1, z2 alone"), "{}", run.err);
    folder.run(&format!("fit cells.csv -q -m ppt {reading} -o lines")).ok();
    folder.run(&format!("project lines cells.csv {reading} -o places.csv --force")).ok();
    folder
        .run("measure places.csv --id id --label stage")
        .fails(3, &["places.csv: holds projections onto a graph and no coordinates"]);
}

#[test]
fn measure_explains_bad_input() {
    let folder = Folder::new()
        .with("cells.csv", "x,y,kind\n0,0,a\n0,1,a\n")
        .with("holes.csv", "x,kind\n0,a\n1,\n2,b\n")
        .with_points("tree -n 60");
    folder.run("measure cells.csv").fails(2, &["--label COL"]);
    folder.run("measure cells.csv --label sort").fails(3, &["sort"]);
    folder.run("measure cells.csv --label kind").fails(3, &["cells.csv: all 2 points", "\"a\""]);
    folder.run("measure holes.csv --label kind").fails(3, &["point 2 has no label in kind"]);
    folder.run("measure none.csv --label kind").fails(3, &["none.csv"]);
    folder.run("fit points.csv -q -o out").ok();
    folder.run("measure out --label kind").fails(3, &["out: holds no embedding.csv"]);
}
