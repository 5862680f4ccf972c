//! Tables that cannot be learned from: exit code 3, and a message that names what is at fault.

use crate::folder::{Folder, wave, with_column};

/// Fits a table of this content; its error must say all of `words`, and nothing may be written.
fn refused(table: &str, flags: &str, words: &[&str]) {
    let folder = Folder::new().with("cells.csv", table);
    folder.run(&format!("fit cells.csv {flags}")).fails(3, words);
    assert_eq!(folder.names(), ["cells.csv"]);
    folder.run(&format!("fit cells.csv --dry-run {flags}")).fails(3, words);
}

#[test]
fn a_missing_file() {
    Folder::new().run("fit cells.csv").fails(3, &["cells.csv: there is no such file"]);
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("cells")).unwrap();
    folder.run("fit cells").fails(3, &["cells: is a directory; name the file in it"]);
}

#[test]
fn a_directory_of_results() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q").ok();
    folder
        .run("fit cells.midrib")
        .fails(3, &["cells.midrib: is a directory of results", "`midrib info cells.midrib`"]);
}

#[test]
fn an_empty_file() {
    refused("", "", &["cells.csv: is empty"]);
    refused("\n\n", "", &["cells.csv: is empty"]);
}

#[test]
fn a_header_only() {
    refused("x,y\n", "", &["cells.csv: has a header but no rows below it"]);
}

#[test]
fn ragged_rows() {
    refused("x,y\n1,2\n3\n", "", &["cells.csv: row 2 (line 3): expected 2 fields, found 1"]);
    refused("x,y\n1,2\n3,4,5\n", "", &["row 2 (line 3): expected 2 fields, found 3"]);
}

#[test]
fn text_in_a_number() {
    refused(
        "x,CD34\n1,2\n3,high\n",
        "",
        &["cells.csv, row 2 (line 3), column CD34: \"high\" is not a number", "--label CD34"],
    );
}

#[test]
fn all_columns_labels() {
    refused("x,y\na,b\nc,d\n", "", &["no column is left as a feature", "x, y"]);
    refused(&wave(9), "--label x --label y", &["no column is left as a feature"]);
}

#[test]
fn values_that_are_not_finite() {
    refused(
        "x,y\n1,NaN\n3,4\n",
        "",
        &["row 1 (line 2), column y: \"NaN\"", "fill it in, remove the row"],
    );
    refused("x,y\n1,\n3,4\n", "", &["row 1 (line 2), column y: the value is missing"]);
    refused("x,y\n1,2\n-inf,4\n", "", &["row 2 (line 3), column x: \"-inf\" is infinite"]);
    refused("x,y\n1,2\n1e999,4\n", "--gaps", &["row 2 (line 3), column x: \"1e999\" is infinite"]);
}

#[test]
fn gaps_where_the_method_needs_complete_points() {
    let table = "x,y,z\n1,NA,3\n4,,6\n7,8,\n10,11,12\n";
    let folder = Folder::new().with("cells.csv", table);
    for flags in ["", "--scale unit", "--pca 1"] {
        let run = folder.run(&format!("fit cells.csv --gaps {flags}")).ends_with(3);
        assert!(run.err.contains("3 missing values in 3 rows: y 2, z 1"), "{}", run.err);
        assert!(run.err.contains("error: cells.csv: 3 values are missing"), "{}", run.err);
        assert!(run.err.contains("need"), "{}", run.err);
    }
    folder.run("fit cells.csv --gaps").fails(3, &["fill them in or leave those rows out"]);
}

#[test]
fn a_single_point() {
    for flags in ["", "--method rpg --structure l1"] {
        let words = &["cells.csv: there is a single point: give at least two that differ"];
        refused("x,y\n1,2\n", flags, words);
    }
}

#[test]
fn all_points_equal() {
    refused("x,y\n1,2\n1,2\n1,2\n", "", &["cells.csv: all 3 points are equal"]);
    refused("x,y\n1,2\n1,2\n1,2\n", "--scale unit", &["all 3 points are equal"]);
}

#[test]
fn weights_that_cannot_be_used() {
    for weight in ["-1", "nan", "inf", "much", ""] {
        let table = format!("x,y,w\n1,2,1\n3,4,{weight}\n5,7,1\n");
        let reason =
            format!("cells.csv, row 2 (line 3), column w: \"{weight}\" is not a valid weight");
        refused(&table, "--weights w", &[&reason, "finite numbers of at least 0"]);
    }
}

#[test]
fn weights_that_are_all_zero() {
    let table = with_column(&wave(30), "w", |_| "0".into());
    refused(&table, "--weights w", &["cells.csv: column w: all weights are 0"]);
}

#[test]
fn a_weight_of_zero_is_allowed() {
    let table = with_column(&wave(60), "w", |row| (row % 2).to_string());
    let folder = Folder::new().with("cells.csv", table);
    folder.run("fit cells.csv --weights w").ok();
    let mass = folder.json("cells.midrib/model.json")["mass"].clone();
    let mass: f64 = mass.as_array().unwrap().iter().map(|mass| mass.as_f64().unwrap()).sum();
    assert!((mass - 30.0).abs() < 1e-9, "{mass}");
}

#[test]
fn columns_that_are_not_there() {
    let table = with_column(&wave(30), "stage", |_| "old".into());
    for flag in ["--id", "--label", "--weights"] {
        let words = ["cells.csv: there is no column stag, did you mean stage?", "stage, x, y"];
        refused(&table, &format!("{flag} stag"), &words);
    }
}

#[test]
fn files_that_are_not_tables() {
    let folder = Folder::new()
        .with("cells.npy", "not numpy")
        .with("cells.xlsx", "PK\u{3}\u{4}")
        .with("cells.bin", [1_u8, 0, 2, 0])
        .with("spaces.txt", "x y\n1 2\n3 4\n");
    folder.run("fit cells.npy").fails(3, &["does not start like a npy file"]);
    folder.run("fit cells.xlsx").fails(3, &["is a spreadsheet; export it as CSV"]);
    folder.run("fit cells.bin").fails(3, &["is neither text nor NPY, NPZ, Parquet or h5ad"]);
    folder.run("fit spaces.txt").fails(3, &["separated by spaces"]);
}
