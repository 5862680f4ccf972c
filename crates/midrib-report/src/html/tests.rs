use midrib::math::Matrix;

use super::*;

/// Numbers without order, the same in every run.
fn noise(i: usize) -> f64 {
    let mixed = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64
        / (1_u64 << 53) as f64
}

/// A line of four nodes.
fn line() -> PrincipalGraph {
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.5], [3.0, 0.0]]).unwrap();
    PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 0.5), (2, 3, 1.0)], vec![1.0; 4]).unwrap()
}

/// So many points about it, in so many columns.
fn about(n: usize, dims: usize) -> Points<'static> {
    let value = |i: usize| if i.is_multiple_of(dims) { 3.0 * noise(i) } else { 0.1 * noise(i) };
    Points::from_f64((0..n * dims).map(value).collect::<Vec<f64>>(), dims).unwrap()
}

fn names(dims: usize) -> Vec<String> {
    (0..dims).map(|d| format!("x{d}")).collect()
}

/// A report of a graph and nothing else.
fn bare<'a>(graph: &'a PrincipalGraph, words: &'a Words) -> Report<'a> {
    Report {
        graph,
        points: None,
        root: &[],
        trace: &[],
        untraced: 0,
        step: "sweep",
        tuning: None,
        words,
    }
}

/// A page, with points in two columns on the line and more columns to colour by.
fn page(n: usize, dims: usize, labels: &[(&str, &[String])], ids: Option<&[String]>) -> String {
    let graph = line();
    let points = about(n, 2);
    let projection = graph.project(&points).unwrap();
    let table = DrawnTable::of(&about(n, dims), &names(dims));
    let two = names(2);
    let words = Words { title: "points".into(), ..Words::default() };
    let points = ReportPoints {
        projection: &projection,
        ids,
        labels,
        prepared: Some((&points, &two)),
        held: 1.0,
        table: Some(&table),
        table_nodes: None,
        latent: None,
    };
    let report =
        Report { points: Some(points), root: &[1], trace: &[3.0, 2.0], ..bare(&graph, &words) };
    html(&report).unwrap()
}

fn data(page: &str) -> Value {
    let open = "id=\"midrib-data\">";
    let from = page.find(open).unwrap() + open.len();
    let to = from + page[from..].find("</script>").unwrap();
    serde_json::from_str(&page[from..to]).unwrap()
}

#[test]
fn the_page_stays_below_a_megabyte_and_ten_bytes_a_point() {
    for (n, dims) in [(1, 3), (500, 3), (2000, 800), (30_000, 40), (210_000, 4)] {
        let ids: Vec<String> =
            (0..n).map(|i| format!("cell-{:x}", (noise(i) * 1e15) as u64)).collect();
        let stages: Vec<String> = (0..n).map(|i| format!("stage {}", i % 7)).collect();
        let page = page(n, dims, &[("stage", &stages)], Some(&ids));
        let drawn = n.min(200_000);
        assert!(page.len() <= 1_000_000 + 10 * drawn, "{n}: {}", page.len());
        let data = data(&page);
        assert_eq!(
            (data["n"].as_u64(), data["drawn"].as_u64()),
            (Some(n as u64), Some(drawn as u64))
        );
        assert_eq!(data["columns"][0]["name"], "stage");
        if n == 2000 {
            // It is filled as far as it goes, and says so.
            let kept = data["columns"].as_array().unwrap().len() - 2;
            assert!((150..800).contains(&kept), "{kept}");
            let said = format!("{kept} of 800 columns are in this page");
            assert!(data["warnings"][0].as_str().unwrap().starts_with(&said));
        }
    }
}

