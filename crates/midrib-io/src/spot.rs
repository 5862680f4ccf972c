//! Places that are named in words: a node, a point, or what the points about a tip have in common.

use std::fmt;
use std::str::FromStr;

use midrib::graph::{PrincipalGraph, Projection, TipMean};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::read::Labels;

/// A place as it was asked for.
///
/// ```
/// use midrib_io::Spot;
/// let spot: Spot = "stage==young".parse()?;
/// assert_eq!(spot, Spot::Equal { column: "stage".into(), value: "young".into() });
/// assert_eq!(spot.to_string(), "stage==young");
/// assert_eq!(serde_json::json!(spot)["equal"]["column"], "stage");
/// assert_eq!("stage==".parse::<Spot>(), Err("name a value behind stage==".into()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spot {
    /// `12` or `node:12`.
    Node(usize),
    /// `cell_7` or `point:7`: the node nearest to a point.
    Point(String),
    /// `stage==young`: the tip where most points are so, or the node where they are common if they
    /// are rare at the tips.
    Equal {
        /// The column.
        column: String,
        /// What it says there.
        value: String,
    },
    /// `age:min`: the tip where the mean is least, or largest.
    Extreme {
        /// The column.
        column: String,
        /// Whether the largest mean is meant.
        largest: bool,
    },
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if let Some(id) = text.strip_prefix("point:") {
            return Ok(Self::Point(id.into()));
        }
        if let Some((column, value)) = text.split_once("==") {
            let (column, value) = (column.trim(), value.trim());
            return match (column, value) {
                ("", _) => Err(format!("name a column before =={value}")),
                (_, "") => Err(format!("name a value behind {column}==")),
                _ => Ok(Self::Equal { column: column.into(), value: value.into() }),
            };
        }
        if let Some((column, end)) = text.rsplit_once(':')
            && let "min" | "max" = end
        {
            if column.is_empty() {
                return Err(format!("name a column before :{end}"));
            }
            return Ok(Self::Extreme { column: column.into(), largest: end == "max" });
        }
        if let Some(node) = text.strip_prefix("node:") {
            let wrong = |_| format!("{node} is not the number of a node");
            return node.parse().map(Self::Node).map_err(wrong);
        }
        Ok(text.parse().map_or_else(|_| Self::Point(text.into()), Self::Node))
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Node(node) => write!(f, "{node}"),
            Self::Point(id) => write!(f, "{id}"),
            Self::Equal { column, value } => write!(f, "{column}=={value}"),
            Self::Extreme { column, largest: false } => write!(f, "{column}:min"),
            Self::Extreme { column, largest: true } => write!(f, "{column}:max"),
        }
    }
}

impl Spot {
    /// The place that `text` names; the error tells which text is none.
    pub fn read(text: &str) -> Result<Self> {
        text.parse().map_err(|reason| Error::Spot { spot: text.into(), reason })
    }

    /// The column that it asks for.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Node(_) | Self::Point(_) => None,
            Self::Equal { column, .. } | Self::Extreme { column, .. } => Some(column),
        }
    }

    fn refused(&self, reason: String) -> Error {
        Error::Spot { spot: self.to_string(), reason }
    }
}

/// A value belongs to the end where its share is largest if that is at least this part of its share
/// where most of its points are ...
const AT_AN_END: f64 = 0.5;
/// ... which is one of this many nodes.
const MIDDLES: usize = 100;

/// What a place turned out to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The node.
    pub node: usize,
    /// What the points about it say, where they were asked: the share that has the value, or the
    /// mean.
    pub about: Option<TipMean>,
    /// How many points have no number in the column that was asked for.
    pub unknown: usize,
}

/// Where the values of a feature come from.
pub type Features<'a> = dyn Fn(&str) -> Result<Vec<f64>> + 'a;

/// What is known of the points on a graph.
///
/// ```
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// use midrib_io::Landscape;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
/// let values: Vec<f64> = (0..30).map(|i| f64::from(i) / 15.0).collect();
/// let landscape = Landscape {
///     graph: &graph,
///     projection: &graph.project(&Points::from_f64(&values[..], 1)?)?,
///     ids: None,
///     labels: &[],
///     feature_names: &["depth".into()],
///     features: &|_| Ok(values.clone()),
/// };
/// assert_eq!(landscape.find(&"depth:max".parse()?)?.node, 2);
/// assert_eq!(landscape.find(&"point:1".parse()?)?.node, 0);
/// let unknown = landscape.find(&"dept:max".parse()?).unwrap_err().to_string();
/// assert!(unknown.starts_with("dept:max: there is no column dept (did you mean depth?)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Landscape<'a> {
    /// The graph.
    pub graph: &'a PrincipalGraph,
    /// Where the points are on it.
    pub projection: &'a Projection,
    /// Points without ids go by their row.
    pub ids: Option<&'a [String]>,
    /// What describes the points.
    pub labels: &'a [Labels],
    /// The names of the features, whose values are looked for only if they are asked for.
    pub feature_names: &'a [String],
    /// Their values.
    pub features: &'a Features<'a>,
}

