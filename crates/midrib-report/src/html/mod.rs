//! The report: one page with the graph, its points and their description.

mod columns;
mod pack;
mod page;
mod sample;
mod space;
mod table;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::learn::Tuning;
use midrib::math::Matrix;
use midrib::object::Embedding;
use serde::Serialize;
use serde_json::{Value, json};

use crate::coloring::Coloring;
use crate::palette;
use crate::view::{Scene, graph_view, setting_name, tuning_caption};
use columns::Columns;
use pack::{Arrays, Depth, Packed, Range, TOP_12, TOP_16};
use space::Space;

pub use page::with_root;
pub use sample::drawn_rows;
pub use table::DrawnTable;

/// The maximum bytes of a report, apart from its points.
const FIXED_BYTES: usize = 1_000_000;
/// The maximum bytes per drawn point.
const POINT_BYTES: usize = 10;
/// The number of points in the static picture, which is shown without JavaScript.
const STATIC_POINTS: usize = 700;
/// Graphs with more edges have no static picture, which would make the page too large.
const STATIC_EDGES: usize = 2000;
/// Graphs with more tips and branch points have no metro map, which would be slow and unreadable.
const MAX_STATIONS: usize = 1000;
/// Up to this many points keep all digits of their positions on edges, and more than 8 bits per
/// value of every column.
const FEW_POINTS: usize = 20_000;
/// The number of bins in the histogram of distances.
const BINS: usize = 48;

/// The texts of a report.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Description {
    /// The title: the name of the input table.
    pub title: String,
    /// The name of the method.
    pub method: String,
    /// The directory of the results, for commands to copy.
    pub directory: String,
    /// The version of midrib.
    pub version: String,
    /// The summary: names and values.
    pub facts: Vec<(String, String)>,
    /// Whether the object is a sheet, which has neither root nor branches.
    pub sheet: bool,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
    /// The settings with their help texts.
    pub settings: Vec<SettingDescription>,
    /// A paragraph for a methods section.
    pub methods: String,
    /// The references that it cites.
    pub references: Vec<String>,
    /// The command that made the results; may be empty.
    pub command: String,
}

/// The description of a setting.
#[derive(Clone, Debug, Serialize)]
pub struct SettingDescription {
    /// The flag that sets it.
    pub flag: String,
    /// Its value.
    pub value: String,
    /// What it does.
    pub help: String,
    /// Whether it was given, chosen automatically or left at its default.
    pub origin: String,
}

/// The points of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportPoints<'a> {
    /// Their projections onto the graph; without distances where the object has none.
    pub projection: &'a Projection,
    /// Their names; row numbers if `None`.
    pub ids: Option<&'a [String]>,
    /// Labels of the points, classes or numbers: name and values.
    pub labels: &'a [(&'a str, &'a [String])],
    /// The points in the columns of the graph's nodes, and the names of these columns.
    pub prepared: Option<(&'a Points<'a>, &'a [String])>,
    /// The share of the table's variance in these columns; less than 1 for principal components.
    pub variance_share: f64,
    /// The original columns of the table.
    pub table: Option<&'a DrawnTable>,
    /// The positions of the nodes in these columns, if available.
    pub table_nodes: Option<&'a Matrix>,
    /// The latent coordinates of the points and nodes.
    pub latent: Option<&'a Embedding>,
}

/// The content of a report.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// Its points; optional.
    pub points: Option<ReportPoints<'a>>,
    /// The nodes where pseudotime starts; may be empty.
    pub root: &'a [usize],
    /// The objective after each sweep; may be empty.
    pub trace: &'a [f64],
    /// The number of sweeps before the first entry of the trace.
    pub untraced: usize,
    /// The unit of the trace: `sweep` or `step`.
    pub step: &'a str,
    /// How the graph changes with a setting, if available.
    pub tuning: Option<&'a Tuning>,
    /// The texts.
    pub description: &'a Description,
}

