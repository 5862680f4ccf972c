//! The columns of a report, as many as fit.

use midrib::graph::PrincipalGraph;
use serde_json::{Value, json};

use super::pack::{Arrays, Depth, Packed, Range};
use super::table::{DrawnTable, Label};
use super::{FEW_POINTS, ReportPoints};

/// The bytes of a column's metadata, apart from its name.
const METADATA_BYTES: usize = 130;
/// The bytes of a long column name.
const NAME_BYTES: usize = 70;

/// Columns that are added as long as they fit.
pub struct Columns {
    /// The metadata of the columns.
    pub metadata: Vec<Value>,
    /// All arrays of the report so far.
    pub arrays: Arrays,
    /// The maximum number of bytes of the arrays.
    pub budget: usize,
    /// The index of the column with the distances from the graph.
    pub distances: Option<usize>,
}

impl Columns {
    /// Adds labels first, then point names, the columns of the table and the distances.
    pub fn add_all(
        &mut self,
        points: &ReportPoints<'_>,
        graph: &PrincipalGraph,
        rows: &[usize],
        left_out: &mut Vec<String>,
    ) {
        let depth = self.depth(points, graph, rows);
        for (name, values) in points.labels {
            match Label::of(values, rows) {
                Label::Classes(names, classes) => {
                    if !self.add_classes(name, &names, &classes) {
                        left_out.push(format!("Label {name} is not on this page: it is too large."));
                    }
                }
                Label::Numbers(numbers) => {
                    if !self.add_numbers(name, &numbers, None, None, depth) {
                        left_out.push(format!("Label {name} is not on this page: it is too large."));
                    }
                }
                Label::Texts => left_out.push(format!(
                    "Label {name} is not on this page: it has too many different values to color by."
                )),
            }
        }
        if let Some(ids) = points.ids {
            self.add_ids(ids, rows, left_out);
        }
        match points.table.filter(|table| table.values.n_rows() == rows.len()) {
            Some(table) => {
                let shares = table.shares(points.projection, rows, graph.nodes().n_rows());
                left_out.extend(self.add_table(table, &shares, points, rows, depth));
            }
            None => self.add_distances(points, rows, depth),
        }
    }

    /// The highest precision with which all columns fit: seven digits, 16-bit codes, or 8-bit codes.
    fn depth(&self, points: &ReportPoints<'_>, graph: &PrincipalGraph, rows: &[usize]) -> Depth {
        let fits = |depth: &Depth| self.fits(wanted(points, graph, rows, *depth));
        let least = if rows.len() <= FEW_POINTS { Depth::Word } else { Depth::Byte };
        [Depth::Single, Depth::Word].into_iter().find(fits).unwrap_or(least)
    }

    fn add_distances(&mut self, points: &ReportPoints<'_>, rows: &[usize], depth: Depth) {
        if points.projection.distance.is_empty() {
            return;
        }
        let distances: Vec<f64> = rows.iter().map(|&row| points.projection.distance[row]).collect();
        if self.add_numbers("distance", &distances, None, Some(0.0), depth) {
            self.distances = Some(self.metadata.len() - 1);
        }
    }

    fn fits(&self, size: usize) -> bool {
        self.arrays.bytes() + size <= self.budget
    }

    fn add_classes(&mut self, name: &str, names: &[String], classes: &[u16]) -> bool {
        // Fewer than 255 classes fit into one byte.
        let packed = if names.len() < 255 {
            let range = Range { low: 0.0, high: 254.0 };
            let code = |&class: &u16| if class == u16::MAX { f64::NAN } else { f64::from(class) };
            Packed::codes(classes.iter().map(code), range, false)
        } else {
            Packed::u16(classes)
        };
        let size = packed.size() + names.iter().map(|name| name.len() + 8).sum::<usize>();
        if !self.fits(size) {
            return false;
        }
        // The names count too.
        self.budget -= size - packed.size();
        self.arrays.add(&format!("column{}", self.metadata.len()), packed);
        self.metadata.push(json!({"name": name, "kind": "class", "classes": names,
                              "low": 0, "high": 0, "share": 0, "label": true}));
        true
    }

