//! Elastic maps from outside.

use std::fmt::Write;

use crate::folder::Folder;

/// A bent sheet of 200 points, every 17th value of which is missing where wanted.
fn sheet(gaps: bool) -> String {
    let mut table = "x,y,z,side\n".to_owned();
    for i in 0..200_i32 {
        let (u, v) = (f64::from(i % 20) / 10.0 - 1.0, f64::from(i / 20) / 5.0 - 1.0);
        let values = [u, v, u * u - v * v];
        for (d, value) in values.iter().enumerate() {
            let is_gap = gaps && (3 * i as usize + d).is_multiple_of(17);
            let _ = if is_gap { write!(table, ",") } else { write!(table, "{value},") };
        }
        let _ = writeln!(table, "{}", if u < 0.0 { "left" } else { "right" });
    }
    table
}

#[test]
fn a_map_is_written_shown_and_projected_on() {
    let folder = Folder::new().with("sheet.csv", sheet(false));
    let run = folder.run("fit sheet.csv -m elastic-map --sides 6x5 --label side -o out").ok();
    assert!(run.out.starts_with("rectangle of 6 x 5 nodes\n"), "{}", run.out);
    assert!(run.out.contains("unexplained variance: "), "{}", run.out);
    assert!(run.out.contains("% by 2 principal components"), "{}", run.out);
    assert!(run.out.contains("elastic    BARCODE  "), "{}", run.out);
    let embedding = folder.read("out/embedding.csv");
    assert!(embedding.starts_with("id,z1,z2,side\n0,"), "{embedding}");
    assert_eq!(embedding.lines().count(), 201);
    let nodes = folder.read("out/nodes.csv");
    assert!(nodes.starts_with("node,mass,degree,x,y,z,z1,z2,density,u_matrix\n0,"), "{nodes}");
    let info = folder.run("info out").ok();
    assert_eq!(info.out, run.out);
    let json = folder.run("info out --json").ok();
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["net"]["sides"], serde_json::json!([6, 5]));
    assert_eq!(json["complexity"]["nnodes"], 30);
    // The points that it was learned from find the same places again.
    let again = folder.run("project out sheet.csv --label side").ok();
    let header = "id,node,edge,edge_pos,distance,branch,component,side,z1,z2\n";
    assert!(again.out.starts_with(header), "{}", again.out);
    for (line, learned) in again.out.lines().zip(embedding.lines()).skip(1) {
        let of = |line: &str, from: usize| line.split(',').skip(from).take(2).collect::<String>();
        assert_eq!(of(line, 8), of(learned, 1));
    }
}

#[test]
fn sides_that_are_chosen_are_known_again() {
    let folder = Folder::new().with("sheet.csv", sheet(false));
    let run = folder.run("fit sheet.csv -m elastic-map --net triangular --label side").ok();
    assert!(run.err.contains("--sides"), "{}", run.err);
    assert!(run.out.starts_with("triangular sheet of "), "{}", run.out);
    folder.run("project sheet.midrib sheet.csv --label side").ok();
}

#[test]
fn what_is_for_lines_is_refused_of_sheets() {
    let folder = Folder::new().with("sheet.csv", sheet(false));
    folder.run("fit sheet.csv -m elastic-map --label side -o out").ok();
    let said = "needs a curve, tree or graph, but elastic-map learned a surface";
    for task in ["simplify", "prune", "bootstrap"] {
        let named = format!("midrib {task} needs");
        folder.run(&format!("{task} out -o other")).fails(3, &[&named, said, "elastic-graph"]);
    }
    for task in ["root out", "export out --format h5ad -o out.h5ad", "draw out -o out.svg"] {
        folder.run(&format!("{task} --root 0")).fails(3, &["--root needs", said]);
    }
    for how in ["--view dendrogram", "--color pseudotime", "--color branch"] {
        folder.run(&format!("draw out {how} -o a.svg")).fails(3, &[said]);
    }
    let without_side = |line: &str| line.rsplit_once(',').map_or("", |cut| cut.0).to_owned() + "\n";
    let folder =
        folder.with("plain.csv", sheet(false).lines().map(without_side).collect::<String>());
    folder.run("fit plain.csv -m elastic-map -o plain").ok();
    folder.run("draw plain -o plain.svg").ok();
    assert!(!folder.read("plain.svg").contains("branch"));
    folder.run("fit sheet.csv -m cubic --label side --root 0").fails(2, &["--root needs a curve"]);
    let run = folder.run("fit sheet.csv -m cubic --label side -o product").ok();
    assert!(run.out.starts_with("product of a "), "{}", run.out);
    assert!(!run.out.contains("midrib simplify"), "{}", run.out);
    let report = folder.read("out/report.html");
    assert!(report.contains(" a rectangle of ") && !report.contains(" branch points, "));
    folder.run("fit sheet.csv -m elastic-map --net chain --label side --root x:max").ok();
}

#[test]
fn missing_values_are_data() {
    let folder = Folder::new().with("sheet.csv", sheet(true));
    let run = folder.run("fit sheet.csv -m elastic-map --sides 6x5 --label side --gaps").ok();
    assert!(run.err.contains("36 missing values in 36 rows"), "{}", run.err);
    assert!(run.out.contains("unexplained variance: "), "{}", run.out);
    let run = folder.run("project sheet.midrib sheet.csv --label side --gaps").ok();
    assert_eq!(run.out.lines().count(), 201);
    let empty = folder.with("empty.csv", "x,y,z\n1,2,3\n,,\n4,5,6\n2,2,2\n");
    empty
        .run("fit empty.csv -m elastic-map --gaps")
        .fails(3, &["empty.csv: row 2 (id 1): every value is missing", "leave that row out"]);
}