/// Builds the page.
///
/// It has at most 200,000 points, is at most 1 MB plus 10 bytes per drawn point for graphs of up to
/// about ten thousand nodes, and makes no network requests. Columns that would make it larger are
/// left out, starting with those that vary least along the graph.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib_report::{Report, Description, html};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let description = Description { title: "a < b".into(), ..Description::default() };
/// let report = Report {
///     graph: &graph, points: None, root: &[], trace: &[], untraced: 0, step: "sweep", tuning: None,
///     description: &description,
/// };
/// let page = html(&report)?;
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// assert!(page.contains("<h1>a &lt; b</h1>"));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn html(report: &Report<'_>) -> midrib::Result<String> {
    let Report { graph, description, .. } = *report;
    let n = report.points.map_or(0, |points| points.projection.node.len());
    let rows = drawn_rows(n);
    let spaces = spaces(report, &rows);
    let picture = static_picture(report, &spaces[0], &rows)?;
    let mut arrays = Arrays::default();
    add_graph(report, &mut arrays)?;
    add_projection(report, &rows, n, &mut arrays);
    let mut kept_spaces = Vec::new();
    let mut left_out = Vec::new();
    let fixed = FIXED_BYTES + POINT_BYTES * rows.len();
    let branches = json!(graph.branch_names());
    let tuning = json!(report.tuning.map(tuning));
    let size = |value: &Value| value.to_string().len();
    let text =
        size(&json!(description)) + size(&branches) + size(&tuning) + 24 * report.trace.len();
    let used = page::SHELL_BYTES + text + picture.len();
    // Many points are drawn a little less exactly if that makes space for their columns.
    let top = {
        let positions = 3 * (rows.len() + graph.nodes().n_rows()) * spaces.len();
        let positions = positions * Depth::Word.bytes();
        let wanted = |points| columns::wanted(points, graph, &rows, Depth::Byte);
        let all = used + arrays.bytes() + positions + report.points.as_ref().map_or(0, wanted);
        if rows.len() <= FEW_POINTS || all <= fixed { TOP_16 } else { TOP_12 }
    };
    for (index, space) in spaces.iter().enumerate() {
        let packed = space_arrays(space, top);
        let size: usize = packed.iter().map(Packed::size).sum();
        // The first space is required.
        if index > 0 && used + arrays.bytes() + size > fixed {
            continue;
        }
        for (axis, array) in packed.into_iter().enumerate() {
            arrays.add(&format!("space{}.{axis}", kept_spaces.len()), array);
        }
        let ranges: Vec<Range> = (0..space.axes.len()).map(|axis| range(space, axis)).collect();
        let (low, high): (Vec<f64>, Vec<f64>) = ranges.iter().map(|r| (r.low, r.high)).unzip();
        kept_spaces.push(json!({"name": space.name, "axes": space.axes, "low": low, "high": high,
                                "top": top}));
    }
    let budget = fixed.saturating_sub(used);
    let mut columns = Columns { metadata: vec![], arrays, budget, distances: None };
    if let Some(points) = &report.points {
        columns.add_all(points, graph, &rows, &mut left_out);
    }
    let mut data = json!(description);
    data["warnings"] = json!(description.warnings.iter().chain(&left_out).collect::<Vec<_>>());
    data["n"] = json!(n);
    data["drawn"] = json!(rows.len());
    data["nodes"] = json!(graph.nodes().n_rows());
    data["branches"] = branches;
    data["spaces"] = json!(kept_spaces);
    data["columns"] = json!(columns.metadata);
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
    let subtitle =
        format!("Principal graph by {}, midrib {}", description.method, description.version);
    Ok(page::page(&description.title, &subtitle, &picture, &data, report.root))
}

/// The spaces to draw in, best first; at least one.
fn spaces(report: &Report<'_>, rows: &[usize]) -> Vec<Space> {
    let points = report.points.as_ref();
    let latent = points.and_then(|points| space::latent(points.latent?, rows));
    let prepared = points.and_then(|points| {
        let (prepared, names) = points.prepared?;
        Some(space::of_points(prepared, names, points.variance_share, report.graph, rows))
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
    // With an empty array the page leaves the metro map out.
    let stations = (0..graph.nodes().n_rows()).filter(|&node| graph.degree(node) != 2).count();
    if stations > MAX_STATIONS {
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

/// The projections of the drawn points, and their rows.
fn add_projection(report: &Report<'_>, rows: &[usize], n: usize, arrays: &mut Arrays) {
    let Some(ReportPoints { projection, .. }) = report.points else {
        arrays.add("edge_or_node", Packed::u32([].into_iter()));
        arrays.add("pos", Packed::u16(&[]));
        return;
    };
    let n_edges = report.graph.edges().len();
    let edge_or_node = |&row: &usize| {
        let index = projection.edge[row].unwrap_or(n_edges + projection.node[row]);
        u32::try_from(index).unwrap_or(u32::MAX)
    };
    let indices: Vec<u32> = rows.iter().map(edge_or_node).collect();
    arrays.add("edge_or_node", Packed::u32(indices.into_iter()));
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

/// Values divided by the largest, so that they fit into single precision in any unit.
fn shares_of_largest(values: &[f64]) -> Vec<f64> {
    let largest = values.iter().map(|x| x.abs()).fold(0.0, f64::max);
    values.iter().map(|x| if largest > 0.0 { x / largest } else { 0.0 }).collect()
}

/// The default root: the node of the largest component that is farthest from its first node. On
/// a tree that is a tip of a longest path.
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

/// A tuning curve, as the page draws it.
fn tuning(tuning: &Tuning) -> Value {
    let values: Vec<f64> = tuning.curve.iter().map(|graph| graph.value).collect();
    let measure = |(name, values)| json!({"name": name, "values": values});
    let measures: Vec<Value> = tuning.measures().into_iter().map(measure).collect();
    json!({"setting": setting_name(tuning), "chosen": tuning.chosen, "scale": tuning.scale,
           "values": values, "measures": measures, "caption": tuning_caption(tuning)})
}

/// The histogram of the distances of all points from the graph.
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

/// The graph over some of its points, for readers without JavaScript; empty if it is too large.
fn static_picture(report: &Report<'_>, space: &Space, rows: &[usize]) -> midrib::Result<String> {
    if report.graph.edges().len() > STATIC_EDGES {
        return Ok(String::new());
    }
    let step = rows.len().div_ceil(STATIC_POINTS).max(1);
    let flat = |matrix: &Matrix, step: usize| {
        let few = matrix.rows().step_by(step);
        let mut flat = Matrix::zeros(few.len(), 2);
        for (i, row) in few.enumerate() {
            for (to, from) in flat.row_mut(i).iter_mut().zip(row) {
                *to = *from;
            }
        }
        flat
    };
    let scene = Scene {
        graph: report.graph,
        projection: None,
        coloring: &Coloring::Plain,
        title: &report.description.title,
    };
    let axis = |i: usize| space.axes.get(i).map_or("", String::as_str);
    graph_view(&scene, &flat(&space.points, step), &flat(&space.nodes, 1), [axis(0), axis(1)])
}

#[cfg(test)]
mod tests;
