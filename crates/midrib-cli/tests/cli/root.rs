//! Roots, pseudotime, paths, pruning and drawings.

use crate::folder::Folder;

/// A Y of 300 points with labels, learned: `y` beside `points.csv`.
fn learned() -> Folder {
    let mut table = String::from("name,x,y,arm,age\n");
    let arms = [("stem", -1.0, 0.0), ("left", 0.7, 0.7), ("right", 0.7, -0.7)];
    for (arm, dx, dy) in arms {
        for i in 0..100 {
            let (along, off) = (f64::from(i) / 10.0, 0.05 * f64::from(i % 7 - 3));
            let (x, y) = (along * dx + off * dy, along * dy - off * dx);
            let age = if arm == "stem" { 10.0 - along } else { 10.0 + along };
            table += &format!("{arm}{i},{x},{y},{arm},{age}\n");
        }
    }
    let folder = Folder::new().with("points.csv", table);
    folder.run("fit points.csv --id name --label arm --label age --n-nodes 30 -o y").ok();
    folder
}

/// The column of a table.
fn column(text: &str, name: &str) -> Vec<String> {
    let mut lines = text.lines();
    let at = lines.next().unwrap().split(',').position(|column| column == name).unwrap();
    lines.map(|line| line.split(',').nth(at).unwrap().to_owned()).collect()
}

fn numbers(text: &str, name: &str) -> Vec<f64> {
    column(text, name).iter().map(|cell| cell.parse().unwrap()).collect()
}

#[test]
fn every_way_to_name_the_root_finds_the_same_tip() {
    let folder = learned();
    let by_label = folder.run("root y --root arm==stem").ok();
    assert!(by_label.err.contains("100 % of the 20 points around it"), "{}", by_label.err);
    let root = folder.json("y/model.json")["root"][0].as_u64().unwrap();
    let expected = folder.read("y/points.csv");
    let first = format!("root {root}: 2 lineages, pseudotime up to ");
    assert!(by_label.out.starts_with(&first), "{}", by_label.out);
    for name in [&format!("{root}"), "stem99", "point:stem99", "age:min", "x:min"] {
        folder.run(&format!("root y --root {name}")).ok();
        assert_eq!(folder.read("y/points.csv"), expected, "{name}");
    }
    let time = numbers(&expected, "pseudotime");
    // The stem runs toward the root, the arms away from it.
    assert!(time[95] < time[50] && time[50] < time[5]);
    assert!(time[105] < time[150] && time[150] < time[195]);
    let lineages = folder.read("y/lineages.csv");
    assert_eq!(column(&lineages, "root"), [root.to_string(), root.to_string()]);
    assert!(folder.run("info y").ok().out.contains(&format!("\n  root       node {root}\n")));
}

#[test]
fn lineages_beyond_those_shown_are_counted() {
    let folder = Folder::new().with_points("circle -n 400 --noise 0.05 --seed 1");
    folder.run("fit points.csv -q --method rpg --structure l1").ok();
    let said = folder.run("root points.midrib --root 0").ok().out;
    let all = folder.read("points.midrib/lineages.csv").lines().count() - 1;
    assert!(said.starts_with(&format!("root 0: {all} lineages, ")), "{said}");
    assert!(said.ends_with(&format!("\n  {} more in lineages.csv\n", all - 20)), "{said}");
}

#[test]
fn columns_and_components_name_roots_in_fit_and_afterwards() {
    let folder = learned();
    let fit = "fit points.csv --id name --label arm --label age --pca 1 --n-nodes 30 --force -o z";
    for column in ["x", "pc1"] {
        folder.run(&format!("{fit} --root {column}:min")).ok();
        let root = folder.json("z/model.json")["root"].clone();
        folder.run("root z --root 3").ok();
        folder.run(&format!("root z --root {column}:min")).ok();
        assert_eq!(folder.json("z/model.json")["root"], root, "{column}");
    }
}

#[test]
fn a_column_is_reported_once() {
    learned()
        .run("root y --root foo:max")
        .fails(2, &["there are arm, age, x, y; the tips of the graph are "]);
}

