//! Methods of any kind go through the tasks: an embedding without a graph, learned without an
//! objective, is written, read back, described and drawn; what it cannot answer is refused.
#![allow(clippy::unwrap_used)]

#[path = "../../midrib/tests/kinds/mod.rs"]
mod kinds;

use std::fs;
use std::path::Path;

use kinds::{EVERY_ROW, MDS};
use midrib::learn::Entry;
use midrib::{Points, Silent};
use midrib_io::{Labels, Model};
use midrib_tasks::{
    DrawResults, FitRequest, FitResult, PictureSettings, ReportOfResults, ResultPoints,
    RootRequest, SaveRequest, View, Wording, draw_results, fit, open_results, report_of_results,
    root, save, summarize,
};
use serde_json::json;

/// Points on a line in three dimensions.
fn line() -> Points<'static> {
    let row = |i: i32| [2.0, -1.0, 2.0].map(|x| x * f64::from(i));
    Points::from_f64((0..30).flat_map(row).collect::<Vec<_>>(), 3).unwrap()
}

/// Learns, and writes the results into a directory.
fn learned(entry: &Entry, points: &Points<'_>, directory: &Path) -> FitResult {
    let method = entry.parse(&json!({})).unwrap();
    let names = ["x", "y", "z"].map(String::from).to_vec();
    let fitted = fit(FitRequest::new(&*method, points, names), &mut Silent).unwrap();
    let halves = (0..30).map(|i| if i < 15 { "low" } else { "high" }.to_owned()).collect();
    let labels = [Labels { name: "half".into(), values: halves }];
    let model = &fitted.model;
    save(&SaveRequest {
        directory,
        force: false,
        model,
        summary: &summarize(model).unwrap(),
        points: Some(ResultPoints::new(points, &fitted.located, &labels)),
        wording: Wording::NAMES,
    })
    .unwrap();
    fitted
}

/// A picture of results, or why there is none.
fn drawn(directory: &Path, settings: PictureSettings) -> Result<String, String> {
    let training = midrib_tasks::TrainingRequest {
        results: directory,
        table: None,
        options: midrib_io::ReadOptions::default(),
        max_memory: midrib_tasks::Memory(u64::MAX),
    };
    let request = DrawResults { training, settings, root: &[] };
    draw_results(&request, &mut Silent).map_err(|error| error.to_string())
}

#[test]
fn an_embedding_without_a_graph_is_saved_and_read_back() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("mds");
    let fitted = learned(&MDS, &line(), &directory);
    assert!(fitted.located.projection.is_none() && fitted.model.explained.is_none());
    let mut files: Vec<String> = fs::read_dir(&directory)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["embedding.csv", "model.json", "points.csv", "report.html"]);
    let points = fs::read_to_string(directory.join("points.csv")).unwrap();
    assert!(points.starts_with("id,half\n0,low\n"), "{points}");
    let results = open_results(&directory).unwrap();
    assert_eq!(results.points.ids.len(), 30);
    assert!(results.points.projection.is_none());
    let learned = fitted.model.object.embedding().unwrap();
    assert_eq!(results.model.object.embedding(), Some(learned));
    let summary = summarize(&Model::read(&directory).unwrap()).unwrap();
    assert_eq!(summary.shape.as_deref(), Some("embedding in 1 dimension"));
    assert_eq!((summary.nodes, summary.edges), (0, 0));
}

#[test]
fn an_embedding_without_a_graph_is_drawn_and_reported() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("mds");
    learned(&MDS, &line(), &directory);
    let picture = drawn(&directory, PictureSettings::default()).unwrap();
    assert!(picture.contains("low") && picture.contains("high"), "colored by the label");
    for color in ["branch", "distance", "component"] {
        let settings = PictureSettings { color: Some(color.into()), ..PictureSettings::default() };
        let refused = drawn(&directory, settings).unwrap_err();
        assert!(refused.contains("embedding"), "{color}: {refused}");
    }
    for view in [View::Metro, View::Adjacency, View::Dendrogram] {
        let refused = drawn(&directory, PictureSettings { view, ..PictureSettings::default() });
        assert!(refused.unwrap_err().contains("embedding"), "{view:?}");
    }
    let page = fs::read_to_string(directory.join("report.html")).unwrap();
    assert!(page.contains("An embedding was learned from 30 points"));
    let request = ReportOfResults {
        results: &directory,
        directory: None,
        table: None,
        wording: Wording::NAMES,
    };
    let again = report_of_results(&request, &Model::read(&directory).unwrap()).unwrap();
    assert!(again.contains("latent space"));
}

#[test]
fn what_an_embedding_cannot_answer_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("mds");
    let fitted = learned(&MDS, &line(), &directory);
    let request = RootRequest { results: &directory, root: &["half==low".parse().unwrap()] };
    let refused = root(&request, &mut Silent).unwrap_err().to_string();
    assert!(refused.contains("mds1 learned an embedding"), "{refused}");
    let refused = fitted.model.object.project(&line()).unwrap_err().to_string();
    assert!(refused.starts_with("points have no projections onto an embedding"), "{refused}");
}

#[test]
fn a_method_without_an_objective_is_saved_and_read_back() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("rows");
    let fitted = learned(&EVERY_ROW, &line(), &directory);
    assert!(fitted.model.objective.is_none() && fitted.model.explained > Some(0.5));
    let results = open_results(&directory).unwrap();
    assert_eq!(results.points.onto_graph().unwrap(), fitted.projection().unwrap());
    let summary = summarize(&results.model).unwrap();
    assert_eq!(summary.shape.as_deref(), Some("3 centers"));
    let refused = drawn(
        &directory,
        PictureSettings { view: View::Convergence, ..PictureSettings::default() },
    );
    assert!(refused.unwrap_err().contains("keeps no objective to draw"));
}