impl Landscape<'_> {
    /// The node that is meant.
    pub fn find(&self, spot: &Spot) -> Result<Found> {
        let named = |node| Found { node, about: None, unknown: 0 };
        match spot {
            Spot::Node(node) if *node < self.graph.nodes().n_rows() => Ok(named(*node)),
            Spot::Node(_) => Err(spot.refused(format!(
                "there is no such node, the graph has {} (0 to {}); {}",
                match self.graph.nodes().n_rows() {
                    1 => "1 node".into(),
                    n => format!("{n} nodes"),
                },
                self.graph.nodes().n_rows().saturating_sub(1),
                self.tips()
            ))),
            Spot::Point(id) => self.node_of_point(id, spot).map(named),
            Spot::Equal { column, value } => self.end_of_value(column, value, spot),
            Spot::Extreme { column, largest } => self.end_of_extreme(column, *largest, spot),
        }
    }

    fn node_of_point(&self, id: &str, spot: &Spot) -> Result<usize> {
        let row = match self.ids {
            Some(ids) => ids.iter().position(|known| known == id),
            None => id.parse().ok().filter(|&row: &usize| row < self.projection.node.len()),
        };
        row.and_then(|row| self.projection.node.get(row).copied()).ok_or_else(|| {
            spot.refused(format!(
                "no point has this id; give a node, a point, COLUMN==VALUE, COLUMN:min or \
                 COLUMN:max; {}",
                self.tips()
            ))
        })
    }

    fn end_of_value(&self, column: &str, value: &str, spot: &Spot) -> Result<Found> {
        let Some(labels) = self.labels.iter().find(|labels| labels.name == column) else {
            let is_feature = self.feature_names.iter().any(|name| name == column);
            return Err(spot.refused(match is_feature {
                true => format!("{column} holds numbers: give {column}:min or {column}:max"),
                false => format!("{}; {}", self.unknown_column(column), self.tips()),
            }));
        };
        // A number is looked for in another form only where no word is the same.
        let as_word = labels.values.iter().any(|known| known == value);
        let is_meant = |known: &str| if as_word { known == value } else { is_same(known, value) };
        if !labels.values.iter().any(|known| is_meant(known)) {
            let mut known: Vec<&str> = labels.values.iter().map(String::as_str).collect();
            known.retain(|word| !midrib::is_missing(word));
            known.sort_unstable();
            known.dedup();
            let more = if known.len() > 10 { ", …" } else { "" };
            known.truncate(10);
            return Err(spot.refused(format!(
                "no point has this value; {column} is one of {}{more}; {}",
                known.join(", "),
                self.tips()
            )));
        }
        let is = |known: &String| match is_meant(known) {
            false if midrib::is_missing(known) => f64::NAN,
            meant => f64::from(u8::from(meant)),
        };
        let shares: Vec<f64> = labels.values.iter().map(is).collect();
        let ends = self.graph.tip_means(self.projection, &shares)?;
        let middle = self.where_most_are(&shares)?;
        let found = match best(&ends, true)[..] {
            [end, ..] if end.mean < AT_AN_END * middle.mean => middle,
            [end] => end,
            // On a ring the points about one node are those about the next.
            [end, ..] if self.graph.degree(end.node) > 1 => middle,
            [] => middle,
            ref ends => return Err(tied(spot, ends, 0)),
        };
        Ok(Found { node: found.node, about: Some(found), unknown: 0 })
    }

    /// The node about which a value is most common, of those that have most of its points.
    fn where_most_are(&self, shares: &[f64]) -> Result<TipMean> {
        let mut counts = vec![0_usize; self.graph.nodes().n_rows()];
        for (&node, &share) in self.projection.node.iter().zip(shares) {
            counts[node] += usize::from(share == 1.0);
        }
        let mut nodes: Vec<usize> = (0..counts.len()).filter(|&node| counts[node] > 0).collect();
        nodes.sort_by_key(|&node| std::cmp::Reverse(counts[node]));
        nodes.truncate(MIDDLES);
        let about = self.graph.means_around(&nodes, self.projection, shares)?;
        Ok(best(&about, true)[0])
    }

    fn end_of_extreme(&self, column: &str, largest: bool, spot: &Spot) -> Result<Found> {
        let values = self.column(column, spot)?;
        let unknown = values.iter().filter(|value| !value.is_finite()).count();
        let ends = self.graph.tip_means(self.projection, &values)?;
        match best(&ends, largest)[..] {
            [end] => Ok(Found { node: end.node, about: Some(end), unknown }),
            [end, ..] if self.graph.degree(end.node) > 1 => {
                Ok(Found { node: end.node, about: Some(end), unknown })
            }
            [] => Err(spot.refused(format!("no point has a value; {}", self.tips()))),
            ref ends => Err(tied(spot, ends, unknown)),
        }
    }

    /// A column of numbers: a label or a feature; NaN where it is unknown.
    pub fn values(&self, column: &str) -> Result<Vec<f64>> {
        self.column(column, &Spot::Point(column.into()))
    }

    fn column(&self, column: &str, spot: &Spot) -> Result<Vec<f64>> {
        if let Some(labels) = self.labels.iter().find(|labels| labels.name == column) {
            let number = |(row, text): (usize, &String)| match text.parse::<f64>() {
                Ok(number) => Ok(number),
                Err(_) if midrib::is_missing(text) => Ok(f64::NAN),
                Err(_) => Err(spot.refused(format!(
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
        Err(spot.refused(match spot.column() {
            Some(_) => format!("{unknown}; {}", self.tips()),
            None => unknown,
        }))
    }

    fn unknown_column(&self, column: &str) -> String {
        const SHOWN: usize = 12;
        let known: Vec<&str> = self
            .labels
            .iter()
            .map(|labels| labels.name.as_str())
            .chain(self.feature_names.iter().map(String::as_str))
            .collect();
        let hint = midrib::nearest_word(column, known.iter().copied())
            .map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
        let more = if known.len() > SHOWN { ", …" } else { "" };
        let shown = known[..known.len().min(SHOWN)].join(", ");
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

/// Whether two cells hold the same number.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    number(one).zip(number(other)).is_some_and(|(a, b)| a == b)
}

/// The ends of the least or largest mean.
fn best(ends: &[TipMean], largest: bool) -> Vec<TipMean> {
    let sign = if largest { -1.0 } else { 1.0 };
    let least = ends.iter().map(|end| sign * end.mean).fold(f64::INFINITY, f64::min);
    ends.iter().copied().filter(|end| sign * end.mean == least).collect()
}

fn tied(spot: &Spot, ends: &[TipMean], unknown: usize) -> Error {
    let left_out = match unknown {
        0 => String::new(),
        1 => "1 point without a value left out, ".into(),
        _ => format!("{unknown} points without a value left out, "),
    };
    let nodes: Vec<String> = ends.iter().map(|end| end.node.to_string()).collect();
    let nodes = nodes.join(", ");
    spot.refused(format!("{left_out}the nodes {nodes} are equally good; name one of them"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where values are found on a line of nodes 0, 1, 2.. with as many points at each.
    fn found_on_a_line(nodes: usize, each: usize, kinds: &[&str], spot: &str) -> TipMean {
        let edges: Vec<_> = (1..nodes).map(|node| (node - 1, node, 1.0)).collect();
        let places: Vec<[f64; 1]> = (0..nodes).map(|node| [node as f64]).collect();
        let places = midrib::math::Matrix::from_rows(&places).unwrap();
        let graph = PrincipalGraph::new(places, &edges, vec![1.0; nodes]).unwrap();
        let points: Vec<f64> = (0..nodes * each).map(|i| (i / each) as f64).collect();
        let points = midrib::Points::from_f64(points, 1).unwrap();
        let values = kinds.iter().map(|&kind| kind.to_owned()).collect();
        let landscape = Landscape {
            graph: &graph,
            projection: &graph.project(&points).unwrap(),
            ids: None,
            labels: &[Labels { name: "kind".into(), values }],
            feature_names: &[],
            features: &|_| unreachable!(),
        };
        landscape.find(&spot.parse().unwrap()).unwrap().about.unwrap()
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
        for (spot, node, share) in [("kind==A", 0, 1.0), ("kind==B", 5, 0.6), ("kind==C", 10, 0.85)]
        {
            let found = found_on_a_line(11, 20, &kinds, spot);
            assert_eq!((found.node, found.mean), (node, share), "{spot}");
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

    #[test]
    fn positions_are_distinguished_by_their_form() {
        let point = |id: &str| Spot::Point(id.into());
        for (text, spot) in [
            ("12", Spot::Node(12)),
            ("node:12", Spot::Node(12)),
            ("cell_7", point("cell_7")),
            ("point:7", point("7")),
            ("a:b", point("a:b")),
            ("-3", point("-3")),
            ("age:min", Spot::Extreme { column: "age".into(), largest: false }),
            ("a:b:max", Spot::Extreme { column: "a:b".into(), largest: true }),
            ("day==0 h", Spot::Equal { column: "day".into(), value: "0 h".into() }),
        ] {
            assert_eq!(text.parse(), Ok(spot), "{text}");
        }
        for text in ["node:x", "stage==", "stage== ", "==x", ":min"] {
            assert!(text.parse::<Spot>().is_err(), "{text}");
        }
    }
}