    /// `share` is the share of the variance between nodes; `None` for labels.
    fn add_numbers(
        &mut self,
        name: &str,
        values: &[f64],
        nodes: Option<Vec<f64>>,
        share: Option<f64>,
        depth: Depth,
    ) -> bool {
        let all: Vec<f64> = values.iter().copied().chain(nodes.into_iter().flatten()).collect();
        let range = Range::of(all.iter().copied());
        let packed = Packed::numbers(all.into_iter(), range, depth);
        if !self.fits(packed.size() + name.len() + METADATA_BYTES) {
            return false;
        }
        self.budget -= name.len() + METADATA_BYTES;
        self.arrays.add(&format!("column{}", self.metadata.len()), packed);
        self.metadata.push(json!({"name": name, "kind": "number", "classes": [],
                              "low": range.low, "high": range.high,
                              "share": share.unwrap_or_default(), "label": share.is_none()}));
        true
    }

    fn add_ids(&mut self, ids: &[String], rows: &[usize], left_out: &mut Vec<String>) {
        let numbered = ids.iter().enumerate().all(|(row, id)| *id == row.to_string());
        if numbered {
            return;
        }
        let shown: Vec<&str> =
            rows.iter().map(|&row| ids.get(row).map_or("", String::as_str)).collect();
        let packed = Packed::texts(&shown);
        if self.fits(packed.size()) {
            self.arrays.add("ids", packed);
        } else {
            left_out.push(
                "The names of the points are too long for this page; points are identified by row, \
                 starting at 0."
                    .into(),
            );
        }
    }

    /// Adds the columns of the table, those with the largest share of variance between nodes first.
    /// The distances come after the first two. Returns a note if columns are left out.
    fn add_table(
        &mut self,
        table: &DrawnTable,
        shares: &[f64],
        points: &ReportPoints<'_>,
        rows: &[usize],
        depth: Depth,
    ) -> Option<String> {
        let mut order: Vec<usize> = (0..table.names.len()).collect();
        order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]).then(a.cmp(&b)));
        let mut kept = 0;
        for (at, &d) in order.iter().enumerate() {
            if at == 2 {
                self.add_distances(points, rows, depth);
            }
            let values: Vec<f64> = table.values.rows().map(|row| row[d]).collect();
            let nodes = points.table_nodes.filter(|nodes| d < nodes.n_cols());
            let nodes = nodes.map(|nodes| nodes.rows().map(|row| row[d]).collect());
            if !self.add_numbers(&table.names[d], &values, nodes, Some(shares[d]), depth) {
                break;
            }
            kept += 1;
        }
        if order.len() <= 2 {
            self.add_distances(points, rows, depth);
        }
        let all = table.n_columns;
        match kept {
            0 if all > 0 => Some(format!(
                "None of the {all} columns are on this page to color by: with this many points they \
                 would make the file too large to share."
            )),
            _ if kept < all => Some(format!(
                "{kept} of {all} columns are on this page: those that differ most between the \
                 nodes."
            )),
            _ => None,
        }
    }
}

/// An upper bound on the bytes of all columns and point names.
pub fn wanted(
    points: &ReportPoints<'_>,
    graph: &PrincipalGraph,
    rows: &[usize],
    depth: Depth,
) -> usize {
    let columns = points.labels.len() + 1 + points.table.map_or(0, |table| table.names.len());
    let values = columns * (rows.len() + graph.nodes().n_rows());
    let ids = points.ids.iter().flat_map(|ids| rows.iter().filter_map(|&row| ids.get(row)));
    let ids: usize = ids.map(|id| 2 * id.len() + 4).sum();
    ids + values * depth.bytes() + (METADATA_BYTES + NAME_BYTES) * columns
}
