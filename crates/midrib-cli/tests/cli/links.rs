//! `--links` and `--structure l1`.

use crate::folder::{Folder, wave, with_column};

const ALL: &str = "fit cells.csv -q --force --method rpg --n-nodes all --bandwidth 0.01 \
                   --data-weight 10 --max-iter 3 --links links.csv";

/// Sixty points named p0, p1, ….
fn named() -> Folder {
    Folder::new().with("cells.csv", with_column(&wave(60), "cell", |row| format!("p{row}")))
}

fn edges(folder: &Folder) -> Vec<(usize, usize, f64)> {
    serde_json::from_value(folder.json("cells.midrib/model.json")["edges"].clone()).unwrap()
}

#[test]
fn links_are_honored_by_trees_and_l1_graphs() {
    for structure in ["tree", "l1"] {
        let folder = named().with("links.csv", "a,b,link\np3,p40,must\np10,p11,cannot\n");
        folder.run(&format!("{ALL} --id cell --structure {structure}")).ok();
        let expected = "learned with must-links as edges: 1; cannot-links without an edge: 1";
        let info = folder.run("info cells.midrib").ok().out;
        assert!(info.contains(expected));
        assert_eq!(info.contains("its skeleton may drop some"), structure == "l1");
        let edges = edges(&folder);
        assert!(edges.iter().any(|&(a, b, weight)| (a, b) == (3, 40) && weight > 0.0));
        assert!(edges.iter().all(|&(a, b, _)| (a, b) != (10, 11)));
    }
}

/// The chord of a ring must not draw the nodes of its ends away from their points.
#[test]
fn must_links_hold_between_points_that_share_nodes() {
    let row = |i: usize| {
        let angle = i as f64 * std::f64::consts::TAU / 120.0;
        format!("c{i},{},{}\n", angle.cos(), angle.sin())
    };
    let ring: String = (0..120).map(row).collect();
    let folder = Folder::new()
        .with("ring.csv", format!("id,x,y\n{ring}"))
        .with("links.csv", "c0,c60,must\n");
    for structure in ["tree", "l1"] {
        let fit = "fit ring.csv -q --force --id id --method rpg --links links.csv --structure";
        folder.run(&format!("{fit} {structure}")).ok();
        let path = folder.run("path ring.midrib --from c0 --to c60").ok();
        let length = path.err.split("length ").nth(1).and_then(|rest| rest.split(':').next());
        let length: f64 = length.and_then(|number| number.parse().ok()).expect("a length");
        assert!((1.8..2.3).contains(&length), "{structure}: {}", path.err);
    }
}

#[test]
fn links_within_a_node_are_said() {
    let folder = named().with("links.csv", "p3,p4,must\np3,p40,must\n");
    let said = folder.run("fit cells.csv --id cell --n-nodes 8 --links links.csv").ok().out;
    assert!(
        said.contains("must-links within one node, which already joins their points: 1"),
        "{said}"
    );
}

#[test]
fn a_link_given_twice_counts_once() {
    let folder = named().with("links.csv", "p3,p40,must\np40,p3,must\np3,p4,must\np3,p4,must\n");
    let said = folder.run("fit cells.csv --id cell --n-nodes 8 --links links.csv").ok().out;
    assert!(said.contains("must-links as edges: 1; must-links within one node"), "{said}");
    assert!(said.contains("joins their points: 1\n"), "{said}");
}

#[test]
fn links_that_close_a_circle_of_few_nodes_say_why() {
    // p5 and p6 fall to one node, p54 and p55 to another.
    let folder = named().with("links.csv", "p5,p30,must\np30,p55,must\np54,p6,must\n");
    let words = &["must-link p54-p6 closes a cycle", "the same node", "use more nodes"];
    folder.run("fit cells.csv --id cell --n-nodes 6 --links links.csv").fails(3, words);
}

#[test]
fn without_ids_links_go_by_row() {
    let folder = Folder::new().with("cells.csv", wave(60)).with("links.csv", "3\t40\tmust\n");
    folder.run(ALL).ok();
    assert!(edges(&folder).iter().any(|&(a, b, _)| (a, b) == (3, 40)));
    let words = &["line 1", "no point is in row \"p3\"; give rows from 0 to 59", "--id"];
    folder.with("links.csv", "p3,p40,must\n").run(ALL).fails(3, words);
}

