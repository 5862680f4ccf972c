//! `--kernel`: learning from similarities.

use crate::folder::{Folder, wave};

#[test]
fn its_width_is_chosen_reported_and_recorded() {
    let folder = Folder::new().with_points("tree -n 200 -d 4");
    let run = folder.run("fit points.csv --scale unit --kernel gaussian --pca 0.95").ok();
    let line = "--kernel          gaussian:4.000  half the mean squared distance of two points";
    assert!(run.err.contains(line), "{}", run.err);
    assert!(run.out.contains("\n  kernel     gaussian:4.000, 200 columns\n"), "{}", run.out);
    let explained = " % of the variance of 4 components\n             the components hold 9";
    assert!(run.out.contains(explained), "{}", run.out);
    assert!(run.out.contains(" % of the kernel's variance\n"), "{}", run.out);
    let model = folder.json("points.midrib/model.json");
    let chosen = model["chosen"]["kernel"].as_str().unwrap();
    let kernel = &model["input"]["prepare"]["kernel"];
    let beta = kernel["function"]["gaussian"]["beta"].as_f64().unwrap();
    assert_eq!(chosen, format!("gaussian:{beta}"));
    assert_eq!(folder.run("info points.midrib").ok().out, run.out);
    let json = folder.run("info points.midrib --json").ok().json();
    assert_eq!(json["kernel"], "gaussian:4.000, 200 columns");
    // What was chosen, given.
    folder.run(&format!("fit points.csv -q --scale unit --kernel {chosen} --pca 0.95 -o b")).ok();
    assert_eq!(folder.json("b/model.json")["nodes"], model["nodes"]);
    assert!(folder.json("b/model.json")["chosen"]["kernel"].is_null());
}

#[test]
fn nodes_stay_in_the_columns_of_the_kernel() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for (flags, header) in [
        ("--kernel gaussian --pca 2", "node,mass,degree,pc1,pc2\n"),
        ("--kernel linear --kernel-columns 3", "node,mass,degree,k1,k2,k3\n"),
    ] {
        folder.run(&format!("fit cells.csv -q --force --tips keep {flags}")).ok();
        let nodes = folder.read("cells.midrib/nodes.csv");
        assert!(nodes.starts_with(header), "{nodes}");
        let first = folder.json("cells.midrib/model.json")["nodes"].clone();
        // They start another fit, and so do nodes in the units of the table.
        let still = "-q --max-iter 0 --length-penalty 1 --bandwidth 0.01 -o again --force";
        folder.run(&format!("fit cells.csv --init cells.midrib/nodes.csv {still} {flags}")).ok();
        let again = folder.json("again/model.json")["nodes"].clone();
        for (a, b) in first.as_array().unwrap().iter().zip(again.as_array().unwrap()) {
            for (a, b) in a.as_array().unwrap().iter().zip(b.as_array().unwrap()) {
                assert!((a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-9, "{flags}");
            }
        }
        folder.run(&format!("fit cells.csv --init cells.csv {still} {flags}")).ok();
        let points = folder.read("again/points.csv");
        let distance = points.lines().nth(9).unwrap().split(',').nth(4).unwrap();
        assert!(distance.parse::<f64>().unwrap() < 1e-6, "{points}");
    }
}

#[test]
fn a_matrix_beyond_the_memory_is_refused_with_advice() {
    let folder = Folder::new().with_points("s -n 1000");
    folder.run("fit points.csv --kernel gaussian --max-memory 3.5MB").fails(
        2,
        &[
            "--max-memory 3.5MB: the kernel matrix of 1000 points would take 4MB",
            "pass --max-memory 4MB if there is that much, give fewer rows",
            "or only the columns of landmarks with --kernel-columns 875",
        ],
    );
    folder.run("fit points.csv --kernel gaussian --kernel-columns 500 --max-memory 1MB").fails(
        2,
        &[
            "of 1000 points and 500 landmarks would take 2MB",
            "fewer landmarks with --kernel-columns 250",
        ],
    );
    folder.run("fit points.csv -q --kernel gaussian --kernel-columns 250 --max-memory 1MB").ok();
    folder
        .run("project points.midrib points.csv --max-memory 500kB")
        .fails(2, &["of 1000 points and 250 columns would take 1MB", "fewer rows at a time"]);
    for size in ["0", "2XB", "much"] {
        folder
            .run(&format!("fit points.csv --max-memory {size}"))
            .fails(2, &["--max-memory", &format!("'{size}'"), "such as 500MB or 2GB"]);
    }
}

#[test]
fn unusable_kernels_are_refused() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for (flags, words) in [
        ("--kernel gausian", "--kernel gausian: unknown, did you mean \"gaussian\"?"),
        ("--kernel poly", "--kernel poly: unknown; give gaussian, gaussian:BETA or linear"),
        ("--kernel gaussian:0", "--kernel gaussian:0: beta must be a positive number"),
        ("--kernel gaussian:-2", "--kernel gaussian:-2: beta must be a positive number"),
        ("--kernel gaussian:wide", "beta must be a positive number, as in gaussian:2.5"),
        ("--kernel linear:1", "--kernel linear:1: linear has no beta"),
        ("--kernel-columns 5", "--kernel <KERNEL>"),
        ("--kernel linear --kernel-columns 0", "give a whole number of at least 1"),
    ] {
        folder.run(&format!("fit cells.csv {flags}")).fails(2, &[words]);
    }
    assert_eq!(folder.names(), ["cells.csv"]);
}

#[test]
fn a_damaged_record_is_named() {
    let folder = Folder::new().with("cells.csv", wave(60));
    folder.run("fit cells.csv -q --kernel gaussian:2 --pca 2").ok();
    let text = folder.read("cells.midrib/model.json");
    let folder = folder.with("beta.json", text.replacen("\"beta\":2.0", "\"beta\":-2.0", 1)).with(
        "rows.json",
        text.replacen(
            "\"rows\":60,\"columns\":2,\"values\"",
            "\"rows\":59,\"columns\":2,\"values\"",
            1,
        ),
    );
    folder
        .run("project beta.json cells.csv")
        .fails(3, &["contradicts itself: input.prepare.kernel.function: beta is -2, not positive"]);
    folder
        .run("project rows.json cells.csv")
        .fails(3, &["the values of a packed matrix: expected 59 x 2, found 120"]);
}
