//! Commands that cannot be meant like this: exit code 2; the flag, the value, what is allowed.

use crate::folder::{Folder, wave};

fn refused(line: &str, words: &[&str]) {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run(line).fails(2, words);
    assert_eq!(folder.names(), ["cells.csv"], "midrib {line}");
}

#[test]
fn settings_out_of_range() {
    for (flag, value, allowed) in [
        ("--n-nodes", "0", "give a whole number of at least 1, all or auto"),
        ("--n-nodes", "3.5", "give a whole number of at least 1, all or auto"),
        ("--n-nodes", "some", "give a whole number of at least 1, all or auto"),
        ("--n-nodes", "61", "there are only 60 points: give at most that many, or \"all\""),
        ("--seed", "-1", "give a whole number of at least 0"),
        ("--seed", "18446744073709551616", "give a whole number of at least 0"),
        ("--max-iter", "x", "give a whole number of at least 0"),
        ("--max-iter", "2.5", "give a whole number of at least 0"),
        ("--bandwidth", "-1", "must be positive"),
        ("--bandwidth", "0", "must be positive"),
        ("--bandwidth", "nan", "give a number or auto"),
        ("--bandwidth", "wide", "give a number or auto"),
        ("--length-penalty", "-0.5", "must be 0 or positive"),
        ("--smoothing", "-1", "must be positive"),
        ("--tol", "-1", "must be 0 (run all sweeps) or positive"),
        ("--acceleration", "andersen", "give anderson or none"),
        ("--tips", "cut", "give auto, tidy or keep"),
    ] {
        refused(&format!("fit cells.csv {flag} {value}"), &[&format!("{flag} {value}: {allowed}")]);
        refused(&format!("fit cells.csv {flag}={value}"), &[&format!("{flag} {value}: {allowed}")]);
    }
}

#[test]
fn settings_that_exclude_each_other() {
    refused(
        "fit cells.csv --length-penalty 1 --smoothing 0.1",
        &["--smoothing 0.1: give either --smoothing or --length-penalty, not both"],
    );
}

#[test]
fn flags_out_of_range() {
    let pca = "a whole number of components of at least 1, or a share of the variance";
    let threads = "a whole number of at least 1";
    for (flag, value, allowed) in [
        ("--pca", "0", pca),
        ("--pca", "1.0", pca),
        ("--pca", "2.5", pca),
        ("--pca", "-1", pca),
        ("--pca", "nan", pca),
        ("--pca", "most", pca),
        ("--threads", "0", threads),
        ("--threads", "-1", threads),
        ("--threads", "two", threads),
        ("--threads", "99999", "more threads only slow it down"),
        ("--scale", "log", "none, unit, minmax, robust"),
    ] {
        refused(&format!("fit cells.csv {flag} {value}"), &[flag, &format!("'{value}'"), allowed]);
    }
    refused("fit cells.csv --pca 3", &["--pca 3: 60 points in 2 columns have 1 to 2 components"]);
}

#[test]
fn unknown_words_get_the_nearest_known_one() {
    refused("fit cells.csv --bandwith 1", &["'--bandwith'", "did you mean --bandwidth?"]);
    refused("fit cells.csv --method pptt", &["\"pptt\"", "did you mean \"ppt\"?", "ppt, rpg"]);
    refused("fit cells.csv --method ptp", &["\"ptp\"", "did you mean \"ppt\"?"]);
    refused("fit cells.csv --method nope", &["unknown method \"nope\"", "ppt, rpg"]);
    refused("methods rpgg", &["\"rpgg\"", "did you mean \"rpg\"?"]);
    refused("fitt cells.csv", &["'fitt'", "did you mean `midrib fit`?"]);
    refused("synth spirale", &["'spirale'", "'spiral'"]);
}

#[test]
fn a_flag_of_another_method_names_that_method() {
    refused(
        "fit cells.csv --data-weight 1",
        &["'--data-weight'", "is a setting of rpg, not of ppt; pass --method rpg"],
    );
    refused("fit cells.csv --method rpg --smoothing 1", &["is a setting of ppt, not of rpg"]);
}

#[test]
fn every_way_to_name_a_method_brings_its_flags() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for method in ["--method rpg", "--method=rpg", "-m rpg", "-mrpg", "-m=rpg", "-qm rpg"] {
        folder.run(&format!("fit cells.csv --data-weight 1 --dry-run {method}")).ok();
    }
}

#[test]
fn missing_arguments() {
    let run = Folder::new().run("").ends_with(2);
    assert!(run.out.is_empty() && run.err.contains("Usage: midrib"), "{}", run.err);
    refused("fit", &["<INPUT>", "midrib fit"]);
    refused("project", &["<MODEL>", "<NEW>"]);
    refused("fit cells.csv --bandwidth", &["--bandwidth", "a value is required"]);
    refused("fit cells.csv -q -v", &["--quiet", "--verbose"]);
}

#[test]
fn unknown_words_get_a_useful_suggestion() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for (line, hint) in [
        ("fti cells.csv", "did you mean `midrib fit`?"),
        ("fit cells.csv --n-node 5", "did you mean --n-nodes?"),
        ("fit cells.csv --streching 1", "--stretching is a setting of elastic-curve, "),
        ("fit cells.csv --stiffness 3", "`midrib fit --help` lists the flags"),
        ("root out 5", "pass --root 5"),
        ("draw out out.svg", "pass --output out.svg"),
        ("draw out --title x -o a.svg", "`midrib draw --help` lists the flags"),
    ] {
        let run = folder.run(line).ends_with(2);
        assert!(run.err.contains(hint), "{line}\n{}", run.err);
        assert!(!run.err.contains("-- --") && !run.err.contains("similar"), "{}", run.err);
    }
}
