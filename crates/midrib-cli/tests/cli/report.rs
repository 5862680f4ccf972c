//! The page that every fit ends with.

use crate::folder::Folder;

/// What stands in an element of the page.
fn block(page: &str, id: &str) -> serde_json::Value {
    let open = format!("id=\"{id}\">");
    let from = page.find(&open).unwrap() + open.len();
    let to = from + page[from..].find("</script>").unwrap();
    serde_json::from_str(&page[from..to]).unwrap()
}

#[test]
fn a_fit_writes_a_report_and_it_can_be_made_again() {
    let folder = Folder::new().with_points("tree -n 200 -d 4");
    let run = folder.run("fit points.csv --n-nodes 20 --scale unit -o y").ok();
    assert!(run.err.contains("open y/report.html in a browser"), "{}", run.err);
    let page = folder.read("y/report.html");
    let data = block(&page, "midrib-data");
    assert_eq!(data["n"], 200);
    assert_eq!(data["command"], "midrib fit points.csv --n-nodes 20 --scale unit -o y");
    assert_eq!(data["spaces"][0]["name"], "principal components");
    // The columns are those of the table, not the scaled ones.
    let known: Vec<&str> =
        data["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert!(["x0", "x1", "x2", "x3", "distance"].iter().all(|name| known.contains(name)));
    let settings = data["settings"].as_array().unwrap();
    let nodes = settings.iter().find(|setting| setting["flag"] == "--n-nodes").unwrap();
    assert_eq!((&nodes["value"], &nodes["origin"]), (&"20".into(), &"given".into()));
    assert!(data["methods"].as_str().unwrap().contains("The columns were scaled"));

    folder.run("report y").ok();
    assert_eq!(folder.read("y/report.html"), page);
    folder.run("report y -o other.html").ok();
    assert_eq!(folder.read("other.html"), page);
    let refused = folder.run("report y -o other.html");
    assert!(refused.err.contains("pass --force"), "{}", refused.err);
}

/// On a map, distances are those from the map, whether the page is written by the fit or made again.
#[test]
fn the_report_of_a_map_can_be_made_again() {
    let folder = Folder::new().with_points("tree -n 200 -d 4");
    for method in ["elastic-map", "cubic", "pca"] {
        folder.run(&format!("fit points.csv -m {method} -o y --force")).ok();
        let page = folder.read("y/report.html");
        folder.run("report y").ok();
        assert_eq!(folder.read("y/report.html"), page, "{method}");
    }
}

#[test]
fn root_brings_the_report_up_to_date() {
    let folder = Folder::new().with_points("tree -n 200");
    folder.run("fit points.csv --n-nodes 20 -o y").ok();
    let before = folder.read("y/report.html");
    assert_eq!(block(&before, "midrib-root"), serde_json::json!([]));
    folder.run("root y --root 3").ok();
    let after = folder.read("y/report.html");
    assert_eq!(block(&after, "midrib-root"), serde_json::json!([3]));
    assert_eq!(block(&after, "midrib-data"), block(&before, "midrib-data"));
    std::fs::remove_file(folder.path("y/report.html")).unwrap();
    folder.run("root y --root 4").ok();
    assert_eq!(block(&folder.read("y/report.html"), "midrib-root"), serde_json::json!([4]));
}

#[test]
fn a_report_needs_neither_the_table_nor_the_points() {
    let folder = Folder::new().with_points("tree -n 100");
    folder.run("fit points.csv --n-nodes 10 -o y").ok();
    std::fs::remove_file(folder.path("points.csv")).unwrap();
    folder.run("report y").ok();
    let data = block(&folder.read("y/report.html"), "midrib-data");
    assert_eq!(data["spaces"][0]["name"], "plane of the graph");
    let said = data["warnings"][0].as_str().unwrap();
    assert!(said.contains("drawn at their projections onto the graph"), "{said}");
    let named = folder.run("report y --points points.csv");
    assert!(named.err.contains("points.csv"), "{}", named.err);
    std::fs::remove_file(folder.path("y/points.csv")).unwrap();
    folder.run("report y").ok();
    let data = block(&folder.read("y/report.html"), "midrib-data");
    assert_eq!((&data["n"], &data["nodes"]), (&0.into(), &10.into()));
}

/// The value of a fact on the card.
fn fact(data: &serde_json::Value, name: &str) -> String {
    let facts = data["facts"].as_array().unwrap().iter();
    facts.clone().find(|fact| fact[0] == name).unwrap()[1].as_str().unwrap().into()
}

#[test]
fn the_page_warns_of_what_the_command_line_warned_of() {
    let row = |i: usize| {
        let gap = if i.is_multiple_of(9) { String::new() } else { format!("{}", 100 * i) };
        format!("{i},{gap},{}\n", (i * i) % 7)
    };
    let table = "a,b,c\n".to_owned() + &(0..60).map(row).collect::<String>();
    let folder = Folder::new().with("far.csv", table);
    let run = folder.run("fit far.csv --gaps --method elastic-curve --n-nodes 8 -o far").ok();
    let data = block(&folder.read("far/report.html"), "midrib-data");
    let warned = data["warnings"].to_string();
    for said in ["7 missing values in 7 rows: b 7", "the columns differ in spread by a factor of"] {
        assert!(run.err.contains(said) && warned.contains(said), "{said}: {}\n{warned}", run.err);
    }
    assert_eq!(fact(&data, "end"), "grown");
    assert!(data["methods"].as_str().unwrap().contains(" The fit grew the graph in "));
    // They are kept with the model, not with the page.
    std::fs::remove_file(folder.path("far/report.html")).unwrap();
    folder.run("report far").ok();
    let again = block(&folder.read("far/report.html"), "midrib-data");
    assert_eq!(again["warnings"], data["warnings"]);
}

#[test]
fn card_and_paragraph_tell_skeleton_and_whole_graph_apart() {
    let folder = Folder::new().with_points("circle -n 150 --noise 0.1");
    folder.run("fit points.csv --method rpg --structure l1 --n-nodes 40 -o l1").ok();
    let data = block(&folder.read("l1/report.html"), "midrib-data");
    let info = folder.run("info l1 --json").ok().json();
    let (shown, whole) = (&info["nodes"], &info["raw"]["nodes"]);
    assert!(whole.as_u64().is_some(), "{info}");
    let nodes = if shown == whole { shown.to_string() } else { format!("{shown} of {whole}") };
    assert_eq!(fact(&data, "nodes"), nodes);
    let methods = data["methods"].as_str().unwrap();
    assert!(methods.contains(&format!("whose skeleton is a graph of {shown} node")), "{methods}");
    assert!(methods.contains(&format!("gave a graph of {whole} nodes, ")), "{methods}");
    assert!(data["warnings"].to_string().contains(&format!("skeleton of {shown} nodes")));
}

#[test]
fn shares_of_components_are_those_of_the_table() {
    let folder = Folder::new().with_points("tree -n 200 -d 12 --noise 0.3");
    folder.run("fit points.csv --n-nodes 20 --pca 5 -o few").ok();
    let data = block(&folder.read("few/report.html"), "midrib-data");
    let model = folder.json("few/model.json");
    let shares = model["input"]["prepare"]["pca"]["shares"].as_array().unwrap();
    for (axis, share) in data["spaces"][0]["axes"].as_array().unwrap().iter().zip(shares) {
        let shown: f64 = axis.as_str().unwrap()[6..].trim_end_matches(" %)").parse().unwrap();
        assert!((shown - 100.0 * share.as_f64().unwrap()).abs() <= 0.5 + 1e-9, "{axis}: {share}");
    }
    assert!(fact(&data, "variance explained").ends_with(" % of 5 components"));
    folder.run("draw few -o few.svg").ok();
    let first = 100.0 * shares[0].as_f64().unwrap();
    let axis = format!("PC 1 ({first:.0} % of the variance)");
    assert!(folder.read("few.svg").contains(&axis), "{axis}");
}