#[test]
fn nothing_from_the_data_becomes_markup() {
    let evil = [
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "\"'`&amp;]]><!--",
        "\u{2028}\u{202e}\0",
        "日本語",
    ];
    let long = "<".repeat(10_000);
    let values: Vec<String> =
        evil.iter().copied().chain([long.as_str()]).map(String::from).collect();
    let labels: &[(&str, &[String])] = &[("</script><b>", &values)];
    let clean: Vec<String> = (0..6).map(|i| i.to_string()).collect();
    let bad = page(6, 3, labels, Some(&values));
    let good = page(6, 3, &[("stage", &clean)], Some(&clean));
    for mark in ["<script", "</script", "<img", "<!--", "<b>"] {
        assert_eq!(bad.matches(mark).count(), good.matches(mark).count(), "{mark}");
    }
    let data = data(&bad);
    assert_eq!(data["columns"][0]["name"], "</script><b>");
    let classes = data["columns"][0]["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 6);
    assert!(classes.iter().any(|class| class == evil[0]));
    assert!(classes.iter().all(|class| class.as_str().unwrap().chars().count() <= 200));
}

#[test]
fn little_data_makes_a_page_too() {
    let one = Matrix::from_rows(&[[1.0, 2.0, 3.0, 4.0]]).unwrap();
    let graph = PrincipalGraph::new(one, &[], vec![1.0]).unwrap();
    let words = Words::default();
    let alone = bare(&graph, &words);
    let told = data(&html(&alone).unwrap());
    assert_eq!((told["n"].as_u64(), told["nodes"].as_u64()), (Some(0), Some(1)));
    assert_eq!(told["histogram"], Value::Null);
    assert_eq!(told["spaces"].as_array().unwrap().len(), 1);
    let point = Points::from_f64(vec![1.0, 2.0, 3.0, 4.0], 4).unwrap();
    let projection = graph.project(&point).unwrap();
    let four = names(4);
    let points = ReportPoints {
        projection: &projection,
        ids: None,
        labels: &[],
        prepared: Some((&point, &four)),
        held: 1.0,
        table: None,
        table_nodes: None,
        latent: None,
    };
    let told = data(&html(&Report { points: Some(points), ..alone }).unwrap());
    assert_eq!(told["n"], 1);
    // Without their coordinates, points are drawn at their places on the graph.
    let unknown = ReportPoints { prepared: None, ..points };
    let told = data(&html(&Report { points: Some(unknown), ..alone }).unwrap());
    assert_eq!(told["spaces"][0]["name"], "plane of the graph");
}

#[test]
fn five_hundred_classes_and_gaps_keep_their_codes() {
    let classes: Vec<String> = (0..1000)
        .map(|i| if i % 10 == 3 { String::new() } else { format!("c{}", i % 500) })
        .collect();
    let told = data(&page(1000, 2, &[("class", &classes)], None));
    let column = &told["columns"][0];
    assert_eq!(column["classes"].as_array().unwrap().len(), 450);
    assert_eq!(told["arrays"]["column0"]["kind"], "u16");
    assert!(told["arrays"].get("ids").is_none());
}

#[test]
fn roots_are_exchanged_and_the_run_is_remembered() {
    let graph = line();
    let run = json!({"command": "midrib fit '<a>.csv'", "seconds": 1.5});
    let words = Words { run: run.clone(), ..Words::default() };
    let report = bare(&graph, &words);
    let page = html(&report).unwrap();
    assert_eq!(run_of(&page), Some(run));
    let rooted = with_root(&page, &[2, 3]).unwrap();
    assert_eq!(rooted, html(&Report { root: &[2, 3], ..report }).unwrap());
    assert_eq!(run_of("<html></html>"), None);
}

#[test]
fn pseudotime_begins_at_an_outer_end_of_the_largest_component() {
    let nodes = Matrix::from_rows(&[[9.0], [0.0], [1.0], [2.5], [-4.0]]).unwrap();
    let edges = [(1, 2, 1.0), (2, 3, 1.0), (1, 4, 1.0)];
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 5]).unwrap();
    assert_eq!(default_root(&graph).unwrap(), 4);
    assert_eq!(default_root(&line()).unwrap(), 3);
}

#[test]
fn two_hundred_thousand_points_keep_labels_names_and_some_columns() {
    let n = 200_000;
    let graph = line();
    let points = about(n, 10);
    let nodes = Matrix::new(4, 10, (0..40).map(|i| 3.0 * noise(i)).collect()).unwrap();
    let edges: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b, 1.0)).collect();
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    let projection = graph.project(&points).unwrap();
    let table = DrawnTable::of(&points, &names(10));
    let ten = names(10);
    let ids: Vec<String> = (0..n).map(|i| format!("AAACCTG{i:06}-1")).collect();
    let stages: Vec<String> = (0..n).map(|i| format!("stage {}", i / 30_000)).collect();
    let words = Words::default();
    let report = Report {
        points: Some(ReportPoints {
            projection: &projection,
            ids: Some(&ids),
            labels: &[("stage", &stages)],
            prepared: Some((&points, &ten)),
            held: 1.0,
            table: Some(&table),
            table_nodes: None,
            latent: None,
        }),
        ..bare(&graph, &words)
    };
    let page = html(&report).unwrap();
    assert!(page.len() < 3_000_000, "{}", page.len());
    let told = data(&page);
    assert_eq!(told["arrays"]["ids"]["kind"], "letters");
    assert_eq!(told["columns"][0]["name"], "stage");
    let kept = told["columns"].as_array().unwrap().len() - 1;
    assert!(kept >= 2, "{kept}");
    assert_eq!(told["spaces"][0]["top"], 4094);
}
