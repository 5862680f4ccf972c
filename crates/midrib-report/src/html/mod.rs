//! The report: one page that holds the graph, its points and all that was said about them.

mod columns;
mod pack;
mod page;
mod sample;
mod space;
mod table;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::learn::{Latent, Tuning};
use midrib::math::Matrix;
use serde::Serialize;
use serde_json::{Value, json};

use crate::coloring::Coloring;
use crate::palette;
use crate::view::{Scene, graph_view, setting_words, tuning_words};
use columns::Columns;
use pack::{Arrays, Depth, Packed, Range, TOP_12, TOP_16};
use space::Space;

pub use page::{run_of, with_root};
pub use sample::drawn_rows;
pub use table::DrawnTable;

/// Bytes of a report beyond those of its points.
const FIXED_BYTES: usize = 1_000_000;
/// Bytes for each drawn point.
const POINT_BYTES: usize = 10;
/// Points of the still picture that is shown where nothing can move.
const STILL_POINTS: usize = 700;
/// A still picture of more edges would make the page large.
const STILL_EDGES: usize = 2000;
/// Graphs of more tips and branch points have no metro map: it takes long to find and tells little.
const MOST_ENDS: usize = 1000;
/// Up to so many points keep all digits of their positions on edges, and more than 8 bits of every
/// column.
const FEW_POINTS: usize = 20_000;
/// Bins of the histogram of distances.
const BINS: usize = 48;

/// What a report says in words.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Words {
    /// What was learnt from: the name of the table.
    pub title: String,
    /// The name of the method.
    pub method: String,
    /// The directory of the results, for commands to copy.
    pub directory: String,
    /// The version of midrib.
    pub version: String,
    /// The figures of the summary: name and value.
    pub facts: Vec<(String, String)>,
    /// Whether it is a sheet, which has neither root nor branches.
    pub sheet: bool,
    /// What the reader must know before trusting the picture.
    pub warnings: Vec<String>,
    /// The settings with their help texts.
    pub settings: Vec<SettingWords>,
    /// A paragraph for a methods section.
    pub methods: String,
    /// What it cites.
    pub references: Vec<String>,
    /// The command that made the results; may be empty.
    pub command: String,
    /// What cannot be found out from the results later: kept in the page for [`run_of`].
    #[serde(skip)]
    pub run: Value,
}

/// A setting in words.
#[derive(Clone, Debug, Serialize)]
pub struct SettingWords {
    /// The flag that sets it.
    pub flag: String,
    /// Its value.
    pub value: String,
    /// What it does.
    pub help: String,
    /// Whether it was given, chosen or left as it is.
    pub origin: String,
}

/// The points of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportPoints<'a> {
    /// Their places on the graph.
    pub projection: &'a Projection,
    /// Their names; row numbers if there are none.
    pub ids: Option<&'a [String]>,
    /// Columns of classes or numbers that belong to them: name and values.
    pub labels: &'a [(&'a str, &'a [String])],
    /// The points in the columns of the graph's nodes, and their names.
    pub prepared: Option<(&'a Points<'a>, &'a [String])>,
    /// The share of the table's variance that these columns hold: less than 1 for its first
    /// principal components.
    pub held: f64,
    /// Their columns as the table has them.
    pub table: Option<&'a DrawnTable>,
    /// Where the nodes are in these columns, if that is known.
    pub table_nodes: Option<&'a Matrix>,
    /// The places that the method learnt for them.
    pub latent: Option<&'a Latent>,
}

/// What a report is made of.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// Its points; a graph can be shown without.
    pub points: Option<ReportPoints<'a>>,
    /// The nodes where pseudotime begins; may be empty.
    pub root: &'a [usize],
    /// The objective after each sweep; may be empty.
    pub trace: &'a [f64],
    /// Sweeps before the first entry of the trace.
    pub untraced: usize,
    /// What the trace has a value after: `sweep` or `step`.
    pub step: &'a str,
    /// How the graph changes with a setting, where that is known.
    pub tuning: Option<&'a Tuning>,
    /// All that is said.
    pub words: &'a Words,
}

