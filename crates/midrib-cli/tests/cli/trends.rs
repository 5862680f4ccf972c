//! Features along a learned graph, and fates.

use crate::folder::Folder;

/// A Y of 300 points in 3 samples per condition, learned from x and y; `genes.csv` has other features.
fn learned() -> Folder {
    let mut table = String::from("name,x,y,arm,donor,drug\n");
    let mut genes = String::from("name,rising,left_only,flat,empty,counts\n");
    let arms = [("stem", -1.0, 0.0), ("left", 0.7, 0.7), ("right", 0.7, -0.7)];
    for (arm, dx, dy) in arms {
        for i in 0..100 {
            let (along, off) = (f64::from(i) / 10.0, 0.05 * f64::from(i % 7 - 3));
            let (x, y) = (along * dx + off * dy, along * dy - off * dx);
            let donor = i % 6;
            let drug = if donor < 3 { "none" } else { "some" };
            table += &format!("{arm}{i},{x},{y},{arm},d{donor},{drug}\n");
            let noise = f64::from((i * 37 + arm.len() as i32 * 11) % 19) / 19.0;
            let left = if arm == "left" { along } else { 0.0 };
            let count = (2.0 * noise + left) as usize;
            genes += &format!("{arm}{i},{},{},{noise},0,{count}\n", x + noise, left + noise);
        }
    }
    let folder = Folder::new().with("points.csv", table).with("genes.csv", genes);
    let labels = "--label arm --label donor --label drug";
    folder.run(&format!("fit points.csv -q --id name {labels} --n-nodes 30 -o y")).ok();
    folder.run("root y --root arm==stem").ok();
    folder
}

/// The rows of a table as maps from column to value.
fn rows(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = |line: &str| {
        let values = line.split(',').map(str::to_owned);
        header.iter().map(|name| (*name).to_owned()).zip(values).collect()
    };
    lines.map(row).collect()
}

#[test]
fn features_of_another_table_are_tested_and_sorted() {
    let folder = learned();
    let run = folder.run("trends y --features genes.csv --id name").ok();
    assert!(run.err.contains("genes.csv: 5 features at 300 points"), "{}", run.err);
    assert!(run.err.contains("not tested, 0 everywhere: 1 feature: empty"), "{}", run.err);
    assert!(!run.err.contains("p-values are too small"), "{}", run.err);
    let found = rows(&run.out);
    assert_eq!(found.len(), 5);
    let names: Vec<&str> = found.iter().map(|row| row["feature"].as_str()).collect();
    assert_eq!(names[4], "empty");
    let of = |name: &str| found.iter().find(|row| row["feature"] == name).unwrap();
    let q = |name: &str| of(name)["q"].parse::<f64>().unwrap();
    assert!(q("rising") < 1e-10 && q("left_only") < 1e-10 && q("flat") > 0.05);
    assert_eq!(of("rising")["direction"], "up");
    assert_eq!((of("empty")["status"].as_str(), of("empty")["p"].as_str()), ("zero", ""));
    assert!(found.iter().all(|row| row["null"] == "given"));
    assert_eq!(of("rising")["df1"], "7");

    let line = "trends y --features genes.csv --id name --curves c.csv --n-modules 2 -o again.csv";
    folder.run(line).ok();
    let curves = rows(&folder.read("c.csv"));
    let of = |name: &str| -> Vec<f64> {
        let of_feature = curves.iter().filter(|row| row["feature"] == name);
        of_feature.map(|row| row["value"].parse().unwrap()).collect()
    };
    assert!(of("rising").len() > 20 && of("empty").is_empty());
    let modules: std::collections::BTreeSet<&str> =
        curves.iter().map(|row| row["module"].as_str()).collect();
    assert_eq!(modules.into_iter().collect::<Vec<_>>(), ["0", "1"]);

    // The same in another order of rows, without some, and with others.
    let genes = folder.read("genes.csv");
    let mut lines: Vec<&str> = genes.lines().collect();
    lines[1..].reverse();
    lines.push("nobody,1,1,1,1,1");
    let folder = folder.with("other.csv", lines.join("\n"));
    let again = folder.run("trends y --features other.csv --id name").ok();
    assert!(
        again.err.contains("1 of 301 ids are not among those of the results and left out: nobody")
    );
    let again = rows(&again.out);
    for (row, expected) in again.iter().zip(&found) {
        assert_eq!(row["feature"], expected["feature"]);
        assert_eq!(row["n_nonzero"], expected["n_nonzero"]);
    }
}

#[test]
fn the_table_of_the_fit_comes_with_a_warning() {
    let folder = learned();
    let run = folder.run("trends y -o t.csv").ok();
    assert!(run.err.contains("the graph was learned from these features"), "{}", run.err);
    assert!(run.err.contains("p-values are too small"), "{}", run.err);
    assert_eq!(run.out, "");
    assert_eq!(rows(&folder.read("t.csv")).len(), 2);
    folder.run("trends y -o t.csv").fails(2, &["t.csv", "--force"]);
}

