//! Text tables: what is read, and what every unfit one says.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::{Path, PathBuf};

use midrib_io::{Header, ReadOptions, Result, Table, read};
use tempfile::TempDir;

fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, content).unwrap();
    (directory, path)
}

fn read_text(content: impl AsRef<[u8]>, options: &ReadOptions) -> Result<Table> {
    let (_directory, path) = file("cells.csv", content);
    read(&path, options)
}

fn table(content: impl AsRef<[u8]>) -> Table {
    read_text(content, &ReadOptions::default()).unwrap()
}

/// The message without the directory of the file.
fn message(content: impl AsRef<[u8]>, options: &ReadOptions) -> String {
    let (directory, path) = file("cells.csv", content);
    let error = read(&path, options).unwrap_err();
    assert!(error.is_bad_data());
    let prefix = format!("{}/", directory.path().display());
    error.to_string().replace(&prefix, "")
}

fn plain_message(content: impl AsRef<[u8]>) -> String {
    message(content, &ReadOptions::default())
}

fn rows(table: &Table) -> Vec<Vec<f64>> {
    (0..table.points.len())
        .map(|i| {
            let mut row = vec![0.0; table.points.dims()];
            table.points.copy_row(i, &mut row);
            row
        })
        .collect()
}

fn gaps() -> ReadOptions {
    ReadOptions { gaps: true, ..ReadOptions::default() }
}

#[test]
fn a_table_with_a_header_is_read() {
    let table = table("x,y\n1,2\n3.5,-4e2\n");
    assert_eq!(table.features, ["x", "y"]);
    assert_eq!(rows(&table), [[1.0, 2.0], [3.5, -400.0]]);
    assert!(table.labels.is_empty() && table.set_aside.is_empty());
}

#[test]
fn a_table_without_a_header_gets_names() {
    let table = table("1,2\n3,4\n");
    assert_eq!(table.features, ["x0", "x1"]);
    assert_eq!(table.points.len(), 2);
}

#[test]
fn the_header_can_be_forced_either_way() {
    let with = |header| ReadOptions { header, ..ReadOptions::default() };
    let present = read_text("1,2\n3,4\n", &with(Header::Present)).unwrap();
    assert_eq!((present.features, present.points.len()), (vec!["1".into(), "2".into()], 1));
    let absent = read_text("a,1\nb,2\n", &with(Header::Absent)).unwrap();
    assert_eq!((absent.features, absent.points.len()), (vec!["x0".into()], 2));
    assert_eq!(absent.set_aside, ["column1"]);
}

#[test]
fn marks_line_ends_quotes_and_blank_lines_do_no_harm() {
    let table = table("\u{feff}\"x\",\"a, b\"\r\n\"1\",2\r\n3, 4 \r\n\r\n  \r\n\n");
    assert_eq!(table.features, ["x", "a, b"]);
    assert_eq!(rows(&table), [[1.0, 2.0], [3.0, 4.0]]);
}

#[test]
fn tabs_and_semicolons_are_found_out() {
    assert_eq!(rows(&table("x\ty\n1\t2\n")), [[1.0, 2.0]]);
    assert_eq!(rows(&table("x;y\n1,5;2\n")), [[1.5, 2.0]]);
    let (_directory, path) = file("cells.tsv", "x\ty, z\n1\t2\n");
    let table = read(&path, &ReadOptions::default()).unwrap();
    assert_eq!(table.features, ["x", "y, z"]);
}

#[test]
fn gzip_is_unpacked_whatever_the_name() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"x,y\n1,2\n").unwrap();
    let packed = packed.finish().unwrap();
    for name in ["cells.csv.gz", "cells.csv"] {
        let (_directory, path) = file(name, &packed);
        assert_eq!(rows(&read(&path, &ReadOptions::default()).unwrap()), [[1.0, 2.0]]);
    }
    let cut = plain_message(&packed[..packed.len() - 9]);
    assert!(cut.contains("is the file complete?"), "{cut}");
}