#[test]
fn numbers_are_the_same_however_they_are_written() {
    let rows: String = (0..60).map(|i| format!("{i},0,{}.0,\n", u8::from(i < 20))).collect();
    let folder = Folder::new().with("line.csv", format!("x,y,flat,miss\n{rows}"));
    folder.run("fit line.csv --label flat --label miss --n-nodes 10 -o r").ok();
    folder.run("root r --root flat==1").ok();
    let root = folder.json("r/model.json")["root"].clone();
    folder.run("root r --root flat==1.0").ok();
    assert_eq!(folder.json("r/model.json")["root"], root);
    folder
        .run("root r --root flat==2")
        .fails(2, &["no point has this value; flat is one of 0.0, 1.0"]);
    let words = ["--root miss:max: no point has a value; the tips of the graph are "];
    folder.run("root r --root miss:max").fails(2, &words);
    let words = ["--root nowhere==1: there is no column nowhere", "; the tips of the graph are "];
    folder.run("root r --root nowhere==1").fails(2, &words);
}

#[test]
fn a_path_from_a_node_to_itself_says_so() {
    let folder = learned();
    let run = folder.run("path y --from 3 --to 3").ok();
    assert!(run.err.contains("--from, --to: both are node 3"), "{}", run.err);
}

#[test]
fn no_branch_is_empty_after_pruning() {
    let folder = Folder::new().with("x.csv", {
        let folder = |i: u32| (f64::from(i * i % 97) / 9.0, f64::from(i * i * i % 89) / 9.0);
        let rows = (0..60).map(folder).map(|(x, y)| format!("{x},{y}\n"));
        format!("x,y\n{}", rows.collect::<String>())
    });
    folder
        .run("fit x.csv --tips keep --bandwidth 0.01 --length-penalty 0.1 --n-nodes all -o r")
        .ok();
    let run = folder.run("prune r -o p --min-share 0").ok();
    assert!(run.err.contains(" without points removed or contracted"), "{}", run.err);
    let mut held = column(&folder.read("p/points.csv"), "branch");
    held.sort();
    held.dedup();
    let branches = folder.run("info p --json").ok().json()["branches"].as_u64().unwrap();
    assert_eq!(held.len() as u64, branches);
}

#[test]
fn the_table_is_read_as_for_the_fit() {
    let table: String = (0..40)
        .map(|i| format!("{},{i},{}\n", if i == 7 { "12".into() } else { format!("c{i}") }, i % 3))
        .collect();
    let folder = Folder::new().with("cells.csv", format!("cell,x,y\n{table}"));
    folder.run("fit cells.csv --id cell -o r").ok();
    folder.run("root r --root x:max").ok();
    folder.run("draw r -o r.svg").ok();
    folder.run("export r -f h5ad -o r.h5ad").ok();
    folder.run("prune r -o p").ok();
    assert_eq!(column(&folder.read("p/points.csv"), "id")[7], "12");
    // From another directory the table lies beside the results.
    std::fs::create_dir(folder.path("below")).unwrap();
    let mut moved = folder.command("draw ../r -o r.svg");
    assert!(moved.current_dir(folder.path("below")).status().unwrap().success());
    // The same rows in another order are another table.
    let mut rows: Vec<&str> = table.lines().collect();
    rows.reverse();
    let folder = folder.with("cells.csv", format!("cell,x,y\n{}\n", rows.join("\n")));
    folder.run("root r --root x:max").fails(3, &["cells.csv", "in another order"]);
}

#[test]
fn points_from_standard_input_have_to_be_named_again() {
    let folder = learned();
    let table = folder.read("points.csv");
    folder.run_with_input("fit - --id name --n-nodes 30 -o z", &table).ok();
    folder.run("draw z -o z.svg").fails(3, &["standard input", "--points"]);
    folder.run("draw z -o z.svg --points points.csv").ok();
}

#[test]
fn what_else_lies_in_the_results_stays() {
    let folder = learned();
    std::fs::create_dir(folder.path("y/figures")).unwrap();
    let folder = folder.with("y/figures/one.txt", "mine").with("y/notes.txt", "mine too");
    folder.run("root y --root 0").ok();
    assert_eq!(
        (folder.read("y/figures/one.txt"), folder.read("y/notes.txt")),
        ("mine".into(), "mine too".into())
    );
    assert!(folder.read("y/report.html").contains("<html"));
}

