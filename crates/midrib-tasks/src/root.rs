//! Pseudotime from chosen roots.

use std::path::{Path, PathBuf};

use midrib::graph::{Projection, Rooted};
use midrib_io::{Model, update_directory, write_text};
use serde::Serialize;

use crate::error::Result;
use crate::listener::Listener;
use crate::location::Location;
use crate::open::{directory_of, open_results};
use crate::report::{REPORT, ResultPoints, report_with_roots};
use crate::save::save_points;
use crate::summary::summarize;

/// What the roots of a graph reach.
#[derive(Clone, Debug, Serialize)]
pub struct RootSummary {
    /// The roots.
    pub root: Vec<usize>,
    /// The paths from a root to each tip.
    pub lineages: Vec<LineageSummary>,
    /// The largest pseudotime.
    pub longest: f64,
    /// The components without a root.
    pub unrooted_components: Vec<usize>,
    /// The number of points that no root reaches.
    #[serde(skip)]
    pub n_unreached: usize,
}

/// A path from a root to a tip.
#[derive(Clone, Debug, Serialize)]
pub struct LineageSummary {
    /// Its first node.
    pub root: Option<usize>,
    /// Its last node.
    pub end: Option<usize>,
    /// Its length.
    pub length: f64,
}

/// Results and their new roots.
#[derive(Clone, Copy, Debug)]
pub struct RootRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// Where the graph begins.
    pub root: &'a [Location],
}

/// Results that got roots.
#[derive(Clone, Debug)]
pub struct RootedResults {
    /// What the roots reach.
    pub summary: RootSummary,
    /// The directory that was updated.
    pub directory: PathBuf,
}

/// The graph with the roots of the model; refused where it has none.
///
/// ```
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// use midrib_io::Model;
/// use midrib_tasks::{rooted_graph, summarize_roots};
/// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let projection = graph.project(&Points::from_f64(vec![0.5], 1)?)?;
/// let model = Model::of_graph("given", graph, vec!["depth".into()]).rooted(vec![1])?;
/// assert_eq!(rooted_graph(&model)?.pseudotime(&projection)?, [1.5]);
/// assert_eq!(summarize_roots(&model, &projection)?.lineages[0].length, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rooted_graph(model: &Model) -> Result<Rooted<'_>> {
    Ok(model.graph()?.root(&model.root)?)
}

/// What the roots of a model reach.
pub fn summarize_roots(model: &Model, projection: &Projection) -> Result<RootSummary> {
    let graph = model.graph()?;
    let rooted = rooted_graph(model)?;
    let time = rooted.pseudotime(projection)?;
    let lineages = rooted.lineages().into_iter().map(|lineage| LineageSummary {
        root: lineage.nodes.first().copied(),
        end: lineage.nodes.last().copied(),
        length: lineage.length(graph),
    });
    Ok(RootSummary {
        root: rooted.roots().to_vec(),
        lineages: lineages.collect(),
        longest: time.iter().copied().filter(|t| t.is_finite()).fold(0.0, f64::max),
        unrooted_components: rooted.unrooted_components(),
        n_unreached: time.iter().filter(|t| t.is_nan()).count(),
    })
}

/// Chooses the roots of results and adds pseudotime to their files.
pub fn root(request: &RootRequest<'_>, listener: &mut dyn Listener) -> Result<RootedResults> {
    let results = open_results(request.results)?;
    if let Some(hint) = summarize(&results.model)?.hint(request.results) {
        listener.note(&hint);
    }
    let roots = results.roots(request.root, listener)?;
    let roots = results.model.graph()?.root(&roots)?.roots().to_vec();
    let directory = directory_of(request.results);
    // The spread over replicas holds for the root that they were learned with.
    let spread = results.points.pseudotime_sd.as_deref();
    let spread = spread.filter(|_| results.model.root == roots);
    let model = results.model.rooted(roots)?;
    let points = ResultPoints { pseudotime_sd: spread, ..ResultPoints::read_back(&results.points) };
    let page = report_with_roots(request.results, &model, listener.wording())?;
    update_directory(&directory, |staging| {
        model.write(&staging.join("model.json"))?;
        write_text(&staging.join(REPORT), &page)?;
        save_points(staging, &model, &points)
    })?;
    let summary = summarize_roots(&model, results.points.onto_graph()?)?;
    Ok(RootedResults { summary, directory })
}
