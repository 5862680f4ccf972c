//! Places that cannot be written to, and those that must not be.

use crate::folder::{Folder, wave};

fn folder() -> Folder {
    Folder::new().with("cells.csv", wave(60))
}

#[test]
fn results_that_exist_are_kept() {
    let folder = folder();
    folder.run("fit cells.csv -q").ok();
    let before = folder.read("cells.midrib/model.json");
    let words =
        ["cells.midrib: exists already; pass --force to replace it, or name another directory"];
    folder.run("fit cells.csv --n-nodes 5").fails(2, &words);
    folder.run("fit cells.csv --n-nodes 5 --dry-run").fails(2, &words);
    assert_eq!(folder.read("cells.midrib/model.json"), before);
    folder.run("fit cells.csv --n-nodes 5 --tips keep --force").ok();
    assert_eq!(folder.read("cells.midrib/nodes.csv").lines().count(), 6);
    assert_eq!(folder.names(), ["cells.csv", "cells.midrib"]);
}

#[test]
fn tables_of_one_name_do_not_replace_each_others_results() {
    let folder = folder();
    std::fs::create_dir(folder.path("other")).unwrap();
    let folder = folder.with("other/cells.csv", wave(80));
    folder.run("fit cells.csv -q").ok();
    let words = [
        "cells.midrib: holds the results of cells.csv, not of other/cells.csv",
        "name another directory, or pass --force to replace them",
    ];
    folder.run("fit other/cells.csv").fails(2, &words);
    folder.run("fit other/cells.csv -q -o other/cells.midrib").ok();
    folder.run("fit other/cells.csv -q --force").ok();
    assert_eq!(folder.json("cells.midrib/model.json")["input"]["rows"], 80);
}

#[test]
fn what_is_not_ours_is_never_replaced() {
    let folder = folder();
    std::fs::create_dir(folder.path("thesis")).unwrap();
    let folder = folder.with("thesis/chapter.tex", "");
    folder.run("fit cells.csv --force -o thesis").fails(2, &["thesis: is not empty", "model.json"]);
    folder.run("fit cells.csv --force -o cells.csv").fails(2, &["cells.csv: is a file"]);
    folder.run("project thesis cells.csv").fails(3, &["thesis: holds no model.json"]);
}

#[test]
fn a_failed_fit_keeps_the_old_results() {
    let folder = folder().with("flat.csv", "x,y\n1,1\n1,1\n");
    folder.run("fit cells.csv -q").ok();
    let before = folder.read("cells.midrib/model.json");
    folder.run("fit flat.csv --force -o cells.midrib").fails(3, &["all 2 points are equal"]);
    assert_eq!(folder.read("cells.midrib/model.json"), before);
}

#[test]
fn a_name_that_is_too_long() {
    let name = "a".repeat(250);
    let folder = Folder::new().with(&format!("{name}.csv"), wave(60));
    folder.run(&format!("fit {name}.csv")).fails(1, &["cannot be written", "a shorter name"]);
    folder.run(&format!("fit {name}.csv -o out -q")).ok();
    assert_eq!(folder.json("out/model.json")["input"]["file"], format!("{name}.csv"));
}

#[test]
fn odd_names_are_kept() {
    let name = "zellen,_\"große\"_ë&<1>.v2.csv";
    let folder = Folder::new().with(name, wave(60));
    folder.run(&format!("fit {name} -q")).ok();
    assert!(folder.names().contains(&"zellen,_\"große\"_ë&<1>.v2.midrib".to_owned()));
    assert_eq!(folder.json("zellen,_\"große\"_ë&<1>.v2.midrib/model.json")["input"]["file"], name);
}

#[test]
fn a_projection_never_overwrites_unasked() {
    let folder = folder();
    folder.run("fit cells.csv -q").ok();
    let words = ["cells.csv: exists already; pass --force"];
    folder.run("project cells.midrib cells.csv -o cells.csv").fails(2, &words);
    folder.run("project cells.midrib cells.csv -o cells.midrib").fails(2, &["is a directory"]);
    assert_eq!(folder.read("cells.csv"), wave(60));
    let nowhere = folder.run("project cells.midrib cells.csv -o no/where.csv").ends_with(1);
    assert!(nowhere.err.starts_with("error: no/where.csv: cannot be written"), "{}", nowhere.err);
    assert!(!nowhere.err.contains(".midrib-"), "{}", nowhere.err);
    folder.run("project cells.midrib cells.csv -o new.csv").ok();
    assert_eq!(folder.read("new.csv"), folder.read("cells.midrib/points.csv"));
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::process::Command;

    use super::folder;

    #[test]
    fn a_read_only_target() {
        let folder = folder();
        let words = ["/proc/out: cannot be written", "choose a directory that you may write to"];
        folder.run("fit cells.csv -o /proc/out").fails(1, &words);
        folder.run("fit cells.csv -o /proc/out --dry-run").fails(1, &words);
        folder.run("synth s -o /proc/s.csv").fails(1, &["/proc/s", "cannot be written"]);
        folder.run("demo -o /proc/out").fails(1, &words);
    }

    #[test]
    fn a_full_target() {
        let folder = folder();
        folder.run("fit cells.csv -q").ok();
        let words = ["/dev/full: cannot be written: No space left", "free some space"];
        folder.run("project cells.midrib cells.csv -o /dev/full").fails(1, &words);
        folder.run("project cells.midrib cells.csv -o /dev/full --force").fails(1, &words);
    }

    #[test]
    fn a_full_standard_output() {
        let folder = folder();
        folder.run("fit cells.csv -q").ok();
        for line in
            ["project cells.midrib cells.csv", "info cells.midrib", "methods", "synth s -o -"]
        {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let output = folder.command(line).stdout(full).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{error}");
            let expected = "error: standard output: cannot be written: No space left";
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn a_full_disk_leaves_nothing_behind() {
        let folder = folder();
        let limited = "ulimit -f 1; trap '' XFSZ; exec \"$0\" fit cells.csv -q";
        let output = Command::new("bash")
            .args(["-c", limited, crate::folder::MIDRIB])
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with("error: cells.midrib/"), "{error}");
        assert!(error.contains("cannot be written: File too large"), "{error}");
        assert_eq!(folder.names(), ["cells.csv"]);
    }
}

#[test]
fn standard_output_is_no_directory() {
    let folder = folder();
    let words = ["standard output: is not a directory, which results need; name one"];
    folder.run_with_input("fit - -o -", &wave(60)).fails(2, &words);
    folder.run("cluster cells.csv -o -").fails(2, &words);
    assert_eq!(folder.names(), ["cells.csv"]);
}