/// Makes the page.
///
/// It holds at most 200,000 points, stays below 1 MB and 10 bytes per drawn point for graphs of
/// up to some ten thousand nodes, and loads nothing. Columns that would make it larger are left
/// out, those that tell least about the place on the graph first.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib_report::{Report, Words, html};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let words = Words { title: "a < b".into(), ..Words::default() };
/// let report = Report {
///     graph: &graph, points: None, root: &[], trace: &[], untraced: 0, step: "sweep", tuning: None,
///     words: &words,
/// };
/// let page = html(&report)?;
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// assert!(page.contains("<h1>a &lt; b</h1>"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn html(report: &Report<'_>) -> midrib::Result<String> {
    let Report { graph, words, .. } = *report;
    let n = report.points.map_or(0, |points| points.projection.node.len());
    let rows = drawn_rows(n);
    let spaces = spaces(report, &rows);
    let still = still(report, &spaces[0], &rows)?;
    let mut arrays = Arrays::default();
    add_graph(report, &mut arrays)?;
    add_places(report, &rows, n, &mut arrays);
    let mut told = Vec::new();
    let mut left_out = Vec::new();
    let fixed = FIXED_BYTES + POINT_BYTES * rows.len();
    let branches = json!(graph.branch_names());
    let tuning = json!(report.tuning.map(tuning));
    let size = |value: &Value| value.to_string().len();
    let text = size(&json!(words)) + size(&branches) + size(&tuning) + 24 * report.trace.len();
    let used = page::FRAME_BYTES + text + still.len();
    // Many points are drawn a little less exactly where that makes room for their columns.
    let top = {
        let places = 3 * (rows.len() + graph.nodes().n_rows()) * spaces.len();
        let places = places * Depth::Word.bytes();
        let wanted = |points| columns::wanted(points, graph, &rows, Depth::Byte);
        let all = used + arrays.bytes() + places + report.points.as_ref().map_or(0, wanted);
        if rows.len() <= FEW_POINTS || all <= fixed { TOP_16 } else { TOP_12 }
    };
    for (index, space) in spaces.iter().enumerate() {
        let packed = space_arrays(space, top);
        let size: usize = packed.iter().map(Packed::size).sum();
        // The first is needed.
        if index > 0 && used + arrays.bytes() + size > fixed {
            continue;
        }
        for (axis, array) in packed.into_iter().enumerate() {
            arrays.add(&format!("space{}.{axis}", told.len()), array);
        }
        let ranges: Vec<Range> = (0..space.axes.len()).map(|axis| range(space, axis)).collect();
        let (low, high): (Vec<f64>, Vec<f64>) = ranges.iter().map(|r| (r.low, r.high)).unzip();
        told.push(json!({"name": space.name, "axes": space.axes, "low": low, "high": high,
                         "top": top}));
    }
    let room = fixed.saturating_sub(used);
    let mut columns = Columns { told: vec![], arrays, room, distances: None };
    if let Some(points) = &report.points {
        columns.add_all(points, graph, &rows, &mut left_out);
    }
    let mut data = json!(words);
    data["warnings"] = json!(words.warnings.iter().chain(&left_out).collect::<Vec<_>>());
    data["n"] = json!(n);
    data["drawn"] = json!(rows.len());
    data["nodes"] = json!(graph.nodes().n_rows());
    data["branches"] = branches;
    data["spaces"] = json!(told);
    data["columns"] = json!(columns.told);
    data["distances"] = json!(columns.distances);
    data["defaultRoot"] = json!(default_root(graph)?);
    data["trace"] = json!(report.trace);
    data["untraced"] = json!(report.untraced);
    data["step"] = json!(report.step);
    data["tuning"] = tuning;
    data["histogram"] = histogram(report);
    data["palette"] = json!(palette::CLASSES);
    data["viridis"] = json!(palette::VIRIDIS);
    data["gray"] = json!(palette::GRAY);
    data["none"] = json!(palette::NONE);
    data["arrays"] = columns.arrays.into_json();
    let about = format!("Principal graph by {}, midrib {}", words.method, words.version);
    Ok(page::page(&words.title, &about, &still, &data, report.root, &words.run))
}

