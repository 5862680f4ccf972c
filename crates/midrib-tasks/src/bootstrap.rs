//! A graph learned again from resampled points, with the settings of its fit.

use std::path::{Path, PathBuf};

use midrib::learn::method;
use midrib::measure::explained;
use midrib::tune::{Bootstrap, Counts, Replicas};
use midrib::{Observer, Points};
use midrib_io::{
    Edit, Model, More, ProjectedPoints, Support, check_directory, rewrite_directory, write_edges,
    write_graphml, write_table, write_text,
};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::error::{Error, Result};
use crate::listener::{Listener, Wording};
use crate::location::Location;
use crate::open::{TrainingRequest, directory_of, open_results, open_training_table};
use crate::report::{REPORT, ReportOfResults, ResultPoints, nodes_in_table, report_of_results};
use crate::save::{node_columns, save_points};
use crate::summary::{SupportSummary, summarize};
use crate::text::percent;

/// Shares of the variance that differ by no more are the same.
const SAME: f64 = 1e-6;

/// What resampling shows about a graph.
#[derive(Clone, Debug)]
pub struct BootstrapResult {
    /// The support of its edges.
    pub support: Support,
    /// The standard deviation of the points' pseudotime, where the graph has a root.
    pub pseudotime_sd: Option<Vec<f64>>,
    /// The replicas that were learned: fewer than requested if the work was stopped.
    pub replicas: Replicas,
}

/// Learns the graph again from resamples of the prepared points that it was learned from, by the
/// same method with what was chosen and given then. Edits of the graph are not made to the replicas.
///
/// ```
/// use midrib::{Points, Silent, learn, tune::Bootstrap};
/// use midrib_tasks::{FitRequest, bootstrap, fit};
/// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 60.0).collect();
/// let points = Points::from_f64(x, 1)?;
/// let settings = serde_json::json!({"n_nodes": 6});
/// let method = learn::method("ppt")?.parse(&settings)?;
/// let request = FitRequest::new(&*method, &points, vec!["x".into()]);
/// let model = fit(request, &mut Silent)?.model;
/// let settings = Bootstrap { replicas: 5, seed: 0 };
/// let found = bootstrap(&model, &points, &settings, &mut Silent)?;
/// assert_eq!(found.support.edges.len(), model.graph()?.edges().len());
/// assert!(found.pseudotime_sd.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bootstrap(
    model: &Model,
    points: &Points<'_>,
    settings: &Bootstrap,
    watch: &mut dyn Observer,
) -> Result<BootstrapResult> {
    let graph = model.graph()?;
    let entry = method(&model.method).map_err(|_| {
        Error::data(format!(
            "the graph was not learned (its method is \"{}\"), so it cannot be learned again from \
             resampled points",
            model.method
        ))
    })?;
    model.require_lines("bootstrap")?;
    let of_fit = entry.parse(&model.settings)?.settled(&model.chosen);
    refuse_others(model, points)?;
    let replicas = settings.learn(entry, &of_fit, points, model.given.borrow(), watch)?;
    let projection = graph.project(points)?;
    let pseudotime_sd = match &model.root[..] {
        [] => None,
        roots => Some(replicas.pseudotime_sd(graph, roots, points, &projection)?),
    };
    let support = Support {
        replicas: replicas.graphs.len(),
        seed: settings.seed,
        edges: replicas.support(graph, points, &projection)?,
        more: Some(more(model, &replicas)?),
    };
    Ok(BootstrapResult { support, pseudotime_sd, replicas })
}

/// Refuses other points than those that the graph was learned from.
fn refuse_others(model: &Model, points: &Points<'_>) -> Result<()> {
    let (rows, expected) = (points.len(), model.input.rows);
    let refuse = |found: String| {
        Err(Error::data(format!(
            "these are not the points that the graph was learned from: {found}; give the same rows, \
             with the same weights"
        )))
    };
    if rows != expected {
        return refuse(format!("they have {rows} rows, those had {expected}"));
    }
    // An edited graph explains something else.
    let is_same = model.edits.iter().all(|edit| matches!(edit, Edit::Root { .. }));
    let Some(before) = model.explained.filter(|_| is_same) else { return Ok(()) };
    let away = model.object.locate(points)?.mean_squared_distance(points)?;
    match away.and_then(|away| explained(away, points)) {
        Some(now) if (now - before).abs() > SAME => refuse(format!(
            "the graph explains {} of their variance, {} of that of those",
            percent(now),
            percent(before)
        )),
        _ => Ok(()),
    }
}

/// In how many replicas there are more tips, loops and components than in the graph.
fn more(model: &Model, replicas: &Replicas) -> Result<More> {
    let own = summarize(model)?;
    let above = |of: Count, own: usize| replicas.counts.iter().filter(|it| of(it) > own).count();
    Ok(More {
        tips: above(|counts| counts.tips, own.tips),
        loops: above(|counts| counts.loops, own.loops),
        components: above(|counts| counts.components, own.components),
    })
}

/// Results to resample.
#[derive(Clone, Debug)]
pub struct BootstrapRequest<'a> {
    /// The results, and the table that they were learned from.
    pub training: TrainingRequest<'a>,
    /// How many replicas, and the seed of the draws.
    pub settings: Bootstrap,
    /// Where pseudotime begins, if not where the results say.
    pub root: &'a [Location],
    /// The directory to write; none to add to the results.
    pub output: Option<PathBuf>,
    /// Whether results that are already in `output` are replaced.
    pub force: bool,
}

