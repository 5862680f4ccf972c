use midrib::math::Matrix;

use super::*;

/// Pseudorandom numbers, the same in every run.
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

/// `n` points around the line, with `dims` columns.
fn points_around(n: usize, dims: usize) -> Points<'static> {
    let value = |i: usize| if i.is_multiple_of(dims) { 3.0 * noise(i) } else { 0.1 * noise(i) };
    Points::from_f64((0..n * dims).map(value).collect::<Vec<f64>>(), dims).unwrap()
}

fn names(dims: usize) -> Vec<String> {
    (0..dims).map(|d| format!("x{d}")).collect()
}

/// A report of a graph alone.
fn bare<'a>(graph: &'a PrincipalGraph, description: &'a Description) -> Report<'a> {
    Report {
        graph,
        points: None,
        root: &[],
        trace: &[],
        untraced: 0,
        step: "sweep",
        tuning: None,
        description,
    }
}

/// A page, with points in two columns on the line and more columns to color by.
fn page(n: usize, dims: usize, labels: &[(&str, &[String])], ids: Option<&[String]>) -> String {
    let graph = line();
    let points = points_around(n, 2);
    let projection = graph.project(&points).unwrap();
    let table = DrawnTable::of(&points_around(n, dims), &names(dims));
    let two = names(2);
    let description = Description { title: "points".into(), ..Description::default() };
    let points = ReportPoints {
        projection: &projection,
        ids,
        labels,
        prepared: Some((&points, &two)),
        variance_share: 1.0,
        table: Some(&table),
        table_nodes: None,
        latent: None,
    };
    let report = Report {
        points: Some(points),
        root: &[1],
        trace: &[3.0, 2.0],
        ..bare(&graph, &description)
    };
    html(&report).unwrap()
}

fn data_of(page: &str) -> Value {
    let open = "id=\"midrib-data\">";
    let from = page.find(open).unwrap() + open.len();
    let to = from + page[from..].find("</script>").unwrap();
    serde_json::from_str(&page[from..to]).unwrap()
}

#[test]
fn the_page_stays_below_a_megabyte_plus_ten_bytes_per_point() {
    for (n, dims) in [(1, 3), (500, 3), (2000, 800), (30_000, 40), (210_000, 4)] {
        let ids: Vec<String> =
            (0..n).map(|i| format!("cell-{:x}", (noise(i) * 1e15) as u64)).collect();
        let stages: Vec<String> = (0..n).map(|i| format!("stage {}", i % 7)).collect();
        let page = page(n, dims, &[("stage", &stages)], Some(&ids));
        let drawn = n.min(200_000);
        assert!(page.len() <= 1_000_000 + 10 * drawn, "{n}: {}", page.len());
        let data = data_of(&page);
        assert_eq!(
            (data["n"].as_u64(), data["drawn"].as_u64()),
            (Some(n as u64), Some(drawn as u64))
        );
        assert_eq!(data["columns"][0]["name"], "stage");
        if n == 2000 {
            // It is filled to the limit, and says so.
            let kept = data["columns"].as_array().unwrap().len() - 2;
            assert!((150..800).contains(&kept), "{kept}");
            let note = format!("{kept} of 800 columns are on this page");
            assert!(data["warnings"][0].as_str().unwrap().starts_with(&note));
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
    let data = data_of(&bad);
    assert_eq!(data["columns"][0]["name"], "</script><b>");
    let classes = data["columns"][0]["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 6);
    assert!(classes.iter().any(|class| class == evil[0]));
    assert!(classes.iter().all(|class| class.as_str().unwrap().chars().count() <= 200));
}

#[test]
fn tiny_data_makes_a_page_too() {
    let one = Matrix::from_rows(&[[1.0, 2.0, 3.0, 4.0]]).unwrap();
    let graph = PrincipalGraph::new(one, &[], vec![1.0]).unwrap();
    let description = Description::default();
    let alone = bare(&graph, &description);
    let data = data_of(&html(&alone).unwrap());
    assert_eq!((data["n"].as_u64(), data["nodes"].as_u64()), (Some(0), Some(1)));
    assert_eq!(data["histogram"], Value::Null);
    assert_eq!(data["spaces"].as_array().unwrap().len(), 1);
    let point = Points::from_f64(vec![1.0, 2.0, 3.0, 4.0], 4).unwrap();
    let projection = graph.project(&point).unwrap();
    let four = names(4);
    let points = ReportPoints {
        projection: &projection,
        ids: None,
        labels: &[],
        prepared: Some((&point, &four)),
        variance_share: 1.0,
        table: None,
        table_nodes: None,
        latent: None,
    };
    let data = data_of(&html(&Report { points: Some(points), ..alone }).unwrap());
    assert_eq!(data["n"], 1);
    // Without coordinates, points are drawn at their projections.
    let projected = ReportPoints { prepared: None, ..points };
    let data = data_of(&html(&Report { points: Some(projected), ..alone }).unwrap());
    assert_eq!(data["spaces"][0]["name"], "plane of the graph");
}

#[test]
fn five_hundred_classes_and_missing_values_keep_their_codes() {
    let classes: Vec<String> = (0..1000)
        .map(|i| if i % 10 == 3 { String::new() } else { format!("c{}", i % 500) })
        .collect();
    let data = data_of(&page(1000, 2, &[("class", &classes)], None));
    let column = &data["columns"][0];
    assert_eq!(column["classes"].as_array().unwrap().len(), 450);
    assert_eq!(data["arrays"]["column0"]["kind"], "u16");
    assert!(data["arrays"].get("ids").is_none());
}

#[test]
fn roots_can_be_replaced() {
    let graph = line();
    let description = Description::default();
    let report = bare(&graph, &description);
    let rooted = with_root(&html(&report).unwrap(), &[2, 3]).unwrap();
    assert_eq!(rooted, html(&Report { root: &[2, 3], ..report }).unwrap());
}

#[test]
fn the_default_root_is_a_tip_of_the_largest_component() {
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
    let points = points_around(n, 10);
    let nodes = Matrix::new(4, 10, (0..40).map(|i| 3.0 * noise(i)).collect()).unwrap();
    let edges: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b, 1.0)).collect();
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    let projection = graph.project(&points).unwrap();
    let table = DrawnTable::of(&points, &names(10));
    let ten = names(10);
    let ids: Vec<String> = (0..n).map(|i| format!("AAACCTG{i:06}-1")).collect();
    let stages: Vec<String> = (0..n).map(|i| format!("stage {}", i / 30_000)).collect();
    let description = Description::default();
    let report = Report {
        points: Some(ReportPoints {
            projection: &projection,
            ids: Some(&ids),
            labels: &[("stage", &stages)],
            prepared: Some((&points, &ten)),
            variance_share: 1.0,
            table: Some(&table),
            table_nodes: None,
            latent: None,
        }),
        ..bare(&graph, &description)
    };
    let page = html(&report).unwrap();
    assert!(page.len() < 3_000_000, "{}", page.len());
    let data = data_of(&page);
    assert_eq!(data["arrays"]["ids"]["kind"], "letters");
    assert_eq!(data["columns"][0]["name"], "stage");
    let kept = data["columns"].as_array().unwrap().len() - 1;
    assert!(kept >= 2, "{kept}");
    assert_eq!(data["spaces"][0]["top"], 4094);
}
