//! Places that are named in words: a node, a point, or what the points about a tip have in common.

use std::str::FromStr;

use midrib::graph::{EndMean, PrincipalGraph, Projection};
use midrib_io::Labels;

use crate::exit::{Failure, Outcome};
use crate::talk::{Talk, count};

/// A place as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// `12` or `node:12`.
    Node(usize),
    /// `cell_7` or `point:7`: the node nearest to a point.
    Point(String),
    /// `stage==young`: the tip where most points are so.
    Equal { column: String, value: String },
    /// `age:min`: the tip where the mean is least, or largest.
    Extreme { column: String, largest: bool },
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(id) = text.strip_prefix("point:") {
            return Ok(Self::Point(id.into()));
        }
        if let Some((column, value)) = text.split_once("==") {
            return Ok(Self::Equal { column: column.trim().into(), value: value.trim().into() });
        }
        if let Some((column, end)) = text.rsplit_once(':')
            && let "min" | "max" = end
        {
            return Ok(Self::Extreme { column: column.into(), largest: end == "max" });
        }
        if let Some(node) = text.strip_prefix("node:") {
            let wrong = |_| format!("{node} is not the number of a node");
            return node.parse().map(Self::Node).map_err(wrong);
        }
        Ok(text.parse().map_or_else(|_| Self::Point(text.into()), Self::Node))
    }
}

impl Spot {
    /// The column whose numbers it goes by.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Extreme { column, .. } => Some(column),
            _ => None,
        }
    }
}

/// Where the values of a feature come from.
pub type Features<'a> = dyn Fn(&str) -> Outcome<Vec<f64>> + 'a;

/// What is known of the points on a graph.
pub struct Landscape<'a> {
    pub graph: &'a PrincipalGraph,
    pub projection: &'a Projection,
    /// Points without ids go by their row.
    pub ids: Option<&'a [String]>,
    pub labels: &'a [Labels],
    /// The names of the features, whose values are looked for only if they are asked for.
    pub feature_names: &'a [String],
    pub features: &'a Features<'a>,
}

