//! The page that every fit ends with.

use crate::place::Place;

/// What stands in an element of the page.
fn block(page: &str, id: &str) -> serde_json::Value {
    let open = format!("id=\"{id}\">");
    let from = page.find(&open).unwrap() + open.len();
    let to = from + page[from..].find("</script>").unwrap();
    serde_json::from_str(&page[from..to]).unwrap()
}

#[test]
fn a_fit_writes_a_report_and_it_can_be_made_again() {
    let place = Place::new().with_points("tree -n 200 -d 4");
    let run = place.run("fit points.csv --n-nodes 20 --scale unit -o y").ok();
    assert!(run.err.contains("open y/report.html in a browser"), "{}", run.err);
    let page = place.read("y/report.html");
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

    place.run("report y").ok();
    assert_eq!(place.read("y/report.html"), page);
    place.run("report y -o other.html").ok();
    assert_eq!(place.read("other.html"), page);
    let refused = place.run("report y -o other.html");
    assert!(refused.err.contains("pass --force"), "{}", refused.err);
}

#[test]
fn root_brings_the_report_up_to_date() {
    let place = Place::new().with_points("tree -n 200");
    place.run("fit points.csv --n-nodes 20 -o y").ok();
    let before = place.read("y/report.html");
    assert_eq!(block(&before, "midrib-root"), serde_json::json!([]));
    place.run("root y --root 3").ok();
    let after = place.read("y/report.html");
    assert_eq!(block(&after, "midrib-root"), serde_json::json!([3]));
    assert_eq!(block(&after, "midrib-data"), block(&before, "midrib-data"));
    std::fs::remove_file(place.path("y/report.html")).unwrap();
    place.run("root y --root 4").ok();
    assert_eq!(block(&place.read("y/report.html"), "midrib-root"), serde_json::json!([4]));
}

#[test]
fn a_report_needs_neither_the_table_nor_the_points() {
    let place = Place::new().with_points("tree -n 100");
    place.run("fit points.csv --n-nodes 10 -o y").ok();
    std::fs::remove_file(place.path("points.csv")).unwrap();
    place.run("report y").ok();
    let data = block(&place.read("y/report.html"), "midrib-data");
    assert_eq!(data["spaces"][0]["name"], "plane of the graph");
    let said = data["warnings"][0].as_str().unwrap();
    assert!(said.contains("drawn at their places on the graph"), "{said}");
    let named = place.run("report y --points points.csv");
    assert!(named.err.contains("points.csv"), "{}", named.err);
    std::fs::remove_file(place.path("y/points.csv")).unwrap();
    place.run("report y").ok();
    let data = block(&place.read("y/report.html"), "midrib-data");
    assert_eq!((&data["n"], &data["nodes"]), (&0.into(), &10.into()));
}
