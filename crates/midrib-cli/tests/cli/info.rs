//! What a learned graph looks like.

use crate::folder::{Folder, wave};

#[test]
fn text_and_json_tell_the_same() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let fit = folder.run("fit cells.csv --json").ok().json();
    let text = folder.run("info cells.midrib").ok();
    assert_eq!(folder.run("fit cells.csv -o again").ok().out, text.out);
    assert!(text.out.contains("\n  explained  100.0 % of the variance\n"), "{}", text.out);
    let first = "2 tips, 0 branch points, 1 branch, 0 loops, 1 component\n";
    assert!(text.out.starts_with(first), "{}", text.out);
    for row in
        ["\n  input      cells.csv, 60 points in 2 columns\n", "\n  method     ppt, converged"]
    {
        assert!(text.out.contains(row), "{}", text.out);
    }
    assert_eq!(text.err, "");
    let json = folder.run("info cells.midrib/model.json --json").ok().json();
    assert_eq!(json, fit);
}

#[test]
fn a_single_node_and_huge_numbers_are_readable() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let one = folder.run("fit cells.csv --n-nodes 1").ok().out;
    assert!(one.contains("1, edges 0, length 0\n"), "{one}");
    let wide = folder.run("fit cells.csv --force --bandwidth 1e50").ok().out;
    assert!(wide.lines().all(|line| line.len() < 80), "{wide}");
    assert!(!wide.contains("-0.0 %"), "{wide}");
}

#[test]
fn methods_are_listed_and_explained() {
    let folder = Folder::new();
    let list = folder.run("methods").ok();
    assert!(list.out.contains("ppt ") && list.out.contains("rpg "), "{}", list.out);
    assert_eq!(list.err, "");
    let all = folder.run("methods --json").ok().json();
    let ppt = all.as_array().unwrap().iter().find(|method| method["name"] == "ppt").unwrap();
    let explained = folder.run("methods ppt").ok().out;
    let words = explained.split_whitespace().collect::<Vec<_>>().join(" ");
    let paper = "Sun, Yijun (2015). SimplePPT: A Simple Principal Tree Algorithm. Proceedings of";
    assert!(words.contains(paper), "{explained}");
    for setting in ppt["defaults"].as_object().unwrap().keys() {
        assert!(explained.contains(&format!("--{} ", setting.replace('_', "-"))), "{setting}");
    }
    assert!(folder.run("methods rpg --json").ok().json()["properties"]["data_weight"].is_object());
}

#[test]
fn curves_that_take_shortcuts_say_so() {
    let folder = Folder::new().with_points("spiral -n 600 --noise 0.05 --seed 1");
    folder.run("fit points.csv --method elastic-curve -o curve -q").ok();
    let info = folder.run("info curve").ok().out;
    assert!(info.contains("far away along the curve"), "{info}");
    assert!(info.contains("--method ppt") && info.contains("--init DIR"), "{info}");
    folder.run("fit points.csv -o tree -q").ok();
    folder.run("fit points.csv --method elastic-curve --init tree -o again -q").ok();
    assert!(!folder.run("info again").ok().out.contains("far away along the curve"));
}