#[test]
fn fit_roots_in_one_go_and_project_goes_on_from_there() {
    let folder = learned();
    folder.run("root y --root arm==left").ok();
    let options = "--id name --label arm --label age --n-nodes 30 --root arm==left";
    folder.run(&format!("fit points.csv {options} -o z")).ok();
    assert_eq!(folder.read("z/points.csv"), folder.read("y/points.csv"));
    assert_eq!(folder.read("z/lineages.csv"), folder.read("y/lineages.csv"));
    let projected = folder.run("project z points.csv --id name --label arm --label age").ok().out;
    assert_eq!(
        numbers(&projected, "pseudotime"),
        numbers(&folder.read("z/points.csv"), "pseudotime")
    );
}

#[test]
fn a_component_without_a_root_has_no_pseudotime() {
    let model = r#"{"schema": 1, "midrib": "0.1.0", "method": "rpg", "settings": {}, "input":
        {"file": "p.csv", "rows": 2, "columns": 1, "features": ["x"], "prepare": {}}, "nodes":
        [[0], [1], [5], [6]], "edges": [[0, 1, 1.0], [2, 3, 1.0]], "mass": [1, 1, 1, 1],
        "objective": null, "trace": [], "end": "converged", "n_iter": 1, "seed": 0}"#;
    let points =
        "id,node,edge,edge_pos,distance,branch,component\na,0,0,0.25,0,0,0\nb,3,1,1,0,1,1\n";
    let folder = Folder::new();
    std::fs::create_dir(folder.path("m")).unwrap();
    let folder = folder.with("m/model.json", model).with("m/points.csv", points);
    let run = folder.run("root m --root 0").ok();
    assert!(run.err.contains("warning: no root in component 1: 1 point without"), "{}", run.err);
    let written = folder.read("m/points.csv");
    assert!(written.contains("a,0,0,0.25,0,0,0,0.25\nb,3,1,1,0,1,1,\n"), "{written}");
    let apart = "node 0 is in component 0, node 3 in component 1";
    folder.run("path m --from 0 --to 3").fails(2, &[apart]);
    folder.run("root m --root 0 --root 3").ok();
    assert_eq!(folder.json("m/model.json")["root"], serde_json::json!([0, 3]));
}

#[test]
fn unknown_roots_are_named_with_the_tips_to_choose_from() {
    let folder = learned();
    let before = folder.read("y/points.csv");
    for (root, reason) in [
        ("99", "there is no such node"),
        ("cell_9", "no point has this id"),
        ("arm==", "name a value after arm=="),
        ("x==1", "x holds numbers: give x:min or x:max"),
        ("arm==leg", "arm is one of left, right, stem"),
        ("are==stem", "there is no column are (did you mean arm?)"),
        ("arm:min", "arm holds \"stem\" in row 1, not a number"),
        ("height:max", "there is no column height"),
    ] {
        folder.run(&format!("root y --root {root}")).fails(2, &[reason]);
    }
    folder.run("root y --root 99").fails(2, &["the tips of the graph are "]);
    assert_eq!(folder.read("y/points.csv"), before);
}

#[test]
fn ties_and_missing_values_in_a_column_are_reported() {
    let folder = learned();
    let text = folder.read("y/points.csv");
    let mut rows = text.lines().map(str::to_owned).collect::<Vec<_>>();
    rows[0] += ",flat";
    rows.iter_mut().skip(1).enumerate().for_each(|(i, row)| row.push_str([",7", ",NA"][i % 2]));
    std::fs::write(folder.path("y/points.csv"), rows.join("\n") + "\n").unwrap();
    let run = folder.run("root y --root flat:max").ends_with(2);
    assert!(run.err.contains("150 points without a value left out"), "{}", run.err);
    assert!(run.err.contains("are equally good; name one of them"), "{}", run.err);
}