#[test]
fn paths_branches_forks_and_counts() {
    let folder = learned();
    let fork = folder.json("y/model.json")["edges"].as_array().unwrap().clone();
    let mut degree = vec![0; 64];
    for edge in &fork {
        (0..2).for_each(|end| degree[edge[end].as_u64().unwrap() as usize] += 1);
    }
    let node = degree.iter().position(|&degree| degree == 3).unwrap();
    let run = folder.run(&format!("trends y --features genes.csv --id name --fork {node}")).ok();
    assert!(run.err.contains("branches beyond the fork (points):"), "{}", run.err);
    let found = rows(&run.out);
    assert_eq!(found[0]["feature"], "left_only");
    assert!(found[0]["q"].parse::<f64>().unwrap() < 1e-10);
    assert!(!found[0]["highest_branch"].is_empty() && !found[0]["begins"].is_empty());

    let path = folder.run("trends y --features genes.csv --id name --path stem99,left99").ok();
    let found = rows(&path.out);
    assert_eq!(found[0]["df1"], "4");
    let counts = "trends y --features genes.csv --id name --noise counts";
    folder.run(counts).fails(3, &["feature rising is", "not a count"]);
    let only: String = folder
        .read("genes.csv")
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{},{},{}\n", cells[0], cells[5], if cells[0] == "name" { "one" } else { "1" })
        })
        .collect();
    let folder = folder.with("counts.csv", only);
    let run = folder.run("trends y --features counts.csv --id name --noise counts").ok();
    let found = rows(&run.out);
    let counted = found.iter().find(|row| row["feature"] == "counts").unwrap();
    assert!(counted["q"].parse::<f64>().unwrap() < 1e-10);
    let json = folder.run("trends y --features genes.csv --id name --json").ok().json();
    assert_eq!((json["features"].as_u64(), json["tested"].as_u64()), (Some(5), Some(4)));
}

#[test]
fn conditions_are_compared_by_samples() {
    let folder = learned();
    let line = "trends y --features genes.csv --id name --condition drug --sample donor";
    let run = folder.run(line).ok();
    assert!(run.err.contains("none (3 samples), some (3 samples)"), "{}", run.err);
    assert!(run.err.contains("20 permutations"), "{}", run.err);
    let found = rows(&run.out);
    assert!(
        found.iter().filter(|row| row["status"] == "tested").all(|row| {
            row["p"].parse::<f64>().unwrap() >= 0.05 && !row["mean_none"].is_empty()
        })
    );
    folder
        .run("trends y --features genes.csv --id name --condition drug --sample arm")
        .fails(3, &["sample stem has points of the conditions none and some"]);
    folder
        .run("trends y --features genes.csv --id name --condition dose --sample donor")
        .fails(2, &["--condition dose", "they have arm, donor, drug"]);
    let adjusted = folder.run("trends y --features genes.csv --id name --covariate donor").ok();
    assert_eq!(rows(&adjusted.out)[0]["df2"], "287");
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let folder = learned();
    let wrong =
        folder.read("genes.csv").replace("stem", "s").replace("left", "l").replace("right", "r");
    let folder = folder.with("wrong.csv", wrong).with("short.csv", "a,b\n1,2\n2,1\n");
    let line = "trends y --features wrong.csv --id name";
    folder.run(line).fails(3, &["none of its 300 ids", "s0, s1, s2, s3, s4", "stem0", "--id COL"]);
    folder.run("trends y --features short.csv").fails(3, &["there is no column name"]);
    folder.run("fit points.csv -q -o plain").ok();
    let plain = folder.run("trends plain --features short.csv");
    plain.fails(3, &["has 2 rows and no ids", "300 points"]);
    let line = "trends y --features genes.csv --id name";
    folder.run(&format!("{line} --branch 9")).fails(3, &["branch 9: there is no such branch"]);
    folder
        .run(&format!("{line} --fork stem99"))
        .fails(3, &["this node is a tip; branch points are"]);
    folder.run(&format!("{line} --path stem99")).fails(2, &["two locations, separated by a comma"]);
    folder.run(&format!("{line} --path stem99,stem99")).fails(3, &["no points are on the path"]);
    folder.run("fit points.csv -q --id name --method som -o map").ok();
    folder.run("trends map --features genes.csv --id name").fails(3, &["midrib trends"]);
}

#[test]
fn fates_add_up_to_one() {
    let folder = learned();
    let run = folder.run("fates y").ok();
    assert!(run.err.contains("2 fates: tips"), "{}", run.err);
    let found = rows(&run.out);
    assert_eq!(found.len(), 300);
    for row in &found {
        let fates = row.iter().filter(|(name, _)| name.starts_with("fate_"));
        let sum: f64 = fates.map(|(_, p)| p.parse::<f64>().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
    let entropy = |id: &str| -> f64 {
        let row = found.iter().find(|row| row["id"] == id).unwrap();
        row["entropy"].parse().unwrap()
    };
    assert!(entropy("stem50") > 0.9 && entropy("left99") < 0.2);
}