/// The spaces to draw in, the best first; never none.
fn spaces(report: &Report<'_>, rows: &[usize]) -> Vec<Space> {
    let points = report.points.as_ref();
    let latent = points.and_then(|points| space::latent(points.latent?, rows));
    let prepared = points.and_then(|points| {
        let (prepared, names) = points.prepared?;
        Some(space::of_points(prepared, names, points.held, report.graph, rows))
    });
    let found: Vec<Space> = latent.into_iter().chain(prepared).collect();
    if found.is_empty() {
        let projection = points.map(|points| points.projection);
        return vec![space::of_graph(report.graph, projection, rows)];
    }
    found
}

fn range(space: &Space, axis: usize) -> Range {
    Range::of(space.points.rows().chain(space.nodes.rows()).map(|row| row[axis]))
}

/// The codes of points and nodes, axis by axis.
fn space_arrays(space: &Space, top: u16) -> Vec<Packed> {
    let array = |axis: usize| {
        let range = range(space, axis);
        let rows = space.points.rows().chain(space.nodes.rows());
        let codes: Vec<u16> = rows.map(|row| range.code_up_to(row[axis], top)).collect();
        Packed::u16(&codes)
    };
    (0..space.axes.len()).map(array).collect()
}

fn add_graph(report: &Report<'_>, arrays: &mut Arrays) -> midrib::Result<()> {
    let graph = report.graph;
    let edges = graph.edges();
    let number = |x: usize| u32::try_from(x).unwrap_or(u32::MAX);
    arrays.add("a", Packed::u32(edges.iter().map(|edge| number(edge.a))));
    arrays.add("b", Packed::u32(edges.iter().map(|edge| number(edge.b))));
    arrays.add("length", Packed::f64(edges.iter().map(|edge| edge.length)));
    let weights: Vec<f64> = edges.iter().map(|edge| edge.weight).collect();
    arrays.add("weight", Packed::f32(&shares_of_largest(&weights)));
    arrays.add("mass", Packed::f32(&shares_of_largest(graph.mass())));
    let of_edge = graph.branch_of_edge();
    arrays.add("branch_of_edge", Packed::u32(of_edge.iter().map(|&branch| number(branch))));
    let of_node = graph.branch_of_node();
    let of_node = of_node.iter().map(|branch| branch.map_or(u32::MAX, number));
    arrays.add("branch_of_node", Packed::u32(of_node));
    let components = graph.components().of_node;
    arrays.add("component_of_node", Packed::u32(components.iter().map(|&c| number(c))));
    // Without a map the page leaves the metro map out.
    let ends = (0..graph.nodes().n_rows()).filter(|&node| graph.degree(node) != 2).count();
    if ends > MOST_ENDS {
        arrays.add("metro", Packed::u16(&[]));
        arrays.add("closing", Packed::u32([].into_iter()));
        return Ok(());
    }
    let map = graph.metro_map()?;
    let range = Range::of(map.nodes.as_slice().iter().copied());
    let codes: Vec<u16> = map.nodes.as_slice().iter().map(|&x| range.code(x)).collect();
    arrays.add("metro", Packed::u16(&codes));
    arrays.add("closing", Packed::u32(map.closing.iter().map(|&edge| number(edge))));
    Ok(())
}