#[test]
fn a_path_lists_its_points_in_order() {
    let folder = learned();
    let run = folder.run("path y --from arm==left --to arm==stem").ok();
    let position = numbers(&run.out, "position");
    assert!(position.is_sorted() && position.len() > 190, "{}", position.len());
    let arms = column(&run.out, "arm");
    assert_eq!((arms[0].as_str(), arms[arms.len() - 1].as_str()), ("left", "stem"));
    let longest = folder.run("path y --json").ok().json();
    assert!(longest["length"].as_f64().unwrap() > 15.0);
    folder.run("path y -o way.csv").ok();
    assert!(folder.read("way.csv").starts_with("id,position,distance,arm,age\n"));
}

#[test]
fn pruning_by_length_removes_short_branches_only() {
    let folder = learned();
    let run = folder.run("prune y -o p --id name --label arm --min-length 1 --min-share 0").ok();
    assert!(run.out.starts_with("3 tips"), "{}", run.out);
    let run = folder.run("prune y -o q --id name --label arm --min-length 12").ok();
    assert!(run.out.starts_with("2 tips, 0 branch points, 1 branch"), "{}", run.out);
    let branches = column(&folder.read("q/points.csv"), "branch");
    assert!(branches.iter().all(|branch| branch == "0"));
    // A root that stays is kept, and the pseudotime from it.
    folder.run("root y --root arm==stem").ok();
    folder.run("prune y -o p --id name --label arm --min-share 0 --force").ok();
    let times =
        |directory: &str| numbers(&folder.read(&format!("{directory}/points.csv")), "pseudotime");
    assert_eq!(times("p"), times("y"));
    let words = ["--min-length 100: nothing would be left: the last path is "];
    folder.run("prune y -o r --id name --label arm --min-length 100").fails(2, &words);
    folder.run("prune y -o r --min-share 2").fails(2, &["--min-share 2: must be between 0 and 1"]);
}

#[test]
fn every_view_is_drawn() {
    let folder = learned();
    for (view, content) in [
        ("graph", "arm"),
        ("metro", "Lines have the lengths"),
        ("dendrogram --root arm==stem", "pseudotime"),
        ("adjacency", "ordered by arm and branch"),
        ("convergence", "objective"),
        ("tuning", "length penalty"),
        ("graph --color branch", "branch"),
        ("graph --color age --axes y,x", "age"),
        ("metro --color pseudotime --root 0", "pseudotime"),
    ] {
        let svg = folder.run(&format!("draw y --view {view} -o -")).ok().out;
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{view}");
        assert!(svg.contains(content), "{view}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{view}");
    }
    folder.run("draw y -o y.png").ok();
    let bytes = std::fs::read(folder.path("y.png")).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
    for (line, reason) in [
        ("draw y -o y.svg --json", "--json"),
        ("draw y -o y.jpg", "name a file that ends in .svg or .png"),
        ("draw y -o y.png", "exists already; pass --force"),
        ("draw y --view dendrogram -o d.svg", "a dendrogram needs a root"),
        ("draw y --color pseudotime -o d.svg", "--color pseudotime needs a root"),
        ("draw y --color color -o d.svg", "there is no column color"),
        ("draw y --axes x,z -o d.svg", "--axes z: there is no such column; there are x, y"),
    ] {
        folder.run(line).fails(2, &[reason]);
    }
}

#[test]
fn what_a_view_does_not_show_is_refused() {
    let folder = learned();
    for (view, flag) in [
        ("metro", "--axes x,y"),
        ("dendrogram", "--points points.csv"),
        ("convergence", "--color arm"),
        ("convergence", "--root 0"),
        ("tuning", "--color arm"),
    ] {
        let line = format!("draw y -o y.svg --view {view} {flag}");
        let name = flag.split(' ').next().unwrap();
        folder.run(&line).fails(2, &[name, view]);
    }
}

#[test]
fn a_refused_root_does_not_lose_the_fit() {
    let folder = learned();
    let fit = "fit points.csv --id name --label arm --n-nodes 30 --root arm==wing -o z";
    let run = folder.run(fit).ends_with(2);
    for said in ["without a root: give one with midrib root z", "error: --root arm==wing: no point"]
    {
        assert!(run.err.contains(said), "{}", run.err);
    }
    folder.run("root z --root arm==left").ok();
}