/// What resampling shows about results.
#[derive(Clone, Debug, serde::Serialize)]
pub struct BootstrapSummary {
    /// The support of the branches.
    #[serde(flatten)]
    pub support: SupportSummary,
    /// How many replicas have how many tips.
    pub tips: Tally,
    /// How many replicas have how many branch points.
    pub branch_points: Tally,
    /// How many replicas have how many loops.
    pub loops: Tally,
    /// How many replicas have how many components.
    pub components: Tally,
    /// The nodes from which pseudotime is counted.
    pub root: Vec<usize>,
    /// The mean spread of pseudotime.
    pub pseudotime_sd: Option<f64>,
    /// The directory that was written.
    #[serde(skip)]
    pub directory: PathBuf,
}

/// Numbers, and in how many replicas each was found.
#[derive(Clone, Debug)]
pub struct Tally(pub Vec<(usize, usize)>);

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (number, replicas) in &self.0 {
            map.serialize_entry(&number.to_string(), replicas)?;
        }
        map.end()
    }
}

type Count = fn(&Counts) -> usize;

/// What is counted in each replica.
const COUNTED: [(&str, Count); 4] = [
    ("tips", |counts| counts.tips),
    ("branch_points", |counts| counts.branch_points),
    ("loops", |counts| counts.loops),
    ("components", |counts| counts.components),
];

/// Resamples results and adds the support of their edges and the spread of pseudotime.
pub fn bootstrap_results(
    request: &BootstrapRequest<'_>,
    listener: &mut dyn Listener,
) -> Result<BootstrapSummary> {
    let path = request.training.results;
    let results = open_results(path)?;
    results.model.require_lines("midrib bootstrap")?;
    let directory = directory_of(path);
    if let Some(output) = &request.output {
        refuse_inside(output, &directory, listener.wording())?;
        check_directory(output, request.force)?;
    }
    let roots = match request.root {
        [] => results.model.root.clone(),
        locations => {
            let roots = results.roots(locations, listener)?;
            results.model.graph()?.root(&roots)?.roots().to_vec()
        }
    };
    let mut model = match request.root {
        [] => results.model,
        _ => results.model.rooted(roots)?,
    };
    let table =
        open_training_table(&request.training, &model)?.of_rows(results.points.ids.len())?;
    listener.begin();
    let found = bootstrap(&model, &table.points, &request.settings, listener);
    listener.finish();
    let found = found.map_err(|error| error.of_table(path))?;
    model.support = Some(found.support.clone());
    add_to_results(request, &model, &found, &results.points, &table.points, listener.wording())?;
    let tally = |of: Count| Tally(found.replicas.tally(of).into_iter().collect());
    Ok(BootstrapSummary {
        support: SupportSummary::of(model.graph()?, &found.support),
        tips: tally(COUNTED[0].1),
        branch_points: tally(COUNTED[1].1),
        loops: tally(COUNTED[2].1),
        components: tally(COUNTED[3].1),
        root: model.root,
        pseudotime_sd: found.pseudotime_sd.as_deref().and_then(mean),
        directory: request.output.clone().unwrap_or(directory),
    })
}

/// Results cannot be copied into themselves.
fn refuse_inside(output: &Path, results: &Path, wording: Wording) -> Result<()> {
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty());
    let whole = |path: &Path| path.canonicalize().ok();
    let (Some(parent), Some(results)) = (whole(parent.unwrap_or(Path::new("."))), whole(results))
    else {
        return Ok(());
    };
    if !parent.starts_with(&results) {
        return Ok(());
    }
    Err(Error::usage(format!(
        "{}: lies inside the results; choose a directory outside them",
        (wording.value)("output", &output.display().to_string())
    )))
}

/// Adds to the results; everything else stays as it is.
fn add_to_results(
    request: &BootstrapRequest<'_>,
    model: &Model,
    found: &BootstrapResult,
    projected: &ProjectedPoints,
    prepared: &Points<'_>,
    wording: Wording,
) -> Result<()> {
    let results = request.training.results;
    let directory = directory_of(results);
    let graph = model.graph()?;
    let located = model.object.locate(prepared)?;
    let known = ResultPoints::new(prepared, &located, &[]);
    let columns = node_columns(model, nodes_in_table(model)?, Some(&known))?;
    let points = ResultPoints {
        pseudotime_sd: found.pseudotime_sd.as_deref(),
        ..ResultPoints::read_back(projected)
    };
    let (table, output_directory) = (request.training.table, request.output.as_deref());
    let page = ReportOfResults { results, directory: output_directory, table, wording };
    let page = report_of_results(&page, model)?;
    let output = request.output.as_ref().unwrap_or(&directory);
    let replaces = request.force || request.output.is_none();
    rewrite_directory(&directory, output, replaces, |staging| {
        let support = Some(&found.support.edges[..]);
        model.write(&staging.join("model.json"))?;
        write_edges(&staging.join("edges.csv"), graph, support)?;
        write_graphml(&staging.join("graph.graphml"), graph, &columns, support)?;
        write_replicas(&staging.join("replicas.csv"), &found.replicas)?;
        save_points(staging, model, &points)?;
        write_text(&staging.join(REPORT), &page)
    })?;
    Ok(())
}

/// Writes `replicas.csv`: replica, tips, branch_points, loops, components.
fn write_replicas(path: &Path, replicas: &Replicas) -> midrib_io::Result<()> {
    let mut header = vec!["replica"];
    header.extend(COUNTED.map(|(name, _)| name));
    let rows = replicas.counts.iter().enumerate().map(|(replica, counts)| {
        let mut row = vec![replica.to_string()];
        row.extend(COUNTED.map(|(_, of)| of(counts).to_string()));
        row
    });
    write_table(path, &header, rows)
}

/// The mean of the finite values.
fn mean(values: &[f64]) -> Option<f64> {
    let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    (!finite.is_empty()).then(|| finite.iter().sum::<f64>() / finite.len() as f64)
}