impl Landscape<'_> {
    /// The node that is meant. `flag` is what asked for it.
    pub fn find(&self, spot: &Spot, flag: &str, talk: &Talk) -> Outcome<usize> {
        match spot {
            Spot::Node(node) if *node < self.graph.nodes().n_rows() => Ok(*node),
            Spot::Node(node) => Err(Failure::usage(format!(
                "{flag} {node}: there is no such node, the graph has {} (0 to {}); {}",
                count(self.graph.nodes().n_rows(), "node", "nodes"),
                self.graph.nodes().n_rows().saturating_sub(1),
                self.tips()
            ))),
            Spot::Point(id) => self.node_of_point(id, flag),
            Spot::Equal { column, value } => self.end_of_value(column, value, flag, talk),
            Spot::Extreme { column, largest } => self.end_of_extreme(column, *largest, flag, talk),
        }
    }

    fn node_of_point(&self, id: &str, flag: &str) -> Outcome<usize> {
        let row = match self.ids {
            Some(ids) => ids.iter().position(|known| known == id),
            None => id.parse().ok().filter(|&row: &usize| row < self.projection.node.len()),
        };
        row.map(|row| self.projection.node[row]).ok_or_else(|| {
            Failure::usage(format!(
                "{flag} {id}: no point has this id; give a node, a point, COLUMN==VALUE, \
                 COLUMN:min or COLUMN:max; {}",
                self.tips()
            ))
        })
    }

    fn end_of_value(&self, column: &str, value: &str, flag: &str, talk: &Talk) -> Outcome<usize> {
        let asked = format!("{flag} {column}=={value}");
        let Some(labels) = self.labels.iter().find(|labels| labels.name == column) else {
            return Err(Failure::usage(format!("{asked}: {}", self.unknown_column(column))));
        };
        if !labels.values.iter().any(|known| known == value) {
            let mut known: Vec<&str> = labels.values.iter().map(String::as_str).collect();
            known.sort_unstable();
            known.dedup();
            let more = if known.len() > 10 { ", …" } else { "" };
            known.truncate(10);
            return Err(Failure::usage(format!(
                "{asked}: no point has this value; {column} is one of {}{more}; {}",
                known.join(", "),
                self.tips()
            )));
        }
        let is = |known: &String| match known.as_str() {
            "" => f64::NAN,
            known => f64::from(u8::from(known == value)),
        };
        let shares: Vec<f64> = labels.values.iter().map(is).collect();
        let ends = self.graph.end_means(self.projection, &shares)?;
        let best = best(&ends, true);
        match best[..] {
            [end, ..] if end.mean == 0.0 => Ok(self.node_of_most(&shares)),
            [end] => {
                talk.note(format!(
                    "{asked}: node {}, {:.0} % of the {} about it",
                    end.node,
                    100.0 * end.mean,
                    count(end.points, "point", "points")
                ));
                Ok(end.node)
            }
            _ => Err(tied(&asked, &best)),
        }
    }

    /// The node with the most points of a value that is found at no tip.
    fn node_of_most(&self, shares: &[f64]) -> usize {
        let mut counts = vec![0_usize; self.graph.nodes().n_rows()];
        for (&node, &share) in self.projection.node.iter().zip(shares) {
            counts[node] += usize::from(share == 1.0);
        }
        let most = counts.iter().copied().max().unwrap_or_default();
        counts.iter().position(|&count| count == most).unwrap_or_default()
    }

    fn end_of_extreme(
        &self,
        column: &str,
        largest: bool,
        flag: &str,
        talk: &Talk,
    ) -> Outcome<usize> {
        let asked = format!("{flag} {column}:{}", if largest { "max" } else { "min" });
        let values = self.values(column, &asked)?;
        let unknown = values.iter().filter(|value| !value.is_finite()).count();
        if unknown > 0 {
            talk.note(format!(
                "{asked}: {} without a value left out",
                count(unknown, "point", "points")
            ));
        }
        let ends = self.graph.end_means(self.projection, &values)?;
        match best(&ends, largest)[..] {
            [end] => {
                talk.note(format!(
                    "{asked}: node {}, mean {} of the {} about it",
                    end.node,
                    crate::command::short(end.mean),
                    count(end.points, "point", "points")
                ));
                Ok(end.node)
            }
            [] => Err(Failure::bad_data(format!("{asked}: no point has a value; {}", self.tips()))),
            ref tied_ends => Err(tied(&asked, tied_ends)),
        }
    }

    /// A column of numbers: a label or a feature; NaN where it is unknown.
    pub fn values(&self, column: &str, asked: &str) -> Outcome<Vec<f64>> {
        if let Some(labels) = self.labels.iter().find(|labels| labels.name == column) {
            let number = |(row, text): (usize, &String)| match text.parse::<f64>() {
                Ok(number) => Ok(number),
                Err(_) if is_missing(text) => Ok(f64::NAN),
                Err(_) => Err(Failure::usage(format!(
                    "{asked}: {column} holds \"{text}\" in row {}, not a number; name a value \
                     with {column}==VALUE",
                    row + 1
                ))),
            };
            return labels.values.iter().enumerate().map(number).collect();
        }
        if self.feature_names.iter().any(|name| name == column) {
            return (self.features)(column);
        }
        Err(Failure::usage(format!("{asked}: {}", self.unknown_column(column))))
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
        format!("its tips are {}{more}", shown.join(", "))
    }
}

/// Whether a cell says that nothing is known.
fn is_missing(text: &str) -> bool {
    matches!(text.to_ascii_lowercase().as_str(), "" | "na" | "nan" | "null" | "none")
}

/// The ends of the least or largest mean.
fn best(ends: &[EndMean], largest: bool) -> Vec<EndMean> {
    let sign = if largest { -1.0 } else { 1.0 };
    let least = ends.iter().map(|end| sign * end.mean).fold(f64::INFINITY, f64::min);
    ends.iter().copied().filter(|end| sign * end.mean == least).collect()
}

fn tied(asked: &str, ends: &[EndMean]) -> Failure {
    let nodes: Vec<String> = ends.iter().map(|end| end.node.to_string()).collect();
    Failure::usage(format!(
        "{asked}: the nodes {} are equally good; name one of them",
        nodes.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_apart_by_their_form() {
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
        assert!("node:x".parse::<Spot>().is_err());
    }
}
