//! From a table to a comparison of methods, with its files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use midrib::prepare::Preparation;
use midrib_io::{
    Labels, ReadOptions, check_directory, write_directory, write_json, write_table, write_text,
};
use serde::Serialize;

use crate::compare::{ComparePoints, ComparedMethod, compare_points};
use crate::compare_view::{CRITERIA_NAMES, ComparisonView, comparison_html, comparison_values};
use crate::contender::Contender;
use crate::describe::title;
use crate::error::Result;
use crate::listener::Listener;
use crate::memory::Memory;
use crate::prepare::{PrepareRequest, prepare};
use crate::table::open_table;

/// The page of a comparison.
pub const COMPARISON: &str = "comparison.html";

/// Methods to compare on a table.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    /// The table.
    pub input: PathBuf,
    /// How it is read; the first label holds the classes.
    pub options: ReadOptions,
    /// How its points are prepared, the same for all methods.
    pub preparation: Preparation,
    /// The methods.
    pub methods: Vec<Contender>,
    /// The most time that one method may take.
    pub time_limit: Option<Duration>,
    /// The two columns to draw over; the first two principal components if not given.
    pub axes: Option<[String; 2]>,
    /// The directory of the results.
    pub output: PathBuf,
    /// Whether results that are already there are replaced.
    pub force: bool,
}

/// Methods that were compared: the content of `comparison.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of the layout.
    pub schema: u32,
    /// The version of midrib.
    pub midrib: String,
    /// The table.
    pub input: String,
    /// The number of points.
    pub points: usize,
    /// The number of prepared columns.
    pub columns: usize,
    /// The labels that are the classes, if there are some.
    pub label: Option<String>,
    /// The most time that one method might take, in seconds.
    pub time_limit: Option<f64>,
    /// The methods, in the order in which they were named.
    pub methods: Vec<ComparedMethod>,
    /// How long all of it took.
    pub seconds: f64,
}

/// Fits several methods to the points of a table, and writes `comparison.csv`, `comparison.json` and
/// `comparison.html`.
pub fn compare(request: &CompareRequest, listener: &mut dyn Listener) -> Result<Comparison> {
    let CompareRequest { input, options, preparation, methods, time_limit, .. } = request;
    check_directory(&request.output, request.force)?;
    let started = Instant::now();
    let table = open_table(input, options, listener)?.table;
    let how = PrepareRequest {
        preparation: *preparation,
        features: &table.features,
        max_memory: Memory(u64::MAX),
        advise: true,
    };
    let of_table = |error: crate::Error| error.of_table(input);
    let prepared = prepare(&how, table.points, listener).map_err(of_table)?;
    let classes =
        table.labels.first().filter(|_| !options.labels.is_empty() || options.label_file.is_some());
    let label: Option<(&str, &[String])> =
        classes.map(|Labels { name, values }| (name.as_str(), values.as_slice()));
    let of_points = ComparePoints {
        points: &prepared.points,
        methods,
        labels: label.map(|(_, values)| values),
        time_limit: *time_limit,
    };
    listener.begin();
    let methods = compare_points(&of_points, listener);
    listener.finish();
    let title = format!("Methods compared on {}", title(&input.display().to_string()));
    let view = ComparisonView {
        points: &prepared.points,
        features: &prepared.features,
        prepare: prepared.transform.as_ref(),
        label,
        axes: request.axes.as_ref(),
        methods: &methods,
        title: &title,
        axes_setting: (listener.wording().setting)("axes"),
    };
    let page = comparison_html(&view)?;
    let comparison = Comparison {
        schema: 1,
        midrib: env!("CARGO_PKG_VERSION").into(),
        input: input.display().to_string(),
        points: prepared.points.len(),
        columns: prepared.points.dims(),
        label: label.map(|(name, _)| name.to_owned()),
        time_limit: time_limit.map(|limit| limit.as_secs_f64()),
        methods,
        seconds: started.elapsed().as_secs_f64(),
    };
    write_directory(&request.output, request.force, |staging| {
        write_json(&staging.join("comparison.json"), &comparison)?;
        write_csv(&staging.join("comparison.csv"), &comparison)?;
        write_text(&staging.join(COMPARISON), &page)
    })?;
    Ok(comparison)
}

fn write_csv(path: &Path, comparison: &Comparison) -> midrib_io::Result<()> {
    let mut header = vec!["method", "status", "object"];
    header.extend(CRITERIA_NAMES);
    header.extend(["seconds", "peak_memory", "reason"]);
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let rows = comparison.methods.iter().map(|row| {
        let status = format!("{:?}", row.status).to_lowercase();
        let mut fields = vec![row.name.clone(), status, row.object.clone().unwrap_or_default()];
        fields.extend(comparison_values(row).into_iter().map(number));
        fields.push(row.seconds.to_string());
        fields.push(row.peak_memory.map_or_else(String::new, |bytes| bytes.to_string()));
        fields.push(row.reason.clone().unwrap_or_default());
        fields
    });
    write_table(path, &header, rows)
}
