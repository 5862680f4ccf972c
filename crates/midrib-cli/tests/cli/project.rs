//! New points on a learned graph.

use crate::folder::{Folder, wave, with_column};

#[test]
fn the_training_points_come_out_as_in_the_fit() {
    let folder = Folder::new().with_points("tree -n 400 -d 5 --noise 0.1");
    let table = with_column(&folder.read("points.csv"), "stage", |row| format!("s{}", row % 3));
    let folder = folder.with("cells.csv", with_column(&table, "cell", |row| format!("c{row}")));
    for (out, flags) in [
        ("plain", ""),
        ("scaled", "--center --scale unit"),
        ("components", "--pca 3"),
        ("both", "--scale robust --pca 0.9"),
        ("kernel", "--kernel gaussian"),
        ("linear", "--center --kernel linear --pca 3"),
        ("images", "--center --scale unit --kernel gaussian --pca 0.95"),
        ("landmarks", "--kernel gaussian:2 --kernel-columns 30"),
        ("paper", "--method rpg --n-nodes 40"),
    ] {
        folder.run(&format!("fit cells.csv -q --id cell --label stage -o {out} {flags}")).ok();
        let run = folder.run(&format!("project {out} cells.csv --id cell --label stage")).ok();
        assert!(run.out == folder.read(&format!("{out}/points.csv")), "{flags}");
        assert_eq!(run.err, "");
        let run = folder.run(&format!("project {out}/model.json - --id cell --label stage"));
        run.fails(3, &["standard input: is empty"]);
    }
}

#[test]
fn columns_are_matched_by_name() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q").ok();
    let expected =
        folder.run_with_input("project cells.midrib -", "x,y\n0.5,0.1\n0.2,1\n").ok().out;
    let reordered = "y,depth,x\n0.1,7,0.5\n1,8,0.2\n";
    assert_eq!(folder.run_with_input("project cells.midrib -", reordered).ok().out, expected);
}

#[test]
fn missing_columns_are_listed() {
    let table = with_column(&wave(60), "CD34", |row| (row % 5).to_string());
    let folder = Folder::new().with("cells.csv", table).with_points("s -n 100");
    folder.run("fit cells.csv -q").ok();
    folder.run_with_input("project cells.midrib -", "y,depth\n0.1,7\n").fails(
        3,
        &["standard input: 2 of the 3 columns that are needed are missing: CD34, x", "y, depth"],
    );
    // Names that look generated are names all the same.
    folder.run("fit points.csv -q").ok();
    folder
        .run_with_input("project points.midrib -", "x1,z\n0.1,7\n")
        .fails(3, &["missing: x0; the file has x1, z"]);
}

#[test]
fn columns_without_names_are_matched_by_count() {
    let table = wave(60).split_once('\n').unwrap().1.to_owned();
    let folder = Folder::new().with("cells.csv", &table);
    folder.run("fit cells.csv -q").ok();
    let first = folder.read("cells.midrib/points.csv");
    assert_eq!(folder.run("project cells.midrib cells.csv").ok().out, first);
    assert_eq!(
        folder.run_with_input("project cells.midrib -", &format!("V1,V2\n{table}")).out,
        first
    );
    folder.run_with_input("project cells.midrib -", &format!("depth,width\n{table}")).fails(
        3,
        &["standard input: its columns are depth, width", "(x0, x1)", "rename them to x0, x1"],
    );
    folder
        .run_with_input("project cells.midrib -", "1,2,3\n4,5,6\n")
        .fails(3, &["2 columns are needed, found 3"]);
}

#[test]
fn gaps_of_new_points_have_to_be_meant() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q").ok();
    let points = "x,y\n0.5,NA\n0.5,2\n";
    folder.run_with_input("project cells.midrib -", points).fails(3, &["row 1", "missing value"]);
    let placed = folder.run_with_input("project cells.midrib - --gaps", points).ok().out;
    assert_eq!(placed.lines().count(), 3, "{placed}");
    assert!(!placed.contains("NaN"), "{placed}");
}

#[test]
fn unusable_models_are_named() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q").ok();
    let text = folder.read("cells.midrib/model.json");
    let folder = folder
        .with("short.json", &text[..text.len() / 2])
        .with("newer.json", text.replacen("\"schema\":2", "\"schema\":7", 1))
        .with("other.json", "{\"a\": 1}")
        .with("recipe.json", text.replacen("\"prepare\":{}", "\"prepare\":{\"log\":true}", 1));
    for command in ["info", "project"] {
        let new = if command == "project" { "cells.csv" } else { "" };
        for (model, words) in [
            ("short.json", ["short.json: is not valid JSON", "is the file complete?"]),
            (
                "newer.json",
                [
                    "newer.json: was written by a newer midrib (schema 7)",
                    "install midrib 0.1.0 or later",
                ],
            ),
            ("other.json", ["other.json: is not a midrib model", "schema"]),
            ("none.json", ["none.json: there is no such file", "check the path"]),
            ("cells.csv", ["cells.csv: is not a midrib model", "schema"]),
        ] {
            folder.run(&format!("{command} {model} {new}")).fails(3, &words);
        }
    }
    folder.run("project recipe.json cells.csv").fails(3, &["recipe.json: input.prepare"]);
}
