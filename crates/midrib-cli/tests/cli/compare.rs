//! `midrib compare`: the table, the files, and what happens to methods that fail.

use std::fmt::Write;

use crate::folder::Folder;

/// Two noisy lines in three dimensions, with a label and an id.
fn lines() -> Folder {
    let mut table = String::from("name,x,y,z,kind\n");
    for i in 0..120 {
        let t = f64::from(i % 60) / 10.0;
        let (side, wave) = (f64::from(i / 60) * 4.0, f64::from(i * 37 % 11) / 40.0);
        let kind = if i < 60 { "near" } else { "far" };
        writeln!(table, "c{i},{t},{},{},{kind}", side + wave, t.sin()).unwrap();
    }
    Folder::new().with("lines.csv", table)
}

#[test]
fn methods_are_compared_side_by_side() {
    let folder = lines();
    let methods = "pca:n_components=1,kmeans:n-clusters=6,ppt";
    let run =
        folder.run(&format!("compare lines.csv --id name --label kind --methods {methods} -o out"));
    let run = run.ok();
    let rows: Vec<&str> = run.out.lines().collect();
    assert!(rows[0].starts_with("method") && rows[0].contains("explained"), "{}", run.out);
    assert!(rows[0].contains("classes"), "{}", run.out);
    assert!(rows[1].starts_with("pca:n_components=1") && rows[1].contains("1 axis"), "{}", rows[1]);
    assert!(
        rows[2].starts_with("kmeans:n_clusters=6") && rows[2].contains("6 centers"),
        "{}",
        rows[2]
    );
    let csv = folder.read("out/comparison.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("method,status,object,explained,mean_squared_distance"), "{csv}");
    assert_eq!(lines.len(), 4);
    let json = folder.json("out/comparison.json");
    assert_eq!((json["points"].as_u64(), json["columns"].as_u64()), (Some(120), Some(3)));
    let ppt = &json["methods"][2];
    assert_eq!(ppt["status"], "finished");
    assert!(ppt["criteria"]["explained"].as_f64().unwrap() > 0.9, "{ppt}");
    assert!(ppt["criteria"]["class_compactness"].as_f64().unwrap() > 0.9, "{ppt}");
    let page = folder.read("out/comparison.html");
    assert_eq!(page.matches("<figure>").count(), 3);
    assert!(page.contains("PC 1 (") && !page.contains("<script"), "{page}");
    // The same again, byte by byte, but for times and memory.
    folder
        .run(&format!("compare lines.csv --id name --label kind --methods {methods} -o two -j 1"))
        .ok();
    let again = folder.json("two/comparison.json");
    for (a, b) in
        (json["methods"].as_array().unwrap().iter()).zip(again["methods"].as_array().unwrap())
    {
        assert_eq!(a["criteria"], b["criteria"]);
    }
}

#[test]
fn a_method_that_fails_has_its_reason() {
    let folder = lines();
    let run = folder.run(
        "compare lines.csv --id name --label kind -o out --methods pca,pptt,kmeans:n_clusters=999",
    );
    let run = run.ok();
    assert!(run.out.contains("pptt: ") && run.out.contains("ppt"), "{}", run.out);
    assert!(run.out.contains("kmeans:n_clusters=999: "), "{}", run.out);
    let page = folder.read("out/comparison.html");
    assert!(page.contains("class=\"reason\""), "{page}");
    let none = folder.run("compare lines.csv --id name --label kind -o none --methods pptt");
    let none = none.ends_with(1);
    assert!(none.err.contains("no method has a result; the first, pptt: "), "{}", none.err);
    assert!(folder.path("none/comparison.html").is_file());
}

#[test]
fn a_method_ends_at_its_time_limit() {
    let folder = Folder::new().with_points("tree -n 3000 -d 10 --seed 1");
    let run = folder
        .run("compare points.csv --methods elastic-tree:n_nodes=200,pca --time-limit 0.05 -o out");
    let run = run.ok();
    assert!(run.out.contains("stopped at the time limit of 0.05"), "{}", run.out);
}

#[test]
fn bad_requests_are_refused() {
    let folder = lines();
    for (line, code, words) in [
        ("lines.csv --time-limit 0", 2, "give a number of seconds above 0"),
        (
            "lines.csv --id name --label kind --methods pca --axes x,u -o out",
            2,
            "there is no column u",
        ),
        ("lines.csv --axes x", 2, "give the names of two columns"),
        ("lines.csv --label sort --methods pca", 3, "sort"),
    ] {
        folder.run(&format!("compare {line}")).fails(code, &[words]);
    }
    folder.run("compare lines.csv --id name --label kind --methods pca --axes x,z -o out").ok();
    folder
        .run("compare lines.csv --id name --label kind --methods pca -o out")
        .fails(2, &["--force"]);
}

#[test]
fn results_are_measured_by_the_same_criteria() {
    let folder = lines();
    folder.run("fit lines.csv --id name --label kind --method ppt -o ppt -q").ok();
    folder.run("compare lines.csv --id name --label kind --methods ppt -o out -q").ok();
    let compared = folder.json("out/comparison.json")["methods"][0]["criteria"].clone();
    assert_eq!(folder.json("ppt/model.json")["criteria"], compared);
    assert_eq!(folder.run("info ppt --json").ok().json()["criteria"], compared);
    assert_eq!(folder.run("measure ppt --json").ok().json(), compared);
    assert_eq!(folder.run("measure ppt --points lines.csv --json").ok().json(), compared);
    let text = folder.run("info ppt").ok().out;
    assert!(text.contains("\n  distances  correlation 0.9"), "{text}");
    assert!(text.contains(" of the 10 nearest kept, "), "{text}");
    let text = folder.run("measure ppt").ok().out;
    assert!(text.contains("explained is 1 - this / total variance"), "{text}");
    assert!(text.contains("120 of lines.csv"), "{text}");
    assert!(folder.read("ppt/report.html").contains("neighbors kept"));
    // Another graph has other figures: they are forgotten.
    folder.run("prune ppt -o p -q").ok();
    assert!(folder.json("p/model.json")["criteria"].is_null());
}