#[test]
fn elastic_graphs_learn_from_points_with_gaps_and_leave_out_empty_ones() {
    let mut table = sheet(true);
    let columns = table.lines().next().unwrap().split(',').count();
    table += &(",".repeat(columns - 1) + "\n");
    let folder = Folder::new().with("sheet.csv", table);
    for method in ["elastic-curve", "elastic-ring", "elastic-tree", "elastic-graph", "elastic-map"]
    {
        let fit = format!("fit sheet.csv -m {method} --label side --gaps --force");
        folder.run(&fit).fails(3, &["row 201 (id 200): every value is missing"]);
        let run = folder.run(&format!("{fit} --empty-points ignore")).ok();
        let said = "1 point without any value left out: 200";
        assert!(run.err.contains(said), "{}", run.err);
        assert_eq!(folder.read("sheet.midrib/points.csv").lines().count(), 201, "{method}");
        // The table is read again in the same way.
        folder.run("report sheet.midrib").ok();
        folder.run("draw sheet.midrib --axes x,y -o sheet.svg --force").ok();
    }
    folder.run("fit sheet.csv -m elastic-tree --empty-points ignore --force").fails(2, &["--gaps"]);
}

#[test]
fn sides_that_make_no_net_are_usage_errors() {
    let folder = Folder::new().with("sheet.csv", sheet(false));
    let fit = "fit sheet.csv -m elastic-map --label side";
    for (flags, words) in [
        ("--sides 1x8", "--sides 1x8: side 1 is open and needs at least 2 nodes"),
        ("--sides 4xtwo", "4xtwo is not \"auto\" or whole numbers"),
        ("--epochs soft", "soft is not numbers such as 1000,100,10,1"),
        ("--stretching 0", "--stretching 0: must be positive"),
    ] {
        folder.run(&format!("{fit} {flags}")).fails(2, &[words]);
    }
}

#[test]
fn maps_are_drawn_with_their_points_inside_the_cells() {
    let folder = Folder::new().with("sheet.csv", sheet(false));
    for (method, flags, cells) in [
        ("elastic-map", "--sides 6x5", 30),
        ("som", "--net hexagonal --sides 6x5", 30),
        ("som", "--net sphere --sides 3x5", 17),
        ("som", "--training online --sides 4x4 --max-iter 5", 16),
        ("gtm", "--sides 8x7", 56),
    ] {
        folder.run(&format!("fit sheet.csv -m {method} {flags} --label side -o out --force")).ok();
        for background in ["density", "umatrix", "none"] {
            let draw = format!("draw out --view map --background {background} -o map.svg --force");
            folder.run(&draw).ok();
            let svg = folder.read("map.svg");
            assert_eq!(svg.matches("Z\" fill=").count(), cells, "{method} {flags}");
            // 200 points and two entries of the legend.
            assert_eq!(svg.matches("<circle").count(), 202, "{method} {flags}");
        }
        folder.run("draw out --projections -o graph.svg --force").ok();
        assert!(folder.read("out/report.html").contains("\"map\""));
        let projected = folder.run("project out sheet.csv --label side").ok().out;
        assert_eq!(projected.lines().count(), 201);
    }
    folder.run("fit sheet.csv -m som --net ring --label side -o out --force").ok();
    folder.run("draw out --view map -o ring.svg").ok();
    assert!(folder.read("ring.svg").contains("the map continues across the ends of z1"));
    folder.run("fit sheet.csv -m kmeans --label side -o out --force").ok();
    folder
        .run("draw out --view map -o a.svg")
        .fails(2, &["--view map needs a net with cells", "gtm"]);
    let said = "--background: has no meaning for --view graph";
    folder.run("draw out --background none -o a.svg").fails(2, &[said]);
    folder.run("draw out --projections -o centers.svg").ok();
}

#[test]
fn a_self_organizing_map_reports_its_errors_and_takes_missing_values() {
    let folder = Folder::new().with("sheet.csv", sheet(true));
    let run = folder.run("fit sheet.csv -m som --sides 6x5 --label side --gaps -o out").ok();
    assert!(run.out.contains("topographic error: "), "{}", run.out);
    assert_eq!(folder.run("info out").ok().out, run.out);
    folder.run("fit sheet.csv -m gtm --label side --gaps").fails(3, &["missing"]);
    folder
        .run("fit sheet.csv -m som --sides 6 --label side --gaps")
        .fails(2, &["a rectangle net has 2"]);
}

#[test]
fn a_generative_map_keeps_its_precision() {
    let folder = Folder::new().with("sheet.csv", sheet(false));
    folder.run("fit sheet.csv -m gtm --sides 8x7 --position mode --label side -o out").ok();
    let model = folder.json("out/model.json");
    assert!(model["net"]["mixture"]["precision"].as_f64().unwrap() > 1.0);
    // At the mode every point lies on a node.
    for line in folder.read("out/embedding.csv").lines().skip(1) {
        let z: Vec<f64> = line.split(',').skip(1).take(2).map(|z| z.parse().unwrap()).collect();
        assert!(z.iter().all(|z| z.fract() == 0.0), "{line}");
    }
}
