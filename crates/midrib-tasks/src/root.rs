//! Pseudotime from chosen roots.

use std::path::{Path, PathBuf};

use midrib::graph::{PrincipalGraph, Projection, Rooted};
use midrib_io::{Model, update_directory, write_text};
use serde::Serialize;

use crate::error::Result;
use crate::listener::Listener;
use crate::location::Location;
use crate::open::{directory_of, open_results};
use crate::report::{REPORT, ResultPoints, report_with_roots};
use crate::save::save_points;
use crate::summary::summarize;

/// At least this share of the points with one pseudotime is reported.
const MANY: f64 = 0.02;

/// What the roots of a graph reach.
#[derive(Clone, Debug, Serialize)]
pub struct RootSummary {
    /// The roots.
    pub root: Vec<usize>,
    /// The paths from a root to each tip.
    pub lineages: Vec<LineageSummary>,
    /// The largest pseudotime.
    pub longest: f64,
    /// The nodes onto which many points project, so that they all have the same pseudotime.
    pub ties: Vec<Tie>,
    /// The components without a root.
    pub unrooted_components: Vec<usize>,
    /// The number of points that no root reaches.
    #[serde(skip)]
    pub n_unreached: usize,
}

/// Points with the same pseudotime.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tie {
    /// The node that is nearest to them on the graph: a tip or a corner.
    pub node: usize,
    /// How many there are.
    pub points: usize,
    /// Their share of all points.
    pub share: f64,
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
        ties: ties(graph, projection),
        longest: time.iter().copied().filter(|t| t.is_finite()).fold(0.0, f64::max),
        unrooted_components: rooted.unrooted_components(),
        n_unreached: time.iter().filter(|t| t.is_nan()).count(),
    })
}

/// The nodes onto which at least [`MANY`] of the points project, most points first.
fn ties(graph: &PrincipalGraph, projection: &Projection) -> Vec<Tie> {
    let mut points = vec![0_usize; graph.nodes().n_rows()];
    for (i, &pos) in projection.edge_pos.iter().enumerate() {
        let end = |edge: usize| match pos {
            0.0 => Some(graph.edges()[edge].a),
            1.0 => Some(graph.edges()[edge].b),
            _ => None,
        };
        if let Some(node) = projection.edge[i].map_or(Some(projection.node[i]), end) {
            points[node] += 1;
        }
    }
    let n = projection.node.len() as f64;
    let share = |points: usize| points as f64 / n;
    let tied = points.iter().enumerate().filter(|&(_, &points)| share(points) >= MANY);
    let mut ties: Vec<Tie> =
        tied.map(|(node, &points)| Tie { node, points, share: share(points) }).collect();
    ties.retain(|tie| tie.points > 1);
    ties.sort_by(|a, b| b.points.cmp(&a.points).then(a.node.cmp(&b.node)));
    ties
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

#[cfg(test)]
mod tests {
    use midrib::Points;
    use midrib::math::Matrix;

    use super::*;

    #[test]
    fn points_that_project_onto_one_node_are_counted() {
        let nodes = Matrix::from_rows(&[[0.0, 0.0], [5.0, 0.0], [5.0, 5.0]]).unwrap();
        let edges = [(0, 1, 1.0), (1, 2, 1.0)];
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 3]).unwrap();
        // 90 points along the first edge, 6 outside its corner, 4 before its start.
        let along = (1..91).map(|i| [f64::from(i) / 20.0, 0.1]);
        let corner = (1..7).map(|i| [5.0 + f64::from(i), -1.0]);
        let before = (1..5).map(|i| [f64::from(-i), 0.2]);
        let values: Vec<f64> = along.chain(corner).chain(before).flatten().collect();
        let projection = graph.project(&Points::from_f64(values, 2).unwrap()).unwrap();
        let model = Model::of_graph("given", graph, vec!["x".into(), "y".into()]);
        let summary = summarize_roots(&model.rooted(vec![2]).unwrap(), &projection).unwrap();
        let tie = |node, points| Tie { node, points, share: points as f64 / 100.0 };
        assert_eq!(summary.ties, [tie(1, 6), tie(0, 4)]);
    }
}
