//! The node that a location means, by what is measured at the points of a graph.

use midrib::graph::{PrincipalGraph, Projection, TipMean};
use midrib_io::Labels;

use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::location::Location;
use crate::text::{count, short};

/// A value belongs to the tip where its share is largest if that is at least this fraction of its
/// share where most of its points are ...
const AT_A_TIP: f64 = 0.5;
/// ... which is one of this many nodes.
const INNER_NODES: usize = 100;
/// Below this share of a value among the points around a node, the node hardly stands for it.
const FEW: f64 = 0.5;

/// The node that a location means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocatedNode {
    /// The node.
    pub node: usize,
    /// The points around it, where a column was named: the share that has the value, or the mean.
    pub around: Option<TipMean>,
    /// How many points have no number in the column.
    pub missing: usize,
}

/// Reads the values of a feature.
pub type Features<'a> = dyn Fn(&str) -> Result<Vec<f64>> + 'a;

/// The points on a graph, with what describes them.
///
/// ```
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// use midrib_tasks::PointsOnGraph;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
/// let values: Vec<f64> = (0..30).map(|i| f64::from(i) / 15.0).collect();
/// let points = PointsOnGraph {
///     graph: &graph,
///     projection: &graph.project(&Points::from_f64(&values[..], 1)?)?,
///     ids: None,
///     labels: &[],
///     feature_names: &["depth".into()],
///     features: &|_| Ok(values.clone()),
/// };
/// assert_eq!(points.locate(&"depth:max".parse()?)?.node, 2);
/// assert_eq!(points.locate(&"point:1".parse()?)?.node, 0);
/// let unknown = points.locate(&"dept:max".parse()?).unwrap_err().to_string();
/// assert!(unknown.starts_with("dept:max: there is no column dept (did you mean depth?)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PointsOnGraph<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// The projections of the points onto it.
    pub projection: &'a Projection,
    /// Points without ids go by their row.
    pub ids: Option<&'a [String]>,
    /// The labels of the points.
    pub labels: &'a [Labels],
    /// The names of the features; their values are read only when a location names one.
    pub feature_names: &'a [String],
    /// The values of a feature.
    pub features: &'a Features<'a>,
}