/// Where the drawn points are on the graph, and which rows they are.
fn add_places(report: &Report<'_>, rows: &[usize], n: usize, arrays: &mut Arrays) {
    let Some(ReportPoints { projection, .. }) = report.points else {
        arrays.add("place", Packed::u32([].into_iter()));
        arrays.add("pos", Packed::u16(&[]));
        return;
    };
    let n_edges = report.graph.edges().len();
    let place = |&row: &usize| {
        let place = projection.edge[row].unwrap_or(n_edges + projection.node[row]);
        u32::try_from(place).unwrap_or(u32::MAX)
    };
    let places: Vec<u32> = rows.iter().map(place).collect();
    arrays.add("place", Packed::u32(places.into_iter()));
    let unit = Range { low: 0.0, high: 1.0 };
    let pos = rows.iter().map(|&row| projection.edge_pos[row]);
    let depth = if rows.len() <= FEW_POINTS { Depth::Single } else { Depth::Word };
    arrays.add("pos", Packed::numbers(pos, unit, depth));
    if rows.len() < n {
        let before = [0].into_iter().chain(rows.iter().copied());
        let steps: Vec<u32> =
            rows.iter().zip(before).map(|(row, before)| (row - before) as u32).collect();
        arrays.add("rows", Packed::u32(steps.into_iter()));
    }
}

/// So that they fit into single precision, whatever their unit.
fn shares_of_largest(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().map(|x| x.abs()).fold(0.0, f64::max);
    values.iter().map(|x| if largest > 0.0 { x / largest } else { 0.0 }).collect()
}

/// Where pseudotime begins while nobody has chosen: the node of the largest component that is
/// farthest from its first one. On a tree that is an end of the longest path.
fn default_root(graph: &PrincipalGraph) -> midrib::Result<usize> {
    let components = graph.components();
    let mut sizes = vec![0_usize; components.count];
    components.of_node.iter().for_each(|&component| sizes[component] += 1);
    let largest = sizes.iter().copied().max();
    let first = components.of_node.iter().position(|&c| Some(sizes[c]) == largest).unwrap_or(0);
    let far = graph.root(&[first])?.node_pseudotime();
    let reached = (0..far.len()).filter(|&node| !far[node].is_nan());
    let farther = |best: usize, node: usize| if far[node] > far[best] { node } else { best };
    Ok(reached.reduce(farther).unwrap_or(first))
}

/// A curve over a setting, as the page draws it.
fn tuning(tuning: &Tuning) -> Value {
    let values: Vec<f64> = tuning.curve.iter().map(|graph| graph.value).collect();
    let measure = |(name, values)| json!({"name": name, "values": values});
    let measures: Vec<Value> = tuning.measures().into_iter().map(measure).collect();
    json!({"setting": setting_words(tuning), "chosen": tuning.chosen, "scale": tuning.scale,
           "values": values, "measures": measures, "caption": tuning_words(tuning)})
}

/// How many of all points are how far from the graph.
fn histogram(report: &Report<'_>) -> Value {
    let Some(ReportPoints { projection, .. }) = report.points else { return Value::Null };
    let Range { high, .. } = Range::of(projection.distance.iter().copied());
    if projection.distance.is_empty() || high <= 0.0 {
        return Value::Null;
    }
    let mut counts = vec![0_usize; BINS];
    for &distance in projection.distance.iter().filter(|distance| distance.is_finite()) {
        counts[((distance / high * BINS as f64) as usize).min(BINS - 1)] += 1;
    }
    json!({"low": 0.0, "high": high, "counts": counts})
}

/// The graph over some of its points, for where nothing can move; empty if it is too large.
fn still(report: &Report<'_>, space: &Space, rows: &[usize]) -> midrib::Result<String> {
    if report.graph.edges().len() > STILL_EDGES {
        return Ok(String::new());
    }
    let step = rows.len().div_ceil(STILL_POINTS).max(1);
    let flat = |matrix: &Matrix, step: usize| {
        let few = matrix.rows().step_by(step);
        let mut places = Matrix::zeros(few.len(), 2);
        for (i, row) in few.enumerate() {
            for (to, from) in places.row_mut(i).iter_mut().zip(row) {
                *to = *from;
            }
        }
        places
    };
    let scene = Scene {
        graph: report.graph,
        projection: None,
        coloring: &Coloring::Plain,
        title: &report.words.title,
    };
    let axis = |i: usize| space.axes.get(i).map_or("", String::as_str);
    graph_view(&scene, &flat(&space.points, step), &flat(&space.nodes, 1), [axis(0), axis(1)])
}

#[cfg(test)]
mod tests;
