//! Generated data and their truth.

use crate::folder::Folder;

#[test]
fn every_shape_comes_with_its_true_graph() {
    let folder = Folder::new();
    for (shape, [tips, branch_points, loops, components]) in [
        ("tree", [4, 2, 0, 1]),
        ("s", [2, 0, 0, 1]),
        ("spiral", [2, 0, 0, 1]),
        ("circle", [0, 0, 1, 1]),
        ("two-moons", [4, 0, 0, 2]),
        ("three-clusters", [0, 0, 0, 3]),
        ("zigzag", [2, 0, 0, 1]),
        ("helix", [2, 0, 0, 1]),
        ("swiss-roll", [2, 0, 0, 1]),
    ] {
        let run = folder.run(&format!("synth {shape} -n 50 -d 4")).ok();
        assert_eq!(run.out, "");
        assert!(run.err.contains(&format!("the true graph is in {shape}.truth")), "{}", run.err);
        let table = folder.read(&format!("{shape}.csv"));
        assert!(table.starts_with("x0,x1,x2,x3\n"), "{table}");
        assert_eq!(table.lines().count(), 51);
        assert_eq!(folder.read(&format!("{shape}.truth/points.csv")).lines().count(), 51);
        let truth = folder.run(&format!("info {shape}.truth --json")).ok().json();
        for (key, count) in [
            ("tips", tips),
            ("branch_points", branch_points),
            ("loops", loops),
            ("components", components),
        ] {
            assert_eq!(truth[key], count, "{shape}: {key}");
        }
        let text = folder.run(&format!("info {shape}.truth")).ok().out;
        assert!(text.contains("the true graph of generated points"), "{text}");
    }
}

#[test]
fn a_fit_finds_the_tips_of_a_tree() {
    for branch_points in [1, 3] {
        let folder = Folder::new()
            .with_points(&format!("tree -n 1500 --branch-points {branch_points} --seed 3"));
        let truth = folder.run("info points.truth --json").ok().json();
        assert_eq!(truth["tips"], branch_points + 2);
        let found = folder.run("fit points.csv --json").ok().json();
        for key in ["tips", "branch_points", "branches"] {
            assert_eq!(found[key], truth[key], "{key}");
        }
    }
}

#[test]
fn a_seed_gives_the_same_points_again() {
    let folder = Folder::new();
    let points = |flags: &str| folder.run(&format!("synth tree -n 40 -o - {flags}")).ok().out;
    assert_eq!(points("--seed 5"), points("--seed 5"));
    assert_ne!(points("--seed 5"), points("--seed 6"));
    assert_eq!(folder.names().len(), 0);
}

#[test]
fn quiet_is_silent() {
    let run = Folder::new().run("synth s -q").ok();
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
}

#[test]
fn what_cannot_be_generated_is_refused() {
    let folder = Folder::new();
    for (line, words) in [
        ("synth", ["<SHAPE>", "Usage"]),
        ("synth square", ["'square'", "three-clusters"]),
        ("synth helix -d 2", ["--dims 2: ", "needs at least 3"]),
        ("synth s -d 0", ["--dims", "a whole number of at least 1"]),
        ("synth s -n 0", ["--n", "a whole number of at least 1"]),
        ("synth s -n many", ["'many'", "a whole number of at least 1"]),
        ("synth s --noise -1", ["'-1'", "a number of at least 0"]),
        ("synth s --noise nan", ["'nan'", "a number of at least 0"]),
        ("synth s --seed -1", ["'-1'", "a whole number of at least 0"]),
        ("synth s --branch-points 3", ["--branch-points 3", "only a tree has branch points"]),
        ("synth s -o a.truth", ["a.truth: the true graph will have this name", "another one"]),
    ] {
        folder.run(line).fails(2, &words);
        assert_eq!(folder.names().len(), 0, "midrib {line}");
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let folder = Folder::new();
    folder.run("synth s -n 20 -q").ok();
    let before = folder.read("s.csv");
    folder.run("synth s -n 30").fails(2, &["exists already; pass --force"]);
    std::fs::remove_dir_all(folder.path("s.truth")).unwrap();
    folder.run("synth s -n 30").fails(2, &["s.csv: exists already; pass --force"]);
    assert_eq!(folder.read("s.csv"), before);
    std::fs::remove_file(folder.path("s.csv")).unwrap();
    folder.run("synth s -n 20 -q").ok();
    std::fs::remove_file(folder.path("s.csv")).unwrap();
    folder.run("synth s -n 30").fails(2, &["s.truth: exists already; pass --force"]);
    assert_eq!(folder.names(), ["s.truth"]);
    folder.run("synth s -n 30 --force").ok();
    assert_eq!(folder.read("s.csv").lines().count(), 31);
}
