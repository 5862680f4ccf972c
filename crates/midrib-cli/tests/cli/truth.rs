//! Learned graphs beside what is true.

use crate::folder::{Folder, wave};

#[test]
fn a_good_fit_comes_near_the_truth() {
    let folder = Folder::new().with_points("tree -n 400 --branch-points 1 --seed 2");
    folder.run("fit points.csv -q -o tree").ok();
    let found = folder.run("measure tree points.truth --json").ok().json();
    for (measure, least) in
        [("correlation", 0.97), ("him", 0.95), ("f1_branches", 0.85), ("f1_milestones", 0.8)]
    {
        assert!(found[measure].as_f64().unwrap() > least, "{measure}: {found}");
    }
    assert_eq!(found["same_topology"], true);
    assert_eq!(found["points"], 400);
    let text = folder.run("measure tree points.truth").ok().out;
    assert!(text.starts_with("correlation of distances  0.98"), "{text}");
    assert!(text.contains("topology                  same\n"), "{text}");

    folder.run("fit points.csv -q --method elastic-curve -o curve").ok();
    let curve = folder.run("measure curve points.truth --json").ok().json();
    assert_eq!(curve["same_topology"], false);
    for measure in ["correlation", "him", "f1_branches"] {
        assert!(curve[measure].as_f64() < found[measure].as_f64(), "{measure}: {curve}");
    }
}

#[test]
fn names_that_do_not_match_are_counted_and_shown() {
    let folder = Folder::new().with_points("s -n 100").with("cells.csv", wave(90));
    folder.run("fit cells.csv -q -o wave").ok();
    // Fewer points than the truth has.
    let run = folder.run("measure wave points.truth --json").ok();
    assert_eq!(run.json()["points"], 90);
    assert!(run.err.contains("10 points of the truth are not in the results"), "{}", run.err);

    std::fs::create_dir(folder.path("dyn")).unwrap();
    let progressions: String = (0..90).map(|i| format!("cell{i},A,B,0.5\n")).collect();
    let folder = folder
        .with("dyn/milestone_network.csv", "from,to,length,directed\nA,B,1,TRUE\n")
        .with("dyn/progressions.csv", format!("cell_id,from,to,percentage\n{progressions}"));
    folder.run("measure wave dyn").fails(
        3,
        &["wave: 90 of the 90 points are not among the 90 of the truth: 0, 1, 2, 3, 4, …"],
    );
    let labels: String = (0..90).map(|i| format!("cell{}\n", 89 - i)).collect();
    let folder = folder.with("dyn/labels.csv", format!("cell\n{labels}"));
    assert_eq!(folder.run("measure wave dyn --json").ok().json()["points"], 90);
    folder.run("measure wave dyn --label x").fails(2, &["give a truth or --label, not both"]);
    folder.run("measure wave nowhere").fails(3, &["nowhere: there is no such file"]);
    folder.run("measure cells.csv").fails(2, &["name the truth, or one column with classes"]);
    folder.run("measure wave dyn --points cells.csv").fails(2, &["give a truth or --points"]);
}

#[test]
fn flags_for_tables_are_refused_and_raw_graphs_are_noted() {
    let folder = Folder::new().with_points("circle -n 200");
    folder.run("fit points.csv --method rpg --structure l1 -o r").ok();
    folder.run("measure r points.truth --id x").fails(2, &["--id", "truth"]);
    let measured = folder.run("measure r points.truth").ok();
    assert!(measured.err.contains("midrib simplify r -o DIR"), "{}", measured.err);
    folder.run("simplify r -o s").ok();
    let skeleton = folder.run("measure s points.truth").ok();
    assert!(!skeleton.err.contains("simplify"), "{}", skeleton.err);
    assert!(skeleton.out.contains("topology                  same"), "{}", skeleton.out);
}
