//! Places that cannot be written to, and those that must not be.

use crate::place::{Place, wave};

fn place() -> Place {
    Place::new().with("cells.csv", wave(60))
}

#[test]
fn results_that_exist_are_kept() {
    let place = place();
    place.run("fit cells.csv -q").ok();
    let before = place.read("cells.midrib/model.json");
    let words =
        ["cells.midrib: exists already; pass --force to replace it, or name another directory"];
    place.run("fit cells.csv --n-nodes 5").fails(2, &words);
    place.run("fit cells.csv --n-nodes 5 --dry-run").fails(2, &words);
    assert_eq!(place.read("cells.midrib/model.json"), before);
    place.run("fit cells.csv --n-nodes 5 --tips keep --force").ok();
    assert_eq!(place.read("cells.midrib/nodes.csv").lines().count(), 6);
    assert_eq!(place.names(), ["cells.csv", "cells.midrib"]);
}

#[test]
fn tables_of_one_name_do_not_replace_each_others_results() {
    let place = place();
    std::fs::create_dir(place.path("other")).unwrap();
    let place = place.with("other/cells.csv", wave(80));
    place.run("fit cells.csv -q").ok();
    let words = [
        "cells.midrib: holds the results of cells.csv, not of other/cells.csv",
        "name another directory, or pass --force to replace them",
    ];
    place.run("fit other/cells.csv").fails(2, &words);
    place.run("fit other/cells.csv -q -o other/cells.midrib").ok();
    place.run("fit other/cells.csv -q --force").ok();
    assert_eq!(place.json("cells.midrib/model.json")["input"]["rows"], 80);
}

#[test]
fn what_is_not_ours_is_never_replaced() {
    let place = place();
    std::fs::create_dir(place.path("thesis")).unwrap();
    let place = place.with("thesis/chapter.tex", "");
    place.run("fit cells.csv --force -o thesis").fails(2, &["thesis: is not empty", "model.json"]);
    place.run("fit cells.csv --force -o cells.csv").fails(2, &["cells.csv: is a file"]);
    place.run("project thesis cells.csv").fails(3, &["thesis: holds no model.json"]);
}

#[test]
fn a_failed_fit_keeps_the_old_results() {
    let place = place().with("flat.csv", "x,y\n1,1\n1,1\n");
    place.run("fit cells.csv -q").ok();
    let before = place.read("cells.midrib/model.json");
    place.run("fit flat.csv --force -o cells.midrib").fails(3, &["all 2 points are equal"]);
    assert_eq!(place.read("cells.midrib/model.json"), before);
}

#[test]
fn a_name_that_is_too_long() {
    let name = "a".repeat(250);
    let place = Place::new().with(&format!("{name}.csv"), wave(60));
    place.run(&format!("fit {name}.csv")).fails(1, &["cannot be written", "a shorter name"]);
    place.run(&format!("fit {name}.csv -o out -q")).ok();
    assert_eq!(place.json("out/model.json")["input"]["file"], format!("{name}.csv"));
}

#[test]
fn odd_names_are_kept() {
    let name = "zellen,_\"große\"_ë&<1>.v2.csv";
    let place = Place::new().with(name, wave(60));
    place.run(&format!("fit {name} -q")).ok();
    assert!(place.names().contains(&"zellen,_\"große\"_ë&<1>.v2.midrib".to_owned()));
    assert_eq!(place.json("zellen,_\"große\"_ë&<1>.v2.midrib/model.json")["input"]["file"], name);
}

#[test]
fn a_projection_never_overwrites_unasked() {
    let place = place();
    place.run("fit cells.csv -q").ok();
    let words = ["cells.csv: exists already; pass --force"];
    place.run("project cells.midrib cells.csv -o cells.csv").fails(2, &words);
    place.run("project cells.midrib cells.csv -o cells.midrib").fails(2, &["is a directory"]);
    assert_eq!(place.read("cells.csv"), wave(60));
    let nowhere = place.run("project cells.midrib cells.csv -o no/where.csv").ends_with(1);
    assert!(nowhere.err.starts_with("error: no/where.csv: cannot be written"), "{}", nowhere.err);
    assert!(!nowhere.err.contains(".midrib-"), "{}", nowhere.err);
    place.run("project cells.midrib cells.csv -o new.csv").ok();
    assert_eq!(place.read("new.csv"), place.read("cells.midrib/points.csv"));
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::process::Command;

    use super::place;

    #[test]
    fn a_read_only_target() {
        let place = place();
        let words = ["/proc/out: cannot be written", "choose a directory that you may write to"];
        place.run("fit cells.csv -o /proc/out").fails(1, &words);
        place.run("fit cells.csv -o /proc/out --dry-run").fails(1, &words);
        place.run("synth s -o /proc/s.csv").fails(1, &["/proc/s", "cannot be written"]);
        place.run("demo -o /proc/out").fails(1, &words);
    }

    #[test]
    fn a_full_target() {
        let place = place();
        place.run("fit cells.csv -q").ok();
        let words = ["/dev/full: cannot be written: No space left", "free some space"];
        place.run("project cells.midrib cells.csv -o /dev/full").fails(1, &words);
        place.run("project cells.midrib cells.csv -o /dev/full --force").fails(1, &words);
    }

    #[test]
    fn a_full_standard_output() {
        let place = place();
        place.run("fit cells.csv -q").ok();
        for line in
            ["project cells.midrib cells.csv", "info cells.midrib", "methods", "synth s -o -"]
        {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let output = place.command(line).stdout(full).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{error}");
            let expected = "error: standard output: cannot be written: No space left";
            assert!(error.starts_with(expected), "{line}: {error}");
        }
    }

    #[test]
    fn a_full_disk_leaves_nothing_behind() {
        let place = place();
        let limited = "ulimit -f 1; trap '' XFSZ; exec \"$0\" fit cells.csv -q";
        let output = Command::new("bash")
            .args(["-c", limited, crate::place::MIDRIB])
            .current_dir(place.path(""))
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with("error: cells.midrib/"), "{error}");
        assert!(error.contains("cannot be written: File too large"), "{error}");
        assert_eq!(place.names(), ["cells.csv"]);
    }
}