#[test]
fn links_that_cannot_be_honored_are_refused_with_the_reason() {
    let part: String = (0..60).filter(|i| *i != 7).map(|i| format!("p7,p{i},cannot\n")).collect();
    for (code, links, flags, words) in [
        (
            3,
            "p3,nobody,must\n",
            "",
            &["links.csv", "line 1", "no point has the id \"nobody\"; give"][..],
        ),
        (3, "p1,p2,must\np2,p1,cannot\n", "", &["line 2", "must in line 1", "remove"]),
        (3, "a,b,link\np1,p2,perhaps\n", "", &["line 2", "must or cannot"]),
        (3, "p1,p2,mst\np3,p4,must\n", "", &["line 1", "must or cannot"]),
        (3, "p1,p1,must\n", "", &["line 1", "to itself"]),
        (3, "p3,nowhere,maybe\np3,p4,must\n", "", &["line 1", "must or cannot"]),
        (3, "", "", &["links.csv: holds no links", "3,17,must"]),
        (
            3,
            "p1,p2,must\np2,p3,must\np3,p1,must\n",
            "",
            &["the must-link p3-p1 closes a cycle", "l1"],
        ),
        (3, &part, "", &["cannot-links separate the nodes", "(7)"]),
        (3, "p1,p2,cannot\n", "--n-nodes 3", &["p1-p2", "same one of the 3 nodes"]),
        (2, "p1,p2,must\n", "--tips tidy", &["--tips tidy", "could remove given links"]),
    ] {
        let folder = named().with("links.csv", links);
        let all =
            if flags.contains("n-nodes") { ALL.replace("--n-nodes all", "") } else { ALL.into() };
        folder.run(&format!("{all} --id cell {flags}")).fails(code, words);
    }
}

#[test]
fn a_link_to_an_id_that_two_points_have_is_refused() {
    let cells = with_column(&wave(60), "cell", |row| format!("p{}", row % 50));
    let folder = Folder::new().with("cells.csv", cells).with("links.csv", "p20,p30,must\n");
    folder.run(&format!("{ALL} --id cell")).ok();
    let folder = folder.with("links.csv", "p20,p3,must\n");
    let words = &["line 1", "\"p3\" is the id of several points", "rows 4 and 54 of their table"];
    folder.run(&format!("{ALL} --id cell")).fails(3, words);
}

#[test]
fn settings_of_the_l1_graph_are_checked() {
    let folder = Folder::new().with("cells.csv", wave(60));
    for (flags, words) in [
        ("--structure l1 --n-neighbors 60", &["--n-neighbors 60", "below the number of nodes"][..]),
        ("--structure l1 --n-nodes 1", &["--n-nodes 1: an l1 graph needs at least two nodes"]),
        ("--structure l1 --reconstruction-weight 0", &["--reconstruction-weight 0", "positive"]),
        (
            "--structure l1 --reconstruction-weight 1e308",
            &["--reconstruction-weight 1e308", "out of all proportion to the points"],
        ),
        ("--structure l1 --tips tidy", &["--tips", "trees only"]),
        ("--n-neighbors 5", &["--n-neighbors 5: ", "add --structure l1"]),
        ("--reconstruction-weight 4", &["--reconstruction-weight 4: ", "add --structure l1"]),
        ("--voids cross", &["--voids cross: ", "add --structure l1"]),
        ("--structure l2", &["l2", "l1"]),
    ] {
        folder.run(&format!("fit cells.csv --method rpg --n-nodes 20 {flags}")).fails(2, words);
    }
}

#[test]
fn lone_nodes_are_said_in_the_summary() {
    // Mutual neighbors: the far point is nobody's.
    let folder = Folder::new().with("cells.csv", format!("{}9,9\n", wave(60)));
    let flags = "--method rpg --structure l1 --n-nodes all --n-neighbors 2 --neighbors mutual";
    let said = folder.run(&format!("fit cells.csv {flags} --max-iter 2")).ok().out;
    assert!(said.contains("no candidate for an edge: each became a component"), "{said}");
    assert!(folder.run("info cells.midrib").ok().out.contains("no candidate for an edge"));
}

#[test]
fn notes_outlive_the_numbers_of_nodes() {
    let folder = Folder::new().with("cells.csv", format!("{}9,9\n", wave(60)));
    let flags = "--method rpg --structure l1 --n-nodes 30 --n-neighbors 2 --neighbors mutual";
    folder.run(&format!("fit cells.csv {flags} --max-iter 2")).ok();
    folder.run("prune cells.midrib -o pruned").ok();
    for results in ["cells.midrib", "pruned"] {
        let expected = folder.run(&format!("info {results}")).ok().out;
        assert!(expected.contains("had no candidate for an edge"), "{expected}");
        assert!(!expected.contains("node 0") && !expected.contains("the first"), "{expected}");
    }
}

#[test]
fn nodes_whose_edges_vanish_are_said_in_the_summary_and_are_no_branches() {
    let folder = Folder::new().with("cells.csv", wave(60));
    let flags = "--method rpg --structure l1 --n-nodes 20 --reconstruction-weight 1e-6";
    let said = folder.run(&format!("fit cells.csv {flags}")).ok().out;
    assert!(said.starts_with("0 tips, 0 branch points, 0 branches, 0 loops, 20 comp"), "{said}");
    let expected = "nodes without an edge, each a component of its own: 20";
    assert!(said.contains(expected), "{said}");
    assert!(folder.read("cells.midrib/report.html").contains(expected));
    let json = folder.run("info cells.midrib --json").ok().json();
    assert_eq!((&json["branches"], &json["lone_nodes"]), (&0.into(), &20.into()));
}
