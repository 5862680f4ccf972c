//! `--structure l1`, and how its graphs are read.

use crate::folder::Folder;

const FIT: &str = "fit points.csv -q --method rpg --structure l1";

fn reading(folder: &Folder) -> String {
    folder.run(FIT).ok();
    let info = folder.run("info points.midrib").ok().out;
    assert!(info.contains("raw graph") && info.contains("independent cycle"), "{info}");
    info
}

#[test]
fn a_circle_has_one_loop_and_no_branch_points() {
    let info = reading(&Folder::new().with_points("circle -n 400 --noise 0.05 --seed 1"));
    assert!(info.starts_with("0 tips, 0 branch points, 1 branch, 1 loop, 1 component"), "{info}");
    assert!(info.contains(" % of the variance, by the raw graph\n"), "{info}");
}

#[test]
fn branches_of_a_raw_graph_color_its_points_only_if_asked() {
    let folder = Folder::new().with_points("circle -n 200 --noise 0.05 --seed 1");
    folder.run(FIT).ok();
    folder.run("draw points.midrib -o plain.svg").ok();
    let colored = folder.run("draw points.midrib --color branch -o colored.svg").ok();
    assert!(colored.err.contains("this is about the raw graph"), "{}", colored.err);
    assert!(!folder.read("plain.svg").contains(">branch<"));
    assert!(folder.read("colored.svg").contains(">branch<"));
    folder.run("simplify points.midrib -o ring.midrib -q").ok();
    folder.run("draw ring.midrib -o ring.svg").ok();
    assert!(folder.read("ring.svg").contains(">branch<"));
}

#[test]
fn two_moons_are_two_components() {
    let info = reading(&Folder::new().with_points("two-moons -n 600 --noise 0.04 --seed 1"));
    assert!(info.starts_with("4 tips, 0 branch points, 2 branches, 0 loops, 2 comp"), "{info}");
}

/// Few points, so that the neighbors of a tip reach the other moon.
#[test]
fn moons_of_few_points_are_not_joined_across_the_void() {
    for seed in 1..4 {
        let moons = format!("two-moons -n 200 --noise 0.05 --seed {seed}");
        let folder = Folder::new().with_points(&moons);
        let info = reading(&folder);
        assert!(info.starts_with("4 tips, 0 branch points, 2 branches, 0 loops, 2 comp"), "{info}");
        assert!(info.contains("because of a void between them; --voids cross would"), "{info}");
        folder.run(&format!("{FIT} --voids cross --force")).ok();
        let info = folder.run("info points.midrib").ok().out;
        assert!(info.lines().next().unwrap().ends_with("1 component"), "{info}");
    }
}

#[test]
fn a_tree_has_its_tips_and_branch_points() {
    let info = reading(&Folder::new().with_points("tree --branch-points 2 -n 600 --noise 0.04"));
    assert!(info.starts_with("4 tips, 2 branch points, 5 branches, 0 loops, 1 comp"), "{info}");
}

#[test]
fn an_x_has_one_crossing() {
    // Two strokes through the origin with a fine, even scatter.
    let scatter = |i: usize, step: usize| ((i * step) % 97) as f64 / 97.0 * 0.12 - 0.06;
    let rows: String = (0..800)
        .map(|i| {
            let along = (i / 2) as f64 / 200.0 - 1.0;
            let other = if i % 2 == 0 { along } else { -along };
            format!("{},{}\n", along + scatter(i, 31), other + scatter(i, 57))
        })
        .collect();
    let folder = Folder::new().with("points.csv", format!("x,y\n{rows}"));
    let info = reading(&folder);
    assert!(info.starts_with("4 tips, 0 branch points, 1 crossing, 4 branches"), "{info}");
    let report = folder.read("points.midrib/report.html");
    assert!(report.contains(r#"["branch points","0"],["crossings","1"]"#));
}

#[test]
fn the_skeleton_is_written_and_the_raw_graph_stays() {
    let folder = Folder::new().with_points("circle -n 400 --noise 0.05 --seed 1");
    folder.run(FIT).ok();
    folder.run("simplify points.midrib -o skeleton -q").ok();
    let edges =
        |name: &str| folder.json(&format!("{name}/model.json"))["edges"].as_array().unwrap().len();
    assert!(edges("points.midrib") > 150 && edges("skeleton") <= 100);
    let info = folder.run("info skeleton").ok().out;
    assert!(info.contains("1 loop") && !info.contains("raw graph"), "{info}");
}

/// Where a quick tree has as many nodes as the graph, these must not start where it lay.
#[test]
fn many_points_are_read_as_few_are() {
    for (shape, counts) in [
        ("circle", "0 tips, 0 branch points, 1 branch, 1 loop, 1 component"),
        ("two-moons", "4 tips, 0 branch points, 2 branches, 0 loops, 2 components"),
    ] {
        for n in [2000, 5000] {
            for seed in [0, 3] {
                let info =
                    reading(&Folder::new().with_points(&format!("{shape} -n {n} --seed {seed}")));
                assert!(info.starts_with(counts), "{shape} of {n}: {info}");
            }
        }
    }
}