impl PointsOnGraph<'_> {
    /// The node that a location means.
    pub fn locate(&self, location: &Location) -> Result<LocatedNode> {
        let named = |node| LocatedNode { node, around: None, missing: 0 };
        match location {
            Location::Node(node) if *node < self.graph.nodes().n_rows() => Ok(named(*node)),
            Location::Node(_) => Err(location.refused(format!(
                "there is no such node, the graph has {} (0 to {}); {}",
                match self.graph.nodes().n_rows() {
                    1 => "1 node".into(),
                    n => format!("{n} nodes"),
                },
                self.graph.nodes().n_rows().saturating_sub(1),
                self.tips()
            ))),
            Location::Point(id) => self.node_of_point(id, location).map(named),
            Location::Equal { column, value } => self.node_of_value(column, value, location),
            Location::Extreme { column, largest } => {
                self.tip_of_extreme(column, *largest, location)
            }
        }
    }

    fn node_of_point(&self, id: &str, location: &Location) -> Result<usize> {
        let row = match self.ids {
            Some(ids) => ids.iter().position(|other| other == id),
            None => id.parse().ok().filter(|&row: &usize| row < self.projection.node.len()),
        };
        row.and_then(|row| self.projection.node.get(row).copied()).ok_or_else(|| {
            location.refused(format!(
                "no point has this id; give a node, a point, COLUMN==VALUE, COLUMN:min or \
                 COLUMN:max; {}",
                self.tips()
            ))
        })
    }

    fn node_of_value(&self, column: &str, value: &str, location: &Location) -> Result<LocatedNode> {
        let Some(labels) = self.labels.iter().find(|labels| labels.name == column) else {
            let is_feature = self.feature_names.iter().any(|name| name == column);
            return Err(location.refused(match is_feature {
                true => format!("{column} holds numbers: give {column}:min or {column}:max"),
                false => format!("{}; {}", self.unknown_column(column), self.tips()),
            }));
        };
        // Numbers match in another form only where no text is the same.
        let as_text = labels.values.iter().any(|other| other == value);
        let matches = |other: &str| if as_text { other == value } else { is_same(other, value) };
        if !labels.values.iter().any(|other| matches(other)) {
            let mut values: Vec<&str> = labels.values.iter().map(String::as_str).collect();
            values.retain(|value| !midrib::is_missing(value));
            values.sort_unstable();
            values.dedup();
            let more = if values.len() > 10 { ", …" } else { "" };
            values.truncate(10);
            return Err(location.refused(format!(
                "no point has this value; {column} is one of {}{more}; {}",
                values.join(", "),
                self.tips()
            )));
        }
        let share = |other: &String| match matches(other) {
            false if midrib::is_missing(other) => f64::NAN,
            matched => f64::from(u8::from(matched)),
        };
        let shares: Vec<f64> = labels.values.iter().map(share).collect();
        let tips = self.graph.tip_means(self.projection, &shares)?;
        let inner = self.most_common_node(&shares)?;
        let found = match best(&tips, true)[..] {
            [tip, ..] if tip.mean < AT_A_TIP * inner.mean => inner,
            [tip] => tip,
            // On a ring the points around one node are those around the next.
            [tip, ..] if self.graph.degree(tip.node) > 1 => inner,
            [] => inner,
            ref tips => return Err(tied(location, tips, 0)),
        };
        Ok(LocatedNode { node: found.node, around: Some(found), missing: 0 })
    }

    /// The node around which a value is most common, among those with most of its points.
    fn most_common_node(&self, shares: &[f64]) -> Result<TipMean> {
        let mut counts = vec![0_usize; self.graph.nodes().n_rows()];
        for (&node, &share) in self.projection.node.iter().zip(shares) {
            counts[node] += usize::from(share == 1.0);
        }
        let mut nodes: Vec<usize> = (0..counts.len()).filter(|&node| counts[node] > 0).collect();
        nodes.sort_by_key(|&node| std::cmp::Reverse(counts[node]));
        nodes.truncate(INNER_NODES);
        let around = self.graph.means_around(&nodes, self.projection, shares)?;
        Ok(best(&around, true)[0])
    }

    fn tip_of_extreme(
        &self,
        column: &str,
        largest: bool,
        location: &Location,
    ) -> Result<LocatedNode> {
        let values = self.column(column, location)?;
        let missing = values.iter().filter(|value| !value.is_finite()).count();
        let tips = self.graph.tip_means(self.projection, &values)?;
        match best(&tips, largest)[..] {
            [tip] => Ok(LocatedNode { node: tip.node, around: Some(tip), missing }),
            [tip, ..] if self.graph.degree(tip.node) > 1 => {
                Ok(LocatedNode { node: tip.node, around: Some(tip), missing })
            }
            [] => Err(location.refused(format!("no point has a value; {}", self.tips()))),
            ref tips => Err(tied(location, tips, missing)),
        }
    }

    /// A column of numbers: a label or a feature; NaN where it is missing.
    pub fn values(&self, column: &str) -> Result<Vec<f64>> {
        self.column(column, &Location::Point(column.into()))
    }

    fn column(&self, column: &str, location: &Location) -> Result<Vec<f64>> {
        if let Some(labels) = self.labels.iter().find(|labels| labels.name == column) {
            let number = |(row, text): (usize, &String)| match text.parse::<f64>() {
                Ok(number) => Ok(number),
                Err(_) if midrib::is_missing(text) => Ok(f64::NAN),
                Err(_) => Err(location.refused(format!(
                    "{column} holds \"{text}\" in row {}, not a number; name a value with \
                     {column}==VALUE",
                    row + 1
                ))),
            };
            return labels.values.iter().enumerate().map(number).collect();
        }
        if self.feature_names.iter().any(|name| name == column) {
            return (self.features)(column);
        }
        let unknown = self.unknown_column(column);
        Err(location.refused(match location.column() {
            Some(_) => format!("{unknown}; {}", self.tips()),
            None => unknown,
        }))
    }

    fn unknown_column(&self, column: &str) -> String {
        const SHOWN: usize = 12;
        let names: Vec<&str> = self
            .labels
            .iter()
            .map(|labels| labels.name.as_str())
            .chain(self.feature_names.iter().map(String::as_str))
            .collect();
        let hint = midrib::nearest_word(column, names.iter().copied())
            .map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
        let more = if names.len() > SHOWN { ", …" } else { "" };
        let shown = names[..names.len().min(SHOWN)].join(", ");
        format!("there is no column {column}{hint}; there are {shown}{more}")
    }

    /// The tips, to choose from.
    fn tips(&self) -> String {
        const SHOWN: usize = 20;
        let tips = self.graph.tips();
        if tips.is_empty() {
            return "it has no tips".into();
        }
        let shown: Vec<String> = tips.iter().take(SHOWN).map(usize::to_string).collect();
        let more = if tips.len() > SHOWN { ", …" } else { "" };
        format!("the tips of the graph are {}{more}", shown.join(", "))
    }
}