#[test]
fn named_columns_never_become_features() {
    let text = "cell,x,stage,w,y\n7,1,3,0.5,2\n8,3,4,2,4\n";
    for (id, label, weights) in [("cell", "stage", "w"), ("#1", "#3", "#4")] {
        let options = ReadOptions {
            id: Some(id.into()),
            labels: vec![label.into()],
            weights: Some(weights.into()),
            ..ReadOptions::default()
        };
        let table = read_text(text, &options).unwrap();
        assert_eq!(table.features, ["x", "y"]);
        assert_eq!(rows(&table), [[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!(table.points.ids().unwrap(), ["7", "8"]);
        assert_eq!(table.points.weights().unwrap(), [0.5, 2.0]);
        assert_eq!(table.labels[0].name, "stage");
        assert_eq!(table.labels[0].values, ["3", "4"]);
        assert!(table.set_aside.is_empty());
    }
}

#[test]
fn columns_without_a_header_are_named_by_number() {
    let options = ReadOptions { labels: vec!["column2".into()], ..ReadOptions::default() };
    let table = read_text("1,2,3\n4,5,6\n", &options).unwrap();
    assert_eq!(table.features, ["x0", "x1"]);
    assert_eq!(rows(&table), [[1.0, 3.0], [4.0, 6.0]]);
}

#[test]
fn text_columns_are_set_aside() {
    let table = table("x,stage,note,y\n1,a,,2\n3,b,late,4\n");
    assert_eq!(table.set_aside, ["stage", "note"]);
    assert_eq!(table.labels[1].values, ["", "late"]);
    assert_eq!(rows(&table), [[1.0, 2.0], [3.0, 4.0]]);
}

#[test]
fn row_names_as_pandas_and_r_write_them_are_ids() {
    for text in [",x,y\n0,1,2\n1,3,4\n", "\"x\",\"y\"\n\"0\",1,2\n\"1\",3,4\n"] {
        let table = table(text);
        assert_eq!(table.features, ["x", "y"]);
        assert_eq!(table.points.ids().unwrap(), ["0", "1"]);
        assert_eq!(rows(&table), [[1.0, 2.0], [3.0, 4.0]]);
    }
}

#[test]
fn missing_values_are_gaps_on_request_only() {
    let text = "x,y\n1,2\nNA,\n?,4\n";
    let table = read_text(text, &gaps()).unwrap();
    assert_eq!(table.points.missing_values(), 3);
    assert_eq!(
        plain_message(text),
        "cells.csv, row 2 (line 3), column x: \"NA\" stands for a missing value; \
         fill it in, remove the row, pass label = x to leave the column out, or gaps = true \
         and method = elastic-tree, which learns from the other values"
    );
    let first = plain_message("x,y\n1,\n1,2\n");
    assert!(first.contains("row 1 (line 2), column y: the value is missing"), "{first}");
    let table = read_text("x,y\n1,\n1,2\n", &gaps()).unwrap();
    assert_eq!(table.points.missing_values(), 1);
}

#[test]
fn text_among_numbers_is_named() {
    let text = plain_message("x,CD34\n1,2\n3,high\n");
    assert_eq!(
        text,
        "cells.csv, row 2 (line 3), column CD34: \"high\" is not a number; pass label = CD34 if \
         the column is not a feature; fill it in or remove the row if the value is missing"
    );
    let text = plain_message("x,CD34\n1,high\n3,2\n");
    assert!(text.contains("row 1 (line 2), column CD34: \"high\" is not a number"), "{text}");
}

#[test]
fn infinite_values_are_always_refused() {
    for value in ["inf", "-Infinity", "1e999"] {
        let text = message(format!("x\n1\n{value}\n"), &gaps());
        assert!(
            text.contains("row 2 (line 3), column x") && text.contains("is infinite"),
            "{text}"
        );
    }
}

#[test]
fn missing_files_and_directories_are_distinguished() {
    let directory = tempfile::tempdir().unwrap();
    let text = |path: &Path| {
        let error = read(path, &ReadOptions::default()).unwrap_err();
        assert!(error.is_bad_data());
        error.to_string()
    };
    assert!(text(&directory.path().join("none.csv")).contains("there is no such file"));
    assert!(text(directory.path()).contains("is a directory"));
}

#[test]
fn empty_tables_are_refused() {
    assert!(plain_message("").starts_with("cells.csv: is empty"));
    assert!(plain_message("\n\n").contains("only blank lines"));
    assert!(plain_message("x,y\n").contains("has a header but no rows"));
    assert!(plain_message("x,y").contains("has a header but no rows"));
}

#[test]
fn ragged_rows_are_counted() {
    let text = plain_message("x,y\n1,2\n\n3,4,5\n");
    assert!(text.contains("row 2 (line 4): expected 2 fields, found 3"), "{text}");
    let text = plain_message("x,y,z\n1,2\n");
    assert!(text.contains("row 1 (line 2): expected 3 fields, found 2"), "{text}");
}

#[test]
fn lines_are_counted_as_an_editor_does() {
    for (text, line) in [
        ("x,y\n1,2\n3,a", 3),
        ("x,y\n1,2\n3,a\n4,5\n", 3),
        ("x,y\r\n1,2\r\n3,a", 3),
        ("x,y\r\n1,2\r\n\r\n3,a\r\n4,5\r\n", 4),
        ("\n\nx,y\n1,2\n\n\n3,a\n", 7),
        ("\"x\nx\",y\n1,2\n3,a\n", 4),
        ("x,y,z\n1,2,\"k\nk\"\n3,a,\"l\nl\"\n", 4),
    ] {
        let message = plain_message(text);
        assert!(message.contains(&format!("row 2 (line {line}), column y")), "{text}: {message}");
    }
}

#[test]
fn a_table_of_labels_has_no_points() {
    let text = plain_message("name,kind\na,b\n");
    assert!(
        text.contains("no column is left as a feature") && text.contains("(name, kind)"),
        "{text}"
    );
    let options = ReadOptions { labels: vec!["x".into()], ..ReadOptions::default() };
    assert!(message("x\n1\n", &options).contains("no column is left as a feature"));
    assert!(message("x,y\n1,\n2,\n", &gaps()).contains("column y has no value in any row"));
}

#[test]
fn fields_between_spaces_get_a_hint() {
    let text = plain_message("1.0 2.0\n3.0 4.0\n");
    assert!(text.contains("separated by spaces"), "{text}");
}

#[test]
fn duplicated_names_are_refused() {
    let text = plain_message("x,y,x\n1,2,3\n");
    assert!(text.contains("columns 1 and 3 are both called x"), "{text}");
}

#[test]
fn unknown_columns_get_a_suggestion() {
    let options = ReadOptions { labels: vec!["stge".into()], ..ReadOptions::default() };
    let text = message("x,stage\n1,2\n", &options);
    assert!(
        text.contains("there is no column stge, did you mean stage?; the columns are x, stage"),
        "{text}"
    );
    let options = ReadOptions { id: Some("#3".into()), ..ReadOptions::default() };
    assert!(
        message("x,y\n1,2\n", &options).contains("there is no column #3; the columns are x, y")
    );
}

#[test]
fn unfit_weights_are_named() {
    let options = ReadOptions { weights: Some("w".into()), gaps: true, ..ReadOptions::default() };
    for weight in ["-1", "NaN", "", "inf", "heavy"] {
        let text = message(format!("x,w\n1,1\n2,{weight}\n"), &options);
        assert!(
            text.contains("row 2 (line 3), column w") && text.contains("is not a valid weight"),
            "{text}"
        );
    }
    let text = message("x,w\n1,0\n2,0\n", &options);
    assert_eq!(text, "cells.csv: column w: all weights are 0: at least one point must count");
}

#[test]
fn text_must_be_utf_8() {
    let text = plain_message(b"x,name\n1,caf\xe9\n");
    assert!(text.contains("row 1 (line 2), column name") && text.contains("UTF-8"), "{text}");
    assert!(plain_message(b"x,n\xe9\n1,2\n").contains("the header is not UTF-8 text"));
    assert!(plain_message(b"\xff\xfex\0\n\0").contains("is UTF-16 text; save it as UTF-8"));
    assert!(plain_message(b"\x00\x01\x02").contains("neither text nor"));
    let (_directory, path) = file("cells.xlsx", b"PK\x03\x04");
    let text = read(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(text.contains("is a spreadsheet; export it as CSV"), "{text}");
}