/// The node that a location means; what is worth knowing about it is noted. `setting` is the one
/// that named it, for example `root`.
pub fn locate(
    points: &PointsOnGraph<'_>,
    location: &Location,
    setting: &'static str,
    listener: &mut dyn Listener,
) -> Result<usize> {
    let found = points.locate(location).map_err(|error| error.of_setting(setting))?;
    let LocatedNode { node, around, missing } = found;
    let named = (listener.wording().value)(setting, &location.to_string());
    if missing > 0 {
        let points = count(missing, "point", "points");
        listener.note(&format!("{named}: {points} without a value left out"));
    }
    let Some(around) = around else { return Ok(node) };
    let n_points = count(around.points, "point", "points");
    let is_value = matches!(location, Location::Equal { .. });
    let measured = match is_value {
        true => format!("{:.0} % of the {n_points}", 100.0 * around.mean),
        false => format!("mean {} of the {n_points}", short(around.mean)),
    };
    let is_inner = is_value && points.graph.degree(node) > 1 && !points.graph.tips().is_empty();
    let tips = if is_inner { "; few of them are at the tips" } else { "" };
    listener.note(&format!("{named}: node {node}, {measured} around it{tips}"));
    if is_value && around.mean < FEW {
        listener.note(&format!(
            "{named}: few of the points around it have this value; give the number of a node or \
             the id of a point to start there"
        ));
    }
    Ok(node)
}

/// Whether two cells hold the same number.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    number(one).zip(number(other)).is_some_and(|(a, b)| a == b)
}

/// The nodes of the least or largest mean.
fn best(nodes: &[TipMean], largest: bool) -> Vec<TipMean> {
    let sign = if largest { -1.0 } else { 1.0 };
    let least = nodes.iter().map(|node| sign * node.mean).fold(f64::INFINITY, f64::min);
    nodes.iter().copied().filter(|node| sign * node.mean == least).collect()
}

fn tied(location: &Location, tips: &[TipMean], missing: usize) -> Error {
    let left_out = match missing {
        0 => String::new(),
        1 => "1 point without a value left out, ".into(),
        _ => format!("{missing} points without a value left out, "),
    };
    let nodes: Vec<String> = tips.iter().map(|tip| tip.node.to_string()).collect();
    let nodes = nodes.join(", ");
    location.refused(format!("{left_out}the nodes {nodes} are equally good; name one of them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where values are found on a line of nodes 0, 1, 2.. with as many points at each.
    fn found_on_a_line(nodes: usize, each: usize, kinds: &[&str], location: &str) -> TipMean {
        let edges: Vec<_> = (1..nodes).map(|node| (node - 1, node, 1.0)).collect();
        let positions: Vec<[f64; 1]> = (0..nodes).map(|node| [node as f64]).collect();
        let positions = midrib::math::Matrix::from_rows(&positions).unwrap();
        let graph = PrincipalGraph::new(positions, &edges, vec![1.0; nodes]).unwrap();
        let points: Vec<f64> = (0..nodes * each).map(|i| (i / each) as f64).collect();
        let points = midrib::Points::from_f64(points, 1).unwrap();
        let values = kinds.iter().map(|&kind| kind.to_owned()).collect();
        let points = PointsOnGraph {
            graph: &graph,
            projection: &graph.project(&points).unwrap(),
            ids: None,
            labels: &[Labels { name: "kind".into(), values }],
            feature_names: &[],
            features: &|_| unreachable!(),
        };
        points.locate(&location.parse().unwrap()).unwrap().around.unwrap()
    }

    /// A begins the line, C ends it, and B is common in the middle and rare at the end.
    #[test]
    fn a_value_is_where_it_is_common() {
        let kind = |i: usize| match (i / 20, i % 20) {
            (0..3, _) => "A",
            (5, 0..12) | (10, 0..3) => "B",
            _ => "C",
        };
        let kinds: Vec<&str> = (0..220).map(kind).collect();
        for (location, node, share) in
            [("kind==A", 0, 1.0), ("kind==B", 5, 0.6), ("kind==C", 10, 0.85)]
        {
            let found = found_on_a_line(11, 20, &kinds, location);
            assert_eq!((found.node, found.mean), (node, share), "{location}");
        }
    }

    /// With one node per point, the points around a node decide what is common, not its own.
    #[test]
    fn a_value_is_where_it_is_common_if_each_node_has_one_point() {
        let kind = |i: usize| if (20..40).contains(&i) || i == 3 { "B" } else { "A" };
        let kinds: Vec<&str> = (0..60).map(kind).collect();
        let found = found_on_a_line(60, 1, &kinds, "kind==B");
        assert!((24..36).contains(&found.node) && found.mean == 1.0, "{found:?}");
        assert_eq!(found_on_a_line(60, 1, &kinds, "kind==A").node, 59);
    }
}
